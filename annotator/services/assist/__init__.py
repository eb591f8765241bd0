"""Proposals kept up to date by trackers in a process of their own."""
