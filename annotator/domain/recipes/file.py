"""Recipe files: from TOML tables to a `Recipe`, with the path of each fault.

    name = "kitchen"               # small letters, digits and hyphens
    version = 1
    title = "Kitchen videos"

    [[task_types]]
    kind = "object-tracks"
    title = "Object tracks"
    tools = ["boxes"]              # boxes, points, actions, sounds
    tolerance = { px = 2.0, iou = 0.95 }  # of keyframes that fit accepted proposals; optional
    hidden = "out-of-view"         # proposals for hidden objects: occluded, out-of-view; optional

    [[task_types.stages]]
    key = "annotate"
    title = "Annotate"
    act = "annotate"               # annotate, check, verify
    role = "rater"                 # one of `Role`; left out: anybody

A task type may have a `form` and a `viewing`, see `forms.table`; questions are made from `bank`,
`rules` and `pairing`, see the modules of that name; for studies see `study.table`.
`resources/recipes` has whole recipes. Unknown keys are refused, never ignored. Reading the
file itself is not done here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from annotator.domain.annotation.attributes import attribute_from
from annotator.domain.annotation.keyframe_reduction import TOLERANCE, Tolerance
from annotator.domain.checks.finding import CODES
from annotator.domain.forms.restricted_view import WHOLE_VIDEO
from annotator.domain.forms.table import form_from, viewing_from
from annotator.domain.inner_path import is_inner_path
from annotator.domain.people import Role
from annotator.domain.questions.items.bank import MAX_SEED, bank_from
from annotator.domain.questions.items.grounded import rule_from
from annotator.domain.questions.items.groups import FINISHED
from annotator.domain.questions.items.item import Purpose
from annotator.domain.questions.items.object_pairs import pairing_from
from annotator.domain.questions.quality import GRADES, Attention, Gold, Passing
from annotator.domain.recipes.recipe import (
    Act,
    ChecklistItem,
    Guideline,
    HiddenObjects,
    Recipe,
    Resolution,
    ReturnReason,
    SampleBy,
    SpotChecks,
    StageSpec,
    TaskType,
    Tool,
)
from annotator.domain.study.design import SCORE, study_from
from annotator.domain.toml import (
    TomlTable,
    fault,
    missing,
    must_be_one_of,
    must_differ,
    word_of,
)
from annotator.domain.video_address import check_template

MAX_GUIDELINE: Final = 200_000
MAX_RATERS: Final = 100
MAX_EVERY: Final = 1000
MAX_GOLD_PX: Final = 1000.0
MAX_GOLD_MS: Final = 60_000.0
MAX_LEASE_HOURS: Final = 24 * 366

MAX_TOLERANCE_PX: Final = 50.0
MAX_KEY: Final = 60


def recipe_from(value: Mapping[str, object]) -> Recipe:
    """Return the recipe that the tables of a file describe.

    RecipeError names the path of the first fault, such as `task_types[0].stages[2].sends_back_to`.
    """
    table = TomlTable(value, "")
    types = table.entries("task_types", _task_type)
    if not types:
        raise fault("task_types", "A recipe must have at least one task type.")
    must_differ([t.kind for t in types], "task_types", "kind")
    for i, task_type in enumerate(types):
        # Only what stands above, so that nothing waits for itself.
        earlier = [t.kind for t in types[:i]]
        if task_type.follows:
            must_be_one_of(
                task_type.follows, earlier, f"task_types[{i}].follows", "earlier task type"
            )
        for j, kind in enumerate(task_type.requires):
            where = f"task_types[{i}].requires[{j}]"
            must_be_one_of(kind, earlier, where, "earlier task type")
    reasons = table.entries("return_reasons", _return_reason)
    must_differ([r.code for r in reasons], "return_reasons", "code")
    recipe = Recipe(
        name=table.name("name"),
        version=table.whole("version", 1, 1_000_000),
        title=table.text("title"),
        task_types=types,
        return_reasons=reasons,
        guidelines=table.entries("guidelines", _guideline),
        spot_checks=table.optional("spot_checks", _spot_checks),
        label_sets=table.texts("label_sets"),
        export=table.text("export", ""),
        pictures=_folder(table, "pictures"),
        bank=table.optional("bank", bank_from),
        rules=table.entries("rules", rule_from),
        pairing=table.optional("pairing", pairing_from),
        seed=table.whole("seed", 0, MAX_SEED, default=1),
        attributes=table.entries("attributes", attribute_from),
        keeps_cut_apart=table.truth("keeps_cut_apart", default=True),
        video_address=_video_address(table),
    )
    table.done()
    must_differ([a.key for a in recipe.attributes], "attributes", "key")
    _check_guidelines(recipe)
    _check_makers(recipe)
    _check_studies(recipe)
    return recipe


def _folder(table: TomlTable, key: str) -> str:
    """Return a path below the project's folder, "" for none."""
    found = table.text(key, "")
    if found and not is_inner_path(found):
        raise fault(
            table.at(key), "Must be a folder next to the project file, for example “pictures”."
        )
    return found


