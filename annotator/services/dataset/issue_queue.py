"""One queue of suspicious annotations over the whole data set, and the decisions about them.

Detectors are plug-ins: besides those of the program, entry points of the group
"annotator.detectors" name `Detector` objects.
"""

from __future__ import annotations

import logging
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

import msgspec

from annotator.domain.dataset.suspicions import DETECTORS, Detector, Extra, Scored, Suspicion
from annotator.domain.errors import WorkError
from annotator.domain.ids import VideoId
from annotator.domain.work.records import TaskStatus
from annotator.exchange.predictions import OBJECTS
from annotator.services.background.jobs import JobToken
from annotator.services.background.process_pool import outcome_of, started_pool
from annotator.services.dataset.evaluation.baselines import PEOPLE
from annotator.services.dataset.evaluation.evaluation import ITEM_METRICS
from annotator.services.dataset.evaluation.reference import videos_by_name
from annotator.services.dataset.statistics import collect
from annotator.services.dataset.video_scans import scans_of
from annotator.services.project.projects import OpenProject, open_project
from annotator.store.workflow import board, submission_statistics, travel

if TYPE_CHECKING:
    from annotator.domain.dataset.statistics import DataSet
    from annotator.domain.ids import TaskId
    from annotator.services.dataset.evaluation.evaluation import Evaluation
    from annotator.services.dataset.evaluation.video_scores import ItemScore

GROUP: Final = "annotator.detectors"
OPEN: Final = ""
CONFIRMED: Final = "confirmed"
DISMISSED: Final = "dismissed"
_SETTINGS: Final = "detectors"
APART_FROM: Final = 2000
"""Number of tasks from which a project is searched in a separate process."""

V = TypeVar("V")

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Suspect:
    """A suspicion with its video, and the decision about it: "" while there is none."""

    suspicion: Suspicion
    video_id: VideoId
    video: str
    state: str = OPEN
    reason: str = ""


class DetectorSetting(msgspec.Struct, frozen=True):
    """Settings of a detector in a project; ``limit`` None is its own."""

    limit: float | None = None
    is_on: bool = True


@dataclass(frozen=True, slots=True)
class DetectorResult:
    """How many suspicions a detector has, and how many of the decided ones were confirmed."""

    detector: Detector
    n_open: int
    confirmed: int
    dismissed: int
    setting: DetectorSetting

    @property
    def limit(self) -> float:
        """The limit in this project."""
        own = self.setting.limit
        return own if own is not None else self.detector.limit

    @property
    def limit_text(self) -> str:
        """The limit with its unit."""
        unit = self.detector.unit
        if self.limit == 1:
            unit = unit.removesuffix("s")
        return f"{self.limit:g} {unit}"

    @property
    def precision(self) -> float | None:
        """The share of decided suspicions that were confirmed."""
        decided = self.confirmed + self.dismissed
        return self.confirmed / decided if decided else None


def detectors() -> list[Detector]:
    """Return the detectors of the program and those that are installed as plug-ins."""
    found = {each.key: each for each in DETECTORS}
    for point in entry_points(group=GROUP):
        try:
            loaded = point.load()
        except (ImportError, AttributeError, SyntaxError) as error:
            _log.warning("cannot load the detector %s: %s", point.value, error)
            continue
        if isinstance(loaded, Detector):
            found.setdefault(loaded.key, loaded)
        else:
            _log.warning("%s is not a detector", point.value)
    return list(found.values())


