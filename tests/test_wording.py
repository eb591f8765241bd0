"""Texts for people begin with the thing they are about, and use the terms of the glossary."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from xml.sax.saxutils import unescape

import click
import pytest

from annotator import paths
from annotator.cli.commands import annotator

SOURCES = sorted(Path(__file__).parents[1].joinpath("annotator").rglob("*.py"))
OPENING = re.compile(r"(what|who|whoever|whatever|somebody|nobody|that which)\b", re.IGNORECASE)
PHRASES = (
    "handed in",
    "hand in",
    "in your hands",
    "for complete as it is",
    "kept apart",
    "had no part",
    "settled",
    "known answers",
    "what came of",
    "how far raters",
    "by lot",
    "to find fault",
    "go on ",
    "give back",
    "slept",
)
REFERENCE = re.compile(r"(?<!`)`([A-Za-z_][\w.]*)`(?!`)")
UNCLEAR_NAMES = {
    *("found", "made", "each", "told", "wanted", "known", "kept", "given", "taken", "said", "held"),
    *("asked", "gone", "drawn", "shown", "others", "again", "what", "who", "meant", "apart"),
}
"""Words that say that there is a value, not which one."""
RETIRED_NAMES = {
    *("footage", "standing", "stood", "aside", "barred", "figures"),
    *("desk", "sheet", "dealt", "screening", "cockpit", "hunt", "errand"),
}
"""Words of GLOSSARY.md's list of retired ones that were names in the code."""
BRITISH = re.compile(
    r"[a-z]*(?:colour|grey|neighbour|centre|behaviour|favour|honour|licence|labelled|cancelled"
    r"|(?:normal|priorit|recogn|serial|initial|minim|optim|organ|synchron|summar)is(?:e|ed|es|ing)\b)"
    r"[a-z]*",
    re.IGNORECASE,
)
"""Spellings of British English; code and window are written in American English, like Qt."""
KEPT_SPELLINGS = {"prioritised"}
"""Codes in project files."""
UNCLEAR_FUNCTIONS = {
    *(
        "told",
        "said",
        "kept",
        "taken",
        "given",
        "asked",
        "found",
        "wanted",
        "known",
        "made",
        "meant",
    ),
    *(
        "held",
        "heard",
        "seen",
        "begun",
        "drawn",
        "joined",
        "carried",
        "called",
        "thought",
        "others",
    ),
}
"""Names of functions and classes that do not say what they return or hold."""
MOST_DOCSTRINGS = 8
"""Docstrings that still begin with one of these words: the number may only become smaller."""


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Return every node of a module, parsed once."""
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def window_texts() -> list[str]:
    """Return every text of the window as translators get it."""
    body = paths.resource("i18n", "annotator.ts").read_text(encoding="utf-8")
    return [unescape(text) for text in re.findall(r"<source>(.*?)</source>", body, re.DOTALL)]


def help_texts() -> Iterator[str]:
    """Yield the help of every command and option."""

    def look(command: click.Command) -> Iterator[str]:
        yield command.help or ""
        yield from (p.help or "" for p in command.params if isinstance(p, click.Option))
        if isinstance(command, click.Group):
            for child in command.commands.values():
                yield from look(child)

    yield from look(annotator)


def messages() -> Iterator[str]:
    """Yield the literal texts of errors that people see."""
    for path in SOURCES:
        for node in nodes_of(path):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                values = [*node.exc.args, *(k.value for k in node.exc.keywords if k.arg == "hint")]
                for value in values:
                    if isinstance(value, ast.Constant) and isinstance(value.value, str):
                        yield value.value
                    elif isinstance(value, ast.JoinedStr):
                        first = value.values[0] if value.values else None
                        if isinstance(first, ast.Constant):
                            yield str(first.value)


def docstrings() -> Iterator[str]:
    """Yield the first line of every docstring."""
    for path in SOURCES:
        for node in nodes_of(path):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                yield (ast.get_docstring(node) or "").partition("\n")[0]


def pages() -> Iterator[str]:
    """Yield every line of the guide, of the shipped recipes and of the demo stories."""
    root = Path(__file__).parents[1]
    for path in (root / "README.md", *sorted(paths.resource().rglob("*"))):
        if path.suffix in (".md", ".toml"):
            yield from path.read_text(encoding="utf-8").splitlines()


TEXTS = {"window": window_texts, "help": help_texts, "messages": messages}


@pytest.mark.parametrize("kind", TEXTS)
def test_no_text_begins_with_a_noun_clause(kind: str) -> None:
    texts = [text.strip() for text in TEXTS[kind]()]
    assert len(texts) > 50
    assert [t for t in texts if OPENING.match(t) and not t.endswith("?")] == []


@pytest.mark.parametrize("kind", [*TEXTS, "pages", "docstrings"])
def test_no_text_uses_a_private_term(kind: str) -> None:
    texts = {**TEXTS, "pages": pages, "docstrings": docstrings}[kind]()
    assert [t for t in texts if any(phrase in t.lower() for phrase in PHRASES)] == []


def test_docstrings_that_begin_with_a_noun_clause_become_fewer() -> None:
    assert sum(bool(OPENING.match(line)) for line in docstrings()) <= MOST_DOCSTRINGS


def unknown_references() -> Iterator[str]:
    """Yield names in backticks of docstrings that are no name of the code and no module."""
    known = {path.stem for path in SOURCES} | {path.parent.name for path in SOURCES}
    trees = {path: nodes_of(path) for path in SOURCES}
    for nodes in trees.values():
        for node in nodes:
            for field in ("id", "attr", "arg", "name", "asname", "module"):
                if isinstance(value := getattr(node, field, None), str):
                    known |= set(value.split("."))
    for path, nodes in trees.items():
        for node in nodes:
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                for name in REFERENCE.findall(node.value) if "\n" in node.value else ():
                    if not set(name.split(".")) <= known:
                        yield f"{path.stem}: {name}"


def test_docstrings_refer_to_names_that_exist() -> None:
    assert list(unknown_references()) == []


def unclear_locals() -> Iterator[str]:
    """Yield the variables of functions of more than 15 lines whose names are no role."""
    for path in SOURCES:
        for node in nodes_of(path):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            if (node.end_lineno or 0) - node.lineno <= 15:
                continue
            names = {
                n.id
                for n in ast.walk(node)
                if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
            }
            for name in sorted(names & UNCLEAR_NAMES):
                yield f"{path.stem}.{node.name}: {name}"


def test_variables_of_long_functions_are_named_for_their_role() -> None:
    assert list(unclear_locals()) == []


def test_no_name_has_a_retired_word() -> None:
    found = set()
    for path in SOURCES:
        for node in nodes_of(path):
            name = next(
                (
                    v
                    for k in ("id", "attr", "arg", "name")
                    if isinstance(v := getattr(node, k, 0), str)
                ),
                "",
            )
            words = re.findall(r"[A-Z]?[a-z]+", name)
            if RETIRED_NAMES.intersection(word.lower() for word in words):
                found.add(f"{path.stem}: {name}")
    assert not found, sorted(found)


@pytest.mark.parametrize("kind", [*TEXTS, "pages"])
def test_percentages_are_written_in_one_way(kind: str) -> None:
    texts = {**TEXTS, "pages": pages}[kind]()
    assert [text for text in texts if re.search(r"[0-9}] %(?!\w)", text)] == []


def test_code_guide_and_window_are_spelled_in_american_english() -> None:
    pages = [
        *SOURCES,
        *(paths.resource("guide").rglob("*.md")),
        Path(__file__).parents[1] / "README.md",
    ]
    found = {
        f"{path.name}: {match.group()}"
        for path in pages
        for match in BRITISH.finditer(path.read_text(encoding="utf-8"))
        if match.group() not in KEPT_SPELLINGS
    }
    assert not found, sorted(found)
    assert not [text for text in window_texts() if BRITISH.search(text)]


def test_functions_and_classes_are_named_for_what_they_are() -> None:
    found = {
        f"{path.stem}.{node.name}"
        for path in SOURCES
        for node in nodes_of(path)
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        and node.name.strip("_").lower() in UNCLEAR_FUNCTIONS
    }
    found.discard("position_errors.found")  # named like its key in files
    assert not found, sorted(found)
