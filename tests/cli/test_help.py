"""Help is there at once, and the guide says the same."""

from __future__ import annotations

import subprocess
import sys

import click
import pytest

from annotator import cli, paths
from annotator.cli.commands import SHORT_FORMS, annotator

GUIDE = paths.resource("guide", "command-line.md")


def every_command() -> list[str]:
    """Return the words of every group and command, short forms left out."""
    found = [""]

    def look(group: click.Group, before: str) -> None:
        for name, command in group.commands.items():
            if before or name not in SHORT_FORMS:
                found.append(f"{before}{name}")
                if isinstance(command, click.Group):
                    look(command, f"{before}{name} ")

    look(annotator, "")
    return found


@pytest.mark.parametrize("command", every_command())
def test_the_guide_shows_the_help_as_it_is(command, capsys):
    assert cli.main([*command.split(), "--help"]) == 0
    shown = capsys.readouterr().out.rstrip("\n")
    assert f"```text\n{shown}\n```" in GUIDE.read_text(encoding="utf-8")


def test_the_groups_and_short_forms_are_there():
    groups = {n for n, c in annotator.commands.items() if isinstance(c, click.Group)}
    assert groups == {
        "project",
        "recipe",
        "media",
        "models",
        "annotation",
        "batch",
        "questions",
        "team",
        "hub",
        "stats",
        "dataset",
        "study",
    }
    assert {"track", "follow", "people", "package", "submit", "collect"} <= set(SHORT_FORMS)
    assert {"open", "demo", "doctor", "formats", "convert", *groups, *SHORT_FORMS} == set(
        annotator.commands
    )


def test_help_and_version_load_nothing_heavy():
    program = (
        "import sys\n"
        "from annotator import cli\n"
        "assert cli.main(['export', '--help']) == 0\n"
        "assert cli.main(['--version']) == 0\n"
        "heavy = ['PySide6', 'cv2', 'av', 'numpy', 'scipy', 'sqlite3', 'sounddevice']\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "[]"
    assert "annotator 0." in done.stdout


def test_a_command_that_does_not_exist_is_told_with_status_2(capsys):
    assert cli.main(["fly"]) == 2
    assert "No such command 'fly'" in capsys.readouterr().err
