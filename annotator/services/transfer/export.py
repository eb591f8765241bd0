"""Export of a project: write, open again, judge independently, and prove frame numbers."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from annotator.domain.checks import Finding, Severity
from annotator.domain.errors import MediaError, UserError
from annotator.exchange.formats.boxes import yolo
from annotator.services.background.jobs import JobToken
from annotator.services.files import protect
from annotator.services.project.projects import OpenProject
from annotator.services.transfer.formats import PERCEPTION_TEST, format_named
from annotator.services.transfer.proof import Proof, prove_frames
from annotator.services.transfer.snapshot import ExportRequest, Snapshots, WrittenContent, snapshots

_SHARE_OF_WRITING: Final = 0.2


@dataclass(frozen=True, slots=True)
class ExportedVideo:
    """Exported content of one video.

    ``proof`` is None where its file was not at hand: ``unproved`` then holds the frames exported.
    """

    name: str
    n_tracks: int
    n_boxes: int
    n_points: int
    n_segments: int
    n_questions: int
    proof: Proof | None
    unproved: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ExportReport:
    """Result of an export; ERROR findings are broken rules or omitted records."""

    path: Path
    videos: tuple[ExportedVideo, ...]
    findings: tuple[Finding, ...]

    @property
    def is_sound(self) -> bool:
        """True when official loaders should take the file."""
        return not any(f.severity is Severity.ERROR for f in self.findings)


def export_project(project: OpenProject, request: ExportRequest, token: JobToken) -> ExportReport:
    """Export a project in one go."""
    return write_export(snapshots(project, request.videos), request, token)


def write_export(items: Snapshots, request: ExportRequest, token: JobToken) -> ExportReport:
    """Write and validate an export file; may run on any thread. Closes ``items``.

    UserError when the file cannot be written. Problems of the content become findings.
    """
    with closing(items):
        protect(request.path, items.own_files())
        form = format_named(request.format_name)
        if not form.writes:
            text = f"The format {form.name} is only read."
            raise UserError(text, hint="“annotator formats” lists what each format can do.")
        if form.has_media:
            if form.name == yolo.FORMAT.name:
                from annotator.services.transfer.media_sets.yolo import write
            else:
                from annotator.services.transfer.media_sets.hugging_face import write
        elif form.write is not None or form.files is not None:
            from annotator.services.transfer.format_export import write
        elif form.name == PERCEPTION_TEST:
            from annotator.services.transfer.perception_test import write
        else:
            from annotator.services.transfer.tap_vid import write
        token.check()
        result, findings = write(items, request, token, _SHARE_OF_WRITING)
        findings = [*(remark for place in items.places for remark in place.remarks), *findings]
        videos = []
        for i, written in enumerate(result):
            token.check()
            share = _SHARE_OF_WRITING + (1 - _SHARE_OF_WRITING) * i / len(result)
            token.report(share, f"{written.name}: verifying frames")
            video, problems = _proved(written, token)
            videos.append(video)
            findings += problems
    return ExportReport(request.path, tuple(videos), tuple(dict.fromkeys(findings)))


def _proved(written: WrittenContent, token: JobToken) -> tuple[ExportedVideo, list[Finding]]:
    frames, name = written.frames, written.name
    n_drawn = (written.n_tracks, written.n_boxes, written.n_points, written.n_segments)
    numbers = (*n_drawn, written.n_questions)
    if written.video_path is None:
        doubt = f"{_listed(frames)} not verified" if frames else "frames not verified"
        text = f"The video file is missing: {doubt}."
        return ExportedVideo(name, *numbers, None, frames), [Finding("not-proved", name, text)]
    if not frames:
        # Nothing lies on a frame: answers alone, or a sound without picture.
        return ExportedVideo(name, *numbers, None), []
    try:
        proof = prove_frames(
            written.video_path, written.table(), frames, is_canceled=lambda: token.is_canceled
        )
    except MediaError as error:
        problem = Finding("not-proved", name, str(error), Severity.ERROR)
        return ExportedVideo(name, *numbers, None, frames), [problem]
    token.check()
    problems = [
        Finding("frames-differ", name, f"{text[0].upper()}{text[1:]}.", Severity.ERROR)
        for text in proof.differences
    ]
    problems += [Finding("other-count", name, f"{text}.", Severity.NOTE) for text in proof.notes]
    return ExportedVideo(name, *numbers, proof), problems


def _listed(frames: Sequence[int], limit: int = 12) -> str:
    """Return frames as words: all of them, or the first and how many there are."""
    shown = ", ".join(map(str, frames[:limit]))
    return f"{'frame' if len(frames) == 1 else 'frames'} {shown}" + (
        f" … ({len(frames)} in total)" if len(frames) > limit else ""
    )
