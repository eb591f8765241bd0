"""Images of the focus objects of two videos, above the question."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from annotator.services.questions.asking.pointing import MeantPicture, meant_in, pictures_of
from annotator.ui.look.plain import plain

if TYPE_CHECKING:
    from annotator.domain.ids import VideoId
    from annotator.services.background.jobs import Job
    from annotator.ui.forms.asking import Asking
    from annotator.ui.state.desk import Desk

_RED: Final = QColor(255, 0, 0)
_LINE: Final = 2.0
_HEIGHT: Final = 110


class MeantPane(QWidget):
    """One picture as large as fits, with its box in red."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._whole: QPixmap | None = None
        self.picture: MeantPicture | None = None

    def show_picture(self, picture: MeantPicture | None) -> None:
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


class MeantStrip(QWidget):
    """The pictures of a task, numbered as its videos are; hidden where nothing is boxed."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._job: Job[list[MeantPicture | None]] | None = None
        self._shown: object = None
        self.panes: list[MeantPane] = []
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self.hide()

    def follow(self, asking: Asking) -> None:
        """Show what is meant in the task at hand; does nothing while that is shown already."""
        session, project = self._desk.session, self._desk.project
        boxes = meant_in(asking.items)
        videos = next((item.video_ids for item in asking.items if item.boxes == boxes), ())
        wanted = (session.task_id, boxes) if session is not None and boxes else None
        if wanted == self._shown:
            return
        self._shown = wanted
        if self._job is not None:
            self._job.cancel()
            self._job = None
        self._lay_out(videos if wanted is not None else ())
        if wanted is None or session is None or project is None:
            return
        seen = [project.seen(video_id, session.viewing) for video_id in videos]
        self._job = self._desk.jobs.submit(
            self.tr("Object images"),
            partial(pictures_of, seen, boxes),
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
            pane = MeantPane(self.tr("Object {n} with box").format(n=number))
            self.panes.append(pane)
            self._row.addWidget(self._titled(number, pane), 1)
        self.setVisible(bool(videos))

    def _titled(self, number: int, pane: MeantPane) -> QWidget:
        made = QWidget()
        column = QVBoxLayout(made)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        title = plain(QLabel(self.tr("Object {n}").format(n=number)))
        title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column.addWidget(title)
        column.addWidget(pane)
        return made

    def _on_made(self, found: Sequence[MeantPicture | None]) -> None:
        self._job = None
        for pane, picture in zip(self.panes, found, strict=False):
            pane.show_picture(picture)
