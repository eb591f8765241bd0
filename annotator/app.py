"""The composition root: the only place where window, services, media and trackers meet."""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import (
    QEventLoop,
    QMessageLogContext,
    QSettings,
    QSocketNotifier,
    QTimer,
    QtMsgType,
    qInstallMessageHandler,
)
from PySide6.QtWidgets import QApplication

from annotator import log, paths
from annotator.domain.errors import MediaError
from annotator.ui.look.theme import SYSTEM, ThemeHub
from annotator.ui.shell.main_window import MainWindow
from annotator.ui.state.threads import GarbageOnMain, send

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from annotator.domain.ids import TaskId, VideoId
    from annotator.media.audio.reader import Audio
    from annotator.media.index.frame_table import FrameTable
    from annotator.services.assist.proposal_updates import Proposing
    from annotator.services.playback.early_picture import FirstLook
    from annotator.services.project.projects import OpenProject
    from annotator.services.project.restricted_video import SeenVideo
    from annotator.services.session import Session
    from annotator.services.settings import Settings
    from annotator.ui.actions.keymap import Keymap
    from annotator.ui.shell.assembly import Step
    from annotator.ui.state.stage import OtherVideo, Stage
    from annotator.ui.state.workspace import Workspace

_THUMBNAIL_PX: Final = 110
_GRAB_TIMEOUT_MS: Final = 20_000
_MODEL_VARIABLE: Final = "ANNOTATOR_VIT_MODEL"
_LOSSES: Final = ("truncated", "damaged-packets")
"""Findings that mean that a part of a video is missing."""
_LOADED_FIRST: Final = (
    "annotator.ui.actions.keymap",
    "annotator.services.playback.player",
    "annotator.domain.annotation.changes",
    "annotator.domain.work.events",
    "annotator.domain.work.acts",
    "annotator.domain.work.transitions",
    "annotator.store.file.project",
    "annotator.store.annotation.drafts",
    "annotator.domain.recipes.file",
    "annotator.store.workflow.submissions",
    "annotator.store.workflow.tasks",
    "annotator.services.workflow.transactions",
    "annotator.services.workflow.work",
    "annotator.services.project.projects",
    "annotator.ui.state.workspace",
    "annotator.ui.shell.assembly",
)

_CLOSING: Final = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]
"""Signals that close the window; Windows has no SIGHUP."""
_SWITCH_S: Final = 0.001
"""The window waits at most so long for a job that computes in Python."""

_qt_log = logging.getLogger("annotator.qt")


def run_window(
    settings: Settings,
    project: Path | None = None,
    look: FirstLook | None = None,
    files: Sequence[Path] = (),
) -> int:
    """Open the window, on a project where one is given; return when it is closed.

    ``look`` is the picture the project was left at, where that is known; see `first_look`.
    ``files`` are used as if they were dropped onto the window.
    """
    app = make_application(settings)
    window = look and project and first_window(settings, project, look)
    if not window:
        if look is not None:
            look.close()
        window = make_window(settings, is_staged=True)
        if project is not None:
            # Before it is shown: then all is laid out and painted once, not twice.
            window.context.projects.open_path(project)
    window.show()
    window.staging.completed.connect(partial(_offer_crash_reports, window))
    if files:
        window.staging.completed.connect(partial(_take_files, window, files))
    _close_on_signal(app)
    return app.exec()


