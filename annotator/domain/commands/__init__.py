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
    "AcceptProposals",
    "AddImported",
    "Command",
    "CreateSegment",
    "CreateTrack",
    "DeleteKeyframe",
    "DeleteKeyframes",
    "DeleteSegment",
    "DeleteTracks",
    "JoinTracks",
    "SetKeyframe",
    "SetOccluded",
    "SetOutside",
    "SetSegment",
    "SetTrack",
    "SettleBegin",
    "SettleGap",
    "SplitIntoChildren",
    "SplitTrack",
    "SwapTracks",
]
