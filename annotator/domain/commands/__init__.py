"""Commands: what a gesture asks for. Each plans changes on a document and touches nothing."""

from __future__ import annotations

from annotator.domain.commands.base import Command
from annotator.domain.commands.comments import (
    AddComment,
    DeleteComment,
    EditComment,
    ReplyToComment,
    ResolveComments,
)
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
from annotator.domain.commands.segments import (
    ClearSlot,
    CreateSegment,
    DeleteSegment,
    DuplicateSegments,
    MergeSegments,
    SetSegment,
    SetSlot,
    SetVisible,
    SplitSegment,
)
from annotator.domain.commands.together import Together
from annotator.domain.commands.tracks import (
    CreateTrack,
    DeleteTracks,
    JoinTracks,
    SetTrack,
    SetTracks,
    SplitIntoChildren,
    SplitTrack,
    SwapTracks,
)
from annotator.domain.commands.transfer import AddImported

__all__ = [
    "AcceptPoints",
    "AcceptProposals",
    "AddComment",
    "AddImported",
    "ClearPoints",
    "ClearSlot",
    "Command",
    "CreatePoint",
    "CreateSegment",
    "CreateTrack",
    "DeleteComment",
    "DeleteKeyframe",
    "DeleteKeyframes",
    "DeletePoints",
    "DeleteSegment",
    "DeleteTracks",
    "DuplicateSegments",
    "EditComment",
    "JoinTracks",
    "MarkPoints",
    "MergeSegments",
    "ReplyToComment",
    "ResolveComments",
    "SetKeyframe",
    "SetOccluded",
    "SetOutside",
    "SetPoint",
    "SetPointInfo",
    "SetSegment",
    "SetSlot",
    "SetTrack",
    "SetTracks",
    "SetVisible",
    "SettleBegin",
    "SettleGap",
    "SplitIntoChildren",
    "SplitSegment",
    "SplitTrack",
    "SwapTracks",
    "Together",
]
