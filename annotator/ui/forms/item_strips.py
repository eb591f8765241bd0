"""Strips above a question: the items of a task, and images of the objects in focus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QHelpEvent,
    QImage,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
)
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolTip, QVBoxLayout, QWidget

from annotator.domain.forms.restricted_view import Extent, Viewing
from annotator.services.questions.asking.item_references import (
    ReferencePicture,
    pictures_of,
    references_of,
)
from annotator.ui.look.theme import ThemeHub
from annotator.ui.look.widgets import plain

if TYPE_CHECKING:
    from annotator.domain.ids import VideoId
    from annotator.services.background.jobs import Job
    from annotator.ui.forms.question_session import QuestionSession
    from annotator.ui.state.workspace import Workspace


def viewing_words(viewing: Viewing) -> tuple[str, ...]:
    """Return the hidden parts of a viewing as texts, () for none."""
    if viewing.extent is Extent.MIDDLE_FRAME:
        return (_tr("one frame"),)
    words = []
    if viewing.extent is Extent.BEFORE_CUT:
        words.append(_tr("up to the cut frame"))
    if viewing.is_muted:
        words.append(_tr("without sound"))
    return tuple(words)


def _tr(text: str) -> str:
    return QCoreApplication.translate("viewing", text)


_SIDE: Final = 12
_GAP: Final = 3


@dataclass(frozen=True, slots=True)
class ItemMark:
    """State of an item."""

    is_done: bool
    is_flagged: bool = False


class ProgressStrip(QWidget):
    """One cell per item, in several lines if needed; a click opens the item."""

    chosen = Signal(int)

    def __init__(self, hub: ThemeHub, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._hub = hub
        self._marks: tuple[ItemMark, ...] = ()
        self._at = 0
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName(self.tr("Progress"))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        hub.changed.connect(self.update)

    def set_marks(self, marks: Sequence[ItemMark], at: int) -> None:
        """Show the state of the items, and the current one."""
        is_longer = len(marks) != len(self._marks)
        self._marks, self._at = tuple(marks), at
        done = sum(1 for mark in self._marks if mark.is_done)
        words = self.tr("{done} of {n} answered").format(done=done, n=len(self._marks))
        self.setAccessibleDescription(words)
        if is_longer:
            self.updateGeometry()
        self.update()

    def rect_of(self, index: int) -> QRectF:
        """Return where the field of an item is."""
        row, column = divmod(index, self._columns(self.width()))
        step = _SIDE + _GAP
        return QRectF(column * step, row * step, _SIDE, _SIDE)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        rows = -(-max(1, len(self._marks)) // self._columns(width))
        return rows * (_SIDE + _GAP)

    def sizeHint(self) -> QSize:
        return QSize(160, self.heightForWidth(max(160, self.width())))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._hub.theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for i, mark in enumerate(self._marks):
            rect = self.rect_of(i).adjusted(1, 1, -1, -1)
            if i == self._at:
                painter.setPen(QPen(theme.color("focus"), 2))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(rect, 3, 3)
                rect = rect.adjusted(2.5, 2.5, -2.5, -2.5)
            painter.setPen(QPen(theme.color("border_strong"), 1))
            is_filled = mark.is_done and not mark.is_flagged
            painter.setBrush(theme.color("accent" if is_filled else "surface"))
            painter.drawRoundedRect(rect, 2, 2)
            if mark.is_flagged:
                painter.setPen(QPen(theme.color("warning"), 2))
                painter.drawLine(rect.topLeft(), rect.bottomRight())
                painter.drawLine(rect.topRight(), rect.bottomLeft())
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self._at_place(event.position().x(), event.position().y())
        if index is not None:
            self.chosen.emit(index)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            index = self._at_place(event.pos().x(), event.pos().y())
            QToolTip.showText(event.globalPos(), self._tip(index), self)
            return True
        return super().event(event)

    def _tip(self, index: int | None) -> str:
        if index is None:
            return ""
        mark = self._marks[index]
        words = self.tr("answered") if mark.is_done else self.tr("open")
        if mark.is_flagged:
            words = self.tr("flagged")
        return f"{index + 1}: {words}"

    def _columns(self, width: int) -> int:
        return max(1, (width + _GAP) // (_SIDE + _GAP))

    def _at_place(self, x: float, y: float) -> int | None:
        for i in range(len(self._marks)):
            if self.rect_of(i).adjusted(-_GAP, -_GAP, 0, 0).contains(x, y):
                return i
        return None


_RED: Final = QColor(255, 0, 0)
_LINE: Final = 2.0
_HEIGHT: Final = 110


class ReferencePane(QWidget):
    """One picture as large as fits, with its box in red."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._whole: QPixmap | None = None
        self.picture: ReferencePicture | None = None

    def show_picture(self, picture: ReferencePicture | None) -> None:
        """Show a picture; None leaves the place empty."""
        self.picture, self._whole = picture, None
        if picture is not None:
            height, width = picture.rgb.shape[:2]
            line = QImage.Format.Format_RGB888
            image = QImage(picture.rgb.data, width, height, 3 * width, line)
            self._whole = QPixmap.fromImage(image.copy())
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(180, _HEIGHT)

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._whole is None or self.picture is None:
            return
        scale = min(self.width() / self._whole.width(), self.height() / self._whole.height())
        width, height = self._whole.width() * scale, self._whole.height() * scale
        left, top = (self.width() - width) / 2, (self.height() - height) / 2
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        target = QRectF(left, top, width, height)
        painter.drawPixmap(target, self._whole, QRectF(self._whole.rect()))
        box = self.picture.box.box
        x, y = left + box.x1 * scale, top + box.y1 * scale
        painter.setPen(QPen(_RED, _LINE))
        painter.drawRect(QRectF(x, y, box.width * scale, box.height * scale))
        painter.end()


