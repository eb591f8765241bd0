"""The guide's page of keys, made from the action table.

Run as a program it writes the page: ``python -m tests.ui.key_page``.
"""

from __future__ import annotations

from pathlib import Path

from annotator import paths
from annotator.ui.actions.specs import action_specs
from annotator.ui.dialogs.help_windows import MOUSE

PATH: Path = paths.resource("guide", "keys.md")

_HEAD = """# All keys

These are the keys at first. The preferences (`Ctrl+,`) change them one by one, or all at once to
what hands know from CVAT, or from ELAN and BORIS. `F1` shows and searches the keys as they are now.
While you type into a field, no key starts an action. Where letters are not Latin, the key's place
on the keyboard counts."""


def key_page() -> str:
    """Return the page as Markdown."""
    lines = [_HEAD]
    menu = ""
    for spec in action_specs():
        if not spec.keys:
            continue
        if spec.menu != menu:
            menu = spec.menu
            lines += ["", f"## {menu}", "", "| Key | Action | As in |", "|---|---|---|"]
        keys = " ".join(f"`{key}`" for key in spec.keys)
        lines.append(f"| {keys} | {spec.text.rstrip('…')}: {_lower(spec.tip)} | {spec.peers} |")
    lines += ["", "## Mouse", "", "| Mouse | What it does |", "|---|---|"]
    lines += [f"| {what} | {does} |" for what, does in MOUSE]
    return "\n".join(lines) + "\n"


def _lower(tip: str) -> str:
    return tip[0].lower() + tip[1:]


if __name__ == "__main__":
    PATH.write_text(key_page(), encoding="utf-8")
