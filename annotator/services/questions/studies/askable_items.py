"""Items that a study may ask, their correct answers, and people excluded from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from annotator.domain.answer import Value
from annotator.domain.forms.answer_checks import words_of
from annotator.domain.forms.field import Form
from annotator.domain.ids import ItemId, PersonId, StudyId, VideoId, item_id
from annotator.domain.questions.items.item import Item, ItemState, Purpose
from annotator.domain.questions.items.item_checks import why_refused
from annotator.domain.recipes.recipe import TaskType
from annotator.services.project.metadata import facts_of
from annotator.services.project.projects import OpenProject
from annotator.services.questions.benchmark_plugin import benchmark_of
from annotator.services.questions.voting.outcomes import items_of_kind, outcomes
from annotator.store.questions import studies as store
from annotator.store.questions.items import ItemFilter

_DEEPEST: Final = 20


@dataclass(frozen=True, slots=True)
class ItemChoice:
    """Which items are asked: of these kinds; of these splits, areas, tags and parts, () of all."""

    of: tuple[str, ...]
    splits: tuple[str, ...] = ()
    areas: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()

    def fits(self, item: Item, split: str) -> bool:
        """Return whether an item is one of them."""
        return (
            item.kind in self.of
            and (not self.splits or split in self.splits)
            and (not self.areas or item.area in self.areas)
            and (not self.tags or not set(self.tags).isdisjoint(item.tags))
            and (not self.parts or item.part in self.parts)
        )


@dataclass(frozen=True, slots=True)
class Choices:
    """Candidates of a study: number of items, and their splits, areas and tags.

    ``has_groups``: some of them belong together, such as a question and its variants.
    """

    n_items: int
    splits: tuple[str, ...]
    areas: tuple[str, ...]
    tags: tuple[str, ...]
    has_groups: bool = False


class AskableItem(NamedTuple):
    """A resolved item as a study would ask it: with its correct answers, in no task."""

    item: Item
    asked: Item
    split: str


def askable_items(project: OpenProject, task_type: TaskType) -> list[AskableItem]:
    """Return the resolved items that the form of a study can show; leads only.

    Correct answers are those of the item, else the resolved ones. Imported items without a known
    answer are included too; their answers can be judged later.
    """
    form, study = task_type.form, task_type.study
    assert form is not None
    assert study is not None
    video_ids = {info.id for info, _ in project.media.all()}
    splits = {info.id: str(facts_of(info).get("split", "")) for info, _ in project.media.all()}
    askables: list[AskableItem] = []
    for kind in dict.fromkeys(study.of):
        for item, right in _settled(project, kind, form):
            split = str(item.source.get("split", "")) or splits.get(item.video_ids[0], "")
            asked_item = _study_copy(item, task_type, right)
            if not why_refused(asked_item, task_type, video_ids):
                askables.append(AskableItem(item, asked_item, split))
    return askables


def _study_copy(item: Item, task_type: TaskType, right: Mapping[str, tuple[str, ...]]) -> Item:
    """Return the copy of an item that is asked in a study."""
    return replace(
        item,
        id=item_id(),
        kind=task_type.kind,
        right=right,
        purpose=Purpose.STUDY,
        state=ItemState.OPEN,
        why_discarded="",
        source={"made": "study", "item": item.id},
    )


def _settled(
    project: OpenProject, kind: str, form: Form
) -> Iterator[tuple[Item, Mapping[str, tuple[str, ...]]]]:
    settled = benchmark_of(project).settled(project, kind)
    if settled is not None:
        yield from settled
        return
    came_to = {outcome.item.id: outcome.values() for outcome in outcomes(project, kind)}
    for task_id, item in items_of_kind(project, kind):
        if item.right:
            right = {key: told for key, told in item.right.items() if form.field(key)}
        else:
            right = _as_right(form, came_to.get(item.id, {}))
        if right or task_id is None:
            yield item, right


def _as_right(form: Form, values: Mapping[str, Value]) -> dict[str, tuple[str, ...]]:
    """Return resolved answers as correct ones, for the fields of a study."""
    found: dict[str, tuple[str, ...]] = {}
    for field in form.fields:
        value = values.get(field.key)
        if value is None or not field.is_voted:
            continue
        words = (value,) if isinstance(value, str) else tuple(sorted(words_of(value)))
        if words:
            found[field.key] = words
    return found


class Parts:
    """People excluded from items because of earlier work or another study; read once."""

    def __init__(self, project: OpenProject, study_id: StudyId | None = None) -> None:
        takers = store.takers(project.file)
        self._of_item: dict[ItemId, set[PersonId]] = {}
        self._of_viewing: dict[tuple[VideoId, ...], set[PersonId]] = {}
        self._from: dict[ItemId, str] = {}
        self._assigned_of: dict[str, set[PersonId]] = {}
        group_of: dict[ItemId, str] = {}
        for task_id, item in project.questions.list(ItemFilter()):
            if item.purpose is Purpose.STUDY:
                continue
            group_of[item.id] = item.group
            people = takers.get(task_id, set()) if task_id is not None else set()
            # An assigned question refers to its original item and its author.
            writers = str(item.source.get("question", "")).split("/")[1:2]
            self._of_item[item.id] = {*people, *map(PersonId, writers)}
            self._of_viewing.setdefault(item.video_ids, set()).update(people)
            self._from[item.id] = str(item.source.get("item", ""))
        for other_study_id, item_id_, person_id in store.all_study_assignments(project.file):
            if other_study_id == study_id:
                continue
            self._of_item.setdefault(item_id_, set()).add(person_id)
            if group := group_of.get(item_id_):
                self._assigned_of.setdefault(group, set()).add(person_id)

    def of(self, item: Item) -> frozenset[PersonId]:
        """Return the people who must not get an item.

        Raters of it or of its source, raters of other items on the same videos, its author, and its
        study participants.
        """
        found = set(self._of_viewing.get(item.video_ids, ()))
        at = item.id
        for _ in range(_DEEPEST):
            found |= self._of_item.get(at, set())
            at = ItemId(self._from.get(at, ""))
        return frozenset(found)

    def assigned(self, group: str) -> frozenset[PersonId]:
        """Return who answers an item of a group in another study."""
        return frozenset(self._assigned_of.get(group, ()))


class Ground:
    """Items that a study can ask, and people excluded from them."""

    def __init__(self, project: OpenProject, task_type: TaskType) -> None:
        self._found = askable_items(project, task_type)
        self.parts = Parts(project)

    @property
    def choices(self) -> Choices:
        """Candidates of a study."""
        return Choices(
            len(self._found),
            tuple(sorted({each.split for each in self._found if each.split})),
            tuple(sorted({each.item.area for each in self._found if each.item.area})),
            tuple(sorted({tag for each in self._found for tag in each.item.tags})),
            any(n > 1 for n in Counter(e.item.group for e in self._found if e.item.group).values()),
        )

    def chosen(self, choice: ItemChoice) -> list[AskableItem]:
        """Return the items of a choice."""
        return [each for each in self._found if choice.fits(each.item, each.split)]
