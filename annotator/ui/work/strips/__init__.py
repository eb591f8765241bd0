"""Strips above the canvas that tell how the open task stands."""
