"""The project as people see it: its videos, labels, recipe and people, and how it is opened."""
