"""What actions do: to objects, points, segments, proposals, projects."""