class ReferenceStrip(QWidget):
    """The pictures of a task, numbered as its videos are; hidden where nothing is boxed."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self._workspace = workspace
        self._job: Job[list[ReferencePicture | None]] | None = None
        self._shown: object = None
        self.panes: list[ReferencePane] = []
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self.hide()

    def follow(self, asking: QuestionSession) -> None:
        """Show the references of the current task, unless they are already shown."""
        session, project = self._workspace.session, self._workspace.project
        boxes = references_of(asking.items)
        videos = next((item.video_ids for item in asking.items if item.boxes == boxes), ())
        state_shown = (session.task_id, boxes) if session is not None and boxes else None
        if state_shown == self._shown:
            return
        self._shown = state_shown
        if self._job is not None:
            self._job.cancel()
            self._job = None
        self._lay_out(videos if state_shown is not None else ())
        if state_shown is None or session is None or project is None:
            return
        seen_videos = [project.restricted_video(video_id, session.viewing) for video_id in videos]
        self._job = self._workspace.jobs.submit(
            self.tr("Object images"),
            partial(pictures_of, seen_videos, boxes),
            self._on_made,
            is_quiet=True,
        )

    def _lay_out(self, videos: Sequence[VideoId]) -> None:
        while (old := self._row.takeAt(0)) is not None:
            widget = old.widget()
            if widget is not None:
                widget.deleteLater()
        self.panes = []
        for number in range(1, len(videos) + 1):
            pane = ReferencePane(self.tr("Object {n} with box").format(n=number))
            self.panes.append(pane)
            self._row.addWidget(self._titled(number, pane), 1)
        self.setVisible(bool(videos))

    def _titled(self, number: int, pane: ReferencePane) -> QWidget:
        made = QWidget()
        column = QVBoxLayout(made)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        title = plain(QLabel(self.tr("Object {n}").format(n=number)))
        title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column.addWidget(title)
        column.addWidget(pane)
        return made

    def _on_made(self, found: Sequence[ReferencePicture | None]) -> None:
        self._job = None
        for pane, picture in zip(self.panes, found, strict=False):
            pane.show_picture(picture)
