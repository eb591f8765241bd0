"""All formats of other programs, in the order in which they are listed."""

from __future__ import annotations

from typing import Final

from annotator.exchange.formats import activitynet, coco_vid, cvat, elan, label_studio, mot
from annotator.exchange.formats.format import Format
from annotator.exchange.formats.sound_tables import AUDACITY, EVENTS, RTTM
from annotator.exchange.formats.subtitles import SRT, VTT

OTHERS: Final[tuple[Format, ...]] = (
    cvat.FORMAT,
    mot.FORMAT,
    coco_vid.FORMAT,
    label_studio.FORMAT,
    activitynet.FORMAT,
    elan.FORMAT,
    VTT,
    SRT,
    AUDACITY,
    EVENTS,
    RTTM,
)
