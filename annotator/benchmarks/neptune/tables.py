"""Tables of Neptune: discards, modalities and certificates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean, median
from typing import Final

from annotator.benchmarks.neptune import question_sets
from annotator.services.project.projects import OpenProject
from annotator.services.questions.benchmark_plugin import (
    BenchmarkTable,
    Column,
    Proportion,
    TableKind,
)
from annotator.services.questions.voting.outcomes import DecidedItem
from annotator.services.tables import Cell

_MEASURES: Final = {
    "spans": "Spans",
    "length_s": "Length (s)",
    "reach_s": "Extent (s)",
    "share": "Share of the video",
    "effort_s": "Marking time (s)",
}
_FIRST_MEASURE: Final = 2  # among the columns of `PROOFS`

DISCARDS: Final = TableKind(
    "discards",
    "Discarded QAD sets",
    (
        Column(
            "by",
            "Subset",
            {"all": "all", "reason": "Reason", "type": "Question type", "rater": "Rater"},
        ),
        Column("name", "Name"),
        Column("sets", "QAD sets"),
        Column("discarded", "Discarded"),
        Column("share", "Share"),
    ),
    "Resolved QAD sets. Sets can have several reasons. Rater rows: sets the rater would discard.",
)
MODALITIES: Final = TableKind(
    "modalities",
    "Kept QAD sets by modality",
    (
        Column(
            "modality",
            "Modality",
            {
                "vision": "vision only",
                "audio": "audio only",
                "either": "vision or audio",
                "both": "vision and audio together",
            },
        ),
        Column("sets", "QAD sets"),
        Column("share", "Share"),
    ),
)
CERTIFICATES: Final = TableKind(
    "certificates",
    "Certificates",
    (
        Column("measure", "Measure", _MEASURES),
        Column("sets", "QAD sets"),
        Column("mean", "Mean"),
        Column("median", "Median"),
        Column("least", "Minimum"),
        Column("most", "Maximum"),
    ),
    "The shortest spans that prove an answer, for kept QAD sets.",
)
PROOFS: Final = TableKind(
    "proofs",
    "Certificates by QAD set",
    (
        Column("key", "QAD set"),
        Column("video", "Video"),
        *(Column(name, "Share" if name == "share" else head) for name, head in _MEASURES.items()),
    ),
    "Marking time: median over raters, from opening the QAD set to marking the spans.",
)
KINDS: Final = (DISCARDS, MODALITIES, CERTIFICATES, PROOFS)


def tables(project: OpenProject) -> Iterator[BenchmarkTable]:
    """Yield the tables; none if the recipe leaves out the judging of sets."""
    if project.work.recipe.task_type(question_sets.JUDGE) is None:
        return
    settled = question_sets.resolved_sets(project)
    yield BenchmarkTable(DISCARDS, tuple(_discards(project, settled)))
    kept_list = list(question_sets.accepted_sets(project, settled))
    counts: dict[str, int] = {}
    for question_set in kept_list:
        counts[question_set.modality] = counts.get(question_set.modality, 0) + 1
    rows = (
        (name, counts[name], Proportion(counts[name] / len(kept_list))) for name in sorted(counts)
    )
    yield BenchmarkTable(MODALITIES, tuple(rows))
    proofs: tuple[tuple[Cell, ...], ...] = tuple(
        (
            question_set.found.key,
            question_set.found.video,
            proof.n_spans,
            proof.length_s,
            proof.reach_s,
            Proportion(proof.share),
            "" if question_set.effort_s is None else question_set.effort_s,
        )
        for question_set in kept_list
        if (proof := question_set.certificate) is not None
    )
    spreads = (
        _spread(name, [row[i] for row in proofs])
        for i, name in enumerate(_MEASURES, _FIRST_MEASURE)
    )
    yield BenchmarkTable(CERTIFICATES, tuple(row for row in spreads if row is not None))
    yield BenchmarkTable(PROOFS, proofs)


def _discards(project: OpenProject, settled: Sequence[DecidedItem]) -> Iterator[tuple[Cell, ...]]:
    """Yield how many sets were discarded: of all, by reason, by type of question, by rater."""
    report = question_sets.report_discards(project, settled)
    texts = question_sets.statements(project)
    total = report.sets.total
    if not total:
        return
    yield ("all", "", total, report.sets.discarded, Proportion(report.sets.discarded / total))
    for reason, n in report.reasons.items():
        yield ("reason", texts.get(reason, reason), total, n, Proportion(n / total))
    for by, shares in (("type", report.by_type), ("rater", report.by_rater)):
        for name, each in shares.items():
            share = Proportion(each.discarded / each.total)
            yield (by, name, each.total, each.discarded, share)


def _spread(name: str, cells: Sequence[Cell]) -> tuple[Cell, ...] | None:
    found = [each for each in cells if not isinstance(each, str)]
    if not found:
        return None
    measure = Proportion if any(isinstance(each, Proportion) for each in found) else float
    measures = (fmean(found), median(found), min(found), max(found))
    return (name, len(found), *map(measure, measures))
