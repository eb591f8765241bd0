"""Rows of the board: as they were read, counted, cut and sorted without making each of them."""

from __future__ import annotations

from annotator.domain.ids import PersonId, new_id
from annotator.domain.work.records import LeadNeed, TaskStatus
from annotator.store.columns import id_bytes, id_text
from annotator.store.workflow.board import BoardRow, BoardRows, Stored

ANN, BEN = PersonId("ann"), PersonId("ben")


def stored(video: str, stage: str = "annotate", status: str = "waiting", at: int = 0) -> Stored:
    task, of = id_bytes(new_id()), id_bytes(new_id())
    return (task, of, video, None, "tracks", "Tracks", stage, status, 1, 0, 1, None, "[]", at)


def names(rows: BoardRows) -> list[str]:
    return [row.video for row in rows]


def test_a_row_is_what_was_read() -> None:
    raw = stored("a", at=7)
    first, other = BoardRows(
        [[raw, (*raw[:11], "nobody-left", '["late"]', 8)]], {raw[0]: (ANN, BEN)}
    )
    assert first == BoardRow(
        id_text(raw[0]),  # type: ignore[arg-type]
        id_text(raw[1]),  # type: ignore[arg-type]
        *("a", "", "tracks", "Tracks", "annotate", TaskStatus.WAITING),
        *(1, 0, True, None, (), 7, (ANN, BEN)),
    )
    assert (other.needs_lead, other.flags, other.changed_at) == (
        LeadNeed.NOBODY_LEFT,
        ("late",),
        8,
    )


def test_rows_are_counted_and_cut() -> None:
    raw = [stored("a"), stored("b", "check"), stored("c", "check", "complete"), stored("d")]
    rows = BoardRows([raw[:1], raw[1:]], {raw[0][0]: (ANN,), raw[2][0]: (ANN, BEN)})
    assert rows.counts() == {
        ("tracks", "annotate", TaskStatus.WAITING): 2,
        ("tracks", "check", TaskStatus.WAITING): 1,
        ("tracks", "check", TaskStatus.COMPLETE): 1,
    }
    assert rows.holders() == {ANN: 2, BEN: 1}
    assert rows.kinds() == {"tracks"}
    assert names(rows.only(None, None, ())) == ["a", "b", "c", "d"]
    assert names(rows.only("tracks", "check", ())) == ["b", "c"]
    assert names(rows.only(None, None, {TaskStatus.COMPLETE})) == ["c"]
    assert names(rows.only("sounds", None, ())) == []
    assert names(rows.parts([(0, 1), (3, 3)])) == ["a", "b", "d"]
    assert rows[1:3].task_ids() == [rows[1].task_id, rows[2].task_id]
    assert len(BoardRows()) == 0


def test_rows_alike_are_asked_for_their_key_once_and_stay_in_their_order() -> None:
    raw = [stored(name, at=at) for name, at in (("b", 1), ("a", 2), ("b", 3), ("c", 4), ("a", 5))]
    rows, asked = BoardRows([raw], {raw[1][0]: (BEN,), raw[3][0]: (ANN,)}), list[str]()

    def key(row: BoardRow) -> str:
        asked.append(row.video)
        return row.video

    up = rows.ordered(("video",), key)
    assert [(row.video, row.changed_at) for row in up] == [
        *(("a", 2), ("a", 5), ("b", 1), ("b", 3), ("c", 4))
    ]
    assert sorted(asked) == ["a", "b", "c"]
    down = rows.ordered(("video",), key, is_down=True)
    assert [(row.video, row.changed_at) for row in down] == [
        *(("c", 4), ("b", 1), ("b", 3), ("a", 2), ("a", 5))
    ]
    held = rows.ordered(("holders",), lambda row: (not row.holders, row.holders))
    assert [row.changed_at for row in held] == [4, 2, 1, 3, 5]
    both = rows.ordered(("video", "is_returned"), lambda row: (row.is_returned, row.video))
    assert names(both) == ["a", "a", "b", "b", "c"]
    assert names(BoardRows().ordered(("video",), key)) == []
