"""Items that are asked, and where they come from."""
