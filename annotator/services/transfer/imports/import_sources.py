"""Files to import in any format: entries by name, read on demand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.annotation.keyframe_reduction import TOLERANCE
from annotator.domain.annotation.segment import Lane
from annotator.domain.annotation.track import Track
from annotator.domain.checks import Finding
from annotator.domain.commands import AddImported
from annotator.domain.commands.keyframes import thinned
from annotator.domain.errors import ExchangeError
from annotator.domain.ids import DraftId, VideoId, new_id
from annotator.exchange.formats import plain_table
from annotator.exchange.formats.base.format import Format
from annotator.exchange.formats.base.plain_files import rows_of
from annotator.services.transfer.formats import (
    PERCEPTION_TEST,
    TAP_VID_PICKLE,
    format_of_content,
)

if TYPE_CHECKING:
    from annotator.exchange.formats.base.file_content import VideoContent
    from annotator.exchange.perception_test.records import VideoRecord
    from annotator.exchange.strict_json import JsonObjectFile
    from annotator.exchange.tap_vid.csv_files import CsvExamples
    from annotator.exchange.tap_vid.marks import Example
    from annotator.exchange.tap_vid.pickle_files import PickleExamples


class SourceEntry(Protocol):
    """Entry of a file for one video; ``path`` is its place in the file."""

    @property
    def path(self) -> str: ...

    @property
    def findings(self) -> tuple[Finding, ...]: ...

    def absent_video(self) -> VideoInfo:
        """Return the file's description of a video; ExchangeError if it is incomplete."""
        ...

    def command(
        self, document: Document, times_us: Sequence[int]
    ) -> tuple[AddImported, tuple[Finding, ...]]:
        """Return the command that brings the entry in, and where it does not fit the video."""
        ...

    def misfits(self, video: VideoInfo, times_us: Sequence[int]) -> tuple[Finding, ...]:
        """Return mismatches of the entry with a video without annotations."""
        ...

    def labels(self) -> Iterator[tuple[Lane, int | None, str]]:
        """Yield the labels that are used, with their numbers; None where the file has none."""
        ...

    def counts(self) -> AnnotationCounts:
        """Return how much there is of each type."""
        ...


class ImportSource(Protocol):
    """An opened file."""

    def names(self) -> list[str]:
        """Return the names of the entries in file order."""
        ...

    def read(self, name: str) -> SourceEntry:
        """Return an entry; ExchangeError where it cannot be used."""
        ...

    def place(self, name: str) -> ByteRange | None:
        """Return the position of an entry; None if it cannot be read separately."""
        ...

    def dimensions(self, name: str) -> Dimensions | None:
        """Return the video size in an entry, for matching; None: match by name only."""
        ...

    @property
    def has_scores(self) -> bool:
        """True where the file has the scores of a model."""
        ...

    def adjust(self, *, is_thinned: bool, is_open: bool) -> None:
        """Leave out keyframes that interpolation gives; leave the gaps between keyframes to be
        tracked. Formats that say where boxes are on every frame take both, others ignore it.
        """
        ...

    def close(self) -> None:
        """Release the file."""
        ...


class AnnotationCounts(NamedTuple):
    """Number of annotations by type."""

    tracks: int = 0
    points: int = 0
    actions: int = 0
    sounds: int = 0

    @classmethod
    def of(cls, tracks: int, points: int, lanes: Iterable[Lane]) -> AnnotationCounts:
        """Return the counts of tracks and points, and of segments by their lanes."""
        found = list(lanes)
        n_actions = found.count(Lane.ACTION)
        return cls(tracks, points, n_actions, len(found) - n_actions)


class Dimensions(NamedTuple):
    """Size and number of frames of a video as the entry has them, None if missing."""

    size: tuple[int, int] | None
    n_frames: int | None


class OpenFile:
    """An opened import file, with the ``names`` of its entries in order.

    Finding them takes long in a large file; it may be done on any thread. If ``form`` is None, the
    format follows from the extension or the first bytes. ExchangeError when the file cannot be read
    or has another format.
    """

    def __init__(
        self, path: Path, form: Format | None = None, columns: Mapping[str, str] | None = None
    ) -> None:
        """``columns`` are the columns of a table by field, if their names do not match."""
        self.path = path
        if columns and form is None:
            form = plain_table.FORMAT
        self.form = form or format_of_content(path)
        if not self.form.reads:
            raise ExchangeError(f"The format {self.form.name} is only written.", where=str(path))
        self.columns = dict(columns or {})
        if self.columns:
            self.source: ImportSource = _ContentSource(path, self.form, self.columns)
        else:
            self.source = _source(path, self.form)
        self.names = self.source.names()


