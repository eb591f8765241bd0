"""Alignment of two raters in Video-TT: agreed versions are stored, others asked again.

Two people edit the work of one author. They submit equal texts, or both discard it; otherwise both
are asked again and see both versions. Two people check a sample of the agreed primary questions;
rejected ones return with their remarks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from annotator.benchmarks.video_tt.videos import (
    ALIGNMENT,
    COLLECTION,
    COLLECTION_ALIGNMENT,
    PRIMARY,
    SAMPLING,
    TRIAL,
    TRIAL_ALIGNMENT,
    VARIANTS,
    VARIANTS_ALIGNMENT,
    sample,
)
from annotator.domain.checks import Finding
from annotator.domain.ids import ItemId, PersonId, TaskId, VideoId, item_id
from annotator.domain.json_type import Json
from annotator.domain.questions.answer_resolution import NOT_UNANIMOUS
from annotator.domain.questions.items.groups import (
    FINISHED,
    Alignment,
    GroupRole,
    PersonVersion,
    TextVariant,
    align,
    group_of,
    has_duplicate_option,
    variants_of,
)
from annotator.domain.questions.items.groups import (
    VARIANTS as PARTS,
)
from annotator.domain.questions.items.item import Item, ItemState
from annotator.services.project.projects import OpenProject
from annotator.services.questions.question_generation import StepResult, added, store_items
from annotator.services.questions.voting.outcomes import (
    DecidedItem,
    items_of_kind,
    made_from_items,
    outcomes,
    video_names,
)
from annotator.services.questions.voting.submitted_answers import ItemAnswers, iter_answers

QUESTION: Final = "question"
OPTIONS: Final = ("option-a", "option-b", "option-c", "option-d")
_WRITTEN: Final = (QUESTION, "answer", "rationale")
_VARIANT_TEXTS: Final = (*map(str, PARTS), *OPTIONS)
_ALIGNED: Final = {
    TRIAL: TRIAL_ALIGNMENT,
    COLLECTION: COLLECTION_ALIGNMENT,
    PRIMARY: ALIGNMENT,
    VARIANTS: VARIANTS_ALIGNMENT,
}
_TEXTS: Final = {
    TRIAL_ALIGNMENT: _WRITTEN,
    ALIGNMENT: _WRITTEN,
    VARIANTS_ALIGNMENT: _VARIANT_TEXTS,
}
_CHECKED: Final = "check"
_AGREED: Final = "alignment"


def make_alignments(project: OpenProject) -> StepResult:
    """Create alignment items for two people from one person's work; leads only."""
    recipe = project.work.recipe
    items: list[Item] = []
    for kind, following in _ALIGNED.items():
        if recipe.task_type(following) is not None:
            done = made_from_items(project, following)
            items += (
                _put_before_two(outcome, following)
                for outcome in outcomes(project, kind)
                if outcome.item.id not in done
            )
    return added(project, items)


@dataclass(slots=True)
class _Aligned:
    """Result of an alignment: items to ask, finished and dropped ones, remarks."""

    asked: list[Item] = field(default_factory=list)
    finished: list[Item] = field(default_factory=list)
    dropped: list[ItemId] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    again: dict[ItemId, tuple[PersonId, ...]] = field(default_factory=dict)


class _Agreed(NamedTuple):
    """A question that two people agree on, and how it came before them."""

    item: Item
    texts: Mapping[str, str]


def resolve_alignments(project: OpenProject) -> StepResult:
    """Apply agreed versions, discard items that both drop, and repeat the others.

    Agreed primary questions get variants, a sample of them only after a check; agreed variants
    complete their group. Leads only.
    """
    batch = _Aligned()
    names = video_names(project)
    agreed: list[_Agreed] = []
    for kind in _TEXTS:
        for alignment in _settled(project, kind, batch, names):
            if kind == ALIGNMENT:
                agreed.append(alignment)
            elif kind == VARIANTS_ALIGNMENT:
                batch.finished += _group(alignment.item, alignment.texts)
    batch.asked += _sampled(project, agreed, names)
    _look_at_checks(project, batch, names)
    if batch.dropped:
        project.questions.discard(batch.dropped, "Two raters agreed to discard it.")
    store_items(project, batch.finished)
    item_ids = added(project, batch.asked, batch.findings)
    _call_again(project, batch.again)
    return StepResult(
        (*item_ids.item_ids, *(item.id for item in batch.finished)), item_ids.findings
    )


