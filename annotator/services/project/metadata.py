"""Facts from a table, given to the project's videos: all of a file or nothing.

They are kept under the key "metadata" of ``VideoInfo.extra``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from annotator.domain.annotation.changes import VideoExtra
from annotator.domain.annotation.document import VideoInfo
from annotator.domain.ids import VideoId
from annotator.domain.json_type import Json

if TYPE_CHECKING:
    from annotator.exchange.metadata import MetadataFile
    from annotator.services.project.projects import OpenProject

KEY: Final = "metadata"
CUT_FRAME: Final = "cut_frame"


@dataclass(frozen=True, slots=True)
class MetadataReport:
    """Result of importing a table: videos with metadata, and rows and videos without a match.

    ``rows_without_video`` are (line, name) of the table; ``videos_without_row`` are names of videos
    that are not in the table; ``notes`` describe the encoding and other columns.
    """

    n_videos: int
    rows_without_video: tuple[tuple[int, str], ...]
    videos_without_row: tuple[str, ...]
    notes: tuple[str, ...]


def facts_of(info: VideoInfo) -> dict[str, Json]:
    """Return the table metadata of a video ("script", "split" …), empty without any."""
    kept = info.extra.get(KEY)
    return dict(kept) if isinstance(kept, dict) else {}


def metadata_of(info: VideoInfo) -> dict[str, str]:
    """Return the metadata of a video as text by column: of tables and of imported files."""
    from annotator.exchange.perception_test.records import EXTRA_KEY, as_object

    said = as_object(as_object(info.extra.get(EXTRA_KEY)).get("metadata"))
    found: dict[str, str] = {}
    if isinstance(said.get("split"), str):
        found["split"] = str(said["split"])
    if "is_camera_moving" in said:
        found["camera"] = "moving" if said["is_camera_moving"] else "static"
    told = facts_of(info)
    return found | {k: str(v) for k, v in told.items() if isinstance(v, str | int | float)}


def with_facts(extra: VideoExtra, now: dict[str, Json]) -> VideoExtra:
    """Return stored metadata updated with the present tables.

    Undo of an import must not take along the facts that came after it.
    """
    rest = {name: value for name, value in extra.data.items() if name != KEY}
    return VideoExtra({**rest, KEY: now[KEY]} if KEY in now else rest)


@dataclass(frozen=True, slots=True)
class TablePreview:
    """A table before its import: columns, first rows, and rows without a matching file.

    ``rows`` are the cells as texts, the video first. ``rows_without_video`` are (line, name).
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    n_rows: int
    rows_without_video: tuple[tuple[int, str], ...]
    files_without_row: tuple[str, ...]
    notes: tuple[str, ...]


def preview_table(path: Path, media: Iterable[Path], *, n_rows: int = 50) -> TablePreview:
    """Look at a table and at which media files its rows mean, by name; takes nothing over.

    ExchangeError when it cannot be used.
    """
    from annotator.exchange.metadata import read_metadata

    table = read_metadata(path)
    files = list(media)
    index: dict[str, set[int]] = {}
    for number, file in enumerate(files):
        for name in _path_names(file):
            index.setdefault(_key(name), set()).add(number)
    missing: list[tuple[int, str]] = []
    met: set[int] = set()
    for row in table.rows:
        video_ids = index.get(_key(row.video), set())
        met |= video_ids
        if not video_ids:
            missing.append((row.line, row.video))
    shown_rows = tuple(
        (row.video, *(str(row.values.get(column, "")) for column in table.columns))
        for row in table.rows[:n_rows]
    )
    without = tuple(file.name for number, file in enumerate(files) if number not in met)
    return TablePreview(
        table.columns, shown_rows, len(table.rows), tuple(missing), without, table.notes
    )


def check_table(path: Path) -> None:
    """Validate a table without importing it; ExchangeError if it cannot be used."""
    from annotator.exchange.metadata import read_metadata

    read_metadata(path)


def import_metadata(project: OpenProject, path: Path) -> MetadataReport:
    """Import a table: each video gets its row; empty cells keep earlier values.

    ExchangeError when the file cannot be used; MetadataRefusedError, with nothing taken over, when
    a row is bad: wrong values, a name that several videos have, two rows for one video.
    """
    from annotator.exchange.metadata import MetadataRefusedError, read_metadata

    table = read_metadata(path)
    stored = project.media.all()
    matched, missing, problems = _matched(table, stored)
    if problems:
        raise MetadataRefusedError(path, sorted(problems))
    infos = {info.id: info for info, _ in stored}
    project.set_extra(
        {key: {**infos[key].extra, KEY: facts_of(infos[key]) | v} for key, v in matched.items()}
    )
    without = tuple(info.name for info, _ in stored if info.id not in matched)
    return MetadataReport(len(matched), tuple(missing), without, table.notes)


def _matched(
    table: MetadataFile, stored: list[tuple[VideoInfo, list[Path]]]
) -> tuple[dict[VideoId, dict[str, Json]], list[tuple[int, str]], list[tuple[int, str]]]:
    """Return the metadata by video, the rows without a video, and problems of other rows."""
    index = _index(stored)
    infos = {info.id: info for info, _ in stored}
    lines: dict[VideoId, int] = {}
    matched: dict[VideoId, dict[str, Json]] = {}
    missing: list[tuple[int, str]] = []
    problems: list[tuple[int, str]] = []
    for row in table.rows:
        video_ids = index.get(_key(row.video), set())
        if not video_ids:
            missing.append((row.line, row.video))
        elif len(video_ids) > 1:
            text = f"{len(video_ids)} videos have the name “{row.video}”; use paths or IDs"
            problems.append((row.line, text))
        else:
            (video_id,) = video_ids
            info, cut = infos[video_id], row.values.get(CUT_FRAME)
            if video_id in matched:
                text = f"line {lines[video_id]} already has a row for “{info.name}”"
                problems.append((row.line, text))
            if isinstance(cut, int) and cut > info.n_frames:
                text = (
                    f"the cut frame {cut} of “{info.name}” is out of range; the video has "
                    f"{info.n_frames} frames"
                )
                problems.append((row.line, f"{CUT_FRAME}: {text}"))
            lines[video_id] = row.line
            matched[video_id] = dict(row.values)
    return matched, missing, problems


def _index(stored: list[tuple[VideoInfo, list[Path]]]) -> dict[str, set[VideoId]]:
    """Return the videos by all that a row may call them: id, name with and without ending, path."""
    index: dict[str, set[VideoId]] = {}
    for info, paths in stored:
        names = {info.id, info.name, Path(info.name).stem}
        for path in paths:
            names |= _path_names(path)
        for name in names:
            index.setdefault(_key(name), set()).add(info.id)
    return index


def _path_names(path: Path) -> set[str]:
    """Return all that a row may call a file: its name, with and without ending, and its paths."""
    parts = path.parts
    names = {"/".join(parts[i:]) for i in range(1, len(parts))}
    return names | {path.as_posix(), path.stem}


def _key(name: str) -> str:
    return name.strip().replace("\\", "/").removeprefix("./")
