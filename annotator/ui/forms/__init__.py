"""Forms: questions of a task, their fields, and mouse and keyboard input."""
