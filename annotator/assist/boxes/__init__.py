"""Trackers for boxes, and the choice between their candidates."""
