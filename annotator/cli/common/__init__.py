"""What all commands share: errors, progress, words, outputs."""
