"""The studies of the shipped recipes: what is asked, seen as it was dealt, and of whom."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from annotator.domain.answer import Picked
from annotator.domain.forms.field import Option
from annotator.domain.forms.restricted_view import Extent, Viewing
from annotator.domain.ids import PersonId, item_id
from annotator.domain.people import Role
from annotator.domain.questions.items.item import Item
from annotator.services.project.projects import OpenProject, create_project
from annotator.services.questions import question_generation
from annotator.services.questions.studies import studies
from annotator.services.questions.studies.askable_items import Parts
from annotator.store.questions import studies as store
from tests.store.samples import video_info

ROOT = Path(__file__).resolve().parents[3]


def _project(folder: Path, recipe: str, n_videos: int) -> OpenProject:
    made = create_project(folder / "study.annot", title="Study")
    for i in range(n_videos):
        made.add_absent_video(video_info(f"clip{i}.mp4"))
    text = (ROOT / "resources" / "recipes" / f"{recipe}.toml").read_text(encoding="utf-8")
    kept = [line for line in text.splitlines() if not line.startswith("requires")]
    made.work.use_recipe("\n".join(kept))
    return made


def _people(project: OpenProject, *names: str, role: Role) -> list[PersonId]:
    return [project.work.people.add(name, (role,)).id for name in names]


def _answer(project: OpenProject, person: PersonId, answers: dict[str, str]) -> list[bool]:
    """Let somebody do all there is for them; return which tasks were muted."""
    project.work.people.sign_in(person)
    muted: list[bool] = []
    while (record := project.work.claim_next()) is not None:
        session = project.open_task(record.id)
        question_set = project.questions.question_set(session)
        for asked in question_set.items:
            session.run(question_set.answer(asked.id, "answer", Picked((answers[asked.text],))))
        project.work.submit(session)
        muted.append(session.viewing.is_muted)
    return muted


@pytest.fixture
def pacs(tmp_path: Path) -> OpenProject:
    """Three questions about one pair: all three said the same of two of them."""
    project = _project(tmp_path, "pacs", 2)
    lead = project.work.me
    assert lead is not None
    writer, *raters = _people(project, "Writer", "Ben", "Cleo", role=Role.RATER)
    videos = tuple(info.id for info, _ in project.media.all())
    said = {"Heavier?": "object-1", "Harder?": "object-2", "Louder?": "object-1"}
    source = {"made": "confirm", "split": "test"}
    items = [
        Item(
            item_id(),
            "confirm",
            videos,
            text,
            source={**source, "question": f"x/{writer}/{i}", "answer": answer},
        )
        for i, (text, answer) in enumerate(said.items())
    ]
    assert project.questions.add(items).refused == ()
    _answer(project, raters[0], said)
    _answer(project, raters[1], {**said, "Louder?": "object-2"})
    project.work.people.sign_in(lead.id)
    return project


def test_of_pacs_the_data_points_are_asked_with_and_without_sound(pacs: OpenProject) -> None:
    lead = pacs.work.me
    assert lead is not None
    guests = _people(pacs, *(f"Guest {i}" for i in range(10)), role=Role.PARTICIPANT)
    wish = studies.wish_for(pacs, "people", "Summer", guests)
    assert [c.key for c in wish.conditions] == ["sound", "muted"]
    found = studies.outlook(pacs, wish)
    # The third question is no data point: one of three said otherwise.
    assert (found.n_items, found.per_item, found.least, found.most) == (2, 10, 2, 2)
    study = studies.make_study(pacs, wish)
    parts = store.list_parts(pacs.file, study.id)
    # Both questions are about one pair, which everybody sees in one way.
    assert set(Counter(p.task_id for p in parts).values()) == {2}
    answers = {"Heavier?": "object-1", "Harder?": "object-1"}
    muted = [_answer(pacs, guest, answers) for guest in guests]
    assert sorted(map(tuple, muted)) == [(False,)] * 5 + [(True,)] * 5
    pacs.work.people.sign_in(lead.id)
    asked = {i.id: i for _, i in pacs.questions.list(studies.item_store.ItemFilter(kind="people"))}
    rights = {asked[p.asked_id].text: asked[p.asked_id].right["answer"] for p in parts}
    assert rights == {"Heavier?": ("object-1",), "Harder?": ("object-2",)}
    pacs.close()


def test_who_wrote_or_answered_a_question_is_not_asked_it(pacs: OpenProject) -> None:
    people = {p.name: p.id for p in pacs.work.people.all()}
    (item, *_) = [i for _, i in pacs.questions.list(studies.item_store.ItemFilter(kind="confirm"))]
    assert Parts(pacs).of(item) == {people["Writer"], people["Ben"], people["Cleo"]}
    wish = studies.wish_for(pacs, "people", "x", people.values())
    # Of the four only the lead had no part.
    assert studies.outlook(pacs, wish).n_missing == 9
    pacs.close()


def _final_questions(folder: Path) -> tuple[OpenProject, list[PersonId]]:
    """Return a project with a finished question on each of three videos, and ten participants."""
    project = _project(folder, "perception-test", 3)
    options = tuple(Option(f"o{i}", f"Answer {i}") for i in range(3))
    items = [
        Item(
            item_id(),
            "final-questions",
            (info.id,),
            f"Question about {info.name}",
            options,
            {"answer": ("o1",)},
            area="physics",
        )
        for info, _ in project.media.all()
    ]
    question_generation.store_items(project, items)
    guests = _people(project, *(f"Guest {i}" for i in range(10)), role=Role.PARTICIPANT)
    return project, guests


def test_of_the_perception_test_the_cut_frames_stay(tmp_path: Path) -> None:
    project, guests = _final_questions(tmp_path)
    wish = studies.wish_for(project, "people", "Spring", guests)
    assert (wish.answers, wish.per_person, wish.conditions) == (10, 42, ())
    study = studies.make_study(
        project, replace(wish, choice=replace(wish.choice, areas=("physics",)))
    )
    parts = store.list_parts(project.file, study.id)
    assert len(parts) == 30
    assert {project.work.viewing_of(p.task_id).extent for p in parts} == {Extent.BEFORE_CUT}
    project.close()


def test_a_study_can_be_crossed_where_the_recipe_names_no_conditions(tmp_path: Path) -> None:
    project, guests = _final_questions(tmp_path)
    both = studies.conditions_of(project, "people")
    assert [each.key for each in both] == ["sound", "muted"]
    wish = replace(
        studies.wish_for(project, "people", "Crossed", guests), answers=5, conditions=both
    )
    study = studies.make_study(project, wish)
    viewings = Counter(
        (p.condition, project.work.viewing_of(p.task_id))
        for p in store.list_parts(project.file, study.id)
    )
    cut = Viewing(Extent.BEFORE_CUT)
    assert viewings == {("sound", cut): 15, ("muted", replace(cut, is_muted=True)): 15}
    project.close()
