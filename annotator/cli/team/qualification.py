"""``annotator team grade`` and ``team qualification``: tests, and who passed them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from annotator.cli.common.boundary import one_line
from annotator.cli.team.people import person_named, sign_in
from annotator.domain.answer import AnswerKey
from annotator.domain.ids import ItemId
from annotator.domain.plurals import many

if TYPE_CHECKING:
    from annotator.services.project.projects import OpenProject
    from annotator.services.questions.qualification.submission_grading import (
        StatusChange,
        WaitingTest,
    )

_STATES = {"cleared": "reset", "kept-from": "suspended"}
_project = click.argument("project", type=click.Path(path_type=Path))
_named = click.argument("person", metavar="NAME")
_task_type = click.option(
    "--task-type", "kind", metavar="KEY", required=True, help="Task type of the recipe."
)
_note = click.option("--note", metavar="TEXT", default="", help="Reason, shown to the person.")


@click.command("grade")
@_project
@click.argument("person", metavar="[NAME]", required=False)
@click.option("--task-type", "kind", metavar="KEY", help="Test of this task type.")
@click.option(
    "--grades", metavar="N,N,…", help="One grade per question, 1 (poor) to 4 (very good)."
)
@click.option("--note", metavar="TEXT", default="", help="Message to the person.")
def grade_command(
    project: Path, person: str | None, kind: str | None, grades: str | None, note: str
) -> None:
    """List and grade qualification tests. Lead only.

    Without NAME, tests waiting for a grade are listed. With NAME, questions and
    answers are shown, or graded with --grades.
    """
    from annotator.services.project.projects import open_project

    opened = open_project(project)
    try:
        sign_in(opened)
        ungraded = opened.qualification.to_grade()
        if person is None:
            for attempt in ungraded:
                click.echo(_line(opened, attempt))
            return
        test = _chosen(opened, ungraded, person, kind)
        if grades is None:
            _show(opened, test)
        else:
            _give(opened, test, grades, note)
    finally:
        opened.close()


@click.group("qualification")
def qualification_group() -> None:
    """Show and change the qualification status of people."""


@qualification_group.command("list")
@_project
@click.argument("person", metavar="[NAME]", required=False)
def list_command(project: Path, person: str | None) -> None:
    """Show the qualification status per person and task type. Lead only."""
    _statuses(project, person)


@qualification_group.command("reset")
@_project
@_named
@_task_type
@_note
def reset_command(project: Path, person: str, kind: str, note: str) -> None:
    """Ignore earlier test results of a person. Lead only."""
    _statuses(project, person, (kind, "cleared", note))


@qualification_group.command("suspend")
@_project
@_named
@_task_type
@_note
def suspend_command(project: Path, person: str, kind: str, note: str) -> None:
    """Stop offering tasks of a type to a person. Lead only."""
    _statuses(project, person, (kind, "kept-from", note))


@qualification_group.command("void")
@_project
@_named
@_task_type
@click.option("--reason", metavar="TEXT", default="", help="Reason, kept in each task's history.")
@click.option("--apply", "is_applied", is_flag=True, help="Void the votes. Requires --reason.")
def void_command(project: Path, person: str, kind: str, reason: str, is_applied: bool) -> None:
    """Void the votes of a person and ask them again of others. Lead only.

    Without --apply, only the consequences are shown. The submissions are kept.
    """
    from annotator.services.project.projects import open_project
    from annotator.services.questions.voting.vote_voiding import plan_voiding, void_votes

    if is_applied and not reason.strip():
        raise click.UsageError("--apply requires --reason.")
    opened = open_project(project)
    try:
        sign_in(opened)
        person_id = person_named(opened, person)
        plan = plan_voiding(opened, person_id, kind)
        click.echo(
            f"{many(plan.n_tasks, 'task')}, {many(plan.n_items, 'item')}: {plan.n_same} keep"
            f" their answer, {plan.n_other} get another, {plan.n_open} have none"
        )
        if is_applied:
            voided = void_votes(opened, person_id, kind, reason)
            click.echo(f"Votes voided in {many(voided, 'task')}.")
    finally:
        opened.close()


def _statuses(
    project: Path, person: str | None, change: tuple[str, str, str] | None = None
) -> None:
    """Change a status if asked to, and list the last one per person and task type."""
    from annotator.domain.questions.quality import QualificationStatus
    from annotator.services.project.projects import open_project

    opened = open_project(project)
    try:
        sign_in(opened)
        person_id = person_named(opened, person) if person is not None else None
        if change is not None and person_id is not None:
            kind, status, note = change
            opened.qualification.set_status(person_id, kind, QualificationStatus(status), note)
        last: dict[tuple[str, str], StatusChange] = {}
        for entry in opened.qualification.status_history(person_id):
            last[entry.person_id, entry.kind] = entry
        for entry in last.values():
            name = one_line(opened.work.people.person(entry.person_id).name)
            score = f" {entry.score:.3g}" if entry.score is not None else ""
            state = _STATES.get(entry.state, entry.state)
            click.echo(f"{name}\t{entry.kind}\t{state}{score}\t{one_line(entry.note)}")
    finally:
        opened.close()


def _line(project: OpenProject, test: WaitingTest) -> str:
    name = one_line(project.work.people.person(test.person_id).name)
    return f"{name}\t{test.kind}\tattempt {test.attempt}"


def _chosen(
    project: OpenProject, ungraded: list[WaitingTest], person: str, kind: str | None
) -> WaitingTest:
    from annotator.domain.errors import WorkError

    person_id = person_named(project, person)
    tests = [t for t in ungraded if t.person_id == person_id and kind in (None, t.kind)]
    if len(tests) != 1:
        kinds = ", ".join(t.kind for t in tests)
        hint = "Omit NAME to list all tests that wait for a grade."
        if tests:
            hint = f"Use --task-type to select one of: {kinds}."
        text = (
            f"Cannot select a test: {len(tests) or 'no'} tests of {person} are waiting for a grade."
        )
        raise WorkError(text, code="no-test", hint=hint)
    return tests[0]


def _show(project: OpenProject, test: WaitingTest) -> None:
    from annotator.cli.common.answer_texts import answer_words

    submitted_test = project.qualification.submitted_test(test.submission_id)
    for number, item in enumerate(submitted_test.items, 1):
        click.echo(f"{number}. {one_line(item.text)}".rstrip())
        given = {
            key: value for key, value in submitted_test.answers.items() if key.item_id == item.id
        }
        for entry in sorted({key.entry for key in given}):
            for field in submitted_test.form.fields:
                value = given.get(AnswerKey(ItemId(item.id), field.key, entry))
                if value is not None:
                    words = one_line(answer_words(field, item, value))
                    title = one_line(field.title)
                    click.echo(f"   {title}{'' if title.endswith('?') else ':'} {words}")


def _give(project: OpenProject, test: WaitingTest, grades: str, note: str) -> None:
    from annotator.domain.questions.quality import GRADES

    submitted_test = project.qualification.submitted_test(test.submission_id)
    words = {str(grade): grade for grade in GRADES}
    given = [words.get(each.strip()) for each in grades.split(",")]
    if len(given) != len(submitted_test.items) or None in given:
        n = len(submitted_test.items)
        raise click.UsageError(f"--grades requires {n} integers from 1 to 4, one per question.")
    for item, grade in zip(submitted_test.items, given, strict=True):
        if grade is not None:
            project.qualification.grade(test.submission_id, item.id, grade, note)
    for entry in project.qualification.status_history(test.person_id):
        if entry.submission_id == test.submission_id and entry.score is not None:
            click.echo(f"{_line(project, test)}: {entry.state}, mean grade {entry.score:.3g}")
