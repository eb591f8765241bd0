"""Perception Test: one JSON object with an entry for each video.

Documented in ``resources/guide/command-line.md``. Reading and writing use ``records``; ``check``
judges a file on its own and shares no code with either.
"""
