"""Measurements of speed and accuracy; as in the program, products of matrices have one thread."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
