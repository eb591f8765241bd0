"""Releases: written, signed, verified, compared."""
