"""The review panels: changes, comments and verdict."""
