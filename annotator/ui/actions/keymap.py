"""Key assignments: a preset and the user's changes."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from PySide6.QtGui import QKeySequence

from annotator import paths
from annotator.ui.actions.specs import ActionSpec, action_specs

DEFAULT_PRESET = "default"

# The keys of the letter rows by place on the keyboard, named as on a US keyboard.
_ROWS = (("1234567890-=", 2), ("QWERTYUIOP[]", 16), ("ASDFGHJKL;'`", 30), ("ZXCVBNM,./", 44))
# Keycodes of X11 and Wayland are those of the kernel plus 8; Windows sends set-1 scan codes, which
# the kernel's numbers follow for these rows.
_SCAN_OFFSET = 8 if sys.platform.startswith("linux") else 0


@dataclass(frozen=True, slots=True)
class Preset:
    """A shipped key preset; ``keys`` lists only the differences from the action table."""

    name: str
    title: str
    keys: dict[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Keymap:
    """The keys in use: the table's, changed by a preset, changed by the person."""

    preset: str = DEFAULT_PRESET
    overrides: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def keys(self, action_id: str) -> tuple[str, ...]:
        """Return the portable names of the keys of an action; empty for none."""
        if action_id in self.overrides:
            return self.overrides[action_id]
        changed = preset(self.preset).keys
        return changed[action_id] if action_id in changed else _table_keys()[action_id]

    def is_changed(self, action_id: str) -> bool:
        """Return whether the person has changed the keys of an action."""
        return action_id in self.overrides

    def with_keys(self, action_id: str, keys: tuple[str, ...]) -> Keymap:
        """Return this map with other keys for one action."""
        return Keymap(self.preset, {**self.overrides, action_id: keys})

    def without(self, action_id: str) -> Keymap:
        """Return this map with the preset's keys for one action."""
        rest = {k: v for k, v in self.overrides.items() if k != action_id}
        return Keymap(self.preset, rest)

    def users(self, key: str) -> list[str]:
        """Return the ids of the actions that a key starts; see `rivals` for conflicts."""
        wanted = normal(key)
        return [s.id for s in action_specs() if wanted in map(normal, self.keys(s.id))]

    def rivals(self, action_id: str, key: str) -> list[str]:
        """Return the other actions that a key starts and that may be possible at the same time."""
        own = _specs()[action_id]
        others = [_specs()[other] for other in self.users(key) if other != action_id]
        return [other.id for other in others if not own.excludes(other)]

    def conflicts(self) -> dict[str, list[str]]:
        """Return every key that would start more than one action at a time, with their ids."""
        users: dict[str, list[str]] = {}
        for spec in action_specs():
            for key in self.keys(spec.id):
                users.setdefault(normal(key), []).append(spec.id)
        clashing = {
            key: [i for i in ids if self.rivals(i, key)] for key, ids in users.items() if ids[1:]
        }
        return {key: ids for key, ids in clashing.items() if ids}


def preset_names() -> tuple[str, ...]:
    """Return the names of the shipped presets, the default first."""
    names = (f.stem for f in paths.resource("shortcuts").glob("*.toml"))
    return tuple(sorted(names, key=lambda name: (name != DEFAULT_PRESET, name)))


@lru_cache
def preset(name: str) -> Preset:
    """Read a shipped preset; an unknown name gives the default."""
    known = name if name in preset_names() else DEFAULT_PRESET
    text = paths.resource("shortcuts", f"{known}.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    keys = {action_id: tuple(keys) for action_id, keys in data.get("keys", {}).items()}
    return Preset(known, data["title"], keys)


@lru_cache
def normal(key: str) -> str:
    """Return the canonical spelling of a portable key name; empty if it is no key."""
    return QKeySequence(key, QKeySequence.SequenceFormat.PortableText).toString(
        QKeySequence.SequenceFormat.PortableText
    )


def shown(key: str) -> str:
    """Return a key as this system writes it, for people."""
    return QKeySequence(key, QKeySequence.SequenceFormat.PortableText).toString(
        QKeySequence.SequenceFormat.NativeText
    )


def key_at(scan_code: int) -> str | None:
    """Return the US name of the key at a place on the keyboard; None outside the letter rows."""
    return _places().get(scan_code - _SCAN_OFFSET)


@lru_cache
def _table_keys() -> dict[str, tuple[str, ...]]:
    return {spec.id: spec.keys for spec in action_specs()}


@lru_cache
def _specs() -> dict[str, ActionSpec]:
    return {spec.id: spec for spec in action_specs()}


@lru_cache
def _places() -> dict[int, str]:
    return {first + i: key for row, first in _ROWS for i, key in enumerate(row)}
