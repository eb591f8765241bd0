"""Verification of written statistics: each is computed again and compared."""

from __future__ import annotations

import csv
import io
import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, NamedTuple

from annotator.domain.agreement.estimate import VERSION, Estimate, params_text
from annotator.domain.agreement.resampling import Bootstrap
from annotator.domain.answer import Value, plain_of, value_from
from annotator.domain.errors import ExchangeError, WorkError
from annotator.domain.ids import ItemId, PersonId, SubmissionId, TaskId
from annotator.domain.questions.answer_groups import Merges
from annotator.services.background.jobs import JobToken
from annotator.services.project.projects import OpenProject
from annotator.services.questions.agreement.agreement import (
    AGREEMENT_COLUMNS,
    agreement_of,
    comparable_kind,
)
from annotator.services.questions.agreement.agreement_files import (
    KNOWN_COLUMNS,
    KNOWN_METHOD,
    known_answers,
)
from annotator.services.questions.voting.open_answer_groups import merges_in
from annotator.services.questions.voting.outcomes import (
    BY_VOTES,
    Resolved,
    resolved_answers,
    vote_results,
)
from annotator.store.questions.votes import VoteRow

_MOST_BYTES: Final = 1 << 30
_MOST_DRAWS: Final = 1_000_000
_ROUNDING: Final = 1e-11
_NO_DRAWS: Final = Bootstrap(draws=0)


class RecomputeResult(StrEnum):
    """Result of recomputing a value."""

    SAME = "same"
    OTHER_INPUTS = "other-inputs"  # its inputs have changed
    OTHER_METHOD = "other-method"  # by another version of the methods
    OTHER_VALUE = "other-value"  # another estimate from the same inputs: the file was changed
    GONE = "gone"  # there is nothing any more that it is about


class StoredEstimate(NamedTuple):
    """A statistic as a file has it; ``name`` is the ID of a rater, item or task.

    Of a resolved answer ``answer`` is the answer with its rule and who decided it, as JSON.
    """

    kind: str
    field: str
    by: str
    name: str
    method: str
    value: float | None
    low: float | None
    high: float | None
    params: str
    version: str
    digest: str
    answer: str = ""

    @property
    def place(self) -> tuple[str, str, str, str, str, str]:
        """Place of the value: task type, field, group, method."""
        return (self.kind, self.field, self.by, self.name, self.method, self.params)


@dataclass(frozen=True, slots=True)
class Checked:
    """A statistic of a file, the verdict, and its present value (None: none).

    For a resolved answer ``answer_now`` is its present value.
    """

    stored: StoredEstimate
    verdict: RecomputeResult
    now: float | None
    answer_now: str = ""


def verify_estimates(project: OpenProject, path: Path, token: JobToken) -> list[Checked]:
    """Compute the statistics in a file again: a table (CSV) or a file of votes (JSON); leads only.

    Resolved answers of a file of votes are verified too, by the project and by the votes in the
    file. Parameters and seed are those of the file. ExchangeError if the file cannot be read.
    """
    project.work.people.check_lead()
    stored_estimates = read_estimates(path)
    if any(stored.method == KNOWN_METHOD for stored in stored_estimates):
        gold_accuracies = _known_now(project, stored_estimates)
        return [_judged(stored, gold_accuracies.get(stored.place)) for stored in stored_estimates]
    now: dict[tuple[str, ...], Estimate] = {}
    for kind, how in dict.fromkeys(
        (stored.kind, bootstrap_of(stored)) for stored in stored_estimates
    ):
        wants_items = any(
            (stored.by, stored.kind) == ("item", kind) and bootstrap_of(stored) == how
            for stored in stored_estimates
        )
        now |= _worked_out(project, kind, how, token, by_item=wants_items)
    checks = [_judged(stored, _now_of(now.get(stored.place))) for stored in stored_estimates]
    return [*checks, *_checked_answers(project, path, token)]


def counts_of(checked: Iterable[Checked]) -> dict[RecomputeResult, int]:
    """Return the number of statistics by verdict."""
    counts = Counter(each.verdict for each in checked)
    return {verdict: counts[verdict] for verdict in RecomputeResult}


