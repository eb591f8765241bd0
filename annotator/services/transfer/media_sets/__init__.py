"""Folders with images or videos beside the annotations."""
