"""A project with stages and people, made by the services, for tests of the real window."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

from annotator.domain.people import Role
from annotator.services.projects import create_project
from annotator.services.recipes import shipped_recipe

PIN = "1234"


def make_people_project(
    folder: Path, clip: Path, *, n_videos: int = 1, change: Callable[[str], str] | None = None
) -> Path:
    """Make a project by the recipe of the Perception Test with boxes only.

    Ann and Ben are raters, Cleo is a reviewer with a PIN; who makes it is the lead. ``change``
    edits the recipe's text first.
    """
    for i in range(n_videos):
        (folder / f"clip{i}{clip.suffix}").write_bytes(clip.read_bytes() + b"\0" * i)
    text = boxes_only(shipped_recipe("perception-test"))
    project = create_project(folder / "line", title="Line")
    project.work.use_recipe(change(text) if change is not None else text)
    people = project.work.people
    people.add("Ann", (Role.RATER,))
    people.add("Ben", (Role.RATER,))
    people.add("Cleo", (Role.REVIEWER,), PIN)
    report = project.add_videos([folder / f"clip{i}{clip.suffix}" for i in range(n_videos)])
    assert report.failed == ()
    project.close()
    return project.path


def boxes_only(recipe: str) -> str:
    """Return a recipe's text without the task types that come after the first."""
    head, first, *rest = recipe.split("[[task_types]]\n")
    tail = rest[-1][rest[-1].index("[[guidelines]]") :]
    # What is about task types that are gone must go as well.
    parts = tail.split("[[guidelines]]\n")
    kept = [p for p in parts if p and ("kinds" not in p or "object-tracks" in p)]
    text = f"{head}[[task_types]]\n{first}" + "".join(f"[[guidelines]]\n{p}" for p in kept)
    tomllib.loads(text)
    return text.replace('name = "perception-test"', 'name = "boxes"')
