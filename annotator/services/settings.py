"""The user's settings: a TOML file that people can read, checked when read, never lost."""

from __future__ import annotations

import contextlib
import tomllib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from annotator import paths
from annotator.domain.errors import UserError
from annotator.services.background.jobs import Listeners
from annotator.services.files import write_atomically
from annotator.services.notices import Notice
from annotator.services.settings_table import BY_KEY, SETTINGS, Setting, Value

__all__ = ["SETTINGS", "Setting", "Settings", "Value"]

MAX_RECENT = 12

_HEADER = "# Settings of annotator. Edit while the program is not running.\n"


class Settings:
    """Settings by key, key bindings, recent projects; each change is saved at once.

    ``changed`` has the key ("keys.bindings" and "projects.recent" for the two lists).
    ``notices`` say what of the file could not be used; a file that cannot be read, or has values
    that cannot, is kept under another name before it is written.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or paths.config_dir() / "settings.toml"
        self.changed: Listeners[str] = Listeners()
        self.notices: list[Notice] = []
        self._values: dict[str, Value] = {}
        self._bindings: dict[str, tuple[str, ...]] = {}
        self._recent: list[Path] = []
        self._unknown: dict[str, Value] = {}
        self._load()

    def get(self, key: str) -> Value:
        """Return a setting's value, its default unless it was set; KeyError for no such key."""
        return self._values.get(key, BY_KEY[key].default)

    def flag(self, key: str) -> bool:
        """Return a setting of the kind "flag"."""
        return bool(self.get(key))

    def whole(self, key: str) -> int:
        """Return a setting of the kind "whole"."""
        return int(self.get(key))

    def number(self, key: str) -> float:
        """Return a setting of the kind "number"."""
        return float(self.get(key))

    def text(self, key: str) -> str:
        """Return a setting of the kinds "text", "choice", "path" and "folder"."""
        return str(self.get(key))

    def set(self, key: str, value: Value) -> None:
        """Change a setting and save; UserError when the value is not allowed or not saved."""
        setting = BY_KEY[key]
        try:
            checked = setting.checked(value)
        except ValueError as error:
            raise UserError(f"“{setting.label}” must be {error}.") from None
        if checked == self.get(key):
            return
        self._values[key] = checked
        self._save(key)

    def reset(self, key: str) -> None:
        """Set a setting back to its default."""
        if self._values.pop(BY_KEY[key].key, None) is not None:
            self._save(key)

    @property
    def bindings(self) -> Mapping[str, tuple[str, ...]]:
        """The keys the user has chosen, by action; actions not named keep those of the preset."""
        return dict(self._bindings)

    def set_bindings(self, bindings: Mapping[str, Sequence[str]]) -> None:
        """Replace all chosen keys."""
        self._bindings = {action: tuple(keys) for action, keys in bindings.items()}
        self._save("keys.bindings")

    @property
    def recent(self) -> tuple[Path, ...]:
        """Recent projects, newest first; some may not exist any more."""
        return tuple(self._recent)

    def add_recent(self, project: Path) -> None:
        """Remember a project as the one opened last."""
        project = project.absolute()
        others = [p for p in self._recent if p != project]
        self._recent = [project, *others][:MAX_RECENT]
        self._save("projects.recent")

    def forget_recent(self, project: Path) -> None:
        """Drop a project from the list."""
        self._recent = [p for p in self._recent if p != project.absolute()]
        self._save("projects.recent")

    def _load(self) -> None:
        try:
            document = tomllib.loads(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return
        except OSError as error:
            self._report(f"Cannot read the settings: {error.strerror}. Default settings are used.")
            return
        except ValueError as error:
            copy = self._backup_copy()
            self._report(f"The settings file is damaged: {error}. Default settings are used.", copy)
            return
        wrong = self._take_values(document) + self._take_lists(document)
        if wrong:
            copy = self._backup_copy()
            self._report("Some settings are invalid: " + "; ".join(wrong) + ".", copy)

    def _take_values(self, document: Mapping[str, object]) -> list[str]:
        wrong = []
        for table, values in document.items():
            if not isinstance(values, dict):
                wrong.append(f"{table} must be a table")
                continue
            for name, value in values.items():
                key = f"{table}.{name}"
                if key in BY_KEY:
                    try:
                        self._values[key] = BY_KEY[key].checked(value)
                    except ValueError as error:
                        wrong.append(f"{key} must be {error}")
                elif isinstance(value, bool | int | float | str):
                    # Of a newer version, perhaps: it is written back as it was.
                    self._unknown[key] = value
        return wrong

    def _take_lists(self, document: Mapping[str, object]) -> list[str]:
        wrong = []
        keys, projects = document.get("keys"), document.get("projects")
        bindings = keys.get("bindings", {}) if isinstance(keys, dict) else {}
        for action, chosen in bindings.items() if isinstance(bindings, dict) else ():
            if isinstance(chosen, list) and all(isinstance(k, str) for k in chosen):
                self._bindings[action] = tuple(chosen)
            else:
                wrong.append(f"keys.bindings.{action} must be a list of texts")
        recent = projects.get("recent", []) if isinstance(projects, dict) else []
        if isinstance(recent, list) and all(isinstance(p, str) for p in recent):
            self._recent = [Path(p) for p in recent[:MAX_RECENT]]
        else:
            wrong.append("projects.recent must be a list of texts")
        return wrong

    def _save(self, key: str) -> None:
        """Write the file, then send the change; an unsaved setting is valid until the end."""
        try:
            with contextlib.suppress(OSError):
                self.path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self.path, [self._document().encode()])
        finally:
            self.changed.notify(key)

    def _document(self) -> str:
        from annotator.domain.annotation.labels import quoted

        tables: dict[str, list[str]] = {}
        for key, value in {**self._unknown, **self._values}.items():
            table, _, name = key.partition(".")
            tables.setdefault(table, []).append(f"{_toml_key(name)} = {_toml(value)}")
        recent = [text for p in self._recent if _is_unicode(text := str(p))]
        tables.setdefault("projects", []).append(f"recent = {_toml(recent)}")
        lines = [_HEADER]
        for table in sorted(tables):
            lines += [f"[{_toml_key(table)}]", *sorted(tables[table]), ""]
        lines.append("[keys.bindings]")
        lines += [f"{quoted(a)} = {_toml(keys)}" for a, keys in sorted(self._bindings.items())]
        return "\n".join(lines) + "\n"

    def _backup_copy(self) -> Path | None:
        stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
        copy = self.path.with_name(f"{self.path.stem}.unusable-{stamp}{self.path.suffix}")
        try:
            copy.write_bytes(self.path.read_bytes())
        except OSError:
            return None
        return copy

    def _report(self, text: str, copy: Path | None = None) -> None:
        hint = f"The previous file was saved as {copy}." if copy else None
        self.notices.append(Notice("warning", text, hint))


def _toml(value: Value | Sequence[str]) -> str:
    from annotator.domain.annotation.labels import quoted

    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        return quoted(value)
    return "[" + ", ".join(quoted(v) for v in value) + "]"


def _toml_key(text: str) -> str:
    from annotator.domain.annotation.labels import quoted

    is_bare = text.isascii() and text.replace("_", "").replace("-", "").isalnum()
    return text if is_bare else quoted(text)


def _is_unicode(text: str) -> bool:
    """Return whether a path can be written in a text file; names of odd bytes cannot."""
    return not any("\ud800" <= c <= "\udfff" for c in text)
