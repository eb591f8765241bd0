"""Studies: independent participants answer the items of a project by an assignment plan.

    wish = wish_for(project, "people", "Spring", [ada.id, ben.id, …])   settings of the recipe
    outlook(project, wish)               size of the study, and the number of missing people
    study = make_study(project, wish)    creates its tasks; the plan is stored with its seed
    reassign_study(project, study.id, people)     after changes of people; started work stays
    progress(project, study.id)

Use `dataclasses.replace(wish, …)` for other conditions, numbers or items; `is_apart` assigns the
variants of a group to different people. Open answers are judged by their scores
(`reference_scores`).

A study asks copies of the items, so votes and data sets are unaffected. A person gets no item that
they worked on, and none twice in any study. Participants get no other task on the same videos
(`exclusion`).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Final

import msgspec

from annotator.domain.errors import WorkError
from annotator.domain.ids import ItemId, PersonId, StudyId, TaskId, VideoId, item_id, new_id
from annotator.domain.people import Person, Role
from annotator.domain.questions.items.item import Item, ItemState
from annotator.domain.recipes.recipe import TaskType
from annotator.domain.study.assignment_plan import plan_study
from annotator.domain.study.design import Condition, Plan, StudyAssignment, StudyItem
from annotator.domain.work.acts import Withdraw
from annotator.domain.work.records import TaskStatus
from annotator.domain.work.transitions import create
from annotator.services.project.projects import OpenProject
from annotator.services.questions.studies.askable_items import (
    AskableItem,
    Ground,
    ItemChoice,
    Parts,
)
from annotator.services.questions.studies.exclusion import exclude_participants
from annotator.services.questions.studies.study_values import (
    StoredPlan,
    Study,
    StudyProgress,
    StudySize,
    StudyWish,
)
from annotator.services.workflow.work import WorkChanged
from annotator.store.questions import items as item_store
from annotator.store.questions import studies as store
from annotator.store.questions.studies import PartRow, PlanRow, StudyRow

__all__ = ["Ground", "ItemChoice", "Study", "StudyProgress", "StudySize", "StudyWish"]

MAX_NAME: Final = 100


def study_types(project: OpenProject) -> tuple[TaskType, ...]:
    """Return the task types of the recipe in which studies are made."""
    return tuple(each for each in project.work.recipe.task_types if each.study is not None)


def participants(project: OpenProject) -> list[Person]:
    """Return all study participants, in order of addition."""
    return [each for each in project.work.people.all() if each.has(Role.PARTICIPANT)]


def conditions_of(project: OpenProject, kind: str) -> tuple[Condition, ...]:
    """Return under which conditions a study can be made: those of the recipe, and where it names
    none with sound and without, as far as anything is heard in its tasks.
    """
    task_type = _type_of(project, kind)
    assert task_type.study is not None
    if task_type.study.conditions or task_type.viewing.is_silent:
        return task_type.study.conditions
    muted = replace(task_type.viewing, is_muted=True)
    return Condition("sound", "With sound"), Condition("muted", "Without sound", muted)


def wish_for(
    project: OpenProject, kind: str, name: str, people: Iterable[PersonId] = ()
) -> StudyWish:
    """Return the study settings of the recipe; WorkError for an unknown study."""
    spec = _type_of(project, kind).study
    assert spec is not None
    return StudyWish(
        name,
        kind,
        ItemChoice(spec.of),
        tuple(people),
        spec.answers,
        spec.per_person,
        spec.conditions,
        is_apart=spec.is_apart,
        seed=project.work.recipe.seed,
    )


def ground_of(project: OpenProject, kind: str) -> Ground:
    """Return the present candidates of a study, for repeated previews; leads only.

    Reads all items, which takes a second for very many.
    """
    project.work.people.check_lead()
    return Ground(project, _type_of(project, kind))


def outlook(project: OpenProject, wish: StudyWish, ground: Ground | None = None) -> StudySize:
    """Return the size of a requested study without creating it; leads only."""
    ground = ground or ground_of(project, wish.kind)
    asked = _chosen(wish, ground)
    plan = _planned(project, wish, asked, ground.parts)
    loads = Counter(part.person_id for part in plan.parts)
    theirs = [loads[person] for person in wish.people] or [0]
    people, each = len(wish.people), wish.design.per_item
    return StudySize(len(asked), each, people, min(theirs), max(theirs), plan.n_missing)


def make_study(project: OpenProject, wish: StudyWish) -> Study:
    """Create the assignment plan of a study and its tasks; leads only.

    One transaction. WorkError when the name is taken, nothing is there to be asked, or people are
    missing, with how many.
    """
    lead = project.work.people.check_lead()
    name = wish.name.strip()
    if not 0 < len(name) <= MAX_NAME:
        raise WorkError(
            f"The name of a study must have 1 to {MAX_NAME} characters.", code="bad-name"
        )
    if name in {other.name for other in studies(project)}:
        raise WorkError(f"A study with the name “{name}” already exists.", code="name-taken")
    wish = replace(wish, name=name)
    ground = ground_of(project, wish.kind)
    candidates = _chosen(wish, ground)
    plan = _planned(project, wish, candidates, ground.parts)
    _must_be_whole(wish, len(candidates), plan)
    study = Study(StudyId(new_id()), wish, lead.id, project.work.transactions.now())
    task_ids: list[TaskId] = []
    with project.work.transactions.together(), project.file.transaction() as connection:
        row = StudyRow(study.id, name, wish.kind, _text(wish), lead.id, study.at)
        store.add_study(connection, row)
        task_ids = _add_tasks(project, study, candidates, plan.parts)
        plan_row = _plan_row(project, study, 1, (), plan.parts, ())
        store.add_stored_plan(connection, study.id, plan_row)
        _keep_apart(project, lead.id, candidates, plan.parts)
    project.work.changed.notify(WorkChanged(frozenset(task_ids)))
    return study


def reassign_study(project: OpenProject, study_id: StudyId, people: Sequence[PersonId]) -> Study:
    """Assign a study to the present participants; leads only. One transaction.

    Submitted and started answers stay. All other assignments stay if everyone has work, else they
    are made again. Unsubmitted work of people who have left goes to others. WorkError if people are
    missing.
    """
    lead = project.work.people.check_lead()
    before = study_of(project, study_id)
    study = replace(before, wish=replace(before.wish, people=tuple(people)))
    rows = store.list_parts(project.file, study_id)
    candidates = _asked_before(project, rows)
    plan = _planned_again(project, study, candidates, rows)
    _must_be_whole(study.wish, len(candidates), plan)
    parts_wanted = set(plan.parts)
    # A task stays complete: if one part moves to another person, it is created again.
    torn = {row.task_id for row in rows if row.part not in parts_wanted}
    drop = [row for row in rows if row.task_id in torn]
    stay = {row.part for row in rows if row.task_id not in torn}
    new = [part for part in plan.parts if part not in stay]
    n_plans = len(store.list_stored_plans(project.file, study_id))
    with project.work.transactions.together(), project.file.transaction() as connection:
        store.drop_parts(connection, drop)
        dropped_ids = [row.asked_id for row in drop]
        item_store.set_state(connection, dropped_ids, ItemState.DISCARDED, _WITHDRAWN)
        acts = (Withdraw(lead.id, _WITHDRAWN),)
        project.work.transactions.act_on_all(sorted(torn), lambda _: acts)
        task_ids = _add_tasks(project, study, candidates, new)
        dropped = [row.part for row in drop]
        plan_row = _plan_row(project, study, n_plans + 1, stay, new, dropped)
        store.add_stored_plan(connection, study_id, plan_row)
        _keep_apart(project, lead.id, candidates, new)
    project.work.changed.notify(WorkChanged(frozenset(task_ids)))
    return study


def studies(project: OpenProject) -> list[Study]:
    """Return all studies, the oldest first; leads only."""
    project.work.people.check_lead()
    found: list[Study] = []
    for row in store.list_studies(project.file):
        wish = msgspec.json.decode(row.wish, type=StudyWish)
        people = plans_of(project, row.id)[-1].people
        found.append(Study(row.id, replace(wish, people=people), row.by_id, row.at))
    return found


def plans_of(project: OpenProject, study_id: StudyId) -> list[StoredPlan]:
    """Return all assignment plans of a study in order; leads only."""
    project.work.people.check_lead()
    found = store.list_stored_plans(project.file, study_id)
    return [msgspec.json.decode(row.body, type=StoredPlan) for row in found]


def study_of(project: OpenProject, study_id: StudyId) -> Study:
    """Return a study; WorkError when there is none."""
    for each in studies(project):
        if each.id == study_id:
            return each
    raise WorkError("Cannot find the study in the project.", code="no-study")


def study_named(project: OpenProject, name: str) -> Study:
    """Return the study of a name; WorkError when there is none, with those there are."""
    known = {each.name: each for each in studies(project)}
    if name not in known:
        hint = f"Available studies: {', '.join(known)}." if known else "The project has no studies."
        raise WorkError(f"Unknown study “{name}”.", code="no-study", hint=hint)
    return known[name]


def progress(project: OpenProject, study_id: StudyId) -> StudyProgress:
    """Return how far a study is; leads only."""
    project.work.people.check_lead()
    rows = store.list_parts(project.file, study_id)
    assigned = Counter(row.person_id for row in rows)
    given = Counter(row.person_id for row in rows if row.status is TaskStatus.COMPLETE)
    return StudyProgress(
        len({row.item_id for row in rows}),
        assigned.total(),
        given.total(),
        {person: (given[person], n) for person, n in assigned.items()},
    )


_WITHDRAWN: Final = "The item was reassigned to other participants."


def _type_of(project: OpenProject, kind: str) -> TaskType:
    found = {each.kind: each for each in study_types(project)}
    if kind not in found:
        if not found:
            hint = "No task type of it has a “study” section."
            raise WorkError("The recipe has no studies.", code="no-study", hint=hint)
        hint = f"Available study types: {', '.join(found)}."
        raise WorkError(f"Unknown study type “{kind}”.", code="no-study", hint=hint)
    return found[kind]


def _chosen(wish: StudyWish, ground: Ground) -> list[AskableItem]:
    """Return the items of a wish, sampled at random if it has a number."""
    if min(wish.answers, wish.per_person, wish.n_items or 1) < 1:
        raise WorkError(
            "A study requires at least one item, one answer per item and one person.",
            code="bad-study",
        )
    chosen_items = ground.chosen(wish.choice)
    if not chosen_items:
        raise WorkError(
            "The study has no items yet.",
            code="nothing-settled",
            hint="Items become available when their correct answers are resolved.",
        )
    if wish.n_items is not None and wish.n_items < len(chosen_items):
        lot = random.Random(f"items {wish.seed}")
        chosen = set(lot.sample(range(len(chosen_items)), wish.n_items))
        chosen_items = [item for i, item in enumerate(chosen_items) if i in chosen]
    return chosen_items


def _planned_again(
    project: OpenProject, study: Study, asked: Sequence[AskableItem], rows: Sequence[PartRow]
) -> Plan:
    people = set(study.wish.people)
    done = {row.part for row in rows if row.status is TaskStatus.COMPLETE}
    theirs = [row for row in rows if row.person_id in people]
    stays = done | {row.part for row in theirs}
    parts = Parts(project, study.id)
    plan = _planned(project, study.wish, asked, parts, stays)
    if plan.n_missing or people - {part.person_id for part in plan.parts}:
        begun = done | {row.part for row in theirs if row.is_begun}
        plan = _planned(project, study.wish, asked, parts, begun)
    return plan


def _planned(
    project: OpenProject,
    wish: StudyWish,
    askables: Sequence[AskableItem],
    parts: Parts,
    existing: Collection[StudyAssignment] = (),
) -> Plan:
    if len(set(wish.people)) != len(wish.people):
        raise WorkError("A person occurs twice in the study.", code="bad-study")
    for person_id in wish.people:
        project.work.people.person(person_id)
    mine = {(part.item_id, part.person_id) for part in existing}
    candidates = [
        StudyItem(
            candidate.item.id,
            candidate.item.video_ids,
            frozenset(p for p in excluded if (candidate.item.id, p) not in mine),
            family,
        )
        for candidate in askables
        for family in (candidate.item.group if wish.is_apart else "",)
        for excluded in (parts.of(candidate.item) | parts.assigned(family),)
    ]
    return plan_study(wish.design, candidates, wish.people, existing)


def _must_be_whole(wish: StudyWish, n_items: int, plan: Plan) -> None:
    if plan.n_missing:
        design = wish.design
        n, people = plan.n_missing, len(wish.people)
        more = "1 more person is" if n == 1 else f"{n} more people are"
        apart = ", and they receive at most one item per group" if wish.is_apart else ""
        raise WorkError(
            f"{more} needed: {n_items} × {design.per_item} answers are "
            f"{n_items * design.per_item}, and {people} × {design.per_person} are "
            f"{people * design.per_person}. Participants do not receive items that they "
            f"contributed to{apart}.",
            code="people-missing",
            hint="Add people, or reduce the number of items or answers.",
        )


def _asked_before(project: OpenProject, rows: Sequence[PartRow]) -> list[AskableItem]:
    """Return the items of a study as they are asked in it, whatever became of them since."""
    with project.file.reading() as connection:
        copies = {row.item_id: item_store.find_item(connection, row.asked_id) for row in rows}
    return [
        AskableItem(replace(copy, id=original), copy, "")
        for original, copy in copies.items()
        if copy is not None
    ]


def _add_tasks(
    project: OpenProject,
    study: Study,
    candidates: Sequence[AskableItem],
    parts: Iterable[StudyAssignment],
) -> list[TaskId]:
    """Create a task for each person, videos and condition, in random order per person."""
    task_type, transactions = _type_of(project, study.wish.kind), project.work.transactions
    asked_by_item = {candidate.item.id: candidate.asked for candidate in candidates}
    groups: dict[tuple[PersonId, str, tuple[str, ...]], list[ItemId]] = {}
    for part in parts:
        viewing = part.person_id, part.condition, asked_by_item[part.item_id].video_ids
        groups.setdefault(viewing, []).append(part.item_id)
    order = list(groups.items())
    random.Random(f"order {study.wish.seed}").shuffle(order)
    task_ids: list[TaskId] = []
    for (person_id, key, _), originals in order:
        copies = [_copy(asked_by_item[original], study, key) for original in originals]
        condition = study.wish.condition(key)
        event = create(
            TaskId(new_id()),
            copies[0].video_ids[0],
            task_type,
            by=project.work.people.signed_in().id,
            now=transactions.now(),
            reserved_for=person_id,
            viewing=condition.viewing if condition is not None else None,
        )
        with project.file.transaction() as connection:
            transactions.create(event, task_type.title)
            item_store.add_items(connection, event.task_id, 0, copies)
            store.add_parts(
                connection,
                study.id,
                [
                    PartRow(original, person_id, key, copy.id, event.task_id)
                    for original, copy in zip(originals, copies, strict=True)
                ],
            )
        task_ids.append(event.task_id)
    return task_ids


def _keep_apart(
    project: OpenProject,
    lead_id: PersonId,
    asked: Sequence[AskableItem],
    parts: Iterable[StudyAssignment],
) -> None:
    """Exclude participants from rating tasks on the same videos."""
    about = {each.item.id: each.asked.video_ids for each in asked}
    assigned: dict[tuple[VideoId, ...], dict[PersonId, None]] = {}
    for part in parts:
        assigned.setdefault(about[part.item_id], {})[part.person_id] = None
    exclude_participants(project.work.transactions, lead_id, assigned)


def _copy(asked: Item, study: Study, condition: str) -> Item:
    source = {**asked.source, "study": study.name, "condition": condition}
    return replace(asked, id=item_id(), source=source)


def _plan_row(
    project: OpenProject,
    study: Study,
    number: int,
    kept: Collection[StudyAssignment],
    new: Sequence[StudyAssignment],
    dropped: Sequence[StudyAssignment],
) -> PlanRow:
    people = study.wish.people
    body = StoredPlan(study.wish.seed, people, len(kept), tuple(new), tuple(dropped))
    me = project.work.people.signed_in().id
    return PlanRow(number, _text(body), me, project.work.transactions.now())


def _text(value: object) -> str:
    return msgspec.json.encode(value).decode()