def _settled(
    project: OpenProject, kind: str, batch: _Aligned, names: Mapping[VideoId, str]
) -> Iterator[_Agreed]:
    """Yield agreed versions that are not stored yet; note discarded items and disagreements."""
    handled = made_from_items(project, kind)
    for following in (VARIANTS, SAMPLING, FINISHED):
        handled |= made_from_items(project, following)
    by_item: dict[ItemId, list[ItemAnswers]] = {}
    for answers in iter_answers(project, kind):
        by_item.setdefault(answers.item.id, []).append(answers)
    for id_, pair in by_item.items():
        if id_ in handled or len(pair) != 2:
            continue
        versions = [_version(answers, _TEXTS[kind]) for answers in pair]
        alignment = align(versions[0], versions[1])
        item = pair[0].item
        is_odd = has_duplicate_option(alignment.texts.get(name, "") for name in OPTIONS)
        if alignment.state is Alignment.AGREED and not is_odd:
            yield _Agreed(item, alignment.texts)
        elif alignment.state is Alignment.DROPPED:
            batch.dropped.append(id_)
        else:
            where = names[item.video_ids[0]]
            text = (
                f"Two raters disagree on {', '.join(alignment.apart) or 'discarding it'}; "
                "returned to alignment."
            )
            if alignment.state is Alignment.AGREED:
                text = "Two options have the same text; returned to alignment."
            batch.findings.append(Finding("apart", where, text))
            next_item = _apart(project, item, versions, alignment.apart)
            batch.asked.append(next_item)
            batch.again[next_item.id] = tuple(answers.person_id for answers in pair)


def _sampled(
    project: OpenProject, agreed: Sequence[_Agreed], names: Mapping[VideoId, str]
) -> Iterator[Item]:
    """Yield the next tasks of agreed primary questions: variants, or first a check.

    Questions changed after a check are checked again, outside the sample.
    """
    fresh = [outcome for outcome in agreed if outcome.item.source.get("made") != _CHECKED]
    checked = [item for _, item in items_of_kind(project, SAMPLING, with_discarded=True)]
    going_on = [item for _, item in items_of_kind(project, VARIANTS, with_discarded=True)]
    n_drawn = sum(item.source.get("made") == _AGREED for item in checked)
    n_others = sum(item.source.get("made") == _AGREED for item in going_on)
    sampled = sample(
        project,
        SAMPLING,
        [names[outcome.item.video_ids[0]] for outcome in fresh],
        n_all=n_drawn + n_others + len(fresh),
        n_drawn=n_drawn,
    )
    for item, texts in agreed:
        is_again = item.source.get("made") == _CHECKED
        if is_again:
            yield _to_check(item, texts, _CHECKED)
        elif names[item.video_ids[0]] in sampled:
            yield _to_check(item, texts, _AGREED)
        else:
            yield _following(item, texts, VARIANTS, _AGREED)


def _look_at_checks(project: OpenProject, batch: _Aligned, names: Mapping[VideoId, str]) -> None:
    """Continue accepted checks, and return rejected ones."""
    handled = made_from_items(project, ALIGNMENT) | made_from_items(project, VARIANTS)
    by_item: dict[ItemId, list[ItemAnswers]] = {}
    for answers in iter_answers(project, SAMPLING, with_discarded=True):
        by_item.setdefault(answers.item.id, []).append(answers)
    for id_, pair in by_item.items():
        item = pair[0].item
        is_out = item.state is ItemState.DISCARDED and item.why_discarded != NOT_UNANIMOUS
        if id_ in handled or is_out or len(pair) != 2:
            continue
        if all(answers.values.get("sound") is True for answers in pair):
            batch.asked.append(_following(item, item.texts, VARIANTS, _CHECKED))
            continue
        remarks = [text for answers in pair if (text := answers.text("remark").strip())]
        where = names[item.video_ids[0]]
        text = "The sampling check was not unanimous; returned to alignment."
        batch.findings.append(Finding("not-sound", where, text))
        back = _following(item, item.texts, ALIGNMENT, _CHECKED)
        lines = [back.text, *(f"Sampling check: {remark}" for remark in remarks)]
        batch.asked.append(replace(back, text="\n".join(lines)))


