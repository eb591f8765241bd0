"""What a person is asked in a task, and in which order."""
