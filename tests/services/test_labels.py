"""Label sets of a project: seeded, changed in all drafts at once, never orphaning what was made."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from annotator.domain.annotation.labels import Label, LabelSet
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.commands import CreateSegment, DeleteSegment, SetSegment
from annotator.domain.errors import EditError, ExchangeError, ProjectError, UserError
from annotator.domain.ids import segment_id
from annotator.services.project.projects import OpenProject, create_project, open_project
from annotator.services.session import Session
from tests.store.samples import video_info

POUR = Label(7, "Pouring", "Pouring {1:it}")
TAP = Label(8, "Tapping")
ACTIONS = LabelSet(Lane.ACTION, "Ours", (POUR, TAP))


@pytest.fixture
def project(tmp_path: Path):
    project = create_project(tmp_path / "work", title="Work")
    project.set_label_set(ACTIONS)
    yield project
    project.close()


def _draft(project: OpenProject, name: str) -> Session:
    return project.open_task(project.add_absent_video(video_info(name)))


def _segment(label: Label, start: int = 30, *, has_id: bool = True) -> Segment:
    number = label.id if has_id else None
    return Segment(segment_id(), Lane.ACTION, label.text, start, start + 10, number)


def _texts(session: Session) -> list[str]:
    return [s.label for s in session.document.segments]


def test_new_projects_come_with_the_examples_and_keep_them(tmp_path: Path) -> None:
    project = create_project(tmp_path / "work", title="Work")
    sounds = project.label_set(Lane.SOUND)
    assert " Human:Speech" in {label.text for label in sounds.labels}
    assert any(label.slots for label in project.label_set(Lane.ACTION).labels)
    project.close()
    again = open_project(project.path, read_only=True)
    assert again.label_set(Lane.SOUND) == sounds
    with pytest.raises(
        ProjectError, match=r"Cannot save the edit: the project is open read-only\."
    ):
        again.set_label_set(replace(sounds, name="Mine"))
    assert again.label_set(Lane.SOUND) == sounds
    again.close()


def test_renaming_reaches_the_segments_of_all_drafts(project: OpenProject) -> None:
    one, two = _draft(project, "a.mp4"), _draft(project, "b.mp4")
    for session in (one, two):
        session.run(CreateSegment(_segment(POUR, 5)))
        session.run(CreateSegment(_segment(TAP, 20)))
        session.run(CreateSegment(_segment(POUR, 40, has_id=False)))
    other = Segment(segment_id(), Lane.SOUND, POUR.text, 1, 2, 7)
    two.run(CreateSegment(other))
    task = two.task_id
    del two, session
    news: list[object] = []
    one.changed.add(news.append)
    project.labels_changed.add(news.append)
    new = ACTIONS.with_label(replace(POUR, text="Pouring out"))
    project.set_label_set(new)
    assert _texts(one) == ["Pouring out", "Tapping", "Pouring out"]
    assert [s.label_id for s in one.document.segments] == [7, 8, None]
    assert _texts(project.open_task(task)) == ["Pouring", "Pouring out", "Tapping", "Pouring out"]
    assert news[0].op == "rename-label"
    assert len(news[0].segment_ids) == 2
    assert news[1:] == [new]
    project.set_label_set(new)
    assert len(news) == 2
    path = project.path
    project.close()
    project = open_project(path)
    assert project.label_set(Lane.ACTION) == new
    assert _texts(project.open_task(task)) == ["Pouring", "Pouring out", "Tapping", "Pouring out"]
    project.close()
    connection = sqlite3.connect(path)
    assert connection.execute(
        "SELECT count(*), count(DISTINCT draft_id) FROM event WHERE op = 'rename-label'"
    ).fetchone() == (2, 2)
    assert connection.execute("SELECT version FROM label_set ORDER BY lane").fetchall() == [
        (3,),
        (1,),
    ]
    connection.close()


@pytest.mark.parametrize("is_reopened", [False, True])
def test_undo_brings_back_what_was_done_under_the_new_names(
    project: OpenProject, is_reopened: bool
) -> None:
    session = _draft(project, "a.mp4")
    first = _segment(POUR)
    session.run(CreateSegment(first))
    session.run(SetSegment(replace(first, end=80)))
    session.run(DeleteSegment(first.id))
    project.set_label_set(ACTIONS.with_label(replace(POUR, text="Flowing")))
    project.set_label_set(
        LabelSet(Lane.ACTION, "Ours", (replace(POUR, text="Tapping"), replace(TAP, text="Flowing")))
    )
    if is_reopened:
        task = session.task_id
        del session
        project.close()
        project = open_project(project.path)
        session = project.open_task(task)
    assert session.undo_op == "delete-segment"
    session.undo()
    assert session.document.segments == (replace(first, end=80, label="Tapping"),)
    session.undo()
    assert session.document.segments == (replace(first, label="Tapping"),)
    session.undo()
    assert not session.can_undo
    session.redo()
    assert session.document.segments == (replace(first, label="Tapping"),)
    project.close()


def test_a_used_label_cannot_go_and_the_uses_of_all_drafts_are_listed(
    project: OpenProject,
) -> None:
    one, two = _draft(project, "a.mp4"), _draft(project, "b.mp4")
    one.run(CreateSegment(_segment(POUR, 60)))
    two.run(CreateSegment(_segment(POUR, 75, has_id=False)))
    timed = replace(_segment(POUR, 30), start_us=1_100_000, end_us=1_400_000)
    two.run(CreateSegment(timed))
    uses = "Cannot remove “"
    with pytest.raises(EditError, match=uses):
        project.set_label_set(ACTIONS.without(7))
    renamed = replace(ACTIONS, labels=(replace(TAP, text="Pouring"),))
    with pytest.raises(EditError, match="used 2 times"):
        project.set_label_set(renamed)
    assert project.label_set(Lane.ACTION) == ACTIONS
    assert _texts(one) == ["Pouring"]
    project.set_label_set(ACTIONS.without(8))
    assert project.label_set(Lane.ACTION).labels == (POUR,)


def test_sets_go_out_and_come_back(project: OpenProject, tmp_path: Path) -> None:
    project.export_label_set(Lane.ACTION, tmp_path / "out.toml")
    text = (tmp_path / "out.toml").read_text(encoding="utf-8")
    (tmp_path / "in.toml").write_text(text.replace('"Tapping"', '"Taps 水"'), encoding="utf-8")
    found = project.import_label_set(tmp_path / "in.toml")
    assert found.find(8).text == "Taps 水"
    assert project.label_set(Lane.ACTION) == found
    with pytest.raises(UserError, match="cannot be written"):
        project.export_label_set(Lane.ACTION, tmp_path / "none" / "out.toml")


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b'lane = "action"\nname = "\xff"\n', r"Line 2 is not UTF-8"),
        (b'lane = "action"\nname = "a"\n[[label]]\nid = 1\n', "row 1: The key “text” is missing"),
        (b"# " + b"x" * (9 << 20), "larger than 8 MiB"),
        (None, "Cannot read"),
    ],
)
def test_bad_files_change_nothing(
    project: OpenProject, tmp_path: Path, body: bytes | None, says: str
) -> None:
    path = tmp_path / "bad.toml"
    if body is not None:
        path.write_bytes(body)
    with pytest.raises(ExchangeError, match=rf"bad\.toml.*{says}"):
        project.import_label_set(path)
    assert project.label_set(Lane.ACTION) == ACTIONS


def test_a_damaged_set_is_told_and_the_project_opens(project: OpenProject) -> None:
    project.close()
    connection = sqlite3.connect(project.path)
    connection.execute("UPDATE label_set SET body = 'lane =' WHERE lane = 'action'")
    connection.commit()
    connection.close()
    again = open_project(project.path)
    assert "action" in again.notices[0].text
    assert again.label_set(Lane.ACTION).labels
    again.set_label_set(ACTIONS)
    assert again.label_set(Lane.ACTION) == ACTIONS
    again.close()
