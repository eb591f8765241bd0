"""Themes, style, icons, and words for people."""
