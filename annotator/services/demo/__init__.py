"""Demo projects: their stories, and how they are made."""
