"""Who works on what: tasks, drafts, submissions, and what leads do with them."""
