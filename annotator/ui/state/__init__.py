"""State of a window that its parts share: open task, selection, stage."""
