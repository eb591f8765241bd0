"""Formats of object tracks."""
