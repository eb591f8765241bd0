"""The file itself: opening, locking, flushing, reading beside a writer, backups."""
