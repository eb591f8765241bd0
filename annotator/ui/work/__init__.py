"""What a rater sees of the pipeline: who they are, their work, what the stage asks of them."""
