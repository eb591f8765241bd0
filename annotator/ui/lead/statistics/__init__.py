"""Charts and tables of statistics."""
