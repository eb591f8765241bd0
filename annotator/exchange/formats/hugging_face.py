"""Data sets for the Hugging Face hub: described here, written with their videos."""

from __future__ import annotations

from typing import Final

from annotator.exchange.formats.base.format import Format

FORMAT: Final = Format(
    "huggingface",
    "Hugging Face data set with Croissant description",
    ("",),
    "other",
    holds=("boxes", "points", "actions", "sounds", "questions"),
    is_dense=True,
    losses=frozenset(("KEY", "OUT", "PST", "VFR", "NOT", "VIS")),
    source="Hugging Face datasets 5.2, VideoFolder; Croissant 1.1",
    has_media=True,
    has_card=True,
    has_frame_choice=True,
    reads=False,
)
