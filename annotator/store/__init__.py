"""The project file: one SQLite database, its locks, its log and its backups."""
