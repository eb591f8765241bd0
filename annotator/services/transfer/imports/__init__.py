"""Import: files are opened, checked and planned, then brought in."""
