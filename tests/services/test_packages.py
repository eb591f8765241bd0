"""Work that leaves by file and comes back by file: once, whatever happens on the way."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from annotator.domain.annotation.canonical import canonical_bytes, content_id
from annotator.domain.commands import (
    AcceptProposals,
    AddComment,
    CreateTrack,
    ReplyToComment,
    ResolveComments,
)
from annotator.domain.errors import ProjectError, UserError, WorkError
from annotator.domain.geometry import Box
from annotator.domain.ids import CommentId, PersonId, TaskId, new_id, track_id
from annotator.domain.people import Role
from annotator.domain.work.records import (
    AssignmentState,
    Flag,
    Reason,
    TaskStatus,
    Verdict,
    VerdictKind,
)
from annotator.services.background.jobs import JobToken
from annotator.services.packages.packages import open_package, pack_tasks
from annotator.services.packages.submissions import collect, pack_submissions
from annotator.services.project.projects import OpenProject, create_project, open_project
from annotator.services.transfer import import_file
from annotator.services.workflow.review import earlier_states
from annotator.services.workflow.sent_packages import origin_of
from annotator.store.workflow.travel import ActiveTime, active_times, merge_active_times
from annotator.sync.archive import Archive, ArchiveError, write_archive
from tests.media.encoding import encode

BOX = Box(4, 4, 30, 30)


@dataclass
class Lead:
    """The lead's project, its people and a folder for what travels."""

    project: OpenProject
    people: dict[str, PersonId]
    folder: Path

    def task(self, index: int = 0) -> TaskId:
        return [t.id for t in self.project.tasks() if t.kind == "object-tracks"][index]


