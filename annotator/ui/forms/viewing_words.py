"""Restricted views as text."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from annotator.domain.forms.viewing import Extent, Viewing


def viewing_words(viewing: Viewing) -> tuple[str, ...]:
    """Return what is kept away, () for nothing."""
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
