"""Draws the pictures of the guide: ``python packaging/guide_pictures.py [NAME ...]``.

The demo projects are made in a temporary folder and opened in a window without a display. Each
picture is a function below; its name is that of the file in ``resources/guide/images``. Without
NAME all are drawn, which takes about three minutes.
"""

from __future__ import annotations

import getpass
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# The lead of the demo projects has the name of the person at the computer.
os.environ["LOGNAME"] = "Lea"

from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtWidgets import QApplication, QScrollArea, QTableView, QTabWidget, QWidget

from annotator import app
from annotator.domain.annotation.attributes import AppliesTo, Attribute, AttributeKind
from annotator.domain.annotation.comment import Pin
from annotator.domain.commands import (
    AddComment,
    CreatePoint,
    CreateTrack,
    SetKeyframe,
    SetPoint,
)
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import CommentId, new_id, point_id, track_id
from annotator.services.background.jobs import JobToken
from annotator.services.demo.demo_project import make_demo
from annotator.services.demo.demo_story import demos
from annotator.services.demo.first_demo import create_demo
from annotator.services.settings import Settings
from annotator.services.transfer import export_project
from annotator.services.transfer.snapshot import ExportRequest
from annotator.ui.commands.transfer_actions import Import
from annotator.ui.dialogs.project.attributes_dialog import AttributesDialog
from annotator.ui.dialogs.proposal_gallery import ProposalGallery
from annotator.ui.lead.setup.new_project import NewProjectDialog
from annotator.ui.lead.window import LeadWindow

IMAGES: Final = Path(__file__).resolve().parent.parent / "resources" / "guide" / "images"
WIDTH, HEIGHT = 1280, 800

# On "mug.mp4", in image pixels.
MUG: Final = (
    (0, Box(142, 9, 328, 198)),
    (60, Box(139, 2, 326, 191)),
    (100, Box(131, 3, 319, 193)),
    (140, Box(133, 0, 326, 185)),
)
WATCH: Final = (
    (0, Box(402, 24, 454, 118)),
    (60, Box(400, 22, 450, 116)),
    (140, Box(395, 22, 445, 116)),
)
HANDLE: Final = (Point(959, 449), Point(886, 362))  # on the first and the last frame
# Points of a mug, as shares of its box.
PLACES: Final = (("handle", 0.96, 0.4), ("rim", 0.4, 0.06), ("bottom", 0.4, 0.95))
MATERIALS: Final = ("glass", "steel", "plastic")

Picture = Callable[["Studio"], QWidget]
PICTURES: dict[str, tuple[str, str, Picture]] = {}
"""Demo, theme and what is drawn of it, by the name of the file."""


def picture(demo: str, theme: str = "light") -> Callable[[Picture], Picture]:
    """Register a function as a picture: ``review_side`` becomes ``review-side.png``."""

    def register(draw: Picture) -> Picture:
        PICTURES[draw.__name__.replace("_", "-")] = demo, theme, draw
        return draw

    return register