@pytest.fixture(scope="module")
def clips(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("clips")
    for i in range(2):
        encode(folder / f"{i}.mp4", numbers=range(6 + i))
    return folder


@pytest.fixture
def lead(tmp_path: Path, clips: Path):
    home = tmp_path / "lead"
    shutil.copytree(clips, home / "videos")
    project = create_project(home / "p.annot", title="Mugs", recipe="perception-test")
    project.add_videos(sorted((home / "videos").iterdir()))
    people = {
        name: project.work.people.add(name, roles).id
        for name, roles in (("Ann", [Role.RATER]), ("Ben", [Role.RATER]), ("Cat", Role))
    }
    yield Lead(project, people, tmp_path)
    project.close()


def package(lead: Lead, name: str, **options: object) -> Path:
    path = lead.folder / f"{name}.work"
    pack_tasks(lead.project, path, lead.people[name], **{"n_tasks": 1, **options})
    return path


def opened(lead: Lead, path: Path, name: str, *folders: Path) -> OpenProject:
    """Open a package in a folder of its own, as the person it is for."""
    target = lead.folder / name / "mine.annot"
    done = open_package(path, target, media_folders=folders)
    assert done.person == name
    project = open_project(done.path)
    project.work.people.sign_in(lead.people[name])
    return project


def annotated(project: OpenProject, verdict: Verdict | None = None, label: str = "mug") -> TaskId:
    """Draw a box in the one task of a project, and hand it in."""
    (task,) = project.tasks()
    session = project.open_task(task.id)
    session.run(CreateTrack(track_id(), label, 0, BOX))
    project.work.submit(session, verdict)
    return task.id


def returned(lead: Lead, name: str, **options: object) -> Path:
    """Let somebody do the next task offline, and return the submission file."""
    path = package(lead, name, **options)
    project = opened(lead, path, name, lead.folder / "lead" / "videos")
    annotated(project)
    out = lead.folder / f"{name}.done"
    pack_submissions(project, out)
    project.close()
    return out


def test_a_task_goes_out_and_comes_back_through_all_stages(lead) -> None:
    report = collect(lead.project, returned(lead, "Ann", stage="annotate"))
    assert (report.person, len(report.new), report.n_known, report.flagged) == ("Ann", 1, 0, ())
    done = next(t.id for t in lead.project.tasks() if lead.project.work.submissions(t.id))
    record = lead.project.work.record(done)
    assert (record.stage, record.status) == ("check", TaskStatus.WAITING)
    path = package(lead, "Ben", stage="check")
    ben = opened(lead, path, "Ben")
    (task,) = ben.tasks()
    assert task.id == done
    session = ben.open_task(done)
    assert [t.label for t in session.document.tracks] == ["mug"]
    reasons = (Reason("The cup is missing."),)
    ben.work.submit(session, Verdict(VerdictKind.APPROVE, reasons[:0]))
    pack_submissions(ben, lead.folder / "ben.done")
    ben.close()
    collect(lead.project, lead.folder / "ben.done")
    assert lead.project.work.record(done).stage == "verify"
    cat = opened(lead, package(lead, "Cat", stage="verify"), "Cat")
    annotated(cat, Verdict(VerdictKind.APPROVE))
    pack_submissions(cat, lead.folder / "cat.done")
    cat.close()
    collect(lead.project, lead.folder / "cat.done")
    record = lead.project.work.record(done)
    assert record.status is TaskStatus.COMPLETE
    assert [a.person_id for a in record.assignments] == list(lead.people.values())
    assert len(lead.project.work.submissions(done)) == 3


def test_what_was_done_elsewhere_can_be_looked_at(lead) -> None:
    out = returned(lead, "Ann", stage="annotate")
    collect(lead.project, out)
    done = next(t.id for t in lead.project.tasks() if lead.project.work.submissions(t.id))
    session = lead.project.open_task(done, takes=False)
    assert session.is_submitted
    assert [t.label for t in session.document.tracks] == ["mug"]
    assert lead.project.work.record(done).stage == "check", "nobody has taken it"
    again = lead.project.open_task(done, takes=False)
    assert again.document.draft_id == session.document.draft_id
    collect(lead.project, out)
    assert len(lead.project.work.submissions(done)) == 1


def test_collecting_twice_from_a_copy_in_any_order_changes_nothing(lead) -> None:
    first = package(lead, "Ann", stage="annotate")
    project = opened(lead, first, "Ann", lead.folder / "lead" / "videos")
    annotated(project)
    early, late = lead.folder / "early.done", lead.folder / "late.done"
    pack_submissions(project, early)
    pack_submissions(project, late)
    project.close()
    copied = Path(shutil.copy(late, lead.folder / "copy.done"))
    assert len(collect(lead.project, late).new) == 1
    tasks = [lead.project.work.record(t.id) for t in lead.project.tasks()]
    for path in (early, copied, late, early):
        report = collect(lead.project, path)
        assert (report.new, report.n_known) == ((), 1)
    assert [lead.project.work.record(t.id) for t in lead.project.tasks()] == tasks


def test_work_done_twice_is_kept_and_flagged(lead) -> None:
    path = package(lead, "Ann", stage="annotate")
    task_id = None
    for i, label in enumerate(("mug", "cup")):
        target = lead.folder / f"copy{i}" / "mine.annot"
        open_package(path, target, media_folders=[lead.folder / "lead"])
        project = open_project(target)
        project.work.people.sign_in(lead.people["Ann"])
        task_id = annotated(project, label=label)
        pack_submissions(project, lead.folder / f"{i}.done")
        project.close()
    assert collect(lead.project, lead.folder / "1.done").flagged == ()
    second = collect(lead.project, lead.folder / "0.done")
    assert second.flagged == ((task_id, Flag.REPEATED.value),)
    assert len(lead.project.work.submissions(task_id)) == 2
    assert Flag.REPEATED in lead.project.work.record(task_id).flags


def test_what_comes_after_the_lead_took_the_task_back_is_kept(lead) -> None:
    path = returned(lead, "Ann", stage="annotate")
    held = [t.id for t in lead.project.tasks() if lead.project.work.record(t.id).holders]
    task_id = held[0]
    from annotator.domain.work.acts import Revoke

    (assignment,) = lead.project.work.record(task_id).holders
    me = lead.project.work.me
    lead.project.work.transactions.act(task_id, Revoke(me.id, assignment.id, "needed elsewhere"))
    report = collect(lead.project, path)
    assert [flag for _, flag in report.flagged] == [Flag.LATE.value]
    record = lead.project.work.record(task_id)
    assert record.stage == "annotate"
    assert record.assignment(assignment.id).state is AssignmentState.REVOKED
    assert len(lead.project.work.submissions(task_id)) == 1


def test_what_is_away_waits_for_its_return(lead) -> None:
    work = lead.project.work
    work.people.sign_in(lead.people["Ann"])
    claimed = work.claim_next(stage="annotate")
    (boss,) = [p for p in work.people.all() if p.id not in lead.people.values()]
    work.people.sign_in(boss.id)
    assert claimed.holders[0].lease_until is not None
    path = package(lead, "Ann", stage="annotate")
    given = [r for t in lead.project.tasks() if (r := work.record(t.id)).holders]
    assert len(given) == 2
    assert [a.lease_until for r in given for a in r.holders] == [None, None]
    now = work.transactions.now()
    work.transactions.now = lambda: now + 90 * 24 * 3_600_000
    work.people.sign_in(lead.people["Cat"])
    assert work.claim_next(stage="annotate") is None
    mine = opened(lead, path, "Ann")
    mine.work.transactions.now = work.transactions.now
    assert {h.task_id for h in mine.work.my_work().in_progress} == {r.id for r in given}
    mine.close()


def test_media_are_found_by_content_or_come_along(lead, clips) -> None:
    path = package(lead, "Ann", stage="annotate", n_tasks=8)
    apart = lead.folder / "apart"
    apart.mkdir()
    shutil.copy(clips / "0.mp4", apart / "renamed.mp4")
    (apart / "1.mp4").write_bytes((clips / "1.mp4").read_bytes()[:-1] + b"?")
    found = open_package(path, lead.folder / "a" / "mine", media_folders=[apart])
    assert found.missing == ("1.mp4",)
    with_media = lead.folder / "media.work"
    report = pack_tasks(lead.project, with_media, lead.people["Ann"], with_media=True)
    assert (report.n_new, report.n_media, report.without_media) == (0, 2, ())
    found = open_package(with_media, lead.folder / "b" / "mine")
    assert found.missing == ()
    project = open_project(found.path)
    assert all(v.path is not None and v.path.parent.name == "mine-media" for v in project.videos())
    project.close()


def test_nobody_gets_what_is_not_for_them(lead) -> None:
    with pytest.raises(
        WorkError, match=r"Specify how many tasks to assign, or assign tasks on the board\."
    ):
        package(lead, "Ben", stage="check")
    with pytest.raises(WorkError, match="no stage"):
        package(lead, "Ben", stage="dance")
    with pytest.raises(WorkError, match=r"The person is not in the project\."):
        pack_tasks(lead.project, lead.folder / "x", PersonId("nobody"))
    lead.project.work.people.sign_in(lead.people["Ann"])
    with pytest.raises(WorkError, match="only a lead"):
        package(lead, "Ann")


def test_only_a_project_of_a_package_can_return_something(lead) -> None:
    assert origin_of(lead.project) is None
    with pytest.raises(
        WorkError,
        match=r"Cannot write submissions: this project was not created from a work package\.",
    ):
        pack_submissions(lead.project, lead.folder / "x.done")
    project = opened(lead, package(lead, "Ann"), "Ann")
    with pytest.raises(WorkError, match="There are no submissions to write\\."):
        pack_submissions(project, lead.folder / "x.done")
    project.close()


def test_active_time_comes_back_once(lead) -> None:
    path = package(lead, "Ann", stage="annotate")
    project = opened(lead, path, "Ann")
    task_id = annotated(project)
    time = ActiveTime(task_id, "annotate", "2026-11-21", 60_000)
    with project.file.transaction() as connection:
        merge_active_times(connection, lead.people["Ann"], [time])
    pack_submissions(project, lead.folder / "a.done")
    project.close()
    for _ in range(2):
        collect(lead.project, lead.folder / "a.done")
        assert active_times(lead.project.file, lead.people["Ann"]) == [time]


def state(lead: Lead) -> object:
    project = lead.project
    return [(project.work.record(t.id), project.work.submissions(t.id)) for t in project.tasks()]


def forged(path: Path, change) -> Path:
    """Write a submission file whose list is right, with other content."""
    with Archive(path, "submissions") as archive:
        entries = {name: archive.read(name) for name in archive.names}
        header = dict(archive.header)
    change(header, entries)
    write_archive(path, "submissions", header, list(entries.items()))
    return path


def other_project(header, entries) -> None:
    header["project_id"] = "01a1fdd1-c3f7-7000-b4af-35b086a08231"


def unknown_person(header, entries) -> None:
    header["person_id"] = "01a1fdd1-c3f7-7000-b4af-35b086a08231"


def rewritten(field: str, value: object):
    """Return a change of one field in the submission, under its right name."""

    def change(header, entries) -> None:
        name = next(n for n in entries if n.startswith("submissions/"))
        told = json.loads(entries.pop(name)) | {field: value}
        body = canonical_bytes(told)
        key = content_id(body)
        entries[f"submissions/{key}.json"] = body
        beside = json.loads(entries["returned.json"])
        beside["submitted_at"] = dict.fromkeys([key], *beside["submitted_at"].values())
        entries["returned.json"] = json.dumps(beside).encode()

    return change


def other_name(header, entries) -> None:
    name = next(n for n in entries if n.startswith("submissions/"))
    entries[f"submissions/{'0' * 64}.json"] = entries.pop(name)


def spaced(header, entries) -> None:
    name = next(n for n in entries if n.startswith("submissions/"))
    body = entries.pop(name) + b" "
    entries[f"submissions/{content_id(body)}.json"] = body


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (other_project, "Cannot collect the file: it belongs to the project “"),
        (unknown_person, r"The author of this file is not in the project\."),
        (other_name, r"A submission does not match its ID\."),
        (spaced, "canonical"),
        (rewritten("task_id", "01a1fdd1-c3f7-7000-b4af-35b086a08231"), "not in the project"),
        (rewritten("person_id", "01a1fdd1-c3f7-7000-b4af-35b086a08231"), "not by Ann"),
        (rewritten("assignment_id", "../../x"), "it refers to an invalid object"),
        (rewritten("media_hash", "0" * 64), r"” was annotated with a different video file\."),
        (rewritten("format", "annotator-submission/99"), "newer version"),
        (rewritten("format", "holiday/1"), "it is not a submission"),
        (rewritten("tracks", 3), "Cannot read a submission:"),
        (rewritten("verdict", {"kind": "praise"}), "is not one of"),
        (rewritten("revision", "many"), "Cannot read a submission:"),
    ],
)
def test_whatever_is_wrong_is_refused_and_nothing_is_taken_over(lead, change, words) -> None:
    path = forged(returned(lead, "Ann", stage="annotate"), change)
    before = state(lead)
    with pytest.raises(UserError, match=words):
        collect(lead.project, path)
    assert state(lead) == before


