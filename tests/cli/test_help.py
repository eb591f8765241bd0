"""Help is there at once, and the guide says the same."""

from __future__ import annotations

import subprocess
import sys

import pytest

from annotator import cli, paths
from annotator.cli.commands import annotator

GUIDE = paths.resource("guide", "command-line.md")
COMMANDS = sorted(annotator.commands)


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_the_guide_shows_the_help_as_it_is(command, capsys):
    arguments = [command, "--help"] if command else ["--help"]
    assert cli.main(arguments) == 0
    shown = capsys.readouterr().out.rstrip("\n")
    assert f"```text\n{shown}\n```" in GUIDE.read_text(encoding="utf-8")


def test_all_promised_commands_exist():
    promised = {"open", "new", "demo", "probe", "frame", "track", "follow", "import", "export"}
    promised |= {"package", "submit", "collect", "ask", "dataset", "figures", "grade", "standing"}
    promised |= {"study", "people", "metadata"}
    assert promised | {"check", "doctor"} == set(COMMANDS)


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
