"""Commands: what a gesture asks for. Each plans changes on a document and touches nothing."""

from __future__ import annotations

from annotator.domain.commands.base import Command
from annotator.domain.commands.keyframes import (
    DeleteKeyframe,
    DeleteKeyframes,
    SetKeyframe,
    SetOccluded,
    SetOutside,
)
from annotator.domain.commands.points import (
    AcceptPoints,
    ClearPoints,
    CreatePoint,
    DeletePoints,
    MarkPoints,
    SetPoint,
    SetPointInfo,
)
from annotator.domain.commands.proposals import AcceptProposals, SettleBegin, SettleGap
from annotator.domain.commands.segments import CreateSegment, DeleteSegment, SetSegment
from annotator.domain.commands.tracks import (
    CreateTrack,
    DeleteTracks,
    JoinTracks,
    SetTrack,
    SplitIntoChildren,
    SplitTrack,
    SwapTracks,
)
from annotator.domain.commands.transfer import AddImported

__all__ = [
    "AcceptPoints",
    "AcceptProposals",
    "AddImported",
    "ClearPoints",
    "Command",
    "CreatePoint",
    "CreateSegment",
    "CreateTrack",
    "DeleteKeyframe",
    "DeleteKeyframes",
    "DeletePoints",
    "DeleteSegment",
    "DeleteTracks",
    "JoinTracks",
    "MarkPoints",
    "SetKeyframe",
    "SetOccluded",
    "SetOutside",
    "SetPoint",
    "SetPointInfo",
    "SetSegment",
    "SetTrack",
    "SettleBegin",
    "SettleGap",
    "SplitIntoChildren",
    "SplitTrack",
    "SwapTracks",
]
