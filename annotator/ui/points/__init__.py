"""Panels about points: their list, and their curves over time."""
