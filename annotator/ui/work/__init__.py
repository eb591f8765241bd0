"""Work of raters: sign-in, My work, task actions, guidelines, checklist."""
