"""``annotator study``: human baselines by independent participants."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

import click

from annotator.cli.common.boundary import one_line
from annotator.cli.common.terminal import progress
from annotator.cli.team.people import person_named, sign_in
from annotator.domain.plurals import many

if TYPE_CHECKING:
    from annotator.domain.ids import PersonId
    from annotator.services.project.projects import OpenProject
    from annotator.services.questions.studies.study_values import Study, StudySize, StudyWish


class _Options(TypedDict):
    """Options of the command."""

    kind: str | None
    person: tuple[str, ...]
    answers: int | None
    per_person: int | None
    items: int | None
    condition: tuple[str, ...]
    area: tuple[str, ...]
    tag: tuple[str, ...]
    split: tuple[str, ...]
    seed: int | None
    apart: bool | None


_number = click.IntRange(min=1)


_project = click.argument("project", type=click.Path(path_type=Path))
_name = click.argument("name", metavar="NAME")
_person = click.option(
    "--person", metavar="NAME", multiple=True, help="Participant. Repeatable. Default: all."
)


@click.group("study")
def study_group() -> None:
    """Run human-baseline studies."""


@study_group.command("list")
@_project
def list_command(project: Path) -> None:
    """List studies and their progress. Lead only."""
    with _opened(project) as opened:
        _list(opened)


@study_group.command("results")
@_project
@_name
def results_command(project: Path, name: str) -> None:
    """Show accuracy, majority accuracy and median time of a study. Lead only.

    Accuracies have 90% confidence intervals.
    """
    from annotator.services.questions.studies import studies

    with _opened(project) as opened:
        _show(opened, studies.study_named(opened, name))


@study_group.command("create")
@_project
@_name
@click.option("--study-type", "kind", metavar="KEY", help="Study type, if the recipe has several.")
@_person
@click.option(
    "--answers-per-item",
    "answers",
    type=_number,
    metavar="N",
    help="Answers per item and condition.",
)
@click.option(
    "--max-items-per-person",
    "per_person",
    type=_number,
    metavar="N",
    help="Largest number of items per person.",
)
@click.option("--sample", "items", type=_number, metavar="N", help="Sample N items at random.")
@click.option(
    "--condition",
    metavar="KEY",
    multiple=True,
    help="Presentation condition, such as sound or muted. Repeatable.",
)
@click.option("--area", metavar="AREA", multiple=True, help="Only items of this area. Repeatable.")
@click.option("--tag", metavar="TAG", multiple=True, help="Only items with this tag. Repeatable.")
@click.option(
    "--split", metavar="SPLIT", multiple=True, help="Only items of this split. Repeatable."
)
@click.option(
    "--exclusive-groups/--no-exclusive-groups",
    "apart",
    default=None,
    help="Give each person at most one item of a group. Default: from the recipe.",
)
@click.option("--seed", type=click.IntRange(min=0), metavar="N", help="Random seed.")
@click.option("--dry-run", is_flag=True, help="Show the assignment plan only.")
def create_command(project: Path, name: str, dry_run: bool, **asked: Unpack[_Options]) -> None:
    """Create a study and assign its items. Lead only."""
    from annotator.services.questions.studies import studies

    with _opened(project) as opened:
        wish = _wish(opened, name, asked)
        click.echo(_sum(studies.outlook(opened, wish)))
        if not dry_run:
            studies.make_study(opened, wish)
            _show(opened, studies.study_named(opened, name))


@study_group.command("reassign")
@_project
@_name
@_person
def reassign_command(project: Path, name: str, person: tuple[str, ...]) -> None:
    """Reassign open items after people were added or deactivated. Lead only."""
    from annotator.services.questions.studies import studies

    with _opened(project) as opened:
        study = studies.study_named(opened, name)
        _show(opened, studies.reassign_study(opened, study.id, _people(opened, person)))


@study_group.command("export")
@_project
@_name
@click.argument("folder", metavar="FOLDER", type=click.Path(path_type=Path))
def export_command(project: Path, name: str, folder: Path) -> None:
    """Write results, answers and the assignment plan. Lead only."""
    from annotator.services.questions.studies import studies

    with _opened(project) as opened:
        _write(opened, studies.study_named(opened, name), folder)


@contextmanager
def _opened(path: Path) -> Iterator[OpenProject]:
    """Open a project as its lead."""
    from annotator.services.project.projects import open_project

    opened = open_project(path)
    try:
        sign_in(opened)
        yield opened
    finally:
        opened.close()


def _list(project: OpenProject) -> None:
    from annotator.services.questions.studies import studies

    for study in studies.studies(project):
        done = studies.progress(project, study.id)
        click.echo(f"{one_line(study.name)}: {done.n_given} of {many(done.n_assigned, 'answer')}")


def _wish(project: OpenProject, name: str, options: _Options) -> StudyWish:
    from annotator.domain.errors import WorkError
    from annotator.services.questions.studies import studies

    kinds = [entry.kind for entry in studies.study_types(project)]
    kind = options["kind"] or (kinds[0] if kinds else "")
    wish = studies.wish_for(project, kind, name, _people(project, options["person"]))
    condition = {entry.key: entry for entry in studies.conditions_of(project, kind)}
    for key in options["condition"]:
        if key not in condition:
            hint = (
                f"Available conditions: {', '.join(condition)}."
                if condition
                else "The study has no conditions."
            )
            raise WorkError(f"Unknown study condition “{key}”.", code="no-condition", hint=hint)
    choice = replace(
        wish.choice, areas=options["area"], tags=options["tag"], splits=options["split"]
    )
    return replace(
        wish,
        choice=choice,
        answers=options["answers"] or wish.answers,
        per_person=options["per_person"] or wish.per_person,
        n_items=options["items"],
        conditions=tuple(condition[key] for key in options["condition"]) or wish.conditions,
        is_apart=wish.is_apart if options["apart"] is None else options["apart"],
        seed=wish.seed if options["seed"] is None else options["seed"],
    )


def _people(project: OpenProject, names: tuple[str, ...]) -> list[PersonId]:
    from annotator.services.questions.studies import studies

    if not names:
        return [person.id for person in studies.participants(project)]
    return [person_named(project, name) for name in names]


def _sum(found: StudySize) -> str:
    each = f"{found.least}" if found.least == found.most else f"{found.least} to {found.most}"
    people = "1 person" if found.n_people == 1 else f"{found.n_people} people"
    text = (
        f"{many(found.n_items, 'item')} × {many(found.per_item, 'answer')}"
        f" = {found.n_answers}; {people} × {each}"
    )
    if not found.n_missing:
        return text
    people = "person" if found.n_missing == 1 else "people"
    return f"{text}; {found.n_missing} more {people} needed"


def _show(project: OpenProject, study: Study) -> None:
    from annotator.domain.agreement.resampling import Bootstrap
    from annotator.domain.study.results import LEVEL
    from annotator.services.background.jobs import JobToken
    from annotator.services.questions.studies import studies
    from annotator.services.questions.studies.study_results import overview, results_of

    done_so_far = studies.progress(project, study.id)
    click.echo(
        f"{one_line(study.name)}: {done_so_far.n_given} of {many(done_so_far.n_assigned, 'answer')}"
    )
    with progress("Computing results") as report:
        estimates = results_of(project, study, JobToken(report), Bootstrap(0, level=LEVEL))
    for line in overview(estimates.found):
        where = line.condition or "all"
        part = f"{line.by} {line.name}" if line.by else "all items"
        texts = [f"{one_line(where)}, {one_line(part)}:"]
        if line.accuracy is not None:
            value, low, high = line.accuracy
            texts.append(f"accuracy {value:.1%} ({low:.1%} to {high:.1%})")
        if line.majority is not None:
            value, low, high = line.majority
            texts.append(f"majority accuracy {value:.1%} ({low:.1%} to {high:.1%})")
        if line.seconds is not None:
            texts.append(f"median {line.seconds:.1f} s")
        if len(texts) > 1:
            click.echo(" ".join(texts))
    if estimates.n_unjudged:
        click.echo(f"{many(estimates.n_unjudged, 'answer')} not scored yet")


def _write(project: OpenProject, study: Study, folder: Path) -> None:
    from annotator.services.background.jobs import JobToken
    from annotator.services.questions.studies.study_results import write_results

    with progress("Computing results") as report:
        done = write_results(project, study, folder, JobToken(report))
    for name, n in done.counts.items():
        click.echo(f"{done.folder / name}: {many(n, 'row')}")
