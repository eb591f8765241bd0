"""The lead's acts of Neptune: sets brought in to be judged, the discard report, the list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

from annotator.domain.answer_value import Spans
from annotator.domain.checks import Finding, Severity
from annotator.domain.errors import WorkError
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
    corrected,
    discard_report,
    item_of,
    missing_of,
    set_of,
)
from annotator.domain.questions.items.item import Item, ItemState, Purpose
from annotator.services.files import write_atomically
from annotator.services.project.projects import OpenProject
from annotator.services.questions.making import StepResult, added
from annotator.services.questions.voting.outcomes import (
    DecidedItem,
    outcomes,
    video_names,
    videos_named,
    why_not_one,
)
from annotator.services.questions.voting.sheets import sheets
from annotator.services.transfer.clock import FrameTimes
from annotator.store.catalog import videos
from annotator.store.questions.items import ItemFilter
from annotator.store.questions.votes import votes_of_kind

JUDGE: Final = "judge"
TRAINING: Final = "training"
CERTIFICATE: Final = "certificate"
_SETS: Final = (JUDGE, TRAINING)


def import_sets(project: OpenProject, path: Path) -> StepResult:
    """Bring in the sets of a file; leads only.

    They are to be judged, but those whose judgement is known: of these raters learn, and the ones
    without a video are checks among the others. ExchangeError for a bad file, with nothing taken
    over. A set whose video the project has not, or whose key it has already, is left out and named.
    """
    from annotator.benchmarks.neptune.files import read_sets

    named = videos_named(project)
    had = {item.source.get("key") for k in _SETS for _, item in _listed(project, k)}
    items: list[Item] = []
    checks: list[Item] = []
    findings: list[Finding] = []
    for found in read_sets(path):
        if found.key in had:
            findings.append(Finding("known-set", found.key, "The set is already in the project."))
        elif not found.video:
            checks.append(item_of(found, None, JUDGE, Purpose.ATTENTION))
        elif why := why_not_one(found.video, named):
            text = f"{why}; the set was skipped."
            findings.append(Finding("no-video", found.key, text, Severity.ERROR))
        elif found.judgement:
            items.append(item_of(found, named[found.video][0], TRAINING, Purpose.TRAINING))
        else:
            items.append(item_of(found, named[found.video][0], JUDGE))
    project.screening.add_checks(checks)
    made = added(project, items, findings)
    return StepResult((*made.item_ids, *(item.id for item in checks)), made.findings)


def settled_sets(project: OpenProject) -> tuple[DecidedItem, ...]:
    """Return what became of the sets that are settled, for what is told of them; leads only."""
    return tuple(outcomes(project, JUDGE))


def report_discards(
    project: OpenProject, found: Sequence[DecidedItem] | None = None
) -> DiscardReport:
    """Return how many sets were discarded, why, of which type and by whom; leads only.

    ``found`` are the `settled_sets`, where they are at hand.

    Reasons are the statements that were not ticked, and what was said where a set was taken out
    because of flags or by a lead.
    """
    listed = [item for _, item in _listed(project, JUDGE) if item.purpose is Purpose.WORK]
    types = {item.id: item.texts.get(TYPE, "") for item in listed}
    names = {person.id: person.name for person in project.work.people.all()}
    fields = _fields(project)
    telling = [f.key for f in fields if f.needed or f.kind is FieldKind.FLAG]
    judgements = [
        SetRating(s.item.id, names.get(s.person_id, s.person_id), missing_of(fields, s.values))
        for s in sheets(project, JUDGE, with_discarded=True, fields=telling)
        if s.stage == JUDGE
    ]
    settled: dict[ItemId, tuple[str, ...]] = {
        outcome.item.id: missing_of(fields, outcome.values())
        for outcome in (settled_sets(project) if found is None else found)
    }
    settled |= {i.id: (i.why_discarded,) for i in listed if i.state is ItemState.DISCARDED}
    return discard_report(types, settled, judgements)


def statements(project: OpenProject) -> dict[str, str]:
    """Return the statements that a set is kept for, by key."""
    return {o.key: o.text for field in _fields(project) for o in field.options if field.needed}


@dataclass(frozen=True, slots=True)
class KeptSet:
    """A set that was kept, as it was corrected; whose submission says so, and what proves it."""

    found: AnswerSet
    submission_id: SubmissionId
    modality: str
    certificate: TemporalCertificate | None
    effort_s: float | None


def kept_sets(project: OpenProject, found: Sequence[DecidedItem]) -> Iterator[KeptSet]:
    """Yield those of the `settled_sets` that were kept; leads only.

    The effort is the median of the times that raters took, from seeing the set to marking what
    proves the answer.
    """
    names, fields = video_names(project), _fields(project)
    efforts = _efforts(project)
    for outcome in found:
        if missing_of(fields, outcome.values()):
            continue
        source: dict[str, Json] = {"submission": outcome.submission_id}
        item = corrected(outcome.item, outcome.values(), JUDGE, source)
        yield KeptSet(
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
    """Write the sets that were kept, and beside them those of each modality; leads only.

    ``sets.json`` comes with ``sets.vision.json`` and so on, and with a file that says of each set
    whose corrections they are, which modality answers it, and what proves the answer.
    """
    from annotator.benchmarks.neptune.files import records_of
    from annotator.exchange.json_value import encode_value

    kept = list(kept_sets(project, settled_sets(project)))
    recipe = project.work.recipe
    modalities = {each.found.key: each.modality for each in kept}
    records, findings = records_of([each.found for each in kept], recipe.seed)
    write_atomically(path, encode_value(list(records)))
    parts: dict[str, list[Json]] = {}
    for record in records:
        parts.setdefault(modalities[str(record["key"])], []).append(record)
    for modality, part in parts.items():
        write_atomically(path.with_name(f"{path.stem}.{modality}.json"), encode_value(part))
    about: dict[str, Json] = {"recipe": recipe.name, "version": recipe.version, "seed": recipe.seed}
    side: dict[str, Json] = {each.found.key: _told(each) for each in kept}
    whole: dict[str, Json] = {"about": about, "sets": side}
    write_atomically(path.with_name(f"{path.stem}.provenance.json"), encode_value(whole))
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
    info = project.footage.video(video_id).info
    times = FrameTimes(videos.frame_table(project.file, video_id), info)
    return certificate_of(spans, lambda frame: times.at(frame) / 1e6, info.duration_s)


def _told(each: KeptSet) -> dict[str, Json]:
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
