"""Items of a file that point: boxes on frames, and objects that were drawn."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.domain.answer import FrameBox, Value
from annotator.domain.commands import CreateTrack
from annotator.domain.errors import ExchangeError
from annotator.domain.geometry import Box
from annotator.domain.ids import TrackId, track_id
from annotator.domain.questions.items.item import Item
from annotator.domain.questions.quality import is_right
from annotator.services.background.jobs import JobToken
from annotator.services.questions.question_generation import resolve_grounded_questions
from annotator.services.questions.recipe_steps import bring_in
from annotator.services.transfer import ExportRequest, export_project
from annotator.store.questions.items import ItemFilter
from tests.services.questions.question_team import QuestionTeam, recipe

MORE = """
[[task_types]]
kind = "grounded"
title = "Grounded"
viewing = { has_tracks = true }
[[task_types.stages]]
key = "answer"
title = "Answer"
act = "annotate"
role = "rater"
[task_types.form]
[[task_types.form.fields]]
key = "answer"
title = "Do these answer it?"
kind = "truth"

[[task_types]]
kind = "pick"
title = "Pick"
[[task_types.stages]]
key = "answer"
title = "Answer"
act = "annotate"
role = "rater"
[task_types.form]
[[task_types.form.fields]]
key = "which"
title = "Which objects?"
kind = "tracks"

[[task_types]]
kind = "early"
title = "Early"
viewing = { extent = "middle-frame" }
[[task_types.stages]]
key = "answer"
title = "Answer"
act = "annotate"
role = "rater"
[task_types.form]
[[task_types.form.fields]]
key = "seen"
title = "Seen?"
kind = "truth"

