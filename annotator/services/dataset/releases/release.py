"""Releases: annotations by split, statistics, a data card, media facts and a certificate.

A release is written into a new folder beside its place and moved there when it is whole.
"""

from __future__ import annotations

import csv
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from annotator.domain.agreement.resampling import Bootstrap
from annotator.domain.annotation.labels import label_set_text
from annotator.domain.annotation.segment import Lane
from annotator.domain.checks import Finding, Severity
from annotator.domain.errors import MediaError, UserError
from annotator.exchange.perception_test.from_domain import entry_name
from annotator.services.background.jobs import JobToken
from annotator.services.dataset.releases.certificate import (
    FORMAT,
    NAME,
    AnnotationOrigin,
    Certificate,
    all_files,
    certificate_bytes,
    file_digest,
    private_key,
    record_digests,
    sign_certificate,
)
from annotator.services.dataset.releases.proof_frames import MediaFacts, media_facts
from annotator.services.dataset.releases.released import (
    ANNOTATIONS,
    METADATA,
    STATISTICS,
    WITHHELD,
    released_data,
)
from annotator.services.dataset.split_optimization import KEY, PROVENANCE
from annotator.services.dataset.statistics import write_statistics
from annotator.services.files import make_folder, new_folder, write_atomically
from annotator.services.project.metadata import metadata_of
from annotator.services.questions.agreement.agreement_files import write_agreement
from annotator.services.tables import write_table
from annotator.services.transfer import ExportRequest, export_project
from annotator.services.transfer.formats import PERCEPTION_TEST, format_named
from annotator.services.transfer.snapshot import snapshots
from annotator.store.questions import items

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from annotator.domain.ids import VideoId
    from annotator.services.project.projects import OpenProject, VideoEntry
    from annotator.services.transfer.snapshot import ContentPlace

_MOST_VALUES: Final = 12
_ID_COLUMNS: Final = frozenset(("split", "cut_frame", "participant"))


def data_card(
    project: OpenProject,
    title: str,
    by_split: Mapping[str, Sequence[VideoEntry]],
    folder: Path,
) -> str:
    """Return the text of the data card, in Markdown. ``folder`` has the tables already."""
    return "\n".join(_lines(project, title, by_split, folder)) + "\n"


def _lines(
    project: OpenProject,
    title: str,
    by_split: Mapping[str, Sequence[VideoEntry]],
    folder: Path,
) -> Iterator[str]:
    n_videos = sum(len(videos) for videos in by_split.values())
    known_videos = {info.id: info for info, _ in project.media.all()}
    chosen = [known_videos[video.id] for videos in by_split.values() for video in videos]
    hours = sum(info.duration_s for info in chosen) / 3600
    yield f"# {_plain(title)}"
    yield ""
    yield f"{n_videos:,} videos, {hours:,.2f} hours."
    yield ""
    yield "## Splits"
    yield ""
    yield "| split | videos | annotations |"
    yield "|---|---:|---|"
    for split, videos in by_split.items():
        is_withheld = (folder / "withheld" / f"{split}.json").exists()
        contents_text = "start boxes and questions; answers withheld" if is_withheld else "all"
        yield f"| {_plain(split)} | {len(videos):,} | {contents_text} |"
    yield ""
    yield "## Content"
    yield ""
    yield "| type | videos | annotations | keyframes | classes | per video |"
    yield "|---|---:|---:|---:|---:|---:|"
    for row in _table(folder / "statistics" / "counts.csv"):
        yield (
            f"| {_plain(row['type'])} | {row['videos']} | {row['annotations']} | {row['marks']} "
            f"| {row['classes']} | {float(row['mean_per_video']):.2f} |"
        )
    yield ""
    yield from _agreement(folder)
    yield from _time(project)
    yield from _metadata([metadata_of(info) for info in chosen])
    yield "## Fields"
    yield ""
    yield "Coordinates are fractions of the image from its top left corner. Frames count from 0;"
    yield "times are microseconds after the first frame. Ends of segments are exclusive."
    yield "`media.csv` lists the video files; `certificate.json` has digests of all files and"
    yield "proof frames. `annotator verify DIR --media DIR` checks them."


