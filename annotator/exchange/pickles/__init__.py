"""Pickles from strangers, read without running anything in them."""