def _source(path: Path, form: Format) -> ImportSource:
    if form.name == PERCEPTION_TEST:
        from annotator.exchange.strict_json import JsonObjectFile

        return _PerceptionTestSource(JsonObjectFile(path))
    if form.read is not None:
        return _ContentSource(path, form)
    if form.name == TAP_VID_PICKLE:
        from annotator.exchange.tap_vid.pickle_files import PickleExamples

        return _TapVidSource(PickleExamples(path))
    from annotator.exchange.tap_vid.csv_files import CsvExamples

    return _TapVidSource(CsvExamples(path))


class ByteRange(NamedTuple):
    """Position of an entry in its file: bytes ``start`` to ``end``."""

    name: str
    start: int
    end: int


class PlacedEntries:
    """Entries of a Perception Test file with known positions; they are not searched again."""

    def __init__(self, path: Path) -> None:
        from annotator.exchange.strict_json import JsonObjectFile

        self.path = path
        self._file = JsonObjectFile(path, spans={})

    def read(self, place: ByteRange) -> SourceEntry:
        """Return an entry; ExchangeError where it cannot be used."""
        from annotator.exchange.perception_test.read import read_video

        value = self._file.member(place.name, (place.start, place.end))
        return _PerceptionTestEntry(read_video(place.name, value))

    def forget(self) -> None:
        """Release the memory of the parts read so far."""
        self._file.forget()


class _PerceptionTestSource:
    def __init__(self, file: JsonObjectFile) -> None:
        self._file = file

    def names(self) -> list[str]:
        return self._file.keys()

    def read(self, name: str) -> SourceEntry:
        from annotator.exchange.perception_test.read import read_video

        return _PerceptionTestEntry(read_video(name, self._file.member(name)))

    def place(self, name: str) -> ByteRange | None:
        return ByteRange(name, *self._file.span(name))

    def dimensions(self, name: str) -> Dimensions | None:
        return None

    @property
    def has_scores(self) -> bool:
        return False

    def adjust(self, *, is_thinned: bool, is_open: bool) -> None:
        """Nothing is dense here."""

    def close(self) -> None:
        self._file.close()


@dataclass(frozen=True, slots=True)
class _PerceptionTestEntry:
    record: VideoRecord

    @property
    def path(self) -> str:
        return self.record.path

    @property
    def findings(self) -> tuple[Finding, ...]:
        return self.record.findings

    def absent_video(self) -> VideoInfo:
        """Size and number of frames place the boxes; without them nothing can be imported."""
        record = self.record
        if record.size is None or record.n_frames is None:
            missing = "resolution" if record.size is None else "num_frames"
            raise ExchangeError(
                f"The video is not in the project, and the file does not contain its {missing}.",
                where=f"{record.path}.metadata",
            )
        rate = record.frame_rate or 30.0
        return VideoInfo(
            VideoId(new_id()),
            f"{record.name}.mp4",
            *record.size,
            record.n_frames,
            rate,
            record.n_frames / rate,
            max(1, round(rate)),
        )

    def command(
        self, document: Document, times_us: Sequence[int]
    ) -> tuple[AddImported, tuple[Finding, ...]]:
        from annotator.exchange.perception_test.to_domain import import_command

        return import_command(self.record, document, times_us)

    def misfits(self, video: VideoInfo, times_us: Sequence[int]) -> tuple[Finding, ...]:
        from annotator.exchange.perception_test.to_domain import misfits

        return tuple(misfits(self.record, video, times_us))

    def labels(self) -> Iterator[tuple[Lane, int | None, str]]:
        for segment in self.record.segments:
            yield segment.lane, segment.label_id, segment.label

    def counts(self) -> AnnotationCounts:
        record = self.record
        lanes = (segment.lane for segment in record.segments)
        return AnnotationCounts.of(len(record.objects), len(record.points), lanes)


class _TapVidSource:
    def __init__(self, file: PickleExamples | CsvExamples) -> None:
        self._file = file

    def names(self) -> list[str]:
        return self._file.names()

    def read(self, name: str) -> SourceEntry:
        return _TapVidEntry(self._file.read(name))

    def place(self, name: str) -> ByteRange | None:
        return None

    def dimensions(self, name: str) -> Dimensions | None:
        return None

    @property
    def has_scores(self) -> bool:
        return False

    def adjust(self, *, is_thinned: bool, is_open: bool) -> None:
        """Nothing is dense here."""

    def close(self) -> None:
        self._file.close()


