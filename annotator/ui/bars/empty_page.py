"""The page that is shown while no project is open: actions, and the recent projects."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from PySide6.QtCore import (
    QLocale,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QAction, QIcon, QImage, QImageReader, QPainter, QPixmap
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from annotator import paths
from annotator.services.background.jobs import JobToken
from annotator.ui.look.texts import moment_text
from annotator.ui.look.theme import ThemeHub
from annotator.ui.look.widgets import plain
from annotator.ui.look.widgets import tip as plain_tip
from annotator.ui.state.workspace import Workspace

_MOST: Final = 6
_WIDTH_PX: Final = 560
_PICTURE: Final = QSize(80, 45)
_ROW_PX: Final = _PICTURE.height() + 12
_KEPT_MAX_BYTES: Final = 1 << 20
_PATH: Final = Qt.ItemDataRole.UserRole


class RecentProject(NamedTuple):
    """A project file: when it was changed (seconds since 1970, None if missing), size in bytes."""

    path: Path
    changed: int | None
    size: int
    picture: QImage | None = None


class RecentProjects(QWidget):
    """Recent projects with folder, last change and size; files are read in a job."""

    openWanted = Signal(object)  # Path

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self._workspace = workspace
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Recent projects"))
        self.list.setFixedWidth(_WIDTH_PX)
        self.list.setIconSize(_PICTURE)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.itemActivated.connect(self._on_item_activated)
        self.list.itemClicked.connect(self._on_item_activated)
        heading = QLabel(self.tr("Recent projects"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 12, 0, 0)
        layout.addWidget(heading)
        layout.addWidget(self.list)
        self.hide()

    def refresh(self) -> None:
        """Look for the projects, and list them."""
        places = self._workspace.settings.recent[:_MOST]
        if not places or self._workspace.jobs.is_closed:
            self.hide()
            return
        self._workspace.jobs.submit(
            "Recent projects", lambda token: look(places, token), self._show, is_quiet=True
        )

    def _show(self, found: list[RecentProject]) -> None:
        self.list.clear()
        for each in found:
            row = QListWidgetItem(self._icon(each), f"{each.path.stem}\n{self._words(each)}")
            row.setSizeHint(QSize(_WIDTH_PX - 8, _ROW_PX))
            row.setToolTip(plain_tip(str(each.path)))
            row.setData(_PATH, str(each.path))
            if each.changed is None:
                row.setFlags(row.flags() & ~Qt.ItemFlag.ItemIsEnabled)
            self.list.addItem(row)
        self.list.setFixedHeight(min(len(found), _MOST) * _ROW_PX + 6)
        self.setVisible(bool(found))

    def _icon(self, recent: RecentProject) -> QIcon:
        """Return the picture of a project, in the middle of a field that is always as large."""
        theme, ratio = self._workspace.hub.theme, self.devicePixelRatioF()
        field = QPixmap(_PICTURE * ratio)
        field.setDevicePixelRatio(ratio)
        field.fill(theme.color("raised"))
        painter = QPainter(field)
        if recent.picture is None:
            room = QRect(0, 10, _PICTURE.width(), _PICTURE.height() - 20)
            theme.icon("project", token="text_dim").paint(painter, room)
        else:
            keep = Qt.AspectRatioMode.KeepAspectRatio
            smooth = Qt.TransformationMode.SmoothTransformation
            image = recent.picture.scaled(_PICTURE * ratio, keep, smooth)
            image.setDevicePixelRatio(ratio)
            free = (_PICTURE - image.deviceIndependentSize().toSize()) / 2
            painter.drawImage(QPoint(free.width(), free.height()), image)
        painter.end()
        return QIcon(field)

    def _words(self, found: RecentProject) -> str:
        folder = str(found.path.parent)
        if found.changed is None:
            return self.tr("{folder} · not found").format(folder=folder)
        day = moment_text(1000 * found.changed)
        size = self.locale().formattedDataSize(
            found.size, 1, QLocale.DataSizeFormat.DataSizeSIFormat
        )
        return f"{day} · {size} · {folder}"

    @Slot(QListWidgetItem)
    def _on_item_activated(self, row: QListWidgetItem) -> None:
        self.openWanted.emit(Path(str(row.data(_PATH))))


def look(places: Sequence[Path], token: JobToken) -> list[RecentProject]:
    """Return facts about project files; slow on network folders."""
    found = []
    for path in places:
        token.check()
        try:
            told = path.stat()
        except OSError:
            found.append(RecentProject(path, None, 0))
            continue
        found.append(RecentProject(path, int(told.st_mtime), told.st_size, _kept_picture(path)))
    return found


def picture_path(project: Path) -> Path:
    """Return where the picture of a project is kept: in a folder of the cache closed to others."""
    folder = paths.cache_dir() / "projects"
    name = hashlib.sha256(str(project.absolute()).encode("utf-8", "surrogateescape")).hexdigest()
    return folder / f"{name[:32]}.png"


def _kept_picture(project: Path) -> QImage | None:
    """Return the picture kept of a project, None where there is none that can be read."""
    try:
        path = picture_path(project)
        if path.stat().st_size > _KEPT_MAX_BYTES:
            return None
    except OSError:
        return None
    reader = QImageReader(str(path))
    reader.setAutoDetectImageFormat(False)
    reader.setFormat(b"png")
    image = reader.read()
    return None if image.isNull() else image


_TEXT_WIDTH_PX = 360


class EmptyPage(QWidget):
    """A sign, a heading, a sentence and a few actions."""

    def __init__(
        self, hub: ThemeHub, icon: str, heading: str, text: str, actions: Sequence[QAction]
    ) -> None:
        super().__init__()
        self._hub = hub
        self._icon = icon
        self._sign = plain(QLabel())
        self._sign.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.heading = plain(QLabel(heading))
        font = self.heading.font()
        font.setPointSizeF(font.pointSizeF() * 1.6)
        self.heading.setFont(font)
        self.heading.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.text = plain(QLabel())
        # Names of files are shown as they are written, also when they look like markup.
        self.text.setTextFormat(Qt.TextFormat.PlainText)
        self.text.setWordWrap(True)
        self.text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.text.setFixedWidth(_TEXT_WIDTH_PX)
        self.say(text)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        for action in actions:
            button = QToolButton()
            button.setDefaultAction(action)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            button.setMinimumHeight(34)
            buttons.addWidget(button)
        buttons.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setSpacing(12)
        layout.addStretch(2)
        layout.addWidget(self._sign)
        layout.addWidget(self.heading)
        layout.addWidget(self.text, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addLayout(buttons)
        self._column = layout
        layout.addStretch(3)
        hub.changed.connect(self._dress)
        self._dress()

    def say(self, text: str) -> None:
        """Show another text below the heading."""
        self.text.setText(text)
        # A layout asks a wrapped text for its height before it knows the width.
        self.text.setMinimumHeight(max(0, self.text.heightForWidth(_TEXT_WIDTH_PX)))

    def add_below(self, widget: QWidget) -> None:
        """Put something below the buttons."""
        at = self._column.count() - 1
        self._column.insertWidget(at, widget, 0, Qt.AlignmentFlag.AlignHCenter)

    @Slot()
    def _dress(self) -> None:
        icon = self._hub.theme.icon(self._icon, token="text_dim", size=64)
        self._sign.setPixmap(icon.pixmap(64, 64))
