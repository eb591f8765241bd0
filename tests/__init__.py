"""Tests and benchmarks; a package of this name that others install does not hide it."""