@dataclass(frozen=True, slots=True)
class _TapVidEntry:
    example: Example

    @property
    def path(self) -> str:
        return self.example.path

    @property
    def findings(self) -> tuple[Finding, ...]:
        return self.example.findings

    def absent_video(self) -> VideoInfo:
        text = f"Cannot import points: the project has no video “{self.example.name}”."
        raise ExchangeError(f"{text} Add the video, or select another one.", where=self.path)

    def command(
        self, document: Document, times_us: Sequence[int]
    ) -> tuple[AddImported, tuple[Finding, ...]]:
        from annotator.exchange.tap_vid.marks import import_command

        return import_command(self.example, document)

    def misfits(self, video: VideoInfo, times_us: Sequence[int]) -> tuple[Finding, ...]:
        return self.command(Document(DraftId(""), video), times_us)[1]

    def labels(self) -> Iterator[tuple[Lane, int | None, str]]:
        yield from ()

    def counts(self) -> AnnotationCounts:
        return AnnotationCounts(points=len(self.example.points))


class _ContentSource:
    """A file that is read as a whole."""

    def __init__(self, path: Path, form: Format, columns: Mapping[str, str] | None = None) -> None:
        self._form = form
        self._contents: dict[str, VideoContent] = {}
        self._is_thinned = self._is_open = False
        assert form.read is not None
        if columns and form.read_columns is None:
            raise ExchangeError(f"The format {form.name} has no columns to choose.")
        chosen = form.read_columns if columns else None
        contents = chosen(path, columns or {}) if chosen is not None else form.read(path)
        for content in contents:
            if content.name in self._contents:
                raise ExchangeError(
                    f"The file has two videos named “{content.name}”.", where=str(path)
                )
            self._contents[content.name] = content

    def names(self) -> list[str]:
        return list(self._contents)

    def read(self, name: str) -> _ContentEntry:
        return _ContentEntry(self._contents[name], self._form, self._is_thinned, self._is_open)

    def adjust(self, *, is_thinned: bool, is_open: bool) -> None:
        """Leave out the keyframes that interpolation gives within the usual tolerance, or not;
        leave gaps to be tracked, or not.
        """
        self._is_thinned, self._is_open = is_thinned, is_open

    def place(self, name: str) -> ByteRange | None:
        return None

    def dimensions(self, name: str) -> Dimensions | None:
        return Dimensions(self._contents[name].size, self._contents[name].n_frames)

    @property
    def has_scores(self) -> bool:
        return any(
            any(track.scores for track in content.tracks)
            or any(point.scores for point in content.points)
            or any(segment.score is not None for segment in content.segments)
            for content in self._contents.values()
        )

    def close(self) -> None:
        """Release the file."""
        self._contents = {}


@dataclass(frozen=True, slots=True)
class _ContentEntry:
    """The content of one video."""

    content: VideoContent
    form: Format
    is_thinned: bool = False
    is_open: bool = False

    @property
    def path(self) -> str:
        return self.content.path

    @property
    def findings(self) -> tuple[Finding, ...]:
        return self.content.findings

    def absent_video(self) -> VideoInfo:
        name = self.content.name
        text = f"Cannot import: the project has no video “{name}”."
        raise ExchangeError(f"{text} Add the video, or select another one.", where=self.path)

    def command(
        self, document: Document, times_us: Sequence[int]
    ) -> tuple[AddImported, tuple[Finding, ...]]:
        from annotator.exchange.formats.base.document_conversion import import_command

        command, findings = import_command(
            self.content, document, times_us, self.form.name, is_open=self.is_open
        )
        if self.is_thinned:
            tracks = (Track(t.info, thinned(t, TOLERANCE).keyframes) for t in command.tracks)
            command = replace(command, tracks=tuple(tracks))
        return command, findings

    def misfits(self, video: VideoInfo, times_us: Sequence[int]) -> tuple[Finding, ...]:
        return self.command(Document(DraftId(""), video), times_us)[1]

    def labels(self) -> Iterator[tuple[Lane, int | None, str]]:
        for segment in self.content.segments:
            if segment.label_id is None:
                yield segment.lane, None, segment.label

    def counts(self) -> AnnotationCounts:
        content = self.content
        lanes = (segment.lane for segment in content.segments)
        return AnnotationCounts.of(len(content.tracks), len(content.points), lanes)


_N_ROWS: Final = 3


@dataclass(frozen=True, slots=True)
class TableColumns:
    """The columns of a table with its first rows; ``guessed`` are columns by field."""

    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    guessed: dict[str, str]
    fields: tuple[str, ...] = plain_table.FIELDS


def table_columns(path: Path) -> TableColumns | None:
    """Return the columns of a CSV file; None where it is no table of at least two columns."""
    if path.suffix.lower() not in plain_table.FORMAT.suffixes:
        return None
    try:
        rows = [row for _, row in islice(rows_of(path), _N_ROWS + 1)]
    except ExchangeError:
        return None
    if not rows or len(rows[0]) < 2 or any(not cell.strip() for cell in rows[0]):
        return None
    names = tuple(cell.strip() for cell in rows[0])
    if len(set(names)) != len(names):
        return None
    guessed = plain_table.guessed_columns(names)
    return TableColumns(names, tuple(map(tuple, rows[1:])), guessed)
