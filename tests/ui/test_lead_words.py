"""What the lead reads: histories in words, acts in portions, rows in their order."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from annotator.domain.annotation.comment import Pin
from annotator.domain.annotation.document import VideoInfo
from annotator.domain.ids import SubmissionId, TaskId, VideoId, new_id
from annotator.domain.people import Person, Role
from annotator.domain.work import events as e
from annotator.domain.work.acts import Submit
from annotator.domain.work.records import (
    AssignmentState,
    Flag,
    LeadNeed,
    Reason,
    TaskRecord,
    TaskStatus,
    Verdict,
    VerdictKind,
)
from annotator.services.background.jobs import JobToken
from annotator.services.project.projects import OpenProject, create_project
from annotator.services.project.recipes import parse_recipe, shipped_recipe
from annotator.ui.lead import window as window_module
from annotator.ui.lead.board.board_rows import BoardColumn, BoardText, natural
from annotator.ui.lead.board.filter_bar import FilterBar
from annotator.ui.lead.board.history import HistoryText
from annotator.ui.lead.board.stage_cards import StageCards, counts_of
from annotator.ui.lead.board.task_actions_bar import (
    PORTION,
    BulkReport,
    act_in_portions,
    report_text,
)
from annotator.ui.lead.setup.new_project import recipe_text
from annotator.ui.lead.statistics.row_table import RowColumns, RowModel
from annotator.ui.look.theme import ThemeHub, initials


class Team:
    """A project with a video and people; work is handed in without drafts."""

    def __init__(self, path: Path) -> None:
        self.project: OpenProject = create_project(path, title="Line", recipe="perception-test")
        people, both = self.project.work.people, (Role.RATER, Role.REVIEWER)
        assert people.me is not None
        self.lead: Person = people.me
        self.ann, self.ben, self.cleo = (people.add(n, both) for n in ("Ann", "Ben", "Cleo"))
        info = VideoInfo(VideoId(new_id()), "cups.mp4", 64, 48, 30, 30.0, 1.0)
        self.project.add_absent_video(info)
        self.task_id: TaskId = self.project.tasks()[0].id

    def hand_in(self, person: Person, verdict: Verdict) -> None:
        record = self._record()
        self.project.work.lead.assign([record.id], person.id)
        (held,) = self._record().holders
        name = SubmissionId(f"{len(self.history()):064x}")
        self.project.work.transactions.act(record.id, Submit(person.id, held.id, name, verdict))

    def history(self) -> list[e.WorkEvent]:
        return self.project.work.history(self.task_id)

    def told(self) -> list[str]:
        work = self.project.work
        text = HistoryText(work.recipe, lambda key: work.people.person(key).name)
        return [line.text for line in text.lines("object-tracks", self.history())]

    def _record(self) -> TaskRecord:
        return self.project.work.record(self.task_id)


@pytest.fixture
def team(tmp_path: Path) -> Team:
    return Team(tmp_path / "line")


def test_a_history_reads_like_a_story(team: Team, qapp: object) -> None:
    done, work = Verdict(VerdictKind.DONE), team.project.work
    reasons = (
        Reason("A lid is missing.", Pin(frame=12)),
        Reason("An edge or a frame is wrong", Pin(frame=3), "wrong-time"),
    )
    team.hand_in(team.ann, done)
    team.hand_in(team.ben, Verdict(VerdictKind.APPROVE))
    team.hand_in(team.cleo, Verdict(VerdictKind.SEND_BACK, reasons))
    work.lead.prioritize([team.task_id], 5)
    work.lead.withdraw([team.task_id], "The video is broken")
    work.lead.reopen([team.task_id], "It is sound", stage="check")
    told, lead = team.told(), team.lead.name
    story = iter(told)
    for line in (
        f"{lead} assigned the task to Ann.",
        "Ann submitted the task.",
        "The task is waiting at “Check”.",
        "Ben approved the task.",
        "Cleo sent the task back: A lid is missing. (frame 12); "
        "An edge or a frame is wrong (frame 3)",
        "The task was sent back to “Check”.",
        f"{lead} set the priority to 5.",
        f"{lead} withdrew the task: The video is broken",
        f"{lead} reopened the task at “Check”: It is sound",
    ):
        assert line in story, (line, told)
    team.project.close()


def test_every_kind_of_event_has_words(team: Team, qapp: object) -> None:
    task_id, by, held = team.task_id, team.lead.id, team.ann.id
    text = HistoryText(team.project.work.recipe, lambda _: "Ann")
    for kind in e.WorkEvent.__args__:
        if kind is e.Renewed:
            continue
        values = {
            "assignment_id": new_id(),
            "person_id": held,
            "video_id": new_id(),
            "submission_id": "0" * 64,
            "verdict": (VerdictKind.DONE if kind is e.Decided else Verdict(VerdictKind.SEND_BACK)),
            "stage": "check",
            "task_kind": "object-tracks",
            "wanted": 1,
            "base_id": None,
            "text": "why",
            "round": 2,
            "priority": 1,
            "need": LeadNeed.NOBODY_LEFT,
            "flag": Flag.LATE,
            "state": AssignmentState.SKIPPED,
            "kept": (),
        }
        names = {n: v for n, v in values.items() if n in kind.__dataclass_fields__}
        (line,) = text.lines("object-tracks", [kind(task_id, 0, by, **names)])
        assert line.text != kind.kind
        assert "{" not in line.text
    team.project.close()


def test_acts_are_done_in_portions_and_refusals_are_counted(qapp: object) -> None:
    seen: list[int] = []

    def act(ids: Sequence[TaskId]) -> list[tuple[TaskId, str]]:
        seen.append(len(ids))
        return [(t, "Not possible.") for t in ids if t.endswith("7")]

    ids = [TaskId(str(i)) for i in range(2 * PORTION + 3)]
    report = act_in_portions(ids, act, JobToken(lambda *_: None))
    assert seen == [PORTION, PORTION, 3]
    assert (report.n_done, report.n_left, len(report.refused)) == (len(ids) - 2, 0, 2)
    assert "tasks updated." in report_text(report)


def test_a_recipe_is_told_by_the_ways_its_tasks_go(qapp: object) -> None:
    lines = recipe_text(parse_recipe(shipped_recipe("perception-test"))).splitlines()
    assert lines[0] == "Object tracks, Point tracks, Actions, Sounds: Annotate → Check → Verify."
    assert lines[-1] == "A different person works on each stage."


def test_what_is_stopped_says_how_far_it_came(qapp: object) -> None:
    token = JobToken(lambda *_: None)

    def act(ids: Sequence[TaskId]) -> list[tuple[TaskId, str]]:
        token.cancel()
        return []

    report = act_in_portions([TaskId(str(i)) for i in range(3 * PORTION)], act, token)
    assert (report.n_done, report.n_left) == (PORTION, 2 * PORTION)
    assert "were not processed." in report_text(report)
    assert report_text(BulkReport(1, 1, ())) == "1 task updated.\nCanceled: 1 was not processed."


def test_rows_say_and_sort_by_every_column(team: Team, qapp: object) -> None:
    team.hand_in(team.ann, Verdict(VerdictKind.DONE))
    work = team.project.work
    text = BoardText(work.recipe, {p.id: p.name for p in work.people.all()})
    rows = work.board()
    for column in BoardColumn:
        assert len(text.ordered(rows, column, is_down=False)) == len(rows) == 1
        assert all(isinstance(text.of(row, column), str) for row in rows)
    row = next(r for r in rows if r.task_id == team.task_id)
    assert text.of(row, BoardColumn.STAGE) == "Check"
    assert text.line(row)[BoardColumn.CHANGED].endswith("Z")
    facts = BoardText(work.recipe, {}, ("place", "script"))
    assert [facts.title(c) for c in range(facts.n_columns)][len(BoardColumn) :] == ["place"]
    table = [
        row._replace(metadata=json.dumps({"place": f"room {n}", "script": "tea"})) for n in (10, 2)
    ]
    assert [facts.of(each, len(BoardColumn)) for each in table] == ["room 10", "room 2"]
    assert facts.of(table[0], BoardColumn.SCRIPT) == "tea"
    assert [
        facts.of(row._replace(metadata=t), len(BoardColumn)) for t in ("", "[]", '{"place": [1]}')
    ] == [""] * 3
    assert len(facts.ordered(rows, len(BoardColumn), is_down=False)) == len(rows)
    assert natural("video_2.mp4") < natural("Video_10.mp4")
    team.project.close()


def test_tooltips_of_tables_show_markup_as_it_is_written() -> None:
    table: RowModel[str] = RowModel(RowColumns(("Name",), lambda row, _: row, lambda row, _: row))
    table.set_rows(["<b>bold</b> & co", "plain & co"])

    def shown(row: int, role: Qt.ItemDataRole) -> object:
        return table.data(table.index(row, 0), role)

    tip = Qt.ItemDataRole.ToolTipRole
    assert shown(0, Qt.ItemDataRole.DisplayRole) == "<b>bold</b> & co"
    assert shown(0, tip) == "<span>&lt;b&gt;bold&lt;/b&gt; &amp; co</span>"
    assert shown(1, tip) == "plain & co"


def test_cards_count_the_tasks_of_each_stage(team: Team, qtbot: QtBot) -> None:
    recipe, kind = team.project.work.recipe, team.project.work.record(team.task_id).kind
    cards = StageCards(ThemeHub("light"))
    qtbot.addWidget(cards)
    counts = {
        (kind, "annotate", TaskStatus.WAITING): 2,
        (kind, "annotate", TaskStatus.RESOLVING): 1,
        (kind, "annotate", TaskStatus.COMPLETE): 3,
        (kind, "annotate", TaskStatus.WITHDRAWN): 1,
    }
    cards.set_counts(recipe, counts)
    everything, annotate, check = list(cards.cards.values())[:3]
    words = "2 waiting, 1 in progress, 3 complete, 1 withdrawn"
    assert annotate.accessibleName() == f"Annotate: {words}"
    assert everything.accessibleName() == f"All tasks: {words}"
    assert check.accessibleName() == "Check: "
    assert len({card.width() for card in cards.cards.values()}) == 1
    with qtbot.waitSignal(cards.chosen) as chosen:
        annotate.click()
    assert chosen.args == [(kind, "annotate")]
    with qtbot.waitSignal(cards.chosen) as chosen:
        everything.click()
    assert chosen.args == [(None, None)]
    assert not annotate.isChecked()
    team.project.close()


def test_withdrawn_tasks_are_offered_as_a_state_when_there_are_some(
    team: Team, qtbot: QtBot
) -> None:
    kind = team.project.work.record(team.task_id).kind
    bar = FilterBar()
    qtbot.addWidget(bar)
    waiting = {(kind, "annotate", TaskStatus.WAITING): 2}
    bar.offer_states(counts_of((None, None), waiting))
    assert bar.state.findData(TaskStatus.WITHDRAWN.value) == -1
    withdrawn = {(kind, "annotate", TaskStatus.WITHDRAWN): 1}
    bar.offer_states(counts_of((None, None), withdrawn))
    bar.state.setCurrentIndex(bar.state.findData(TaskStatus.WITHDRAWN.value))
    bar.offer_states(counts_of((None, None), waiting))
    assert bar.status is TaskStatus.WITHDRAWN  # the filter in use stays in sight
    team.project.close()


def test_people_are_their_initials(qapp: object) -> None:
    assert [initials(name) for name in ("ann", "Ann van Dyke", "", "Ben  O")] == [
        *("A", "AD", "", "BO")
    ]
    assert not ThemeHub("dark").theme.avatar("a-b", "Ann").isNull()


def test_the_pages_of_the_dashboard_are_loaded_ahead() -> None:
    code = (
        "import sys; from annotator.ui.lead import window; window.load_pages();"
        "print(*(name for name in sys.modules if name.startswith('annotator.ui.lead.')))"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    source = Path(window_module.__file__).read_text(encoding="utf-8")
    built = set(re.findall(r"from (annotator\.ui\.lead\.\S+page) import", source))
    # That of a shared project is only loaded for one.
    assert built - {"annotator.ui.lead.sharing.page"} <= set(loaded)
    assert len(built) > 8
