"""What single benchmarks do beyond the recipe: their steps, files and tables."""