def _video_address(table: TomlTable) -> str:
    """Return the template of the addresses of videos, "" for none."""
    found = table.text("video_address", "")
    if found:
        try:
            check_template(found)
        except ValueError as error:
            raise fault(table.at("video_address"), str(error)) from None
    return found


def _task_type(table: TomlTable) -> TaskType:
    stages = table.entries("stages", _stage)
    if not stages:
        raise fault(table.at("stages"), "A task type must have at least one stage.")
    task_type = TaskType(
        kind=table.name("kind"),
        title=table.text("title"),
        tools=tuple(
            word_of(Tool, text, table.at(f"tools[{i}]"))
            for i, text in enumerate(table.texts("tools"))
        ),
        stages=stages,
        checklist=table.entries("checklist", _checklist_item),
        rounds_from=table.text("rounds_from", ""),
        follows=table.text("follows", ""),
        form=table.optional("form", form_from),
        viewing=table.optional("viewing", viewing_from) or WHOLE_VIDEO,
        is_pair=table.truth("is_pair"),
        requires=table.texts("requires"),
        purpose=table.word("purpose", Purpose, Purpose.WORK),
        attention=table.optional("attention", _attention),
        passing=table.optional("passing", _passing),
        share=table.number("share", 1.0) or 1.0,
        study=table.optional("study", study_from),
        tolerance=table.optional("tolerance", _tolerance),
        hidden=table.word("hidden", HiddenObjects) if table.has("hidden") else None,
        excludes_authors=table.truth("excludes_authors"),
        gold=table.optional("gold", _gold),
    )
    table.done()
    _check_study(task_type, table)
    _check_predictions(task_type, table)
    _check_gold(task_type, table)
    for key, is_there in (("attention", task_type.attention), ("passing", task_type.passing)):
        if is_there is not None and task_type.form is None:
            raise fault(table.at(key), "Allowed only for a task type with a form.")
    if task_type.is_pair and task_type.form is None:
        raise fault(table.at("is_pair"), "Only a task type with a form can use video pairs.")
    keys = [stage.key for stage in stages]
    must_differ(keys, table.at("stages"), "key")
    for i, stage in enumerate(stages):
        _check_way_back(stage, keys, i, table.at(f"stages[{i}].sends_back_to"))
    if task_type.rounds_from:
        must_be_one_of(task_type.rounds_from, keys, table.at("rounds_from"), "stage")
    return task_type


def _check_study(task_type: TaskType, table: TomlTable) -> None:
    """A study is answered by one person for each task, and judged by its statistics alone."""
    if task_type.study is None:
        if task_type.purpose is Purpose.STUDY:
            raise missing(table.at("study"))
        return
    if task_type.purpose is not Purpose.STUDY:
        raise fault(table.at("purpose"), "A task type with a study requires the purpose “study”.")
    if task_type.form is None:
        raise fault(table.at("form"), "Allowed only for a task type with a form.")
    if len(task_type.stages) > 1 or task_type.first.raters > 1:
        raise fault(table.at("stages"), "A study must have one stage with one rater.")
    for key, is_there in (("attention", task_type.attention), ("passing", task_type.passing)):
        if is_there is not None:
            raise fault(
                table.at(key), "A study cannot have qualification tests or attention checks."
            )


def _check_predictions(made: TaskType, table: TomlTable) -> None:
    """Predictions are shown where answers are work, and where no check would be known by them."""
    if not any(stage.shows_predictions for stage in made.stages):
        return
    if made.form is None:
        raise fault(table.at("stages"), "Only a task type with a form can show predictions.")
    if made.attention is not None:
        raise fault(
            table.at("attention"),
            "Attention checks have no predictions and would be recognized. Remove them or "
            "“shows_predictions”.",
        )
    if made.study is not None or made.passing is not None or made.purpose is not Purpose.WORK:
        raise fault(table.at("stages"), "Studies, tests and training cannot show predictions.")


