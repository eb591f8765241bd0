"""The main window: construction, pages, docks, saved geometry."""
