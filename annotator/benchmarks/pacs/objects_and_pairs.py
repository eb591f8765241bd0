"""PACS steps of the lead: clips, focus objects, pairs, written and assigned questions.

    look → listen → pairs to write about → assigned questions → quality check → data points

Each step creates only what is missing. The kinds of task are those of the shipped recipe.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from annotator.domain.answer import Flagged, FrameBox, Picked
from annotator.domain.checks import Finding, Severity
from annotator.domain.errors import WorkError
from annotator.domain.geometry import Box
from annotator.domain.ids import ItemId, PersonId, VideoId, item_id
from annotator.domain.json_type import Json
from annotator.domain.questions.items.item import Item, ItemState
from annotator.domain.questions.items.object_pairs import ObjectPair, PairingSpec, Thing, pair_up
from annotator.domain.questions.pair_questions import (
    PairAnswer,
    WrittenQuestion,
    assign_questions,
    data_point,
    is_kept,
)
from annotator.services.project.metadata import facts_of
from annotator.services.project.projects import OpenProject
from annotator.services.questions.question_generation import StepResult, added
from annotator.services.questions.voting.outcomes import (
    items_of_kind,
    made_from_items,
    video_names,
    videos_named,
)
from annotator.services.questions.voting.submitted_answers import ItemAnswers, iter_answers

LOOK: Final = "look"
LISTEN: Final = "listen"
WRITE: Final = "write"
DEALT: Final = "reassign"
CONFIRM: Final = "confirm"
OTHER_MATERIAL: Final = "other"


@dataclass(frozen=True, slots=True)
class FocusObject:
    """An accepted clip: the box on its middle frame and the material of its object."""

    video_id: VideoId
    name: str
    split: str
    focus: FrameBox
    materials: tuple[str, ...]

    @property
    def box(self) -> Box:
        return self.focus.box


@dataclass(frozen=True, slots=True)
class BankEntry:
    """A written question about a pair, with its answer."""

    key: str
    text: str
    statement: str
    properties: tuple[str, ...]
    pair: ObjectPair
    answer: str
    video_ids: tuple[VideoId, ...]
    person_id: PersonId


def make_focus_questions(project: OpenProject) -> StepResult:
    """Ask for the object of focus of every clip; leads only."""
    done = {item.video_ids for _, item in items_of_kind(project, LOOK, with_discarded=True)}
    items: list[Item] = []
    findings: list[Finding] = []
    for name, (video_id, *others) in videos_named(project).items():
        if (video_id,) not in done:
            items.append(Item(item_id(), LOOK, (video_id,), source={"made": "clip"}))
        if others:
            text = "Several clips have this name. Only the first is used."
            findings.append(Finding("same-name", name, text, Severity.ERROR))
    return added(project, items, findings)


def make_sound_questions(project: OpenProject) -> StepResult:
    """Ask the raters of a silent clip for its materials again, with sound; leads only.

    Only they get these tasks: the effect of sound is the difference between two answers of one
    person. A clip that was flagged, or has no box, is not asked about again.
    """
    handled = made_from_items(project, LISTEN)
    items: dict[PersonId, list[Item]] = {}
    findings: list[Finding] = []
    names = video_names(project)
    for answers in iter_answers(project, LOOK, with_discarded=True):
        if answers.item.id in handled:
            continue
        (video_id,) = answers.item.video_ids
        has_box = isinstance(answers.values.get("focus"), FrameBox)
        why = _why_out(project, answers) or ("" if has_box else "no box was drawn")
        if why:
            findings.append(Finding("clip-out", names[video_id], f"The clip was excluded: {why}."))
            continue
        source: dict[str, Json] = {"made": LISTEN, "item": answers.item.id}
        item = Item(item_id(), LISTEN, (video_id,), source=source)
        items.setdefault(answers.person_id, []).append(item)
    item_ids: list[ItemId] = []
    with project.work.transactions.together():
        for person_id, theirs in items.items():
            one = added(project, theirs, reserved_for=person_id)
            item_ids += one.item_ids
            findings += one.findings
    return StepResult(tuple(item_ids), tuple(findings))


def focus_objects(project: OpenProject) -> tuple[tuple[FocusObject, ...], tuple[Finding, ...]]:
    """Return the clips that are kept, and why the others that were heard are not."""
    looks = {
        answers.item.id: answers for answers in iter_answers(project, LOOK, with_discarded=True)
    }
    infos = {info.id: info for info, _ in project.media.all()}
    names = video_names(project)
    focus_list: list[FocusObject] = []
    findings: list[Finding] = []
    for heard in iter_answers(project, LISTEN, with_discarded=True):
        look = looks.get(ItemId(str(heard.item.source.get("item"))))
        (video_id,) = heard.item.video_ids
        focus = look.values.get("focus") if look is not None else None
        if look is None or not isinstance(focus, FrameBox):
            continue
        before, after = _belief(look), _belief(heard)
        why = _why_out(project, heard) or _why_out(project, look)
        if not why and (before is None or after is None or not is_kept(before, after)):
            why = "the answer did not change with sound"
        if why:
            findings.append(Finding("clip-out", names[video_id], f"The clip was excluded: {why}."))
            continue
        assert after is not None
        split = str(facts_of(infos[video_id]).get("split") or "train")
        materials = _materials(project, after[0])
        focus_list.append(FocusObject(video_id, names[video_id], split, focus, materials))
    return tuple(focus_list), tuple(findings)


def make_pairs(project: OpenProject) -> StepResult:
    """Pair the kept objects that are in too few pairs, and ask for questions about each pair;
    leads only.
    """
    objects, findings = focus_objects(project)
    by_name = {focus.name: focus for focus in objects}
    names, spec = video_names(project), pairing_of(project)
    pairs: list[ObjectPair] = []
    earlier_pairs: list[ObjectPair] = []
    for _, item in items_of_kind(project, WRITE, with_discarded=True):
        (earlier_pairs if item.state is ItemState.DISCARDED else pairs).append(pair_of(item, names))
    things = [Thing(o.name, o.split, o.materials) for o in objects]
    pairing = pair_up(things, spec, pairs, earlier_pairs)
    items = [
        Item(
            item_id(),
            WRITE,
            (by_name[pair.first].video_id, by_name[pair.second].video_id),
            boxes=(by_name[pair.first].focus, by_name[pair.second].focus),
            group=pair.name,
            source={"made": "pair", "split": pair.split, "seed": spec.seed},
        )
        for pair in pairing.pairs
    ]
    lacking = (
        Finding(
            "few-pairs", name, f"The object has {n} pairs too few: its split has too few objects."
        )
        for name, n in pairing.lacking.items()
    )
    return added(project, items, (*findings, *lacking))


def bank_of(project: OpenProject) -> tuple[BankEntry, ...]:
    """Return all questions that were written, in the order of the pairs and of their writers."""
    names = video_names(project)
    entries: list[BankEntry] = []
    for answers in iter_answers(project, WRITE):
        text = answers.text("question").strip()
        if not text or _flag(answers):
            continue
        properties = answers.values.get("properties")
        entries.append(
            BankEntry(
                f"{answers.item.id}/{answers.person_id}/{answers.entry}",
                text,
                answers.text("statement"),
                properties if isinstance(properties, tuple) else (),
                pair_of(answers.item, names),
                answers.text("answer"),
                answers.item.video_ids,
                answers.person_id,
            )
        )
    return tuple(entries)


def assign_bank_questions(project: OpenProject) -> StepResult:
    """Assign questions of the bank to pairs that have too few; leads only."""
    names, spec = video_names(project), pairing_of(project)
    bank = {entry.key: entry for entry in bank_of(project)}
    pairs = {pair_of(item, names): item for _, item in items_of_kind(project, WRITE)}
    written = [WrittenQuestion(entry.key, entry.text, entry.pair) for entry in bank.values()]
    had: dict[ObjectPair, set[str]] = {}
    for _, item in items_of_kind(project, DEALT, with_discarded=True):
        had.setdefault(pair_of(item, names), set()).add(str(item.source.get("question")))
    items: list[Item] = []
    findings: list[Finding] = []
    for hand in assign_questions(list(pairs), written, spec, had):
        for key in hand.questions:
            source: dict[str, Json] = {"made": "dealt", "question": key, "seed": spec.seed}
            source["split"] = hand.pair.split
            items.append(_question_item(pairs[hand.pair], DEALT, bank[key].text, source))
        if hand.lacking:
            text = f"Could not assign {hand.lacking} of {spec.questions_each} questions."
            findings.append(Finding("few-questions", hand.pair.name, text))
    return added(project, items, findings)


def make_confirmations(project: OpenProject) -> StepResult:
    """Create confirmation items for two further raters per answered question; leads only.

    These are the writer's answers about the own pair and the answers to assigned questions. The
    authors of answers about a pair are not among the two.
    """
    pairs = {item.video_ids: item for _, item in items_of_kind(project, WRITE)}
    handled = {
        (item.video_ids, str(item.source.get("question")))
        for _, item in items_of_kind(project, CONFIRM, with_discarded=True)
    }
    firsts = [_First(e.video_ids, e.key, e.text, e.answer, e.person_id) for e in bank_of(project)]
    for answers in iter_answers(project, DEALT):
        wording = answers.text("wording").strip() or answers.item.text
        key, answer = str(answers.item.source.get("question")), answers.text("answer")
        firsts.append(_First(answers.item.video_ids, key, wording, answer, answers.person_id))
    items: list[Item] = []
    people: dict[tuple[VideoId, ...], set[PersonId]] = {}
    for first in firsts:
        is_object = first.answer in (PairAnswer.FIRST, PairAnswer.SECOND)
        pair = pairs.get(first.video_ids)
        if pair is not None and is_object and (first.video_ids, first.key) not in handled:
            source: dict[str, Json] = {"made": CONFIRM, "question": first.key}
            source |= {"answer": first.answer, "split": str(pair.source.get("split"))}
            items.append(_question_item(pair, CONFIRM, first.text, source))
            people.setdefault(first.video_ids, set()).add(first.person_id)
    with project.work.transactions.together():
        item_ids = added(project, items)
        _bar(project, item_ids, people)
    return item_ids


class _First(NamedTuple):
    """The first answer to a question about a pair, and who gave it."""

    video_ids: tuple[VideoId, ...]
    key: str
    text: str
    answer: str
    person_id: PersonId


def _bar(
    project: OpenProject,
    made: StepResult,
    people: Mapping[tuple[VideoId, ...], Collection[PersonId]],
) -> None:
    """Keep those whose answers are looked at from the tasks that look at them."""
    new = set(made.item_ids)
    tasks = {
        task_id: item.video_ids
        for task_id, item in items_of_kind(project, CONFIRM)
        if item.id in new and task_id is not None
    }
    for task_id, video_ids in tasks.items():
        project.work.lead.bar(
            [task_id], people[video_ids], "An answer of this person is under review."
        )


@dataclass(frozen=True, slots=True)
class PacsDataPoint:
    """A data point: the question put to a pair, and the label or why it was dropped."""

    pair: ObjectPair
    question: str
    text: str
    label: int | None
    why: str
    answers: tuple[str, ...]


def data_points(project: OpenProject, needed: int = 3) -> tuple[PacsDataPoint, ...]:
    """Return the outcome of all confirmed questions."""
    names = video_names(project)
    confirmations = items_of_kind(project, CONFIRM, with_discarded=True)  # also without unanimity
    decided: dict[ItemId, tuple[Item, list[str], list[bool]]] = {
        item.id: (item, [], []) for _, item in confirmations
    }
    for answers in iter_answers(project, CONFIRM, with_discarded=True):
        decided[answers.item.id][1].append(answers.text("answer"))
        decided[answers.item.id][2].append(bool(_flag(answers)))
    points: list[PacsDataPoint] = []
    for item, answers_given, flags in decided.values():
        all_answers = [str(item.source.get("answer")), *answers_given]
        point = data_point(all_answers, needed, is_flagged=any(flags))
        pair = pair_of(item, names)
        key = str(item.source.get("question"))
        points.append(
            PacsDataPoint(pair, key, item.text, point.label, point.why, tuple(all_answers))
        )
    return tuple(points)


def pair_of(item: Item, names: Mapping[VideoId, str]) -> ObjectPair:
    """Return the pair that an item is about."""
    first, second = item.video_ids
    return ObjectPair(names[first], names[second], str(item.source.get("split", "")))


def pairing_of(project: OpenProject) -> PairingSpec:
    """Return the pairing settings of the recipe; WorkError without any."""
    spec = project.work.recipe.pairing
    if spec is None:
        raise WorkError("The recipe has no “pairing” section.", code="no-pairing")
    return spec


def _question_item(pair: Item, kind: str, text: str, source: dict[str, Json]) -> Item:
    texts = {"question": text}
    return Item(
        item_id(),
        kind,
        pair.video_ids,
        text,
        texts=texts,
        boxes=pair.boxes,
        group=pair.group,
        source=source,
    )


def _flag(answers: ItemAnswers) -> str:
    value = answers.values.get("flag")
    return value.reason if isinstance(value, Flagged) else ""


def _why_out(project: OpenProject, answers: ItemAnswers) -> str:
    """Return why a clip was flagged or taken out, in the words that people saw; "" if neither."""
    if answers.item.state is ItemState.DISCARDED:
        return f"“{answers.item.why_discarded}”"
    value = answers.values.get("flag")
    if not isinstance(value, Flagged):
        return ""
    task_type = project.work.recipe.task_type(answers.item.kind)
    asked = task_type.form.field("flag") if task_type and task_type.form else None
    words = {option.key: option.text for option in asked.options} if asked is not None else {}
    said = f"“{words.get(value.reason, value.reason)}”"
    return f"{said} ({value.text})" if value.text else said


def _belief(answers: ItemAnswers) -> tuple[Picked, int] | None:
    """Return materials and confidence, None where either is open."""
    materials, confidence = answers.values.get("materials"), answers.values.get("confidence")
    if isinstance(materials, Picked) and isinstance(confidence, int):
        return materials, int(confidence)
    return None


def _materials(project: OpenProject, picked: Picked) -> tuple[str, ...]:
    """Return the texts of the selected materials, and the typed one."""
    task_type = project.work.recipe.task_type(LISTEN)
    asked = task_type.form.field("materials") if task_type and task_type.form else None
    texts = {o.key: o.text.lower() for o in asked.options} if asked is not None else {}
    found = [texts.get(key, key) for key in picked.keys if key != OTHER_MATERIAL]
    other = " ".join(picked.other.split()).lower()
    return tuple(dict.fromkeys([*found, *([other] if other else [])]))
