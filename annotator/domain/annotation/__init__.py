"""What is drawn: tracks, points, segments, documents, and changes to them."""
