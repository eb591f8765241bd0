"""Rows of tasks, their log, the board, the queue and submissions."""
