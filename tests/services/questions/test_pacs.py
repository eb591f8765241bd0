"""PACS from clips to its files, with the shipped recipe and raters that follow a script."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from annotator.benchmarks.pacs import objects_and_pairs as pacs
from annotator.benchmarks.pacs.export import export_pacs
from annotator.domain.answer import Flagged, FrameBox, Picked, Value
from annotator.domain.checks import Severity
from annotator.domain.geometry import Box
from annotator.domain.people import Role
from annotator.domain.questions.answer_resolution import NOT_UNANIMOUS
from annotator.domain.questions.items.item import Item, ItemState
from annotator.services.background.jobs import JobToken
from annotator.services.project.projects import OpenProject, create_project
from annotator.store.catalog import videos
from annotator.store.questions.items import ItemFilter
from tests.exchange.test_pacs import faults
from tests.media.clips import make
from tests.store.samples import video_info

ROOT = Path(__file__).resolve().parents[3]
N_CLIPS = 7
Script = Callable[[str, Item, int], dict[str, Value]]


@pytest.fixture
def project(tmp_path: Path) -> Iterator[OpenProject]:
    made = create_project(tmp_path / "pacs.annot", title="PACS")
    splits = ["train"] * 5 + ["test"] * 2
    infos = [video_info(f"clip{i}.mp4") for i in range(N_CLIPS)]
    for info in infos:
        made.add_absent_video(info)
    recipe = (ROOT / "resources" / "recipes" / "pacs.toml").read_text(encoding="utf-8")
    kept = [line for line in recipe.splitlines() if not line.startswith("requires")]
    made.work.use_recipe("\n".join(kept))
    made.set_extra({i.id: {"metadata": {"split": s}} for i, s in zip(infos, splits, strict=True)})
    for name in ("Ann", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gus"):
        made.work.people.add(name, (Role.RATER,))
    yield made
    made.close()


def _work(
    project: OpenProject, kind: str, script: Script, names: tuple[str, ...], *, limit: int = 1000
) -> None:
    """Let people answer all there is of a kind, or so many tasks each; then the lead comes back."""
    people = {person.name: person for person in project.work.people.all()}
    (lead,) = [p for p in people.values() if p.has(Role.LEAD)]
    for name in names:
        project.work.people.sign_in(people[name].id)
        held = [h.task_id for h in project.work.in_hand()]
        for _ in range(limit):
            record = None if held else project.work.claim_next(kind)
            if not held and record is None:
                break
            session = project.open_task(held.pop() if record is None else record.id)
            question_set = project.questions.question_set(session)
            for item in question_set.items:
                for entry in range(question_set.form.entries[1]):
                    for field, value in script(name, item, entry).items():
                        session.run(question_set.answer(item.id, field, value, entry=entry))
            assert question_set.problems() == ()
            project.work.submit(session)
    project.work.people.sign_in(lead.id)


def _name(project: OpenProject, item: Item, place: int = 0) -> str:
    return project.media.video(item.video_ids[place]).info.name.removesuffix(".mp4")


def _look(project: OpenProject) -> Script:
    def answers(_: str, item: Item, __: int) -> dict[str, Value]:
        if _name(project, item) == "clip6":
            return {"flag": Flagged("no-object")}
        box = FrameBox(45, Box(100, 100, 300, 260))
        return {"focus": box, "materials": Picked(("wood",)), "confidence": 3}

    return answers


def _listen(project: OpenProject) -> Script:
    def answers(_: str, item: Item, __: int) -> dict[str, Value]:
        if _name(project, item) == "clip0":  # neither surer nor of another mind
            return {"materials": Picked(("wood",)), "confidence": 3}
        materials = Picked(("glass",)) if _name(project, item) == "clip1" else Picked(("wood",))
        return {"materials": materials, "confidence": 4}

    return answers


def _write(name: str, item: Item, entry: int) -> dict[str, Value]:
    if entry:
        return {}
    return {
        "question": f"Which object would {name} rather throw, of {' and '.join(item.video_ids)}?",
        "answer": Picked(("object-1",)),
        "properties": ("weight",),
    }


def _confirm(name: str, item: Item, _: int) -> dict[str, Value]:
    disagrees = name == "Fay" and "Ben" in item.text
    return {"answer": Picked(("object-2" if disagrees else "object-1",))}


def _answer(_: str, item: Item, __: int) -> dict[str, Value]:
    if "Cleo" in item.text:
        return {"answer": Picked(("irrelevant",))}
    return {"answer": Picked(("object-1",)), "wording": item.text.replace("rather", "sooner")}


def _discarded(project: OpenProject, kind: str) -> list[str]:
    """Return why items of a kind are out."""
    found = project.questions.list(ItemFilter(kind=kind))
    return [item.why_discarded for _, item in found if item.state is ItemState.DISCARDED]


def test_from_clips_to_files(project: OpenProject, tmp_path: Path) -> None:
    assert len(pacs.make_focus_questions(project).item_ids) == N_CLIPS
    assert pacs.make_focus_questions(project).item_ids == ()
    _work(project, "look", _look(project), ("Ann", "Ben"))
    heard = pacs.make_sound_questions(project)
    assert len(heard.item_ids) == N_CLIPS - 1
    assert [(f.where, f.text) for f in heard.findings] == [
        ("clip6", "The clip was excluded: “No focus object”.")
    ]
    lookers = {s.item.video_ids: s.person_id for s in pacs.iter_answers(project, "look")}
    _work(project, "listen", _listen(project), ("Ann", "Ben"))
    # Who judged by sight judges by sound: the two confidences are one person's.
    listeners = {s.item.video_ids: s.person_id for s in pacs.iter_answers(project, "listen")}
    assert len(listeners) == N_CLIPS - 1
    assert all(lookers[videos] == person for videos, person in listeners.items())
    # What one person flags is out, and says why.
    assert _discarded(project, "look") == ["No focus object"]
    assert pacs.make_focus_questions(project).item_ids == ()
    objects, findings = pacs.focus_objects(project)
    assert sorted(o.name for o in objects) == ["clip1", "clip2", "clip3", "clip4", "clip5"]
    assert [(f.where, f.text) for f in findings] == [
        ("clip0", "The clip was excluded: the answer did not change with sound.")
    ]
    assert {o.name: o.materials for o in objects}["clip1"] == ("glass",)
    pairs = pacs.make_pairs(project)
    # Four objects of train make six pairs; the one that is left of test has no partner.
    assert len(pairs.item_ids) == 6
    assert [f.where for f in pairs.findings if f.code == "few-pairs"] == ["clip5"]
    assert pacs.make_pairs(project).item_ids == ()
    writers = ("Ann", "Ben", "Cleo", "Dan", "Eve")
    _work(project, "write", _write, writers)
    assert len(pacs.bank_of(project)) == 30
    assigned = pacs.assign_bank_questions(project)
    assert len(assigned.item_ids) == 6 * 13
    _work(project, "reassign", _answer, ("Dan",))
    confirm = pacs.make_confirmations(project)
    assert pacs.make_confirmations(project).item_ids == ()
    texts = [i.text for _, i in project.questions.list(ItemFilter(kind="reassign"))]
    n_irrelevant = sum("Cleo" in text for text in texts)
    assert len(confirm.item_ids) == 30 + 78 - n_irrelevant
    # Nobody looks at their own answers: Ann wrote about each pair, Dan answered what was dealt.
    _work(project, "confirm", _confirm, ("Ann", "Dan"))
    assert list(pacs.iter_answers(project, "confirm")) == []
    _work(project, "confirm", _confirm, ("Fay", "Gus"))
    # What was not unanimous is settled: it is not asked again.
    assert set(_discarded(project, "confirm")) == {NOT_UNANIMOUS}
    assert pacs.make_confirmations(project).item_ids == ()
    points = pacs.data_points(project)
    counts = Counter((p.label, p.why) for p in points)
    n_torn = sum("Ben" in p.text for p in points)
    assert n_torn > 0
    assert counts == {(0, ""): len(points) - n_torn, (None, "not-unanimous"): n_torn}
    folder = tmp_path / "out"
    report = export_pacs(project, folder, JobToken(lambda _f, _t: None))
    assert list(faults(folder)) == []
    assert report.counts["objects.json"] == 4
    assert report.counts["train_data.json"] == 6
    train = json.loads((folder / "train_data.json").read_text(encoding="utf-8"))
    assert sum(len(found) for found in train.values()) == len(points) - n_torn
    assert all(p["label"] == 0 for found in train.values() for p in found.values())
    assert "sooner" in (folder / "train_data.json").read_text(encoding="utf-8")
    side = json.loads((folder / "provenance.json").read_text(encoding="utf-8"))
    asked = json.loads((folder / "questions.json").read_text(encoding="utf-8"))
    assert len(side["points"]) == len(points)
    torn = [p for p in side["points"] if p["dropped"]]
    assert {tuple(sorted(p["answers"])) for p in torn} == {("object-1", "object-1", "object-2")}
    people = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*data.json"))
    assert "weight" not in people
    # Objects go by their names in the data set; which clip each was is told beside it.
    assert side["objects"] == {f"object000{n}": {"clip": f"clip{n}"} for n in range(1, 5)}
    assert {name for p in side["points"] for name in p["clips"]} == {
        "clip1", "clip2", "clip3", "clip4",
    }  # fmt: skip
    # Only what the data set holds has pictures; nobody wrote a statement.
    assert {f.where for f in report.findings if f.code == "no-pictures"} == {
        "clip1", "clip2", "clip3", "clip4",
    }  # fmt: skip
    assert [f.text for f in report.findings if f.code == "no-statement"] == [
        f"Questions without a statement: {len(asked)} of {len(asked)}."
    ]


def test_what_comes_later_is_paired_and_dealt_as_well(project: OpenProject) -> None:
    pacs.make_focus_questions(project)
    _work(project, "look", _look(project), ("Ann",))
    pacs.make_sound_questions(project)
    # The lead presses when four of six clips were heard; one of them made no difference.
    _work(project, "listen", _listen(project), ("Ann",), limit=4)
    n_early = len(pacs.focus_objects(project)[0])
    assert n_early == 3
    assert len(pacs.make_pairs(project).item_ids) == 3
    writers = ("Ann", "Ben", "Cleo", "Dan", "Eve")
    _work(project, "write", _write, writers)
    few = pacs.assign_bank_questions(project)
    assert (len(few.item_ids), {f.text for f in few.findings}) == (
        3 * 10,
        {"Could not assign 3 of 13 questions."},
    )
    assert pacs.assign_bank_questions(project).item_ids == ()
    # When the others have been heard they join in, and the first pairs get what they lack.
    _work(project, "listen", _listen(project), ("Ann",))
    assert len(pacs.make_pairs(project).item_ids) == 3
    assert pacs.make_pairs(project).item_ids == ()
    _work(project, "write", _write, writers)
    assert len(pacs.assign_bank_questions(project).item_ids) == 3 * 3 + 3 * 13
    assigned = [i for _, i in project.questions.list(ItemFilter(kind="reassign"))]
    assert set(Counter(i.video_ids for i in assigned).values()) == {13}
    assert len({(i.video_ids, i.text) for i in assigned}) == 6 * 13


def test_what_a_lead_takes_out_is_out(project: OpenProject) -> None:
    pacs.make_focus_questions(project)
    _work(project, "look", _look(project), ("Ann",))
    pacs.make_sound_questions(project)
    _work(project, "listen", _listen(project), ("Ann",))
    pacs.make_pairs(project)
    _work(project, "write", _write, ("Ann", "Ben", "Cleo", "Dan", "Eve"))
    pacs.assign_bank_questions(project)
    _work(project, "reassign", _answer, ("Dan",))
    (_, look), *_ = project.questions.list(ItemFilter(kind="look"))
    pairs = [item for _, item in project.questions.list(ItemFilter(kind="write"))]
    project.questions.discard([look.id, pairs[0].id], "It was filmed twice.")
    assert pacs.make_focus_questions(project).item_ids == ()
    _, findings = pacs.focus_objects(project)
    assert (_name(project, look), "The clip was excluded: “It was filmed twice.”.") in [
        (f.where, f.text) for f in findings
    ]
    made = pacs.make_confirmations(project).item_ids
    asked = {i.video_ids for _, i in project.questions.list(ItemFilter(kind="confirm"))}
    assert made
    assert asked == {pair.video_ids for pair in pairs[1:]}


def test_of_clips_of_one_name_the_first_is_asked_about(project: OpenProject) -> None:
    videos.add_video(project.file, video_info("clip3.mov"), None)
    for _ in range(2):
        made = pacs.make_focus_questions(project)
        assert [(f.code, f.where, f.severity) for f in made.findings] == [
            ("same-name", "clip3", Severity.ERROR)
        ]
    names = [_name(project, i) for _, i in project.questions.list(ItemFilter(kind="look"))]
    assert sorted(names) == [f"clip{n}" for n in range(N_CLIPS)]


def test_pictures_are_cut_from_the_video(tmp_path: Path) -> None:
    import cv2

    from annotator.benchmarks.pacs.export import _pictures
    from annotator.benchmarks.pacs.objects_and_pairs import FocusObject

    clip = make("h264_b_frames_mp4", tmp_path)
    project = create_project(tmp_path / "p.annot", title="P")
    (video_id,) = project.add_videos([clip]).added
    info = project.media.video(video_id).info
    box = Box(10, 8, 30, 24)
    each = FocusObject(video_id, "clip", "train", FrameBox(12, box), ("wood",))
    assert (
        _pictures(
            project, {"object0001": each}, tmp_path / "pictures", JobToken(lambda _f, _t: None)
        )
        == []
    )
    crop = cv2.imread(str(tmp_path / "pictures" / "object0001_crop.png"))
    whole = cv2.imread(str(tmp_path / "pictures" / "object0001_box.png"))
    assert crop.shape == (25, 25, 3)
    assert whole.shape == (info.height, info.width, 3)
    assert whole[8, 10].tolist() == whole[23, 29].tolist() == [0, 0, 255]
    project.close()
