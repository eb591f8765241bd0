"""Video-TT: five questions about each video, a primary one and its variants, as Parquet or JSON."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from annotator.benchmarks.video_tt import alignment, data_set, tables, videos
from annotator.domain.questions.items.groups import FINISHED
from annotator.services.background.jobs import JobToken
from annotator.services.project.projects import OpenProject
from annotator.services.questions.benchmark_plugin import Benchmark, DataSetResult, QuestionStep

_ALIGNED: Final = (
    videos.TRIAL_ALIGNMENT,
    videos.COLLECTION_ALIGNMENT,
    videos.ALIGNMENT,
    videos.VARIANTS_ALIGNMENT,
)
_AGREED: Final = (videos.SAMPLING, videos.VARIANTS, FINISHED)
_STEPS: Final = (
    QuestionStep(
        "create-trial",
        "Create trial-question tasks",
        videos.make_trials,
        (videos.TRIAL,),
    ),
    QuestionStep(
        "create-screening",
        "Create video suitability tasks",
        videos.make_collection,
        (videos.COLLECTION,),
    ),
    QuestionStep(
        "create-primary", "Create primary-question tasks", videos.make_primaries, (videos.PRIMARY,)
    ),
    QuestionStep(
        "create-alignment",
        "Create alignment tasks",
        alignment.make_alignments,
        _ALIGNED,
    ),
    QuestionStep("resolve-alignment", "Store agreed texts", alignment.resolve_alignments, _AGREED),
)


def _build(project: OpenProject, path: Path, _: JobToken) -> DataSetResult:
    rows = data_set.export_rows(project, path)
    return DataSetResult(rows.path, {"groups": rows.n_groups, "rows": rows.n_rows}, rows.findings)


BENCHMARK: Final = Benchmark(
    "Video-TT",
    _STEPS,
    import_items=data_set.import_rows,
    build=_build,
    suffix=".parquet",
    table_kinds=tables.KINDS,
    tables=tables.tables,
    questions=data_set.questions,
)
