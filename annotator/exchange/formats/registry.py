"""All formats of other programs, in the order in which they are listed."""

from __future__ import annotations

from typing import Final

from annotator.exchange.formats import challenge_results, plain_table
from annotator.exchange.formats.base.format import Format, Loss
from annotator.exchange.formats.boxes import (
    coco_vid,
    cvat,
    datumaro,
    dive,
    label_studio,
    mask_tracks,
    mot,
    viame,
    yolo,
)
from annotator.exchange.formats.points import deeplabcut, deeplabcut_h5, point_arrays, sleap
from annotator.exchange.formats.segments import (
    activitynet,
    ava,
    boris,
    elan,
    epic_kitchens,
    textgrid,
    thumos,
)
from annotator.exchange.formats.segments.sound_tables import AUDACITY, EVENTS, RTTM
from annotator.exchange.formats.segments.subtitles import SRT, VTT

FORMAT: Final = Format(
    "huggingface",
    "Hugging Face data set with Croissant description",
    ("",),
    "other",
    holds=("boxes", "points", "actions", "sounds", "questions"),
    is_dense=True,
    losses=frozenset(
        (
            Loss.HUMAN_KEYFRAMES,
            Loss.OUT_OF_VIEW,
            Loss.OCCLUDED_POINTS,
            Loss.VARIABLE_RATE,
            Loss.NOTES,
            Loss.SOUND_SOURCES,
        )
    ),
    source="Hugging Face datasets 5.2, VideoFolder; Croissant 1.1",
    has_media=True,
    has_card=True,
    has_frame_choice=True,
    reads=False,
)
OTHERS: Final[tuple[Format, ...]] = (
    cvat.FORMAT,
    mot.FORMAT,
    coco_vid.FORMAT,
    mask_tracks.YOUTUBE_VIS,
    mask_tracks.BURST,
    yolo.FORMAT,
    datumaro.FORMAT,
    label_studio.FORMAT,
    activitynet.FORMAT,
    thumos.FORMAT,
    ava.FORMAT,
    elan.FORMAT,
    VTT,
    SRT,
    AUDACITY,
    EVENTS,
    RTTM,
    viame.FORMAT,
    dive.FORMAT,
    textgrid.FORMAT,
    boris.FORMAT,
    epic_kitchens.FORMAT,
    deeplabcut.FORMAT,
    deeplabcut_h5.FORMAT,
    sleap.FORMAT,
    point_arrays.FORMAT,
    plain_table.FORMAT,
    FORMAT,
    challenge_results.FORMAT,
)
