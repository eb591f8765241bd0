"""What is open in a window and selected in it: what all parts of the window share."""
