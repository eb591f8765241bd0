"""Writes the points of a project as TAP-Vid files and reads them again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from annotator.domain.checks import Finding, Severity
from annotator.domain.checks.point_checks import check_points
from annotator.domain.errors import ExchangeError, MediaError, UserError
from annotator.exchange.order import natural_key
from annotator.exchange.tap_vid import csv_files, pickle_files
from annotator.exchange.tap_vid.csv_files import CsvExamples
from annotator.exchange.tap_vid.marks import Example, example_of, visible_frames
from annotator.exchange.tap_vid.pickle_files import PickleExamples, VideoPictures
from annotator.services.background.jobs import JobToken
from annotator.services.files import write_atomically
from annotator.services.transfer.formats import TAP_VID_PICKLE
from annotator.services.transfer.snapshot import ExportRequest, Snapshot, WrittenContent

if TYPE_CHECKING:
    from numpy.typing import NDArray

SHORT_SIDE_PX: Final = 256
"""Pictures in pickles are made no larger: evaluation looks at 256 x 256."""

MAX_PICTURE_BYTES: Final = 8 << 30

_SAME: Final = 1e-6
"""Fractions of the picture that the rounding of float32 stays below."""


def write(
    items: Sequence[Snapshot], request: ExportRequest, token: JobToken, share: float
) -> tuple[list[WrittenContent], list[Finding]]:
    """Write a file and open it again; ``share`` is how much of the whole progress that is.

    UserError when there are no points, or it cannot be written.
    """
    is_pickle = request.format_name == TAP_VID_PICKLE
    examples_of: dict[str, tuple[Snapshot, Example]] = {}
    findings: list[Finding] = []
    for item in sorted(items, key=lambda i: natural_key(i.document.video.name)):
        if not item.document.points:
            continue
        example, problems = example_of(item.document)
        findings += [*check_points(item.document, item.pending_points), *problems]
        if is_pickle and item.video_path is None:
            text = (
                "Not exported: the video file is missing, and the pickle format requires "
                "its images."
            )
            findings.append(Finding("no-pictures", example.name, text, Severity.ERROR))
        elif example.name in examples_of:
            text = (
                "Not exported: another video has the same name. Export the videos to "
                "separate files."
            )
            findings.append(Finding("same-name", example.name, text, Severity.ERROR))
        else:
            examples_of[example.name] = (item, example)
    if not examples_of:
        hint = "Annotate points, or locate the missing videos."
        raise UserError("The project has no points to export.", hint=hint, where=str(request.path))
    examples = [example for _, example in examples_of.values()]
    if is_pickle:
        write_atomically(request.path, _pickle(list(examples_of.values()), findings, token, share))
    else:
        write_atomically(request.path, csv_files.encode(examples))
    findings += _judged(request.path, examples, is_pickle=is_pickle)
    return [_written(item, example) for item, example in examples_of.values()], findings


def _written(item: Snapshot, example: Example) -> WrittenContent:
    n_points = len(example.points)
    frames = tuple(visible_frames(example))
    return WrittenContent(
        example.name, item.video_path, lambda: item.table, 0, 0, n_points, 0, 0, frames
    )


def _pickle(
    made: Sequence[tuple[Snapshot, Example]],
    findings: list[Finding],
    token: JobToken,
    share: float,
) -> Iterator[bytes]:
    videos = []
    for i, (item, example) in enumerate(made):
        size = _picture_size(item)
        frames = _frames(item, size, findings, token, share * i / len(made))
        pictures = VideoPictures(example.n_frames, *size, frames)
        videos.append((example.name, pictures, example.points, example.occluded))
    if sum(pictures.n_bytes for _, pictures, _, _ in videos) > MAX_PICTURE_BYTES:
        text = f"The images would require more than {MAX_PICTURE_BYTES >> 30} GB."
        raise UserError(text, hint="Export fewer videos, or use CSV, which contains no images.")
    return pickle_files.encode(videos)


def pictures_bytes(width: int, height: int, n_frames: int) -> int:
    """Return how many bytes the pictures of a video take in a pickle."""
    small_width, small_height = _scaled_size(width, height)
    return small_width * small_height * 3 * n_frames


def _picture_size(item: Snapshot) -> tuple[int, int]:
    return _scaled_size(item.document.video.width, item.document.video.height)


def _scaled_size(width: int, height: int) -> tuple[int, int]:
    scale = min(1.0, SHORT_SIDE_PX / max(1, min(width, height)))
    return max(1, round(width * scale)), max(1, round(height * scale))


def _frames(
    item: Snapshot,
    size: tuple[int, int],
    findings: list[Finding],
    token: JobToken,
    share_done: float,
) -> Iterator[NDArray[np.uint8]]:
    """Yield every picture of a video; one that is damaged is the one before it."""
    from annotator.media import FrameTable, Video

    assert item.video_path is not None
    table = FrameTable.from_bytes(item.table) if item.table is not None else None
    name = item.document.video.name
    last = np.zeros((size[1], size[0], 3), np.uint8)
    with Video(item.video_path, table=table) as video:
        for frame in range(item.document.video.n_frames):
            token.check()
            token.report(share_done, f"{name}: pictures")
            try:
                last = video.scaled(frame, *size)
            except MediaError as error:
                findings.append(Finding("damaged-frame", name, str(error), Severity.ERROR))
            yield last


def _judged(path: Path, written: Sequence[Example], *, is_pickle: bool) -> list[Finding]:
    """Read the file again; the content must be equal."""
    findings = []
    file = PickleExamples(path) if is_pickle else CsvExamples(path)
    try:
        names = file.names()
        for i, example in enumerate(written):
            try:
                is_same = i < len(names) and _is_same(example, file.read(names[i]))
            except ExchangeError as error:
                findings.append(Finding("broken-rule", example.name, str(error), Severity.ERROR))
                continue
            if not is_same:
                text = (
                    "Verification failed: the file content differs from the written data. "
                    "The disk may be failing."
                )
                findings.append(Finding("not-as-written", example.name, text, Severity.ERROR))
    finally:
        file.close()
    return findings


def _is_same(first: Example, second: Example) -> bool:
    if first.points.shape != second.points.shape:
        return False
    seen = ~first.occluded
    counts = [c for style in first.styles if isinstance(c := style.get("decimals"), int)]
    step = max(_SAME, 10.0 ** -min(counts, default=9))
    is_near = np.allclose(first.points[seen], second.points[seen], rtol=_SAME, atol=step)
    return bool(np.array_equal(first.occluded, second.occluded) and is_near)
