"""Projects that are shared through a hub: the lead's side, the rater's side, and where it is."""