def grab_window(project: Path, png_path: Path) -> Path:
    """Write a picture of the window on a project; needs no display."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from annotator.services.settings import Settings

    settings = Settings()
    app = make_application(settings)
    window = make_window(settings, remembers_place=False)
    window.show()
    window.context.projects.open_path(project)
    loop = QEventLoop()
    window.context.canvas.picturePainted.connect(lambda _: QTimer.singleShot(300, loop.quit))
    QTimer.singleShot(_GRAB_TIMEOUT_MS, loop.quit)
    loop.exec()
    window.context.updates.refresh()
    temporary = png_path.with_name(f".{png_path.name}.new.png")
    window.grab().save(str(temporary))
    temporary.replace(png_path)
    app.closeAllWindows()
    return png_path


def make_application(settings: Settings) -> QApplication:
    """Return the one QApplication of the process, scaled as the settings say."""
    running = QApplication.instance()
    if isinstance(running, QApplication):
        return running
    scale = settings.whole("appearance.scale") / 100
    if scale != 1:
        scale_text = os.environ.get("QT_SCALE_FACTOR", "1")
        factor = float(scale_text) if scale_text.replace(".", "", 1).isdigit() else 1.0
        os.environ["QT_SCALE_FACTOR"] = f"{factor * scale:g}"
    from annotator.ui.look import translation

    qInstallMessageHandler(_on_qt_message)
    sys.setswitchinterval(_SWITCH_S)
    QApplication.setApplicationName("annotator")
    QApplication.setOrganizationName("annotator")
    QApplication.setDesktopFileName("annotator")
    application = QApplication(sys.argv[:1])
    GarbageOnMain(application)
    translation.install(application)
    return application


def make_window(
    settings: Settings, *, remembers_place: bool = True, is_staged: bool = False
) -> MainWindow:
    """Build a window with everything it stands on, still without a project.

    With ``is_staged`` most of it is built after its first picture.
    """
    hub = ThemeHub(settings.text("appearance.theme"))
    hub.apply()
    window = MainWindow(hub, remembers_place=remembers_place)
    for _, step in _assembly(window, settings, None):
        step()
    window.context.workspace.puts_off = is_staged
    if not is_staged:
        window.staging.finish()
    return window


def first_window(settings: Settings, project: Path, look: FirstLook) -> MainWindow | None:
    """Build a window that shows a picture first and the rest of the project afterwards.

    None where it is not known from before where in the window the picture has to be.
    """
    from annotator.ui.canvas.painting.first_picture import FirstPicture

    pictures = look.pictures
    assert pictures is not None
    theme_name = settings.text("appearance.theme")
    last = QSettings().value("window/theme") if theme_name == SYSTEM else theme_name
    hub = ThemeHub(theme_name, guess=str(last))
    hub.tint()
    window = MainWindow(hub)
    first = FirstPicture(hub, pictures, look.frame, look.n_frames, look.view)
    if not window.show_first(first, partial(_keymap, settings)):
        return None
    pictures.on_ready = partial(send, first.ready)
    # It may have been there before anybody listened.
    first.ready.emit()

    def plan() -> None:
        for name, step in _assembly(window, settings, look, project):
            window.staging.add(name, step)

    for module in _LOADED_FIRST:
        window.staging.add(f"import {module}", partial(import_module, module))
    window.staging.add("theme", hub.apply)
    window.staging.add("assembly", plan)
    return window


def _keymap(settings: Settings) -> Keymap:
    from annotator.ui.actions.keymap import Keymap

    return Keymap(settings.text("keys.preset"), settings.bindings)


def _assembly(
    window: MainWindow,
    settings: Settings,
    look: FirstLook | None,
    project: Path | None = None,
) -> list[Step]:
    """Return the steps that put a window together, with what all of it stands on."""
    from annotator.ui.state.workspace import Workspace

    model = settings.text("proposals.model")
    if model:
        # The tracker's process inherits it.
        os.environ.setdefault(_MODEL_VARIABLE, model)
    workspace = Workspace(window.hub, settings, partial(build_stage, look=look), build_other)
    steps = window.begin(workspace, project)

    def conclude() -> None:
        if look is not None:
            look.close()
        for notice in settings.notices:
            window.context.banners.add_notice(notice)

    workspace.puts_off = project is not None
    return [*steps, ("notices", conclude)]


def build_stage(
    project: OpenProject, task_id: TaskId, workspace: Workspace, *, look: FirstLook | None = None
) -> Stage:
    """Open a task with its pictures, sound and proposals; UserError changes nothing.

    The decoder of the first ``look`` at the task's video is reused.
    """
    from annotator.media.index.frame_table import FrameTable
    from annotator.services.playback.player import Player
    from annotator.ui.state.stage import Stage

    session = project.open_task(task_id, takes=workspace.takes, whose=workspace.whose)
    path = session.video_path
    if path is None:
        return _stage_without_file(session, task_id)
    if session.document.video.n_frames == 0:
        return _stage_of_sound(project, session, task_id, path, workspace)
    # The workspace ensures it: reading a video takes seconds and is no work for this thread.
    assert session.table_bytes is not None
    table = FrameTable.from_bytes(session.table_bytes)
    player = Player(table.times, table.duration_s, first=table.first)
    stage = Stage(task_id, session, player, table.times, table.duration_s, badges=_badges(table))
    stage.notices = tuple(f.text for f in table.findings if f.code in _LOSSES)
    stage.later["sound"] = partial(_open_sound, stage, path, project, workspace)
    try:
        if len(table):
            _add_pictures(stage, path, table, workspace, look)
    except BaseException:
        stage.close()
        raise
    return stage


def build_other(project: OpenProject, video_id: VideoId, workspace: Workspace) -> OtherVideo:
    """Open the second video of a pair beside the first."""
    from annotator.domain.forms.restricted_view import WHOLE_VIDEO
    from annotator.media.decode.server import FrameServer
    from annotator.media.index.frame_table import FrameTable
    from annotator.services.playback.player import Player
    from annotator.ui.state.stage import OtherVideo

    viewing = workspace.session.viewing if workspace.session is not None else WHOLE_VIDEO
    seen_video = project.restricted_video(video_id, viewing)
    info = seen_video.info
    if seen_video.path is None or seen_video.table_bytes is None:
        raise MediaError(
            f"Cannot open “{info.name}”: the file is not at its stored location.",
            hint="Choose File > Locate video…, and then open the task again.",
        )
    table = FrameTable.from_bytes(seen_video.table_bytes)
    player = Player(table.times, table.duration_s, first=table.first)
    size = info.width, info.height
    other = OtherVideo(info.name, size, player, table.times, table.duration_s)

    def ready() -> None:
        workspace.bridge.post(partial(other.ready.notify, None))

    if len(table):
        budget = (workspace.settings.whole("playback.cache_mb") << 20) // 2
        other.pictures = FrameServer(seen_video.path, table, budget_bytes=budget, on_ready=ready)
    audio, _ = _sound(seen_video)
    if audio is not None:
        player.use_audio(audio)
    return other


def _add_pictures(
    stage: Stage, path: Path, table: FrameTable, workspace: Workspace, look: FirstLook | None
) -> None:
    """Start what decodes; MediaError when the file is not the one the table was made of."""
    from annotator.media.decode.server import FrameServer

    budget = workspace.settings.whole("playback.cache_mb") << 20
    ready = partial(send, workspace.bridge.pictureReady)
    seen = look.hand_over(path, table, ready) if look is not None else None
    stage.pictures = seen or FrameServer(path, table, budget_bytes=budget, on_ready=ready)
    stage.later["thumbnails"] = partial(_add_thumbnails, stage, path, table, workspace)
    if not stage.session.is_read_only:
        stage.later["proposing"] = partial(_add_proposing, stage, workspace)


def _add_thumbnails(stage: Stage, path: Path, table: FrameTable, workspace: Workspace) -> None:
    from annotator.services.playback.thumbnails import Thumbnails

    stage.thumbnails = Thumbnails(
        path, table, jobs=workspace.jobs, post=workspace.bridge.post, height=_THUMBNAIL_PX
    )


def _add_proposing(stage: Stage, workspace: Workspace) -> None:
    stage.proposing = _proposing(stage.session, workspace)


def _open_sound(stage: Stage, path: Path, project: OpenProject, workspace: Workspace) -> None:
    """Give the stage its sound; what cannot be used is said in the window."""
    from annotator.services.project.restricted_video import SeenVideo

    session = stage.session
    seen = SeenVideo(session.document.video, path, session.table_bytes, session.viewing)
    audio, notices = _sound(seen)
    stage.notices = (*stage.notices, *notices)
    if audio is not None:
        stage.player.use_audio(audio)
        _add_sound(stage, audio, project, workspace)


def _stage_without_file(session: Session, task_id: TaskId) -> Stage:
    """Return a stage to look at annotation with while the video's file is missing."""
    from annotator.services.playback.player import Player
    from annotator.ui.state.stage import Stage

    times = _times_by_rate(session)
    end_s = session.document.video.duration_s
    return Stage(task_id, session, Player(times, end_s), times, end_s, is_missing=True)


