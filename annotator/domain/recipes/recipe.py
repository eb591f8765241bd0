"""Recipes: task types, their stages, and the permissions of roles.

A recipe is data. It is read from a file (`file`), kept in the project, and never changed by
the program; a changed recipe is a new version of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from annotator.domain.annotation.attributes import Attribute
from annotator.domain.annotation.keyframe_reduction import Tolerance
from annotator.domain.forms.field import Form
from annotator.domain.forms.restricted_view import WHOLE_VIDEO, Viewing
from annotator.domain.people import Role
from annotator.domain.questions.items.item import Purpose
from annotator.domain.questions.quality import Attention, Gold, Passing
from annotator.domain.study.design import StudySpec

if TYPE_CHECKING:  # the checks that these report with look at recipes themselves
    from annotator.domain.questions.items.bank import Bank
    from annotator.domain.questions.items.grounded import GroundedRule
    from annotator.domain.questions.items.object_pairs import PairingSpec


class Act(StrEnum):
    """Kind of work in a stage."""

    ANNOTATE = "annotate"  # make the annotation; the verdict is "done"
    CHECK = "check"  # look at and correct what others made; approve or send back
    VERIFY = "verify"  # the last look; approve or send back


class Resolution(StrEnum):
    """How the work of several people on one stage becomes one result."""

    SINGLE = "single"  # one person, nothing to resolve
    MAJORITY = "majority"
    K_OF_N = "k-of-n"  # this many equal answers
    UNANIMITY = "unanimity"
    ADJUDICATION = "adjudication"  # an adjudicator who sees all answers decides


class Tool(StrEnum):
    """Annotation types that a task type allows."""

    BOXES = "boxes"
    POINTS = "points"
    ACTIONS = "actions"
    SOUNDS = "sounds"


class HiddenObjects(StrEnum):
    """Proposals for an object on frames on which it is hidden."""

    OCCLUDED = "occluded"  # a box where it is expected, marked as occluded
    OUT_OF_VIEW = "out-of-view"  # no box


class SampleBy(StrEnum):
    """How spot checks are chosen."""

    RANDOM = "random"
    RISK = "risk"


@dataclass(frozen=True, slots=True)
class ChecklistItem:
    """A line the rater ticks before handing in; ``finding`` is the check that looks after it."""

    text: str
    finding: str | None = None


@dataclass(frozen=True, slots=True)
class StageSpec:
    """One stage of a task type.

    ``role`` None allows everyone. ``lease_hours`` None: a claim never expires. ``may_repeat``: the
    person of this stage may claim it again, except after a return (for small teams; never to review
    their own work). ``may_choose``: raters can select a task instead of getting the next one.
    ``may_reopen``: the author of a submission can continue it until a later stage uses it.
    ``raters`` work in parallel without seeing each other; ``max_raters`` is the limit after ties.
    ``agreeing`` is the required number of equal votes under ``k-of-n``. ``may_overrule``: an
    adjudicator can change resolved items with a reason; otherwise only open ones.
    ``shows_predictions``: the form shows the answers of models; only for stages with one rater,
    because predictions influence votes.
    """

    key: str
    title: str
    act: Act
    role: Role | None = None
    raters: int = 1
    max_raters: int = 1
    resolution: Resolution = Resolution.SINGLE
    agreeing: int = 0
    adjudicator: Role = Role.REVIEWER
    may_overrule: bool = False
    shows_predictions: bool = False
    lease_hours: float | None = None
    sends_back_to: str | None = None
    may_repeat: bool = False
    may_choose: bool = False
    may_reopen: bool = False
    checklist: tuple[ChecklistItem, ...] = ()

    @property
    def lease_ms(self) -> int | None:
        """How long a claim lasts, in milliseconds."""
        return None if self.lease_hours is None else round(self.lease_hours * 3_600_000)


@dataclass(frozen=True, slots=True)
class TaskType:
    """A task type: tools or form, and its stages in order.

    ``rounds_from`` is the stage at which a further round starts. ``follows`` is the kind whose
    result starts a task of this kind: the task is created when that one is complete, and shows its
    annotations. "": it is created with the video.

    ``form`` contains the questions about each item of a task, None without questions; ``viewing``
    is the visible and audible part of the video. ``is_pair``: a task has two videos side by side.
    ``requires`` are the kinds of tests that must be passed first; ``purpose`` is the default
    purpose of its items. ``attention``: checks are mixed in. ``passing``: its tasks are tests.
    Tasks with a ``form`` are created with their items (`services.questions`); ``share`` is the
    sampled share of candidates for the question steps. ``study``: its tasks belong to study
    participants (`services.questions.studies`). ``excludes_authors``: authors and raters of the
    source items are excluded. ``tolerance``: fit of keyframes to accepted proposals; ``hidden``:
    proposals for hidden objects; None: the preference of the person. ``gold``: gold tasks are mixed
    in; needs annotation tools.
    """

    kind: str
    title: str
    tools: tuple[Tool, ...]
    stages: tuple[StageSpec, ...]
    checklist: tuple[ChecklistItem, ...] = ()
    rounds_from: str = ""
    follows: str = ""
    form: Form | None = None
    viewing: Viewing = WHOLE_VIDEO
    is_pair: bool = False
    requires: tuple[str, ...] = ()
    purpose: Purpose = Purpose.WORK
    attention: Attention | None = None
    passing: Passing | None = None
    share: float = 1.0
    study: StudySpec | None = None
    excludes_authors: bool = False
    tolerance: Tolerance | None = None
    hidden: HiddenObjects | None = None
    gold: Gold | None = None

    @property
    def first(self) -> StageSpec:
        """The first stage of a new task."""
        return self.stages[0]

    def stage(self, key: str) -> StageSpec | None:
        """Return the stage of that key, None if there is none."""
        for stage in self.stages:
            if stage.key == key:
                return stage
        return None

    def index(self, key: str) -> int:
        """Return the place of a stage, counted from 0; -1 if there is none."""
        for i, stage in enumerate(self.stages):
            if stage.key == key:
                return i
        return -1

    def after(self, key: str) -> StageSpec | None:
        """Return the stage that follows, None after the last."""
        i = self.index(key) + 1
        return self.stages[i] if 0 < i < len(self.stages) else None


@dataclass(frozen=True, slots=True)
class ReturnReason:
    """A reason to send back that is offered for choice and counted by its code."""

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Guideline:
    """Instructions in Markdown; an empty condition matches everything."""

    title: str
    text: str
    kinds: tuple[str, ...] = ()
    stages: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    round: int | None = None

    def fits(self, kind: str, stage: str, script: str, round_: int) -> bool:
        """Return whether these apply to a task type and stage."""
        return (
            (not self.kinds or kind in self.kinds)
            and (not self.stages or stage in self.stages)
            and (not self.scripts or script in self.scripts)
            and (self.round is None or self.round == round_)
        )

    @property
    def narrowness(self) -> int:
        """How special they are; the most special ones are shown. A round counts most."""
        return (
            8 * (self.round is not None)
            + 4 * bool(self.scripts)
            + 2 * bool(self.stages)
            + bool(self.kinds)
        )


@dataclass(frozen=True, slots=True)
class SpotChecks:
    """Spot checks: the share 0..1 of new submissions for the lead, and the interval in days."""

    share: float
    every_days: int = 3
    by: SampleBy = SampleBy.RANDOM


@dataclass(frozen=True, slots=True)
class Recipe:
    """The workflow of a project; ``export`` names the format of the results.

    ``pictures`` is a folder beside the project with the pictures of the guidelines. Questions are
    generated from ``bank``, ``rules`` and ``pairing``; ``seed`` is the default seed. ``attributes``
    are those of tracks. ``keeps_cut_apart``: no person gets both a task that shows a whole video
    and a question about it up to its cut. ``video_address`` is the address template of videos, ""
    for none (`video_address`).
    """

    name: str
    version: int
    title: str
    task_types: tuple[TaskType, ...]
    return_reasons: tuple[ReturnReason, ...] = ()
    guidelines: tuple[Guideline, ...] = ()
    spot_checks: SpotChecks | None = None
    label_sets: tuple[str, ...] = ()
    export: str = ""
    pictures: str = ""
    bank: Bank | None = None
    rules: tuple[GroundedRule, ...] = ()
    pairing: PairingSpec | None = None
    seed: int = 1
    attributes: tuple[Attribute, ...] = ()
    keeps_cut_apart: bool = True
    video_address: str = ""
    _by_kind: dict[str, TaskType] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_kind", {t.kind: t for t in self.task_types})

    @property
    def asks(self) -> bool:
        """Whether any task type has questions."""
        return any(each.form is not None for each in self.task_types)

    @property
    def has_gold(self) -> bool:
        """Whether any task type has gold tasks."""
        return any(each.gold is not None for each in self.task_types)

    def task_type(self, kind: str) -> TaskType | None:
        """Return the task type of a kind, None if the recipe has none."""
        return self._by_kind.get(kind)

    def reason_text(self, code: str, details: str) -> str:
        """Return why something is sent back: the recipe's reason of the code, then the details."""
        title = next((r.text for r in self.return_reasons if r.code == code), code)
        details = details.strip()
        return ": ".join(dict.fromkeys(part for part in (title, details) if part))

    def followers(self, kind: str) -> tuple[TaskType, ...]:
        """Return the task types that start when one of a kind is complete; "": at once.

        Those with a form are not among them: their tasks are made for items.
        """
        return tuple(t for t in self.task_types if t.follows == kind and t.form is None)


def guideline_for(
    guidelines: Iterable[Guideline], kind: str, stage: str, *, script: str = "", round_: int = 1
) -> Guideline | None:
    """Return the most special instructions for a task at a stage; the later one of equals."""
    fitting = [g for g in guidelines if g.fits(kind, stage, script, round_)]
    return max(reversed(fitting), key=lambda g: g.narrowness, default=None)
