"""Painting of the timeline."""
