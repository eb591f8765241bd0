"""Text and XML of other programs, read without trust: bounded, finite numbers, no entities."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from annotator.domain.errors import ExchangeError

MAX_BYTES: Final = 2 << 30
MAX_LINE: Final = 1 << 20
MAX_FRAME: Final = 100_000_000
MAX_PIXEL: Final = 1e6
MAX_SECONDS: Final = 1e7
MAX_LABEL: Final = 500
_CHUNK: Final = 1 << 16
_MAX_DEPTH: Final = 64


def fail(path: Path, text: str, line: int | None = None) -> ExchangeError:
    """Return the error for a place in a file."""
    return ExchangeError(text, where=f"{path}, line {line}" if line is not None else str(path))


def lines_of(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines of a UTF-8 file with their numbers from 1, without line ends; a byte-order
    mark and all kinds of line ends are accepted. ExchangeError for anything else.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise fail(path, f"The file is larger than {MAX_BYTES >> 30} GB.")
        with path.open("rb") as file:
            number, rest, is_first = 0, b"", True
            while chunk := file.read(_CHUNK):
                if is_first:
                    chunk, is_first = chunk.removeprefix(b"\xef\xbb\xbf"), False
                *lines, rest = (rest + chunk).replace(b"\r\n", b"\n").split(b"\n")
                if len(rest) > MAX_LINE:
                    raise fail(path, "The line is too long.", number + len(lines) + 1)
                for line in lines:
                    number += 1
                    yield number, _text(path, line.rstrip(b"\r"), number)
            if rest:
                yield number + 1, _text(path, rest.rstrip(b"\r"), number + 1)
    except OSError as error:
        raise fail(path, f"Cannot read the file: {error.strerror or error}.") from error


def rows_of(path: Path, delimiter: str = ",") -> Iterator[tuple[int, list[str]]]:
    """Yield the non-empty rows of a table with their line numbers.

    A cell in quotes ends on its line. ExchangeError as in `lines_of`.
    """
    for number, line in lines_of(path):
        if not line.strip():
            continue
        try:
            (row,) = csv.reader([line], delimiter=delimiter, strict=True)
        except (csv.Error, ValueError):
            raise fail(path, "The quotes of this line do not match.", number) from None
        yield number, row


def _text(path: Path, line: bytes, number: int) -> str:
    if b"\0" in line:
        raise fail(path, "The file is not UTF-8 text.", number)
    try:
        return line.decode()
    except UnicodeDecodeError:
        raise fail(path, "The file is not UTF-8 text.", number) from None


class Cells:
    """The cells of one line, read with their expected types; ExchangeError names the line."""

    def __init__(self, path: Path, line: int, cells: list[str]) -> None:
        self._path, self._line, self._cells = path, line, cells

    def __len__(self) -> int:
        return len(self._cells)

    def text(self, index: int) -> str:
        if index >= len(self._cells):
            raise self.fail(
                f"The line has {len(self._cells)} columns; column {index + 1} is missing."
            )
        return self._cells[index].strip()

    def number(self, index: int, least: float = -MAX_PIXEL, most: float = MAX_PIXEL) -> float:
        return bounded(self.text(index), least, most, self.fail)

    def whole(self, index: int, least: int = 0, most: int = MAX_FRAME) -> int:
        value = self.number(index, least, most)
        if value != int(value):
            raise self.fail(f"“{self.text(index)[:40]}” is not an integer.")
        return int(value)

    def fail(self, text: str) -> ExchangeError:
        return fail(self._path, text, self._line)


def bounded(text: str, least: float, most: float, failing: object) -> float:
    """Return a finite number within bounds; ``failing`` makes the error of a sentence."""
    assert callable(failing)
    try:
        value = float(text) if "_" not in text else math.nan
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise failing(f"“{text[:40]}” is not a number.")
    if not least <= value <= most:
        raise failing(f"{text[:40]} is out of range: {least:g} to {most:g}.")
    return value


def label_of(text: str) -> str:
    """Return a label as it may be stored: not empty, in one line, of bounded length."""
    return " ".join(text.split())[:MAX_LABEL] or "unlabeled"


def elements(path: Path, names: Collection[str]) -> Iterator[Element]:
    """Yield the complete elements of these names in file order.

    Elements inside a yielded one are part of it. ExchangeError for malformed XML, and for
    document types and entities, which no such file needs.
    """
    ready: list[Element] = []
    depth, builder, inside = 0, TreeBuilder(), 0

    def begin(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth, builder, inside
        depth += 1
        if depth > _MAX_DEPTH:
            raise fail(path, "The XML is nested too deeply.", parser.CurrentLineNumber)
        if inside or name in names:
            if not inside:
                builder = TreeBuilder()
            inside += 1
            builder.start(name, attributes)

    def end(name: str) -> None:
        nonlocal depth, inside
        depth -= 1
        if inside:
            inside -= 1
            element = builder.end(name)
            if not inside:
                builder.close()
                ready.append(element)

    def data(text: str) -> None:
        if inside:
            builder.data(text)

    def refuse(*_: object) -> None:
        text = "The XML has a document type or entities, which are not accepted."
        raise fail(path, text, parser.CurrentLineNumber)

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = begin
    parser.EndElementHandler = end
    parser.CharacterDataHandler = data
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    parser.ExternalEntityRefHandler = lambda *_: 0
    try:
        if path.stat().st_size > MAX_BYTES:
            raise fail(path, f"The file is larger than {MAX_BYTES >> 30} GB.")
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                parser.Parse(chunk, False)
                yield from ready
                ready.clear()
            parser.Parse(b"", True)
            yield from ready
    except expat.ExpatError as error:
        error_text = expat.ErrorString(error.code) or "unknown error"
        raise fail(path, f"The file is not valid XML: {error_text}.", error.lineno) from error
    except (OSError, ValueError, LookupError) as error:
        raise fail(path, f"Cannot read the file: {error}.") from error


_UNFIT: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udfff]")


def xml_text(text: str) -> str:
    """Return a text escaped for XML; invalid characters are replaced."""
    return escape(_UNFIT.sub("\ufffd", text))


def xml_attribute(text: str) -> str:
    """Return a text as a quoted value of an XML attribute."""
    return quoteattr(_UNFIT.sub("\ufffd", text))
