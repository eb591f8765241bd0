"""The question set of a task: its items and their order."""