def _agreement(folder: Path) -> Iterator[str]:
    rows = [
        row
        for row in _table(folder / "statistics" / "agreement.csv")
        if row.get("by") in ("all", "") and row.get("value")
    ]
    if not rows:
        return
    yield "## Agreement between raters"
    yield ""
    yield "| task | field | method | value | 95% interval |"
    yield "|---|---|---|---:|---|"
    for row in rows:
        span = f"{float(row['low']):.3f} to {float(row['high']):.3f}" if row.get("low") else "–"
        names = (row.get("kind", ""), row.get("field", ""), row.get("method", ""))
        yield f"| {' | '.join(map(_plain, names))} | {float(row['value']):.3f} | {span} |"
    yield ""


def _time(project: OpenProject) -> Iterator[str]:
    if project.work.is_plain:
        return
    rows = project.work.statistics().hours
    if not rows:
        return
    titles = {t.kind: t for t in project.work.recipe.task_types}
    yield "## Annotation time"
    yield ""
    yield "| task | stage | tasks | hours |"
    yield "|---|---|---:|---:|"
    for row in rows:
        kind = titles.get(row.kind)
        stage = kind.stage(row.stage) if kind is not None else None
        names = kind.title if kind else row.kind, stage.title if stage else row.stage
        yield f"| {' | '.join(map(_plain, names))} | {row.tasks:,} | {row.total_hours:,.2f} |"
    yield ""


def _metadata(facts: Sequence[Mapping[str, object]]) -> Iterator[str]:
    columns = dict.fromkeys(c for each in facts for c in each if c not in _ID_COLUMNS)
    tables = {c: Counter(str(each.get(c, "–")) for each in facts) for c in columns}
    tables = {c: counts for c, counts in tables.items() if len(counts) <= _MOST_VALUES}
    if not tables:
        return
    yield "## Metadata of the videos"
    yield ""
    for column, counts in tables.items():
        told = ", ".join(f"{_plain(value)} {n:,}" for value, n in counts.most_common())
        yield f"- {_plain(column)}: {told}"
    yield ""


def _table(path: Path) -> list[dict[str, str]]:
    if not path.exists():
        return []
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def _plain(text: str) -> str:
    """Return a text that Markdown shows as it is, in one line."""
    flat = " ".join(str(text).split())
    for sign in "\\`*_[]<>|#":
        flat = flat.replace(sign, f"\\{sign}")
    return flat


MEDIA: Final = "media"
WHOLE: Final = "all"
"""Name of the file for videos that are in no split."""
_SHARE_OF_MEDIA: Final = 0.6
_MEDIA_COLUMNS: Final = (
    *("video", "file", "sha256", "size", "width", "height"),
    *("frames", "frame_rate", "frame_table"),
)


@dataclass(frozen=True, slots=True)
class ReleaseWish:
    """Settings of a release.

    ``splits`` are those to release, all where empty. Of ``withheld`` splits only what a test needs
    is released; the rest goes into a folder of its own. ``formats`` are written besides Perception
    Test JSON. ``has_media``: copies of the videos are part of it. ``key`` is a file with a private
    key that signs the certificate.
    """

    title: str
    splits: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    has_media: bool = False
    key: Path | None = None


@dataclass(slots=True)
class ReleaseResult:
    """Result of a release; ERROR findings are omitted records."""

    folder: Path
    n_files: int = 0
    n_videos: int = 0
    findings: list[Finding] = field(default_factory=list)


def write_release(
    project: OpenProject, folder: Path, wish: ReleaseWish, token: JobToken
) -> ReleaseResult:
    """Write a release into a new folder. UserError if it exists or the release is empty.

    Nothing is left behind when it fails or is canceled.
    """
    if folder.exists():
        text = f"“{folder.name}” exists. A release is written into a new folder."
        raise UserError(text, hint="Enter another name.", where=str(folder))
    make_folder(folder.parent)
    with new_folder(folder) as place:
        done = _Writer(project, place, wish, token).write()
    return ReleaseResult(folder, done.n_files, done.n_videos, done.findings)


