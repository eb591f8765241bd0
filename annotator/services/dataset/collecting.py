"""Collects the facts of a project for statistics: from submissions, or from drafts."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import msgspec

from annotator.domain.dataset.facts import VideoFacts, facts_of
from annotator.domain.dataset.statistics import DataSet, QuestionRow, VideoRow
from annotator.domain.errors import UserError
from annotator.domain.questions.items.item import ItemState, Purpose
from annotator.exchange.perception_test.questions import is_finished
from annotator.services.background.jobs import JobToken
from annotator.services.project.metadata import metadata_of
from annotator.services.transfer.snapshot import snapshots
from annotator.store.questions import items
from annotator.store.workflow import figures

if TYPE_CHECKING:
    from annotator.domain.ids import VideoId
    from annotator.services.project.projects import OpenProject

_SHARE_OF_UPDATE = 0.6


def collect(
    project: OpenProject, token: JobToken, *, complete_only: bool = True, updates: bool = False
) -> DataSet:
    """Return the facts of all videos: in a project with stages from what was submitted last.

    ``complete_only``: only of tasks that are complete. ``updates``: facts of submissions that have
    none yet are computed first; the window does that in the background all the time. May run on
    any thread in a project with stages.
    """
    infos = [info for info, _ in project.footage.known()]
    if project.work.is_plain:
        facts = _of_drafts(project, token)
    else:
        if updates and not project.is_read_only:
            project.work.figures.catch_up(
                everything=True,
                on_progress=lambda done: token.report(_SHARE_OF_UPDATE * done, "submissions"),
                is_cancelled=lambda: token.is_cancelled,
            )
        facts = _of_submissions(project, complete_only=complete_only)
    places = {info.id: i for i, info in enumerate(infos)}
    videos = [
        VideoRow(
            info.id,
            info.name,
            info.duration_s,
            info.frame_rate,
            metadata_of(info),
            facts.get(info.id, {}),
        )
        for info in infos
    ]
    return DataSet(videos, _questions(project, places))


def _of_submissions(project: OpenProject, *, complete_only: bool) -> dict[VideoId, VideoFacts]:
    """Return for each tool what the first kind of task that draws with it says of a video."""
    kinds = [t for t in project.work.recipe.task_types if t.form is None]
    decoder = msgspec.json.Decoder(VideoFacts)
    found: dict[VideoId, VideoFacts] = {}
    kept = figures.facts_by_video(project.file, complete_only=complete_only)
    for video_id, bodies in kept.items():
        by_kind = dict(reversed(bodies))
        done: VideoFacts = {}
        for kind in kinds:
            if kind.kind in by_kind:
                done = decoder.decode(by_kind[kind.kind]) | done
        found[video_id] = done
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


def _questions(project: OpenProject, places: dict[VideoId, int]) -> list[QuestionRow]:
    titles = {t.kind: t.title for t in project.work.recipe.task_types}
    found = []
    for _, item in items.list_items(project.file, items.ItemFilter()):
        if item.purpose is not Purpose.WORK or item.video_ids[0] not in places:
            continue
        if item.state is not ItemState.DECIDED and not is_finished(item):
            continue
        groups = [("area", item.area), ("reasoning", item.reasoning)]
        groups += [("tag", tag) for tag in item.tags]
        found.append(
            QuestionRow(
                item.id,
                titles.get(item.kind, item.kind),
                places[item.video_ids[0]],
                item.text,
                tuple((column, value) for column, value in groups if value),
                tuple(item.track_ids),
            )
        )
    return found
