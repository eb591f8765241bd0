"""Around the panels: header, transport, status line, notices, empty pages."""