class _Writer:
    """Writes one release into a folder that exists."""

    def __init__(
        self, project: OpenProject, folder: Path, wish: ReleaseWish, token: JobToken
    ) -> None:
        self._project, self._folder = project, folder
        self._wish, self._token = wish, token
        self._done = ReleaseResult(folder)

    def write(self) -> ReleaseResult:
        key = private_key(self._wish.key) if self._wish.key is not None else None
        by_split = self._by_split()
        for split, videos in by_split.items():
            self._token.check()
            self._annotations(split, videos)
        self._sets(by_split)
        chosen = [video for videos in by_split.values() for video in videos]
        self._done.n_videos = len(chosen)
        self._labels_and_guidelines()
        self._metadata(by_split)
        self._statistics()
        media = self._media(chosen)
        rows = [(*_media_row(entry),) for entry in media]
        write_table(self._folder / "media.csv", _MEDIA_COLUMNS, rows)
        card = data_card(self._project, self._wish.title, by_split, self._folder)
        write_atomically(self._folder / "README.md", [card.encode()])
        self._certificate(chosen, media, key)
        self._done.n_files = len(all_files(self._folder)) + 1
        return self._done

    def _by_split(self) -> dict[str, list[VideoEntry]]:
        """Return the videos to release by split, in the order of splits."""
        told = {info.id: metadata_of(info).get(KEY, "") for info, _ in self._project.media.all()}
        with_content = {place.video_id for place in self._places()}
        found: dict[str, list[VideoEntry]] = {}
        for video in self._project.videos():
            if video.id in with_content:
                found.setdefault(told.get(video.id, "") or WHOLE, []).append(video)
        wanted = self._wish.splits or tuple(found)
        unknown = [name for name in (*wanted, *self._wish.withheld) if name not in found]
        if unknown:
            text = f"No annotated video is in the split “{unknown[0]}”."
            raise UserError(text, hint=f"Splits: {', '.join(found)}.")
        return {name: found[name] for name in wanted}

    def _places(self) -> Sequence[ContentPlace]:
        taken = snapshots(self._project)
        places = taken.places
        taken.close()
        return places

    def _annotations(self, split: str, videos: list[VideoEntry]) -> None:
        names = tuple(video.name for video in videos)
        override = split if split in ("train", "valid", "test") else None
        is_withheld = split in self._wish.withheld
        target = self._folder / ANNOTATIONS / f"{split}.json"
        variant = "test" if is_withheld else "full"
        self._export(ExportRequest(target, override, names, variant=variant))
        if is_withheld:
            full_file = self._folder / WITHHELD / f"{split}.json"
            self._export(ExportRequest(full_file, override, names))
            return
        for name in self._wish.formats:
            if name == PERCEPTION_TEST:
                continue
            form = format_named(name)
            if form.is_folder:
                continue
            place = self._folder / "formats" / name
            is_folder = form.is_per_video and len(names) > 1
            path = place / split if is_folder else place / f"{split}{form.suffix}"
            self._export(ExportRequest(path, None, names, format_name=name))

    def _sets(self, by_split: dict[str, list[VideoEntry]]) -> None:
        """Write the formats that are folders, with all splits whose answers are not withheld."""
        open_splits = [s for s in by_split if s not in self._wish.withheld]
        names = tuple(video.name for split in open_splits for video in by_split[split])
        for name in self._wish.formats:
            if names and format_named(name).is_folder:
                target = self._folder / "formats" / name
                self._export(ExportRequest(target, None, names, format_name=name))

    def _export(self, request: ExportRequest) -> None:
        request.path.parent.mkdir(parents=True, exist_ok=True)
        quiet = JobToken(lambda _, text: self._token.report(None, text))
        if not request.path.suffix:
            request.path.mkdir(exist_ok=True)
        self._token.check()
        done = export_project(self._project, request, quiet)
        self._done.findings += done.findings

    def _labels_and_guidelines(self) -> None:
        labels = self._folder / "label-sets"
        labels.mkdir()
        for lane in Lane:
            found = self._project.label_set(lane)
            if found.labels:
                write_atomically(labels / f"{lane.value}s.toml", [label_set_text(found).encode()])
        if self._project.work.is_plain:
            return
        recipe = self._project.work.recipe_text()
        write_atomically(self._folder / "recipe.toml", [recipe.encode()])
        for i, guideline in enumerate(self._project.work.recipe.guidelines, 1):
            place = self._folder / "guidelines"
            place.mkdir(exist_ok=True)
            text = f"# {guideline.title}\n\n{guideline.text}\n"
            write_atomically(place / f"{i:02}.md", [text.encode()])

    def _metadata(self, by_split: dict[str, list[VideoEntry]]) -> None:
        """Write the metadata of the videos; of withheld splits only which they are in, since
        metadata may be answers.
        """
        infos = {info.id: info for info, _ in self._project.media.all()}
        rows = {
            entry_name(infos[video.id]): {KEY: split}
            | ({} if split in self._wish.withheld else metadata_of(infos[video.id]) | {KEY: split})
            for split, videos in by_split.items()
            for video in videos
        }
        columns = list(dict.fromkeys(column for row in rows.values() for column in row))
        found = [(name, *(row.get(c, "") for c in columns)) for name, row in rows.items()]
        write_table(self._folder / METADATA, ("video", *columns), found)

    def _statistics(self) -> None:
        """Compute the statistics from the files of the release, so that anybody can repeat it."""
        place = self._folder / STATISTICS
        write_statistics(released_data(self._folder, self._token), place)
        if not self._project.work.is_plain:
            quiet = JobToken(lambda *_: self._token.check())
            write_agreement(self._project, place, quiet, Bootstrap())

    def _media(self, chosen: list[VideoEntry]) -> list[MediaFacts]:
        media = []
        rates = {info.id: info.frame_rate for info, _ in self._project.media.all()}
        names = {info.id: entry_name(info) for info, _ in self._project.media.all()}
        for i, video in enumerate(chosen):
            self._token.check()
            self._token.report(1 - _SHARE_OF_MEDIA * (1 - i / len(chosen)), video.name)
            if video.path is None:
                text = "The video file is missing: the release has no proof of its frames."
                self._done.findings.append(Finding("no-media", video.name, text))
                continue
            try:
                facts = media_facts(video.path, names[video.id], rates[video.id], self._token.check)
            except MediaError as error:
                finding = Finding("unreadable-video", video.name, str(error), Severity.ERROR)
                self._done.findings.append(finding)
                continue
            media.append(facts)
            if self._wish.has_media:
                (self._folder / MEDIA).mkdir(exist_ok=True)
                shutil.copy2(video.path, self._folder / MEDIA / video.path.name)
        return media

    def _certificate(
        self, chosen: list[VideoEntry], media: list[MediaFacts], key: Ed25519PrivateKey | None
    ) -> None:
        records: dict[str, dict[str, dict[str, str]]] = {}
        counts: dict[str, dict[str, int]] = {}
        for name, path in all_files(self._folder).items():
            if name.split("/")[0] in (ANNOTATIONS, WITHHELD):
                records[name], counts[name] = {}, {}
                for video, digests, numbers in record_digests(path):
                    records[name][video] = digests
                    for task, n in numbers.items():
                        counts[name][task] = counts[name].get(task, 0) + n
        project, work = self._project, self._project.work
        split = project.file.meta(PROVENANCE)
        certificate = Certificate(
            FORMAT,
            self._wish.title,
            datetime.now(UTC).isoformat(timespec="seconds"),
            f"annotator {version('annotator')}",
            "" if work.is_plain else work.transactions.recipe.tag,
            {
                f"{i:02}.md": guideline.title
                for i, guideline in enumerate(work.recipe.guidelines, 1)
                if not work.is_plain
            },
            msgspec.json.decode(split) if split is not None else {},
            {name: file_digest(path) for name, path in all_files(self._folder).items()},
            records,
            counts,
            {
                STATISTICS: "annotator stats dataset RELEASE --output DIR",
                "statistics/agreement.csv": "annotator stats verify PROJECT agreement.csv",
                ANNOTATIONS: "annotator export PROJECT FILE --split SPLIT",
            },
            self._sources(chosen),
            tuple(media),
        )
        body = certificate_bytes(certificate)
        write_atomically(self._folder / NAME, [body])
        if key is not None:
            sign_certificate(self._folder, body, key)

    def _sources(self, chosen: list[VideoEntry]) -> dict[str, AnnotationOrigin]:
        names = {info.id: entry_name(info) for info, _ in self._project.media.all()}
        parts: dict[VideoId, dict[str, str]] = {}
        for place in self._places():
            for tools, submission in place.parts:
                parts.setdefault(place.video_id, {})["+".join(tools)] = submission
        asked: dict[VideoId, list[str]] = {}
        for _, item in items.list_items(self._project.file, items.ItemFilter()):
            for video_id in item.video_ids:
                asked.setdefault(video_id, []).append(item.id)
        return {
            names[v.id]: AnnotationOrigin(parts.get(v.id, {}), tuple(asked.get(v.id, ())))
            for v in chosen
        }


def _media_row(facts: MediaFacts) -> tuple[str | int | float, ...]:
    size = facts.width, facts.height, facts.n_frames, facts.frame_rate
    return (facts.video, facts.file, facts.sha256, facts.size, *size, facts.frame_table)
