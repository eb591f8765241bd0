"""The exchange formats of other programs: one module each, and one line in `registry`.

Every reader returns `VideoContent`, and every writer takes it; `document_conversion` converts
between it and documents. Pixels are continuous, frames count from 0, times are in microseconds.
"""
