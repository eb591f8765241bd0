"""Collects every text of the window into resources/i18n/annotator.ts, for translators.

Run as ``python packaging/translations.py`` after texts have changed; with ``--check`` it only says
whether the file is fresh. A translation is a copy of the file called ``annotator_de.ts`` (or
another language) with its entries filled in, by Qt Linguist or any editor; the window reads it as
it is.

Qt's own collector sees texts that stand in calls only. Names of edits, heads of columns and the
table of actions stand in tables: those are listed here, and a text that is translated without
being known here is reported.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple
from xml.sax.saxutils import escape

ROOT: Final = Path(__file__).resolve().parent.parent
TARGET: Final = ROOT / "resources" / "i18n" / "annotator.ts"
_UI: Final = "annotator/ui"

TABLES: Final = {
    "actions/specs.py": ("actions", ("CONDITIONS",)),
    "look/texts.py": ("words", ("_OPS", "_TASK_STATES", "_PHASES", "_FINDINGS")),
    "commands/point_actions.py": ("PointActions", ("_WORDS",)),
    "panels/inspector.py": ("Inspector", ("_BACK_AND_FORTH",)),
    "panels/object_rows.py": ("ObjectRows", ("_HEADS",)),
    "panels/segments_panel.py": ("SegmentRows", ("_HEADS",)),
    "lead/lead_texts.py": (
        "lead",
        (
            "STATUSES",
            "ROLES",
            "_FLAGS",
            "_NEEDS",
            "_QUESTIONS",
            "STATES",
            "_PURPOSES",
            "_STATUSES",
            "_METHODS",
            "_PARTS",
            "_MISSING",
            "_VERDICTS",
        ),
    ),
    "lead/answers/items_box.py": ("lead", ("_RULES",)),
    "lead/board/board_rows.py": ("lead", ("_TITLES",)),
    "lead/dataset/issues_view.py": ("lead", ("_STATES", "_DETECTORS")),
    "lead/dataset/splits_view.py": ("lead", ("_REASONS",)),
    "lead/dataset/chart_titles.py": (
        "lead",
        ("_CHARTS", "_KINDS", "_UNITS", "_TASKS", "_METRICS", "_BASELINES"),
    ),
    "lead/people/grading_page.py": ("GradedItem", ("_WORDS",)),
    "lead/board/history.py": ("lead", ("_ENDS", "_VERDICTS")),
    "work/task_strips.py": ("LockStrip", ("_LOST",)),
    "work/work_texts.py": ("work", ("_ROLES",)),
    "review/change_texts.py": ("review", ("_WHOLE", "_FIELDS")),
    "review/changes_panel.py": ("ChangeRows", ("_HEADS",)),
}
"""Modules with texts in tables: the context they are translated in, and the tables' names."""


class Text(NamedTuple):
    """A text to be translated, and the place that shows it."""

    context: str
    source: str
    place: str


class UnknownTextError(Exception):
    """A text is translated that is not known before the program runs."""


def texts() -> list[Text]:
    """Return all texts, by context, each once; UnknownTextError where one cannot be told."""
    found = [*_of_actions(), *_of_benchmarks()]
    for path in sorted((ROOT / _UI).rglob("*.py")):
        found += _of_module(path)
    first: dict[tuple[str, str], Text] = {}
    for text in found:
        first.setdefault((text.context, text.source), text)
    return sorted(first.values(), key=lambda t: (t.context, t.place, t.source))


def template() -> str:
    """Return the file for translators: every text, none translated."""
    lines = ['<?xml version="1.0" encoding="utf-8"?>', "<!DOCTYPE TS>", '<TS version="2.1">']
    context = None
    for text in texts():
        if text.context != context:
            lines += ["</context>"] if context is not None else []
            lines += ["<context>", f"    <name>{escape(text.context)}</name>"]
            context = text.context
        # A line each, so that a change of one text is a change of one line.
        lines.append(
            f'    <message><location filename="../../{text.place}"/>'
            f"<source>{escape(text.source)}</source>"
            '<translation type="unfinished"></translation></message>'
        )
    return "\n".join([*lines, "</context>", "</TS>", ""])


def _of_actions() -> Iterator[Text]:
    place = "resources/actions.toml"
    data = tomllib.loads((ROOT / place).read_text(encoding="utf-8"))
    for menu, rows in data.items():
        yield Text("actions", menu, place)
        for row in rows.values():
            yield Text("actions", row["text"], place)
            yield Text("actions", row["tip"], place)


