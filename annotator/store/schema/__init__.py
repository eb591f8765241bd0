"""The tables, and the steps that bring an older file up to date."""
