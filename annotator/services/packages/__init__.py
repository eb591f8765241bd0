"""Work that leaves by file and comes back by file."""
