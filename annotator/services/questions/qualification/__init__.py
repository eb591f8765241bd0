"""Qualification tests and attention checks: who passes them."""
