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
        "Asks for questions about a sample of the videos, to find out what raters understand "
        "differently. Optional.",
    ),
    QuestionStep(
        "create-screening",
        "Create video suitability tasks",
        videos.make_collection,
        (videos.COLLECTION,),
        "Asks whether each video is suitable. Optional; the alignment step asks a second rater.",
    ),
    QuestionStep(
        "create-primary",
        "Create primary-question tasks",
        videos.make_primaries,
        (videos.PRIMARY,),
        "Asks for a question about every video, or about those that two raters found suitable.",
    ),
    QuestionStep(
        "create-alignment",
        "Create alignment tasks",
        alignment.make_alignments,
        _ALIGNED,
        "Shows two raters what one person wrote or decided. Repeat it after each step above.",
    ),
    QuestionStep(
        "resolve-alignment",
        "Store agreed texts",
        alignment.resolve_alignments,
        _AGREED,
        "Stores what two raters agree on, samples questions to check, and asks for the variants.",
    ),
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
