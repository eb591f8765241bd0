"""The table of formats in the guide is that of the program."""

from __future__ import annotations

import re

from annotator import paths
from annotator.services.transfer.formats import FORMATS


def test_the_guide_lists_every_format_with_its_contents() -> None:
    text = paths.resource("guide", "import-export.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([\w-]+)` \| `(\.?\w+)` \| ([^|]+) \| [^|]+ \|$", text, re.MULTILINE)
    assert [(name, suffix, holds) for name, suffix, holds in rows] == [
        (form.name, form.suffix or "folder", ", ".join(form.holds)) for form in FORMATS.values()
    ]
