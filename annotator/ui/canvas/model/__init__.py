"""What the canvas shows and edits, without painting."""
