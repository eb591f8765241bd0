"""Questions about videos: their items, sources and resolved answers."""
