"""PACS: objects, questions about pairs of them, and labels, in a folder of JSON files."""
