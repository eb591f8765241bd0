"""Painting of the canvas."""
