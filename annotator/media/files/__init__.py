"""Whole files: what they are, and copies of parts of them."""
