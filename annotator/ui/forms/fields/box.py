"""The field that is answered with a box on a frame: on any, or on the one that the form names."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QCoreApplication, QSignalBlocker, Qt, Slot
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QDoubleSpinBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QWidget,
)

from annotator.domain.answer import FrameBox, Value
from annotator.domain.forms.field import Field
from annotator.domain.forms.restricted_view import Extent
from annotator.domain.geometry import Box
from annotator.ui.forms.fields.video_fields import Surroundings, VideoEditor, tool
from annotator.ui.look.widgets import plain


class BoxEditor(VideoEditor):
    """A box on one frame, drawn in the picture, or placed in its middle and moved by numbers.

    Where the form names the frame the video goes there, and the box can be drawn there alone.
    """

    def __init__(
        self,
        around: Surroundings,
        field: Field,
        frame: int | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(around, field, parent)
        self._value: FrameBox | None = None
        self.frame = frame
        self.words = plain(QLabel())
        self.draw = _push(self.tr("Draw in the video"))
        self.draw.setCheckable(True)
        self.draw.clicked.connect(self._on_draw_clicked)
        self.middle = _push(self.tr("Add box in the center"))
        self.middle.clicked.connect(self._place)
        self.go = tool(self, "search", self.tr("Go to box frame"))
        self.go.clicked.connect(self._go)
        self.gone = tool(self, "delete", self.tr("Delete box"))
        self.gone.clicked.connect(partial(self.answered.emit, None))
        row = QHBoxLayout()
        for widget in (self.draw, self.middle, self.words, self.go, self.gone):
            row.addWidget(widget, 1 if widget is self.words else 0)
        self.column.addLayout(row)
        self.numbers = [self._number(name) for name in _sides()]
        self._sides = QWidget()
        sides = QGridLayout(self._sides)
        sides.setContentsMargins(0, 0, 0, 0)
        for i, number in enumerate(self.numbers):
            sides.addWidget(number, i // 2, i % 2)
        self.column.addWidget(self._sides)
        self.column.addWidget(self.hint)
        self._sides.hide()
        free = self.tr(
            "Go to the correct frame with the arrow keys, then drag a box around the object."
        )
        bound = self.tr("Drag a box around the object on frame {n}.")
        session = around.workspace.session
        if session is not None and session.viewing.extent is Extent.MIDDLE_FRAME:
            free = bound = self.tr("Drag a box around the object.")
        self.hint.setText(free if frame is None else bound.format(n=frame))

    def show_value(self, value: Value | None) -> None:
        self._value = value if isinstance(value, FrameBox) else None
        found = self._value
        self.words.setText(self.tr("Frame {n}").format(n=found.frame) if found else "")
        self.go.setVisible(found is not None or self.frame is not None)
        for widget in (self.gone, self._sides):
            widget.setVisible(found is not None)
        self.middle.setVisible(found is None)
        if found is not None:
            box = found.box
            shown_now = (box.x1, box.y1, box.width, box.height)
            for number, side in zip(self.numbers, shown_now, strict=True):
                with QSignalBlocker(number):
                    number.setValue(side)
        self._mark()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._mark()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.around.canvas.layers.set_answer(self, None)

    def set_current(self, *, is_current: bool) -> None:
        was_current = self.is_current
        super().set_current(is_current=is_current)
        if is_current and not was_current and self.frame is not None:
            self._go()
        # With nothing drawn yet the mouse draws at once.
        self._take_mouse(is_drawing=is_current and self._value is None and self.isEnabled())

    def _number(self, name: str) -> QDoubleSpinBox:
        """Return a field for one of the four numbers, in pixels of the picture."""
        number = QDoubleSpinBox()
        number.setRange(0, 100_000)
        number.setDecimals(1)
        number.setPrefix(f"{name} ")
        number.setAccessibleName(name)
        number.valueChanged.connect(self._on_number_changed)
        return number

    @Slot()
    def _on_number_changed(self) -> None:
        if self._value is not None:
            x, y, width, height = (number.value() for number in self.numbers)
            box = Box(x, y, x + width, y + height)
            self.answered.emit(FrameBox(self._value.frame, box))

    def _place(self) -> None:
        session, index = self.around.workspace.session, self.around.canvas.index
        if session is None or index is None:
            return
        width, height = session.document.video.width, session.document.video.height
        box = Box(width * 0.375, height * 0.375, width * 0.625, height * 0.625)
        self._take_mouse(is_drawing=False)
        if self.frame is not None and index != self.frame:
            self._go()
        self.answered.emit(FrameBox(index if self.frame is None else self.frame, box))

    def _on_draw_clicked(self) -> None:
        if self.draw.isChecked() and self.frame is not None:
            self._go()
        self._take_mouse(is_drawing=self.draw.isChecked())

    def _take_mouse(self, *, is_drawing: bool) -> None:
        self.draw.setChecked(is_drawing)
        self.around.canvas.tools.draw_for(self._take_box if is_drawing else None)

    def _take_box(self, box: Box) -> None:
        """Take a box that was drawn; on another frame than the form's go there instead."""
        index = self.around.canvas.index
        if self.frame is not None and index != self.frame:
            self._go()
            said = self.tr("Cannot place the box on this frame. Draw it on frame {n}.")
            self.around.workspace.message.emit(said.format(n=self.frame))
            return
        self._take_mouse(is_drawing=False)
        if index is not None:
            self.answered.emit(FrameBox(index, box))

    def _go(self) -> None:
        frame = self._value.frame if self._value is not None else self.frame
        if frame is not None:
            self.around.playback.seek(frame)

    def _mark(self) -> None:
        """Show the box in the picture for as long as the field is in the form."""
        self.around.canvas.layers.set_answer(self, self._value if self.isVisible() else None)


def _sides() -> tuple[str, ...]:
    """Return what the numbers of a box are called."""
    return (
        QCoreApplication.translate("BoxEditor", "Left"),
        QCoreApplication.translate("BoxEditor", "Top"),
        QCoreApplication.translate("BoxEditor", "Width"),
        QCoreApplication.translate("BoxEditor", "Height"),
    )


def _push(text: str) -> QPushButton:
    button = QPushButton(text)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button