class Studio:
    """A window on a copy of a demo project, and hands for it."""

    def __init__(self, demo: str, theme: str, folder: Path) -> None:
        self.folder = folder
        settings = Settings(folder / "settings.toml")
        settings.set("appearance.theme", theme)
        settings.set("proposals.automatic", False)
        settings.set("objects.ask_name", False)
        app.make_application(settings)
        self.window = app.make_window(settings, remembers_place=False)
        self.window.resize(WIDTH, HEIGHT)
        self.window.show()
        path = create_demo(folder) if demo == "demo" else make_demo(demo, folder, lambda _: None)
        self.context = self.window.context
        self.context.projects.open_path(path)
        wait(1500)

    def close(self) -> None:
        for each in QApplication.topLevelWidgets():
            each.close()
        self.window.deleteLater()
        wait(300)

    def sign_in(self, name: str) -> None:
        project = self.context.workspace.project
        (person,) = (each for each in project.work.people.all() if each.name == name)
        self.context.workspace.sign_in(person.id)
        wait(800)

    def claim(self, kind: str, stage: str) -> None:
        self.context.tasks.claim_next(kind, stage)
        assert self.context.workspace.stage is not None, (kind, stage)
        wait(2500)

    def run(self, action_id: str, ms: int = 800) -> None:
        self.context.updates.refresh()
        self.context.table.run(action_id)
        wait(ms)

    def go_to(self, frame: int) -> None:
        self.context.workspace.stage.player.seek(frame)
        wait(900)
        self.context.updates.refresh()

    def select(self, *names: str) -> None:
        desk = self.context.workspace
        ids = [t.id for t in desk.session.document.tracks if t.label in names]
        assert len(ids) == len(names)
        desk.selection.set_tracks(ids)
        wait(400)

    def draw(self, name: str, *boxes: tuple[int, Box]) -> None:
        session, new = self.context.workspace.session, track_id()
        session.run(CreateTrack(new, name, boxes[0][0], boxes[0][1]))
        for frame, box in boxes[1:]:
            session.run(SetKeyframe(new, frame, box))
        wait(300)

    def submit(self) -> None:
        desk = self.context.workspace
        desk.project.work.submit(desk.session)
        wait(800)

    def export(self, name: str) -> Path:
        """Write the annotations to a file; return where."""
        request = ExportRequest(self.folder / name)
        export_project(self.context.workspace.project, request, JobToken(lambda *_: None))
        return request.path

    def annotate(self) -> None:
        """Draw in a task of tracks as Ann."""
        self.sign_in("Ann")
        self.claim("object-tracks", "annotate")
        self.draw("blue mug", *MUG)
        self.draw("watch", *WATCH)

    def review(self) -> None:
        """Verify as Vera what Ben changed of Ann's tracks."""
        self.annotate()
        self.submit()
        self.sign_in("Ben")
        self.claim("object-tracks", "check")
        session = self.context.workspace.session
        (watch,) = (each for each in session.document.tracks if each.label == "watch")
        session.run(SetKeyframe(watch.id, 60, Box(393, 16, 456, 128)))
        self.submit()
        self.sign_in("Vera")
        self.claim("object-tracks", "verify")
        session = self.context.workspace.session
        pin = Pin(frame=60, track_id=watch.id)
        vera = self.context.workspace.person.id
        asked = "Does the strap belong to it?"
        session.run(AddComment(CommentId(new_id()), vera, int(time.time() * 1000), asked, pin))
        self.context.docks.show("changes")
        self.go_to(60)
        self.select("watch")
        self.context.docks.show("changes")
        wait(600)

    def lead(self, page: str, part: str = "") -> LeadWindow:
        me = self.context.workspace.project.work.me
        self.sign_in(me.name)
        self.run("lead.board", 1500)
        lead = self.window.assembly.lead_actions.window
        lead.setWindowState(Qt.WindowState.WindowNoState)  # a small screen maximizes it
        lead.resize(WIDTH, 720)
        wait(1500)
        shown = getattr(lead, page)
        lead.tabs.setCurrentWidget(shown)
        wait(1500)
        for tabs in shown.findChildren(QTabWidget) if part else ():
            found = [i for i in range(tabs.count()) if tabs.tabText(i) == part]
            tabs.setCurrentIndex(found[0])
            wait(2000)
        # No frame of the focus round the name of the page.
        shown.setFocus()
        wait(200)
        return lead

    def dialog(self, ask: Callable[[], object], ms: int = 1200) -> QWidget:
        """Return a copy of the dialog that ``ask`` shows; it is rejected."""
        found: list[Still] = []

        def take() -> None:
            shown = QApplication.activeModalWidget()
            if shown is not None:
                found.append(Still(shown))
                shown.close()

        QTimer.singleShot(ms, take)
        ask()
        assert found, "no dialog was shown"
        return found[0]


