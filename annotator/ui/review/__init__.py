"""The reviewer's part of the window: what changed, what was said about it, and the verdict."""
