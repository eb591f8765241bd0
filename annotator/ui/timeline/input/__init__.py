"""Mouse on the timeline."""
