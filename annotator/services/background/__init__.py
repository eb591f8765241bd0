"""Work in the background: jobs, processes, and callbacks."""
