"""Rows shared by all tasks of a project: videos, labels, people, recipes."""
