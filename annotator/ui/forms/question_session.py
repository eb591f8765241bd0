"""Question set of the open task: current item and answers."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from annotator.domain.annotation.edits import NothingToDoError
from annotator.domain.answer import AnswerKey, Value
from annotator.domain.errors import EditError, UserError
from annotator.domain.forms.answer_checks import AnswerProblem, is_flagged, problems
from annotator.domain.forms.field import FieldKind
from annotator.domain.forms.frames import frame_of
from annotator.domain.forms.restricted_view import WHOLE_VIDEO
from annotator.services.questions.asking.other_answers import OtherAnswers, answers_of_others

if TYPE_CHECKING:
    from annotator.domain.annotation.changes import ChangeSet
    from annotator.domain.forms.field import Field, Form, Option
    from annotator.domain.ids import ItemId, TrackId, VideoId
    from annotator.domain.questions.items.item import Item
    from annotator.domain.questions.visibility import PredictedAnswer
    from annotator.services.questions.asking.question_set import QuestionSet
    from annotator.ui.state.workspace import Workspace


class QuestionSession(QObject):
    """The open question set, one item and one entry at a time.

    Every answer is an edit of the draft, made at once. The current item is stored with the draft,
    so that a person who returns continues there.
    """

    opened = Signal()  # another question set, or none
    leaving = Signal()  # the item at hand is there for the last time
    moved = Signal()  # another item or entry is at hand
    changed = Signal()  # answers are others than before
    refused = Signal(str, str)  # key of the field; why its answer was not taken
    ended = Signal()  # continued after the last item

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self.question_set: QuestionSet | None = None
        self.title = ""
        self.viewing = WHOLE_VIDEO
        self.at = 0
        self.entry = 0
        self._since = time.monotonic()
        self._told: frozenset[ItemId] = frozenset()
        self._said: Mapping[AnswerKey, OtherAnswers] = {}
        workspace.stageChanged.connect(self._on_stage_changed)
        workspace.edited.connect(self._on_edited)
        self._on_stage_changed()

    @property
    def form(self) -> Form:
        assert self.question_set is not None
        return self.question_set.form

    @property
    def items(self) -> tuple[Item, ...]:
        return self.question_set.items if self.question_set is not None else ()

    @property
    def item(self) -> Item | None:
        """The item at hand."""
        return self.items[self.at] if self.at < len(self.items) else None

    @property
    def can_answer(self) -> bool:
        """Whether answers are possible: not without the video."""
        stage, session = self._workspace.stage, self._workspace.session
        if (
            self.question_set is None
            or stage is None
            or session is None
            or session.video_path is None
        ):
            return False
        is_whole = not self.other_videos or stage.other is not None
        is_told = self.item is not None and self.item.id in self._told
        return is_whole and self._workspace.can_edit and not is_told and not self.is_locked

    @property
    def is_resolved(self) -> bool:
        """Whether the vote resolved the item at hand before an adjudicator was called."""
        question_set, item = self.question_set, self.item
        return question_set is not None and item is not None and question_set.is_resolved(item)

    @property
    def is_locked(self) -> bool:
        """Whether the item at hand stays as the vote resolved it."""
        question_set, item = self.question_set, self.item
        return question_set is not None and item is not None and question_set.is_locked(item)

    @property
    def overruled(self) -> str:
        """Why the vote on the item at hand was overruled, "" if it was not."""
        question_set, item = self.question_set, self.item
        return question_set.overruled(item) if question_set is not None and item is not None else ""

    @property
    def may_overrule(self) -> bool:
        """Whether the recipe lets votes be overruled, and the draft may be edited."""
        return (
            self.question_set is not None
            and self.question_set.may_overrule
            and self._workspace.can_edit
        )

    @property
    def n_entries(self) -> int:
        """How often the item at hand is being answered."""
        if self.question_set is None or self.item is None:
            return 1
        item = self.item
        return max(self.question_set.entries(item), self.entry + 1)

    def values(self) -> dict[str, Value]:
        """Return the answers of the entry at hand, by field."""
        question_set, item = self.question_set, self.item
        if question_set is None or item is None:
            return {}
        found = {
            f.key: question_set.value(item.id, f.key, entry=self.entry) for f in self.form.fields
        }
        return {key: value for key, value in found.items() if value is not None}

    def is_shown(self, field: Field) -> bool:
        """Return whether a field is asked, by the answers so far."""
        question_set, item = self.question_set, self.item
        return (
            question_set is not None
            and item is not None
            and question_set.is_shown(item, field, entry=self.entry)
        )

    @property
    def shortfalls(self) -> dict[str, str]:
        """Missing answers of the current entry as text, by field."""
        session, item = self._workspace.session, self.item
        if self.question_set is None or session is None or item is None:
            return {}
        found = problems(self.form, item, session.document.answers)
        here = (p for p in found if p.entry == self.entry and p.code != "unanswered")
        return {problem.field: problem.text for problem in here}

    def initial_text(self, field: Field) -> str:
        """Return the text with which the answer to a field begins."""
        question_set, item = self.question_set, self.item
        return (
            question_set.initial_text(item, field)
            if question_set is not None and item is not None
            else ""
        )

    def frame_of(self, field: Field) -> int | None:
        """Return the frame to which a field belongs, None where any will do."""
        session, item = self._workspace.session, self.item
        if session is None or item is None:
            return None
        return frame_of(field, item, session.document.video)

    def others_answers(self, field: Field) -> OtherAnswers:
        """Return the answers of others to a field of the current entry, for adjudication."""
        item = self.item
        return self._said.get(AnswerKey(item.id, field.key, self.entry), ()) if item else ()

    def predicted(self, field: Field) -> tuple[tuple[PredictedAnswer, Value], ...]:
        """Return the answers of models to a field, where the recipe shows them."""
        question_set, item = self.question_set, self.item
        if question_set is None or item is None or self.entry or not self.can_answer:
            return ()
        return question_set.predicted(item, field)

    def known_words(self, field: Field) -> tuple[str, ...]:
        """Return earlier property words that this person may see."""
        question_set = self.question_set
        is_listed = question_set is not None and field.kind is FieldKind.PROPERTIES
        return question_set.words(field) if question_set is not None and is_listed else ()

    def options(self, field: Field) -> tuple[Option, ...]:
        """Return the options of a field in the order in which this person sees them."""
        assert self.question_set is not None
        assert self.item is not None
        return self.question_set.options(self.item, field)

    def is_done(self, index: int) -> bool:
        """Return whether nothing is open about an item."""
        return self.question_set is not None and self.question_set.is_done(self.items[index])

    def is_flagged(self, index: int) -> bool:
        """Return whether an item has been flagged."""
        session = self._workspace.session
        return session is not None and is_flagged(
            self.form, self.items[index], session.document.answers
        )

    def first_open(self, start: int = 0) -> int | None:
        """Return the place of an item with something open, from ``start`` on and round."""
        n = len(self.items)
        places = (i % n for i in range(start, start + n))
        return next((i for i in places if not self.is_done(i)), None)

    @property
    def other_videos(self) -> tuple[VideoId, ...]:
        """The further videos of the task."""
        session, item = self._workspace.session, self.item
        if session is None or item is None:
            return ()
        return tuple(v for v in item.video_ids if v != session.document.video.id)

    @property
    def drawn_tracks(self) -> frozenset[TrackId] | None:
        """The objects that are drawn in for the item at hand; None for all there are.

        Where objects are picked all of them are there, unless the item names some.
        """
        item = self.item
        if item is None:
            return None
        is_picked = any(field.kind is FieldKind.TRACKS for field in self.form.fields)
        if not self.viewing.has_tracks and not is_picked:
            return frozenset()
        return frozenset(item.track_ids) or None

    def problems(self) -> list[tuple[int, AnswerProblem]]:
        """Return all that is open, with the places of the items."""
        if self.question_set is None:
            return []
        places = {item.id: i for i, item in enumerate(self.items)}
        return [(places[problem.item_id], problem) for problem in self.question_set.problems()]

    @property
    def right(self) -> dict[str, tuple[str, ...]]:
        """The gold answers of the current item, in training, once revealed."""
        question_set, item = self.question_set, self.item
        if (
            question_set is None
            or item is None
            or (self._workspace.can_edit and item.id not in self._told)
        ):
            return {}
        return question_set.right_of(item.id) or {}

    @property
    def untold(self) -> int | None:
        """The first answered training item whose gold answers are not revealed yet."""
        places = enumerate(self.items)
        return next((i for i, item in places if self._is_untold(item)), None)

    # Acts

    def answer(self, field_key: str, value: Value | None) -> None:
        """Answer a field of the entry at hand, or take its answer back."""
        session, question_set, item = self._workspace.session, self.question_set, self.item
        if session is None or question_set is None or item is None:
            return
        at = self.entry
        took_ms = round((time.monotonic() - self._since) * 1000)
        try:
            if value is None:
                session.run(question_set.clear(item.id, field_key, entry=at), initiator=self)
            else:
                entry = question_set.answer(item.id, field_key, value, entry=at, took_ms=took_ms)
                session.run(entry, initiator=self)
        except NothingToDoError:
            self.changed.emit()
        except EditError as error:
            self.changed.emit()
            self.refused.emit(field_key, str(error))
        except UserError as error:
            self.changed.emit()
            self._workspace.failed.emit(error)

    def overrule(self, reason: str) -> None:
        """Let the item at hand be answered otherwise than by the vote, for a reason."""
        session, question_set, item = self._workspace.session, self.question_set, self.item
        if session is None or question_set is None or item is None:
            return
        try:
            session.run(question_set.overrule(item.id, reason), initiator=self)
        except UserError as error:
            self._workspace.failed.emit(error)

    def tell(self) -> bool:
        """Show the right answers to the item at hand, once; False where there are none.

        From then on one's own stay as they are: they may decide who works on.
        """
        project, session, item = self._workspace.project, self._workspace.session, self.item
        if project is None or session is None or item is None or not self._is_untold(item):
            return False
        project.save_shown_answer(session.document.draft_id, item.id)
        self._remember_told()
        self.changed.emit()
        return True

    def go(self, step: int) -> None:
        """Move to the next (+1) or previous (-1) entry or item; training reveals answers first."""
        if step > 0 and self.tell():
            return
        least = self.form.entries[0] if self.question_set is not None else 1
        if step > 0 and self.entry + 1 < max(least, self.n_entries):
            self.go_to(self.at, self.entry + 1)
        elif step < 0 and self.entry > 0:
            self.go_to(self.at, self.entry - 1)
        elif 0 <= self.at + step < len(self.items):
            self.go_to(self.at + step)
        elif step > 0:
            self.ended.emit()

    def go_to(self, index: int, entry: int = 0) -> None:
        """Put an item before the person."""
        if not 0 <= index < len(self.items) or (index, entry) == (self.at, self.entry):
            return
        self.leaving.emit()
        self.at, self.entry = index, entry
        self._since = time.monotonic()
        self._remember()
        self.moved.emit()

    def add_entry(self) -> bool:
        """Begin one more answer to the item at hand; False where it takes no more."""
        if (
            self.question_set is None
            or not self.can_answer
            or self.n_entries >= self.form.entries[1]
        ):
            return False
        self.go_to(self.at, self.n_entries)
        return True

    def _is_untold(self, item: Item) -> bool:
        is_open = (
            self.question_set is not None and self._workspace.can_edit and item.id not in self._told
        )
        return (
            is_open
            and self.question_set is not None
            and self.question_set.right_of(item.id) is not None
        )

    def _remember_told(self) -> None:
        project, session = self._workspace.project, self._workspace.session
        self._told = frozenset()
        if project is not None and session is not None:
            self._told = project.revealed_items(session.document.draft_id)
        self._workspace.is_told = bool(self._told)

    @Slot()
    def _on_stage_changed(self) -> None:
        project, session = self._workspace.project, self._workspace.session
        was = self.question_set
        self.question_set = None
        self.title = ""
        self._said = {}
        self._remember_told()
        if project is not None and session is not None:
            kind = project.work.recipe.task_type(project.task(session.task_id).kind)
            if kind is not None and kind.form is not None:
                self.question_set, self.title = project.questions.question_set(session), kind.title
                self.viewing = project.work.viewing_of(session.task_id)
                self._said = answers_of_others(project, session)
        self.at = self.entry = 0
        self._since = time.monotonic()
        if self.question_set is not None and project is not None and session is not None:
            item_id = project.item_at_hand(session.document.draft_id)
            ids = [item.id for item in self.items]
            self.at = ids.index(item_id) if item_id in ids else self.first_open() or 0
        if was is not None or self.question_set is not None:
            self.opened.emit()

    @Slot(object)
    def _on_edited(self, done: ChangeSet) -> None:
        if self.question_set is None or "answer" not in done.topics:
            return
        if done.initiator is not self:
            # Undone or done again: show it where it was.
            self._show(next(iter(sorted(done.answer_keys))))
        self.changed.emit()

    def _show(self, key: AnswerKey) -> None:
        ids = [item.id for item in self.items]
        if key.item_id in ids:
            self.go_to(ids.index(key.item_id), key.entry)

    def _remember(self) -> None:
        project, session, item = self._workspace.project, self._workspace.session, self.item
        if project is not None and session is not None and item is not None:
            project.save_item_at_hand(session.document.draft_id, item.id)
