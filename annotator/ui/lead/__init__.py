"""What a lead sees of the pipeline: the board, the numbers, the people."""
