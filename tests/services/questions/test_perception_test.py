"""Questions of the Perception Test with the shipped recipe: raters, a tie, a draw, the export."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.benchmarks.perception_test.cut_frames import export_cut_frames
from annotator.domain.answer import Picked
from annotator.domain.people import Role
from annotator.domain.questions.items.item import Item
from annotator.services.project.projects import OpenProject, create_project
from annotator.services.questions.question_generation import (
    make_bank_questions,
    make_final_questions,
)
from annotator.services.questions.voting.submitted_answers import iter_answers
from annotator.store.questions.items import ItemFilter
from tests.store.samples import video_info

N_VIDEOS = 6
RATERS = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gus")


@pytest.fixture
def project(tmp_path: Path) -> Iterator[OpenProject]:
    made = create_project(tmp_path / "pt.annot", title="PT", recipe="perception-test")
    infos = [video_info(f"video_{i}.mp4") for i in range(N_VIDEOS)]
    for info in infos:
        made.add_absent_video(info)
    made.set_extra(
        {
            info.id: {"metadata": {"script": "cups-game", **({"cut_frame": 60} if i == 2 else {})}}
            for i, info in enumerate(infos)
        }
    )
    for name in RATERS:
        made.work.people.add(name, (Role.RATER,))
    yield made
    made.close()


def _pick(project: OpenProject, name: str, item: Item) -> str:
    """Cups: as many as the video's number says, but two of five are careless. Else: the first."""
    if not item.text.startswith("How many cups"):
        return "o0"
    number = int(project.media.video(item.video_ids[0]).info.name[6])
    if name in ("Ann", "Ben"):
        return "o3"
    if number == 5 and name == "Eve":
        return "o1"  # two against two against one: more have to be asked
    return f"o{number % 3}"


def _answer(project: OpenProject) -> None:
    people = {person.name: person for person in project.work.people.all()}
    for name in RATERS:
        project.work.people.sign_in(people[name].id)
        while (record := project.work.claim_next("questions")) is not None:
            session = project.open_task(record.id)
            question_set = project.questions.question_set(session)
            for item in question_set.items:
                picked = Picked((_pick(project, name, item),))
                session.run(question_set.answer(item.id, "answer", picked))
            project.work.submit(session)
    (lead,) = [p for p in people.values() if p.has(Role.LEAD)]
    project.work.people.sign_in(lead.id)


def test_five_raters_settle_and_three_options_are_drawn(
    project: OpenProject, tmp_path: Path
) -> None:
    made = make_bank_questions(project)
    # Eight templates with options, one of them with two slots; two open questions.
    assert len(made.item_ids) == N_VIDEOS * (9 + 2)
    _answer(project)
    votes = Counter(s.item.video_ids[0] for s in iter_answers(project, "questions"))
    # Nine questions each; of the last video one is asked of more than five raters.
    tied = project.media.all()[5][0].id
    assert {n for video_id, n in votes.items() if video_id != tied} == {9 * 5}
    assert votes[tied] == 9 * 5 + 2
    final = make_final_questions(project)
    assert [f for f in final.findings if f.code != "few-options"] == []
    items = [item for _, item in project.questions.list(ItemFilter(kind="final-questions"))]
    assert len(items) == len(final.item_ids) == N_VIDEOS * 9
    cups = {}
    for item in items:
        assert len({option.text for option in item.options}) == 3
        (key,) = item.right["answer"]
        answer = next(o.text for o in item.options if o.key == key)
        if item.text.startswith("How many cups"):
            cups[project.media.video(item.video_ids[0]).info.name[6]] = answer
            assert item.source["right_over_script"] == {"2": 2, "3": 2, "4": 2}
    assert cups == {"0": "2", "1": "3", "2": "4", "3": "2", "4": "3", "5": "4"}
    binary = [item for item in items if item.text.startswith("Is the camera")]
    assert all("I don't know" in {o.text for o in item.options} for item in binary)
    assert max(Counter(i.right["answer"] for i in binary).values()) == N_VIDEOS
    cut = export_cut_frames(project, tmp_path / "cut.json")
    assert (cut.n_videos, cut.n_cut, cut.findings) == (N_VIDEOS, 1, ())
    mapping = json.loads((tmp_path / "cut.json").read_text(encoding="utf-8"))
    assert mapping == {f"video_{i}": 60 if i == 2 else -1 for i in range(N_VIDEOS)}
    side = json.loads((tmp_path / "cut.provenance.json").read_text(encoding="utf-8"))
    (told,) = [q for q in side["videos"]["video_5"] if q["question"].startswith("How many cups")]
    assert told["votes"] == {"3": 1, "4": 4, "5": 2}
    assert told["agreement"] == 4 / 7
    assert (told["seed"], told["right_over_script"]) == (1, {"2": 2, "3": 2, "4": 2})
    assert not any(name in json.dumps(side) for name in RATERS)
