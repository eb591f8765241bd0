"""Shared by all commands: errors, progress, words, outputs."""
