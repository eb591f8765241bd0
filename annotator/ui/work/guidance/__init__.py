"""Guidelines and checklists beside the work."""
