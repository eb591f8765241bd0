"""What the timeline shows: axis, lanes, rows, times."""
