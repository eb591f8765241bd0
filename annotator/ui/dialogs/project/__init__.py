"""Dialogs about whole projects: making, importing, exporting, restoring."""