def test_a_damaged_package_leaves_no_project(lead) -> None:
    path = package(lead, "Ann")
    with Archive(path, "package") as archive:
        entries = {name: archive.read(name) for name in archive.names}
        header = dict(archive.header)
    target = lead.folder / "x" / "mine.annot"
    for name, body in (
        ("people.json", b'{"people": []}'),
        ("people.json", b"[]"),
        ("videos.json", b'{"videos": [{"id": 3}]}'),
        ("recipe.toml", b"name = "),
        ("labels/action.toml", b"\xff"),
    ):
        write_archive(path, "package", header, list((entries | {name: body}).items()))
        with pytest.raises(UserError):
            open_package(path, target)
        assert not target.parent.exists() or not list(target.parent.iterdir())
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(
        ArchiveError, match=r"The manifest was modified after the file was created\."
    ):
        open_package(path, target)


def test_nobody_comments_in_somebody_elses_name(lead) -> None:
    """Ann says something, Ben answers and settles it; a forger puts words into Ann's mouth."""
    ann = opened(lead, package(lead, "Ann", stage="annotate"), "Ann")
    session = ann.open_task(ann.tasks()[0].id)
    said = CommentId(new_id())
    session.run(AddComment(said, lead.people["Ann"], 1, "Is it a mug?"))
    ann.work.submit(session)
    pack_submissions(ann, lead.folder / "Ann.done")
    ann.close()
    collect(lead.project, lead.folder / "Ann.done")
    ben = opened(lead, package(lead, "Ben", stage="check"), "Ben")
    session = ben.open_task(ben.tasks()[0].id)
    session.run(ReplyToComment(CommentId(new_id()), said, lead.people["Ben"], 2, "It is."))
    session.run(ResolveComments((said,)))
    ben.work.submit(session)
    back = lead.folder / "Ben.done"
    pack_submissions(ben, back)
    ben.close()
    with Archive(back, "submissions") as archive:
        (name,) = [n for n in archive.names if n.startswith("submissions/")]
        comments = archive.json(name)["comments"]
    assert len(comments) == 2
    other = [{**comment, "text": "No."} for comment in comments]
    before = state(lead)
    wrong = lead.folder / "wrong.done"
    shutil.copy(back, wrong)
    with pytest.raises(WorkError, match=r"contains text that is attributed to another person\."):
        collect(lead.project, forged(wrong, rewritten("comments", other)))
    assert state(lead) == before
    assert collect(lead.project, back).flagged == ()