def read_estimates(path: Path) -> list[StoredEstimate]:
    """Return the statistics in a file; ExchangeError if it is damaged or another file."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise _refused(path, "the file is too large")
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise _refused(path, getattr(error, "strerror", None) or "the file is not text") from error
    try:
        found = list(_of_json(text) if text.lstrip().startswith("{") else _of_csv(text))
        for each in found:
            _check(each)
        return found
    except (ValueError, TypeError, KeyError, csv.Error) as error:
        raise _refused(path, "the file is damaged or has another format") from error


def _check(stored: StoredEstimate) -> None:
    """Raise ValueError or KeyError for parameters that no estimate of ours has."""
    bootstrap_of(stored)
    params = dict(part.split("=", 1) for part in stored.params.split() if "=" in part)
    level, draws = float(params.get("level", 0.5)), int(params.get("draws", 0))
    if not 0 < level < 1 or not 0 <= draws <= _MOST_DRAWS or int(params.get("seed", 0)) < 0:
        raise ValueError("parameters that cannot be")


def bootstrap_of(stored: StoredEstimate) -> Bootstrap:
    """Return the draws that an estimate names; none where it has no interval."""
    found = dict(part.split("=", 1) for part in stored.params.split() if "=" in part)
    if "draws" not in found:
        return _NO_DRAWS
    return Bootstrap(int(found["draws"]), int(found["seed"]), float(found["level"]))


def _worked_out(
    project: OpenProject, kind: str, how: Bootstrap, token: JobToken, *, by_item: bool
) -> dict[tuple[str, ...], Estimate]:
    try:
        comparable_kind(project, kind)
    except WorkError:
        return {}
    found = agreement_of(project, kind, token, how, by_item=by_item)
    return {(kind, f.field, f.by, f.name, f.method, params_text(f.params)): f for f in found}


class _Now(NamedTuple):
    """An estimate as it comes out now: value and both ends of its interval, and of what."""

    values: tuple[float | None, float | None, float | None]
    digest: str


def _now_of(estimate: Estimate | None) -> _Now | None:
    if estimate is None:
        return None
    return _Now((estimate.value, estimate.low, estimate.high), estimate.inputs.digest)


def _known_now(
    project: OpenProject, stored: Iterable[StoredEstimate]
) -> dict[tuple[str, ...], _Now]:
    """Return the present gold accuracies, by their place in a file."""
    found: dict[tuple[str, ...], _Now] = {}
    for kind, params in dict.fromkeys((each.kind, each.params) for each in stored):
        for known in known_answers(project, kind, float(params.removeprefix("level="))):
            place = (kind, "", known.purpose.value, known.person_id, KNOWN_METHOD, params)
            found[place] = _Now((known.share, known.low, known.high), known.digest)
    return found


def _checked_answers(project: OpenProject, path: Path, token: JobToken) -> list[Checked]:
    """Return the verdicts on the resolved answers in a file of votes."""
    text = path.read_text(encoding="utf-8-sig")
    if not text.lstrip().startswith("{"):
        return []
    try:
        items = [_item_in(entry) for entry in json.loads(text).get("items", [])]
    except (ValueError, TypeError, KeyError) as error:
        raise _refused(path, "the file is damaged or has another format") from error
    now: dict[tuple[str, str, str, int], str] = {}
    for kind in dict.fromkeys(item.kind for item in items):
        for _, answers in resolved_answers(project, kind):
            token.check()
            now |= {(kind, a.item_id, a.field, a.entry): _as_text(a) for a in answers}
    merges = {kind: merges_in(project, kind) for kind in {item.kind for item in items}}
    checks: list[Checked] = []
    for item in items:
        by_votes = _by_votes(project, item, merges[item.kind])
        for entry in item.resolved:
            answer = _as_text(entry)
            is_own = entry.decided_by != BY_VOTES or (
                by_votes.get((entry.field, entry.entry)) == entry.value
            )
            place = (item.kind, entry.field, "item", item.id, f"resolved {entry.entry}")
            stored = StoredEstimate(*place, None, None, None, "", str(VERSION), "", answer)
            stored_answer = now.get((item.kind, item.id, entry.field, entry.entry), "")
            verdict = (
                RecomputeResult.SAME if answer == stored_answer else RecomputeResult.OTHER_INPUTS
            )
            if not stored_answer:
                verdict = RecomputeResult.GONE
            elif not is_own:
                verdict = RecomputeResult.OTHER_VALUE
            checks.append(Checked(stored, verdict, None, stored_answer))
    return checks


class _ItemIn(NamedTuple):
    """An item of a file of votes."""

    id: ItemId
    kind: str
    question: str
    rows: list[VoteRow]
    resolved: list[Resolved]


def _item_in(table: Mapping[str, Any]) -> _ItemIn:
    item_id = ItemId(_text(table["item"]))
    rows = [
        VoteRow(
            *(
                item_id,
                _text(entry["field"]),
                int(entry["entry"]),
                TaskId(""),
                _text(entry["stage"]),
            ),
            *(0, PersonId(_text(entry["person"])), SubmissionId(""), value_from(entry["answer"])),
            *(0, 0, 0),
        )
        for entry in table["votes"]
    ]
    resolved = [
        Resolved(
            *(item_id, _text(entry["field"]), int(entry["entry"]), value_from(entry["answer"])),
            *(_text(entry["rule"]), _text(entry["decided_by"]), _text(entry["reason"])),
        )
        for entry in table.get("resolved", ())
    ]
    return _ItemIn(item_id, _text(table["kind"]), _text(table["question"]), rows, resolved)


def _by_votes(project: OpenProject, item: _ItemIn, merges: Merges) -> dict[tuple[str, int], Value]:
    """Return the outcome of the votes in the file by the recipe, with merged texts by title."""
    task_type = project.work.recipe.task_type(item.kind)
    if task_type is None or task_type.form is None or not item.rows:
        return {}
    values: dict[tuple[str, int], Value] = {}
    for stage in task_type.stages:
        rows = [row for row in item.rows if row.stage == stage.key]
        if stage.raters < 2 or not rows:
            continue
        results = vote_results(task_type.form, stage, rows, {item.id: item.question}, merges)
        for answer in results.get(item.id, ()):
            value = answer.value
            if isinstance(value, str):
                value = merges.counted_text(answer.key.field, item.question, value)
            values[answer.key.field, answer.key.entry] = value
    return values


def _as_text(each: Resolved) -> str:
    stored = (plain_of(each.value), each.rule, each.decided_by, each.reason)
    return json.dumps(stored, ensure_ascii=False, sort_keys=True)


def _judged(stored: StoredEstimate, now: _Now | None) -> Checked:
    if now is None:
        return Checked(stored, RecomputeResult.GONE, None)
    verdict = RecomputeResult.SAME
    if stored.digest != now.digest:
        verdict = RecomputeResult.OTHER_INPUTS
    elif not all(map(_is_same, (stored.value, stored.low, stored.high), now.values)):
        is_ours = stored.version == str(VERSION)
        verdict = RecomputeResult.OTHER_VALUE if is_ours else RecomputeResult.OTHER_METHOD
    return Checked(stored, verdict, now.values[0])


def _is_same(stored: float | None, now: float | None) -> bool:
    """Return whether two estimates are the same but for how a processor rounds a sum."""
    if stored is None or now is None:
        return stored is now
    return math.isclose(stored, now, rel_tol=_ROUNDING, abs_tol=_ROUNDING)


def _of_csv(text: str) -> Iterator[StoredEstimate]:
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    if set(KNOWN_COLUMNS) <= set(reader.fieldnames or ()):
        yield from map(_of_known, reader)
        return
    if not set(AGREEMENT_COLUMNS) <= set(reader.fieldnames or ()):
        raise ValueError("columns are missing")
    for row in reader:
        yield StoredEstimate(
            row["kind"],
            row["field"],
            row["by"],
            row["id"] or _plain(row["name"]),
            row["method"],
            _number(row["value"]),
            _number(row["low"]),
            _number(row["high"]),
            row["parameters"],
            row["version"],
            row["digest"],
        )


def _of_known(row: Mapping[str, str]) -> StoredEstimate:
    return StoredEstimate(
        row["kind"],
        "",
        row["purpose"],
        row["id"],
        row["method"],
        _number(row["share"]),
        _number(row["low"]),
        _number(row["high"]),
        f"level={float(row['level'])}",
        row["version"],
        row["digest"],
    )


def _of_json(text: str) -> Iterator[StoredEstimate]:
    whole: Any = json.loads(text)
    for row in whole["figures"]:
        yield StoredEstimate(
            _text(row["kind"]),
            _text(row["field"]),
            _text(row["by"]),
            _text(row["name"]),
            _text(row["method"]),
            _number(row["value"]),
            _number(row["low"]),
            _number(row["high"]),
            params_text(_table(row["parameters"])),
            str(row["version"]),
            _text(row["digest"]),
        )


def _number(stored: str | float | None) -> float | None:
    return None if stored is None or stored == "" else float(stored)


def _plain(text: str) -> str:
    """Return a text without the apostrophe that keeps spreadsheets from taking it for a formula."""
    return text[1:] if text[:1] == "'" and text[1:2] in "=+-@\t\r" else text


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return value


def _table(value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise TypeError("no table")
    return value


def _refused(path: Path, why: str) -> ExchangeError:
    return ExchangeError(
        f"Cannot read statistics from the file: {why}.",
        hint="Select agreement.csv from “annotator stats export”, or the votes file of a data set.",
        where=str(path),
    )
