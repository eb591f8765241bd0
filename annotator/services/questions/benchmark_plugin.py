"""Plug-in interface of benchmarks: question steps, an import, a data set and tables.

Benchmarks are plug-ins. Each is one folder and one entry point of the group
"annotator.benchmarks", whose name is the value of ``export`` in its recipes.
"""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from pathlib import Path
from typing import Final

from annotator.domain.checks import Finding
from annotator.domain.questions.items.item import Item
from annotator.domain.recipes.recipe import Recipe
from annotator.domain.toml import must_be_one_of
from annotator.services.background.jobs import JobToken
from annotator.services.project.projects import OpenProject
from annotator.services.questions.question_generation import StepResult
from annotator.services.tables import Cell

GROUP: Final = "annotator.benchmarks"

RightAnswers = Mapping[str, tuple[str, ...]]
"""Correct answers of an item by the keys of its form's fields."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class QuestionStep:
    """A step that creates missing items or stores resolved ones.

    ``makes`` are the task types of its items, () where the recipe says it or it creates none;
    ``about`` says in a sentence or two what the step does and what it needs.
    """

    name: str
    title: str
    run: Callable[[OpenProject], StepResult]
    makes: tuple[str, ...] = ()
    about: str = ""


@dataclass(frozen=True, slots=True)
class DataSetResult:
    """Result of building a data set: place, counts, and records left out."""

    path: Path
    counts: dict[str, int]
    findings: tuple[Finding, ...]


class Proportion(float):
    """A number from 0 to 1 that the window shows as a percentage."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column: ``name`` in files; ``head`` in the window, "" for a column that only files have.

    ``words`` are what the window shows instead of a cell's text.
    """

    name: str
    head: str = ""
    words: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TableKind:
    """Title and columns of a table; ``name`` is that of its file."""

    name: str
    title: str
    columns: tuple[Column, ...]
    about: str = ""

    def texts(self) -> Iterator[str]:
        """Yield the texts that the window shows."""
        yield self.title
        yield self.about
        for column in self.columns:
            yield column.head
            yield from column.words.values()


@dataclass(frozen=True, slots=True)
class BenchmarkTable:
    """A table with its rows."""

    kind: TableKind
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A finished question, as in the file of the data set.

    ``answer`` is the letter of the right option, "" for an open question, whose answers a judge
    scores. ``groups`` are its groups, by column. The questions of a ``family`` are variants of one
    question, each a ``part``; ``is_primary`` is the first of them.
    """

    id: str
    item_id: str
    video: str
    text: str
    answer: str = ""
    options: tuple[str, ...] = ()
    groups: tuple[tuple[str, str], ...] = ()
    family: str = ""
    part: str = ""
    is_primary: bool = False


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A benchmark; everything except its title is optional.

    ``build`` writes its data set into a new file with the extension ``suffix``, or into a folder if
    that is "". ``import_items`` reads its own file formats, named by ``import_title``. ``settled``
    returns the items of a task type that a study can ask, with their correct answers, and None for
    task types that follow the rule of all recipes. ``questions`` returns the questions for models.
    ``areas`` and ``reasonings`` are those of its questions, any where empty.
    """

    title: str
    steps: tuple[QuestionStep, ...] = ()
    import_items: Callable[[OpenProject, Path], StepResult] | None = None
    import_title: str = "Import questions…"
    build: Callable[[OpenProject, Path, JobToken], DataSetResult] | None = None
    suffix: str = ".json"
    table_kinds: tuple[TableKind, ...] = ()
    tables: Callable[[OpenProject], Iterable[BenchmarkTable]] = lambda _: ()
    settled: Callable[[OpenProject, str], Iterable[tuple[Item, RightAnswers]] | None] = (
        lambda _project, _kind: None
    )
    questions: Callable[[OpenProject], Iterable[AskedQuestion]] = lambda _: ()
    areas: tuple[str, ...] = ()
    reasonings: tuple[str, ...] = ()

    def texts(self) -> Iterator[str]:
        """Yield the texts that the window shows."""
        yield self.import_title
        yield from (text for step in self.steps for text in (step.title, step.about))
        for kind in self.table_kinds:
            yield from kind.texts()


NO_BENCHMARK: Final = Benchmark("")


@functools.cache
def benchmark_named(name: str) -> Benchmark:
    """Return the benchmark of a name; one that adds nothing if there is none or it cannot load."""
    for point in entry_points(group=GROUP, name=name):
        try:
            found = point.load()
        except (ImportError, AttributeError, SyntaxError) as error:
            _log.warning("cannot load the benchmark %s: %s", point.value, error)
            continue
        if isinstance(found, Benchmark):
            return found
        _log.warning("%s is not a benchmark", point.value)
    return NO_BENCHMARK


def check_words(recipe: Recipe) -> None:
    """Raise RecipeError where a question of a recipe has an area or a type of reasoning that its
    benchmark does not know.
    """
    benchmark = benchmark_named(recipe.export)
    rules = [(f"rules[{i}]", rule.area, rule.reasoning) for i, rule in enumerate(recipe.rules)]
    templates = recipe.bank.templates if recipe.bank is not None else ()
    asked = [(f"bank.{t.key}", t.area, t.reasoning) for t in templates]
    for where, area, reasoning in (*asked, *rules):
        if benchmark.areas and area:
            must_be_one_of(area, benchmark.areas, f"{where}.area", "area")
        if benchmark.reasonings and reasoning:
            must_be_one_of(reasoning, benchmark.reasonings, f"{where}.reasoning", "reasoning")


def benchmark_names() -> list[str]:
    """Return the names of the installed benchmarks, without loading them."""
    return sorted(point.name for point in entry_points(group=GROUP))


def benchmark_of(project: OpenProject) -> Benchmark:
    """Return the benchmark that the project's recipe is made for."""
    return benchmark_named(project.work.recipe.export)
