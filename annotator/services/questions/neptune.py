"""The lead's acts of Neptune: sets brought in to be judged, the discard report, the list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from annotator.domain.checks import Finding, Severity
from annotator.domain.errors import WorkError
from annotator.domain.forms.field import Field
from annotator.domain.forms.value import Spans
from annotator.domain.ids import ItemId, TaskId, VideoId
from annotator.domain.questions.answer_sets import (
    TYPE,
    Certificate,
    DiscardReport,
    Judgement,
    certificate_of,
    corrected,
    discard_report,
    item_of,
    missing_of,
    set_of,
)
from annotator.domain.questions.item import Item, ItemState, Purpose
from annotator.domain.track import Json
from annotator.services.files import write_atomically
from annotator.services.projects import OpenProject
from annotator.services.questions.making import Made, added
from annotator.services.questions.outcomes import Outcome, outcomes, video_names
from annotator.services.questions.sheets import sheets
from annotator.services.transfer.clock import FrameTimes
from annotator.store import videos
from annotator.store.items import ItemFilter

JUDGE: Final = "judge"
TRAINING: Final = "training"
_SETS: Final = (JUDGE, TRAINING)


def import_sets(project: OpenProject, path: Path) -> Made:
    """Bring in the sets of a file; leads only.

    They are to be judged, but those whose judgement is known: of these raters learn, and the ones
    without a video are checks among the others. ExchangeError for a bad file, with nothing taken
    over. A set whose video the project has not, or whose key it has already, is left out and named.
    """
    from annotator.exchange.neptune.files import read_sets

    known: dict[str, VideoId] = {name: id_ for id_, name in video_names(project).items()}
    had = {item.source.get("key") for k in _SETS for _, item in _listed(project, k)}
    items: list[Item] = []
    checks: list[Item] = []
    findings: list[Finding] = []
    for found in read_sets(path):
        if found.key in had:
            findings.append(Finding("known-set", found.key, "The project has it already."))
        elif not found.video:
            checks.append(item_of(found, None, JUDGE, Purpose.ATTENTION))
        elif found.video not in known:
            text = f"The project has no video “{found.video}”; the set was left out."
            findings.append(Finding("no-video", found.key, text, Severity.ERROR))
        elif found.judgement:
            items.append(item_of(found, known[found.video], TRAINING, Purpose.TRAINING))
        else:
            items.append(item_of(found, known[found.video], JUDGE))
    project.screening.add_checks(checks)
    made = added(project, items, findings)
    return Made((*made.item_ids, *(item.id for item in checks)), made.findings)


def report_discards(project: OpenProject) -> DiscardReport:
    """Return how many sets were discarded, why, of which type and by whom; leads only."""
    listed = [item for _, item in _listed(project, JUDGE)]
    types = {i.id: i.texts.get(TYPE, "") for i in listed if i.purpose is Purpose.WORK}
    names = {person.id: person.name for person in project.work.people.all()}
    fields = _fields(project)
    judgements = [
        Judgement(s.item.id, names.get(s.person_id, s.person_id), missing_of(fields, s.values))
        for s in sheets(project, JUDGE, with_discarded=True)
        if s.stage == JUDGE
    ]
    settled: dict[ItemId, tuple[str, ...]] = {
        outcome.item.id: missing_of(fields, outcome.values()) for outcome in _settled(project)
    }
    for item in listed:
        if item.state is ItemState.DISCARDED and item.id in types:
            settled[item.id] = _by_majority(judgements, item.id) or ("discarded by the lead",)
    return discard_report(types, settled, judgements)


@dataclass(frozen=True, slots=True)
class ListReport:
    """What was written: how many records, those by modality, and what was left out."""

    path: Path
    n_records: int
    by_modality: Mapping[str, int]
    certificates: tuple[Certificate, ...]
    findings: tuple[Finding, ...]


def export_list(project: OpenProject, path: Path, modality: str = "") -> ListReport:
    """Write the sets that were kept, all or those that one modality answers; leads only.

    Beside it goes a file with whose corrections they are, modality and certificate of each.
    """
    from annotator.exchange.json_value import encode_value
    from annotator.exchange.neptune.files import records_of

    names, fields = video_names(project), _fields(project)
    sets, side, certificates = [], dict[str, Json](), list[Certificate]()
    counts: dict[str, int] = {}
    for outcome in _settled(project):
        if missing_of(fields, outcome.values()):
            continue
        source: dict[str, Json] = {"submission": outcome.submission_id}
        item = corrected(outcome.item, outcome.values(), JUDGE, source)
        by = outcome.text("modality")
        counts[by] = counts.get(by, 0) + 1
        if modality and by != modality:
            continue
        found = set_of(item, names[item.video_ids[0]])
        sets.append(found)
        certificate = _certificate(project, outcome)
        if certificate is not None:
            certificates.append(certificate)
        side[found.key] = _told(outcome, certificate, by)
    recipe = project.work.recipe
    records, findings = records_of(sets, recipe.seed)
    write_atomically(path, encode_value(list(records)))
    about: dict[str, Json] = {"recipe": recipe.name, "version": recipe.version, "seed": recipe.seed}
    whole: dict[str, Json] = {"about": about, "sets": side}
    write_atomically(path.with_name(f"{path.stem}.provenance.json"), encode_value(whole))
    return ListReport(path, len(records), counts, tuple(certificates), findings)


def _listed(project: OpenProject, kind: str) -> list[tuple[TaskId | None, Item]]:
    return project.questions.list(ItemFilter(kind=kind))


def _settled(project: OpenProject) -> Iterator[Outcome]:
    return outcomes(project, JUDGE)


def _fields(project: OpenProject) -> tuple[Field, ...]:
    task_type = project.work.recipe.task_type(JUDGE)
    if task_type is None or task_type.form is None:
        raise WorkError(f"The recipe asks nothing in “{JUDGE}”.", code="no-form")
    return task_type.form.fields


def _by_majority(judgements: list[Judgement], item: ItemId) -> tuple[str, ...]:
    """Return the statements that more than half of its raters left unticked."""
    ours = [each.missing for each in judgements if each.item == item]
    keys = dict.fromkeys(key for missing in ours for key in missing)
    return tuple(key for key in keys if 2 * sum(key in missing for missing in ours) > len(ours))


def _certificate(project: OpenProject, outcome: Outcome) -> Certificate | None:
    spans = outcome.value("certificate")
    if not isinstance(spans, Spans):
        return None
    (video_id,) = outcome.item.video_ids
    info = project.footage.video(video_id).info
    times = FrameTimes(videos.frame_table(project.file, video_id), info)
    return certificate_of(spans, lambda frame: times.at(frame) / 1e6, info.duration_s)


def _told(outcome: Outcome, certificate: Certificate | None, modality: str) -> dict[str, Json]:
    told: dict[str, Json] = {"submission": outcome.submission_id, "modality": modality}
    if certificate is not None:
        told["certificate"] = {
            "spans": certificate.n_spans,
            "length_s": certificate.length_s,
            "reach_s": certificate.reach_s,
            "share": certificate.share,
        }
    return told
