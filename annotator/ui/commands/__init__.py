"""Handlers of actions on objects, points, segments, proposals and projects."""
