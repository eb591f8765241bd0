"""Exchanged archives: a zip file whose manifest has the digest of every entry.

``manifest.json`` has the kind and the owner of the archive, and lists size and SHA-256 of all other
entries; the zip's comment is the SHA-256 of the manifest. Anything that is not exactly as listed is
refused before it is used: no path from an archive ever leads outside of it. This detects damage and
careless changes, it is no signature.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Final, NamedTuple, TypeAlias

from annotator.domain.annotation.canonical import canonical_bytes
from annotator.domain.errors import UserError
from annotator.domain.json_type import Json
from annotator.temporary import new_file

VERSION: Final = 1
MAX_ENTRIES: Final = 200_000
MAX_ENTRY_BYTES: Final = 256 << 20
MAX_TOTAL_BYTES: Final = 4 << 30
MAX_RATIO: Final = 100
"""How many times larger than compressed an entry may be, beyond `FREE_BYTES`: JSON takes many times
its size in memory. What is written and would be, is stored as it is.
"""
FREE_BYTES: Final = 4 << 20
MEDIA: Final = "media/"
"""Entries below this are copied to files, of any size; all others are held in memory."""

_MANIFEST: Final = "manifest.json"
_MAX_MANIFEST_BYTES: Final = 64 << 20
_NAME: Final = re.compile(r"([a-z]{1,20}/)?[A-Za-z0-9][A-Za-z0-9._-]{0,119}\Z")
_CHUNK: Final = 1 << 20
_COMPRESSIONS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_AGAIN: Final = "Request the file again."

Content: TypeAlias = bytes | Path


class Signature(NamedTuple):
    """Signature of an archive by an Ed25519 key: the public key and the value, both in Base64."""

    public_key: str
    value: str


class ArchiveError(UserError):
    """The file is no archive of ours, is damaged, or was changed."""


def write_archive(
    path: Path,
    kind: str,
    header: Mapping[str, Json],
    entries: Iterable[tuple[str, Content]],
    *,
    sign: Callable[[bytes], Signature | None] = lambda _: None,
) -> None:
    """Write an archive: bytes are compressed, files (media) are stored as they are.

    ``sign`` signs the manifest, which has the hashes of all entries. The file appears under its
    name when it is complete. ArchiveError when it cannot be written.
    """
    try:
        with new_file(path) as place:
            _write(place, kind, header, entries, sign)
    except OSError as error:
        raise ArchiveError(
            f"Cannot write the file: {error.strerror}.",
            hint="Select another folder, or free disk space.",
            where=str(path),
        ) from error


def archive_bytes(
    kind: str,
    header: Mapping[str, Json],
    entries: Iterable[tuple[str, bytes]],
    *,
    sign: Callable[[bytes], Signature | None] = lambda _: None,
) -> bytes:
    """Return an archive as bytes, to be sent without a file."""
    stream = io.BytesIO()
    _write(stream, kind, header, entries, sign)
    return stream.getvalue()


class Archive:
    """An archive that was validated when opened; entries are verified when read.

    ``header`` is what the writer said of it; ``id`` names exactly this archive. ``signature`` is
    None without one; it is not yet checked. ``signed`` are the bytes that it is of.
    """

    def __init__(self, path: Path, kind: str, *, body: bytes | None = None) -> None:
        """Open an archive of a kind; ArchiveError says why it cannot be trusted.

        ``body`` is the archive itself, if it is no file; messages name the ``path`` all the same.
        """
        self.path = path
        try:
            self._zip = zipfile.ZipFile(path if body is None else io.BytesIO(body))
        except OSError as error:
            text = f"Cannot read the file: {error.strerror}."
            raise ArchiveError(text, hint="Check the path.", where=str(path)) from error
        except (zipfile.BadZipFile, ValueError, RuntimeError, struct.error) as error:
            text = "The file is damaged or incomplete"
            raise self._refused(f"{text} ({error}).") from error
        try:
            self._entries = self._looked_over(kind)
        except BaseException:
            self._zip.close()
            raise

    def __enter__(self) -> Archive:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._zip.close()

    @property
    def names(self) -> list[str]:
        """The names of all entries, sorted."""
        return sorted(self._entries)

    def read(self, name: str) -> bytes:
        """Return an entry; ArchiveError if it is missing or differs from the manifest."""
        size, digest = self._listed(name)
        if size > MAX_ENTRY_BYTES:
            raise self._refused(f"“{name}” is larger than {MAX_ENTRY_BYTES >> 20} MB.")
        with self._open(name) as stream:
            body = self._chunk(stream, name, size + 1)
        if len(body) != size or hashlib.sha256(body).hexdigest() != digest:
            raise self._refused(f"“{name}” was modified after the file was created.")
        return body

    def json(self, name: str) -> dict[str, Json]:
        """Return an entry that is a JSON object."""
        try:
            value = json.loads(self.read(name))
        except (ValueError, RecursionError) as error:
            raise self._refused(f"Cannot read “{name}”.") from error
        if not isinstance(value, dict):
            raise self._refused(f"The content of “{name}” is invalid.")
        return value

    def copy(self, name: str, target: Path) -> None:
        """Write an entry into a file, which appears when it is complete and proved right."""
        size, digest = self._listed(name)
        seen, left = hashlib.sha256(), size
        try:
            with self._open(name) as stream, new_file(target) as place, place.open("wb") as out:
                while left and (chunk := self._chunk(stream, name, min(left, _CHUNK))):
                    seen.update(chunk)
                    out.write(chunk)
                    left -= len(chunk)
                if left or stream.read(1) or seen.hexdigest() != digest:
                    raise self._refused(f"“{name}” was modified after the file was created.")
        except OSError as error:
            text = f"Cannot write the file: {error.strerror}."
            raise ArchiveError(text, hint="Free disk space.", where=str(target)) from error

    def _looked_over(self, kind: str) -> dict[str, tuple[int, str]]:
        """Read the manifest and compare it with what the zip lists."""
        infos = self._zip.infolist()
        members = {info.filename: info for info in infos}
        if _MANIFEST not in members:
            raise self._refused("The file was not created by annotator.")
        if len(members) != len(infos) or len(infos) > MAX_ENTRIES:
            raise self._refused("The file has duplicate entries or too many entries.")
        if any(info.compress_type not in _COMPRESSIONS for info in infos):
            raise self._refused("The file uses a compression that annotator does not write.")
        for info in infos:
            if info.file_size > max(FREE_BYTES, MAX_RATIO * info.compress_size):
                raise self._refused(f"“{info.filename[:80]}” is much larger than it should be.")
        if members[_MANIFEST].file_size > _MAX_MANIFEST_BYTES:
            raise self._refused("The manifest is too long.")
        with self._open(_MANIFEST) as stream:
            body = self._chunk(stream, _MANIFEST, _MAX_MANIFEST_BYTES + 1)
        self.id = hashlib.sha256(body).hexdigest()
        if self._zip.comment != self.id.encode():
            raise self._refused("The manifest was modified after the file was created.")
        self.header, entries = self._manifest(body, kind)
        self._compare(entries, members)
        return entries

    def _manifest(
        self, body: bytes, kind: str
    ) -> tuple[dict[str, Json], dict[str, tuple[int, str]]]:
        try:
            value = json.loads(body)
            name, _, version = str(value["format"]).rpartition("/")
            if name == f"annotator-{kind}" and version.isdigit() and int(version) > VERSION:
                raise ArchiveError(
                    "Cannot open the file: it was created by a newer version of annotator.",
                    hint="Install the newer version.",
                    where=str(self.path),
                )
            if name != f"annotator-{kind}":
                words = {
                    "package": "work package",
                    "submissions": "submission file",
                    "seat": "task of a hub",
                    "bundle": "recipe of a hub",
                }
                raise self._refused(f"The file is not a {words.get(kind, kind)}.")
            entries = {
                str(key): (int(entry["size"]), str(entry["sha256"]))
                for key, entry in value["entries"].items()
            }
            header = dict(value["header"])
            sealed = value.pop("signature", None)
            self.signature = Signature(str(sealed["key"]), str(sealed["value"])) if sealed else None
            self.signed = canonical_bytes(value) if sealed else b""
        except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
            raise self._refused("Cannot read the manifest.") from error
        return header, entries

    def _compare(
        self, entries: Mapping[str, tuple[int, str]], members: Mapping[str, zipfile.ZipInfo]
    ) -> None:
        if set(entries) | {_MANIFEST} != set(members):
            raise self._refused("Entries were added or removed after the file was created.")
        total = 0
        for name, (size, _) in entries.items():
            _check_name(self.path, name)
            info = members[name]
            if info.file_size != size or info.flag_bits & 1 or size < 0:
                raise self._refused(f"“{name}” was modified after the file was created.")
            if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise self._refused(f"“{name}” uses an unsupported compression.")
            if name.startswith(MEDIA):
                if info.compress_size != size:
                    raise self._refused(f"“{name}” uses an unsupported compression.")
            else:
                total += size
        if total > MAX_TOTAL_BYTES:
            raise self._refused(
                f"The uncompressed content is larger than {MAX_TOTAL_BYTES >> 30} GB."
            )

    def _listed(self, name: str) -> tuple[int, str]:
        if name not in self._entries:
            raise self._refused(f"“{name}” is missing.")
        return self._entries[name]

    def _open(self, name: str) -> IO[bytes]:
        try:
            return self._zip.open(name)
        except (zipfile.BadZipFile, OSError, RuntimeError, ValueError, struct.error) as error:
            raise self._refused(f"Cannot decompress “{name}”: {error}.") from error

    def _chunk(self, stream: IO[bytes], name: str, size: int) -> bytes:
        try:
            return stream.read(size)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError) as error:
            raise self._refused(f"“{name}” is damaged: {error}.") from error

    def _refused(self, text: str) -> ArchiveError:
        return ArchiveError(text, hint=f"No data was imported. {_AGAIN}", where=str(self.path))


def _write(
    target: Path | IO[bytes],
    kind: str,
    header: Mapping[str, Json],
    entries: Iterable[tuple[str, Content]],
    sign: Callable[[bytes], Signature | None],
) -> None:
    listed: dict[str, Json] = {}
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for name, content in entries:
            _check_name(Path(name), name)
            listed[name] = _write_entry(archive, name, content)
        manifest_body: dict[str, Json] = {"format": f"annotator-{kind}/{VERSION}"}
        manifest_body |= {"header": dict(header), "entries": listed}
        signature = sign(canonical_bytes(manifest_body))
        if signature is not None:
            manifest_body["signature"] = {"key": signature.public_key, "value": signature.value}
        manifest = canonical_bytes(manifest_body)
        archive.writestr(_entry(_MANIFEST, zipfile.ZIP_DEFLATED), manifest)
        archive.comment = hashlib.sha256(manifest).hexdigest().encode()


def _write_entry(archive: zipfile.ZipFile, name: str, content: Content) -> Json:
    if isinstance(content, bytes):
        is_dense = len(content) > FREE_BYTES and (
            MAX_RATIO * len(zlib.compress(content, 6)) < 2 * len(content)
        )
        kind = zipfile.ZIP_STORED if is_dense else zipfile.ZIP_DEFLATED
        archive.writestr(_entry(name, kind), content, compresslevel=6)
        return {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    digest, size = hashlib.sha256(), 0
    info = zipfile.ZipInfo.from_file(content, name, strict_timestamps=False)
    info.compress_type = zipfile.ZIP_STORED
    with content.open("rb") as source, archive.open(info, "w", force_zip64=True) as out:
        while chunk := source.read(_CHUNK):
            digest.update(chunk)
            size += len(chunk)
            out.write(chunk)
    return {"size": size, "sha256": digest.hexdigest()}


def _entry(name: str, kind: int) -> zipfile.ZipInfo:
    """Return an entry without a time: the same content makes the same bytes."""
    info = zipfile.ZipInfo(name)
    info.compress_type = kind
    return info


def _check_name(path: Path, name: str) -> None:
    if not _NAME.match(name) or ".." in name:
        raise ArchiveError(f"Invalid entry name “{name}”.", where=str(path))
