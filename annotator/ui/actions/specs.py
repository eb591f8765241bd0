"""Every action of the program: the one table behind menus, tooltips, key help and preferences.

The rows stand in ``resources/actions.toml``, one line each, in the order of the menus.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Literal

from PySide6.QtCore import QCoreApplication

from annotator import paths

Scope = Literal["window", "canvas"]

CONDITIONS: Final = {
    "always": "at any time",
    "project": "when a project is open",
    "writable": "when the project can be changed",
    "task": "when a video is open",
    "moving": "when a video or a sound is open, not a single picture",
    "missing": "when the video's file is not found",
    "fetchable": "when videos are missing and the project says where they are",
    "editable": "when the video's draft can be changed",
    "objects": "when the video has objects or points",
    "submitted": "when the task has been submitted and may be reopened",
    "people": "in a project with stages",
    "plain": "in a project without stages that can be changed",
    "claimable": "when the open task is free for you",
    "held": "when the task is yours, in a project with stages",
    "returning": "when the task is yours, at a stage that may send it back",
    "lead": "for leads of a project with stages",
    "questions": "for leads of a project with questions",
    "gold": "for leads of a project with gold tasks",
    "undo": "when there is something to undo",
    "redo": "when there is something to redo",
    "object": "when an object is selected",
    "edit-object": "when an object is selected and can be changed",
    "track": "when an object or a point is selected",
    "edit-track": "when an object or a point is selected and can be changed",
    "edit-any": "when an object, a point or a segment is selected and can be changed",
    "edit-two": "when two objects are selected and can be changed",
    "edit-join": "when two objects or a segment are selected and can be changed",
    "edit-range": "when an object or a point is selected and a range is marked",
    "keyframe": "when a selected object or point has a keyframe on this frame",
    "point": "when a point is selected and can be changed",
    "pending": "when a selected object or point has proposals",
    "pending-here": "when a selected object or point has a proposal on this frame",
    "range": "when a range is marked",
    "span": "when a range is marked or a segment is selected",
    "commit": "when a range is marked and the draft can be changed",
    "segments": "when the video has action or sound segments",
    "edit-segment": "when an action or a sound is selected and can be changed",
    "sound": "when the video has sound",
    "before": "when the task has a submission",
    "labeling": "when the draft can be changed and no questions are asked",
    "unasked": "when a video is open and no questions are asked",
    "asked": "when questions are asked about the video",
    "replayable": "when questions are asked about a video or a sound, not a single picture",
    "answerable": "when questions are asked and can be answered",
    "changes": "when the draft differs from the submission",
    "edit-changes": "when the draft differs from the submission and can be changed",
    "return-changes": "when the draft differs from the submission and the stage can return it",
    "comments": "when there are comments",
}

_ASKED: Final = frozenset(("asked", "answerable", "replayable"))
_UNASKED: Final = frozenset(("labeling", "unasked", "commit"))


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One action: text, menu and keys.

    ``keys`` are portable key names; the first is the one shown. ``peers`` names tools in which a
    rater may know the same key. ``when`` names the condition that enables the action. Keys of scope
    "canvas" work only while the picture or the timeline has the focus, so that elsewhere Tab keeps
    its usual meaning. ``repeats`` lets a held key act again and again. ``section`` starts a new
    group in its menu. ``tools`` are those of a task of which it needs one; without any the
    selection decides.
    """

    id: str
    menu: str
    text: str
    tip: str
    keys: tuple[str, ...] = ()
    icon: str = ""
    peers: str = ""
    when: str = "always"
    checkable: bool = False
    repeats: bool = False
    section: bool = False
    scope: Scope = "window"
    tools: tuple[str, ...] = ()

    def excludes(self, other: ActionSpec) -> bool:
        """Return whether never both can be done, so that they may have the same key."""
        return (self.when in _ASKED and other.when in _UNASKED) or (
            self.when in _UNASKED and other.when in _ASKED
        )


def shown_specs() -> tuple[ActionSpec, ...]:
    """Return the table with names and tips in the person's language; ``menu`` stays a key."""
    return tuple(
        replace(spec, text=_translated(spec.text), tip=_translated(spec.tip))
        for spec in action_specs()
    )


def condition_text(when: str) -> str:
    """Return when actions of a condition are available, such as "when a video is open"."""
    return _translated(CONDITIONS[when])


def menu_title(menu: str) -> str:
    """Return the name of a menu in the person's language."""
    return _translated(menu)


@lru_cache
def action_specs() -> tuple[ActionSpec, ...]:
    """Return the table, in the order of the menus."""
    data = tomllib.loads(paths.resource("actions.toml").read_text(encoding="utf-8"))
    return tuple(
        ActionSpec(
            action_id,
            menu,
            **{**row, "keys": tuple(row.get("keys", ())), "tools": tuple(row.get("tools", ()))},
        )
        for menu, rows in data.items()
        for action_id, row in rows.items()
    )


def _translated(text: str) -> str:
    return QCoreApplication.translate("actions", text)
