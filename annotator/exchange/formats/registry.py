"""All formats of other programs, in the order in which they are listed."""

from __future__ import annotations

from typing import Final

from annotator.exchange.formats import (
    activitynet,
    boris,
    coco_vid,
    cvat,
    deeplabcut,
    dive,
    elan,
    epic_kitchens,
    label_studio,
    mot,
    plain_table,
    point_arrays,
    textgrid,
    viame,
)
from annotator.exchange.formats.base.format import Format
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
    viame.FORMAT,
    dive.FORMAT,
    textgrid.FORMAT,
    boris.FORMAT,
    epic_kitchens.FORMAT,
    deeplabcut.FORMAT,
    point_arrays.FORMAT,
    plain_table.FORMAT,
)
