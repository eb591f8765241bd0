"""A project of a shipped recipe, people who follow scripts, and a clock that they all go by.

People do what the window does for them: sign in, take the next task, answer each item of the sheet
field by field, hand in. Time passes only where somebody works or rests, so hours are exact.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from math import sqrt
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple
from unittest.mock import patch

from annotator import cli
from annotator.domain.annotation.document import Document
from annotator.domain.answer import Picked, Value
from annotator.domain.forms.field import Field
from annotator.domain.forms.restricted_view import Viewing
from annotator.domain.ids import ItemId, PersonId, TaskId, VideoId
from annotator.domain.people import Role
from annotator.domain.questions.items.item import Item
from annotator.domain.workflow import Submission
from annotator.services.project.projects import OpenProject, open_project
from annotator.services.questions.asking.question_set import QuestionSet
from annotator.services.questions.qualification.submission_grading import QualificationStatus
from annotator.services.session import Session
from annotator.services.workflow import transactions as transactions
from annotator.store.questions.items import ItemFilter

PACE_S = 20.0
_BEAT_S = 10.0


class Asked(NamedTuple):
    """One item as it is before somebody, for the ``entry``-th time."""

    who: str
    item: Item
    question_set: QuestionSet
    document: Document
    viewing: Viewing
    entry: int = 0

    def field(self, key: str) -> Field:
        """Return a field of the form."""
        found = self.question_set.form.field(key)
        assert found is not None, key
        return found

    def called(self, text: str, field: str = "answer") -> Picked:
        """Pick the option that says so, wherever it is shown."""
        options = self.question_set.options(self.item, self.field(field))
        (key,) = [option.key for option in options if option.text == text]
        return Picked((key,))

    def shown(self, place: int, field: str = "answer") -> Picked:
        """Pick the option that this person sees at a place, counted from 0."""
        options = self.question_set.options(self.item, self.field(field))
        return Picked((options[place % len(options)].key,))


class Said(NamedTuple):
    """What a command said, on its standard output and beside it."""

    out: str
    err: str


Script = Callable[[Asked], Mapping[str, Value]]
"""What somebody answers, by field; nothing for an entry that is left empty."""


class Hours(NamedTuple):
    """A row of the table of hours: tasks, people who worked on them, seconds of all together."""

    items: int
    people: int
    seconds: float


@dataclass
class Clock:
    """Milliseconds since 1970; stands still until told otherwise."""

    now_ms: int = 1_800_000_000_000

    def __call__(self) -> int:
        return self.now_ms

    def wait(self, seconds: float) -> None:
        self.now_ms += round(seconds * 1000)


@dataclass
class Team:
    """The project and its people, by name; whoever made it is its lead."""

    project: OpenProject
    clock: Clock = field(default_factory=Clock)
    people: dict[str, PersonId] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.project.work.transactions.now = self.clock
        me = self.project.work.me
        assert me is not None
        self.lead = me.id

    # --- setting up ------------------------------------------------------------------------

    def hire(self, *names: str, roles: Iterable[Role] = (Role.RATER,)) -> None:
        """Add people."""
        words = (word for role in roles for word in ("--role", role))
        self.command("team add", *names, *words)
        known = {person.name: person.id for person in self.project.work.people.all()}
        self.people |= {name: known[name] for name in names}

    # --- the command line ------------------------------------------------------------------

    def command(self, *words: object, status: int = 0) -> Said:
        """Run a command on the project, as a lead does without a window; it is closed meanwhile.

        The first word is the command, the project comes after it. It goes by the clock of all.
        """
        path, name = self.project.path, str(words[0]).split()
        self.project.close()
        clock = SimpleNamespace(time_ns=lambda: self.clock() * 1_000_000)
        with patch.object(transactions, "time", clock):
            found, said = _called(*name, path, *words[1:])
        self.project = open_project(path)
        self.project.work.transactions.now = self.clock
        self.lead_sits_down()
        assert found == status, said
        return said

    def bring_in(self, name: str, items: Sequence[Mapping[str, object]]) -> None:
        """Bring in tests, checks and other items that are known, as a file."""
        path = self.project.path.parent / name
        path.write_text(json.dumps(items), encoding="utf-8")
        assert self.ask("--sets", path)[0] == len(items)

    def ask(self, *words: object, status: int = 0) -> tuple[int, list[str]]:
        """Run a question step: how many items it made, and its findings without their severity.

        Run once more it makes nothing new.
        """
        name = "questions run"
        if words[0] == "--sets":
            name, words = "questions import", words[1:]
        said = self.command(name, *words, status=status)
        again = self.command(name, *words, status=status)
        assert again.out.endswith(": 0 new items\n"), again
        (n,) = re.findall(r": (\d+) new items?\n", said.out)
        lines = said.err.splitlines()
        return int(n), [line.partition(": ")[2] for line in lines if line.partition(": ")[1]]

    # --- at the keyboard -------------------------------------------------------------------

    def sit_down(self, name: str) -> None:
        """Let somebody be at the keyboard."""
        self.project.work.people.sign_in(self.people[name])

    def lead_sits_down(self) -> None:
        self.project.work.people.sign_in(self.lead)

    @contextmanager
    def leading(self) -> Iterator[OpenProject]:
        """Let the lead be at the keyboard for a while."""
        me = self.project.work.me
        self.lead_sits_down()
        yield self.project
        if me is not None:
            self.project.work.people.sign_in(me.id)

    def take(self, name: str, kind: str) -> TaskId | None:
        """Let somebody sit down and go on with what they hold of a kind, or take the next task."""
        self.sit_down(name)
        held = [each.task_id for each in self.project.work.in_hand() if each.kind == kind]
        if held:
            return held[-1]
        record = self.project.work.claim_next(kind)
        return record.id if record is not None else None

    def begin(self, task_id: TaskId) -> tuple[Session, QuestionSet]:
        """Open a task of whoever is at the keyboard; their time counts for it from now on."""
        session = self.project.open_task(task_id)
        self.project.work.enter(task_id)
        return session, self.project.questions.question_set(session)

    def fill(
        self,
        name: str,
        session: Session,
        question_set: QuestionSet,
        script: Script,
        pace_s: float = PACE_S,
    ) -> None:
        """Answer the items one after the other, so many seconds for each."""
        for item in question_set.items:
            self._work_on(pace_s)
            for entry in range(question_set.form.entries[1]):
                for key, value in script(
                    Asked(name, item, question_set, session.document, session.viewing, entry)
                ).items():
                    asked = question_set.form.field(key)
                    assert asked is not None, key
                    assert question_set.is_shown(item, asked, entry=entry), key
                    took_ms = round(pace_s * 1000)
                    session.run(
                        question_set.answer(item.id, key, value, entry=entry, took_ms=took_ms)
                    )

    def rest(self, seconds: float) -> None:
        """Let time pass without a sign of life: of each rest the first 30 seconds count."""
        self.clock.wait(seconds)

    def hand_in(self, session: Session) -> Submission:
        """Hand in, and leave the keyboard."""
        handed = self.project.work.submit(session)
        self.project.work.enter(None)
        return handed

    def does_one(self, name: str, kind: str, script: Script, pace_s: float = PACE_S) -> bool:
        """Let somebody do one task of a kind; False when there is none for them."""
        task_id = self.take(name, kind)
        if task_id is None:
            return False
        session, question_set = self.begin(task_id)
        self.fill(name, session, question_set, script, pace_s)
        assert question_set.problems() == ()
        self.hand_in(session)
        return True

    def work(
        self, kind: str, names: Sequence[str], script: Script, *, pace_s: float = PACE_S
    ) -> dict[str, int]:
        """Let people do tasks of a kind in turns until there are none; tells how many each did.

        The lead sits there afterwards.
        """
        done = dict.fromkeys(names, 0)
        waiting = list(names)
        while waiting:
            for name in tuple(waiting):
                if self.does_one(name, kind, script, pace_s):
                    done[name] += 1
                else:
                    waiting.remove(name)
        self.lead_sits_down()
        return done

    def _work_on(self, seconds: float) -> None:
        """Let time pass at work: a sign of life every ten seconds and at the end."""
        left = seconds
        while left > 0:
            step = min(left, _BEAT_S)
            self.clock.wait(step)
            self.project.work.poke()
            left -= step

    # --- what the lead sees ----------------------------------------------------------------

    def items(self, kind: str) -> list[Item]:
        """Return all items of a kind, whole."""
        with self.leading() as project:
            return [item for _, item in project.questions.list(ItemFilter(kind=kind))]

    def item(self, item_id: ItemId) -> Item:
        """Return one item as it stands now."""
        with self.leading() as project:
            (found,) = [each for _, each in project.questions.list() if each.id == item_id]
        return found

    def video(self, name: str) -> VideoId:
        """Return the video with that name, without its ending."""
        (found,) = [i.id for i, _ in self.project.media.all() if Path(i.name).stem == name]
        return found

    def names(self, item: Item) -> tuple[str, ...]:
        """Return what the videos of an item are called."""
        return tuple(self.name_of(video_id) for video_id in item.video_ids)

    def name_of(self, video_id: VideoId) -> str:
        """Return what a video is called, without its ending."""
        return Path(self.project.media.video(video_id).info.name).stem

    def status_history(self, kind: str) -> dict[str, list[QualificationStatus]]:
        """Return what came of tests and checks of a kind, by person, the oldest first."""
        called = {person_id: name for name, person_id in self.people.items()}
        found: dict[str, list[QualificationStatus]] = {}
        with self.leading() as project:
            for each in project.qualification.status_history():
                if each.kind == kind:
                    found.setdefault(called[each.person_id], []).append(each.state)
        return found

    def hours(self) -> dict[tuple[str, str], Hours]:
        """Return the table of hours by kind and stage."""
        return {
            (row.kind, row.stage): Hours(
                row.tasks,
                round(row.people_per_item * row.tasks),
                round(row.total_hours * 3600, 3),
            )
            for row in self.project.work.statistics().hours
        }


def wilson_90(right: int, n: int) -> tuple[float, float]:
    """Return both ends of the score interval of a share at 90 %, by the published formula.

    1.6448536269514722 is the point beyond which one twentieth of a normal curve lies.
    """
    z = 1.6448536269514722
    share, spread = right / n, z**2 / n
    half = z * sqrt(share * (1 - share) / n + spread / (4 * n))
    middle = share + spread / 2
    low, high = (middle - half) / (1 + spread), (middle + half) / (1 + spread)
    return max(0.0, low), min(1.0, high)


def read_table(path: Path) -> list[dict[str, str]]:
    """Return the rows of a table that a command wrote, by the names of its columns."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def agreement_in(folder: Path, kind: str, by: str = "") -> dict[tuple[str, str], float]:
    """Return the figures of a kind of task in the tables of ``annotator figures``, of all or by
    something else: by field and method.
    """
    return {
        (row["field"], row["method"]): float(row["value"])
        for row in read_table(folder / "agreement.csv")
        if (row["kind"], row["by"]) == (kind, by) and row["value"]
    }


def open_team(
    folder: Path, recipe: str, clips: Sequence[Path], facts: Iterable[Mapping[str, object]]
) -> Team:
    """Make a project of a shipped recipe, with clips and a table with a column "video" of what is
    known of them.
    """
    table, rows = folder / "facts.csv", list(facts)
    with table.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, dict.fromkeys(key for row in rows for key in row))
        writer.writeheader()
        writer.writerows(rows)
    path = folder / f"{recipe}.annot"
    status, said = _called("new", path, *clips, "--recipe", recipe, "--metadata", table)
    assert (status, said.out) == (0, f"{path}\n"), said
    return Team(open_project(path))


def _called(*words: object) -> tuple[int, Said]:
    """Run a command line in this process: its exit status, and what it said."""
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = cli.main([str(word) for word in words])
    return status, Said(out.getvalue(), err.getvalue())
