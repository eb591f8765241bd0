"""Studies: independent participants answer the questions of a project."""
