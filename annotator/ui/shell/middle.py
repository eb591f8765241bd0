"""The middle of the window: messages above, the picture, timeline and curves below."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from annotator.ui.bars.banners import Banners
from annotator.ui.bars.canvas_messages import FrameBadge, Hint, Toast
from annotator.ui.canvas.canvas_view import CanvasView
from annotator.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from annotator.ui.bars.transport import TransportBar

_TIMELINE: Final = 0
_CURVES: Final = 1
_SIZES: Final = [560, 280]


class Middle(QWidget):
    """Rows of the window; late parts get their reserved place.

    ``panes`` has the pictures side by side, ``splitter`` them and the rows below. ``badge`` and
    ``hint`` lie over the picture, ``toast`` over all of it.
    """

    def __init__(self, workspace: Workspace, canvas: CanvasView) -> None:
        super().__init__()
        self.canvas = canvas
        self.banners = Banners(workspace.hub)
        self.badge = FrameBadge(workspace.hub, canvas)
        self.hint = Hint(workspace.hub, canvas)
        self.toast = Toast(workspace.hub, self, self._pages_top)
        self.panes = QSplitter(Qt.Orientation.Horizontal)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self._below = [QWidget(), QWidget()]
        self._sizes_with_picture: list[int] = []
        self._pages: QWidget | None = None
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(0)

    @property
    def timeline_row(self) -> QWidget:
        """The timeline, or the place kept for it."""
        return self._below[_TIMELINE]

    @property
    def curves_row(self) -> QWidget:
        """The curves below the timeline, or the place kept for them."""
        return self._below[_CURVES]

    def lay_out(self, transport: TransportBar) -> None:
        """Put the picture, its controls and the places for the other rows into the splitter."""
        self._transport = transport
        picture = QWidget()
        column = QVBoxLayout(picture)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.panes.addWidget(self.canvas)
        self.panes.setChildrenCollapsible(False)
        column.addWidget(self.panes, 1)
        column.addWidget(transport)
        self.splitter.addWidget(picture)
        for place in self._below:
            self.splitter.addWidget(place)
        self._below[_CURVES].hide()
        self.splitter.setStretchFactor(0, 3)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setSizes(_SIZES)

    @property
    def has_usual_sizes(self) -> bool:
        """Whether the rows have the heights that the person gave them."""
        return not self._sizes_with_picture

    def give_room(self, *, has_picture: bool) -> None:
        """Give the timeline of a sound without picture most of the height, until there is one."""
        if has_picture == self.has_usual_sizes:
            return
        if has_picture:
            self.splitter.setSizes(self._sizes_with_picture)
            self._sizes_with_picture = []
        else:
            sizes = self._sizes_with_picture = self.splitter.sizes()
            self.splitter.setSizes([0, sum(sizes[:2]), *sizes[2:]])

    def show_time_controls(self, *, is_shown: bool) -> None:
        """Show the controls of time and the timeline; a single picture has no use for them."""
        self._transport.setVisible(is_shown)
        self.timeline_row.setVisible(is_shown)

    def show_pages(self, pages: QWidget) -> None:
        """Show the splitter or a page below the messages."""
        self._pages = pages
        # A banner that comes moves it down.
        pages.installEventFilter(self.toast)
        self._rows.addWidget(self.banners)
        self._rows.addWidget(pages, 1)

    def add_above(self, strip: QWidget) -> None:
        """Put a strip between the messages and the picture."""
        self._rows.insertWidget(1, strip)

    def put_timeline(self, timeline: QWidget) -> None:
        """Give the timeline the place that was kept for it."""
        self._put_below(_TIMELINE, timeline)

    def put_curves(self, curves: QWidget) -> None:
        """Give the curves the place that was kept for them."""
        self._put_below(_CURVES, curves)

    def _pages_top(self) -> int:
        return self._pages.y() if self._pages is not None else 0

    def _put_below(self, row: int, widget: QWidget) -> None:
        place, self._below[row] = self._below[row], widget
        is_hidden = place.isHidden()
        sizes = self.splitter.sizes()
        pages = self.splitter.parentWidget()
        if not self.splitter.isVisible() and pages is not None:
            # Behind the first page it has not got its size yet, and would grow by the picture only.
            room = pages.size()
            self.splitter.resize(room)
            sizes = [size * room.height() // max(1, sum(sizes)) for size in sizes]
        self.splitter.replaceWidget(self.splitter.indexOf(place), widget)
        widget.setHidden(is_hidden)
        # The picture keeps its size, whatever the newcomer would like to have.
        self.splitter.setSizes(sizes)
        place.deleteLater()
