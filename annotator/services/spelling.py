"""Spell checking of typed text, by installed dictionaries and the words of the project.

Dictionaries are those of Hunspell, which Linux and macOS keep in known places; they are read by the
package spylls, an optional extra that brings English along. Without it nothing is underlined.
"""

from __future__ import annotations

import importlib
import io
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Final, Protocol

from annotator.services.background.jobs import JobToken
from annotator.store.file.project import ProjectFile
from annotator.store.workflow import travel

MOST_SUGGESTED: Final = 6
FALLBACK: Final = "en_US"

_PACKAGE: Final = "spylls"
_WORDS: Final = "words"
"""Project fact: added words."""
_FOLDERS: Final = (
    "~/.local/share/hunspell",
    "~/Library/Spelling",
    "/usr/share/hunspell",
    "/usr/share/myspell",
    "/usr/share/myspell/dicts",
    "/Library/Spelling",
)
_NAMED: Final = "DICPATH"
"""Environment variable with further folders for Hunspell."""
_CODE: Final = re.compile(rb"^SET\s+(\S+)", re.MULTILINE)
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_SHORTEST: Final = 2


class Dictionary(Protocol):
    """Protocol of a dictionary."""

    def lookup(self, word: str, /) -> bool: ...

    def suggest(self, word: str, /) -> Iterable[str]: ...


class Speller:
    """One dictionary with the words of a project; made by `load_speller`."""

    def __init__(self, dictionary: Dictionary, language: str, own: Iterable[str] = ()) -> None:
        self.language = language
        self._own = {word.casefold() for word in own}
        self._dictionary = dictionary
        self._is_known = lru_cache(20_000)(self._looked_up)

    def wrong(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield where words begin and end that are not known, in characters."""
        for found in _WORD.finditer(text):
            if not self.knows(found.group()):
                yield found.span()

    def knows(self, word: str) -> bool:
        """Return whether a word is spelled as it should be; single letters are."""
        return len(word) < _SHORTEST or word.casefold() in self._own or self._is_known(word)

    def suggestions(self, word: str) -> list[str]:
        """Return corrections, most likely first; takes up to a second."""
        found: list[str] = []
        for each in self._dictionary.suggest(word.replace("’", "'")):
            found.append(str(each))
            if len(found) == MOST_SUGGESTED:
                break
        return found

    def learn(self, word: str) -> None:
        """Take a word for right from now on."""
        self._own.add(word.casefold())

    def _looked_up(self, word: str) -> bool:
        return bool(self._dictionary.lookup(word.replace("’", "'")))


def is_available() -> bool:
    """Return whether dictionaries can be read on this machine."""
    return find_spec(_PACKAGE) is not None


def dictionaries() -> dict[str, Path]:
    """Return the dictionaries of this machine by language, as in "en_GB": their files less suffix.

    The first place that has one counts.
    """
    found: dict[str, Path] = {}
    named = os.environ.get(_NAMED, "").split(os.pathsep)
    for folder in (*named, *_FOLDERS):
        if folder:
            for path in sorted(Path(folder).expanduser().glob("*.aff")):
                if path.with_suffix(".dic").is_file():
                    found.setdefault(path.stem.replace("-", "_"), path.with_suffix(""))
    return found


def load_speller(wanted: Iterable[str], own: Iterable[str]) -> Speller | None:
    """Return a speller for the first of some languages that there is, else for English.

    Takes a second or two; None where nothing can be read.
    """
    if not is_available():
        return None
    hunspell, known = importlib.import_module(f"{_PACKAGE}.hunspell"), dictionaries()
    for language in (*wanted, FALLBACK):
        same = (name for name in known if name.split("_")[0] == language.split("_")[0])
        name = language if language in known else next(same, None)
        if name is not None:
            return Speller(_read(hunspell, known[name]), name, own)
    shipped = Path(str(hunspell.__file__)).parent / "data" / "en" / FALLBACK
    return Speller(_read(hunspell, shipped), FALLBACK, own)


def loading(wanted: Iterable[str], own: Iterable[str]) -> Callable[[JobToken], Speller | None]:
    """Return `load_speller` as the work of a job."""
    languages, words = tuple(wanted), tuple(own)
    return lambda _: load_speller(languages, words)


def project_words(file: ProjectFile) -> tuple[str, ...]:
    """Return the words that were added to a project."""
    text = file.meta(_WORDS)
    return tuple(json.loads(text)) if text is not None else ()


def add_project_word(file: ProjectFile, word: str) -> None:
    """Add a word to a project, for everybody who works in it."""
    known = dict.fromkeys((*project_words(file), word))
    with file.transaction() as connection:
        travel.set_meta(connection, _WORDS, json.dumps(list(known), ensure_ascii=False))


def _read(hunspell: ModuleType, path: Path) -> Dictionary:
    """Read a pair of dictionary files; spylls itself would leave them open."""
    aff_bytes = path.with_suffix(".aff").read_bytes()
    encoding_match = _CODE.search(aff_bytes)
    code = encoding_match.group(1).decode("ascii") if encoding_match is not None else "windows-1252"

    def reader(content: bytes) -> object:
        text = content.decode(code, errors="surrogateescape").removeprefix("\ufeff")
        dictionary = hunspell.readers.file_reader.BaseReader(io.StringIO(text))
        dictionary.reset_encoding = lambda _code: None
        return dictionary

    aff, context = hunspell.readers.read_aff(reader(aff_bytes))
    dic_bytes = path.with_suffix(".dic").read_bytes()
    dic = hunspell.readers.read_dic(reader(dic_bytes), aff=aff, context=context)
    dictionary: Dictionary = hunspell.Dictionary(aff, dic)
    return dictionary
