"""Annotations: tracks, points, segments, documents, and changes to them."""
