"""Dialogs of actions on tasks: assignee, priority, reason, new round."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QSpinBox,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.people import Person
from annotator.domain.recipes.recipe import StageSpec
from annotator.ui.lead.lead_texts import roles_text
from annotator.ui.look.texts import counted
from annotator.ui.look.widgets import plain
from annotator.ui.work.guideline_panels import GuidelineView

_PREVIEW_MS = 200


class AskDialog(QDialog):
    """A sentence, a form, and a button named for the action.

    ``edited`` is sent when a field changes on which it depends what tasks the act changes.
    """

    edited = Signal()

    def __init__(self, title: str, sentence: str, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        hint = plain(QLabel(sentence))
        hint.setWordWrap(True)
        self.form = QFormLayout()
        self.form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        standard = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(standard.Ok | standard.Cancel)
        self.buttons.button(standard.Ok).setText(title)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(hint)
        layout.addLayout(self.form, 1)
        self.outlook = plain(QLabel())
        self.outlook.setWordWrap(True)
        self.outlook.hide()
        layout.addWidget(self.outlook)
        layout.addWidget(self.buttons)
        self.resize(460, 160)

    def ask(self) -> bool:
        """Show the dialog; True if confirmed."""
        self._put_fields_first()
        self.fit()
        is_accepted = self.exec() == QDialog.DialogCode.Accepted
        self.deleteLater()
        return is_accepted

    def show_outlook(self, text: str) -> None:
        """Show the effect on the tasks."""
        self.outlook.setText(text)
        self.outlook.show()
        self.fit()

    def fit(self) -> None:
        """Be as high as all lines of text and all fields need at this width."""
        layout = self.layout()
        assert layout is not None
        layout.activate()
        needed = layout.totalHeightForWidth(self.width())
        self.resize(self.width(), max(self.height(), needed))

    def _put_fields_first(self) -> None:
        """Let the keys begin in the form: its buttons were made before it."""
        parts = [w for w in self.findChildren(QWidget) if self._is_field(w)]
        for part, following in pairwise((*parts, *self.buttons.buttons())):
            QWidget.setTabOrder(part, following)
        if parts:
            parts[0].setFocus(Qt.FocusReason.TabFocusReason)

    def _is_field(self, widget: QWidget) -> bool:
        is_whole = not isinstance(widget.parent(), QComboBox | QAbstractSpinBox)
        is_here = widget.window() is self and not self.buttons.isAncestorOf(widget)
        return is_whole and is_here and bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)

    def allow(self, is_allowed: bool) -> None:
        """Enable or disable the confirm button."""
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(is_allowed)


class AssignDialog(AskDialog):
    """Asks whom tasks are given to, and whether a rule may be set aside for a reason."""

    def __init__(self, n_tasks: int, people: Iterable[Person], parent: QWidget | None) -> None:
        give = counted(n_tasks, _tr("Select the assignee."), _tr("Select the assignee."))
        super().__init__(_tr("Assign"), _n_tasks(n_tasks, give), parent)
        self.person = QComboBox()
        for person in sorted(people, key=lambda p: p.name.casefold()):
            if person.is_active:
                self.person.addItem(f"{person.name} ({roles_text(person)})", person.id)
        self.overrules = QCheckBox(self.tr("Override roles and the one-stage-per-person rule"))
        self.overrules.setToolTip(
            self.tr(
                "The override and its reason are recorded. Reviewing one's own work "
                "remains impossible."
            )
        )
        self.reason = QLineEdit()
        self.reason.setPlaceholderText(self.tr("The reason is recorded."))
        self.form.addRow(self.tr("&Person"), self.person)
        self.form.addRow("", self.overrules)
        self.form.addRow(self.tr("&Reason"), self.reason)
        self.overrules.toggled.connect(self._check)
        self.person.currentIndexChanged.connect(self.edited)
        self.overrules.toggled.connect(self.edited)
        self.reason.textChanged.connect(self._check)
        self._check()

    @Slot()
    def _check(self) -> None:
        has_reason = bool(self.reason.text().strip())
        self.allow(self.person.count() > 0 and (has_reason or not self.overrules.isChecked()))


class PriorityDialog(AskDialog):
    """Asks how urgent tasks are."""

    def __init__(self, n_tasks: int, now: int, parent: QWidget | None) -> None:
        super().__init__(
            _tr("Set priority"),
            _n_tasks(
                n_tasks,
                _tr("Tasks with the highest number come first in their queue. The default is 0."),
            ),
            parent,
        )
        self.priority = QSpinBox()
        self.priority.setRange(-1000, 1000)
        self.priority.setValue(now)
        self.form.addRow(self.tr("&Priority"), self.priority)


class StageReasonDialog(AskDialog):
    """Asks for a reason, and for the stage at which the work continues."""

    def __init__(
        self,
        title: str,
        sentence: str,
        parent: QWidget | None,
        *,
        stages: Sequence[StageSpec] = (),
    ) -> None:
        super().__init__(title, sentence, parent)
        self.stage = QComboBox()
        self.stage.addItem(self.tr("last stage"), "")
        for stage in stages:
            self.stage.addItem(stage.title, stage.key)
        self.reason = QLineEdit()
        self.reason.setPlaceholderText(self.tr("The reason is recorded."))
        self.reason.textChanged.connect(self._check)
        self.stage.currentIndexChanged.connect(self.edited)
        if stages:
            self.form.addRow(self.tr("&Stage"), self.stage)
        self.form.addRow(self.tr("&Reason"), self.reason)
        self._check()

    @Slot()
    def _check(self) -> None:
        self.allow(bool(self.reason.text().strip()))


class RoundDialog(AskDialog):
    """Asks for the guidelines of a cleaning round; shows beside them how they will look."""

    def __init__(
        self,
        n_tasks: int,
        folder: Path,
        parent: QWidget | None,
        *,
        stages: Sequence[StageSpec] = (),
    ) -> None:
        super().__init__(
            _tr("Start new round"),
            _n_tasks(
                n_tasks,
                _tr("Complete tasks repeat the later stages with these guidelines."),
            ),
            parent,
        )
        self._folder = folder
        self.name = QLineEdit()
        self.name.setPlaceholderText(self.tr("Recheck swapped cups"))
        self.reason = QLineEdit()
        self.stage = QComboBox()
        self.stage.addItem(self.tr("recipe default"), "")
        for stage in stages:
            self.stage.addItem(stage.title, stage.key)
        self.stage.currentIndexChanged.connect(self.edited)
        self.editor = QPlainTextEdit()
        self.editor.setAccessibleName(self.tr("Guidelines in Markdown"))
        self.editor.setPlaceholderText(
            self.tr(
                "# Points to check\n\nUse Markdown. Images are read from the project folder: ![a "
                "cup](pictures/cup.png)\n\nIf this field is empty, the guidelines of the recipe "
                "apply."
            )
        )
        self.editor.setTabChangesFocus(True)
        self.view = GuidelineView()
        self.view.setAccessibleName(self.tr("Guidelines preview"))
        both = QSplitter()
        both.addWidget(self.editor)
        both.addWidget(self.view)
        both.setChildrenCollapsible(False)
        self.form.addRow(self.tr("&Title"), self.name)
        self.form.addRow(self.tr("&First stage"), self.stage)
        self.form.addRow(self.tr("&Reason"), self.reason)
        self.form.addRow(both)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_PREVIEW_MS)
        self._soon.timeout.connect(self._show)
        self.editor.textChanged.connect(self._soon.start)
        self.resize(860, 560)
        self._show()

    @Slot()
    def _show(self) -> None:
        text = self.editor.toPlainText()
        self.view.show_text(text or self.editor.placeholderText(), self._folder)


def _n_tasks(n_tasks: int, text: str) -> str:
    count = _tr("{n} tasks selected.") if n_tasks != 1 else _tr("1 task selected.")
    return f"{count.format(n=n_tasks)} {text}"


def _tr(text: str) -> str:
    return QCoreApplication.translate("lead", text)
