"""Rows of items of tasks, and of answers in drafts."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple, cast

import msgspec

from annotator.domain.annotation.changes import Change
from annotator.domain.answer import Answer, AnswerKey, FrameBox, plain_of, value_from
from annotator.domain.forms.field import Option
from annotator.domain.ids import AssignmentId, ItemId, PersonId, TaskId, TrackId, VideoId
from annotator.domain.questions.items.item import Item, ItemState, Purpose
from annotator.domain.questions.quality import EarlierUnits
from annotator.store.columns import id_bytes, id_text, json_text, json_texts
from annotator.store.file.readable import Readable

_DEEPEST: Final = 12
_COLUMNS: Final = "id, kind, purpose, state, why_discarded, body"


class ItemFilter(NamedTuple):
    """Filter of items; None matches all."""

    kind: str | None = None
    state: ItemState | None = None
    purpose: Purpose | None = None
    video_id: VideoId | None = None
    group: str | None = None


class _Body(msgspec.Struct, omit_defaults=True):
    """Contents of the body column."""

    video_ids: tuple[VideoId, ...]
    text: str = ""
    options: tuple[Option, ...] = ()
    right: dict[str, tuple[str, ...]] = {}
    texts: dict[str, str] = {}
    track_ids: tuple[TrackId, ...] = ()
    boxes: tuple[FrameBox | None, ...] = ()
    area: str = ""
    reasoning: str = ""
    tags: tuple[str, ...] = ()
    group: str = ""
    part: str = ""
    source: dict[str, Any] = {}
    extra: dict[str, Any] = {}


_FIELDS: Final = _Body.__struct_fields__
_decoder = msgspec.json.Decoder(_Body)
_encoder = msgspec.json.Encoder()


def item_body(item: Item) -> str:
    """Return an item as stored text, without the values that have columns."""
    return _encoder.encode(_Body(**{name: getattr(item, name) for name in _FIELDS})).decode()


def item_of(
    item_id: ItemId, kind: str, purpose: str, state: str, why_discarded: str, body: str
) -> Item:
    """Return the item that columns hold; ValueError when they are damaged."""
    found = _decoder.decode(body)
    return Item(
        item_id,
        kind,
        purpose=Purpose(purpose),
        state=ItemState(state),
        why_discarded=why_discarded,
        **{name: getattr(found, name) for name in _FIELDS},
    )


def add_items(
    connection: sqlite3.Connection, task_id: TaskId | None, first: int, items: Iterable[Item]
) -> None:
    """Add items to a task, at the positions from ``first`` on; to none yet with None."""
    task = id_bytes(task_id) if task_id is not None else None
    rows, videos = [], []
    for position, item in enumerate(items, first):
        key = id_bytes(item.id)
        facts = (item.kind, item.purpose.value, item.state.value, item.why_discarded)
        rows.append((key, task, position, *facts, item_body(item)))
        videos += [(key, i, id_bytes(video_id)) for i, video_id in enumerate(item.video_ids)]
    connection.executemany("INSERT INTO item VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
    connection.executemany("INSERT INTO item_video VALUES (?, ?, ?)", videos)


def replace_items(connection: sqlite3.Connection, items: Iterable[Item]) -> None:
    """Replace the content of items; their task and videos stay."""
    connection.executemany(
        "UPDATE item SET purpose = ?, state = ?, why_discarded = ?, body = ? WHERE id = ?",
        [
            (i.purpose.value, i.state.value, i.why_discarded, item_body(i), id_bytes(i.id))
            for i in items
        ],
    )


def set_state(
    connection: sqlite3.Connection, item_ids: Iterable[ItemId], state: ItemState, why: str = ""
) -> None:
    """Store the outcome of items."""
    connection.executemany(
        "UPDATE item SET state = ?, why_discarded = ? WHERE id = ?",
        [(state.value, why, id_bytes(item_id)) for item_id in item_ids],
    )


def count_states(file: Readable) -> dict[str, dict[ItemState, int]]:
    """Return the number of items by kind and state, without checks and tests."""
    found: dict[str, dict[ItemState, int]] = {}
    rows = file.rows(
        "SELECT kind, state, count(*) FROM item WHERE purpose = ? GROUP BY kind, state",
        (Purpose.WORK.value,),
    )
    for kind, state, count in rows:
        found.setdefault(str(kind), {})[ItemState(str(state))] = cast(int, count)
    return found


def items_of(connection: sqlite3.Connection, task_id: TaskId) -> list[Item]:
    """Return the items of a task, in their order."""
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM item WHERE task_id = ? ORDER BY position", (id_bytes(task_id),)
    )
    return [_item(row) for row in rows]


def checks_of(connection: sqlite3.Connection, kind: str) -> list[Item]:
    """Return the attention checks of a kind of task, which are in no task."""
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM item WHERE kind = ? AND state = ? AND purpose = ?"
        " AND task_id IS NULL ORDER BY id",
        (kind, ItemState.OPEN.value, Purpose.ATTENTION.value),
    )
    return [_item(row) for row in rows]


def count_work(connection: sqlite3.Connection, kind: str) -> int:
    """Return how many items of a kind are asked as work."""
    (count,) = connection.execute(
        "SELECT count(*) FROM item WHERE kind = ? AND task_id IS NOT NULL AND state <> ?"
        " AND purpose IN (?, ?)",
        (kind, ItemState.DISCARDED.value, Purpose.WORK.value, Purpose.GOLD.value),
    ).fetchone()
    return int(count)


def assigned_before(
    connection: sqlite3.Connection, kind: str, person_id: PersonId, before: AssignmentId
) -> list[EarlierUnits]:
    """Return the items of a kind that a person got before an assignment, in order, and the
    attention checks they answered in it."""
    person, limit = id_bytes(person_id), id_bytes(before)
    judged: dict[bytes, dict[bytes, None]] = {}
    for assignment, item in connection.execute(
        "SELECT s.assignment_id, j.item_id FROM judgement j"
        " JOIN submission s ON s.id = j.submission_id"
        " WHERE j.person_id = ? AND j.kind = ? AND j.purpose = ? AND s.assignment_id < ?",
        (person, kind, Purpose.ATTENTION.value, limit),
    ):
        judged.setdefault(assignment, {})[item] = None
    rows = connection.execute(
        "SELECT a.id, count(*), EXISTS (SELECT 1 FROM submission s WHERE s.assignment_id = a.id)"
        " FROM assignment a JOIN item i ON i.task_id = a.task_id"
        " WHERE a.person_id = ? AND a.id < ? AND i.kind = ? GROUP BY a.id ORDER BY a.id",
        (person, limit, kind),
    )
    return [
        EarlierUnits(
            n_items,
            tuple(ItemId(id_text(i)) for i in judged.get(name, ())) if is_submitted else None,
        )
        for name, n_items, is_submitted in rows.fetchall()
    ]


def find_item(connection: sqlite3.Connection, item_id: ItemId) -> Item | None:
    """Return an item, None when there is none of that name."""
    row = connection.execute(
        f"SELECT {_COLUMNS} FROM item WHERE id = ?", (id_bytes(item_id),)
    ).fetchone()
    return _item(row) if row is not None else None


def list_items(file: Readable, condition: ItemFilter) -> Iterator[tuple[TaskId | None, Item]]:
    """Yield items with the tasks they are asked in, in the order in which they were added."""
    terms, values = ["1"], []
    named = (("kind", condition.kind), ("state", condition.state), ("purpose", condition.purpose))
    for column, value in named:
        if value is not None:
            terms.append(f"{column} = ?")
            values.append(str(value))
    parameters: list[object] = list(values)
    if condition.video_id is not None:
        terms.append("id IN (SELECT item_id FROM item_video WHERE video_id = ?)")
        parameters.append(id_bytes(condition.video_id))
    if condition.group is not None:
        terms.append("json_extract(body, '$.group') = ?")
        parameters.append(condition.group)
    rows = file.rows(
        f"SELECT task_id, {_COLUMNS} FROM item WHERE {' AND '.join(terms)} ORDER BY id", parameters
    )
    for task, *facts in rows:
        task_id = TaskId(id_text(cast(bytes, task))) if task is not None else None
        yield task_id, _item(facts)


def ancestry(connection: sqlite3.Connection, item: Item) -> Iterator[Item]:
    """Yield an item, the one that it was made from, the one that this was made from, and so on."""
    at: Item | None = item
    for _ in range(_DEEPEST):
        if at is None:
            return
        yield at
        before = at.source.get("item")
        at = find_item(connection, ItemId(before)) if isinstance(before, str) else None


def task_of(connection: sqlite3.Connection, item_id: ItemId) -> TaskId | None:
    """Return the task an item is asked in, None while it is in none."""
    row = connection.execute(
        "SELECT task_id FROM item WHERE id = ?", (id_bytes(item_id),)
    ).fetchone()
    return TaskId(id_text(row[0])) if row is not None and row[0] is not None else None


def known_items(connection: sqlite3.Connection, item_ids: Iterable[ItemId]) -> set[ItemId]:
    """Return those of some names that items have here."""
    return {i for i in item_ids if find_row(connection, i)}


def find_row(connection: sqlite3.Connection, item_id: ItemId) -> bool:
    """Return whether there is an item of a name."""
    key = (id_bytes(item_id),)
    return connection.execute("SELECT 1 FROM item WHERE id = ?", key).fetchone() is not None


def last_position(connection: sqlite3.Connection, task_id: TaskId) -> int:
    """Return the position of the last item of a task, -1 when it has none."""
    (last,) = connection.execute(
        "SELECT ifnull(max(position), -1) FROM item WHERE task_id = ?", (id_bytes(task_id),)
    ).fetchone()
    return int(last)


def untouched_tasks(
    connection: sqlite3.Connection, video_id: VideoId, kind: str
) -> list[tuple[TaskId, tuple[VideoId, ...]]]:
    """Return unstarted tasks of a kind on a video, with the videos of their items.

    A task without items has none.
    """
    rows = connection.execute(
        "SELECT id FROM task WHERE video_id = ? AND kind = ? AND status = 'waiting' AND NOT EXISTS"
        " (SELECT 1 FROM assignment a WHERE a.task_id = task.id) ORDER BY id",
        (id_bytes(video_id), kind),
    ).fetchall()
    return [(TaskId(id_text(key)), _videos_of(connection, key)) for (key,) in rows]


def is_answered(connection: sqlite3.Connection, item_id: ItemId) -> bool:
    """Return whether anybody has answered anything about an item."""
    key = id_bytes(item_id)
    row = connection.execute(
        "SELECT EXISTS (SELECT 1 FROM vote WHERE item_id = ?1)"
        " OR EXISTS (SELECT 1 FROM draft d JOIN assignment a ON a.id = d.assignment_id"
        "  JOIN answer w ON w.draft_id = d.id AND w.item_id = ?1"
        "  WHERE a.task_id = (SELECT task_id FROM item WHERE id = ?1))",
        (key,),
    ).fetchone()
    return bool(row[0])


def is_source(connection: sqlite3.Connection, item_id: ItemId) -> bool:
    """Return whether other items were made from an item, and are not discarded."""
    row = connection.execute(
        "SELECT EXISTS (SELECT 1 FROM item WHERE json_extract(body, '$.source.item') = ?"
        " AND state <> ?)",
        (item_id, ItemState.DISCARDED.value),
    ).fetchone()
    return bool(row[0])


def videos_of(connection: sqlite3.Connection, task_id: TaskId) -> tuple[VideoId, ...]:
    """Return the videos that the items of a task are about; () when it has no items."""
    return _videos_of(connection, id_bytes(task_id))


def _videos_of(connection: sqlite3.Connection, task: bytes) -> tuple[VideoId, ...]:
    rows = connection.execute(
        "SELECT video_id FROM item_video WHERE item_id ="
        " (SELECT id FROM item WHERE task_id = ? ORDER BY position LIMIT 1) ORDER BY position",
        (task,),
    )
    return tuple(VideoId(id_text(video)) for (video,) in rows)


def _item(row: Sequence[object]) -> Item:
    key, kind, purpose, state, why, body = cast("tuple[bytes, str, str, str, str, str]", row)
    return item_of(ItemId(id_text(key)), kind, purpose, state, why, body)


_SAVE = "INSERT OR REPLACE INTO answer VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"


def write_answers(
    connection: sqlite3.Connection, draft_id: bytes, changes: Iterable[Change]
) -> None:
    """Bring changes of answers into the table."""
    for change in changes:
        assert isinstance(change.id, AnswerKey)
        key = (draft_id, id_bytes(change.id.item_id), change.id.field, change.id.entry)
        if isinstance(change.after, Answer):
            connection.execute(_SAVE, (*key, *_facts(change.after)))
        else:
            connection.execute(
                "DELETE FROM answer WHERE draft_id = ? AND item_id = ? AND field = ? AND entry = ?",
                key,
            )


def read_answers(connection: sqlite3.Connection, draft_id: bytes) -> list[Answer]:
    """Return the answers of a draft."""
    rows = connection.execute(
        "SELECT item_id, field, entry, value, at, took_ms, shown, recipe_version FROM answer"
        " WHERE draft_id = ? ORDER BY item_id, field, entry",
        (draft_id,),
    )
    return [
        Answer(
            AnswerKey(ItemId(id_text(item)), field, entry),
            value_from(msgspec.json.decode(value)),
            at,
            took_ms,
            tuple(json_texts(shown_text)),
            version,
        )
        for item, field, entry, value, at, took_ms, shown_text, version in rows
    ]


def _facts(answer: Answer) -> tuple[object, ...]:
    return (
        json_text(plain_of(answer.value)),
        answer.at,
        answer.took_ms,
        json_text(answer.order),
        answer.recipe_version,
    )
