"""People, spot checks, grading."""
