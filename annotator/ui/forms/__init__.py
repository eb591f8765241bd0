"""Forms: the questions of a task, their fields, and what the mouse and the keys do to them."""