def _call_again(project: OpenProject, again: Mapping[ItemId, tuple[PersonId, ...]]) -> None:
    """Assign repeated items to the same two people, else to others."""
    if not again:
        return
    tasks: dict[PersonId, list[TaskId]] = {}
    for kind in _TEXTS:
        for task_id, item in items_of_kind(project, kind):
            if task_id is not None:
                for person_id in again.get(item.id, ()):
                    tasks.setdefault(person_id, []).append(task_id)
    for person_id, theirs in tasks.items():
        project.work.lead.assign(theirs, person_id)


def _put_before_two(outcome: DecidedItem, kind: str) -> Item:
    texts = {k: outcome.text(k) for k in outcome.values() if outcome.text(k)}
    texts = {**outcome.item.texts, **texts}
    source: dict[str, Json] = {
        "made": "answer",
        "item": outcome.item.id,
        "submission": outcome.submission_id,
    }
    return replace(
        outcome.item,
        id=item_id(),
        kind=kind,
        state=ItemState.OPEN,
        text=texts.get(QUESTION, outcome.item.text),
        texts=texts,
        tags=(texts["capability"],) if "capability" in texts else outcome.item.tags,
        group=outcome.item.group or outcome.item.id,
        source=source,
    )


def _version(answers: ItemAnswers, names: Sequence[str]) -> PersonVersion:
    """Return the version of one person; unchanged texts count as theirs."""
    texts = {name: answers.text(name) or answers.item.texts.get(name, "") for name in names}
    return PersonVersion(texts, answers.values.get("dropped") is True)


def _apart(
    project: OpenProject, item: Item, versions: Sequence[PersonVersion], field_names: Sequence[str]
) -> Item:
    """Return the task for two people who disagree: it shows their versions above the form.

    It begins with that of the first, so that one of them has nothing to change.
    """
    task_type = project.work.recipe.task_type(item.kind)
    fields = task_type.form.fields if task_type is not None and task_type.form is not None else ()
    titles = {version.key: version.title for version in fields}
    lines = [versions[0].texts.get(QUESTION) or item.texts.get(QUESTION, item.text)]
    for name in field_names:
        lines.append(f"{titles.get(name, name)}:")
        lines += (f"{n}. {version.texts.get(name, '')}" for n, version in enumerate(versions, 1))
    if versions[0].is_dropped != versions[1].is_dropped:
        lines.append("One rater would discard it, the other would keep it.")
    elif not field_names:
        lines.append("Two options have the same text.")
    next_item = _following(item, {**item.texts, **versions[0].texts}, item.kind, _AGREED)
    return replace(next_item, text="\n".join(lines))


def _to_check(item: Item, texts: Mapping[str, str], made: str) -> Item:
    """Return an agreed question as it is put before those who check it."""
    asked = _following(item, texts, SAMPLING, made)
    answer, rationale = (asked.texts.get(name, "") for name in ("answer", "rationale"))
    lines = (asked.text, f"Answer: {answer}", f"Rationale: {rationale}")
    return replace(asked, text="\n".join(lines))


def _following(item: Item, texts: Mapping[str, str], kind: str, made: str) -> Item:
    """Return an item of the next kind with the same texts."""
    now = {**item.texts, **texts}
    return replace(
        item,
        id=item_id(),
        kind=kind,
        state=ItemState.OPEN,
        why_discarded="",
        text=now.get(QUESTION, item.text),
        texts=now,
        source={"made": made, "item": item.id},
    )


def _group(item: Item, texts: Mapping[str, str]) -> list[Item]:
    """Return the finished group: the primary question and its variants."""
    source: dict[str, Json] = {"made": _AGREED, "item": item.id}
    state = ItemState.DECIDED
    keep = {name: item.texts.get(name, "") for name in _WRITTEN}
    primary = replace(
        item,
        id=item_id(),
        kind=FINISHED,
        part=GroupRole.PRIMARY,
        text=keep[QUESTION],
        texts=keep,
        source=source,
        state=state,
    )
    variants: dict[GroupRole, TextVariant] = {
        part: TextVariant(texts[part], tuple(t for t in (texts[o] for o in OPTIONS) if t))
        if part is GroupRole.MULTIPLE_CHOICE
        else TextVariant(texts[part])
        for part in PARTS
        if texts.get(part)
    }
    new_variants = variants_of(replace(primary, group=group_of(item)), variants, FINISHED, source)
    return [replace(variant, state=state) for variant in (primary, *new_variants)]
