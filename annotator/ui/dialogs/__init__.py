"""The dialogs, each opened on demand."""
