"""Playback: the player, its state, and thumbnails."""
