"""Writes Perception Test files and judges them, video by video: never the whole file in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final
from zlib import crc32

from annotator.domain.checks import Finding, Severity
from annotator.domain.errors import UserError
from annotator.exchange.order import natural_key
from annotator.exchange.perception_test.check import check_labels
from annotator.exchange.perception_test.from_domain import ExportSettings, entry_name
from annotator.exchange.perception_test.labels import numbered
from annotator.exchange.perception_test.objects import FrameChoice
from annotator.exchange.perception_test.records import TASK_KEYS
from annotator.exchange.perception_test.write import BETWEEN, CLOSING, OPENING, Variant
from annotator.services.background.jobs import JobToken
from annotator.services.files import write_atomically
from annotator.services.transfer.entry_writing import EntryResult, UsedNumbers
from annotator.services.transfer.making import make_all
from annotator.services.transfer.snapshot import (
    ContentPlace,
    ExportRequest,
    Snapshots,
    WrittenContent,
)

_SHARE_OF_MAKING: Final = 0.9


def write(
    items: Snapshots, request: ExportRequest, token: JobToken, share: float
) -> tuple[list[WrittenContent], list[Finding]]:
    """Write a file and read it again; ``share`` is how much of the whole progress that is.

    UserError when it cannot be written, or a submission is not of one task. What is wrong with the
    content becomes findings.
    """
    labels = numbered(items.used_labels(), items.label_sets)
    variant, frames = Variant(request.variant), FrameChoice(request.frames)
    if variant.is_submission and len(request.tasks) != 1:
        text = "A submission export requires exactly one task."
        raise UserError(text, hint=f"Use one of: {', '.join(TASK_KEYS)}.", where=str(request.path))
    settings = ExportSettings(request.split, frames, labels, variant, request.tasks)
    export = _Export(items)
    made = make_all(items, export.in_order, settings, token)
    write_atomically(request.path, export.parts(made, token, share * _SHARE_OF_MAKING))
    token.report(share * _SHARE_OF_MAKING, "")
    return list(export.written()), [*export.findings(), *export.broken(request.path)]


@dataclass(frozen=True, slots=True)
class _Told:
    """Position and digest of a written entry."""

    made: EntryResult
    start: int
    length: int


@dataclass(slots=True)
class _Export:
    """One export: entries in the order of the file, reports in the order of the project."""

    items: Snapshots
    in_order: list[int] = field(init=False)
    _told: dict[int, _Told] = field(default_factory=dict)
    _doubled: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Find the order, by the names of entries; the second of two equal names is left out."""
        infos = self.items.infos()
        first: dict[str, int] = {}
        for i, place in enumerate(self.items.places):
            name = entry_name(infos[place.video_id].info)
            if first.setdefault(name, i) != i:
                self._doubled.append(name)
        self.in_order = [first[name] for name in sorted(first, key=natural_key)]

    def parts(self, made: Iterable[EntryResult], token: JobToken, share: float) -> Iterator[bytes]:
        """Yield the bytes of the file; what is left of each entry is a few numbers."""
        at = 0
        for n, (i, entry) in enumerate(zip(self.in_order, made, strict=True)):
            token.check()
            token.report(share * n / len(self.in_order), self.items.places[i].name)
            opening = BETWEEN if n else OPENING
            at += len(opening)
            yield opening
            yield entry.body
            self._told[i] = _Told(_without_body(entry), at, len(entry.body))
            at += len(entry.body)
        yield CLOSING

    def written(self) -> Iterator[WrittenContent]:
        """Yield what was written of each video."""
        for place, told in self._by_place():
            made = told.made
            yield WrittenContent(
                made.name,
                place.video_path,
                partial(self.items.table, place),
                made.n_tracks,
                made.n_boxes,
                made.n_points,
                made.n_segments,
                made.n_questions,
                made.frames,
            )

    def findings(self) -> Iterator[Finding]:
        """Yield what was found in the content."""
        for _, told in self._by_place():
            yield from told.made.findings
        for name in self._doubled:
            text = (
                "Not exported: another video has the same name. Export the videos to "
                "separate files."
            )
            yield Finding("same-name", name, text, Severity.ERROR)

    def broken(self, path: Path) -> Iterator[Finding]:
        """Open the file again and yield the rules it breaks: it must be, byte for byte, what was
        judged while it was made.
        """
        labels: UsedNumbers = {}
        with path.open("rb") as file:
            for i in self.in_order:
                told = self._told[i]
                yield from told.made.broken
                for task, known in told.made.labels.items():
                    for number, texts in known.items():
                        labels.setdefault(task, {}).setdefault(number, set()).update(texts)
                file.seek(told.start)
                if crc32(file.read(told.length)) != told.made.digest:
                    text = (
                        "Verification failed: the file content differs from the written "
                        "data. The disk may be failing."
                    )
                    place = f"$.{told.made.name}"
                    yield Finding("not-as-written", place, text, Severity.ERROR)
        yield from check_labels(labels)

    def _by_place(self) -> Iterator[tuple[ContentPlace, _Told]]:
        return ((self.items.places[i], self._told[i]) for i in sorted(self._told))


def _without_body(made: EntryResult) -> EntryResult:
    from dataclasses import replace

    return replace(made, body=b"")