def _of_benchmarks() -> Iterator[Text]:
    """Yield the texts of question steps and tables, which stand in the services."""
    from annotator.services.questions.benchmark_plugin import benchmark_named, benchmark_names
    from annotator.services.questions.recipe_steps import OF_ALL_RECIPES

    for step in OF_ALL_RECIPES:
        for text in (step.title, step.about):
            yield Text("benchmarks", text, "annotator/services/questions/recipe_steps.py")
    for name in benchmark_names():
        found = benchmark_named(name)
        place = f"annotator/benchmarks/{name.replace('-', '_')}/__init__.py"
        yield from (Text("benchmarks", text, place) for text in found.texts() if text)


def _of_module(path: Path) -> Iterator[Text]:
    place = path.relative_to(ROOT).as_posix()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    context, tables = TABLES.get(path.relative_to(ROOT / _UI).as_posix(), ("", ()))
    for name in tables:
        for source in _table(tree, name, place):
            yield Text(context, source, place)
    wrappers = dict(_wrappers(tree))
    collector = _Calls(place, wrappers, has_tables=bool(tables))
    collector.visit(tree)
    yield from collector.found


def _table(tree: ast.Module, name: str, place: str) -> Iterator[str]:
    """Yield the texts of a module's table; an empty one, and the name of an icon, is no text."""
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if not any(isinstance(t, ast.Name) and t.id == name for t in targets):
            continue
        value = getattr(node, "value", None)
        if not isinstance(value, ast.Dict):
            break
        for entry in value.values:
            # Of a tuple, the third is the name of an icon.
            parts = entry.elts[:2] if isinstance(entry, ast.Tuple) else [entry]
            yield from (text for part in parts if (text := _text_of(part)))
        return
    raise UnknownTextError(f"{place}: there is no table {name}")


def _wrappers(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield functions that do nothing but translate what they are given, and their context."""
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef) or not isinstance(node.body[-1], ast.Return):
            continue
        call = node.body[-1].value
        if isinstance(call, ast.Call) and _called(call) == "translate" and len(call.args) == 2:
            context, text = call.args
            own, name = [a.arg for a in node.args.args], _text_of(context)
            if name is not None and isinstance(text, ast.Name) and own == [text.id]:
                yield node.name, name


class _Calls(ast.NodeVisitor):
    """Finds the calls that translate, with the class around them."""

    def __init__(self, place: str, wrappers: dict[str, str], *, has_tables: bool) -> None:
        self.found: list[Text] = []
        self._place = place
        self._wrappers = wrappers
        self._has_tables = has_tables
        self._around: list[str] = []

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._around.append(node.name)
        self.generic_visit(node)
        self._around.pop()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        if node.name not in self._wrappers:
            self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        self.generic_visit(node)
        name, args = _called(node), node.args
        if name == "tr" and isinstance(node.func, ast.Attribute):
            self._add(self._around[-1], args[0], node)
        elif name in ("translate", "tr") and len(args) == 2:
            context = _text_of(args[0])
            # A painter is translated too, by two numbers.
            if context is not None:
                self._add(context, args[1], node)
        elif name in self._wrappers and len(args) == 1:
            self._add(self._wrappers[name], args[0], node)

    def _add(self, context: str, text: ast.expr, node: ast.Call) -> None:
        source = _text_of(text)
        if source is not None:
            self.found.append(Text(context, source, self._place))
        elif not self._has_tables and context not in ("actions", "benchmarks"):
            raise UnknownTextError(
                f"{self._place}:{node.lineno}: a text that is not written here is translated;"
                " put it into a table that packaging/translations.py knows"
            )


def _called(node: ast.Call) -> str:
    func = node.func
    return func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")


def _text_of(node: ast.expr | None) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return None


def main(arguments: list[str]) -> int:
    """Write the file, or say with ``--check`` that it has to be written."""
    wanted = template()
    if "--check" not in arguments:
        TARGET.parent.mkdir(exist_ok=True)
        TARGET.write_text(wanted, encoding="utf-8")
        return 0
    if TARGET.is_file() and TARGET.read_text(encoding="utf-8") == wanted:
        return 0
    sys.stderr.write("Texts have changed: run python packaging/translations.py\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
