"""Exchange: files that other programs write and read, one package for each format."""
