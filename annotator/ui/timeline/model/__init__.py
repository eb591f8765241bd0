"""State of the timeline: axis, lanes, rows, times."""
