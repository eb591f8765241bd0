"""The board of tasks, and what a lead does to chosen ones."""
