"""The menu Help, the preferences, and the small dialogs that belong to no other menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from annotator.ui.actions.key_router import KeyRouter
from annotator.ui.actions.keymap import Keymap
from annotator.ui.actions.table import ActionTable
from annotator.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from annotator.ui.dialogs.help_windows import GuideDialog


class HelpActions(QObject):
    """Handlers of Help and of the preferences; takes over settings as they change."""

    def __init__(
        self, workspace: Workspace, table: ActionTable, router: KeyRouter, window: QWidget
    ) -> None:
        super().__init__(workspace)
        self._router = router
        self._workspace = workspace
        self._table = table
        self._window = window
        self._guide: GuideDialog | None = None
        table.on("help.keys", self._show_keys)
        table.on("help.guide", self._show_guide)
        table.on("help.guidelines", self._show_guidelines)
        table.on("help.about", self._show_about)
        table.on("app.preferences", self._show_preferences)
        table.on("go.frame", self._ask_frame)
        workspace.settings.changed.add(self._on_setting_changed)

    @Slot(str)
    def _on_setting_changed(self, key: str) -> None:
        settings, stage = self._workspace.settings, self._workspace.stage
        if key == "appearance.theme":
            self._workspace.hub.choose(settings.text(key))
        elif key in ("keys.preset", "keys.bindings"):
            self._table.set_keymap(Keymap(settings.text("keys.preset"), settings.bindings))
        elif key == "keys.by_place":
            self._router.is_by_place = settings.flag(key)
        elif key == "playback.step_sound" and stage is not None:
            stage.player.set_step_sound(settings.flag(key))
        elif key == "proposals.automatic" and stage is not None and stage.proposing is not None:
            (stage.proposing.resume if settings.flag(key) else stage.proposing.pause)()

    def _show_keys(self) -> None:
        from annotator.ui.dialogs.help_windows import KeyHelp

        KeyHelp(self._table, self._window).open()

    def _show_guide(self) -> None:
        self._open_guide("index.md")

    def _show_guidelines(self) -> None:
        self._open_guide("guidelines.md")

    def _open_guide(self, page: str) -> None:
        from annotator.ui.dialogs.help_windows import GuideDialog

        if self._guide is None:
            self._guide = GuideDialog(self._workspace.hub, page, self._window)
            self._guide.destroyed.connect(self._forget_guide)
        else:
            self._guide.browser.open_page(page)
        self._guide.show()
        self._guide.raise_()
        self._guide.activateWindow()

    @Slot()
    def _forget_guide(self) -> None:
        self._guide = None

    def _show_about(self) -> None:
        from annotator.ui.dialogs.help_windows import AboutDialog

        AboutDialog(self._workspace.hub, self._window).open()

    def _show_preferences(self) -> None:
        from annotator.ui.dialogs.preferences import PreferencesDialog

        PreferencesDialog(self._workspace, self._window).open()

    def _ask_frame(self) -> None:
        from annotator.ui.dialogs.go_to import GoToDialog

        stage = self._workspace.stage
        if stage is not None:
            dialog = GoToDialog(stage.times, self._workspace.frame, self._window)
            dialog.frameChosen.connect(stage.player.seek)
            dialog.open()