def _check_gold(made: TaskType, table: TomlTable) -> None:
    """Gold tasks need a task type with annotation tools."""
    if made.gold is None:
        return
    if made.form is not None or not made.tools:
        raise fault(table.at("gold"), "Allowed only for a task type with tools and without a form.")
    if made.first.may_choose:
        raise fault(
            table.at("gold"),
            "Raters who choose their tasks would recognize gold tasks. Remove “may_choose” from "
            "the first stage.",
        )


def _gold(table: TomlTable) -> Gold:
    usual = Gold(every=table.whole("every", 2, MAX_EVERY))
    gold = Gold(
        every=usual.every,
        training=table.whole("training", 0, MAX_EVERY, default=usual.training),
        last=table.whole("last", 1, MAX_EVERY, default=usual.last),
        warn=table.whole("warn", 1, MAX_EVERY, default=usual.warn),
        suspend=table.whole("suspend", 1, MAX_EVERY, default=usual.suspend),
        min_iou=_limit(table, "min_iou", 1.0, usual.min_iou),
        max_px=_limit(table, "max_px", MAX_GOLD_PX, usual.max_px),
        max_ms=_limit(table, "max_ms", MAX_GOLD_MS, usual.max_ms),
        min_found=_limit(table, "min_found", 1.0, usual.min_found),
    )
    table.done()
    if gold.warn > gold.suspend:
        raise fault(table.at("warn"), "Must not be greater than “suspend”.")
    if gold.suspend > gold.last:
        raise fault(table.at("suspend"), "Must not be greater than “last”.")
    return gold


def _limit(table: TomlTable, key: str, most: float, default: float) -> float:
    found = table.number(key, most)
    return default if found is None else found


def _attention(table: TomlTable) -> Attention:
    made = Attention(
        table.whole("every", 2, MAX_EVERY), table.whole("failures", 1, MAX_EVERY, default=2)
    )
    table.done()
    return made


def _tolerance(table: TomlTable) -> Tolerance:
    made = Tolerance(
        table.number("px", MAX_TOLERANCE_PX) or TOLERANCE.max_offset_px,
        table.number("iou", 1.0) or TOLERANCE.min_iou,
    )
    table.done()
    return made


def _passing(table: TomlTable) -> Passing:
    share, grade = table.number("share", 1.0), table.number("grade", float(GRADES[-1]))
    if (share is None) == (grade is None):
        raise fault(
            table.at("share"),
            "A qualification test requires either a share of correct answers or a grade.",
        )
    made = Passing(
        share,
        grade,
        table.whole("attempts", 1, MAX_EVERY, default=2),
        table.whole("tasks", 1, MAX_EVERY, default=1),
    )
    table.done()
    return made


def _stage(table: TomlTable) -> StageSpec:
    raters = table.whole("raters", 1, MAX_RATERS, default=1)
    stage = StageSpec(
        key=table.name("key"),
        title=table.text("title"),
        act=table.word("act", Act),
        role=table.word("role", Role) if table.has("role") else None,
        raters=raters,
        max_raters=table.whole("max_raters", 1, MAX_RATERS, default=raters),
        resolution=table.word("resolution", Resolution, Resolution.SINGLE),
        agreeing=table.whole("agreeing", 1, MAX_RATERS) if table.has("agreeing") else 0,
        adjudicator=table.word("adjudicator", Role, Role.REVIEWER),
        may_overrule=table.truth("may_overrule"),
        shows_predictions=table.truth("shows_predictions"),
        lease_hours=table.number("lease_hours", MAX_LEASE_HOURS),
        sends_back_to=table.text("sends_back_to") if table.has("sends_back_to") else None,
        may_repeat=table.truth("may_repeat"),
        may_choose=table.truth("may_choose"),
        may_reopen=table.truth("may_reopen"),
        checklist=table.entries("checklist", _checklist_item),
    )
    table.done()
    _check_raters(stage, table)
    return stage


