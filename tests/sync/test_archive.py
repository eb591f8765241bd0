"""Archives: read back as written, and refused with the reason when anything is not as listed."""

from __future__ import annotations

import hashlib
import json
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.sync import archive as module
from annotator.sync.archive import Archive, ArchiveError, archive_bytes, write_archive

ENTRIES = {"people.json": b'{"a": 1}', "tasks/one.json": b"{}" * 500, "media/clip.mp4": b"\0" * 9}


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    clip = tmp_path / "clip"
    clip.write_bytes(ENTRIES["media/clip.mp4"])
    path = tmp_path / "work.zip"
    entries = [(k, clip if k.startswith("media") else v) for k, v in ENTRIES.items()]
    write_archive(path, "package", {"project_id": "p"}, entries)
    return path


def rewritten(path: Path, change) -> Path:
    """Write a zip anew as somebody else's tool would, with entries changed."""
    with zipfile.ZipFile(path) as source:
        entries = {info.filename: source.read(info) for info in source.infolist()}
        comment = source.comment
    entries, comment = change(entries, comment) or (entries, comment)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for name, body in entries.items():
            stored = zipfile.ZIP_STORED if name.startswith("media") else zipfile.ZIP_DEFLATED
            out.writestr(name, body, compress_type=stored)
        out.comment = comment
    return path


def vouched(path: Path, content: dict[str, bytes], **facts: object) -> Path:
    """Write an archive whose manifest is right about itself, whatever it lists."""
    listed = {
        k: {"size": len(v), "sha256": hashlib.sha256(v).hexdigest()} for k, v in content.items()
    }
    value = {"format": "annotator-package/1", "header": {}, "entries": listed} | facts
    manifest = json.dumps(value).encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for name, body in content.items():
            out.writestr(name, body)
        out.writestr("manifest.json", manifest)
        out.comment = hashlib.sha256(manifest).hexdigest().encode()
    return path


def test_an_archive_reads_back(packed, tmp_path) -> None:
    with Archive(packed, "package") as found:
        assert found.header == {"project_id": "p"}
        assert found.names == sorted(ENTRIES)
        assert found.json("people.json") == {"a": 1}
        assert found.read("tasks/one.json") == ENTRIES["tasks/one.json"]
        found.copy("media/clip.mp4", tmp_path / "out.mp4")
    assert (tmp_path / "out.mp4").read_bytes() == ENTRIES["media/clip.mp4"]
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith(".")] == []


def use(path: Path, target: Path) -> None:
    """Read everything that is in an archive."""
    with Archive(path, "package") as found:
        found.read("people.json")
        found.copy("media/clip.mp4", target)


def changed_entry(entries, comment):
    entries["people.json"] = b'{"a": 2}'


def added_entry(entries, comment):
    entries["more.json"] = b"{}"


def removed_entry(entries, comment):
    del entries["tasks/one.json"]


def changed_manifest(entries, comment):
    entries["manifest.json"] = entries["manifest.json"].replace(b'"p"', b'"q"')


def changed_media(entries, comment):
    entries["media/clip.mp4"] = b"\1" * 9


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (changed_entry, r"” was modified after the file was created\."),
        (added_entry, r"Entries were added or removed after the file was created\."),
        (removed_entry, r"Entries were added or removed after the file was created\."),
        (changed_manifest, r"The manifest was modified after the file was created\."),
        (changed_media, r"” was modified after the file was created\."),
    ],
)
def test_whatever_is_tampered_with_is_told(packed, tmp_path, change, words) -> None:
    rewritten(packed, change)
    target = tmp_path / "out.mp4"
    with pytest.raises(ArchiveError, match=words):
        use(packed, target)
    assert not target.exists()


