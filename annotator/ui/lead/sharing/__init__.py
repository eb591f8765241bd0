"""Sharing a project through a hub: the dialog, the live board, and collecting in the background."""
