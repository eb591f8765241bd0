"""The board of tasks, and the actions on selected tasks."""
