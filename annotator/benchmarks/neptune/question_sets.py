"""Neptune steps of the lead: import question sets, assign them for rating, export them.

A finished record has five choices, ``answer_choice_0`` to ``answer_choice_4``, and the place of the
answer among them. Proposed sets may come so, or with a list of ``decoys``; the type of the question
stands under ``question type`` or ``question_type``, the video under its name or its address.
Sets that raters are trained and checked by have a ``judgement`` besides: the right answers by the
keys of the fields, each a text or a list of texts. Such a set may do without a video.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

from annotator.domain.answer import Spans
from annotator.domain.checks import Finding, Severity
from annotator.domain.errors import ExchangeError, WorkError
from annotator.domain.forms.field import Field, FieldKind
from annotator.domain.ids import ItemId, SubmissionId, TaskId
from annotator.domain.json_type import Json
from annotator.domain.questions.items.answer_sets import (
    TYPE,
    AnswerSet,
    DiscardReport,
    SetRating,
    TemporalCertificate,
    certificate_of,
    choices_of,
    corrected,
    discard_report,
    item_of,
    missing_of,
    set_of,
)
from annotator.domain.questions.items.item import Item, ItemState, Purpose
from annotator.exchange.json_value import encode_value, read_value
from annotator.exchange.node import Node
from annotator.services.files import write_atomically
from annotator.services.project.projects import OpenProject
from annotator.services.questions.question_generation import StepResult, added
from annotator.services.questions.voting.outcomes import (
    DecidedItem,
    outcomes,
    video_names,
    videos_named,
    why_not_one,
)
from annotator.services.questions.voting.submitted_answers import iter_answers
from annotator.services.transfer.frame_times import FrameTimes
from annotator.store.catalog import videos
from annotator.store.questions.items import ItemFilter
from annotator.store.questions.votes import votes_of_kind

N_CHOICES: Final = 5
TYPE_KEY: Final = "question type"
_CHOICE: Final = "answer_choice_"
_TYPE_KEYS: Final = (TYPE_KEY, "question_type")
_ADDRESS: Final = re.compile(r"https?://\S*?(?:[?&]v=|youtu\.be/|/shorts/|/embed/)([\w-]{6,})\S*")
_JUDGEMENT: Final = "judgement"
_KNOWN: Final = frozenset(
    ("key", "video_id", "question", "answer", "answer_id", "decoys", _JUDGEMENT, *_TYPE_KEYS)
) | {f"{_CHOICE}{i}" for i in range(N_CHOICES)}


def read_sets(path: Path) -> tuple[AnswerSet, ...]:
    """Return the sets of a file in their order; ExchangeError with the path of the first fault."""
    sets: list[AnswerSet] = []
    seen: dict[str, str] = {}
    for i, node in enumerate(read_value(path).items()):
        found = _set(node, i)
        if found.key in seen:
            raise node.key("key").fail(
                f"Duplicate key “{found.key}”, already used by {seen[found.key]}."
            )
        seen[found.key] = node.path
        sets.append(found)
    return tuple(sets)


def records_of(
    sets: Iterable[AnswerSet], seed: int
) -> tuple[list[dict[str, Json]], tuple[Finding, ...]]:
    """Return the records of the finished list, in order, and which sets could not be written.

    A choice must be different from the others, and there are five.
    """
    records: list[dict[str, Json]] = []
    findings: list[Finding] = []
    for question_set in sets:
        choices, place = choices_of(question_set, seed)
        where = f"{question_set.video}, {question_set.key}"
        if len(choices) != N_CHOICES or len({_like(c) for c in choices}) != len(choices):
            text = f"Skipped: the set requires {N_CHOICES} different choices."
            findings.append(Finding("few-choices", where, text, Severity.ERROR))
            continue
        records.append(_record(question_set, choices, place))
    return records, tuple(findings)


def bare_id(video: str) -> str:
    """Return the id of a video, which may be given as an address."""
    match = _ADDRESS.fullmatch(video.strip())
    return match.group(1) if match else video.strip()


def _record(each: AnswerSet, choices: tuple[str, ...], place: int) -> dict[str, Json]:
    record: dict[str, Json] = {
        "key": each.key,
        "video_id": each.video,
        "question": each.question,
        "answer": each.answer,
    }
    record |= {f"{_CHOICE}{i}": choice for i, choice in enumerate(choices)}
    record |= {"answer_id": place, TYPE_KEY: each.type}
    return {**record, **{k: v for k, v in each.extra.items() if k not in record}}


def _made_up_key(members: Mapping[str, Json], video: str, index: int) -> str:
    """Return the key of a set whose file has none: its position, or its content if it has a
    judgement, so that training sets are never confused with others."""
    if _JUDGEMENT not in members:
        return f"{video or 'check'}/{index + 1}"
    digest = hashlib.sha256(b"".join(encode_value(dict(members)))).hexdigest()
    return f"training/{digest[:16]}"


def _set(node: Node, index: int) -> AnswerSet:
    members = node.object()
    has_video = "video_id" in members or _JUDGEMENT not in members
    video = bare_id(_filled(node.key("video_id"))) if has_video else ""
    answer = _filled(node.key("answer"))
    type_key = next((key for key in _TYPE_KEYS if key in members), None)
    return AnswerSet(
        _filled(node.key("key")) if "key" in members else _made_up_key(members, video, index),
        video,
        _filled(node.key("question")),
        answer,
        _decoys(node, answer, members),
        node.key(type_key).text() if type_key else "",
        {key: value for key, value in members.items() if key not in _KNOWN},
        _judgement(node.key(_JUDGEMENT)) if _JUDGEMENT in members else {},
    )


def _judgement(node: Node) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for key in node.object():
        value = node.key(key)
        is_list = isinstance(value.value, list)
        found[key] = tuple(map(_filled, value.items() if is_list else [value]))
    if not any(found.values()):
        raise node.fail("The set has no known keys.")
    return found


def _decoys(node: Node, answer: str, members: Mapping[str, Json]) -> tuple[str, ...]:
    if "decoys" in members:
        nodes = node.key("decoys").items()
        if len(nodes) != N_CHOICES - 1:
            wrong = f"Expected {N_CHOICES - 1} decoys, found {len(nodes)}."
            raise node.key("decoys").fail(wrong)
        texts = [_filled(decoy_node) for decoy_node in nodes]
        for text, decoy_node in zip(texts, nodes, strict=True):
            if _like(text) == _like(answer):
                raise decoy_node.fail("The decoy is equal to the correct answer.")
    else:
        names = [f"{_CHOICE}{i}" for i in range(N_CHOICES)]
        choices = [_filled(node.key(name)) for name in names]
        place = node.key("answer_id")
        if not 0 <= place.whole() < N_CHOICES:
            raise place.fail(f"Must be an integer from 0 to {N_CHOICES - 1}.")
        if choices[place.whole()] != answer:
            raise place.fail(f"Choice {place.whole()} is not the correct answer.")
        texts = [text for i, text in enumerate(choices) if i != place.whole()]
    if len({_like(text) for text in (answer, *texts)}) != len(texts) + 1:
        raise node.fail("Two choices are equal.")
    return tuple(texts)


def _filled(node: Node) -> str:
    text = node.text()
    if not text.strip():
        raise ExchangeError("The text is empty.", where=node.path)
    return text


def _like(text: str) -> str:
    return " ".join(text.split()).casefold()


JUDGE: Final = "judge"
TRAINING: Final = "training"
CERTIFICATE: Final = "certificate"
_SETS: Final = (JUDGE, TRAINING)


def import_sets(project: OpenProject, path: Path) -> StepResult:
    """Import the question sets of a file; leads only.

    They are to be judged, but those whose judgement is known: of these raters learn, and the ones
    without a video are checks among the others. ExchangeError for a bad file, with nothing taken
    over. A set whose video the project has not, or whose key it has already, is left out and named.
    """

    named = videos_named(project, with_endings=True)
    had = {item.source.get("key") for k in _SETS for _, item in _listed(project, k)}
    items: list[Item] = []
    checks: list[Item] = []
    findings: list[Finding] = []
    for read_set in read_sets(path):
        if read_set.key in had:
            findings.append(
                Finding("known-set", read_set.key, "The set is already in the project.")
            )
        elif not read_set.video:
            checks.append(item_of(read_set, None, JUDGE, Purpose.ATTENTION))
        elif why := why_not_one(read_set.video, named):
            text = f"{why}; the set was skipped."
            findings.append(Finding("no-video", read_set.key, text, Severity.ERROR))
        elif read_set.judgement:
            items.append(item_of(read_set, named[read_set.video][0], TRAINING, Purpose.TRAINING))
        else:
            items.append(item_of(read_set, named[read_set.video][0], JUDGE))
    project.qualification.add_checks(checks)
    item_ids = added(project, items, findings)
    return StepResult((*item_ids.item_ids, *(item.id for item in checks)), item_ids.findings)


def resolved_sets(project: OpenProject) -> tuple[DecidedItem, ...]:
    """Return the outcome of all resolved question sets; leads only."""
    return tuple(outcomes(project, JUDGE))


def report_discards(
    project: OpenProject, decided: Sequence[DecidedItem] | None = None
) -> DiscardReport:
    """Return the number of discarded sets by reason, type and rater; leads only.

    ``found`` are the `resolved_sets`, if already computed.

    Reasons are the statements that were not ticked, and the reason given where a set was discarded
    because of flags or by a lead.
    """
    listed = [item for _, item in _listed(project, JUDGE) if item.purpose is Purpose.WORK]
    types = {item.id: item.texts.get(TYPE, "") for item in listed}
    names = {person.id: person.name for person in project.work.people.all()}
    fields = _fields(project)
    telling = [f.key for f in fields if f.needed or f.kind is FieldKind.FLAG]
    judgements = [
        SetRating(s.item.id, names.get(s.person_id, s.person_id), missing_of(fields, s.values))
        for s in iter_answers(project, JUDGE, with_discarded=True, fields=telling)
        if s.stage == JUDGE
    ]
    settled: dict[ItemId, tuple[str, ...]] = {
        outcome.item.id: missing_of(fields, outcome.values())
        for outcome in (resolved_sets(project) if decided is None else decided)
    }
    settled |= {i.id: (i.why_discarded,) for i in listed if i.state is ItemState.DISCARDED}
    return discard_report(types, settled, judgements)


def statements(project: OpenProject) -> dict[str, str]:
    """Return the statements that a set is kept for, by key."""
    return {o.key: o.text for field in _fields(project) for o in field.options if field.needed}


@dataclass(frozen=True, slots=True)
class AcceptedSet:
    """A question set accepted after correction, with the deciding submission and its proof."""

    found: AnswerSet
    submission_id: SubmissionId
    modality: str
    certificate: TemporalCertificate | None
    effort_s: float | None


def accepted_sets(project: OpenProject, decided: Sequence[DecidedItem]) -> Iterator[AcceptedSet]:
    """Yield the accepted ones of the `resolved_sets`; leads only.

    The effort is the median of the times that raters took, from seeing the set to marking what
    proves the answer.
    """
    names, fields = video_names(project), _fields(project)
    efforts = _efforts(project)
    for outcome in decided:
        if missing_of(fields, outcome.values()):
            continue
        source: dict[str, Json] = {"submission": outcome.submission_id}
        item = corrected(outcome.item, outcome.values(), JUDGE, source)
        yield AcceptedSet(
            set_of(item, names[item.video_ids[0]]),
            outcome.submission_id,
            outcome.text("modality"),
            _certificate(project, outcome),
            efforts.get(outcome.item.id),
        )


@dataclass(frozen=True, slots=True)
class ListReport:
    """Result of writing: number of records, by modality, and records left out."""

    path: Path
    n_records: int
    by_modality: Mapping[str, int]
    findings: tuple[Finding, ...]


def export_list(project: OpenProject, path: Path) -> ListReport:
    """Write the accepted sets, and a file for each modality; leads only.

    ``sets.json`` comes with ``sets.vision.json`` and so on, and with a file that says of each set
    whose corrections they are, which modality answers it, and what proves the answer.
    """
    from annotator.exchange.json_value import encode_value

    kept_list = list(accepted_sets(project, resolved_sets(project)))
    recipe = project.work.recipe
    modalities = {question_set.found.key: question_set.modality for question_set in kept_list}
    records, findings = records_of([question_set.found for question_set in kept_list], recipe.seed)
    write_atomically(path, encode_value(list(records)))
    parts: dict[str, list[Json]] = {}
    for record in records:
        parts.setdefault(modalities[str(record["key"])], []).append(record)
    for modality, part in parts.items():
        write_atomically(path.with_name(f"{path.stem}.{modality}.json"), encode_value(part))
    about: dict[str, Json] = {"recipe": recipe.name, "version": recipe.version, "seed": recipe.seed}
    side: dict[str, Json] = {
        question_set.found.key: _set_json(question_set) for question_set in kept_list
    }
    body: dict[str, Json] = {"about": about, "sets": side}
    write_atomically(path.with_name(f"{path.stem}.provenance.json"), encode_value(body))
    counts = {modality: len(parts[modality]) for modality in sorted(parts)}
    return ListReport(path, len(records), counts, findings)


def _listed(project: OpenProject, kind: str) -> list[tuple[TaskId | None, Item]]:
    return project.questions.list(ItemFilter(kind=kind))


def _fields(project: OpenProject) -> tuple[Field, ...]:
    task_type = project.work.recipe.task_type(JUDGE)
    if task_type is None or task_type.form is None:
        raise WorkError(f"The task type “{JUDGE}” of the recipe has no form.", code="no-form")
    return task_type.form.fields


def _efforts(project: OpenProject) -> dict[ItemId, float]:
    """Return how long it took raters to mark a certificate, in seconds."""
    took: dict[ItemId, list[int]] = {}
    for row in votes_of_kind(project.file, JUDGE, (CERTIFICATE,)):
        if row.stage == JUDGE:
            took.setdefault(row.item_id, []).append(row.took_ms)
    return {item_id: median(each) / 1000 for item_id, each in took.items()}


def _certificate(project: OpenProject, outcome: DecidedItem) -> TemporalCertificate | None:
    spans = outcome.value(CERTIFICATE)
    if not isinstance(spans, Spans):
        return None
    (video_id,) = outcome.item.video_ids
    info = project.media.video(video_id).info
    times = FrameTimes(videos.frame_table(project.file, video_id), info)
    return certificate_of(spans, lambda frame: times.at(frame) / 1e6, info.duration_s)


def _set_json(each: AcceptedSet) -> dict[str, Json]:
    told: dict[str, Json] = {"submission": each.submission_id, "modality": each.modality}
    found = each.certificate
    if found is not None:
        told["certificate"] = {
            "spans": found.n_spans,
            "length_s": found.length_s,
            "reach_s": found.reach_s,
            "share": found.share,
            "effort_s": each.effort_s,
        }
    return told
