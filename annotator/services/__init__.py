"""Services: what the program does, without Qt and without SQL."""
