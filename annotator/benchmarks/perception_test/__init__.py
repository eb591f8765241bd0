"""Perception Test: the mapping of cut frames. Tracks and questions are in the usual export."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from annotator.benchmarks.perception_test.cut_frames import export_cut_frames
from annotator.domain.errors import UserError
from annotator.exchange.perception_test.check import AREAS, REASONINGS
from annotator.services.background.jobs import JobToken
from annotator.services.project.projects import OpenProject
from annotator.services.questions.benchmark_plugin import Benchmark, DataSetResult


def _build(project: OpenProject, path: Path, _: JobToken) -> DataSetResult:
    if project.work.recipe.bank is None:
        raise UserError(
            "Cannot build the cut-frame mapping: the recipe of this project has no question bank.",
            hint="To export tracks, points and segments, use “annotator export”.",
            where=str(project.path),
        )
    found = export_cut_frames(project, path)
    return DataSetResult(found.path, {"videos": found.n_videos, "cut": found.n_cut}, found.findings)


BENCHMARK: Final = Benchmark("Perception Test", build=_build, areas=AREAS, reasonings=REASONINGS)
