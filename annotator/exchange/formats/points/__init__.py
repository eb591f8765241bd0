"""Formats of point tracks."""
