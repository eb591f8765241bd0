"""Inter-rater agreement and other statistics, with the inputs to recompute them."""
