"""Answers of a study by item and person; open answers are scored by reference raters.

If the recipe names ``scored_in``, raters score the open answers of a study: each is an item of that
kind with question, reference and answer. Participants are excluded from scoring on the videos of
their items (`exclusion`), so they cannot score their own answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from annotator.domain.answer import Picked, Value
from annotator.domain.ids import ItemId, PersonId, item_id
from annotator.domain.questions.items.item import Item
from annotator.domain.questions.quality import is_right
from annotator.domain.study.design import SCORE
from annotator.domain.study.results import BEST_SCORE, is_right_score
from annotator.services.project.projects import OpenProject
from annotator.services.questions.question_generation import StepResult, added
from annotator.services.questions.studies.studies import studies, study_types
from annotator.services.questions.studies.study_values import Study
from annotator.services.questions.voting.outcomes import items_of_kind
from annotator.services.questions.voting.submitted_answers import ItemAnswers, iter_answers
from annotator.store.questions import studies as store
from annotator.store.questions.items import ItemFilter


class StudyAnswer(NamedTuple):
    """Answer of a participant: ``item`` as shown, values by field.

    ``original`` is the item of the project; ``seconds`` what the answer took.
    """

    item: Item
    original: ItemId
    person_id: PersonId
    condition: str
    values: dict[str, Value]
    seconds: float

    @property
    def words(self) -> str:
        """Typed text, "" if there is none."""
        typed = (value.strip() for value in self.values.values() if isinstance(value, str))
        return "\n".join(text for text in typed if text)


def answers_in_study(project: OpenProject, study: Study) -> list[StudyAnswer]:
    """Return the submitted answers by item and person; leads only."""
    project.work.people.check_lead()
    items_by_id = {
        item.id: item for _, item in project.questions.list(ItemFilter(kind=study.wish.kind))
    }
    values: dict[ItemId, dict[str, Value]] = {}
    took: dict[ItemId, int] = {}
    for row in store.study_answers(project.file, study.id):
        values.setdefault(row.asked_id, {})[row.field] = row.value
        # The time to an answer runs from when the item came up, so the last field has all of it.
        took[row.asked_id] = max(took.get(row.asked_id, 0), row.took_ms)
    return [
        StudyAnswer(
            items_by_id[row.asked_id],
            row.item_id,
            row.person_id,
            row.condition,
            values[row.asked_id],
            took[row.asked_id] / 1000,
        )
        for row in store.list_parts(project.file, study.id)
        if row.asked_id in values
    ]


def tags_of(answers: Sequence[StudyAnswer]) -> dict[str, dict[str, tuple[str, ...]]]:
    """Return the grouping tags, with the values of each item of the project."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for each in answers:
        item = each.item
        names = {
            "area": (item.area,),
            "reasoning": (item.reasoning,),
            "tag": item.tags,
            "part": (item.part,),
        }
        for by, told in names.items():
            if any(told):
                found.setdefault(by, {})[each.original] = told
    return found


REFERENCE: Final = "answer"
"""The text of an item that open answers are held against."""
Judged: TypeAlias = Mapping[tuple[ItemId, PersonId], bool]
"""Whether answers are right, by the item that was asked and the person."""


class Scorable(NamedTuple):
    """An open answer to be scored: ``key`` names it, ``reference`` is the finished question."""

    key: str
    reference: Item
    words: str


def make_scoring(project: OpenProject) -> StepResult:
    """Ask for a score of each open answer of the studies, once each; leads only."""
    made: list[StepResult] = []
    for kind in dict.fromkeys(_scored_in(project).values()):
        made.append(ask_for_scores(project, kind, _open_answers(project, kind)))
    return StepResult(
        tuple(id_ for each in made for id_ in each.item_ids),
        tuple(finding for each in made for finding in each.findings),
    )


def ask_for_scores(project: OpenProject, kind: str, answers: Iterator[Scorable]) -> StepResult:
    """Add an item of a kind for each answer that has none yet; leads only."""
    handled = {
        (item.source.get("item"), item.source.get("answer"))
        for _, item in items_of_kind(project, kind, with_discarded=True)
    }
    items: list[Item] = []
    for key, reference, words in answers:
        if (reference.id, key) in handled:
            continue
        lines = (reference.text, f"Reference: {reference.texts.get(REFERENCE, '')}")
        items.append(
            Item(
                item_id(),
                kind,
                reference.video_ids,
                "\n".join((*lines, f"Answer: {words}")),
                group=reference.group,
                part=reference.part,
                source={"made": "answer", "item": reference.id, "answer": key},
            )
        )
    return added(project, items)


def scores_of(project: OpenProject, kind: str) -> dict[str, list[bool]]:
    """Return the correctness by scores of raters: correct from 3 on; leads only.

    A person's score of their own answer is ignored.
    """
    found: dict[str, list[bool]] = {}
    for answers in iter_answers(project, kind):
        key = str(answers.item.source.get("answer"))
        author = key.rpartition("/")[2]
        score = _score(answers)
        if score is not None and author != answers.person_id:
            found.setdefault(key, []).append(is_right_score(score))
    return found


def judged_in(project: OpenProject, study: Study) -> dict[tuple[ItemId, PersonId], bool]:
    """Return which open answers of a study more than half of their scores call right."""
    kind = _scored_in(project).get(study.wish.kind)
    if kind is None:
        return {}
    scores = scores_of(project, kind)
    return {
        (each.item.id, each.person_id): 2 * sum(rights) > len(rights)
        for each in answers_in_study(project, study)
        if (rights := scores.get(_key(each)))
    }


def is_right_in(answer: StudyAnswer, judged: Judged) -> bool | None:
    """Return whether an answer is correct; None without a judgment."""
    told = judged.get((answer.item.id, answer.person_id))
    if told is not None or not answer.item.right:
        return told
    return is_right(answer.item, answer.values)


def _score(answers: ItemAnswers) -> float | None:
    """Return a score, given as a number or an option key; None outside 0 to 5."""
    told = answers.values.get(SCORE)
    if isinstance(told, Picked):
        told = float(answers.text(SCORE)) if answers.text(SCORE).isdigit() else None
    if isinstance(told, bool) or not isinstance(told, int | float):
        return None
    return float(told) if 0 <= told <= BEST_SCORE else None


def _scored_in(project: OpenProject) -> dict[str, str]:
    """Return in which kind of task the open answers of each kind of study are scored."""
    return {
        each.kind: each.study.scored_in
        for each in study_types(project)
        if each.study is not None and each.study.scored_in
    }


def _open_answers(project: OpenProject, scored_in: str) -> Iterator[Scorable]:
    kinds = {kind for kind, scoring in _scored_in(project).items() if scoring == scored_in}
    known = {item.id: item for _, item in project.questions.list(ItemFilter())}
    for study in studies(project):
        if study.wish.kind not in kinds:
            continue
        for each in answers_in_study(project, study):
            if not each.item.right and each.words and each.original in known:
                yield Scorable(_key(each), known[each.original], each.words)


def _key(answer: StudyAnswer) -> str:
    return f"{answer.item.id}/{answer.person_id}"