[[rules]]
key = "first"
kind = "grounded"
text = "Track what is there at the beginning."
area = "memory"
reasoning = "descriptive"
where = "present at start"
"""


@pytest.fixture
def team(tmp_path: Path) -> Iterator[QuestionTeam]:
    made = QuestionTeam(tmp_path, 2, text=recipe() + MORE)
    yield made
    made.project.close()


def _draw(team: QuestionTeam, *labels: str) -> list[TrackId]:
    """Let Ann draw objects on the first video and hand them in; the second one is never seen."""
    team.work.people.sign_in(team.people["Ann"].id)
    (task,) = [t for t in team.project.tasks() if t.video_id == team.videos[0].id]
    session = team.project.open_task(task.id)
    tracks = [track_id() for _ in labels]
    for track, label in zip(tracks, labels, strict=True):
        session.run(CreateTrack(track, label, 0, Box(4, 4, 30, 30)))
    team.work.submit(session)
    team.lead_again()
    return tracks


def _bring(team: QuestionTeam, *items: object) -> list[Item]:
    path = team.folder / "items.json"
    path.write_text(json.dumps(items), encoding="utf-8")
    made = bring_in(team.project, path)
    assert made.findings == ()
    found = {item.id: item for _, item in team.questions.list(ItemFilter())}
    return [found[item_id] for item_id in made.item_ids]


def test_boxes_show_what_is_meant_in_each_video(team: QuestionTeam) -> None:
    pair = {"kind": "pairs", "videos": ["v0", "v1"], "question": "Which is heavier?"}
    first = {"frame": 45, "box": [10, 20.5, 700, 300]}
    (item,) = _bring(team, {**pair, "boxes": [first, None]})
    assert item.boxes == (FrameBox(45, Box(10, 20.5, 640, 300)), None)
    task_id = team.questions.list(ItemFilter(kind="pairs"))[0][0]
    assert task_id is not None
    _, question_set = team.as_("Ann", task_id)
    assert question_set.items[0].boxes == item.boxes


def test_objects_are_named_by_name_or_number(team: QuestionTeam, tmp_path: Path) -> None:
    box, cup, other = _draw(team, "box", "cup", "cup")
    asked = {"kind": "grounded", "video": "v0", "area": "memory", "reasoning": "descriptive"}
    held = {**asked, "question": "Track what is held.", "tracks": ["box", 2]}
    (item,) = _bring(team, held)
    assert item.track_ids == (box, other)
    pick = {"kind": "pick", "video": "v0", "purpose": "gold", "tracks": [0, 1]}
    (known,) = _bring(team, {**pick, "right": {"which": ["1", "box"]}})
    assert known.right == {"which": (cup, box)}
    given: dict[str, Value] = {"which": (box, cup)}
    assert is_right(known, given)
    assert not is_right(known, {"which": (box,)})
    # What a rater says yes to is a grounded question like those of rules.
    team.work.people.sign_in(team.people["Ben"].id)
    record = team.work.claim_next("grounded")
    assert record is not None
    session = team.project.open_task(record.id)
    session.run(team.questions.question_set(session).answer(item.id, "answer", True))
    team.work.submit(session)
    team.lead_again()
    assert resolve_grounded_questions(team.project).item_ids == (item.id,)
    path = tmp_path / "out.json"
    export_project(team.project, ExportRequest(path), JobToken(lambda _f, _t: None))
    (written,) = json.loads(path.read_text(encoding="utf-8"))["v0"]["grounded_question"]
    assert (written["question"], written["answers"]) == ("Track what is held.", [0, 2])


_GROUNDED = {"kind": "grounded", "video": "v0", "question": "Track it."}
_PAIR = {"kind": "pairs", "videos": ["v0", "v1"]}
_BOX = {"frame": 3, "box": [1, 2, 30, 40]}
_FAULTS: list[tuple[dict[str, object], str, str]] = [
    ({**_GROUNDED, "tracks": ["mug"]}, ".tracks", "Unknown object “"),
    ({**_GROUNDED, "tracks": ["cup"]}, ".tracks", "”. Use one of the numbers"),
    ({**_GROUNDED, "tracks": [3]}, ".tracks", "does not exist. There are"),
    ({**_GROUNDED, "tracks": [-1]}, ".tracks", "does not exist. There are"),
    ({**_GROUNDED, "tracks": ["box", 0]}, ".tracks", "Duplicate object."),
    ({**_GROUNDED, "tracks": [True]}, ".tracks[0]", "an integer"),
    (
        {**_GROUNDED, "video": "v1", "tracks": ["box"]},
        ".tracks",
        "” has no submitted tracks, so objects cannot be referenced.",
    ),
    ({**_PAIR, "tracks": ["box"]}, ".tracks", "” has no field that draws in or selects objects."),
    ({**_PAIR, "boxes": [_BOX]}, ".boxes", ". Write one box or null per video."),
    ({**_PAIR, "boxes": [_BOX, {**_BOX, "frame": 90}]}, ".boxes[1].frame", "90 frames, 0 to 89"),
    (
        {**_PAIR, "boxes": [_BOX, {**_BOX, "frame": -1}]},
        ".boxes[1].frame",
        "Must be an integer ≥ 0.",
    ),
    ({**_PAIR, "boxes": [_BOX, {**_BOX, "frame": 1.5}]}, ".boxes[1].frame", "an integer"),
    (
        {**_PAIR, "boxes": [{**_BOX, "box": [5, 5, 4, 9]}, None]},
        ".boxes[0].box",
        "Must be [x1, y1, x2, y2] with x1 < x2 and y1 < y2.",
    ),
    ({**_PAIR, "boxes": [{**_BOX, "box": [5, 5, 9]}, None]}, ".boxes[0].box", "Expected a list of"),
    ({**_PAIR, "boxes": [{**_BOX, "box": [700, 5, 800, 9]}, None]}, ".boxes[0].box", "one pixel"),
    ({**_PAIR, "boxes": [{**_BOX, "at": 3}, None]}, ".boxes[0]", "“at”"),
    (
        {"kind": "early", "video": "v0", "boxes": [_BOX]},
        ".boxes[0].frame",
        "is not visible in tasks of this type.",
    ),
]


@pytest.mark.parametrize(("bad", "where", "words"), _FAULTS)
def test_what_points_nowhere_is_refused_with_its_place(
    team: QuestionTeam, bad: dict[str, object], where: str, words: str
) -> None:
    _draw(team, "box", "cup", "cup")
    with pytest.raises(ExchangeError) as caught:
        _bring(team, bad)
    assert caught.value.where == f"items.json[0]{where}"
    assert words in caught.value.text
    assert team.questions.list(ItemFilter()) == []
