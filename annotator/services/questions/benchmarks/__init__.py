"""Steps, files and tables that belong to one benchmark."""
