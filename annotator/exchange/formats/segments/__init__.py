"""Formats of actions and sounds."""
