"""Keyframes that came in at once lie packed until one is edited; nobody sees a difference."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from annotator.domain.annotation.changes import Change, KeyframeKey
from annotator.domain.annotation.key_table import KeyTable
from annotator.domain.annotation.track import Keyframe, Source, Track, TrackInfo
from annotator.domain.commands import DeleteTracks
from annotator.domain.geometry import Box
from annotator.domain.ids import AssignmentId, new_id, track_id
from annotator.store.annotation.bulk_drafts import Content, take_part, write_part
from annotator.store.annotation.drafts import DraftStore
from annotator.store.annotation.packed_keys import pack_keys, unpack_keys
from annotator.store.catalog import videos
from annotator.store.catalog.videos import FileFacts, TableFacts
from annotator.store.columns import id_text
from annotator.store.file.project import ProjectFile
from tests.store.samples import add_draft, commit, draft_of, empty_file, video_info


def tracks() -> list[Track]:
    """Return a track that leaves the picture, and one with a single keyframe."""
    keys = (
        Keyframe(0, Box(1.5, 2.25, 30.125, 40), source=Source.IMPORTED, settled=True),
        Keyframe(30, Box(0.1 + 0.2, 2, 30, 40.75), occluded=True, source=Source.IMPORTED),
        Keyframe(60, None, source=Source.IMPORTED),
    )
    alone = (Keyframe(30, Box(5, 5, 9, 9), source=Source.HUMAN, settled=True),)
    return [
        Track(TrackInfo(track_id(), "mug", 1, 0), keys),
        Track(TrackInfo(track_id(), "lid", 2, 1), alone),
    ]


@pytest.fixture
def file(tmp_path: Path) -> Iterator[ProjectFile]:
    file = empty_file(tmp_path)
    yield file
    file.close()


def brought(file: ProjectFile, folder: Path, content: list[Track]) -> DraftStore:
    """Return a draft into which tracks came as a file of many videos brings them."""
    add_draft(file)
    begun = draft_of(file)
    with file.transaction() as connection:
        found = connection.execute("DELETE FROM draft RETURNING assignment_id").fetchall()
    names = AssignmentId(id_text(found[0][0])), videos.list_videos(file)[0].info.id
    part = folder / "one.part"
    write_part(part, [Content(begun, new_id(), names[1], content, [], [], {})])
    with file.attached(part):
        take_part(file, "import", [(begun, *names)])
    assert counted(file) == (0, len(content))
    return DraftStore(file, begun)


def counted(file: ProjectFile) -> tuple[object, ...]:
    """Return how many keyframes are rows, and how many tracks have theirs packed."""
    (found,) = file.rows(
        "SELECT (SELECT count(*) FROM keyframe), (SELECT count(*) FROM packed_keys)"
    )
    return found


def loaded(store: DraftStore) -> list[Track]:
    return list(store.load(video_info()).tracks)


def test_bytes_hold_what_a_table_holds() -> None:
    content = tracks()
    table = unpack_keys(pack_keys(KeyTable.of(content)))
    assert [table.keyframes(row) for row in range(len(table))] == [t.keyframes for t in content]


@pytest.mark.parametrize("body", [bytes(40), bytes(40) + b"\xff"])
def test_damaged_bytes_are_refused(body: bytes) -> None:
    with pytest.raises(ValueError, match="keyframe"):
        unpack_keys([body])


def test_they_are_read_as_if_they_were_rows(file: ProjectFile, tmp_path: Path) -> None:
    content = tracks()
    assert loaded(brought(file, tmp_path, content)) == content


def test_an_edit_unpacks_its_own_track_only(file: ProjectFile, tmp_path: Path) -> None:
    content = tracks()
    store = brought(file, tmp_path, content)
    first, second = content
    moved = replace(first.keyframes[1], box=Box(7, 7, 8, 8), source=Source.HUMAN)
    key = KeyframeKey(first.id, 30)
    commit(store, [Change("keyframe", key, first.keyframes[1], moved)])
    assert counted(file) == (3, 1)
    expected = Track(first.info, (first.keyframes[0], moved, first.keyframes[2]))
    assert loaded(store) == [expected, second]
    commit(store, [Change("keyframe", key, moved, first.keyframes[1])])
    assert loaded(store) == content


def test_a_change_of_the_track_itself_leaves_them_packed(file: ProjectFile, tmp_path: Path) -> None:
    content = tracks()
    store = brought(file, tmp_path, content)
    info = replace(content[0].info, label="cup")
    commit(store, [Change("track", info.id, content[0].info, info)])
    assert counted(file) == (0, 2)
    assert loaded(store) == [Track(info, content[0].keyframes), content[1]]


def test_a_deleted_track_takes_them_along(file: ProjectFile, tmp_path: Path) -> None:
    content = tracks()
    store = brought(file, tmp_path, content)
    document = store.load(video_info())
    commit(store, DeleteTracks((content[0].id,)).plan(document))
    assert counted(file) == (0, 1)
    assert loaded(store) == content[1:]
    assert file.rows("PRAGMA foreign_key_check") == []


def test_they_get_times_when_the_video_is_found(file: ProjectFile, tmp_path: Path) -> None:
    store = brought(file, tmp_path, tracks())
    info = videos.list_videos(file)[0].info
    pts = np.arange(info.n_frames, dtype=np.int64) * 10
    table = TableFacts(b"table", "digest", pts, (1, 300))
    videos.save_facts(file, info.id, FileFacts("hash", table))
    assert file.rows("SELECT pts FROM keyframe ORDER BY track_row, frame") == [
        (0,),
        (300,),
        (600,),
        (300,),
    ]
    assert [t.keyframes for t in loaded(store)] == [t.keyframes for t in tracks()]


def test_the_table_takes_whole_keyframes_only(file: ProjectFile, tmp_path: Path) -> None:
    brought(file, tmp_path, tracks())
    with pytest.raises(sqlite3.IntegrityError), file.transaction() as connection:
        connection.execute("UPDATE packed_keys SET body = substr(body, 2)")
    with pytest.raises(sqlite3.IntegrityError), file.transaction() as connection:
        connection.execute("UPDATE packed_keys SET track_row = track_row + 100")
    assert counted(file) == (0, 2)