class Still(QWidget):
    """A widget as it looked at one moment."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__()
        self._image = widget.grab()

    def grab(self, *_: object) -> object:
        return self._image


def wait(ms: int) -> None:
    """Let the window work for a while."""
    loop = QEventLoop()
    QTimer.singleShot(ms, loop.quit)
    loop.exec()


# The first demo: one person, one video


@picture("demo")
def window(studio: Studio) -> QWidget:
    studio.go_to(90)
    studio.select("kettle")
    return studio.window


@picture("demo", "dark")
def window_dark(studio: Studio) -> QWidget:
    studio.go_to(150)
    studio.select("watch")
    return studio.window


@picture("demo")
def boxes_several(studio: Studio) -> QWidget:
    studio.go_to(60)
    studio.select("kettle", "watch")
    return studio.window


@picture("perception-test")
def proposal_gallery(studio: Studio) -> QWidget:
    studio.sign_in("Ann")
    studio.claim("object-tracks", "annotate")
    studio.draw("blue mug", MUG[0])
    studio.select("blue mug")
    studio.run("proposal.run", 9000)
    return gallery_of(studio)


@picture("perception-test")
def point_gallery(studio: Studio) -> QWidget:
    studio.sign_in("Ann")
    studio.claim("point-tracks", "annotate")
    session = studio.context.workspace.session
    (mug,) = (each for each in session.document.tracks if each.label == "blue mug")
    point = point_id()
    session.run(CreatePoint(point, mug.id, "handle", 0, HANDLE[0]))
    session.run(SetPoint(point, session.document.video.n_frames - 1, HANDLE[1]))
    studio.context.workspace.selection.set_points(mug.id, [point])
    studio.run("proposal.run", 20000)
    return gallery_of(studio)


def gallery_of(studio: Studio) -> ProposalGallery:
    """Return the gallery of what is selected, with its pictures."""
    studio.run("proposal.gallery", 4000)
    gallery = QApplication.activeWindow()
    assert isinstance(gallery, ProposalGallery)
    gallery.setWindowState(Qt.WindowState.WindowNoState)  # a small screen maximizes it
    gallery.resize(WIDTH, 720)
    wait(1500)
    return gallery


@picture("demo")
def actions(studio: Studio) -> QWidget:
    studio.go_to(90)
    desk = studio.context.workspace
    desk.selection.set_segment(desk.session.document.segments[0].id)
    wait(500)
    return studio.window


@picture("demo")
def new_project(studio: Studio) -> QWidget:
    dialog = NewProjectDialog(studio.context.workspace, Path("/home"), studio.window)
    dialog.name.setText("Kitchen")
    dialog.show()
    wait(600)
    return dialog


@picture("demo")
def import_plan(studio: Studio) -> QWidget:
    path = studio.export("kitchen.json")
    window = studio.window
    choose = Import(studio.context.workspace, window, studio.context.panels.tasks.reload)
    return studio.dialog(lambda: (choose.start(path), wait(2500)), 1500)


@picture("demo")
def attribute_editor(studio: Studio) -> QWidget:
    material = Attribute("material", "Material", AttributeKind.CHOICE, MATERIALS)
    kinds = (AppliesTo.OBJECT, AppliesTo.POINT)
    dialog = AttributesDialog("Attributes of objects and points", (material,), kinds, studio.window)
    dialog.show()
    wait(600)
    return dialog


# Perception Test: raters


@picture("perception-test")
def my_work(studio: Studio) -> QWidget:
    studio.sign_in("Ben")
    return studio.window


@picture("perception-test", "dark")
def rater_dark(studio: Studio) -> QWidget:
    studio.annotate()
    studio.go_to(60)
    studio.select("blue mug")
    return studio.window


@picture("perception-test")
def submit(studio: Studio) -> QWidget:
    studio.annotate()
    return studio.dialog(lambda: studio.run("task.submit"))


@picture("perception-test")
def points(studio: Studio) -> QWidget:
    studio.sign_in("Ann")
    studio.claim("point-tracks", "annotate")
    session = studio.context.workspace.session
    (mug,) = (each for each in session.document.tracks if each.label == "blue mug")
    for label, across, down in PLACES:
        point = point_id()
        for frame in range(0, session.document.video.n_frames, 8):
            box = mug.state_at(frame).box
            if box is None:
                continue
            at = Point(box.x1 + across * (box.x2 - box.x1), box.y1 + down * (box.y2 - box.y1))
            if frame == 0:
                session.run(CreatePoint(point, mug.id, label, 0, at))
            else:
                session.run(SetPoint(point, frame, at))
    studio.go_to(120)
    studio.context.workspace.selection.set_points(mug.id, [session.document.points[0].id])
    studio.run("view.curves")
    return studio.window


# Perception Test: reviewers


@picture("perception-test")
def review(studio: Studio) -> QWidget:
    studio.review()
    return studio.window


@picture("perception-test", "dark")
def review_swipe_dark(studio: Studio) -> QWidget:
    studio.review()
    studio.run("review.swipe", 1500)
    return studio.window


@picture("perception-test")
def review_side(studio: Studio) -> QWidget:
    studio.review()
    studio.run("review.side", 1500)
    return studio.window


@picture("perception-test", "dark")
def send_back_dark(studio: Studio) -> QWidget:
    studio.review()
    return studio.dialog(lambda: studio.run("task.send-back"))


# Perception Test: questions


@picture("perception-test")
def questions(studio: Studio) -> QWidget:
    studio.sign_in("Milo")
    studio.claim("questions", "answer")
    return studio.window


@picture("perception-test")
def recipe_perception_test_grounded(studio: Studio) -> QWidget:
    studio.sign_in("Milo")
    studio.claim("grounded-questions", "answer")
    return studio.window


# Perception Test: the lead


@picture("perception-test")
def lead_board(studio: Studio) -> QWidget:
    lead = studio.lead("board")
    max(lead.board.findChildren(QTableView), key=lambda table: table.width()).selectRow(3)
    wait(1500)
    return lead


@picture("perception-test", "dark")
def lead_board_dark(studio: Studio) -> QWidget:
    return lead_board(studio)


@picture("perception-test")
def lead_numbers(studio: Studio) -> QWidget:
    return studio.lead("numbers")


@picture("perception-test")
def answers_agreement(studio: Studio) -> QWidget:
    lead = studio.lead("answers", "Inter-rater agreement")
    box = lead.answers.agreement
    box.kind.setCurrentText("Multiple choice")
    box.start.click()
    wait(4000)
    return lead


@picture("perception-test")
def answers_open(studio: Studio) -> QWidget:
    return studio.lead("answers", "Open answers")


@picture("perception-test")
def lead_studies(studio: Studio) -> QWidget:
    return studio.lead("studies")


# The other benchmarks


@picture("pacs")
def recipe_pacs_checks(studio: Studio) -> QWidget:
    return studio.lead("grading")


@picture("pacs")
def recipe_pacs_studies(studio: Studio) -> QWidget:
    return studio.lead("studies")


@picture("pacs")
def recipe_pacs_look(studio: Studio) -> QWidget:
    studio.sign_in("Lea")
    studio.claim("look", "look")
    return studio.window


@picture("pacs", "dark")
def recipe_pacs_pair(studio: Studio) -> QWidget:
    studio.sign_in("Lea")
    studio.claim("confirm", "answer")
    return studio.window


@picture("neptune")
def recipe_neptune_judge(studio: Studio) -> QWidget:
    studio.sign_in("Lea")
    studio.claim("judge", "judge")
    return studio.window


@picture("neptune")
def recipe_neptune_answers(studio: Studio) -> QWidget:
    return studio.lead("answers")


@picture("video-tt")
def recipe_video_tt_study(studio: Studio) -> QWidget:
    return studio.lead("studies")


@picture("video-tt")
def recipe_video_tt_answers(studio: Studio) -> QWidget:
    return studio.lead("answers")


@picture("video-tt")
def recipe_video_tt_hours(studio: Studio) -> QWidget:
    lead = studio.lead("numbers")
    (area,) = lead.numbers.findChildren(QScrollArea)
    area.verticalScrollBar().setValue(lead.numbers.hours.y())
    wait(500)
    return lead


def main(names: list[str]) -> int:
    """Draw the named pictures, or all; return 0, or 2 for a name that is none."""
    unknown = [name for name in names if name not in PICTURES]
    if unknown:
        sys.stderr.write(f"Unknown: {', '.join(unknown)}. Known: {', '.join(PICTURES)}\n")
        return 2
    assert getpass.getuser() == "Lea"
    assert {demo for demo, _, _ in PICTURES.values()} <= {"demo", *demos()}
    IMAGES.mkdir(exist_ok=True)
    for name in names or PICTURES:
        demo, theme, draw = PICTURES[name]
        with tempfile.TemporaryDirectory() as folder:
            studio = Studio(demo, theme, Path(folder))
            draw(studio).grab().save(str(IMAGES / f"{name}.png"))
            studio.close()
        sys.stdout.write(f"{name}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