def find_issues(
    project: OpenProject,
    token: JobToken,
    *,
    limits: Mapping[str, float] | None = None,
    only: Sequence[str] = (),
    updates: bool = False,
    scores: Iterable[ScoredTrack] = (),
) -> list[Suspect]:
    """Return all suspicions, the most severe first.

    ``limits`` replace those of the project by key, ``only`` names the detectors to be used (where
    empty, those that are switched on). ``scores`` are what models and other people drew, see
    `scored_tracks`. WorkError for an unknown detector, CanceledError when canceled.
    """
    available = detectors()
    keys = [detector.key for detector in available]
    unknown = [key for key in (*only, *(limits or {})) if key not in keys]
    if unknown:
        text = f"Unknown detector “{unknown[0]}”. Available detectors: {', '.join(keys)}."
        raise WorkError(text, code="no-detector")
    data = collect(project, token, complete_only=False, updates=updates, with_questions=False)
    extra = _extra(project, data)
    extra.scores.extend(_scored(project, data, scores))
    decided = submission_statistics.decisions(project.file)
    suspects: dict[str, Suspect] = {}
    stored_settings = settings_of(project)
    limits = {key: s.limit for key, s in stored_settings.items() if s.limit is not None} | dict(
        limits or {}
    )
    off = {key for key, setting in stored_settings.items() if not setting.is_on}
    chosen = [
        detector
        for detector in available
        if (detector.key in only if only else detector.key not in off)
    ]
    for i, detector in enumerate(chosen):
        token.check()
        token.report(i / len(chosen), detector.title)
        for suspicion in detector.find(data, extra, limits.get(detector.key, detector.limit)):
            video = data.videos[suspicion.video]
            decision = decided.get(suspicion.key)
            state, reason = (decision.state, decision.reason) if decision else (OPEN, "")
            suspects.setdefault(
                suspicion.key,
                Suspect(suspicion, VideoId(video.id), video.name, state, reason),
            )
    data.release()
    return sorted(
        suspects.values(), key=lambda s: (-s.suspicion.severity, s.video, s.suspicion.key)
    )


def find_issues_in_process(
    project: OpenProject, token: JobToken, scores: Iterable[ScoredTrack] = ()
) -> list[Suspect]:
    """Like `find_issues`; for large projects in a separate process that reads the project file.

    While hundreds of thousands of facts are read and looked at in this process, the window waits
    again and again for more than a frame.
    """
    if len(project.tasks()) < APART_FROM:
        return find_issues(project, token, scores=scores)
    with tempfile.TemporaryDirectory() as name, started_pool(1, _nothing, ()) as pool:
        given, found = Path(name) / "given", Path(name) / "found"
        _write(given, scores)
        outcome_of(pool.submit(_find_in_process, project.path, given, found), token)
        return list(_read(found, Suspect))


def _nothing() -> None:
    """There is nothing to prepare."""


def _find_in_process(path: Path, given: Path, found: Path) -> None:
    """Hunt in this process, from and into files."""
    project = open_project(path, read_only=True)
    try:
        scores = list(_read(given, ScoredTrack))
        _write(found, find_issues(project, JobToken(lambda *_: None), scores=scores))
    finally:
        project.close()


def _write(path: Path, values: Iterable[object]) -> None:
    """Write values as JSON Lines: one at a time, so that other threads need not wait for all."""
    encoder = msgspec.json.Encoder()
    with path.open("wb") as file:
        for value in values:
            file.write(encoder.encode(value) + b"\n")


def _read(path: Path, kind: type[V]) -> Iterator[V]:
    decoder = msgspec.json.Decoder(kind)
    with path.open("rb") as file:
        for line in file:
            yield decoder.decode(line)


def results(project: OpenProject, suspects: Iterable[Suspect]) -> list[DetectorResult]:
    """Return for each detector how many suspicions are open, and how precise it has been."""
    n_open = Counter(s.suspicion.detector for s in suspects if s.state == OPEN)
    decided = Counter(
        (d.detector, d.state) for d in submission_statistics.decisions(project.file).values()
    )
    settings = settings_of(project)
    return [
        DetectorResult(
            detector,
            n_open[detector.key],
            decided[detector.key, CONFIRMED],
            decided[detector.key, DISMISSED],
            settings.get(detector.key, DetectorSetting()),
        )
        for detector in detectors()
    ]


def settings_of(project: OpenProject) -> dict[str, DetectorSetting]:
    """Return the changed settings of detectors."""
    text = project.file.meta(_SETTINGS)
    if text is None:
        return {}
    try:
        return msgspec.json.decode(text, type=dict[str, DetectorSetting])
    except msgspec.MsgspecError:
        _log.warning("cannot read the settings of detectors")
        return {}


def change_detector(project: OpenProject, key: str, setting: DetectorSetting) -> None:
    """Keep the settings of a detector. Leads only."""
    project.work.people.check_lead()
    changed = {**settings_of(project), key: setting}
    with project.file.transaction() as connection:
        travel.set_meta(connection, _SETTINGS, msgspec.json.encode(changed).decode())


