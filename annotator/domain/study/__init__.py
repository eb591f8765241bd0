"""Studies: what people who are no raters of a project make of its questions."""
