"""Undo and redo stacks: an index into the event log, rebuilt from it on opening."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, Protocol

from annotator.store.annotation.events import BEGIN

MAX_STEPS = 500
MERGE_WITHIN_S = 1.0

RENAME_LABEL: Final = "rename-label"
"""The edit that follows a change of the project's labels, in all drafts: no step of one draft."""

FILL_DEMO: Final = "fill-demo"
"""What a new demo holds: a newcomer's undo must not take it away."""

_NO_STEPS = frozenset({RENAME_LABEL, FILL_DEMO, BEGIN})
_EDITS = frozenset({"do", "import", "accept"})


class LoggedEvent(Protocol):
    """Event of the log; ``ref_id`` is the step undone, redone or continued."""

    @property
    def id(self) -> str: ...
    @property
    def op(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def ref_id(self) -> str | None: ...
    @property
    def frame(self) -> int | None: ...


@dataclass(frozen=True, slots=True)
class UndoStep:
    """One step for undo: the log's events that belong to it, the first of which names it."""

    op: str
    frame: int | None
    event_ids: tuple[str, ...]

    @property
    def id(self) -> str:
        return self.event_ids[0]


class UndoStack:
    """The steps done and undone in one draft, at most ``MAX_STEPS``."""

    def __init__(self) -> None:
        self._done: list[UndoStep] = []
        self._undone: list[UndoStep] = []
        self._merge_key: str | None = None
        self._merge_until = 0.0

    @property
    def done(self) -> UndoStep | None:
        """The step that undo would take back."""
        return self._done[-1] if self._done else None

    @property
    def undone(self) -> UndoStep | None:
        """The step that redo would bring back."""
        return self._undone[-1] if self._undone else None

    def continued(self, merge_key: str | None, now_s: float) -> UndoStep | None:
        """Return the undo step that an edit with this key extends, if it is recent enough."""
        is_same = bool(merge_key) and merge_key == self._merge_key and not self._undone
        return self.done if is_same and now_s <= self._merge_until else None

    def allow_merge(self, merge_key: str | None, now_s: float) -> None:
        """Let the next edit with this key extend the newest step for a short time."""
        self._merge_key, self._merge_until = merge_key, now_s + MERGE_WITHIN_S

    def add(self, event: LoggedEvent) -> None:
        """Follow the log by one event; one that fits nowhere leaves the stack as it is."""
        self._merge_key = None
        if event.op in _NO_STEPS:
            return
        if event.kind in ("submit", "reopen"):
            self._done, self._undone = [], []
        elif event.kind in _EDITS:
            self._do(event)
        elif event.kind == "undo" and self._done and self._done[-1].id == event.ref_id:
            self._undone.append(self._done.pop())
        elif event.kind == "redo" and self._undone and self._undone[-1].id == event.ref_id:
            self._done.append(self._undone.pop())

    @classmethod
    def rebuilt(cls, events: Iterable[LoggedEvent]) -> UndoStack:
        """Return the undo stack rebuilt from the log, oldest event first."""
        stack = cls()
        for event in events:
            stack.add(event)
        return stack

    def _do(self, event: LoggedEvent) -> None:
        self._undone = []
        last = self.done
        if last is not None and event.ref_id == last.id:
            self._done[-1] = replace(last, event_ids=(*last.event_ids, event.id))
            return
        self._done.append(UndoStep(event.op, event.frame, (event.id,)))
        del self._done[:-MAX_STEPS]
