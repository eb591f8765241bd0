"""Whatever is edited in whatever order: the file equals memory, and everything can go back."""

from __future__ import annotations

import os
import tempfile
from contextlib import ExitStack
from pathlib import Path

from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.commands import JoinTracks, SplitTrack
from annotator.domain.errors import EditError
from annotator.domain.ids import TaskId, track_id
from annotator.services.session import Session
from annotator.store.annotation.drafts import DraftStore
from annotator.store.catalog import videos
from annotator.store.file.file_opening import open_file
from tests.services.gestures import KINDS, MERGING, Gesture, command, gestures
from tests.store.samples import add_draft, empty_file, state

# Files in memory where there are any: the histories are about order, not about the disk.
_QUICK = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
# A failing history is printed as it was found: shrinking it would take minutes.
_brisk = settings(max_examples=60, phases=[Phase.explicit, Phase.generate])


class _Work:
    """A session on a file of its own; each edit is checked against the file."""

    def __init__(self, folder: Path) -> None:
        self.file = empty_file(folder)
        self.store, _ = add_draft(self.file)
        self.session = Session(self.store, self.info, task_id=TaskId("task"))

    @property
    def info(self) -> VideoInfo:
        return videos.list_videos(self.file)[0].info

    def restart(self) -> None:
        self.file.close()
        self.file = open_file(self.file.path)
        self.store = DraftStore(self.file, self.store.draft_id)
        self.session = Session(self.store, self.info, task_id=TaskId("task"))

    def stored(self) -> tuple[object, ...]:
        return state(self.store.load(self.info))

    def check(self) -> tuple[object, ...]:
        found = self.stored()
        assert found == state(self.session.document)
        return found

    def do(self, gesture: Gesture) -> bool:
        before = self.stored()
        try:
            self.session.run(command(gesture, self.session.document))
        except EditError:
            assert self.check() == before
            return False
        self.check()
        return True

    def rewind(self) -> list[tuple[object, ...]]:
        """Undo everything; the states on the way, last first."""
        states = [self.check()]
        while self.session.undo():
            states.append(self.check())
        return states

    def replay(self) -> list[tuple[object, ...]]:
        states = [self.check()]
        while self.session.redo():
            states.append(self.check())
        return states


@_brisk
@given(st.lists(gestures, min_size=1, max_size=12), st.booleans())
@example([Gesture(kind, 0, 1, 20 + i, 9, 50.0, True) for i, kind in enumerate(KINDS)], True)
def test_everything_goes_back_and_forth_also_after_a_restart(
    hands: list[Gesture], restarts: bool
) -> None:
    with tempfile.TemporaryDirectory(dir=_QUICK) as folder:
        work = _Work(Path(folder))
        empty = work.check()
        for hand in hands:
            work.do(hand)
        full = work.check()
        if restarts:
            work.restart()
            assert work.check() == full
        states = work.rewind()
        assert states[-1] == empty
        if restarts:
            work.restart()
        assert work.replay() == states[::-1]
        assert work.check() == full
        work.file.close()


@_brisk
@given(st.lists(gestures | st.sampled_from(["undo", "redo", "restart"]), max_size=16))
def test_editing_undo_redo_and_restarts_in_any_order(steps: list[Gesture | str]) -> None:
    with tempfile.TemporaryDirectory(dir=_QUICK) as folder:
        work = _Work(Path(folder))
        past = [work.check()]
        future: list[tuple[object, ...]] = []
        for step in steps:
            if step == "restart":
                work.restart()
            elif step == "undo":
                assert (work.session.undo() is not None) == (len(past) > 1)
                future = [*future, past.pop()] if len(past) > 1 else future
            elif step == "redo":
                assert (work.session.redo() is not None) == bool(future)
                past += [future.pop()] if future else []
            elif isinstance(step, Gesture) and step.kind not in MERGING and work.do(step):
                past, future = [*past, work.check()], []
            assert work.check() == past[-1]
        work.file.close()


def _same_pictures(one: Document, other: Document) -> bool:
    """Compare what every frame shows; a new keyframe may round what was interpolated."""
    if [t.info for t in one.tracks] != [t.info for t in other.tracks]:
        return False
    for track in one.tracks:
        again = other.track(track.id)
        for frame in range(other.video.n_frames):
            a, b = track.state_at(frame), again.state_at(frame)
            if a.box is None or b.box is None:
                if a.box is not b.box:
                    return False
            elif a.occluded != b.occluded or a.box.largest_offset(b.box) > 1e-6:
                return False
    return True


@_brisk
@given(st.lists(gestures, min_size=1, max_size=8), st.integers(0, 5), st.integers(1, 89))
def test_split_then_join_is_as_before(hands: list[Gesture], pick: int, frame: int) -> None:
    with tempfile.TemporaryDirectory(dir=_QUICK) as folder, ExitStack() as clean:
        work = _Work(Path(folder))
        clean.callback(work.file.close)
        for hand in hands:
            work.do(hand)
        session, new = work.session, track_id()
        if not session.document.tracks:
            return
        track = session.document.tracks[pick % len(session.document.tracks)]
        before = work.store.load(work.info)
        try:
            session.run(SplitTrack(track.id, frame, new))
        except EditError:
            return
        finally:
            work.check()
        session.run(JoinTracks(track.id, new))
        assert _same_pictures(session.document, before)
        work.check()
