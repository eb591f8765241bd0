"""No command replaces a project, a video, one of its inputs or, unforced, another type of file."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import click
import pytest

from annotator.cli.commands import SHORT_FORMS, annotator
from tests.cli.conftest import Call
from tests.exchange.format_samples import CVAT

BOX, POINT = "0:4,4,30,30", "rim@0:10,10"

WRITERS = {
    "batch plan": ("project", "out"),
    "export": ("project", "out"),
    "frame": ("video", "0", "out"),
    "track": ("video", "--box", BOX, "--output", "out"),
    "follow": ("video", "--point", POINT, "--output", "out"),
    "render": ("project", "out", "--what", "frames"),
    "convert": ("tracks", "out", "--to", "mot"),
    "package": ("project", "out", "--for", "Ann", "--tasks", "1"),
    "submit": ("project", "out"),
    "recipe save": ("single", "out"),
    "questions build-dataset": ("project", "out"),
    "stats export": ("project", "out"),
    "study export": ("project", "spring", "out"),
    "team gold scores": ("project", "--csv", "out"),
    "release": ("project", "out"),
    "dataset split": (*("project", "--share", "a=0.5", "--share", "b=0.5"), "--output", "out"),
}
"""Arguments of every command that writes a file or folder of the caller's choice."""

CREATORS = {"hub join": "project", "new": "project", "demo": "folder", "team unpack": "project"}
"""Commands that create a project: they refuse a path that exists."""

READERS = {
    *(
        "open",
        "import",
        "propose",
        "check",
        "people",
        "collect",
        "probe",
        "doctor",
        "formats",
        "evaluate",
        "verify",
        "diff",
        "recipe list",
        "recipe check",
        "recipe apply",
    ),
    *("project add-videos", "project info", "project import-metadata", "project repair"),
    *("questions steps", "questions run", "questions import", "stats verify"),
    *("questions list", "questions import-predictions", "team accept-key", "team fingerprint"),
    *(f"stats {name}" for name in ("dataset", "agreement", "accuracy", "items", "hours")),
    *("stats benchmark", "stats people", "stats forecast", "stats provenance"),
    *("dataset issues", "dataset duplicates"),
    *("study list", "study results", "study create", "study reassign"),
    *(
        "batch run",
        "batch status",
        "batch collect",
        "hub init",
        "hub people",
        "hub publish",
        "hub keep",
        "hub status",
        "hub revise",
        "hub revoke",
    ),
    *("hub message", "hub check", "hub next", "hub tick", "hub send"),
    *("team add", "team deactivate", "team reactivate", "team grade"),
    *("team qualification list", "team qualification reset", "team qualification suspend"),
    *("models add", "models list", "models remove", "media fetch"),
    *("team qualification void", "team gold add", "team gold remove", "team gold list"),
}


def commands() -> dict[str, click.Command]:
    """Return every command by its shortest name."""
    short = {id(group.commands[name]): key for key, (group, name) in SHORT_FORMS.items()}
    found: dict[str, click.Command] = {}

    def look(group: click.Group, before: str) -> None:
        for name, command in group.commands.items():
            if isinstance(command, click.Group):
                look(command, f"{before}{name} ")
            else:
                found[short.get(id(command), f"{before}{name}")] = command

    look(annotator, "")
    return found


def arguments(name: str, project: Path, video: Path, out: Path) -> list[str]:
    tracks = project.with_name("tracks.xml")
    tracks.write_text(CVAT, encoding="utf-8")
    places = {"project": str(project), "video": str(video), "out": str(out), "tracks": str(tracks)}
    return [*name.split(), *(places.get(word, word) for word in WRITERS[name])]


