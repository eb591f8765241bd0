"""Work in a shared project: joining it, and exchanging with its hub."""
