"""The votes file beside a data set: answers of each person, agreement, and its method.

The benchmark's own files contain none of this. Only resolved items are written, and people appear
as IDs. Each item has its shown texts, its origin, its resolved answers with the rule, and the
people who decided. Votes voided by a lead are listed with the reason. A table of the same name has
a row for each vote.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from annotator.domain.agreement.estimate import VERSION, Estimate
from annotator.domain.agreement.resampling import Bootstrap
from annotator.domain.answer import plain_of
from annotator.domain.ids import ItemId, VideoId
from annotator.domain.json_type import Json
from annotator.domain.questions.items.item import Item
from annotator.services.background.jobs import JobToken
from annotator.services.files import write_atomically
from annotator.services.project.projects import OpenProject
from annotator.services.questions.agreement.agreement import agreement_of, question_kinds
from annotator.services.questions.voting.open_answer_groups import merges_in
from annotator.services.questions.voting.outcomes import Resolved, resolved_answers, video_names
from annotator.services.questions.voting.vote_voiding import VoidedVote, voided_votes
from annotator.services.tables import Cell, write_table
from annotator.store.questions.items import ItemFilter
from annotator.store.questions.votes import VoteRow, decided_votes

FORMAT: Final = "annotator-votes/1"
VOTE_COLUMNS: Final = (
    "kind",
    "item",
    "videos",
    "question",
    "field",
    "entry",
    "person",
    "stage",
    "answer",
    "counts_as",
    "submission",
    "voided",
    "resolved",
    "rule",
    "decided_by",
    "reason",
)


def votes_path(path: Path) -> Path:
    """Return the path of the votes file: in the data-set folder, or beside its file."""
    return path / "votes.json" if path.is_dir() else path.with_name(f"{path.stem}.votes.json")


def write_votes(
    project: OpenProject, path: Path, token: JobToken, how: Bootstrap | None = None
) -> None:
    """Write all decided votes and the estimates of agreement on them; leads only.

    One line for each estimate and item. Leaves the job when it is canceled.
    """
    recipe = project.work.recipe
    kinds = [task_type.kind for task_type in question_kinds(project)]
    stored: list[dict[str, Json]] = []
    for kind in kinds:
        estimates = agreement_of(project, kind, token, how, by_item=True)
        stored += (_stored(kind, estimate) for estimate in estimates if estimate.inputs.votes)
    about: dict[str, Json] = {"name": recipe.name, "version": recipe.version}
    names = video_names(project)
    head: dict[str, Json] = {"format": FORMAT, "recipe": about, "methods": VERSION}
    rows: list[tuple[Cell, ...]] = []

    def items() -> Iterator[dict[str, Json]]:
        for kind in kinds:
            resolved = {item.id: answers for item, answers in resolved_answers(project, kind)}
            voided = voided_votes(project, kind)
            for line in _items(project, kind, names, token):
                item_id = ItemId(str(line["item"]))
                line["voided"] = [_voided(vote) for vote in voided.get(item_id, ())]
                line["resolved"] = [_resolved(answer) for answer in resolved.get(item_id, ())]
                rows.extend(_rows(line))
                yield line

    write_atomically(path, _written(head, stored, items()))
    write_table(path.with_suffix(".csv"), VOTE_COLUMNS, rows)


def _resolved(answer: Resolved) -> dict[str, Json]:
    return {
        "field": answer.field,
        "entry": answer.entry,
        "answer": plain_of(answer.value),
        "rule": answer.rule,
        "decided_by": answer.decided_by,
        "reason": answer.reason,
    }


def _voided(vote: VoidedVote) -> dict[str, Json]:
    return {
        "person": vote.person_id,
        "stage": vote.stage,
        "field": vote.answer.key.field,
        "entry": vote.answer.key.entry,
        "answer": plain_of(vote.answer.value),
        "submission": vote.submission_id,
        "voided_by": vote.by,
        "reason": vote.reason,
    }


def _rows(line: Mapping[str, Any]) -> Iterator[tuple[Cell, ...]]:
    """Yield the rows of an item: one per vote, and one per answer without a vote."""
    about = (line["kind"], line["item"], " ".join(line["videos"]), line["question"])
    resolved = {(answer["field"], answer["entry"]): answer for answer in line["resolved"]}
    voted = set()
    for vote in (*line["votes"], *line["voided"]):
        place = vote["field"], vote["entry"]
        reason = vote.get("reason", "")
        if not reason:
            voted.add(place)
        given = (vote["person"], vote["stage"], _text(vote["answer"]), vote.get("counts_as", ""))
        yield (*about, *place, *given, vote["submission"], reason, *_decision(resolved.get(place)))
    for place, answer in resolved.items():
        if place not in voted:
            yield (*about, *place, "", "", "", "", "", "", *_decision(answer))


def _decision(answer: Mapping[str, Any] | None) -> tuple[Cell, ...]:
    if answer is None:
        return ("", "", "", "")
    return (_text(answer["answer"]), answer["rule"], answer["decided_by"], answer["reason"])


def _stored(kind: str, estimate: Estimate) -> dict[str, Json]:
    inputs = estimate.inputs
    stored: dict[str, Json] = {
        "kind": kind,
        "field": estimate.field,
        "by": estimate.by,
        "name": estimate.name,
        "method": estimate.method,
        "value": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "reason": estimate.reason.value if estimate.reason is not None else None,
        "units": inputs.units,
        "raters": inputs.raters,
        "votes": inputs.votes,
        "parameters": dict(estimate.params),
        "version": VERSION,
        "digest": inputs.digest,
    }
    return stored


def _items(
    project: OpenProject, kind: str, names: Mapping[VideoId, str], token: JobToken
) -> Iterator[dict[str, Json]]:
    items_by_id = {item.id: item for _, item in project.questions.list(ItemFilter(kind=kind))}
    merges = merges_in(project, kind)

    def counted(item: Item, row: VoteRow) -> str | None:
        """Value that a merged answer counts as; None if it counts as typed."""
        if not isinstance(row.value, str):
            return None
        group_text = merges.counted_text(row.field, item.text, row.value)
        return group_text if group_text != row.value else None

    rows = decided_votes(project.file, kind)
    for item_id, group in groupby(rows, key=lambda row: row.item_id):
        token.check()
        item = items_by_id[ItemId(item_id)]
        yield _item(item, [names[v] for v in item.video_ids], group, counted)


def _item(
    item: Item,
    videos: list[str],
    rows: Iterable[VoteRow],
    counted: Callable[[Item, VoteRow], str | None],
) -> dict[str, Json]:
    raters: list[Json] = []
    for row in rows:
        entry: dict[str, Json] = {
            "person": row.person_id,
            "stage": row.stage,
            "field": row.field,
            "entry": row.entry,
            "answer": plain_of(row.value),
            "submission": row.submission_id,
            "recipe_version": row.recipe_version,
        }
        merged = counted(item, row)
        raters.append(entry if merged is None else {**entry, "counts_as": merged})
    return {
        "item": item.id,
        "kind": item.kind,
        "videos": list(videos),
        "question": item.text,
        "texts": dict(item.texts),
        "source": dict(item.source),
        "options": {option.key: option.text for option in item.options},
        "purpose": item.purpose.value,
        "state": item.state.value,
        "why": item.why_discarded,
        "tags": list(item.tags),
        "votes": raters,
    }


def _written(
    head: Mapping[str, Json],
    estimates: Iterable[dict[str, Json]],
    items: Iterable[dict[str, Json]],
) -> Iterator[bytes]:
    yield b"{\n"
    for key, value in head.items():
        yield f"{json.dumps(key)}: {_text(value)},\n".encode()
    yield from _listed("figures", estimates)
    yield b",\n"
    yield from _listed("items", items)
    yield b"\n}\n"


def _listed(name: str, values: Iterable[dict[str, Json]]) -> Iterator[bytes]:
    yield f'"{name}": ['.encode()
    for i, value in enumerate(values):
        yield (("," if i else "") + "\n" + _text(value)).encode()
    yield b"]"


def _text(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
