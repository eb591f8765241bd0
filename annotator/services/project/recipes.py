"""The recipe of a project: one that comes with the program, or the lead's own."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from annotator import paths
from annotator.domain.annotation.attributes import AppliesTo, Attribute, attribute_lines
from annotator.domain.errors import RecipeError
from annotator.domain.recipes.file import recipe_from
from annotator.domain.recipes.recipe import Recipe
from annotator.services.files import write_atomically
from annotator.services.notices import Notice
from annotator.store.catalog import recipes as store
from annotator.store.file.project import ProjectFile

PLAIN: Final = "single"
"""The recipe of a project that was given none: one person for each video."""

MAX_RECIPE_BYTES: Final = 4 << 20

_MOST_DIGITS: Final = 9
_ATTRIBUTES_HEAD: Final = re.compile(r"\s*\[\[\s*attributes\s*\]\]")
_VERSION: Final = re.compile(r"^(\s*version\s*=\s*)(\d+)", re.MULTILINE)


class ProjectRecipe:
    """The recipe a project goes by; its text is kept in the project, in every version used."""

    def __init__(self, file: ProjectFile) -> None:
        self.notices: list[Notice] = []
        self._file = file
        self._versions: dict[int, Recipe | None] = {}
        name, body = store.current_recipe(file)
        self.recipe = self._opened(name or PLAIN, body)

    @property
    def is_plain(self) -> bool:
        """Whether the project has no stages: anyone can edit any task."""
        return self.recipe.name == PLAIN

    @property
    def tag(self) -> str:
        """Name and version of the recipe in submissions, as in "perception-test@1"."""
        return f"{self.recipe.name}@{self.recipe.version}"

    def text(self) -> str:
        """Return the recipe file as text."""
        body = store.recipe_body(self._file, self.recipe.name, self.recipe.version)
        return body if body is not None else shipped_recipe(self.recipe.name)

    def version(self, version: int) -> Recipe | None:
        """Return the recipe as it was in a version; None when the project does not keep that."""
        if version == self.recipe.version:
            return self.recipe
        if version not in self._versions:
            body = store.recipe_body(self._file, self.recipe.name, version)
            try:
                self._versions[version] = parse_recipe(body) if body is not None else None
            except RecipeError:
                self._versions[version] = None
        return self._versions[version]

    def version_in(self, tag: str) -> int | None:
        """Return the version that a tag names; None when the project never went by it."""
        name, _, number = tag.rpartition("@")
        if not number.isdecimal() or len(number) > _MOST_DIGITS:
            return None
        is_kept = store.recipe_body(self._file, name, int(number)) is not None
        return int(number) if is_kept or tag == self.tag else None

    def checked(self, text: str) -> Recipe:
        """Return the recipe in a text; RecipeError if the project cannot use it."""
        recipe = parse_recipe(text)
        kept = store.recipe_body(self._file, recipe.name, recipe.version)
        newest = store.newest_version(self._file, recipe.name)
        if (kept is not None and kept != text) or recipe.version < newest:
            raise RecipeError(
                f"The project already has version {newest} of the recipe “{recipe.name}” with "
                "different content.",
                hint=f"Change the version of the new recipe to {newest + 1}.",
                where="version",
            )
        return recipe

    def use(self, text: str) -> Recipe:
        """Go by another recipe, or another version; RecipeError when it is not possible."""
        recipe = self.checked(text)
        store.use_recipe(self._file, recipe.name, recipe.version, text)
        self._versions.clear()
        self.recipe = recipe
        return recipe

    @contextmanager
    def restored_on_failure(self) -> Iterator[None]:
        """Restore the previous recipe if the enclosed code fails."""
        before = self.recipe
        try:
            yield
        except BaseException:
            self.recipe = before
            raise

    def _opened(self, name: str, body: str | None) -> Recipe:
        try:
            if body is None:
                body = shipped_recipe(name)
                recipe = parse_recipe(body)
                if not self._file.is_read_only:
                    store.use_recipe(self._file, recipe.name, recipe.version, body)
                return recipe
            return parse_recipe(body)
        except RecipeError as error:
            self.notices.append(
                Notice(
                    "warning",
                    f"Cannot use the recipe “{name}” of this project: {error}",
                    "Tasks use the default recipe until a lead selects another one.",
                )
            )
            return parse_recipe(shipped_recipe(PLAIN))


def shipped_recipes() -> list[Recipe]:
    """Return the recipes that come with the program, the plain one first."""
    folder = paths.resource("recipes")
    found = [parse_recipe(p.read_text(encoding="utf-8")) for p in folder.glob("*.toml")]
    return sorted(found, key=lambda r: (r.name != PLAIN, r.title))


def shipped_recipe(name: str) -> str:
    """Return the text of a recipe that comes with the program; RecipeError if there is none."""
    path = paths.resource("recipes") / f"{name}.toml"
    if not name.replace("-", "").isalnum() or not path.is_file():
        raise RecipeError(f"Unknown recipe “{name}”.", where="recipe")
    return path.read_text(encoding="utf-8")


def read_recipe(path: Path) -> str:
    """Return the text of a recipe file; RecipeError when it cannot be read or is no recipe."""
    try:
        text = path.read_text(encoding="utf-8")
        parse_recipe(text)
    except (OSError, UnicodeDecodeError) as error:
        raise RecipeError(f"Cannot read the file: {error}", where=str(path)) from error
    except RecipeError as error:
        place = f"{path}, {error.where}" if error.where else str(path)
        raise RecipeError(error.text, hint=error.hint, where=place) from error
    return text


def write_recipe(recipe: str, path: Path) -> None:
    """Write the text of a recipe into a file; UserError when that cannot be."""
    write_atomically(path, [recipe.encode()])


def with_attributes(text: str, attributes: Sequence[Attribute]) -> str:
    """Return a recipe with these definitions of attributes in the place of its own, as the next
    version. The rest of the text stays as it is.
    """
    kept_lines: list[str] = []
    is_inside = False
    for line in text.splitlines():
        if line.lstrip().startswith("["):
            is_inside = _ATTRIBUTES_HEAD.match(line) is not None
        if not is_inside:
            kept_lines.append(line)
    usual = (AppliesTo.OBJECT,)
    for attribute in attributes:
        kept_lines += ["", "[[attributes]]", *attribute_lines(attribute, usual)]
    recipe_text = "\n".join(kept_lines).rstrip() + "\n"
    recipe_text = _VERSION.sub(lambda m: f"{m[1]}{int(m[2]) + 1}", recipe_text, count=1)
    if parse_recipe(recipe_text).attributes != tuple(attributes):
        refusal = "Cannot replace the attributes in the text of this recipe."
        raise RecipeError(refusal, hint="Save the recipe, change the file, and load it again.")
    return recipe_text


def parse_recipe(text: str) -> Recipe:
    """Return the recipe a file describes; RecipeError names the line or the path of the fault."""
    if len(text) > MAX_RECIPE_BYTES:
        raise RecipeError(
            f"Cannot read the recipe: the file is larger than {MAX_RECIPE_BYTES >> 20} MiB."
        )
    try:
        value = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RecipeError(f"Invalid TOML: {error}.") from error
    return recipe_from(value)