def _stage_of_sound(
    project: OpenProject, session: Session, task_id: TaskId, path: Path, workspace: Workspace
) -> Stage:
    """Return a stage for a file that is sound alone: a timeline without pictures."""
    from annotator.media.audio.reader import Audio
    from annotator.services.playback.player import Player
    from annotator.ui.state.stage import Stage

    audio = None if session.viewing.is_silent else Audio(path)
    times, end_s = _times_by_rate(session), session.document.video.duration_s
    stage = Stage(task_id, session, Player(times, end_s, audio), times, end_s)
    if audio is not None:
        _add_sound(stage, audio, project, workspace)
    return stage


def _add_sound(stage: Stage, audio: Audio, project: OpenProject, workspace: Workspace) -> None:
    """Show the sound; it is measured in the background and kept for next time."""
    from annotator.services.sound.soundscape import Soundscape
    from annotator.services.sound.streams import SoundChoice, SoundTracks

    video_id = stage.session.document.video.id
    sound = Soundscape(
        audio.path,
        post=workspace.bridge.post,
        origin_s=audio.origin_s,
        until_s=audio.until_s,
        cache_folder=paths.cache_dir() / "sounds",
    )
    stage.has_sound, stage.sound = True, sound
    stage.tracks = SoundTracks(
        audio,
        stage.player,
        sound,
        remember=lambda choice: project.save_sound_choice(video_id, choice.stream, choice.channel),
        choice=SoundChoice(*project.sound_choice(video_id)),
    )


