"""Machine proposals: runs, and the proposals that are still to be reviewed."""
