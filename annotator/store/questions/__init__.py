"""Rows of items, answers, votes, tests and studies."""