def _times_by_rate(session: Session) -> NDArray[np.float64]:
    import numpy as np

    if session.table_bytes is not None:
        from annotator.media import FrameTable

        return FrameTable.from_bytes(session.table_bytes).times
    video = session.document.video
    return np.arange(video.n_frames, dtype=np.float64) / (video.frame_rate or 30.0)


def _sound(seen: SeenVideo) -> tuple[Audio | None, tuple[str, ...]]:
    """Return the first sound track as far as it may be heard; one that is broken is no reason."""
    from annotator.services.project.restricted_video import open_sound

    try:
        return open_sound(seen), ()
    except MediaError as error:
        return None, (f"Cannot play the audio: {error.text}",)


def _badges(table: FrameTable) -> tuple[str, ...]:
    badges = []
    if table.is_variable_rate:
        badges.append("VFR")
    if table.orientation.rotation:
        badges.append(f"{table.orientation.rotation}°")
    return tuple(badges)


def _proposing(session: Session, workspace: Workspace) -> Proposing:
    from annotator.services.assist.proposal_updates import Proposing
    from annotator.services.assist.tracker_client import AssistWorker

    tracker = workspace.settings.text("proposals.tracker")
    return Proposing(
        session,
        AssistWorker,
        post=workspace.bridge.post,
        tracker=tracker,
        hidden_is_absent=lambda: workspace.hidden_is_absent,
    )


def _take_files(window: MainWindow, files: Sequence[Path]) -> None:
    # A dialog must not keep the window from being complete.
    QTimer.singleShot(0, window, partial(window.assembly.drops.take, files))


def _offer_crash_reports(window: MainWindow) -> None:
    """Show what happened before, and what happens from now on."""
    from annotator.ui.dialogs.crash_dialog import CrashDialog

    def show(reports: list[log.CrashReport]) -> None:
        if reports:
            CrashDialog(reports, window).open()
            for report in reports:
                log.mark_seen(report)

    show(log.pending_crash_reports())
    post = window.context.workspace.bridge.post
    log.on_crash(lambda report: post(lambda: show([report])))


def _close_on_signal(app: QApplication) -> None:
    """Close in order on Ctrl+C, at logout, and when the terminal is closed.

    A second signal ends the program at once. Qt's loop alone would not let Python hear of any.
    """
    ours, pythons = socket.socketpair()
    pythons.setblocking(False)
    ours.setblocking(False)
    notifier = QSocketNotifier(ours.fileno(), QSocketNotifier.Type.Read, app)

    def close() -> None:
        number = ours.recv(1)[0]
        if number in _CLOSING:
            signal.signal(number, signal.SIG_DFL)
            # Dialogs first: one that stays open would keep the window open.
            app.closeAllWindows()

    notifier.activated.connect(close)
    for number in _CLOSING:
        signal.signal(number, lambda _number, _frame: None)
    signal.set_wakeup_fd(pythons.fileno())
    # The sockets must live as long as the notifier does.
    notifier.setProperty("sockets", (ours, pythons))


def _on_qt_message(kind: QtMsgType, _context: QMessageLogContext, text: str) -> None:
    levels = {
        QtMsgType.QtDebugMsg: logging.DEBUG,
        QtMsgType.QtInfoMsg: logging.INFO,
        QtMsgType.QtWarningMsg: logging.WARNING,
    }
    _qt_log.log(levels.get(kind, logging.ERROR), text)
