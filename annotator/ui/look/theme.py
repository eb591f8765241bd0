"""Colors, icons and initials of people: the shipped themes on Qt's Fusion style.

Widgets take a ``ThemeHub``, ask its ``theme`` when they paint and repaint on ``changed``; they
never keep a color.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING
from zlib import crc32

from PySide6.QtCore import QByteArray, QObject, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtWidgets import QApplication, QToolTip

from annotator import paths

if TYPE_CHECKING:
    from PySide6.QtSvg import QSvgRenderer

    from annotator.domain.annotation.labels import Label

SYSTEM = "system"
_ICON_SIZES = (16, 24)
_NEEDS_DARK_TEXT = 0.2  # luminance


@dataclass(frozen=True, eq=False)
class Theme:
    """One set of colors, named by their purpose (see ``resources/themes/light.toml``)."""

    name: str
    title: str
    is_dark: bool
    colors: dict[str, QColor]
    object_colors: tuple[QColor, ...]

    def color(self, token: str) -> QColor:
        """Return the color of a token; KeyError for a name the theme files do not have."""
        return self.colors[token]

    def object_color(self, index: int) -> QColor:
        """Return the color of an object; the palette starts again where it ends."""
        return self.object_colors[index % len(self.object_colors)]

    def label_color(self, label: Label) -> QColor:
        """Return the color of a label: the one its set gives it, else one by its number."""
        return self.object_color(label.id if label.color is None else label.color)

    def avatar(self, person_id: str, name: str, side: int = 20) -> QIcon:
        """Return a person's initials on a disc of ``side`` device-independent pixels."""
        screen = QGuiApplication.primaryScreen()
        color = self.object_color(crc32(person_id.encode()))
        return _disc(
            initials(name), color.rgb(), side, screen.devicePixelRatio() if screen else 1.0
        )

    def icon(
        self, name: str, *, token: str = "text", size: int = 0, checkable: bool = False
    ) -> QIcon:
        """Return an icon of ``resources/icons`` in a color of this theme.

        ``size`` in device-independent pixels asks for one more rendering besides the usual ones.
        Switched on, a ``checkable`` icon takes the accent; disabled, all take the disabled text's
        color.
        """
        accent = self.color("accent").name() if checkable else ""
        disabled = self.color("text_disabled").name()
        return _icon(name, self.color(token).name(), accent, disabled, size)

    def palette(self) -> QPalette:
        """Return the palette for Qt's own widgets."""
        made = QPalette()
        for role, token in _ROLES.items():
            made.setColor(role, self.color(token))
        disabled = self.color("text_disabled")
        for role in _TEXT_ROLES:
            made.setColor(QPalette.ColorGroup.Disabled, role, disabled)
        made.setColor(
            QPalette.ColorGroup.Disabled, QPalette.ColorRole.Highlight, self.color("pressed")
        )
        return made

    def apply(self, app: QApplication) -> None:
        """Dress the whole program."""
        from annotator.ui.look.style import FlatStyle

        app.setStyle(FlatStyle(self.colors))
        palette = self.palette()
        app.setPalette(palette)
        QToolTip.setPalette(palette)


class ThemeHub(QObject):
    """The current theme; sends a signal when it changes."""

    changed = Signal()

    def __init__(
        self, name: str = SYSTEM, parent: QObject | None = None, *, guess: str | None = None
    ) -> None:
        """``guess`` is a theme to begin with, until `apply` asks the system for its own."""
        super().__init__(parent)
        self._wanted = name
        self._theme = load_theme(guess if guess in theme_names() else self._resolved())
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._on_system_scheme_changed)

    @property
    def theme(self) -> Theme:
        return self._theme

    @property
    def chosen_name(self) -> str:
        """The chosen name: a theme's, or "system"."""
        return self._wanted

    def choose(self, name: str) -> None:
        """Take another theme, or follow the system, and dress the program in it."""
        self._wanted = name
        self.apply()

    def tint(self) -> None:
        """Set the window colors early; everything else follows with `apply`."""
        QApplication.setPalette(self._theme.palette())

    def apply(self) -> None:
        """Dress the program in the chosen theme; the system's own dialogs are asked to follow."""
        hints = QGuiApplication.styleHints()
        if self._wanted == SYSTEM:
            hints.unsetColorScheme()
        self._theme = load_theme(self._resolved())
        if self._wanted != SYSTEM:
            is_dark = self._theme.is_dark
            hints.setColorScheme(Qt.ColorScheme.Dark if is_dark else Qt.ColorScheme.Light)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            self._theme.apply(app)
        self.changed.emit()

    @Slot()
    def _on_system_scheme_changed(self) -> None:
        if self._wanted == SYSTEM and self._resolved() != self._theme.name:
            self.apply()

    def _resolved(self) -> str:
        if self._wanted in theme_names():
            return self._wanted
        is_dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
        return "dark" if is_dark else "light"