def test_what_is_made_of_a_package_is_for_one_person(lead) -> None:
    path = package(lead, "Ann", stage="annotate")
    place = open_package(path, lead.folder / "Ann" / "mine.annot").path
    for _ in range(2):
        project = open_project(place)
        people = project.work.people
        assert people.me is not None
        assert (people.me.name, people.needs_sign_in) == ("Ann", False)
        assert [p.name for p in people.able] == ["Ann"]
        known = {p.name: p.id for p in people.all()}
        assert known.keys() <= {p.name for p in lead.project.work.people.all()}
        (boss,) = [p for p in people.all() if p.id != people.me.id and p.has(Role.LEAD)][:1]
        with pytest.raises(
            WorkError, match="Cannot sign in: this project was created from a work package for"
        ):
            people.sign_in(boss.id)
        assert people.sign_in(people.me.id).name == "Ann"
        assert len(project.work.my_work().in_progress) == 1
        project.close()


def test_who_checks_elsewhere_sees_who_made_it_and_when(lead) -> None:
    collect(lead.project, returned(lead, "Ann", stage="annotate"))
    (made,) = [h for t in lead.project.tasks() for h in lead.project.work.submissions(t.id)]
    ben = opened(lead, package(lead, "Ben", stage="check"), "Ben")
    (nothing, earlier) = earlier_states(ben.work, made.task_id)
    assert nothing.id is None
    record = lead.project.work.record(made.task_id)
    (handed,) = [h for a in record.assignments for h in a.submissions]
    assert (earlier.id, earlier.author) == (made.id, "Ann")
    assert earlier.at is not None
    assert round(earlier.at.timestamp() * 1000) == handed.at
    ben.close()


