"""No traceback reaches a user, whatever happens."""

from __future__ import annotations

import json
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
from annotator.cli.common.terminal import progress
from annotator.domain.errors import UserError
from annotator.services.background.jobs import CanceledError
from annotator.services.project.projects import create_project
from annotator.services.transfer.imports.file_import import FileImport
from tests.cli.conftest import Call
from tests.store.samples import video_info


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


@pytest.mark.parametrize("error", [KeyboardInterrupt(), click.Abort(), CanceledError()])
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


def test_an_interrupted_command_says_what_was_done(capsys: pytest.CaptureFixture[str]) -> None:
    def work() -> None:
        with progress("Importing", lambda: "3 videos imported."):
            raise KeyboardInterrupt

    assert run(work) == 130
    assert capsys.readouterr().err.strip() == "3 videos imported.\nannotator: interrupted."


def test_an_interrupted_import_keeps_whole_videos_and_says_how_many(
    tmp_path: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "two.annot"
    opened = create_project(path, title="Two")
    for name in ("a.mp4", "b.mp4"):
        opened.add_absent_video(video_info(name))
    opened.close()
    row = {"track_id": 1, "category_id": 1, "bbox": [1, 2, 30, 40]}
    names = [{"id": i, "name": name} for i, name in enumerate(("a", "b"))]
    table = {
        "videos": names,
        "images": [{"id": i, "video_id": i, "frame_index": 0} for i in (0, 1)],
        "annotations": [{"id": i, "image_id": i, **row} for i in (0, 1)],
        "categories": [{"id": 1, "name": "cup"}],
    }
    file = tmp_path / "boxes.json"
    file.write_text(json.dumps(table))
    whole = FileImport.bring_in
    n_calls = 0

    def stopped(self: FileImport, *arguments: object) -> object:
        nonlocal n_calls
        n_calls += 1
        if n_calls == 2:
            raise KeyboardInterrupt
        return whole(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(FileImport, "bring_in", stopped)
    done = call("import", str(path), str(file))
    assert done.status == 130
    assert "1 video imported. Run the command again" in done.err
    monkeypatch.setattr(FileImport, "bring_in", whole)
    done = call("import", str(path), str(file))
    assert (done.status, done.out.count("1 track")) == (0, 1)


def test_the_choices_of_a_missing_option_stand_in_one_line(call: Call, tmp_path: Path) -> None:
    done = call("render", tmp_path / "p.annot", tmp_path / "out")
    assert done.status == 2
    assert "'--what'. Choose from: frames, crops, clips, overlay" in done.err
