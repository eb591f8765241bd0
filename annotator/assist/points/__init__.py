"""Candidates for points, and the choice between them."""
