"""Shared base of the formats: their content as Python values, and the way to documents."""
