"""The strip above a task that was sent back: why, and the way to the place of each reason."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QWidget

from annotator.domain.work.records import Reason
from annotator.ui.state.desk import Desk
from annotator.ui.work.strips.strip import Strip


class ReturnStrip(Strip):
    """Shown while a task is open that came back to the person; reasons with a place are links."""

    pinWanted = Signal(object)  # Pin

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(desk, parent)
        self._reasons: tuple[Reason, ...] = ()
        self._sign.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.label.setTextFormat(Qt.TextFormat.RichText)
        self.label.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse
            | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        self.label.linkActivated.connect(self._on_link_activated)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Say why the open task came back, if it is the person's and did."""
        standing = self._desk.standing
        is_mine = standing is not None and standing.held is not None
        self._reasons = ()
        if standing is not None and is_mine and standing.record.is_returned:
            self._reasons = standing.record.reasons
        lines = [self._line(at, reason) for at, reason in enumerate(self._reasons)]
        self.label.setText("<br>".join([self.tr("This task was sent back:"), *lines]))
        self._look("warning_surface", "undo", "warning")
        self.setVisible(bool(self._reasons))

    def _line(self, at: int, reason: Reason) -> str:
        """Write a reason; what a person wrote is shown as it is, never as markup."""
        text = f"“{escape(reason.text)}”"
        pin = reason.pin
        if pin.is_whole_task:
            return text
        frame = pin.first_frame
        words = self.tr("show")
        if frame is not None:
            words = self.tr("frame {n}").format(n=frame)
        return f'{text} <a href="{at}">{words}</a>'

    @Slot(str)
    def _on_link_activated(self, at: str) -> None:
        self.pinWanted.emit(self._reasons[int(at)].pin)