@pytest.fixture
def victims(lead: Path, tmp_path: Path) -> dict[str, Path]:
    """Files that must stay as they are, also under other names."""
    video = lead.parent / "videos" / "one.mp4"
    odd = tmp_path / "odd"
    odd.mkdir()
    places = {"project": lead, "video": video}
    for kind, ending in (("project", ".json"), ("video", ".png"), ("project", ".work")):
        link, hard = odd / f"link-{kind}{ending}", odd / f"hard-{kind}{ending}"
        link.symlink_to(places[kind])
        os.link(places[kind], hard)
        places |= {link.name: link, hard.name: hard}
    other = tmp_path / "elsewhere.annot"
    shutil.copy(lead, other)
    stranger = tmp_path / "stranger"
    shutil.copy(video, stranger)
    return places | {"other project": other, "unnamed video": stranger}


def test_every_command_is_known_here() -> None:
    assert {*WRITERS, *CREATORS, *READERS} == set(commands())


def test_every_command_that_writes_one_file_can_be_forced() -> None:
    forced = {
        name
        for name, command in commands().items()
        if any(isinstance(p, click.Option) and p.name == "force" for p in command.params)
    }
    assert forced == set(WRITERS) - {"stats export", "study export", "release", "render"}


@pytest.mark.parametrize("name", sorted(WRITERS))
@pytest.mark.parametrize("force", [False, True])
def test_projects_and_videos_are_never_replaced(
    call: Call,
    lead: Path,
    victims: dict[str, Path],
    name: str,
    force: bool,
) -> None:
    before = {place: place.read_bytes() for place in victims.values()}
    names = {place: place.readlink() for place in victims.values() if place.is_symlink()}
    for place in victims.values():
        line = arguments(name, lead, victims["video"], place)
        if force and name not in ("stats export", "study export", "render"):
            line.append("--force")
        done = call(*line)
        assert done.status in (1, 2), (line, done)
        assert "Traceback" not in done.err
        assert place.read_bytes() == before[place], (line, done)
        assert (place.readlink() if place.is_symlink() else None) == names.get(place)


@pytest.mark.parametrize(
    "name", sorted(set(WRITERS) - {"stats export", "study export", "release", "render"})
)
def test_another_type_of_file_is_replaced_only_with_force(
    call: Call,
    lead: Path,
    tmp_path: Path,
    name: str,
) -> None:
    video = lead.parent / "videos" / "one.mp4"
    for ending, content in (
        (".toml", b"name = 1"),
        (".work", b"PK\x03\x04rest"),
        (".png", b"\x89PNG"),
    ):
        place = tmp_path / f"precious{ending}"
        place.write_bytes(content)
        if name == "frame" and ending == ".png":
            continue
        done = call(*arguments(name, lead, video, place))
        assert done.status in (1, 2)
        assert place.read_bytes() == content, done


def test_force_replaces_another_type_of_file(call: Call, clip: Path, tmp_path: Path) -> None:
    place = tmp_path / "track.toml"
    place.write_text("name = 1")
    assert "recipe" in call("track", clip, "--box", BOX, "--output", place).err
    assert call("track", clip, "--box", BOX, "--output", place, "--force").status == 0
    assert place.read_text().startswith("{")


@pytest.mark.parametrize("ending", [".xyz", ".html", "", ".annot", ".mp4", ".webm"])
def test_an_unknown_extension_is_refused_with_the_formats(
    call: Call,
    lead: Path,
    tmp_path: Path,
    ending: str,
) -> None:
    place = tmp_path / f"out{ending}"
    done = call("export", lead, place)
    assert done.status == 2
    assert ".json (perception-test, coco-vid, " in done.err
    assert not place.exists()


def test_a_format_may_be_named_but_not_for_media(call: Call, lead: Path, tmp_path: Path) -> None:
    refused = call("export", lead, tmp_path / "out.mp4", "--format", "perception-test")
    assert (refused.status, "media file" in refused.err) == (1, True)


@pytest.mark.parametrize("name", sorted(CREATORS))
def test_no_project_is_made_over_a_file(call: Call, clip: Path, tmp_path: Path, name: str) -> None:
    place = tmp_path / "there.annot"
    place.write_bytes(b"mine")
    line = [name, place, clip] if name == "new" else [name, "pacs", place]
    assert call(*line).status in (1, 2)
    assert place.read_bytes() == b"mine"
