"""Recipes of a project, every version that was ever in use, and guidelines of its rounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from annotator.store.columns import now_text
from annotator.store.file.project import ProjectFile


@dataclass(frozen=True, slots=True)
class StoredGuideline:
    """Guidelines that a lead wrote: Markdown under a name."""

    name: str
    title: str
    text: str


def current_recipe(file: ProjectFile) -> tuple[str, str | None]:
    """Return the name of the recipe in use ("" for none) and its text, if it is kept here."""
    name = file.meta("recipe") or ""
    rows = file.rows(
        "SELECT body FROM recipe WHERE name = ? ORDER BY version DESC LIMIT 1", (name,)
    )
    return name, cast("str", rows[0][0]) if rows else None


def recipe_body(file: ProjectFile, name: str, version: int) -> str | None:
    """Return the text of one version of a recipe, None when it is not kept here."""
    rows = file.rows("SELECT body FROM recipe WHERE name = ? AND version = ?", (name, version))
    return cast("str", rows[0][0]) if rows else None


def newest_version(file: ProjectFile, name: str) -> int:
    """Return the newest version of a recipe that is kept here, 0 for none."""
    rows = file.rows("SELECT coalesce(max(version), 0) FROM recipe WHERE name = ?", (name,))
    return cast(int, rows[0][0])


def use_recipe(file: ProjectFile, name: str, version: int, body: str) -> None:
    """Keep a version of a recipe, and go by it from now on."""
    with file.transaction() as connection:
        connection.execute(
            "INSERT INTO recipe VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (name, version, body, now_text()),
        )
        connection.execute(
            "INSERT INTO meta VALUES ('recipe', ?) ON CONFLICT (key) DO UPDATE"
            " SET value = excluded.value",
            (name,),
        )


def read_guidelines(file: ProjectFile) -> list[StoredGuideline]:
    """Return the guidelines that leads wrote, by name."""
    rows = file.rows("SELECT name, title, body FROM guideline ORDER BY name")
    return [StoredGuideline(*row) for row in cast("list[tuple[str, str, str]]", rows)]


def write_guideline(file: ProjectFile, guideline: StoredGuideline) -> None:
    """Keep guidelines, in the place of those with the same name."""
    with file.transaction() as connection:
        connection.execute(
            "INSERT OR REPLACE INTO guideline VALUES (?, ?, ?, ?)",
            (guideline.name, guideline.title, guideline.text, now_text()),
        )
