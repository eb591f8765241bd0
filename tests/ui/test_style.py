"""What the style of the program draws otherwise than Qt does."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication, QStyle

from annotator.ui.look.style import FlatStyle
from annotator.ui.look.theme import load_theme

Icon = QStyle.StandardPixmap


def test_buttons_of_dialogs_have_no_black_icons(qapp: QApplication) -> None:
    style = FlatStyle(load_theme("light").colors)

    assert style.standardIcon(Icon.SP_DialogCloseButton).isNull()
    assert style.standardIcon(Icon.SP_DialogSaveButton).isNull()
    assert not style.standardIcon(Icon.SP_FileDialogNewFolder).isNull()
