"""40,000 questions on 2,000 videos: made, dealt out, answered, handed in and decided.

Some tasks are answered by two people who agree and by three where the first two do not, in a
project in which all others wait. Times are those of this thread alone (CPU), of 95 of 100.

``python -m tests.benchmarks.bench_items 200`` takes so many videos.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

from annotator.domain.answer import Picked
from annotator.domain.ids import TaskId
from annotator.domain.questions.items.item import ItemState
from annotator.domain.work.records import TaskStatus
from annotator.services.questions.asking.question_set import QuestionSet
from annotator.services.session import Session
from annotator.store.questions.items import ItemFilter
from tests.services.questions.question_team import QuestionTeam, item, recipe

T = TypeVar("T")

N_VIDEOS, PER_VIDEO, N_TASKS = 2_000, 20, 40
TARGETS: Final = {
    "make a thousand questions": 500.0,
    "take the next task": 20.0,
    "open it, with all that is asked": 100.0,
    "keep an answer": 16.0,
    "find the next question": 5.0,
    "hand in": 100.0,
    "hand in and decide": 250.0,
}


def main() -> int:
    """Print the times; 1 when a target is missed."""
    n_videos = int(sys.argv[1]) if len(sys.argv) > 1 else N_VIDEOS
    with tempfile.TemporaryDirectory() as folder:
        team = QuestionTeam(Path(folder), n_videos, text=recipe())
        took: dict[str, list[float]] = {name: [] for name in TARGETS}
        _make(team, took["make a thousand questions"])
        for i in range(min(N_TASKS, n_videos)):
            _answer(team, took, is_tie=i % 4 == 0)
        team.lead_again()
        decided = team.questions.list(ItemFilter(state=ItemState.DECIDED))
        team.project.close()
    sys.stdout.write(f"{n_videos * PER_VIDEO:,} questions, {len(decided):,} decided\n")
    is_met = len(decided) == PER_VIDEO * min(N_TASKS, n_videos)
    for name, target in TARGETS.items():
        p95 = statistics.quantiles(took[name], n=20)[-1] if len(took[name]) > 1 else took[name][0]
        is_met &= p95 <= target
        mark = "met" if p95 <= target else "MISSED"
        sys.stdout.write(f"{name:32} {p95:8.1f} ms   target {target:g} ms  {mark}\n")
    return int(not is_met)


def _make(team: QuestionTeam, took: list[float]) -> None:
    """Ask all questions, those of fifty videos at a time."""
    for first in range(0, len(team.videos), 50):
        asked = [
            item(video.id, f"Question {n}?")
            for video in team.videos[first : first + 50]
            for n in range(PER_VIDEO)
        ]
        added, ms = _timed(lambda asked=asked: team.questions.add(asked))  # type: ignore[misc]
        assert not added.refused
        took.append(ms * 1000 / len(asked))


def _answer(team: QuestionTeam, took: dict[str, list[float]], *, is_tie: bool) -> None:
    """Have the next task answered until it is decided: by two, or by a third where they differ."""
    team.work.people.sign_in(team.people["Ann"].id)
    claimed, ms = _timed(lambda: team.work.claim_next("questions"))
    took["take the next task"].append(ms)
    assert claimed is not None
    picks = {"Ann": "o1", "Ben": "o2" if is_tie else "o1", **({"Cleo": "o1"} if is_tie else {})}
    for name, pick in picks.items():
        (session, question_set), ms = _timed(lambda name=name: team.as_(name, claimed.id))  # type: ignore[misc]
        took["open it, with all that is asked"].append(ms)
        _fill(session, question_set, pick, took)
        _, ms = _timed(lambda session=session: team.work.submit(session))  # type: ignore[misc]
        is_last = _status(team, claimed.id) is TaskStatus.COMPLETE
        took["hand in and decide" if is_last else "hand in"].append(ms)
    assert is_last


def _fill(
    session: Session, question_set: QuestionSet, pick: str, took: dict[str, list[float]]
) -> None:
    following = question_set.next_open()
    while following is not None:
        asked = following.id
        for key, value in (("which", Picked((pick,))), ("seen", True)):
            command = question_set.answer(asked, key, value, took_ms=700)
            took["keep an answer"].append(_timed(lambda c=command: session.run(c))[1])  # type: ignore[misc]
        following, ms = _timed(lambda asked=asked: question_set.next_open(asked))  # type: ignore[misc]
        took["find the next question"].append(ms)


def _status(team: QuestionTeam, task_id: TaskId) -> TaskStatus:
    return team.work.record(task_id).status


def _timed(act: Callable[[], T]) -> tuple[T, float]:
    """Return what comes of something, and the milliseconds it took."""
    began = time.thread_time()
    found = act()
    return found, (time.thread_time() - began) * 1e3


if __name__ == "__main__":
    sys.exit(main())
