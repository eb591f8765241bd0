"""Rows of drafts: tracks, points, segments, comments, proposals, and the log of edits."""
