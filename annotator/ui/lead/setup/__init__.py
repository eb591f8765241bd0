"""Beginning a project: videos, metadata, recipe, work packages."""
