"""The undo stack follows the log, whatever the log says."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count

from hypothesis import given
from hypothesis import strategies as st

from annotator.services.undo import MAX_STEPS, MERGE_WITHIN_S, UndoStack


@dataclass(frozen=True)
class _Event:
    id: str
    kind: str = "do"
    ref_id: str | None = None
    op: str = "set-keyframe"
    frame: int | None = 3


def _ops(stack: UndoStack) -> tuple[str | None, str | None]:
    done, undone = stack.done, stack.undone
    return (done.id if done else None, undone.id if undone else None)


def test_steps_move_between_the_stacks() -> None:
    log = [_Event("a"), _Event("b", "import"), _Event("u", "undo", "b")]
    assert _ops(UndoStack.rebuilt(log)) == ("a", "b")
    assert _ops(UndoStack.rebuilt([*log, _Event("r", "redo", "b")])) == ("b", None)
    assert _ops(UndoStack.rebuilt([*log, _Event("c", "accept")])) == ("c", None)
    assert _ops(UndoStack.rebuilt([*log, _Event("s", "submit")])) == (None, None)
    assert _ops(UndoStack.rebuilt([*log, _Event("s", "submit"), _Event("d")])) == ("d", None)


def test_continued_events_belong_to_the_step() -> None:
    stack = UndoStack.rebuilt([_Event("a"), _Event("b", ref_id="a"), _Event("c", ref_id="a")])
    assert stack.done is not None
    assert stack.done.event_ids == ("a", "b", "c")
    stack = UndoStack.rebuilt([_Event("a"), _Event("b"), _Event("c", ref_id="a")])
    assert stack.done is not None
    assert stack.done.event_ids == ("c",)


def test_merging_needs_the_same_key_soon() -> None:
    stack = UndoStack()
    stack.add(_Event("a"))
    stack.allow_merge("nudge", 10.0)
    assert stack.continued("nudge", 10.0 + MERGE_WITHIN_S) is stack.done
    assert stack.continued("nudge", 10.1 + MERGE_WITHIN_S) is None
    assert stack.continued("other", 10.0) is None
    assert stack.continued(None, 10.0) is None
    stack.allow_merge(None, 10.0)
    assert stack.continued(None, 10.0) is None
    stack.allow_merge("nudge", 10.0)
    stack.add(_Event("u", "undo", "a"))
    assert stack.continued("nudge", 10.0) is None


def test_no_more_steps_than_allowed() -> None:
    stack = UndoStack.rebuilt(_Event(str(i)) for i in range(MAX_STEPS + 20))
    for i in range(MAX_STEPS):
        assert stack.done is not None
        stack.add(_Event(f"u{i}", "undo", stack.done.id))
    assert _ops(stack) == (None, "20")


@given(st.lists(st.sampled_from(["do", "undo", "redo", "nonsense"]), max_size=30))
def test_rebuilt_equals_followed(kinds: list[str]) -> None:
    followed, log, numbers = UndoStack(), [], count()
    for kind in kinds:
        done, undone = followed.done, followed.undone
        step = {"undo": done, "redo": undone}.get(kind)
        event = _Event(str(next(numbers)), kind, step.id if step else None)
        followed.add(event)
        log.append(event)
    assert _ops(UndoStack.rebuilt(log)) == _ops(followed)
