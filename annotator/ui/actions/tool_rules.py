"""Tools that the open task allows, and the reason why others are disabled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication

from annotator.domain.recipes.recipe import Tool
from annotator.domain.recipes.tools import ALL_TOOLS, TOOL_OF

if TYPE_CHECKING:
    from annotator.ui.state.desk import Desk


@dataclass(frozen=True, slots=True)
class ToolRules:
    """The task's tools; ``withheld`` are conditions that do not hold in it, ``reason`` says why."""

    tools: frozenset[Tool] = ALL_TOOLS
    withheld: frozenset[str] = frozenset()
    reason: str = ""

    def forbid(self, when: str, tools: tuple[str, ...]) -> bool:
        """Tell whether an action of a condition, or one for certain tools, is not for this task."""
        return not self.tools.intersection(tools) if tools else when in self.withheld


FREE: Final = ToolRules()


def tool_rules(desk: Desk) -> ToolRules:
    """Return what the open task leaves to be done to what is selected."""
    session = desk.session
    if session is None or session.tools == ALL_TOOLS:
        return FREE
    return ToolRules(session.tools, _withheld(desk, session.tools), only_words(session.tools))


def only_words(tools: frozenset[Tool]) -> str:
    """Say what is worked on in a task with these tools, and that nothing else is."""
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


def _withheld(desk: Desk, tools: frozenset[Tool]) -> frozenset[str]:
    drawn = Tool.POINTS if desk.point is not None else Tool.BOXES
    segment = desk.segment
    of_segment = TOOL_OF[segment.lane] if segment is not None else None
    keys_for = of_segment if of_segment is not None and desk.selection.is_on_segment else drawn
    found: set[str] = set()
    if drawn not in tools:
        found |= {"edit-track", "edit-range", "keyframe", "pending", "pending-here"}
    if Tool.BOXES not in tools:
        found.add("edit-two")
    if Tool.POINTS not in tools:
        found.add("point")
    if keys_for not in tools:
        found |= {"edit-any", "edit-join"}
    if of_segment is not None and of_segment not in tools:
        found.add("edit-segment")
    if TOOL_OF[desk.labels.lane] not in tools:
        found.add("commit")
    return frozenset(found)


def how_to_begin(desk: Desk, keys: Mapping[str, str]) -> str:
    """Say what to do first in a task in which nothing is drawn yet; empty where there is no need.

    ``keys`` are those of the tools "box" and "point".
    """
    session = desk.session
    if session is None or not desk.can_edit or not desk.n_frames:
        return ""
    document, tr = session.document, QCoreApplication.translate
    if desk.may_change(Tool.BOXES):
        if document.tracks or "box" not in keys:
            return ""
        return tr("MainWindow", "Press {key} and drag a box around an object").format(
            key=keys["box"]
        )
    if desk.may_change(Tool.POINTS):
        if document.points or "point" not in keys:
            return ""
        text = tr("tools", "Select an object, press {key} and click one of its parts")
        return text.format(key=keys["point"])
    # Where nothing is drawn on the picture nothing covers it: the Segments panel says how to begin.
    return ""
