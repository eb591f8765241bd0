"""Whole media files: properties, and partial copies."""
