"""Inter-rater agreement of answers and of annotations, with the inputs of each estimate.

Nothing is read of a task before it is decided.

Drawn work is read one task at a time. Of a parallel stage these are the submissions of all raters,
once there are all; of a sequential one the first submission and that of the checker.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from annotator.domain.agreement.estimate import COLUMNS, Estimate, table
from annotator.domain.agreement.pairwise import SubmittedWork, between
from annotator.domain.agreement.resampling import Bootstrap, Watch
from annotator.domain.annotation.canonical import read_document
from annotator.domain.errors import ProjectError, WorkError
from annotator.domain.forms.field import FieldKind, Form
from annotator.domain.ids import DraftId, ItemId, PersonId, SubmissionId
from annotator.domain.questions.answer_agreement import GivenAnswer, agreement_on
from annotator.domain.questions.answer_groups import Merges
from annotator.domain.questions.items.item import Item
from annotator.domain.recipes.recipe import TaskType
from annotator.domain.work.records import Assignment, TaskRecord, TaskStatus
from annotator.domain.work.rules import hidden_from
from annotator.services.background.jobs import JobToken
from annotator.services.matching import assigned
from annotator.services.project.projects import OpenProject
from annotator.services.project.recipes import ProjectRecipe
from annotator.services.questions.forms import form_under
from annotator.services.tables import Cell
from annotator.store.catalog import videos
from annotator.store.questions.items import ItemFilter
from annotator.store.questions.votes import VoteRow, decided_votes, merges_of
from annotator.store.workflow import submissions, tasks


def drawn_by_several(
    project: OpenProject, task_type: TaskType, token: JobToken
) -> Iterator[SubmittedWork]:
    """Yield the annotations of each task of a kind by more than one person; leads only.

    Of complete tasks, and of those whose raters are through; where one of these is the lead, what
    the others did stays hidden. What cannot be read any more (damaged, or of a video that is
    another now) is left out. Leaves the job when it is canceled.
    """
    me = project.work.people.check_lead()
    with project.file.reading() as connection:
        decided = [
            t
            for s in (*_THROUGH, *_CALLED)
            for t in tasks.tasks_of_kind(connection, task_type.kind, s)
        ]
    tell = token.follow(task_type.title)
    for i, task_id in enumerate(decided):
        tell(i / len(decided))
        record = project.work.record(task_id)
        if record.status in _CALLED and not record.is_adjudicating:
            continue
        compared = _compared(record, task_type)
        if len(compared) < 2 or hidden_from(record, me):
            continue
        for person_id, submission_id in sorted(compared.items()):
            work = _work(project, record, person_id, submission_id)
            if work is not None:
                yield work


_THROUGH: Final = (TaskStatus.COMPLETE, TaskStatus.RESOLVING)
_CALLED: Final = (TaskStatus.WAITING, TaskStatus.IN_PROGRESS)
"""Of these tasks the raters are through if an adjudicator was called."""


def _compared(record: TaskRecord, task_type: TaskType) -> dict[PersonId, SubmissionId]:
    """Return the submissions of a task that are compared, by person."""
    several = [stage for stage in task_type.stages if stage.raters > 1]
    if several:
        last = [a for a in record.assignments if a.stage == several[0].key]
        visit = max((a.visit for a in last), default=0)
        through = [(a, a.counted) for a in last if a.visit == visit and a.counted is not None]
        # Later stages adjudicate and have seen the answers of the raters.
        order = {name: i for i, name in enumerate(record.counted)}
        through.sort(key=lambda entry: order.get(entry[1].submission_id, 0) if entry[1] else 0)
        return {
            a.person_id: counted.submission_id
            for a, counted in through[: several[0].max_raters]
            if counted is not None
        }
    if len(task_type.stages) < 2:
        return {}
    submissions_of, checked = ([*_handed(record, stage.key)] for stage in task_type.stages[:2])
    if not submissions_of or not checked or submissions_of[0].person_id == checked[-1].person_id:
        return {}
    first, last_checked = submissions_of[0].submissions[0], checked[-1].counted
    assert last_checked is not None
    return {
        submissions_of[0].person_id: first.submission_id,
        checked[-1].person_id: last_checked.submission_id,
    }


def _handed(record: TaskRecord, stage: str) -> Iterator[Assignment]:
    """Yield the assignments at a stage that counted, as they came."""
    return (a for a in record.assignments if a.stage == stage and a.counted is not None)


def _work(
    project: OpenProject, record: TaskRecord, person_id: PersonId, submission_id: SubmissionId
) -> SubmittedWork | None:
    stored = videos.find_video(project.file, record.video_id)
    body = submissions.read_body(project.file, submission_id)
    try:
        document = read_document(body, DraftId(""), stored.info) if stored is not None else None
    except ProjectError:
        return None
    return (
        SubmittedWork(record.id, person_id, document, submission_id)
        if document is not None
        else None
    )


AGREEMENT_COLUMNS = ("kind", *COLUMNS, "id")
"""``id`` is that of the rater, item or task whose name stands under ``name``."""
_WITH_ID: Final = ("rater", "item")


def question_kinds(project: OpenProject) -> tuple[TaskType, ...]:
    """Return the task types with questions, except studies."""
    task_types = project.work.recipe.task_types
    return tuple(t for t in task_types if t.form is not None and t.study is None)


def compared_kinds(project: OpenProject) -> tuple[TaskType, ...]:
    """Return the kinds of task in which raters can be compared: something is asked, or drawn."""
    return tuple(t for t in project.work.recipe.task_types if t.form is not None or t.tools)


def comparable_kind(project: OpenProject, kind: str) -> TaskType:
    """Return a kind of task in which raters can be compared; WorkError when it is none."""
    found = {each.kind: each for each in compared_kinds(project)}
    if kind not in found:
        known = f"Available task types: {', '.join(found)}." if found else ""
        raise WorkError(f"Unknown task type “{kind}”.", code="no-kind", hint=known)
    return found[kind]


def agreement_of(
    project: OpenProject,
    kind: str,
    token: JobToken,
    how: Bootstrap | None = None,
    *,
    by_item: bool = False,
) -> tuple[Estimate, ...]:
    """Return how far the raters of a kind of task agree: by field, rater, question, area,
    reasoning, tag, group and part, and on request by item; for annotations by method, by rater and
    on request by task. Leads only.

    Only resolved tasks count, and where several people answer in parallel only their answers.
    Discarded items count: without them agreement would look better than it is. People are named by
    their IDs. Raises when the job is canceled.
    """
    project.work.people.check_lead()
    task_type = comparable_kind(project, kind)
    try:
        if task_type.form is None:
            return _of_drawn(project, task_type, token, how, by_item=by_item)
        return _of_asked(project, task_type, task_type.form, token, how, by_item=by_item)
    except WorkError:
        token.check()
        raise


def agreement_rows(
    project: OpenProject, kind: str, estimates: Sequence[Estimate]
) -> Iterator[tuple[Cell, ...]]:
    """Yield estimates as rows under `AGREEMENT_COLUMNS`: raters, items and tasks by name."""
    names = _names(project, kind) if any(estimate.by == "item" for estimate in estimates) else {}
    for estimate, cells in zip(estimates, table(estimates), strict=True):
        numbers = (estimate.value, estimate.low, estimate.high)
        name = names.get(estimate.name, estimate.name) if estimate.by == "item" else estimate.name
        if estimate.by == "rater":
            name = project.work.people.person(PersonId(estimate.name)).name
        field, by, _, method, _, _, _, reason, units, raters, votes, *rest = cells
        yield (
            kind,
            field,
            by,
            name,
            method,
            *("" if number is None else number for number in numbers),
            reason,
            *(int(n) for n in (units, raters, votes)),
            *rest,
            estimate.name if estimate.by in _WITH_ID else "",
        )


def _of_asked(
    project: OpenProject,
    task_type: TaskType,
    form: Form,
    token: JobToken,
    how: Bootstrap | None,
    *,
    by_item: bool,
) -> tuple[Estimate, ...]:
    asked = [item for _, item in project.questions.list(ItemFilter(kind=task_type.kind))]
    said: list[GivenAnswer] = []
    for each in _first_entries(project, task_type, {item.id: item.text for item in asked}):
        token.check()
        said.append(each)
    watch = Watch(token.follow(task_type.title), lambda: token.is_canceled)
    return agreement_on(form, said, _groups(asked), how, watch, by_item=by_item)


def _of_drawn(
    project: OpenProject,
    task_type: TaskType,
    token: JobToken,
    how: Bootstrap | None,
    *,
    by_item: bool,
) -> tuple[Estimate, ...]:
    works = drawn_by_several(project, task_type, token)
    watch = Watch(is_canceled=lambda: token.is_canceled)
    found = between(works, assigned, how, watch)
    return tuple(each for each in found if by_item or each.by != "item")


def _names(project: OpenProject, kind: str) -> dict[str, str]:
    """Return the questions of items with the names of their videos, and the videos of tasks."""
    videos = {info.id: info.name for info, _ in project.media.all()}
    names: dict[str, str] = {t.id: videos[t.video_id] for t in project.tasks() if t.kind == kind}
    asked = project.questions.list(ItemFilter(kind=kind))
    for _, item in asked:
        about = ", ".join(videos[video_id] for video_id in item.video_ids)
        names[item.id] = f"{item.text} ({about})" if item.text and about else item.text or about
    return names


def _first_entries(
    project: OpenProject, task_type: TaskType, texts: Mapping[ItemId, str]
) -> Iterator[GivenAnswer]:
    """Yield the first entries of those who answered side by side, where the form was as now.

    ``texts`` are the questions of items: merged answers to the same question are one.
    """
    several = {stage.key for stage in task_type.stages if stage.raters > 1}
    stages = several or {stage.key for stage in task_type.stages}
    recipe = ProjectRecipe(project.file)
    fields: dict[int, dict[str, FieldKind]] = {}

    def fits(row: VoteRow) -> bool:
        version = row.recipe_version
        if version not in fields:
            form = form_under(recipe, task_type.kind, version)
            fields[version] = {f.key: f.kind for f in form.fields} if form is not None else {}
        now = task_type.form.field(row.field) if task_type.form is not None else None
        return now is not None and fields[version].get(row.field) is now.kind

    merges = Merges(merges_of(project.file, task_type.kind))
    for row in decided_votes(project.file, task_type.kind):
        if row.entry == 0 and row.stage in stages and fits(row):
            value = row.value
            if merges and isinstance(value, str):
                value = merges.counted_text(row.field, texts[row.item_id], value)
            yield GivenAnswer(row.item_id, row.person_id, row.field, value)


def _groups(items: Sequence[Item]) -> dict[str, dict[str, str | tuple[str, ...]]]:
    """Return by what estimates are grouped; a question is a text that several items have, a
    template one that has several texts."""
    texts = Counter(item.text for item in items)
    filled = Counter(template for template, _ in {(_template(i), i.text) for i in items})
    groups: dict[str, dict[str, str | tuple[str, ...]]] = {}
    for item in items:
        names: dict[str, str | tuple[str, ...]] = {
            "question": item.text if texts[item.text] > 1 else "",
            "template": _template(item) if filled[_template(item)] > 1 else "",
            "area": item.area,
            "reasoning": item.reasoning,
            "tag": item.tags,
            "group": item.group,
            "part": item.part,
        }
        for by, name in names.items():
            if name:
                groups.setdefault(by, {})[item.id] = name
    return groups


def _template(item: Item) -> str:
    return str(item.source.get("template", ""))
