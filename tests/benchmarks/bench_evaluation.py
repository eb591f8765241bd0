"""Evaluation of a full data set against reading it with `json`, and the gap of a large split.

The data set is the generated one of `dataset_file` (11,609 videos, 520 MB). The split has 7,288
groups and 249 attributes whose frequencies fall as in real data; its objective and the bound are
printed after each time limit.

``python -m tests.benchmarks.bench_evaluation 0.1 60`` takes a tenth of the videos and 60 s.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from annotator.domain.agreement.resampling import Bootstrap
from annotator.domain.dataset.facts import Fact
from annotator.domain.dataset.split_groups import SplitWish
from annotator.domain.dataset.statistics import DataSet, VideoStatistics
from annotator.domain.recipes.recipe import Tool
from annotator.services.background.jobs import JobToken
from annotator.services.dataset.evaluation.baselines import baseline
from annotator.services.dataset.evaluation.evaluation import evaluate
from annotator.services.dataset.evaluation.models import PredictionFile
from annotator.services.dataset.evaluation.reference import Reference, reference_of_file
from annotator.services.dataset.split_optimization import split_videos
from tests.benchmarks.dataset_file import N_VIDEOS, write_dataset

QUIET = JobToken(lambda *_: None)
N_GROUPS, N_LABELS = 7_288, 246
MOST_TIMES = 2.5


def main() -> int:
    """Print the figures; 1 if evaluation takes too long compared with reading."""
    share = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    limits = [float(text) for text in sys.argv[2:]] or [60.0, 600.0]
    ratio = _evaluation(round(N_VIDEOS * share))
    for limit in limits:
        _split(limit)
    return int(ratio > MOST_TIMES)


def _evaluation(n_videos: int) -> float:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "set.json"
        write_dataset(path, n_videos)
        started = time.perf_counter()
        with path.open("rb") as file:
            json.load(file)
        plain = time.perf_counter() - started
        started = time.perf_counter()
        evaluate(
            reference_of_file(path, QUIET),
            [baseline("static", Reference(path), QUIET)],
            QUIET,
            bootstrap=Bootstrap(1000),
        )
        alone = time.perf_counter() - started
        started = time.perf_counter()
        with PredictionFile(path) as model:
            evaluate(reference_of_file(path, QUIET), [model], QUIET, bootstrap=Bootstrap(200))
        both = time.perf_counter() - started
    print(  # noqa: T201
        f"{n_videos:,} videos: json {plain:.1f} s; baseline {alone:.1f} s = {alone / plain:.2f} x; "
        f"file against itself, read twice {both:.1f} s = {both / plain / 2:.2f} x"
    )
    return both / plain / 2


def _split(limit: float) -> None:
    rng = np.random.default_rng(0)
    frequency = 0.3 / np.arange(1, N_LABELS + 1)
    videos = []
    for i in range(N_GROUPS):
        labels = np.flatnonzero(rng.random(N_LABELS) < frequency)
        facts = [Fact(f"{i}-{k}", f"label {k}", 0, 9) for k in labels.tolist()]
        videos.append(VideoStatistics(str(i), f"v{i}.mp4", 9.0, 30.0, {}, {Tool.ACTIONS: facts}))
    wish = SplitWish({"train": 0.188, "valid": 0.508, "test": 0.304}, time_limit_s=limit)
    found = split_videos(DataSet(videos), wish, QUIET)
    steps = "; ".join(f"{s.split} {s.value:.5f}, bound {s.bound:.5f}" for s in found.steps)
    worst = max(abs(1 - each.ratio) for each in found.achieved)
    print(  # noqa: T201
        f"{N_GROUPS:,} groups, {len(found.achieved) // 3} attributes, limit {limit:.0f} s "
        f"({found.seconds:.0f} s used): {steps}; farthest attribute {worst:.1%}"
    )


if __name__ == "__main__":
    sys.exit(main())
