"""Recipes: task types, stages and forms of a project, and their file."""
