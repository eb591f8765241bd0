"""Mouse and keys on the canvas: tools as gestures."""
