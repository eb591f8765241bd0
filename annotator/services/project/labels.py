"""Label sets of a project; edits keep the labels that annotations use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from annotator import paths
from annotator.domain.annotation.changes import Change
from annotator.domain.annotation.labels import (
    Label,
    LabelSet,
    checked_set,
    label_set_text,
    parse_label_set,
)
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.errors import ExchangeError
from annotator.domain.ids import DraftId
from annotator.services.background.jobs import Listeners
from annotator.services.files import write_atomically
from annotator.services.notices import Notice
from annotator.services.undo import RENAME_LABEL
from annotator.store.catalog import labels as store
from annotator.store.catalog.labels import LabelUse, Rename
from annotator.store.file.project import ProjectFile

MAX_FILE_BYTES: Final = 8 << 20

_SHIPPED: Final = {Lane.ACTION: "actions.toml", Lane.SOUND: "sounds.toml"}


class LabelSets:
    """One label set for each lane, kept in the project file."""

    def __init__(self, file: ProjectFile) -> None:
        self.changed: Listeners[LabelSet] = Listeners()
        self.notices: list[Notice] = []
        self._file = file
        self._sets: dict[Lane, LabelSet] = {}
        self._renames: dict[Lane, tuple[Rename, ...]] = {}
        for lane in Lane:
            self._load(lane)

    def get(self, lane: Lane) -> LabelSet:
        """Return the labels of a lane."""
        return self._sets[lane]

    def replace(self, labels: LabelSet) -> Mapping[DraftId, tuple[Change, ...]]:
        """Replace the label set of a lane and rename labels in segments.

        Returns what changed in which drafts. EditError when the set is not possible, or lacks a
        label that is used somewhere; nothing has changed then. Labels are the same by their id.
        """
        new, old = checked_set(labels), self.get(labels.lane)
        texts = {label.id: label.text for label in new.labels}
        renames = [
            Rename(label.id, label.text, texts[label.id])
            for label in old.labels
            if texts.get(label.id, label.text) != label.text
        ]
        with self._file.transaction():
            self._check_removed(old, new)
            changes = store.rename_labels(self._file, new.lane, renames, op=RENAME_LABEL)
            stored = store.write_set(self._file, new, renames)
        self._sets[new.lane], self._renames[new.lane] = new, stored.renames
        return changes

    def up_to_date(self, changes: Iterable[Change]) -> tuple[Change, ...]:
        """Return changes that come back from the log, with labels renamed since then."""
        return tuple(
            replace(c, after=self._renamed(c.after)) if isinstance(c.after, Segment) else c
            for c in changes
        )

    def _renamed(self, segment: Segment) -> Segment:
        for rename in self._renames.get(segment.lane, ()):
            if rename.concerns(segment):
                segment = replace(segment, label=rename.new)
        return segment

    def _check_removed(self, old: LabelSet, new: LabelSet) -> None:
        removed = [label for label in old.labels if new.find(label.id) is None]
        if not removed:
            return
        uses = store.label_uses(self._file, new.lane)
        for label in removed:
            is_named_again = new.find_text(label.text) is not None
            old.without(label.id, _places(uses, label, by_text=not is_named_again))

    def _load(self, lane: Lane) -> None:
        stored = store.read_set(self._file, lane)
        if stored is None:
            labels = shipped_label_set(lane)
            if not self._file.is_read_only:
                store.write_set(self._file, labels)
            self._sets[lane], self._renames[lane] = labels, ()
            return
        self._renames[lane] = stored.renames
        where = f"{self._file.path.name}, labels of the lane “{lane.value}”"
        try:
            self._sets[lane] = parse_label_set(stored.body, where=where)
        except ExchangeError as error:
            self._sets[lane] = shipped_label_set(lane)
            hint = "The lane uses the example labels. Import a label set to replace them."
            self.notices.append(Notice("warning", str(error), hint))


def shipped_label_set(lane: Lane) -> LabelSet:
    """Return the example that comes with the program, for new projects."""
    return read_label_set(paths.resource("labels", _SHIPPED[lane]))


def read_label_set(path: Path) -> LabelSet:
    """Return the label set in a file; ExchangeError that names the row and the reason."""
    path = Path(path)
    try:
        with path.open("rb") as file:
            body = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        text = f"Cannot read the label set: {error.strerror}."
        raise ExchangeError(text, where=str(path)) from error
    if len(body) > MAX_FILE_BYTES:
        text = f"Cannot read the label set: the file is larger than {MAX_FILE_BYTES >> 20} MiB."
        raise ExchangeError(text, where=str(path))
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = body[: error.start].count(b"\n") + 1
        raise ExchangeError(f"Line {line} is not UTF-8 text.", where=str(path)) from None
    return parse_label_set(text, where=str(path))


def write_label_set(labels: LabelSet, path: Path) -> None:
    """Write a label set as a file that `read_label_set` reads; UserError when it cannot be."""
    write_atomically(Path(path), [label_set_text(labels).encode("utf-8")])


def _places(uses: Iterable[LabelUse], label: Label, *, by_text: bool) -> list[str]:
    """Return where a label is used, as in "clip.mp4 0:07"."""
    return [
        f"{use.video} {int(use.time_s) // 60}:{int(use.time_s) % 60:02d}"
        for use in uses
        if use.label_id == label.id or (by_text and use.label_id is None and use.text == label.text)
    ]