def test_a_package_is_not_opened_over_a_project(lead) -> None:
    path = package(lead, "Ann")
    with pytest.raises(ProjectError, match="Cannot add the tasks: the selected project is not"):
        open_package(path, lead.project.path)


def test_a_second_package_goes_into_the_project_of_the_first(lead) -> None:
    videos = lead.folder / "lead" / "videos"
    mine = opened(lead, package(lead, "Ann", stage="annotate"), "Ann", videos)
    first = annotated(mine)
    second = package(lead, "Ann", stage="annotate")
    mine.close()
    for _ in range(2):  # twice is once
        done = open_package(second, mine.path, media_folders=[videos])
        assert (done.person, done.n_tasks, done.missing) == ("Ann", 1, ())
    mine = open_project(mine.path)
    mine.work.people.sign_in(lead.people["Ann"])
    assert len(mine.tasks()) == 2
    assert mine.work.record(first).assignments[0].state is AssignmentState.SUBMITTED
    (held,) = mine.work.in_hand()
    session = mine.open_task(held.task_id)
    session.run(CreateTrack(track_id(), "mug", 0, BOX))
    mine.work.submit(session)
    out = lead.folder / "both.done"
    assert pack_submissions(mine, out).n_submissions == 2
    mine.close()
    report = collect(lead.project, out)
    assert (len(report.new), report.flagged) == (2, ())


