"""Permission to change annotations by the tools of a task, checked before every edit.

The tool boxes covers tracks and their keyframes, points covers points and their marks, actions and
sounds cover segments and their links to objects. Other annotations are read-only in the task: they
can be shown, hidden and locked. Comments and answers need no tool.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Final

from annotator.domain.annotation.changes import Change, ChangeSet
from annotator.domain.annotation.point_track import PointInfo
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.annotation.track import TrackInfo
from annotator.domain.errors import EditError
from annotator.domain.recipes.recipe import Tool

ALL_TOOLS: Final = frozenset(Tool)

TOOL_OF: Final = {Lane.ACTION: Tool.ACTIONS, Lane.SOUND: Tool.SOUNDS}
"""The tool that segments of a lane are made with."""

_WHOLE: Final = {"keyframe": Tool.BOXES, "marks": Tool.POINTS}
_NAMED: Final = {"track": Tool.BOXES, "point": Tool.POINTS}
_FREE: Final = frozenset(("answer", "comment", "video"))


def tools_used(change_set: ChangeSet) -> frozenset[Tool]:
    """Return the tools that an edit takes."""
    used = {_WHOLE[kind] for kind in change_set.topics if kind in _WHOLE}
    others = change_set.topics - _FREE - _WHOLE.keys()
    return frozenset(used | _looked_up(c for c in change_set.changes if c.kind in others))


def check_tools(change_set: ChangeSet, permitted: Collection[Tool]) -> None:
    """Raise EditError when an edit takes a tool that the task does not have."""
    if len(permitted) == len(ALL_TOOLS):
        return
    beyond = tools_used(change_set).difference(permitted)
    if beyond:
        given = " and ".join(tool for tool in Tool if tool in beyond).capitalize()
        raise EditError(only_text(permitted), hint=f"Existing annotations ({given}) are unchanged.")


def only_text(permitted: Collection[Tool]) -> str:
    """Return the message that names the tools a task permits."""
    if not permitted:
        return "This task does not allow drawing."
    names = [str(tool) for tool in Tool if tool in permitted]
    listed = " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)
    return f"This task allows only {listed}."


def _looked_up(changes: Iterable[Change]) -> set[Tool]:
    """Return the tools of changes that their kind alone does not determine."""
    used: set[Tool] = set()
    for change in changes:
        for side in (change.before, change.after):
            if isinstance(side, Segment):
                used.add(TOOL_OF[side.lane])
        if change.kind in _NAMED and not is_look(change):
            used.add(_NAMED[change.kind])
    return used


def is_look(change: Change) -> bool:
    """Return whether a change is only about display: hidden or locked."""
    before, after = change.before, change.after
    if isinstance(before, TrackInfo) and isinstance(after, TrackInfo):
        return after == replace(before, is_hidden=after.is_hidden, is_locked=after.is_locked)
    if isinstance(before, PointInfo) and isinstance(after, PointInfo):
        return after == replace(before, is_hidden=after.is_hidden, is_locked=after.is_locked)
    return False
