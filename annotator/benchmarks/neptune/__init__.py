"""Neptune: sets of question, answer and decoys about long videos, as a JSON list."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from annotator.benchmarks.neptune import question_sets, tables
from annotator.services.background.jobs import JobToken
from annotator.services.project.projects import OpenProject
from annotator.services.questions.benchmark_plugin import Benchmark, DataSetResult


def _build(project: OpenProject, path: Path, _: JobToken) -> DataSetResult:
    listed = question_sets.export_list(project, path)
    counts = {"sets": listed.n_records, **listed.by_modality}
    return DataSetResult(listed.path, counts, listed.findings)


BENCHMARK: Final = Benchmark(
    "Neptune",
    import_items=question_sets.import_sets,
    import_title="Import proposed QAD sets…",
    build=_build,
    table_kinds=tables.KINDS,
    tables=tables.tables,
)
