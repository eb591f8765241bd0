"""No traceback reaches a user, whatever happens."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import click
import pytest

from annotator import log
from annotator.cli.common.boundary import run
from annotator.domain.errors import UserError
from annotator.services.background.jobs import CancelledError


def outcome(capsys, error):
    @click.command()
    def command():
        raise error

    said = partial(command.main, [], standalone_mode=False)
    return run(said), capsys.readouterr()


def test_an_error_of_the_input_is_one_line(capsys):
    error = UserError("it is\nbroken.", hint="Mend it.", where="a\nb.mp4")
    status, said = outcome(capsys, error)
    assert status == 1
    assert said.err == "annotator: error: a\\nb.mp4: it is\\nbroken. Mend it.\n"
    assert said.out == ""


@pytest.mark.parametrize("error", [KeyboardInterrupt(), click.Abort(), CancelledError()])
def test_stopping_has_a_status_of_its_own(capsys, error):
    status, said = outcome(capsys, error)
    assert (status, said.err.strip()) == (130, "annotator: interrupted.")


def test_a_bug_is_one_line_and_a_report_on_disk(capsys):
    status, said = outcome(capsys, ZeroDivisionError("oh no"))
    assert status == 70
    assert said.err.startswith("annotator: error: internal error: ZeroDivisionError")
    assert "Traceback" not in said.err
    path = Path(said.err.strip().rpartition("Report: ")[2])
    assert "Traceback" in path.read_text(encoding="utf-8")
    assert path in [report.path for report in log.pending_crash_reports()]
    path.unlink()


def test_ctrl_c_stops_a_running_command_cleanly(tmp_path):
    program = (
        "import signal, sys, time\n"
        "from annotator import cli\n"
        "from annotator.media.files import probe\n"
        # Whoever starts the tests in the background has them ignore this signal.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "def endless(*_args, **_more):\n"
        "    print('running', flush=True)\n"
        "    while True:\n"
        "        time.sleep(0.01)\n"
        "probe.probe = endless\n"
        "sys.exit(cli.main(['probe', 'x.mp4']))\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "running\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, err.strip(), out) == (130, "annotator: interrupted.", "")


def test_a_reader_that_leaves_a_pipe_is_no_crash(tmp_path):
    done = subprocess.run(
        f"{sys.executable} -m annotator doctor | head -c 10",
        shell=True,
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert done.stderr == ""
    assert done.stdout == "ok      an"
