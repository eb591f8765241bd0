"""Gather the license texts of everything a bundle contains, from the metadata of installed wheels.

Run as ``python packaging/gather_licenses.py FOLDER``. Writes one text per distribution and a list,
README.md, beginning with what packaging/licenses/NOTES.md says about the bundle as a whole.
"""

from __future__ import annotations

import importlib.metadata
import re
import shutil
import sys
from importlib.metadata import Distribution
from pathlib import Path

_ROOT = Path(__file__).resolve().parent.parent
_TEXT_NAME = re.compile(r"(licen[cs]e|copying|notice|authors)", re.IGNORECASE)


def main(folder: Path) -> None:
    """Write the texts and the list into `folder`, replacing what an earlier run left there."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    rows = ["| package | version | license | texts |", "|---|---|---|---|"]
    for found in bundled():
        name = found.metadata["Name"]
        texts = _copy_texts(found, folder / name)
        rows.append(f"| {name} | {found.version} | {license_of(found)} | {texts} |")
    shipped = _ROOT / "packaging" / "licenses"
    notes = (shipped / "NOTES.md").read_text(encoding="utf-8")
    (folder / "README.md").write_text("\n".join([notes, *rows, ""]), encoding="utf-8")
    # The wheels of Qt and PySide6 name their license and leave the text out.
    for text in shipped.glob("*.txt"):
        shutil.copyfile(text, folder / text.name)


def bundled() -> list[Distribution]:
    """List what the program needs to run, with what that needs in turn, sorted by name."""
    seen: dict[str, Distribution] = {}
    waiting = ["annotator"]
    while waiting:
        name = _plain(waiting.pop())
        if name in seen:
            continue
        try:
            found = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            # Needed on another system or by another Python only.
            continue
        seen[name] = found
        for requirement in found.requires or []:
            if "extra ==" not in requirement:
                waiting.append(re.split(r"[^A-Za-z0-9._-]", requirement, maxsplit=1)[0])
    return [seen[name] for name in sorted(seen)]


def license_of(found: Distribution) -> str:
    """Give the license as the wheel states it, in the newest of three ways that it knows."""
    expression = found.metadata.get("License-Expression")
    if expression:
        return str(expression)
    classifiers = found.metadata.get_all("Classifier") or []
    named = [row.rsplit(" :: ", 1)[1] for row in classifiers if row.startswith("License ::")]
    if named:
        return ", ".join(named)
    return str(found.metadata.get("License") or "see its texts").splitlines()[0]


def _copy_texts(found: Distribution, folder: Path) -> int:
    """Copy the license files of one wheel and count them; names that clash get a number."""
    count = 0
    for file in found.files or []:
        path = Path(str(found.locate_file(file)))
        if not _TEXT_NAME.search(file.name) or file.suffix in (".py", ".pyc") or not path.is_file():
            continue
        folder.mkdir(exist_ok=True)
        target = folder / file.name
        if target.exists():
            target = folder / f"{count}-{file.name}"
        shutil.copyfile(path, target)
        count += 1
    return count


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