def _check_raters(stage: StageSpec, table: TomlTable) -> None:
    is_single = stage.resolution is Resolution.SINGLE
    if is_single and stage.raters > 1:
        ways = ", ".join(way for way in Resolution if way is not Resolution.SINGLE)
        raise fault(
            table.at("resolution"),
            f"{stage.raters} raters require a resolution: {ways}.",
        )
    if stage.shows_predictions and stage.raters > 1:
        raise fault(
            table.at("shows_predictions"),
            "Predictions are not shown where several raters answer independently.",
        )
    if not is_single and stage.raters == 1:
        raise fault(table.at("resolution"), f"“{stage.resolution}” requires more than one rater.")
    if stage.max_raters < stage.raters:
        raise fault(
            table.at("max_raters"), f"Must not be less than {stage.raters}, the number of raters."
        )
    if (stage.resolution is Resolution.K_OF_N) != bool(stage.agreeing):
        raise fault(table.at("agreeing"), "Required for “k-of-n”: the number of equal votes.")
    if stage.agreeing > stage.max_raters:
        raise fault(
            table.at("agreeing"),
            f"Must not be greater than {stage.max_raters}, the maximum number of raters.",
        )


def _check_way_back(stage: StageSpec, keys: list[str], place: int, where: str) -> None:
    if stage.sends_back_to is None:
        return
    must_be_one_of(stage.sends_back_to, keys, where, "stage")
    if keys.index(stage.sends_back_to) >= place:
        raise fault(where, f"“{stage.sends_back_to}” is not an earlier stage than “{stage.key}”.")


def _checklist_item(table: TomlTable) -> ChecklistItem:
    item = ChecklistItem(
        table.text("text"), table.name("finding") if table.has("finding") else None
    )
    if item.finding is not None:
        must_be_one_of(item.finding, CODES, table.at("finding"), "finding")
    table.done()
    return item


def _return_reason(table: TomlTable) -> ReturnReason:
    reason = ReturnReason(table.name("code"), table.text("text"))
    table.done()
    return reason


def _guideline(table: TomlTable) -> Guideline:
    made = Guideline(
        title=table.text("title"),
        text=table.text("text", limit=MAX_GUIDELINE),
        kinds=table.texts("kinds"),
        stages=table.texts("stages"),
        scripts=table.texts("scripts"),
        round=table.whole("round", 1, 1000) if table.has("round") else None,
    )
    table.done()
    return made


def _check_guidelines(recipe: Recipe) -> None:
    kinds = [t.kind for t in recipe.task_types]
    keys = [stage.key for t in recipe.task_types for stage in t.stages]
    for i, each in enumerate(recipe.guidelines):
        for j, kind in enumerate(each.kinds):
            must_be_one_of(kind, kinds, f"guidelines[{i}].kinds[{j}]", "task type")
        for j, key in enumerate(each.stages):
            must_be_one_of(key, keys, f"guidelines[{i}].stages[{j}]", "stage")


def _check_makers(recipe: Recipe) -> None:
    """Questions are made for task types that ask."""
    asking = [t.kind for t in recipe.task_types if t.form is not None]
    if recipe.bank is not None:
        for key in ("kind", "open_kind"):
            kind = getattr(recipe.bank, key)
            if kind:
                must_be_one_of(kind, asking, f"bank.{key}", "task type with a form")
    must_differ([rule.key for rule in recipe.rules], "rules", "key")
    for i, rule in enumerate(recipe.rules):
        must_be_one_of(rule.kind, asking, f"rules[{i}].kind", "task type with a form")


def _check_studies(recipe: Recipe) -> None:
    """Check that studies use completed or earlier items, and a scoring task only where answers are
    scored."""
    asking = [t.kind for t in recipe.task_types if t.form is not None]
    scoring = [t.kind for t in recipe.task_types if t.form is not None and t.form.field(SCORE)]
    for i, task_type in enumerate(recipe.task_types):
        if task_type.study is None:
            continue
        where = f"task_types[{i}].study"
        for j, kind in enumerate(task_type.study.of):
            known = [*asking, FINISHED]
            must_be_one_of(kind, known, f"{where}.of[{j}]", "task type with a form")
        if task_type.study.scored_in:
            noun = f"task type with the field “{SCORE}”"
            must_be_one_of(task_type.study.scored_in, scoring, f"{where}.scored_in", noun)


def _spot_checks(table: TomlTable) -> SpotChecks:
    share = table.number("share", 1.0)
    if share is None:
        raise missing(table.at("share"))
    made = SpotChecks(
        share,
        table.whole("every_days", 1, 366, default=3),
        table.word("by", SampleBy, SampleBy.RANDOM),
    )
    table.done()
    return made
