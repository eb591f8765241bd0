"""Verifies a release against its certificate, and compares two releases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from annotator.domain.errors import ExchangeError
from annotator.exchange.strict_json import JsonObjectFile
from annotator.paths import PROJECT_SUFFIX
from annotator.services.dataset.releases.certificate import (
    NAME,
    Certificate,
    all_files,
    check_signature,
    file_digest,
    read_certificate,
    record_digests,
    value_digest,
)
from annotator.services.dataset.releases.proof_frames import ReleaseProblem, check_media
from annotator.services.dataset.releases.released import (
    WITHHELD,
    annotation_files,
    check_statistics,
)

if TYPE_CHECKING:
    from annotator.domain.json_type import Json
    from annotator.services.background.jobs import JobToken

_EXAMPLES: Final = 5


@dataclass(frozen=True, slots=True)
class Verified:
    """Result of verifying a release: differences, and the number of checked files.

    ``signed_by`` is the fingerprint of the key that signed it, "" without one. ``is_public``: the
    withheld answers are not in this copy, so that statistics could not be recomputed.
    """

    problems: tuple[ReleaseProblem, ...]
    n_files: int
    n_videos: int
    n_without_media: int
    signed_by: str = ""
    is_public: bool = False


def verify_release(
    folder: Path, media: Path | None, token: JobToken, *, fingerprint: str = ""
) -> Verified:
    """Return what differs from the certificate: signature, files, records, counts, statistics,
    videos, decoded frames.

    Videos are looked for in ``media``, else in the release; without them only the rest is checked.
    ``fingerprint`` is that of the key that must have signed it, any where empty. ExchangeError
    when there is no certificate.
    """
    certificate = read_certificate(folder)
    is_public = _is_public(folder, certificate)
    signed_by, wrong = check_signature(folder, (folder / NAME).read_bytes(), fingerprint)
    problems = [wrong] if wrong is not None else []
    problems += _files(folder, certificate, token, is_public=is_public)
    if not is_public and not problems:
        problems += check_statistics(folder, token)
    places = _media_places(folder, media)
    n_without = 0
    for i, facts in enumerate(certificate.media):
        token.check()
        token.report(0.5 + 0.5 * i / len(certificate.media), facts.video)
        path = places.get(facts.file)
        if path is None and media is None and not (folder / "media").is_dir():
            n_without += 1
            continue
        missing = (media or folder / "media") / Path(facts.file).name
        problems += check_media(path or missing, facts, token.check)
    n_videos = len(certificate.media) - n_without
    n_files = sum(not (is_public and _is_withheld(name)) for name in certificate.files)
    return Verified(tuple(problems), n_files, n_videos, n_without, signed_by, is_public)


def _is_withheld(name: str) -> bool:
    return name.startswith(f"{WITHHELD}/")


def _is_public(folder: Path, certificate: Certificate) -> bool:
    """Return whether a copy is without the folder of withheld answers."""
    return any(map(_is_withheld, certificate.files)) and not (folder / WITHHELD).exists()


def _media_places(folder: Path, media: Path | None) -> dict[str, Path]:
    root = media or folder / "media"
    if not root.is_dir():
        return {}
    return {path.name: path for path in sorted(root.rglob("*")) if path.is_file()}


def _files(
    folder: Path, certificate: Certificate, token: JobToken, *, is_public: bool
) -> Iterator[ReleaseProblem]:
    files = all_files(folder)
    for i, (name, digest) in enumerate(certificate.files.items()):
        token.check()
        token.report(0.5 * i / len(certificate.files), name)
        path = files.get(name)
        if path is None and is_public and _is_withheld(name):
            continue
        if path is None:
            yield ReleaseProblem(name, "the file is missing")
        elif file_digest(path) != digest:
            is_told = False
            for problem in _records(path, name, certificate):
                is_told = True
                yield problem
            if not is_told:
                yield ReleaseProblem(name, "the file was changed")
    for name in files:
        if name not in certificate.files:
            yield ReleaseProblem(name, "the file is not part of the release")


def _records(path: Path, name: str, certificate: Certificate) -> Iterator[ReleaseProblem]:
    """Yield which videos and tasks of a changed annotation file are different."""
    expected_digest = certificate.records.get(name)
    if expected_digest is None:
        return
    seen: set[str] = set()
    counts: dict[str, int] = {}
    try:
        for video, digests, numbers in record_digests(path):
            seen.add(video)
            for task, n in numbers.items():
                counts[task] = counts.get(task, 0) + n
            before = expected_digest.get(video)
            if before is None:
                yield ReleaseProblem(name, f"{video}: the video was added")
                continue
            for task in dict.fromkeys((*before, *digests)):
                if before.get(task) != digests.get(task):
                    yield ReleaseProblem(name, f"{video}: {task} was changed")
    except ExchangeError as error:
        yield ReleaseProblem(name, f"the file is damaged: {error}")
        return
    for video in expected_digest:
        if video not in seen:
            yield ReleaseProblem(name, f"{video}: the video is missing")
    for task, n in certificate.counts.get(name, {}).items():
        if counts.get(task, 0) != n:
            yield ReleaseProblem(name, f"{task}: {counts.get(task, 0):,} records instead of {n:,}")


@dataclass(frozen=True, slots=True)
class TaskDifference:
    """Differences of one task between two releases; examples are (video, difference)."""

    task: str
    added: int
    removed: int
    changed: int
    examples: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ReleaseDifferences:
    """How a release differs from an earlier one; ``tasks`` only where something does."""

    videos_added: tuple[str, ...]
    videos_removed: tuple[str, ...]
    moved: tuple[tuple[str, str, str], ...]
    tasks: tuple[TaskDifference, ...]

    @property
    def are_none(self) -> bool:
        return not (self.videos_added or self.videos_removed or self.moved or self.tasks)


def compare_releases(first: Path, second: Path, token: JobToken) -> ReleaseDifferences:
    """Return additions, removals and changes between two releases.

    A release is a folder with a certificate, or one annotation file. ExchangeError when one cannot
    be read.
    """
    before, after = (_Entries(path) for path in (first, second))
    try:
        return _compared(before, after, token)
    finally:
        before.close()
        after.close()


class _Entries:
    """The annotations of a release, video by video."""

    def __init__(self, path: Path) -> None:
        self._files: list[tuple[str, JsonObjectFile]] = []
        self.split: dict[str, str] = {}
        self._place: dict[str, JsonObjectFile] = {}
        paths = [path]
        if path.is_dir():
            read_certificate(path)
            paths = annotation_files(path)
        elif path.suffix.lower() == PROJECT_SUFFIX:
            raise ExchangeError(
                "This is a project, not a release.",
                hint="Write a release of the project first (annotator release).",
                where=str(path),
            )
        for member in paths:
            file = JsonObjectFile(member)
            self._files.append((member.stem, file))
            for video in file.keys():  # noqa: SIM118 - not a dict
                self._place.setdefault(video, file)
                self.split.setdefault(video, member.stem)

    def entry(self, video: str) -> dict[str, Json]:
        found = self._place[video].member(video)
        return found if isinstance(found, dict) else {}

    def close(self) -> None:
        for _, file in self._files:
            file.close()


def _compared(before: _Entries, after: _Entries, token: JobToken) -> ReleaseDifferences:
    added = tuple(v for v in after.split if v not in before.split)
    removed = tuple(v for v in before.split if v not in after.split)
    common = [v for v in before.split if v in after.split]
    moved = tuple(
        (v, before.split[v], after.split[v]) for v in common if before.split[v] != after.split[v]
    )
    sums: dict[str, list[int]] = {}
    examples: dict[str, list[tuple[str, str]]] = {}
    for i, video in enumerate(before.split | after.split):
        token.check()
        token.report(i / max(1, len(common)), video)
        old = before.entry(video) if video in before.split else {}
        new = after.entry(video) if video in after.split else {}
        for task in dict.fromkeys((*old, *new)):
            for kind, text in _differing(old.get(task), new.get(task), task):
                sums.setdefault(task, [0, 0, 0])[kind] += 1
                examples_of = examples.setdefault(task, [])
                if len(examples_of) < _EXAMPLES:
                    examples_of.append((video, text))
    tasks = tuple(
        TaskDifference(task, added_n, removed_n, changed_n, tuple(examples[task]))
        for task, (added_n, removed_n, changed_n) in sums.items()
    )
    return ReleaseDifferences(added, removed, moved, tasks)


_ADDED, _REMOVED, _CHANGED = 0, 1, 2


def _differing(old: Json, new: Json, task: str) -> Iterator[tuple[int, str]]:
    """Yield kind and description of each record that differs."""
    if not isinstance(old, list) and not isinstance(new, list):
        if old is None or new is None:
            return  # the metadata of a video that one release does not have
        if value_digest(old) != value_digest(new):
            yield _CHANGED, _changed_keys(old, new)
        return
    olds, news = (v if isinstance(v, list) else [] for v in (old, new))
    old_records = {value_digest(_content(v)): v for v in olds}
    right = {value_digest(_content(v)): v for v in news}
    removed_records = [v for key, v in old_records.items() if key not in right]
    added_records = [v for key, v in right.items() if key not in old_records]
    by_id = {_id(v): v for v in added_records}
    for value in removed_records:
        other = by_id.pop(_id(value), None)
        if other is not None and _name(value) == _name(other):
            yield _CHANGED, f"{_name(value)}: {_changed_keys(value, other)}"
        elif other is not None:
            yield _CHANGED, f"{_name(value)} → {_name(other)}"
        else:
            yield _REMOVED, _name(value)
    for value in by_id.values():
        yield _ADDED, _name(value)


def _content(value: Json) -> Json:
    """Return a record without its number, which follows from the others."""
    return {k: v for k, v in value.items() if k != "id"} if isinstance(value, dict) else value


def _id(value: Json) -> object:
    return value.get("id") if isinstance(value, dict) else None


def _name(value: Json) -> str:
    if not isinstance(value, dict):
        return str(value)
    told = value.get("label") or value.get("question") or value.get("id")
    return str(told)


def _changed_keys(old: Json, new: Json) -> str:
    if not isinstance(old, dict) or not isinstance(new, dict):
        return "changed"
    keys = [k for k in dict.fromkeys((*old, *new)) if k != "id" and old.get(k) != new.get(k)]
    return ", ".join(keys)
