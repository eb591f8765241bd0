"""Tasks, drafts, submissions, and actions of leads."""
