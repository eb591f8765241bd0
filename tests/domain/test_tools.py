"""Which edits the tools of a task permit."""

from __future__ import annotations

import pytest

from annotator.domain import commands
from annotator.domain.annotation.changes import ChangeSet
from annotator.domain.annotation.document import Document
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.annotation.track import Keyframe, Track
from annotator.domain.checks import check_document
from annotator.domain.commands import Command
from annotator.domain.errors import EditError
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import CommentId, PointId, SegmentId
from annotator.domain.recipes.recipe import Tool
from annotator.domain.recipes.tools import ALL_TOOLS, check_tools, only_text, tools_used
from tests.domain.edits import ADA, make_document, make_track

BOX = Box(10, 10, 60, 60)
WAVE, BANG = SegmentId("wave"), SegmentId("bang")
CORNER = PointId("corner")


@pytest.fixture
def cup() -> Track:
    return make_track(Keyframe(0, BOX), Keyframe(20, BOX))


@pytest.fixture
def document(cup: Track) -> Document:
    """A cup with a point on it, which plays a role in an action and makes a sound."""
    made = make_document(cup)
    for command in (
        commands.CreatePoint(CORNER, cup.id, "rim", 0, Point(20, 20)),
        commands.CreateSegment(Segment(WAVE, Lane.ACTION, "wave", 2, 9, slots=(cup.id,))),
        commands.CreateSegment(Segment(BANG, Lane.SOUND, "bang", 2, 9)),
    ):
        made.apply(command.plan(made))
    return made


def planned(command: Command, document: Document) -> ChangeSet:
    return ChangeSet(command.op, tuple(command.plan(document)))


def test_each_kind_of_edit_takes_its_tool(document: Document, cup: Track) -> None:
    edits: list[tuple[Command, set[Tool]]] = [
        (commands.SetKeyframe(cup.id, 5, BOX), {Tool.BOXES}),
        (commands.SetTrack(cup.id, label="glass"), {Tool.BOXES}),
        (commands.SetPoint(CORNER, 5, Point(3, 3)), {Tool.POINTS}),
        (commands.SetPointInfo(CORNER, label="handle"), {Tool.POINTS}),
        (commands.DeletePoints((CORNER,)), {Tool.POINTS}),
        (commands.SetSlot(WAVE, 1, cup.id), {Tool.ACTIONS}),
        (commands.DeleteSegment(WAVE), {Tool.ACTIONS}),
        (commands.SetVisible(BANG, False), {Tool.SOUNDS}),
        (commands.SetSlot(BANG, 0, cup.id), {Tool.SOUNDS}),
        (commands.AddComment(CommentId("c"), ADA, 1, "Look."), set()),
        # What goes along with an object is changed as well.
        (commands.DeleteTracks((cup.id,)), {Tool.BOXES, Tool.POINTS, Tool.ACTIONS}),
    ]
    for command, tools in edits:
        made = planned(command, document)
        assert tools_used(made) == tools, command
        assert tools_used(made.inverse()) == tools, command
        check_tools(made, ALL_TOOLS)
        check_tools(made, tools)
        for tool in tools:
            with pytest.raises(EditError):
                check_tools(made, ALL_TOOLS - {tool})


def test_what_is_given_may_be_hidden_and_locked(document: Document, cup: Track) -> None:
    for command in (
        commands.SetTracks((cup.id,), is_hidden=True),
        commands.SetTrack(cup.id, is_locked=True),
        commands.SetPointInfo(CORNER, is_hidden=True),
    ):
        check_tools(planned(command, document), ())


def test_a_refusal_says_what_is_drawn_and_what_is_given(document: Document, cup: Track) -> None:
    moved = planned(commands.SetKeyframe(cup.id, 5, BOX), document)
    with pytest.raises(EditError) as caught:
        check_tools(moved, {Tool.POINTS})
    assert caught.value.text == "This task allows only points."
    assert caught.value.hint == "Existing annotations (Boxes) are unchanged."


def test_the_words_fit_the_tools() -> None:
    assert only_text({Tool.BOXES}) == "This task allows only boxes."
    assert only_text({Tool.POINTS, Tool.BOXES}) == "This task allows only boxes and points."
    assert only_text({Tool.SOUNDS}) == "This task allows only sounds."
    both = only_text({Tool.ACTIONS, Tool.SOUNDS, Tool.BOXES})
    assert both == "This task allows only boxes, actions and sounds."
    assert only_text(()) == "This task does not allow drawing."


def test_only_what_a_task_makes_is_checked(document: Document) -> None:
    def found(*tools: Tool) -> set[str]:
        return {finding.code for finding in check_document(document, tools=tools)}

    assert "unchecked-grid" in found(Tool.BOXES)
    assert found(Tool.POINTS) == {"few-points", "unfinished-point"}
    document.apply(commands.DeletePoints((CORNER,)).plan(document))
    assert found(Tool.POINTS) == {"few-points"}
    assert "few-points" not in found(Tool.POINTS, Tool.BOXES)
    assert found(Tool.SOUNDS) == set()
    assert found() == set()
