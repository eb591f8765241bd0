"""Items: added in tasks, refused with reasons, discarded, and not given away."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from annotator.domain.answer import FrameBox
from annotator.domain.errors import WorkError
from annotator.domain.forms.field import Option
from annotator.domain.geometry import Box
from annotator.domain.ids import PersonId, VideoId, item_id, new_id
from annotator.domain.questions.items.item import Item, ItemState, Purpose
from annotator.domain.work.records import LeadNeed
from annotator.services.background.jobs import JobToken
from annotator.services.project.projects import open_project
from annotator.services.questions.item_list import item_rows
from annotator.services.questions.items import ItemFilter
from tests.services.questions.question_team import QuestionTeam, gold, item, options


@pytest.fixture
def team(tmp_path: Path):
    made = QuestionTeam(tmp_path)
    yield made
    made.project.close()


def _asks(team: QuestionTeam) -> list[str]:
    return [t.kind for t in team.project.tasks() if t.kind != "object-tracks"]


def test_items_of_one_video_are_asked_in_one_task_in_their_order(team: QuestionTeam) -> None:
    first, second = (info.id for info in team.videos)
    items = [item(first, "1"), item(second, "2"), item(first, "3")]
    added = team.questions.add(items)
    assert _asks(team) == ["questions", "questions"]
    assert len(added.task_ids) == 2
    assert [i.text for i in team.questions.of_task(added.task_ids[0])] == ["1", "3"]
    assert team.questions.of_task(added.task_ids[0])[0] == items[0]
    more = team.questions.add([item(first, "4")])
    assert more.task_ids == added.task_ids[:1]
    team.hand_in("Ann", added.task_ids[0])
    team.lead_again()
    other = team.questions.add([item(first, "5")])
    assert other.task_ids[0] not in added.task_ids
    assert [i.text for i in team.questions.of_task(added.task_ids[0])] == ["1", "3", "4"]


def test_items_are_there_again_after_opening(team: QuestionTeam) -> None:
    task = team.add(gold(team.videos[0].id))
    before = team.questions.of_task(task)
    path = team.project.path
    team.project.close()
    team.project = open_project(path)
    team.lead_again()
    assert team.questions.of_task(task) == before
    assert before[0].purpose is Purpose.ATTENTION


def _bad(team: QuestionTeam) -> list[tuple[Item, str]]:
    a, b = (info.id for info in team.videos)
    missing = VideoId(new_id())
    twice = (Option("o0", "Cup"), Option("o1", " cup"))
    keys = (Option("o0", "Cup"), Option("o0", "Pan"))
    return [
        (item(a, options=twice), "Two options have the same text."),
        (item(a, options=keys), "the same key"),
        (item(a, options=(Option("o0", " "), Option("o1", "x"))), "empty"),
        (item(a, options=options(1)), "at least two"),
        (item(a, purpose=Purpose.GOLD), "The correct answer is missing. Items with this"),
        (item(a, purpose=Purpose.ATTENTION, right={"which": ()}), "The correct answer is"),
        (item(a, right={"which": ("o9",)}), "not among the options"),
        (item(a, right={"seen": ("perhaps",)}), "not among the options"),
        (item(a, right={"seen": ("yes", "no")}), "both"),
        (item(a, right={"what": ("o1",)}), "not a field"),
        (item(missing), "not in the project"),
        (Item(item_id(), "questions", (a, b)), "require one"),
        (Item(item_id(), "pairs", (a,)), "require two"),
        (Item(item_id(), "pairs", (a, a)), "twice"),
        (Item(item_id(), "pairs", (a, missing)), "not in the project"),
        (Item(item_id(), "object-tracks", (a,)), "has no form"),
        (Item(item_id(), "unheard", (a,)), "has no form"),
    ]


def test_what_cannot_be_asked_is_refused_and_the_rest_is_added(team: QuestionTeam) -> None:
    bad, good = _bad(team), item(team.videos[0].id)
    added = team.questions.add([*(each for each, _ in bad), good, good])
    assert added.item_ids == (good.id,)
    assert [i for i, _ in added.refused] == [*(each.id for each, _ in bad), good.id]
    for (_, why), (_, says) in zip(added.refused, bad, strict=False):
        assert says in why
    assert "occurs twice" in added.refused[-1][1]
    assert _asks(team) == ["questions"]
    assert team.questions.add([good]).refused[0][0] == good.id


def test_a_pair_is_one_task_about_two_videos(team: QuestionTeam) -> None:
    a, b = (info.id for info in team.videos)
    pair, turned = (Item(item_id(), "pairs", v) for v in ((a, b), (b, a)))
    added = team.questions.add([pair, turned])
    assert len(added.task_ids) == 2
    assert team.project.task(added.task_ids[0]).video_id == a
    (again,) = team.questions.add([Item(item_id(), "pairs", (a, b))]).task_ids
    assert again == added.task_ids[0]


def test_what_is_reserved_is_asked_one_person_in_tasks_of_their_own(team: QuestionTeam) -> None:
    video = team.videos[0].id
    ann = team.people["Ann"].id
    (theirs,) = team.questions.add([item(video, "Again?")], reserved_for=ann).task_ids
    (others,) = team.questions.add([item(video, "What?")]).task_ids
    assert others != theirs
    team.work.people.sign_in(team.people["Ben"].id)
    with pytest.raises(WorkError, match=r"The task is reserved for another person\."):
        team.work.claim(theirs)
    _, question_set = team.as_("Ann", theirs)
    assert [each.text for each in question_set.items] == ["Again?"]


def test_what_is_reserved_for_somebody_who_left_goes_to_whom_the_lead_names(
    team: QuestionTeam,
) -> None:
    first, second = (video.id for video in team.videos)
    ann, ben, cleo = (team.people[name].id for name in ("Ann", "Ben", "Cleo"))
    (here,) = team.questions.add([item(first, "Again?")], reserved_for=ann).task_ids
    (there,) = team.questions.add([item(second, "Again?")], reserved_for=ann).task_ids
    team.questions.add([item(first, "Again?")], reserved_for=cleo)
    lead = team.work.lead

    def give(person: PersonId) -> list[str]:
        refused = lead.assign([here, there], person, overrules=True, reason="Ann has left.")
        return [why for _, why in refused]

    assert ["deactivated" in why for why in give(ben)] == [True, True]
    lead.remove_person(ann)
    assert team.work.record(here).needs_lead is LeadNeed.NOBODY_LEFT
    # Cleo is asked the same about the first video in a task of her own.
    (why,) = give(cleo)
    assert "answered the same question" in why
    assert [a.person_id for a in team.work.record(there).holders] == [cleo]
    assert team.work.record(there).reserved_for == cleo
    lead.assign([here], ben, overrules=True, reason="Ann has left.")
    team.work.people.sign_in(ben)
    assert [held.task_id for held in team.work.in_hand()] == [here]
    team.work.release(here)
    free = team.work.free_tasks("questions", "answer")
    assert here in [each.task_id for each in free]
    assert team.work.record(here).reserved_for == ben
    team.work.people.sign_in(cleo)
    assert here not in [each.task_id for each in team.work.free_tasks("questions", "answer")]


def test_who_is_kept_from_a_task_cannot_be_given_it_either(team: QuestionTeam) -> None:
    task = team.add(item(team.videos[0].id))
    ann = team.people["Ann"].id
    with pytest.raises(WorkError, match=r"Enter a reason\."):
        team.work.lead.bar([task], [ann], " ")
    team.work.lead.bar([task], [ann], "The question is Ann's.")
    team.work.lead.bar([task], [ann], "The question is Ann's.")
    assert team.work.record(task).excluded == {ann}
    refused = team.work.lead.assign([task], ann, overrules=True, reason="There is nobody else.")
    assert [why for _, why in refused] == [
        "Ann: The person is excluded from this task because of an assignment in a work package."
    ]
    team.work.people.sign_in(ann)
    assert team.work.claim_next("questions") is None
    with pytest.raises(WorkError, match="only a lead"):
        team.work.lead.bar([task], [team.people["Ben"].id], "Mine.")


def test_boxes_are_kept_and_shown_to_raters(team: QuestionTeam) -> None:
    boxes = (FrameBox(3, Box(1, 2, 30, 40)),)
    task = team.add(item(team.videos[0].id, boxes=boxes))
    _, question_set = team.as_("Ann", task)
    assert question_set.items[0].boxes == boxes
    team.lead_again()
    ((_, why),) = team.questions.add([item(team.videos[0].id, boxes=boxes * 2)]).refused
    assert why == "The number of boxes differs from the number of videos."


def test_many_are_added_with_progress_and_canceling_adds_none(team: QuestionTeam) -> None:
    items = [item(team.videos[i % 2].id, str(i)) for i in range(600)]
    shares: list[float] = []
    with pytest.raises(WorkError, match=r"No items were added\."):
        team.questions.add(items, is_canceled=lambda: True)
    assert _asks(team) == []
    added = team.questions.add(items, on_progress=shares.append)
    assert shares[0] == 0.0
    assert (len(added.task_ids), len(added.item_ids)) == (2, 600)
    texts = [i.text for i in team.questions.of_task(added.task_ids[1])]
    assert texts == [str(i) for i in range(1, 600, 2)]


def test_items_are_found_by_what_they_are(team: QuestionTeam) -> None:
    a, b = (info.id for info in team.videos)
    plain, catch = item(a, group="g"), gold(b)
    task = team.add(plain)
    team.add(catch)
    find = team.questions.list
    assert [i for _, i in find()] == [plain, catch]
    assert find(ItemFilter(purpose=Purpose.ATTENTION))[0][1] == catch
    assert find(ItemFilter(video_id=a, kind="questions")) == [(task, plain)]
    assert [i.id for _, i in find(ItemFilter(group="g"))] == [plain.id]
    assert find(ItemFilter(state=ItemState.DECIDED)) == []


def test_discarding_needs_a_reason_that_is_kept(team: QuestionTeam) -> None:
    asked = item(team.videos[0].id)
    task = team.add(asked)
    with pytest.raises(WorkError, match="reason"):
        team.questions.discard([asked.id], "  ")
    team.questions.discard([asked.id], "It is blurred.")
    found = team.questions.of_task(task)[0]
    assert (found.state, found.why_discarded) == (ItemState.DISCARDED, "It is blurred.")
    _, question_set = team.as_("Ann", task)
    assert question_set.items == ()
    with pytest.raises(WorkError):
        team.questions.discard([asked.id], "I do not like it.")


def test_items_change_only_until_they_are_answered(team: QuestionTeam) -> None:
    asked = item(team.videos[0].id)
    task = team.add(asked)
    better = dataclasses.replace(asked, text="What lies there?")
    team.questions.replace([better])
    assert team.questions.of_task(task) == (better,)
    with pytest.raises(WorkError, match="two options"):
        team.questions.replace([dataclasses.replace(asked, options=())])
    session, question_set = team.as_("Ann", task)
    session.run(question_set.answer(asked.id, "seen", True))
    team.lead_again()
    with pytest.raises(
        WorkError, match=r"Cannot change the item: it was answered or sent in a work package\."
    ):
        team.questions.replace([asked])
    assert team.questions.of_task(task)[0].text == "What lies there?"


def test_raters_are_not_shown_what_gives_an_item_away(team: QuestionTeam) -> None:
    task = team.add(gold(team.videos[0].id))
    _, question_set = team.as_("Ann", task)
    for (seen,) in (question_set.items, team.questions.of_task(task)):
        assert seen.purpose is Purpose.WORK
        assert "secret" not in repr(seen)
        assert "right={}" in repr(seen)
        assert seen.texts == {"begin": "Because"}
    for act in (
        lambda: team.questions.list(),
        lambda: team.questions.add([gold(team.videos[0].id)]),
        lambda: team.questions.replace([]),
    ):
        with pytest.raises(WorkError):
            act()


def _named(*texts: str) -> tuple[Option, ...]:
    return tuple(Option("abcd"[i], text) for i, text in enumerate(texts))


def test_a_lead_changes_a_question_before_it_is_answered(team: QuestionTeam) -> None:
    (clip, _) = (info.id for info in team.videos)
    pool = item(clip, "What falls?", options=_named("ball", "cup", "lid", "mug"))
    team.add(pool)
    made = dataclasses.replace(
        item(clip, "What falls?", options=_named("ball", "cup")),
        right={"which": ("a",)},
        source={"made": "final", "item": pool.id},
    )
    task = team.add(made)
    assert team.questions.spare_options(made.id) == ("lid", "mug")
    revise = team.questions.revise

    def refused(**more: object) -> str:
        wanted = {"text": "What falls?", "options": {"b": "lid"}, "reason": "A cup falls, too."}
        with pytest.raises(WorkError) as error:
            revise(made.id, **{**wanted, **more})  # type: ignore[arg-type]
        return error.value.code

    assert refused(reason=" ") == "no-reason"
    assert refused(options={}) == "unchanged"
    assert refused(options={"z": "lid"}) == "no-option"
    assert refused(options={"b": "Ball"}) == "bad-item"
    assert refused(text="") == "bad-item"
    new = revise(made.id, text="What falls?", options={"b": " lid "}, reason="A cup falls, too.")
    assert [option.text for option in new.options] == ["ball", "lid"]
    assert new.right == made.right
    revise(made.id, text="What falls down?", options={}, reason="Clearer.")
    (stored,) = team.questions.of_task(task)[-1:]
    first, second = stored.source["edits"]  # type: ignore[misc]
    lead = team.people["lead"].id
    assert (first["by"], first["reason"]) == (lead, "A cup falls, too.")
    assert first["options"] == {"b": "cup"}
    assert (second["text"], second["options"]) == ("What falls?", {})
    rows = item_rows(team.project, "questions", JobToken(lambda *_: None))
    assert rows[-1].why == "Clearer."
    # Whatever something was made from stays as it was, and so does what was answered.
    with pytest.raises(WorkError, match="other questions were created from it"):
        revise(pool.id, text="Which falls?", options={}, reason="Shorter.")
    session, question_set = team.as_("Ann", task)
    team.lead_again()
    assert refused(options={"b": "mug"}) == "held"
    team.as_("Ann", task)
    session.run(question_set.answer(made.id, "seen", True))
    team.lead_again()
    assert refused(options={"b": "mug"}) == "answered"
    team.work.people.sign_in(team.people["Ben"].id)
    with pytest.raises(WorkError, match="lead"):
        revise(made.id, text="Which falls?", options={}, reason="Shorter.")
