"""Audio made visible: measured in the background, kept in a cache."""
