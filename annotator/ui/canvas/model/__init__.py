"""State of the canvas, without painting."""
