"""Dialog for the tolerance of keyframe reduction, with a preview of the effect."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QTimer, Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFormLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.annotation.keyframe_reduction import Tolerance
from annotator.domain.annotation.track import Track
from annotator.domain.commands.keyframes import thinned
from annotator.services.background.jobs import JobToken
from annotator.ui.look.widgets import plain
from annotator.ui.state.background_reads import Latest
from annotator.ui.state.workspace import Workspace

_PREVIEW_AFTER_MS = 120


class ThinningDialog(QDialog):
    """Two tolerances, with a preview of the remaining keyframes."""

    def __init__(
        self, workspace: Workspace, tracks: Sequence[Track], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._tracks = tuple(t for t in tracks if not t.info.is_locked)
        self._latest = Latest(workspace, self.tr("Thin keyframes"), self)
        self.setWindowTitle(self.tr("Thin keyframes"))
        lead = QLabel(
            self.tr(
                "Keyframes are deleted where interpolation stays within one of these tolerances. "
                "Keyframes where an object appears, leaves or changes its occlusion are kept."
            )
        )
        lead.setWordWrap(True)
        start = workspace.tolerance
        self.pixels = QDoubleSpinBox()
        self.pixels.setRange(0.0, 50.0)
        self.pixels.setSingleStep(0.5)
        self.pixels.setDecimals(1)
        self.pixels.setSuffix(self.tr(" px"))
        self.pixels.setValue(start.max_offset_px)
        self.overlap = QDoubleSpinBox()
        self.overlap.setRange(0.5, 1.0)
        self.overlap.setSingleStep(0.01)
        self.overlap.setDecimals(2)
        self.overlap.setValue(start.min_iou)
        form = QFormLayout()
        form.addRow(self.tr("Largest deviation"), self.pixels)
        form.addRow(self.tr("Or overlap (IoU) of at least"), self.overlap)
        self.word = plain(QLabel())
        self.word.setWordWrap(True)
        standard = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(standard.Ok | standard.Cancel)
        self.buttons.button(standard.Ok).setText(self.tr("Thin keyframes"))
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(lead)
        layout.addLayout(form)
        layout.addWidget(self.word)
        layout.addStretch(1)
        layout.addWidget(self.buttons)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_PREVIEW_AFTER_MS)
        self._soon.timeout.connect(self._preview)
        for field in (self.pixels, self.overlap):
            field.valueChanged.connect(self._soon.start)
        self.finished.connect(self._soon.stop)
        self.finished.connect(self._latest.forget)
        self.resize(420, 240)
        self._preview()

    def tolerance(self) -> Tolerance:
        return Tolerance(self.pixels.value(), self.overlap.value())

    @Slot()
    def _preview(self) -> None:
        """Count in the background: dense tracks have thousands of keyframes."""
        tracks, tolerance = self._tracks, self.tolerance()

        def work(token: JobToken) -> tuple[int, float]:
            n_kept, deviation = 0, 0.0
            for track in tracks:
                token.check()
                found = thinned(track, tolerance)
                n_kept += len(found.keyframes)
                deviation = max(deviation, found.deviation_px)
            return n_kept, deviation

        self._latest.ask(work, self._show)

    def _show(self, found: tuple[int, float]) -> None:
        n_kept, deviation = found
        n_now = sum(len(track.keyframes) for track in self._tracks)
        text = self.tr("Keyframes: {now:,} → {kept:,}. Largest deviation: {deviation:.1f} px.")
        self.word.setText(text.format(now=n_now, kept=n_kept, deviation=deviation))
        ok = self.buttons.button(QDialogButtonBox.StandardButton.Ok)
        ok.setEnabled(n_kept < n_now)


def ask_thinning(
    workspace: Workspace, tracks: Sequence[Track], parent: QWidget
) -> Tolerance | None:
    """Let the person choose the tolerances; None if they cancel."""
    dialog = ThinningDialog(workspace, tracks, parent)
    is_accepted = dialog.exec() == QDialog.DialogCode.Accepted
    tolerance = dialog.tolerance()
    dialog.deleteLater()
    return tolerance if is_accepted else None
