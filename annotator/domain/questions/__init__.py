"""Questions: what is asked about videos, where it comes from, and what it becomes."""
