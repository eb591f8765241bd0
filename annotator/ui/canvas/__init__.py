"""The canvas: one picture of the video with the boxes that belong to it."""
