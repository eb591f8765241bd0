"""Annotator: the desktop program with which people make video benchmarks."""