def decide(project: OpenProject, suspects: Iterable[Suspect], state: str, reason: str = "") -> None:
    """Confirm suspicions, or dismiss them with a reason, which is kept. Leads only."""
    me = project.work.people.check_lead()
    if state == DISMISSED and not reason.strip():
        raise WorkError("Enter a reason.", code="no-reason")
    keys = [(s.suspicion.key, s.suspicion.detector) for s in suspects]
    submission_statistics.decide(project.file, keys, state, reason.strip(), me.id)


def send_to_round(
    project: OpenProject, suspects: Sequence[Suspect], title: str, guidelines: str = ""
) -> tuple[int, list[tuple[TaskId, str]]]:
    """Open a round for the complete tasks that suspicions are about, which are confirmed by that.

    Returns how many tasks that are, and those that cannot be sent, with the reason. Leads only.
    """
    wanted = {task_id for suspect in suspects for task_id in _tasks_of(project, suspect)}
    refused = project.work.lead.open_round(
        sorted(wanted), title=title, guidelines=guidelines, reason=title
    )
    decide(project, suspects, CONFIRMED, title)
    return len(wanted) - len(refused), refused


def _tasks_of(project: OpenProject, suspect: Suspect) -> list[TaskId]:
    """Return the complete tasks that draw with the tool that a suspicion is about."""
    found = []
    for task in project.tasks():
        kind = project.work.recipe.task_type(task.kind)
        if task.video_id != suspect.video_id or kind is None or kind.form is not None:
            continue
        tool = suspect.suspicion.tool
        is_meant = (
            tool in kind.tools
            if tool is not None
            else suspect.suspicion.key.endswith(f":{kind.title}")
        )
        if is_meant and project.work.record(task.id).status is TaskStatus.COMPLETE:
            found.append(task.id)
    return found


class ScoredTrack(NamedTuple):
    """A track with its scores (0..1) by model and by kind of people; ``video`` as in an export."""

    video: str
    track_id: str
    label: str
    frame: int
    models: dict[str, float]
    people: dict[str, float]


def scored_tracks(scores: Evaluation) -> Iterator[ScoredTrack]:
    """Yield the tracks of an evaluation with the scores of all models."""
    by_track: dict[str, tuple[ItemScore, dict[str, float], dict[str, float]]] = {}
    for model, items in scores.items.items():
        for item in items:
            if item.mark_id and not item.is_missing:
                _, models, people = by_track.setdefault(item.mark_id, (item, {}, {}))
                chosen = people if model in PEOPLE else models
                chosen[model] = item.values[ITEM_METRICS[OBJECTS]]
    for track, (item, models, people) in by_track.items():
        yield ScoredTrack(item.video, track, item.label, item.frame, models, people)


def _scored(project: OpenProject, data: DataSet, scores: Iterable[ScoredTrack]) -> Iterator[Scored]:
    """Yield tracks with their scores, and the place of their video."""
    names: dict[str, int] | None = None
    for each in scores:
        if names is None:
            places = {video.id: i for i, video in enumerate(data.videos)}
            names = {name: places[info.id] for name, info in videos_by_name(project).items()}
        if each.video in names:
            yield Scored(names[each.video], *each[1:])


def _extra(project: OpenProject, data: DataSet) -> Extra:
    places = {video.id: i for i, video in enumerate(data.videos)}
    titles = {t.kind: t.title for t in project.work.recipe.task_types}
    extra = Extra()
    for video_id, scan in scans_of(project).items():
        if video_id in places:
            extra.signs[places[video_id]] = scan.signs
    for video_id, kind, value in submission_statistics.least_agreement(project.file):
        if video_id in places:
            agreements = extra.agreement.setdefault(places[video_id], [])
            agreements.append((titles.get(kind, kind), value))
    videos = {task.id: task.video_id for task in project.tasks()}
    hours: dict[tuple[int, str], float] = {}
    for row in board.spent_rows(project.file):
        place = places.get(videos.get(row.task_id, ""))
        if place is not None and row.active_ms > 0:
            key = place, titles.get(row.kind, row.kind)
            hours[key] = hours.get(key, 0.0) + row.active_ms / 3_600_000
    for (place, title), value in hours.items():
        extra.hours.setdefault(place, []).append((title, value))
    return extra
