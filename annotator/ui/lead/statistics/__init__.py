"""Figures, charts and tables."""
