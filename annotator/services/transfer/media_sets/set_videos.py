"""Parts of media folders: frames, split, and the written content of each video."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from annotator.domain.annotation.track import Source
from annotator.domain.checks import Finding, Severity
from annotator.exchange.formats.base.document_conversion import content_of
from annotator.exchange.formats.base.format import losses_of
from annotator.exchange.order import natural_key
from annotator.services.project.metadata import metadata_of
from annotator.services.transfer.frame_times import FrameTimes
from annotator.services.transfer.snapshot import WrittenContent

if TYPE_CHECKING:
    from annotator.domain.annotation.document import Document
    from annotator.exchange.formats.base.file_content import VideoContent
    from annotator.exchange.formats.base.format import Format
    from annotator.services.background.jobs import JobToken
    from annotator.services.transfer.snapshot import ExportRequest, Snapshot, Snapshots

TRAIN: Final = "train"


@dataclass(frozen=True, slots=True)
class SetVideo:
    """A video of the set: its content, and the frames whose boxes are written."""

    item: Snapshot
    content: VideoContent
    split: str
    frames: tuple[int, ...]


def videos_of(
    items: Snapshots,
    request: ExportRequest,
    form: Format,
    token: JobToken,
    findings: list[Finding],
) -> Iterator[SetVideo]:
    """Yield the videos in order; findings name those without a file and those with a known name."""
    names: set[str] = set()
    order = sorted(range(len(items)), key=lambda i: natural_key(items.places[i].name))
    for n_done, i in enumerate(order):
        token.check()
        name = items.places[i].name
        token.report(n_done / len(order), name)
        item = items[i]
        document = item.document
        n = document.video.n_frames
        times = FrameTimes(item.table, document.video)
        content = content_of(document, [*times[:n], times.at(n)])
        if item.video_path is None:
            text = "Not exported: the video file is missing."
            findings.append(Finding("missing-media", name, text, Severity.ERROR))
            continue
        if content.name.casefold() in names:
            text = "Not exported: another video has the same name."
            findings.append(Finding("same-name", name, text, Severity.ERROR))
            continue
        names.add(content.name.casefold())
        findings += [*losses_of(document, form.losses, content.name), *item.remarks]
        if item.pending and not item.remarks:
            text = "Proposals that are not accepted were not exported."
            findings.append(Finding("pending", content.name, text))
        split = request.split or _split(metadata_of(document.video))
        yield SetVideo(item, content, split, _frames(document, request.frames))


def written(video: SetVideo, n_boxes: int, n_questions: int = 0) -> WrittenContent:
    """Return the written content of a video, for the report and the frame verification."""
    content, item = video.content, video.item
    n_points, n_segments = len(content.points), len(content.segments)
    counts = (len(content.tracks), n_boxes, n_points, n_segments, n_questions)
    return WrittenContent(content.name, item.video_path, lambda: item.table, *counts, video.frames)


def _split(metadata: Mapping[str, object]) -> str:
    told = str(metadata.get("split", "")).strip()
    return told or TRAIN


def _frames(document: Document, choice: str) -> tuple[int, ...]:
    """Return the frames of a choice: "grid", "keys" or "all"."""
    n = document.video.n_frames
    if choice == "all":
        return tuple(range(n))
    fixed = (Source.HUMAN, Source.IMPORTED)
    found = {
        key.frame
        for track in document.tracks
        for key in track.keyframes
        if key.box is not None and (choice == "keys" or key.source in fixed)
    }
    if choice == "grid":
        found.update(range(0, n, max(1, document.video.grid_step)))
    return tuple(sorted(frame for frame in found if 0 <= frame < n))
