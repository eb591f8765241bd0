"""Conditions of the action table for the current state, and the tools a task allows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication

from annotator.domain.people import Role
from annotator.domain.proposals.box_proposals import is_current, open_gaps, return_frame
from annotator.domain.recipes.recipe import Tool
from annotator.domain.recipes.tools import ALL_TOOLS, TOOL_OF
from annotator.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from annotator.ui.state.workspace import Workspace


@dataclass(frozen=True, slots=True)
class ToolRules:
    """Tools of the task; ``withheld`` are its unmet conditions, ``reason`` explains them."""

    tools: frozenset[Tool] = ALL_TOOLS
    withheld: frozenset[str] = frozenset()
    reason: str = ""

    def forbid(self, when: str, tools: tuple[str, ...]) -> bool:
        """Whether an action of a condition, or one for certain tools, is not for this task."""
        return not self.tools.intersection(tools) if tools else when in self.withheld


FREE: Final = ToolRules()


def tool_rules(workspace: Workspace) -> ToolRules:
    """Return the edits that the open task allows on the selection."""
    session = workspace.session
    if session is None or session.tools == ALL_TOOLS:
        return FREE
    return ToolRules(session.tools, _withheld(workspace, session.tools), only_words(session.tools))


def only_words(tools: frozenset[Tool]) -> str:
    """Return the text that names the tools of a restricted task."""
    tr = QCoreApplication.translate
    if not tools:
        return tr("tools", "This task does not allow drawing.")
    one = {
        Tool.BOXES: tr("tools", "This task allows only boxes."),
        Tool.POINTS: tr("tools", "This task allows only points."),
        Tool.ACTIONS: tr("tools", "This task allows only actions."),
        Tool.SOUNDS: tr("tools", "This task allows only sounds."),
    }
    if len(tools) == 1:
        return one[next(iter(tools))]
    names = {
        Tool.BOXES: tr("tools", "boxes"),
        Tool.POINTS: tr("tools", "points"),
        Tool.ACTIONS: tr("tools", "actions"),
        Tool.SOUNDS: tr("tools", "sounds"),
    }
    listed = ", ".join(names[tool] for tool in Tool if tool in tools)
    return tr("tools", "This task allows only: {tools}.").format(tools=listed)


def _withheld(workspace: Workspace, tools: frozenset[Tool]) -> frozenset[str]:
    tool_drawn = Tool.POINTS if workspace.point is not None else Tool.BOXES
    segment = workspace.segment
    of_segment = TOOL_OF[segment.lane] if segment is not None else None
    keys_for = (
        of_segment if of_segment is not None and workspace.selection.is_on_segment else tool_drawn
    )
    withheld: set[str] = set()
    if tool_drawn not in tools:
        withheld |= {"edit-track", "edit-object", "edit-range"}
        withheld |= {"keyframe", "pending", "pending-here"}
    if Tool.BOXES not in tools:
        withheld.add("edit-two")
    if Tool.POINTS not in tools:
        withheld.add("point")
    if keys_for not in tools:
        withheld |= {"edit-any", "edit-join"}
    if of_segment is not None and of_segment not in tools:
        withheld.add("edit-segment")
    if TOOL_OF[workspace.labels.lane] not in tools:
        withheld.add("commit")
    return frozenset(withheld)


def first_step_hint(workspace: Workspace, keys: Mapping[str, str]) -> str:
    """Return the hint for the first step in an empty task; empty if not needed.

    ``keys`` are those of the tools "box" and "point".
    """
    session = workspace.session
    if session is None or not workspace.can_edit or not workspace.n_frames:
        return ""
    document, tr = session.document, QCoreApplication.translate
    if document.segments or document.points:
        return ""
    if workspace.may_change(Tool.BOXES):
        if document.tracks or "box" not in keys:
            return ""
        return tr("MainWindow", "Press {key} and drag a box around an object").format(
            key=keys["box"]
        )
    if workspace.may_change(Tool.POINTS):
        if "point" not in keys:
            return ""
        text = tr("tools", "Press {key} and click the position of a point")
        if document.tracks:
            text = tr("tools", "Select an object, press {key} and click one of its parts")
        return text.format(key=keys["point"])
    # Where nothing is drawn on the picture nothing covers it: the Segments panel says how to begin.
    return ""


def conditions(workspace: Workspace) -> dict[str, bool]:
    """Return the state of every condition in ``actions.CONDITIONS``."""
    project, stage, session = workspace.project, workspace.stage, workspace.session
    track, can_edit = workspace.track, workspace.can_edit
    has_range = workspace.range is not None
    is_drawn = track is not None or workspace.point is not None
    may_edit_segment = can_edit and workspace.segment is not None
    has_keys = may_edit_segment and workspace.selection.is_on_segment
    point, role = workspace.point, workspace.task_role
    is_moving = stage is not None and not workspace.is_still
    is_locked = session is not None and session.is_submitted
    return {
        "always": True,
        "project": project is not None,
        "writable": project is not None and not project.is_read_only,
        "task": stage is not None,
        "moving": is_moving,
        "missing": stage is not None and (stage.is_missing or workspace.lacking is not None),
        "fetchable": workspace.can_fetch,
        "editable": can_edit,
        # While questions are asked Tab goes through their fields.
        "objects": session is not None
        and bool(session.document.tracks or session.document.points)
        and not workspace.asks,
        "submitted": bool(
            is_locked
            and project is not None
            and not project.is_read_only
            and (role is None or role.may_reopen)
        ),
        "people": workspace.has_people,
        "plain": project is not None and not project.is_read_only and project.work.is_plain,
        "claimable": role is not None and role.may_claim,
        "held": can_edit and role is not None and role.held is not None,
        "returning": _may_send_back(workspace),
        "lead": is_lead(workspace),
        "questions": is_lead(workspace) and project is not None and project.work.recipe.asks,
        "gold": is_lead(workspace) and project is not None and project.work.recipe.has_gold,
        # Answers given before the gold answers were shown stay.
        "undo": session is not None and session.can_undo and not workspace.is_told,
        "redo": session is not None and session.can_redo and not workspace.is_told,
        "object": track is not None,
        "edit-object": can_edit and track is not None,
        "track": is_drawn,
        "edit-track": can_edit and is_drawn,
        "edit-any": (can_edit and is_drawn) or has_keys,
        "edit-two": can_edit and len(workspace.selection.tracks) == 2,
        "edit-join": has_keys or (can_edit and len(workspace.selection.tracks) == 2),
        "edit-range": can_edit and is_drawn and has_range,
        "keyframe": can_edit and _has_mark_here(workspace),
        "point": can_edit and point is not None,
        "pending": can_edit
        and (_is_proposed(workspace) if has_keys else _has_proposals(workspace)),
        "pending-here": can_edit
        and (_is_proposed(workspace) if has_keys else workspace.is_pending_here()),
        "range": has_range,
        "span": workspace.span is not None,
        "commit": can_edit and has_range and not workspace.asks,
        "labeling": can_edit and not workspace.asks,
        "unasked": stage is not None and not workspace.asks,
        "asked": workspace.asks,
        "replayable": workspace.asks and is_moving,
        "answerable": can_edit and workspace.asks,
        "segments": session is not None and session.document.has_segments,
        "edit-segment": may_edit_segment,
        "sound": stage is not None and stage.has_sound,
        "before": workspace.has_before,
        "changes": workspace.has_changes,
        "edit-changes": can_edit and workspace.has_changes,
        "return-changes": _may_send_back(workspace) and workspace.has_changes,
        "comments": session is not None and bool(session.document.comments),
    }


def is_lead(workspace: Workspace) -> bool:
    """Return whether who has signed in leads the project, and it has stages."""
    person = workspace.person
    return person is not None and person.has(Role.LEAD)


def _may_send_back(workspace: Workspace) -> bool:
    return (
        workspace.can_edit and workspace.task_role is not None and workspace.task_role.may_send_back
    )


def _has_mark_here(workspace: Workspace) -> bool:
    """Return whether the primary point, else the primary track, is fixed on this frame."""
    if workspace.point is not None:
        return workspace.point.mark(workspace.frame) is not None
    return workspace.track is not None and workspace.track.keyframe_at(workspace.frame) is not None


def _is_proposed(workspace: Workspace) -> bool:
    """Return whether the primary segment is an unaccepted proposal."""
    return workspace.segment is not None and workspace.segment.is_proposed


def _has_proposals(workspace: Workspace) -> bool:
    """Return whether the selection has proposal runs in open gaps; cheap, reads no frames."""
    session, track = workspace.session, workspace.track
    if session is not None and workspace.point is not None:
        return bool(session.point_runs.of(workspace.point.id))
    if session is None or track is None:
        return False
    runs = session.box_runs.of(track.id)
    if not runs:
        return False
    gaps = open_gaps(track, workspace.n_frames)
    return any(
        max(run.start, return_frame(gap, run, runs)) < min(run.end, gap.end)
        and is_current(run, gap, runs)
        for run in runs
        for gap in gaps
    )
