"""PACS: objects, questions about pairs of them, and labels, in a folder of JSON files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from annotator.benchmarks.pacs import export
from annotator.benchmarks.pacs import objects_and_pairs as pairs
from annotator.domain.questions.items.item import Item
from annotator.services.background.jobs import JobToken
from annotator.services.project.projects import OpenProject
from annotator.services.questions.benchmark_plugin import (
    Benchmark,
    DataSetResult,
    QuestionStep,
    RightAnswers,
)
from annotator.services.questions.voting.outcomes import items_of_kind, video_names

_STEPS: Final = (
    QuestionStep(
        "create-focus-visual",
        "Create focus-object tasks (middle frame)",
        pairs.make_focus_questions,
        (pairs.LOOK,),
        "Asks for the focus object of every clip, from its middle frame only.",
    ),
    QuestionStep(
        "create-focus-audio",
        "Create focus-object tasks (with sound)",
        pairs.make_sound_questions,
        (pairs.LISTEN,),
        "Asks the same rater again, with the whole clip and its sound.",
    ),
    QuestionStep(
        "create-pairs",
        "Pair objects",
        pairs.make_pairs,
        (pairs.WRITE,),
        "Pairs the objects of kept clips, three pairs each, and asks for a question about each.",
    ),
    QuestionStep(
        "reuse-questions",
        "Assign written questions to pairs",
        pairs.assign_bank_questions,
        (pairs.DEALT,),
        "Assigns thirteen questions that were written for other pairs to each pair.",
    ),
    QuestionStep(
        "create-confirmations",
        "Create confirmation tasks",
        pairs.make_confirmations,
        (pairs.CONFIRM,),
        "Asks two more raters. A data point is kept if all three give the same answer.",
    ),
)


def _build(project: OpenProject, path: Path, token: JobToken) -> DataSetResult:
    written = export.export_pacs(project, path, token)
    return DataSetResult(written.folder, written.counts, written.findings)


def _settled(project: OpenProject, kind: str) -> Iterator[tuple[Item, RightAnswers]] | None:
    return _data_points(project) if kind == pairs.CONFIRM else None


def _data_points(project: OpenProject) -> Iterator[tuple[Item, RightAnswers]]:
    """Yield the questions that all three raters answered alike, with their answer."""
    names = video_names(project)
    labels = {
        (point.pair, point.question): point.answers[0]
        for point in pairs.data_points(project)
        if point.label is not None
    }
    for _, item in items_of_kind(project, pairs.CONFIRM):
        label = labels.get((pairs.pair_of(item, names), str(item.source.get("question"))))
        if label is not None:
            yield item, {"answer": (label,)}


BENCHMARK: Final = Benchmark("PACS", _STEPS, build=_build, suffix="", settled=_settled)
