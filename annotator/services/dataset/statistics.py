"""Statistics of a project: their facts, from submissions or drafts, and their CSV files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

import msgspec

from annotator.domain.dataset.facts import VideoFacts, facts_of
from annotator.domain.dataset.statistics import DataSet, QuestionFacts, VideoStatistics
from annotator.domain.errors import UserError
from annotator.domain.ids import VideoId
from annotator.domain.questions.items.item import ItemState, Purpose
from annotator.exchange.perception_test.questions import is_finished
from annotator.exchange.perception_test.records import EXTRA_KEY, as_object
from annotator.exchange.perception_test.to_domain import tracks_of
from annotator.exchange.predictions import CHOICES, GROUNDED
from annotator.services.background.jobs import JobToken
from annotator.services.project.metadata import metadata_of
from annotator.services.tables import Cell, write_table
from annotator.services.transfer.snapshot import snapshots
from annotator.store.catalog import videos
from annotator.store.columns import id_text
from annotator.store.file.project import ProjectFile
from annotator.store.questions import items
from annotator.store.workflow import submission_statistics

if TYPE_CHECKING:
    from annotator.domain.annotation.document import VideoInfo
    from annotator.domain.dataset.statistics import DataSet, Matrix
    from annotator.domain.json_type import Json
    from annotator.services.project.projects import OpenProject

ROUND: Final = "round"
"""Column of the last round in which a video was worked on, in projects with several."""
_SHARE_OF_UPDATE = 0.6
_FEW: Final = 200


def collect(
    project: OpenProject,
    token: JobToken,
    *,
    complete_only: bool = True,
    updates: bool = False,
    with_questions: bool = True,
) -> DataSet:
    """Return the facts of all videos; with stages, those of the last submissions.

    ``complete_only``: only of tasks that are complete. ``updates``: facts of submissions that have
    none yet are computed first; the window does that in the background all the time. May run on
    any thread in a project with stages. Large values are freed piece by piece: other threads wait
    meanwhile.
    """
    if project.work.is_plain:
        facts = _of_drafts(project, token)
    else:
        if updates and not project.is_read_only:
            project.work.submission_statistics.catch_up(
                everything=True,
                on_progress=lambda done: token.report(_SHARE_OF_UPDATE * done, "submissions"),
                is_canceled=lambda: token.is_canceled,
            )
        facts = _of_submissions(project, complete_only=complete_only)
    last = submission_statistics.last_submitted(project.file)
    has_rounds = any(number > 1 for _, number in last.values())
    rows: list[VideoStatistics] = []
    questions: list[QuestionFacts] = []
    places: dict[VideoId, int] = {}
    for stored in videos.each_video(project.file):
        info = stored.info
        at, number = last.get(info.id, (None, 1))
        round_facts = {ROUND: str(number)} if has_rounds and at is not None else {}
        day = datetime.fromtimestamp(at / 1000, UTC).date() if at is not None else None
        if with_questions:
            questions += _imported(info, len(rows))
        places[info.id] = len(rows)
        rows.append(
            VideoStatistics(
                info.id,
                info.name,
                info.duration_s,
                info.frame_rate,
                metadata_of(info) | round_facts,
                facts.get(info.id, {}),
                day,
            )
        )
    if with_questions:
        questions += _questions(project, places)
    return DataSet(rows, questions)


def _imported(info: VideoInfo, video: int) -> Iterator[QuestionFacts]:
    """Yield the questions about a video that were imported with its annotations."""
    kept = as_object(info.extra.get(EXTRA_KEY)).get("records")
    if isinstance(kept, dict):
        tracks = tracks_of(info) if kept.get(GROUNDED) else {}
        yield from question_rows(kept, info.name, video, tracks)


def question_rows(
    records: Mapping[str, object], name: str, video: int, tracks: Mapping[int, str]
) -> Iterator[QuestionFacts]:
    """Yield the questions of an annotation file about a video, unchanged.

    ``tracks`` are the tracks of the project by object ID of the file, where there are any.
    """
    for task in (CHOICES, GROUNDED):
        for i, question in enumerate(_list(records.get(task))):
            if not isinstance(question, dict):
                continue
            tags = [("area", question.get("area")), ("reasoning", question.get("reasoning"))]
            tags += [("tag", tag) for tag in _list(question.get("tag"))]
            groups = tuple([(key, v) for key, v in tags if v and isinstance(v, str)])
            answers = _list(question.get("answers"))
            named = [tracks.get(a, str(a)) if isinstance(a, int) else str(a) for a in answers]
            text = str(question.get("question", ""))
            yield QuestionFacts(f"{task}/{name}/{i}", task, video, text, groups, tuple(named))


def warm_up(project: OpenProject, token: JobToken) -> None:
    """Read the facts of a project with stages, so that its first page comes at once later."""
    if not project.work.is_plain:
        _of_submissions(project, complete_only=False)
        token.check()


def _list(value: object) -> list[Json]:
    return value if isinstance(value, list) else []


def _of_submissions(project: OpenProject, *, complete_only: bool) -> dict[VideoId, VideoFacts]:
    """Return for each tool what the first kind of task that draws with it says of a video."""
    kinds = [t.kind for t in project.work.recipe.task_types if t.form is None]
    wanted = submission_statistics.counted_submissions(project.file, complete_only=complete_only)
    facts = _known_facts(project.file, [key for _, _, key in wanted])
    found: dict[bytes, VideoFacts] = {}
    for kind in kinds:
        for video, of_kind, key in wanted:
            if of_kind == kind and key in facts:
                done = found.setdefault(video, {})
                for tool, rows in facts[key].items():
                    done.setdefault(tool, rows)
    return {VideoId(id_text(video)): done for video, done in found.items()}


_kept: WeakKeyDictionary[ProjectFile, dict[bytes, VideoFacts]] = WeakKeyDictionary()
"""Facts by submission that were read before; a submission never changes."""


def _known_facts(file: ProjectFile, wanted: Sequence[bytes]) -> dict[bytes, VideoFacts]:
    """Return the facts of submissions, as far as they are computed; only new ones are read."""
    before = _kept.get(file, {})
    missing = [key for key in wanted if key not in before]
    decoder = msgspec.json.Decoder(VideoFacts)
    if len(missing) > _FEW:
        bodies = dict(submission_statistics.all_facts(file))
    else:
        rows = ((key, submission_statistics.facts_of_submission(file, key)) for key in missing)
        bodies = {key: body for key, body in rows if body is not None}
    found = {key: before[key] for key in wanted if key in before}
    found |= {key: decoder.decode(bodies[key]) for key in missing if key in bodies}
    _kept[file] = found
    return found


def _of_drafts(project: OpenProject, token: JobToken) -> dict[VideoId, VideoFacts]:
    try:
        places = snapshots(project)
    except UserError:  # nothing is annotated
        return {}
    found: dict[VideoId, VideoFacts] = {}
    with closing(places):
        for i, snapshot in enumerate(places):
            token.check()
            token.report(i / len(places), snapshot.document.video.name)
            found[snapshot.document.video.id] = facts_of(snapshot.document)
    return found


def _questions(project: OpenProject, places: dict[VideoId, int]) -> list[QuestionFacts]:
    titles = {t.kind: t.title for t in project.work.recipe.task_types}
    rows = []
    for _, item in items.list_items(project.file, items.ItemFilter()):
        if item.purpose is not Purpose.WORK or item.video_ids[0] not in places:
            continue
        if item.state is not ItemState.DECIDED and not is_finished(item):
            continue
        groups = [("area", item.area), ("reasoning", item.reasoning)]
        groups += [("tag", tag) for tag in item.tags]
        rows.append(
            QuestionFacts(
                item.id,
                titles.get(item.kind, item.kind),
                places[item.video_ids[0]],
                item.text,
                tuple((column, value) for column, value in groups if value),
                tuple(item.track_ids),
            )
        )
    return rows


_MAX_NAME: Final = 100


def write_statistics(data: DataSet, folder: Path) -> dict[str, int]:
    """Write a CSV file for the counts and for each chart and matrix; return rows by file name."""
    folder.mkdir(parents=True, exist_ok=True)
    counts = [(c.kind, c.videos, c.annotations, c.marks, c.classes, c.mean) for c in data.counts()]
    head = ("type", "videos", "annotations", "marks", "classes", "mean_per_video")
    tables: dict[str, tuple[tuple[str, ...], list[tuple[Cell, ...]]]] = {
        "counts.csv": (head, [(*c[:-1], round(c[-1], 4)) for c in counts])
    }
    for chart in data.charts():
        rows: list[tuple[Cell, ...]] = [(bar.name, bar.value) for bar in chart.bars]
        tables[_file_name(chart.key)] = (("value", "count"), rows)
    for matrix in data.matrices():
        tables[_file_name(matrix.key)] = (("", *matrix.column_names), matrix_rows(matrix))
    for name, (names, found) in tables.items():
        write_table(folder / name, names, found)
    return {name: len(found) for name, (_, found) in tables.items()}


def _file_name(key: str) -> str:
    """Return the file of a chart; keys contain names of metadata columns, which may be any text."""
    return re.sub(r"[^\w-]+", "_", key)[:_MAX_NAME] + ".csv"


def matrix_rows(matrix: Matrix) -> list[tuple[Cell, ...]]:
    """Return the rows of a matrix, each after its name."""
    values = matrix.values.tolist()
    return [(name, *row) for name, row in zip(matrix.row_names, values, strict=True)]
