"""Multiple-choice questions that an import brought, asked like those of the project's own bank.

    make_finished(project)   they become finished questions, for studies: how well do people do?
    ask_raters(project)      those nobody knows the answer of are put to raters, as the recipe says
    settle(project)          what raters decided is noted with them, for result files

The records stay with their video as they were imported, and are exported so. Where a file says
which option is right, that is known; where it does not, as in files of a test split, nothing is
known: no answer is right or wrong, and a study has answers and times but no accuracy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from annotator.domain.answers import Picked
from annotator.domain.checks import Finding, Severity
from annotator.domain.errors import WorkError
from annotator.domain.forms.field import Option
from annotator.domain.ids import VideoId, item_id
from annotator.domain.json_type import Json
from annotator.domain.questions.items.bank import Bank
from annotator.domain.questions.items.checking import problems_of
from annotator.domain.questions.items.item import IMPORTED, Item, ItemState
from annotator.services.project.projects import OpenProject
from annotator.services.questions.making import StepResult, added, kept, replaced
from annotator.services.questions.voting.outcomes import outcomes
from annotator.store.questions.items import ItemFilter

_TASK: Final = "mc_question"
_FIELD: Final = "answer"


class _Same(NamedTuple):
    """Identity of a question: video, text and options."""

    video_ids: tuple[VideoId, ...]
    text: str
    options: tuple[str, ...]


def make_finished(project: OpenProject) -> StepResult:
    """Take up imported questions as finished ones, which studies ask; leads only.

    What breaks the rules of a question is left out and named.
    """
    bank = _bank(project)
    done = _made(project, bank.final_kind)
    items: list[Item] = []
    findings: list[Finding] = []
    for name, item in _imported(project, bank.final_kind):
        if _same(item) in done:
            continue
        problems = list(problems_of(item, f"{name}, “{item.text}”"))
        findings += problems
        if not any(problem.severity is Severity.ERROR for problem in problems):
            items.append(replace(item, state=ItemState.DECIDED) if item.right else item)
    kept(project, items)
    return StepResult(tuple(item.id for item in items), tuple(findings))


def ask_raters(project: OpenProject) -> StepResult:
    """Ask raters the imported questions of which no answer is known; leads only."""
    bank = _bank(project)
    done = _made(project, bank.kind)
    found = (item for _, item in _imported(project, bank.kind) if not item.right)
    return added(project, [item for item in found if _same(item) not in done])


def settle(project: OpenProject) -> StepResult:
    """Note what raters decided with the questions they were asked; leads only."""
    settled = [
        replace(outcome.item, right={_FIELD: value.keys})
        for outcome in outcomes(project, _bank(project).kind)
        if outcome.item.source.get("made") == IMPORTED
        and not outcome.item.right
        and isinstance(value := outcome.value(_FIELD), Picked)
    ]
    replaced(project, settled)
    return StepResult(tuple(item.id for item in settled))


def _imported(project: OpenProject, kind: str) -> Iterator[tuple[str, Item]]:
    """Yield the questions of all videos as items of a kind, each with the name of its video."""
    from annotator.exchange.perception_test.to_domain import Kept

    project.work.people.check_lead()
    for info, _ in project.footage.known():
        for record in Kept.of(info).records.get(_TASK, []):
            yield info.name, _item(record, info.id, kind)


def _item(record: Mapping[str, Json], video_id: VideoId, kind: str) -> Item:
    listed, answer = record.get("options"), record.get("answer_id")
    texts = [str(text) for text in listed] if isinstance(listed, list) else []
    is_known = isinstance(answer, int) and 0 <= answer < len(texts)
    tags = record.get("tag")
    return Item(
        item_id(),
        kind,
        (video_id,),
        str(record.get("question", "")),
        tuple(Option(f"o{i}", text) for i, text in enumerate(texts)),
        {_FIELD: (f"o{answer}",)} if is_known else {},
        area=str(record.get("area", "")),
        reasoning=str(record.get("reasoning", "")),
        tags=tuple(str(tag) for tag in tags) if isinstance(tags, list) else (),
        source={"made": IMPORTED, "id": record.get("id")},
    )


def _made(project: OpenProject, kind: str) -> set[_Same]:
    found = project.questions.list(ItemFilter(kind=kind))
    return {_same(item) for _, item in found if item.source.get("made") == IMPORTED}


def _same(item: Item) -> _Same:
    return _Same(item.video_ids, item.text, tuple(option.text for option in item.options))


def _bank(project: OpenProject) -> Bank:
    bank = project.work.recipe.bank
    if bank is None or not bank.final_kind:
        raise WorkError(
            "The recipe has no question bank with final questions.", code="no-final-kind"
        )
    return bank
