"""Parquet tables of text columns, read and written."""
