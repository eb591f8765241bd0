"""Commands: each plans the changes of one gesture and modifies nothing itself.

A command is imported when it is first named: the window must not wait for what no one does yet.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from annotator.domain.annotation.edits import Command
    from annotator.domain.commands.answer_edits import ClearAnswer, SetAnswer
    from annotator.domain.commands.bulk import AddImported, Together
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
        ThinKeyframes,
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
    from annotator.domain.commands.proposals import (
        AcceptMarked,
        AcceptProposals,
        AcceptSegments,
        CheckFrames,
        DismissRange,
        KeepInterpolation,
        OpenGaps,
        SetAbsentBefore,
    )
    from annotator.domain.commands.segments import (
        ClearSlot,
        CreateSegment,
        DeleteSegment,
        DuplicateSegments,
        MergeSegments,
        SetSegment,
        SetSegmentAttributes,
        SetSlot,
        SetVisible,
        SplitSegment,
    )
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

__all__ = [
    "AcceptMarked",
    "AcceptPoints",
    "AcceptProposals",
    "AcceptSegments",
    "AddComment",
    "AddImported",
    "CheckFrames",
    "ClearAnswer",
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
    "DismissRange",
    "DuplicateSegments",
    "EditComment",
    "JoinTracks",
    "KeepInterpolation",
    "MarkPoints",
    "MergeSegments",
    "OpenGaps",
    "ReplyToComment",
    "ResolveComments",
    "SetAbsentBefore",
    "SetAnswer",
    "SetKeyframe",
    "SetOccluded",
    "SetOutside",
    "SetPoint",
    "SetPointInfo",
    "SetSegment",
    "SetSegmentAttributes",
    "SetSlot",
    "SetTrack",
    "SetTracks",
    "SetVisible",
    "SplitIntoChildren",
    "SplitSegment",
    "SplitTrack",
    "SwapTracks",
    "ThinKeyframes",
    "Together",
]

_HOMES: Final = {
    "answer_edits": ("ClearAnswer", "SetAnswer"),
    "annotator.domain.annotation.edits": ("Command",),
    "bulk": ("AddImported", "Together"),
    "comments": (
        "AddComment",
        "DeleteComment",
        "EditComment",
        "ReplyToComment",
        "ResolveComments",
    ),
    "keyframes": (
        "DeleteKeyframe",
        "DeleteKeyframes",
        "SetKeyframe",
        "SetOccluded",
        "SetOutside",
        "ThinKeyframes",
    ),
    "points": (
        "AcceptPoints",
        "ClearPoints",
        "CreatePoint",
        "DeletePoints",
        "MarkPoints",
        "SetPoint",
        "SetPointInfo",
    ),
    "proposals": (
        "AcceptMarked",
        "AcceptProposals",
        "AcceptSegments",
        "CheckFrames",
        "DismissRange",
        "SetAbsentBefore",
        "KeepInterpolation",
        "OpenGaps",
    ),
    "segments": (
        "ClearSlot",
        "CreateSegment",
        "DeleteSegment",
        "DuplicateSegments",
        "MergeSegments",
        "SetSegment",
        "SetSlot",
        "SetSegmentAttributes",
        "SetVisible",
        "SplitSegment",
    ),
    "tracks": (
        "CreateTrack",
        "DeleteTracks",
        "JoinTracks",
        "SetTrack",
        "SetTracks",
        "SplitIntoChildren",
        "SplitTrack",
        "SwapTracks",
    ),
}
_HOME_OF: Final = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(home if "." in home else f"{__name__}.{home}"), name)
    globals()[name] = value
    return value
