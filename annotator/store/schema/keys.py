"""Step to form 2.0: keyframes that nobody has touched since they were imported stay together.

Programs that know form 1 would take such tracks for empty, so they are to refuse the file.
"""

from __future__ import annotations

from typing import Final

PACKED_KEYS: Final = """
-- All keyframes of a track, as packed_keys.py has them, until one of them is edited:
-- then they are rows of keyframe. They have no pts.
CREATE TABLE packed_keys (
    track_row INTEGER PRIMARY KEY REFERENCES track (row) DEFERRABLE INITIALLY DEFERRED,
    body BLOB NOT NULL CHECK (length(body) > 0 AND length(body) % 41 = 0)
) STRICT;
"""
