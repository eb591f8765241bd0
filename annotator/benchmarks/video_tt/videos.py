"""Video-TT steps of the lead: items about videos.

    trial → trial alignment
    collection → alignment on videos → primary → alignment → sampling check of some → variants
    → alignment on variants → finished groups

The module `alignment` stores the agreed versions, and `data_set` writes the finished groups. Each
step creates only missing items. The task types are those of the shipped recipe.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil
from typing import Final

from annotator.domain.ids import VideoId, item_id
from annotator.domain.questions.items.item import Item
from annotator.domain.questions.random_order import Lot
from annotator.services.project.projects import OpenProject
from annotator.services.questions.question_generation import StepResult, added
from annotator.services.questions.voting.outcomes import items_of_kind, outcomes, video_names

TRIAL: Final = "trial"
TRIAL_ALIGNMENT: Final = "trial-alignment"
COLLECTION: Final = "collection"
COLLECTION_ALIGNMENT: Final = "collection-alignment"
PRIMARY: Final = "primary"
ALIGNMENT: Final = "alignment"
SAMPLING: Final = "sampling-check"
VARIANTS: Final = "variants"
VARIANTS_ALIGNMENT: Final = "variants-alignment"
SUITS: Final = "suits"


def make_trials(project: OpenProject) -> StepResult:
    """Create practice questions about some videos; they enter no data set.

    They are sampled at random from all videos; leads only.
    """
    names = video_names(project)
    asked = _asked_of(project, TRIAL)
    left = [name for video_id, name in names.items() if video_id not in asked]
    drawn = sample(project, TRIAL, left, n_all=len(names), n_drawn=len(asked))
    return _ask(project, TRIAL, (v for v, name in names.items() if name in drawn))


def make_collection(project: OpenProject) -> StepResult:
    """Ask whether each video is worth a question; leads only."""
    asked = _asked_of(project, COLLECTION)
    return _ask(project, COLLECTION, (v for v in video_names(project) if v not in asked))


def make_primaries(project: OpenProject) -> StepResult:
    """Ask for a primary question about every video; leads only.

    Where it was asked whether videos suit, only about those that two people found to.
    """
    judged = _asked_of(project, COLLECTION)
    suiting = {
        outcome.item.video_ids[0]
        for outcome in outcomes(project, COLLECTION_ALIGNMENT)
        if outcome.value(SUITS) is True
    }
    asked = _asked_of(project, PRIMARY)
    wanted = suiting if judged else set(video_names(project))
    return _ask(project, PRIMARY, (v for v in video_names(project) if v in wanted - asked))


def sample(
    project: OpenProject, kind: str, names: Sequence[str], *, n_all: int, n_drawn: int
) -> frozenset[str]:
    """Sample videos at random for a task type, up to the share of the recipe.

    ``names`` are those to draw from, ``n_all`` is how many there are with those that had their
    chance, ``n_drawn`` how many of these were drawn. One in ten of seven is one; nothing is drawn
    for a kind that the recipe has not.
    """
    recipe = project.work.recipe
    task_type = recipe.task_type(kind)
    if task_type is None:
        return frozenset()
    n_wanted = ceil(round(task_type.share * n_all, 9)) - n_drawn
    order = Lot(recipe.seed, kind, *sorted(names)).shuffled(sorted(names))
    return frozenset(order[: max(0, n_wanted)])


def _asked_of(project: OpenProject, kind: str) -> set[VideoId]:
    """Return the videos that a kind of task has been asked about."""
    found = items_of_kind(project, kind, with_discarded=True)
    return {video_id for _, item in found for video_id in item.video_ids}


def _ask(project: OpenProject, kind: str, videos: Iterable[VideoId]) -> StepResult:
    return added(
        project, [Item(item_id(), kind, (each,), source={"made": "video"}) for each in videos]
    )
