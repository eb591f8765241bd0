"""Machine proposals: runs of them, and what is open to be judged."""