def luminance(color: QColor) -> float:
    """Return the relative luminance, 0..1."""
    parts = (color.redF(), color.greenF(), color.blueF())
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def ink_on(color: QColor) -> QColor:
    """Return black or white, whichever is easier to read on a color."""
    return QColor("#000000") if luminance(color) > _NEEDS_DARK_TEXT else QColor("#ffffff")


def initials(name: str) -> str:
    """Return the first letters of the first and the last word of a name."""
    words = name.split()
    return "".join(word[0] for word in (words[:1] + words[1:][-1:])).upper()


@lru_cache(maxsize=1024)
def _disc(letters: str, rgb: int, side: int, ratio: float) -> QIcon:
    pixmap = QPixmap(QSize(side, side) * ratio)
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    room = QRectF(0, 0, side, side)
    with QPainter(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor.fromRgb(rgb))
        painter.drawEllipse(room)
        font = QGuiApplication.font()
        font.setPixelSize(max(8, round(side * (0.55 if len(letters) == 1 else 0.45))))
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(ink_on(QColor.fromRgb(rgb)))
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, letters)
    icon = QIcon(pixmap)
    # Qt would tint the icon of a selected row out of its color.
    icon.addPixmap(pixmap, QIcon.Mode.Selected)
    return icon


@lru_cache
def theme_names() -> tuple[str, ...]:
    """Return the names of the shipped themes."""
    files = sorted(paths.resource("themes").glob("*.toml"))
    return tuple(f.stem for f in files if f.stem != "objects")


@lru_cache
def load_theme(name: str) -> Theme:
    """Read a shipped theme."""
    data = tomllib.loads(paths.resource("themes", f"{name}.toml").read_text(encoding="utf-8"))
    colors = {token: QColor(value) for token, value in data["colors"].items()}
    return Theme(data["name"], data["title"], data["is_dark"], colors, _object_colors())


@lru_cache
def _object_colors() -> tuple[QColor, ...]:
    text = paths.resource("themes", "objects.toml").read_text(encoding="utf-8")
    return tuple(QColor(row["value"]) for row in tomllib.loads(text)["color"])


@lru_cache(maxsize=512)
def _icon(name: str, normal: str, checked: str, disabled: str, size: int) -> QIcon:
    from PySide6.QtSvg import QSvgRenderer

    svg = paths.resource("icons", f"{name}.svg").read_text(encoding="utf-8")
    icon = QIcon()
    off, on = QIcon.State.Off, QIcon.State.On
    # Without a look of its own Qt would tint the icon of a selected row out of its color.
    looks: list[tuple[str, list[tuple[QIcon.Mode, QIcon.State]]]] = [
        (normal, [(QIcon.Mode.Normal, off), (QIcon.Mode.Selected, off)]),
        (disabled, [(QIcon.Mode.Disabled, off)]),
    ]
    if checked:
        looks.append((checked, [(QIcon.Mode.Normal, on)]))
    for color, modes in looks:
        renderer = QSvgRenderer(QByteArray(svg.replace("currentColor", color).encode()))
        for side in sorted({*_ICON_SIZES, size} - {0}):
            pixmap = _rendered(renderer, side)
            for mode, state in modes:
                icon.addPixmap(pixmap, mode, state)
    return icon


def _rendered(renderer: QSvgRenderer, side: int) -> QPixmap:
    ratio = QGuiApplication.primaryScreen().devicePixelRatio()
    pixels = max(1, round(side * ratio))
    pixmap = QPixmap(pixels, pixels)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    renderer.render(painter, QRectF(0, 0, pixels, pixels))
    painter.end()
    pixmap.setDevicePixelRatio(ratio)
    return pixmap


_TEXT_ROLES = (
    QPalette.ColorRole.WindowText,
    QPalette.ColorRole.Text,
    QPalette.ColorRole.ButtonText,
    QPalette.ColorRole.HighlightedText,
)

_ROLES = {
    QPalette.ColorRole.Window: "window",
    QPalette.ColorRole.WindowText: "text",
    QPalette.ColorRole.Base: "surface",
    QPalette.ColorRole.AlternateBase: "raised",
    QPalette.ColorRole.Text: "text",
    QPalette.ColorRole.PlaceholderText: "text_dim",
    QPalette.ColorRole.Button: "raised",
    QPalette.ColorRole.ButtonText: "text",
    QPalette.ColorRole.BrightText: "error",
    QPalette.ColorRole.Light: "hover",
    QPalette.ColorRole.Midlight: "hover",
    QPalette.ColorRole.Mid: "border",
    QPalette.ColorRole.Dark: "border_strong",
    QPalette.ColorRole.Shadow: "border_strong",
    QPalette.ColorRole.Highlight: "selection",
    QPalette.ColorRole.HighlightedText: "selection_text",
    QPalette.ColorRole.Link: "link",
    QPalette.ColorRole.LinkVisited: "link",
    QPalette.ColorRole.ToolTipBase: "raised",
    QPalette.ColorRole.ToolTipText: "text",
    QPalette.ColorRole.Accent: "accent",
}
