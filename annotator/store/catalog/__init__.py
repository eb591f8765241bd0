"""Rows of what a project has for all tasks: videos, labels, people, recipes."""