def test_a_task_that_comes_again_goes_on_from_where_it_stands(lead) -> None:
    videos = lead.folder / "lead" / "videos"
    collect(lead.project, returned(lead, "Ann", stage="annotate"))
    mine = opened(lead, package(lead, "Ben", stage="check"), "Ben", videos)
    ((task,),) = [[t.id for t in mine.tasks() if mine.work.in_hand()]]
    mine.work.submit(mine.open_task(task))
    out = lead.folder / "ben.done"
    pack_submissions(mine, out)
    mine.close()
    collect(lead.project, out)
    work = lead.project.work
    back = Verdict(VerdictKind.SEND_BACK, (Reason("Draw the handle."),))
    work.people.sign_in(lead.people["Cat"])
    claimed = work.claim_next("object-tracks", "verify")
    work.submit(lead.project.open_task(claimed.id), back)
    (boss,) = [p for p in work.people.all() if p.id not in lead.people.values()]
    work.people.sign_in(boss.id)
    assert work.record(task).is_returned
    assert not work.lead.assign([task], lead.people["Ben"], overrules=True, reason="Alone.")
    with pytest.raises(ProjectError, match="belongs to another person"):
        open_package(package(lead, "Cat", stage="annotate"), mine.path)
    again = package(lead, "Ben", n_tasks=None)
    open_package(again, mine.path, media_folders=[videos])
    mine = open_project(mine.path)
    mine.work.people.sign_in(lead.people["Ben"])
    here, there = mine.work.record(task), work.record(task)
    assert (here.stage, here.visit, here.reasons) == (there.stage, there.visit, there.reasons)
    (held,) = mine.work.in_hand()
    assert held.is_returned
    mine.work.submit(mine.open_task(task))
    pack_submissions(mine, out)
    mine.close()
    report = collect(lead.project, out)
    assert (len(report.new), report.n_known, report.flagged) == (1, 1, ())


def test_what_a_task_begins_from_travels_with_it(lead) -> None:
    work = lead.project.work
    for name, stage in (("Ann", "annotate"), ("Ben", "check"), ("Cat", "verify")):
        work.people.sign_in(lead.people[name])
        session = lead.project.open_task(work.claim_next("object-tracks", stage).id)
        if stage == "annotate":
            session.run(CreateTrack(track_id(), "mug", 0, BOX))
        work.submit(session)
    (boss,) = [p for p in work.people.all() if p.id not in lead.people.values()]
    work.people.sign_in(boss.id)
    (points,) = [t for t in lead.project.tasks() if t.kind == "point-tracks"]
    work.lead.assign([points.id], lead.people["Ann"])
    ann = opened(lead, package(lead, "Ann", n_tasks=None), "Ann")
    assert [h.task_id for h in ann.work.my_work().in_progress] == [points.id]
    session = ann.open_task(points.id)
    assert [t.label for t in session.document.tracks] == ["mug"]
    ann.work.submit(session)
    pack_submissions(ann, lead.folder / "ann.done")
    ann.close()
    assert len(collect(lead.project, lead.folder / "ann.done").new) == 1
    assert work.record(points.id).stage == "check"


def test_predictions_travel_to_whoever_begins_the_task(lead, tmp_path: Path) -> None:
    rows = "".join(f"{f + 1},1,4,4,20,20,0.5,-1,-1,-1\n" for f in range(5))
    path = tmp_path / "0.txt"
    path.write_text(rows)
    token = JobToken(lambda *_: None)
    import_file(lead.project, path, as_proposals=True, model="m", token=token)
    folder = lead.folder / "lead" / "videos"
    ann = opened(lead, package(lead, "Ann", stage="annotate"), "Ann", folder)
    (task,) = ann.tasks()
    session = ann.open_task(task.id)
    (track,) = session.document.tracks
    assert track.is_proposed
    session.run(AcceptProposals(track.id, tuple(session.pending(track.id))))
    ann.work.submit(session)
    out = lead.folder / "ann.done"
    pack_submissions(ann, out)
    ann.close()
    collect(lead.project, out)
    # Who checks it sees what was accepted, and no proposals.
    ben = opened(lead, package(lead, "Ben", stage="check"), "Ben", folder)
    with ben.file.reading() as connection:
        assert connection.execute("SELECT count(*) FROM prediction").fetchone() == (0,)
    (track,) = ben.open_task(ben.tasks()[0].id).document.tracks
    assert track.keyframes
    ben.close()
