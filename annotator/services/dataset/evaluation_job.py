"""Evaluation as a job; large projects run in a separate process with all scores in files.

In the program itself, millions of values would block the window during garbage collection. The
window reads only what it shows.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYetError
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Final, TypeVar
from weakref import finalize

import msgspec
import numpy as np

from annotator.domain.checks import Finding
from annotator.services.background.jobs import CanceledError, JobToken
from annotator.services.background.process_pool import started_pool
from annotator.services.dataset.evaluation.baselines import baseline
from annotator.services.dataset.evaluation.evaluation import (
    Evaluation,
    MetricResult,
    VideoScore,
    by_video,
    evaluate,
    worst_first,
)
from annotator.services.dataset.evaluation.evaluation_tables import write_evaluation
from annotator.services.dataset.evaluation.models import prediction_file
from annotator.services.dataset.evaluation.question_scores import evaluate_answers, questions_of
from annotator.services.dataset.evaluation.reference import Reference
from annotator.services.dataset.evaluation.video_scores import ItemScore
from annotator.services.dataset.issue_queue import APART_FROM, ScoredTrack, scored_tracks
from annotator.services.files import write_atomically
from annotator.services.project.projects import OpenProject, open_project

if TYPE_CHECKING:
    from annotator.services.dataset.evaluation.evaluation import Predictor

V = TypeVar("V")

_MOST_ITEMS: Final = 2000
_LOOK_EVERY_S: Final = 0.1
_LENGTH_BYTES: Final = 4
_STOP: Final = "stop"
_PROGRESS: Final = "progress"


class _OfVideo(msgspec.Struct):
    """Score of a model for a video."""

    task: str
    video: str
    score: VideoScore


class _MeanOf(msgspec.Struct):
    mean: float


class _Mean(msgspec.Struct):
    """The same without the single items."""

    task: str
    video: str
    score: _MeanOf


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class Scores:
    """Results of an evaluation; ``means`` are by model, task and video, ``worst`` by model.

    All scores are in files of ``folder``, which goes with this object.
    """

    models: tuple[str, ...]
    results: tuple[MetricResult, ...]
    findings: tuple[Finding, ...]
    worst: dict[str, list[ItemScore]]
    means: dict[str, dict[str, dict[str, float]]]
    folder: Path

    def worst_of(self, model: str, task: str, video: str) -> ItemScore | None:
        """Return the worst item of a model in a video; reads a file."""
        path = _videos(self.folder, self.models.index(model))
        for row in _read(path, _OfVideo):
            if (row.task, row.video) == (task, video):
                return row.score.worst
        return None

    def tracks(self) -> Iterator[ScoredTrack]:
        """Yield the tracks with the scores of all models, for the detectors; reads a file."""
        return _read(self.folder / "tracks", ScoredTrack)

    def save(self, folder: Path) -> int:
        """Write the tables of results and of all scores (CSV) into a folder; return how many."""
        found = sorted((self.folder / "tables").iterdir())
        for path in found:
            write_atomically(folder / path.name, [path.read_bytes()])
        return len(found)


def evaluate_project(
    project: OpenProject,
    chosen: Sequence[tuple[Path | None, str]],
    columns: Sequence[str],
    token: JobToken,
) -> Scores:
    """Compare models (a file, or None for a baseline, and a name) with the annotations.

    CanceledError when canceled; ExchangeError for a file that cannot be read.
    """
    folder = Path(mkdtemp(prefix="annotator-"))
    try:
        if len(project.tasks()) < APART_FROM:
            _write_scores(_evaluated(project, chosen, columns, token), folder)
        else:
            with started_pool(1, _nothing, ()) as pool:
                future = pool.submit(_evaluate_there, project.path, list(chosen), columns, folder)
                _wait(future, folder, token)
        scores = _scores_in(folder)
    except BaseException:
        rmtree(folder, ignore_errors=True)
        raise
    finalize(scores, rmtree, folder, ignore_errors=True)
    return scores


def opened_model(path: Path | None, name: str, reference: Reference, token: JobToken) -> Predictor:
    """Open a file of predictions, or a baseline where there is none."""
    return baseline(name, reference, token) if path is None else prediction_file(path, name)


def _evaluated(
    project: OpenProject,
    chosen: Sequence[tuple[Path | None, str]],
    columns: Sequence[str],
    token: JobToken,
) -> Evaluation:
    quiet = JobToken(lambda *_: token.check())
    questions = questions_of(project)
    if questions:
        return evaluate_answers(project, questions, [(name, path) for path, name in chosen], token)
    reference = Reference(project)
    with ExitStack() as stack:
        models: list[Predictor] = []
        for path, name in chosen:
            models.append(opened_model(path, name, reference, token))
            stack.callback(models[-1].close)
        videos, n_videos = reference.videos(quiet), reference.count()
        return evaluate(videos, models, token, columns=columns, n_videos=n_videos)


def _wait(future: Future[None], folder: Path, token: JobToken) -> None:
    """Wait for the process and report its progress; stop it when the job is canceled."""
    progress = folder / _PROGRESS
    while True:
        try:
            return future.result(_LOOK_EVERY_S)
        except NotYetError:
            if token.is_canceled:
                (folder / _STOP).touch()
            if progress.exists():
                told = progress.read_text(encoding="utf-8").partition(" ")
                token.report(float(told[0]) if told[0] else None, told[2])


def _evaluate_there(
    path: Path,
    chosen: Sequence[tuple[Path | None, str]],
    columns: Sequence[str],
    folder: Path,
) -> None:
    """Evaluate in this process, into files of a folder."""
    project = open_project(path, read_only=True)
    try:
        _write_scores(_evaluated(project, chosen, columns, _FileToken(folder)), folder)
    finally:
        project.close()


class _FileToken(JobToken):
    """Writes its progress to a file, and stops if another file exists."""

    def __init__(self, folder: Path) -> None:
        super().__init__(self._write)
        self._folder = folder
        self._looked_s = 0.0

    def check(self) -> None:
        now = time.monotonic()
        if now - self._looked_s < _LOOK_EVERY_S:
            return
        self._looked_s = now
        if (self._folder / _STOP).exists():
            raise CanceledError

    def _write(self, fraction: float | None, text: str) -> None:
        if time.monotonic() - self._looked_s < _LOOK_EVERY_S / 2:
            return
        new = self._folder / f"{_PROGRESS}-new"
        new.write_text(f"{'' if fraction is None else f'{fraction:.4f}'} {text}", encoding="utf-8")
        new.replace(self._folder / _PROGRESS)


def _write_scores(done: Evaluation, folder: Path) -> None:
    _write(folder / "models", done.items)
    _write(folder / "results", done.results)
    _write(folder / "findings", done.findings)
    for i, items in enumerate(done.items.values()):
        _write(_worst(folder, i), worst_first(items)[:_MOST_ITEMS])
        scores = by_video(items)
        rows = (_OfVideo(task, video, s) for task in scores for video, s in scores[task].items())
        _write(_videos(folder, i), rows)
    _write(folder / "tracks", scored_tracks(done))
    tables = folder / "tables"
    tables.mkdir()
    write_evaluation(done, tables)


def _scores_in(folder: Path) -> Scores:
    models = tuple(_read(folder / "models", str))
    means: dict[str, dict[str, dict[str, float]]] = {}
    for i, model in enumerate(models):
        found = means.setdefault(model, {})
        for row in _read(_videos(folder, i), _Mean):
            found.setdefault(row.task, {})[row.video] = row.score.mean
    return Scores(
        models,
        tuple(_read(folder / "results", MetricResult)),
        tuple(_read(folder / "findings", Finding)),
        {model: list(_read(_worst(folder, i), ItemScore)) for i, model in enumerate(models)},
        means,
        folder,
    )


def _worst(folder: Path, index: int) -> Path:
    return folder / f"worst-{index}"


def _videos(folder: Path, index: int) -> Path:
    return folder / f"videos-{index}"


def _write(path: Path, values: Iterable[object]) -> None:
    """Write values one after the other, each with its length before it."""
    encoder = msgspec.msgpack.Encoder(enc_hook=_plain)
    with path.open("wb") as file:
        for value in values:
            body = encoder.encode(value)
            file.write(len(body).to_bytes(_LENGTH_BYTES, "little") + body)


def _plain(value: object) -> object:
    """Return a number of numpy as one of Python."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(type(value).__name__)


def _read(path: Path, kind: type[V]) -> Iterator[V]:
    """Yield values one at a time, so that other threads need not wait for all of them."""
    decoder = msgspec.msgpack.Decoder(kind)
    with path.open("rb") as file:
        while head := file.read(_LENGTH_BYTES):
            yield decoder.decode(file.read(int.from_bytes(head, "little")))


def _nothing() -> None:
    """There is nothing to prepare in the process."""