def test_every_truncation_is_refused(packed) -> None:
    whole = packed.read_bytes()
    for length in range(0, len(whole), max(1, len(whole) // 40)):
        packed.write_bytes(whole[:length])
        with pytest.raises(ArchiveError, match=r"modified|damaged"):
            Archive(packed, "package")


@given(st.data())
def test_no_flipped_byte_gives_other_content(tmp_path_factory, data) -> None:
    folder = tmp_path_factory.mktemp("flip")
    path = folder / "a.zip"
    write_archive(path, "package", {"project_id": "p"}, [("a.json", b'{"value": 12345}')])
    body = bytearray(path.read_bytes())
    place = data.draw(st.integers(0, len(body) - 1))
    body[place] ^= 1 << data.draw(st.integers(0, 7))
    path.write_bytes(body)
    with suppress(ArchiveError), Archive(path, "package") as found:
        assert found.header == {"project_id": "p"}
        assert found.read("a.json") == b'{"value": 12345}'


@pytest.mark.parametrize(
    "name", ["../out", "/etc/x", "a/../b", "a/b/c", "C:x", "a\\b", ".hidden", "x" * 130]
)
def test_names_that_lead_elsewhere_are_refused(tmp_path, name) -> None:
    path = vouched(tmp_path / "a.zip", {name: b"x"})
    with pytest.raises(ArchiveError, match="Invalid entry name “"):
        Archive(path, "package")
    with pytest.raises(ArchiveError, match="Invalid entry name “"):
        write_archive(tmp_path / "b.zip", "package", {}, [(name, b"x")])


def test_a_bomb_is_refused_before_it_goes_off(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(module, "MAX_TOTAL_BYTES", 1 << 20)
    path = vouched(tmp_path / "a.zip", {"a.json": b"\0" * (1 << 20), "b.json": b"\0" * 10})
    assert path.stat().st_size < 10_000
    with pytest.raises(ArchiveError, match="The uncompressed content is larger than"):
        Archive(path, "package")
    bomb = vouched(tmp_path / "b.zip", {"media/a.mp4": b"\0" * (1 << 20)})
    with pytest.raises(ArchiveError, match=r"” uses an unsupported compression\."):
        Archive(bomb, "package")
    monkeypatch.setattr(module, "MAX_ENTRY_BYTES", 100)
    big = vouched(tmp_path / "c.zip", {"a.json": b"\0" * 101})
    with Archive(big, "package") as found, pytest.raises(ArchiveError, match="larger than"):
        found.read("a.json")


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"format": "annotator-package/2"}, "newer version"),
        ({"format": "annotator-submissions/1"}, "not a work package"),
        ({"format": 3}, "not a work package"),
        ({"entries": []}, r"Cannot read the file:|Cannot read the manifest\."),
        (
            {"entries": {"a.json": {"size": "x"}}},
            r"Cannot read the file:|Cannot read the manifest\.",
        ),
        ({"header": 3}, r"Cannot read the file:|Cannot read the manifest\."),
    ],
)
def test_manifests_that_say_something_else(tmp_path, facts, words) -> None:
    with pytest.raises(ArchiveError, match=words):
        Archive(vouched(tmp_path / "a.zip", {"a.json": b"{}"}, **facts), "package")


def test_other_files_are_told_apart(tmp_path) -> None:
    with pytest.raises(ArchiveError, match=r"Cannot read the file:|Cannot read the manifest\."):
        Archive(tmp_path / "none.zip", "package")
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as out:
        out.writestr("holiday.txt", "sun")
    with pytest.raises(ArchiveError, match=r"The file was not created by annotator\."):
        Archive(tmp_path / "a.zip", "package")


def test_a_place_that_cannot_be_written_is_told(tmp_path) -> None:
    with pytest.raises(ArchiveError, match="Cannot write the file:"):
        write_archive(tmp_path / "none" / "a.zip", "package", {}, [])


def test_an_entry_that_grows_a_thousandfold_is_refused(tmp_path) -> None:
    path = tmp_path / "a.zip"
    body = b'{"a": [' + b"[]," * 20_000_000 + b"[]]}"
    write_archive(path, "package", {}, [("a.json", body)])
    with Archive(path, "package") as archive:
        assert archive.read("a.json") == body  # ours is stored as it is
    path = vouched(tmp_path / "b.zip", {"a.json": body})
    assert path.stat().st_size < 100_000
    with pytest.raises(ArchiveError, match="much larger than it should be"):
        Archive(path, "package")


@pytest.mark.parametrize(
    "place", ["local header", "size of the directory", "start of the directory"]
)
def test_an_archive_in_memory_is_refused_like_a_file(place: str) -> None:
    entries = [(f"tasks/{i}.json", b'{"x": 1}' * 50) for i in range(20)]
    body = bytearray(archive_bytes("seat", {"project_id": "p"}, entries))
    first, last = body.find(b"PK\x01\x02"), body.rfind(b"PK\x05\x06")
    at = {
        "local header": first + 42,
        "size of the directory": last + 12,
        "start of the directory": last + 16,
    }[place]
    for value in range(256):
        for offset in range(4):
            damaged = bytearray(body)
            damaged[at + offset] = value
            if damaged == body:
                continue
            with suppress(ArchiveError), Archive(Path("x"), "seat", body=bytes(damaged)) as found:
                for name in found.names:
                    found.read(name)


def test_the_same_content_makes_the_same_bytes() -> None:
    entries = [("tasks/1.json", b"{}"), ("large.json", b"x" * (5 << 20))]
    made = {archive_bytes("seat", {"project_id": "p"}, entries) for _ in range(2)}
    assert len(made) == 1
