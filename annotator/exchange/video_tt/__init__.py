"""Video-TT: rows of questions, each a primary one or a variant, as Parquet or JSON."""
