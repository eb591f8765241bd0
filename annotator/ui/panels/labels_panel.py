"""The panel Labels: labels of actions and sounds, and the dialog of one label."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Slot
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.annotation.attributes import AppliesTo
from annotator.domain.annotation.labels import Label, LabelSet
from annotator.domain.annotation.segment import Lane
from annotator.domain.errors import EditError, UserError
from annotator.ui.actions.conditions import is_lead
from annotator.ui.dialogs import file_dialogs
from annotator.ui.look.theme import Theme
from annotator.ui.look.widgets import color_swatch, plain
from annotator.ui.look.widgets import tip as plain_tip
from annotator.ui.state.workspace import Workspace

_DIGITS = "1234567890"


class LabelDialog(QDialog):
    """One label; errors appear while typing. The number of a label stays."""

    def __init__(
        self, workspace: Workspace, labels: LabelSet, label: Label, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._labels = labels
        self._label = label
        is_new = labels.find(label.id) is None
        self.setWindowTitle(self.tr("New label") if is_new else self.tr("Edit label"))
        self.text = QLineEdit(label.text)
        self.text.setPlaceholderText(self.tr("Putting something into something"))
        self.template = QLineEdit(label.template)
        self.template.setPlaceholderText("Putting {1:something} into {2:something}")
        self.key = QComboBox()
        self.key.addItem(self.tr("none"), "")
        keys_taken = {x.key: x.text.strip() for x in labels.labels if x.key and x.id != label.id}
        for digit in _DIGITS:
            note = f"  ({keys_taken[digit]})" if digit in keys_taken else ""
            self.key.addItem(digit + note, digit)
        self.key.setCurrentIndex(max(0, self.key.findData(label.key)))
        self.color = QComboBox()
        self.color.addItem(self.tr("automatic"), None)
        for i, color in enumerate(workspace.hub.theme.object_colors):
            self.color.addItem(color_swatch(color), str(i + 1), i)
        self.color.setCurrentIndex(max(0, self.color.findData(label.color)))
        self.help = QLineEdit(label.help)
        self.help.setPlaceholderText(self.tr("Define when the segment starts and ends"))
        self._word = plain(QLabel())
        self._word.setWordWrap(True)
        standard = QDialogButtonBox.StandardButton
        self._buttons = QDialogButtonBox(standard.Ok | standard.Cancel)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        form.addRow(self.tr("Number"), plain(QLabel(str(label.id))))
        form.addRow(self.tr("&Text"), self.text)
        if labels.lane is Lane.ACTION:
            form.addRow(self.tr("&Roles"), self.template)
        form.addRow(self.tr("Shortcut &key"), self.key)
        form.addRow(self.tr("&Color"), self.color)
        form.addRow(self.tr("&Help"), self.help)
        layout = QVBoxLayout(self)
        layout.addLayout(form)
        layout.addWidget(self._word)
        layout.addWidget(self._buttons)
        for field in (self.text, self.template, self.help):
            field.textChanged.connect(self._check)
        self.key.currentIndexChanged.connect(self._check)
        self.resize(520, 260)
        self._check()

    def result_value(self) -> Label:
        """Return the label as it was entered."""
        return replace(
            self._label,
            text=self.text.text(),
            template=self.template.text(),
            key=self.key.currentData(),
            color=self.color.currentData(),
            help=self.help.text().strip(),
        )

    @Slot()
    def _check(self) -> None:
        problem = ""
        try:
            self._labels.with_label(self.result_value())
        except EditError as error:
            problem = error.text if self.text.text() else ""
        is_possible = not problem and bool(self.text.text().strip())
        self._word.setText(problem)
        self._buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(is_possible)


def ask_label(
    workspace: Workspace, labels: LabelSet, label: Label, parent: QWidget
) -> Label | None:
    """Ask for a label; None when the person thought better of it."""
    dialog = LabelDialog(workspace, labels, label, parent)
    is_accepted = dialog.exec() == QDialog.DialogCode.Accepted
    value = dialog.result_value() if is_accepted else None
    dialog.deleteLater()
    return value


_ID_ROLE = Qt.ItemDataRole.UserRole


class LabelsPanel(QWidget):
    """A searchable palette. A click chooses the label that the next segment gets."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self._workspace = workspace
        self._shown: Lane | None = None
        self._lanes = QButtonGroup(self)
        lanes = QHBoxLayout()
        lanes.setSpacing(0)
        for lane, text in ((Lane.ACTION, self.tr("Actions")), (Lane.SOUND, self.tr("Sounds"))):
            button = QToolButton()
            button.setText(text)
            button.setCheckable(True)
            button.setMinimumWidth(90)
            button.clicked.connect(partial(workspace.labels.set_lane, lane))
            self._lanes.addButton(button, list(Lane).index(lane))
            lanes.addWidget(button)
        lanes.addStretch(1)
        self._tools = self._new_tools(lanes)
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search labels"))
        self.search.setAccessibleName(self.search.placeholderText())
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._filter)
        self.search.returnPressed.connect(self._choose_first)
        self.list = _LabelList()
        self.list.setAccessibleName(self.tr("Labels"))
        self.list.setHeaderHidden(True)
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setColumnCount(2)
        self.list.header().setStretchLastSection(False)
        self.list.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.list.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.list.setIconSize(QSize(14, 14))
        self.list.currentItemChanged.connect(self._on_item_chosen)
        self.list.itemDoubleClicked.connect(self._edit)
        self._help = plain(QLabel())
        self._help.setWordWrap(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 6, 6, 6)
        layout.addLayout(lanes)
        layout.addWidget(self.search)
        layout.addWidget(self.list, 1)
        layout.addWidget(self._help)
        workspace.labels.changed.connect(self._on_choice_changed)
        workspace.labels.setChanged.connect(self._fill)
        workspace.hub.changed.connect(self._dress)
        self._dress()

    def _new_tools(self, row: QHBoxLayout) -> dict[str, QToolButton]:
        tools = {}
        for name, text, act in (
            ("plus", self.tr("Add label…"), self._add),
            ("rename", self.tr("Edit label…"), self._edit),
            ("chevron-up", self.tr("Move up"), partial(self._move, -1)),
            ("chevron-down", self.tr("Move down"), partial(self._move, 1)),
            ("delete", self.tr("Remove label"), self._remove),
        ):
            button = QToolButton()
            button.setAutoRaise(True)
            button.setToolTip(text)
            button.setAccessibleName(text)
            button.clicked.connect(lambda _=False, act=act: act())
            row.addWidget(button)
            tools[name] = button
        more = QToolButton()
        more.setAutoRaise(True)
        more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        more.setToolTip(self.tr("Label sets and attributes"))
        more.setAccessibleName(more.toolTip())
        menu = QMenu(more)
        menu.addAction(self.tr("Import label set…")).triggered.connect(self._import)
        menu.addAction(self.tr("Export label set…")).triggered.connect(self._export)
        menu.addSeparator()
        menu.addAction(self.tr("Attributes of segments…")).triggered.connect(self._edit_attributes)
        menu.addAction(self.tr("Attributes of objects and points…")).triggered.connect(
            self._edit_object_attributes
        )
        more.setMenu(menu)
        row.addWidget(more)
        tools["more"] = more
        return tools

    # What is shown

    @property
    def _set(self) -> LabelSet | None:
        return self._workspace.labels.labels(self._workspace.labels.lane)

    @Slot()
    def _fill(self) -> None:
        labels, theme = self._set, self._workspace.hub.theme
        self._shown = self._workspace.labels.lane
        with QSignalBlocker(self.list):
            self.list.clear()
            for label in labels.labels if labels else ():
                item = QTreeWidgetItem([label.text.strip(), label.key])
                item.setData(0, _ID_ROLE, label.id)
                item.setIcon(0, swatch(theme, label))
                tip = "\n".join(x for x in (label.text.strip(), label.help) if x)
                item.setToolTip(0, plain_tip(tip))
                item.setTextAlignment(1, Qt.AlignmentFlag.AlignCenter)
                item.setForeground(1, theme.color("text_dim"))
                self.list.addTopLevelItem(item)
        project = self._workspace.project
        may_edit = project is not None and not project.is_read_only
        for button in self._tools.values():
            button.setEnabled(may_edit)
        self._filter(self.search.text())
        self._on_choice_changed()

    @Slot()
    def _on_choice_changed(self) -> None:
        lane = self._workspace.labels.lane
        self._lanes.button(list(Lane).index(lane)).setChecked(True)
        if self._shown is not lane:
            self._fill()
            return
        label = self._workspace.labels.label
        item = self._item(label.id) if label is not None else None
        with QSignalBlocker(self.list):
            self.list.clearSelection()
            if item is not None:
                self.list.setCurrentItem(item)
        words = label.help if label is not None else ""
        if label is not None and label.template:
            words = f"{label.template}\n{words}".strip()
        self._help.setText(words)
        self._help.setVisible(bool(words))

    @Slot(str)
    def _filter(self, text: str) -> None:
        wanted = text.casefold().split()
        for item in self._items():
            words = item.toolTip(0).casefold()
            item.setHidden(not all(word in words for word in wanted))

    @Slot()
    def _choose_first(self) -> None:
        for item in self._items():
            if not item.isHidden():
                self.list.setCurrentItem(item)
                self.search.clear()
                self.list.setFocus()
                return

    @Slot(QTreeWidgetItem, QTreeWidgetItem)
    def _on_item_chosen(self, item: QTreeWidgetItem | None, _old: object) -> None:
        labels = self._set
        label = labels.find(item.data(0, _ID_ROLE)) if labels and item else None
        if label is not None:
            self._workspace.labels.choose(label)

    def _item(self, label_id: int) -> QTreeWidgetItem | None:
        return next((x for x in self._items() if x.data(0, _ID_ROLE) == label_id), None)

    def _items(self) -> list[QTreeWidgetItem]:
        items = (self.list.topLevelItem(i) for i in range(self.list.topLevelItemCount()))
        return [item for item in items if item is not None]

    @Slot()
    def _dress(self) -> None:
        theme = self._workspace.hub.theme
        for name, button in self._tools.items():
            button.setIcon(theme.icon(name))
        palette = self._help.palette()
        palette.setColor(self._help.foregroundRole(), theme.color("text_dim"))
        self._help.setPalette(palette)
        self._fill()

    # What is changed

    def _store_labels(self, labels: LabelSet) -> bool:
        project = self._workspace.project
        if project is None:
            return False
        try:
            project.set_label_set(labels)
        except UserError as error:
            self._workspace.failed.emit(error)
            return False
        return True

    def _add(self) -> None:

        labels = self._set
        if labels is not None:
            number = 1 + max((x.id for x in labels.labels), default=-1)
            new = ask_label(self._workspace, labels, Label(number, ""), self.window())
            if new is not None and self._store_labels(labels.with_label(new)):
                self._workspace.labels.choose(new)

    def _edit(self, *_: object) -> None:

        labels, label = self._set, self._workspace.labels.label
        if labels is not None and label is not None:
            new = ask_label(self._workspace, labels, label, self.window())
            if new is not None and new != label:
                self._store_labels(labels.with_label(new))

    def _remove(self) -> None:
        labels, label = self._set, self._workspace.labels.label
        if labels is not None and label is not None:
            # The project knows the uses of all drafts and refuses where there are any.
            self._store_labels(labels.without(label.id))

    def _move(self, step: int) -> None:
        labels, label = self._set, self._workspace.labels.label
        if labels is None or label is None:
            return
        order = list(labels.labels)
        at = order.index(label)
        if 0 <= at + step < len(order):
            order.insert(at + step, order.pop(at))
            self._store_labels(replace(labels, labels=tuple(order)))

    @Slot()
    def _edit_attributes(self) -> None:
        """Edit the attributes of the actions, or of the sounds: they are part of the label set."""
        from annotator.ui.dialogs.project.attributes_dialog import AttributesDialog

        labels = self._set
        if labels is None:
            return
        is_sound = labels.lane is Lane.SOUND
        title = self.tr("Attributes of sounds") if is_sound else self.tr("Attributes of actions")
        kinds = (AppliesTo(labels.lane.value),)
        dialog = AttributesDialog(title, labels.attributes, kinds, self.window())
        is_accepted = dialog.exec() == QDialog.DialogCode.Accepted
        chosen = dialog.result_value()
        dialog.deleteLater()
        if is_accepted:
            self._store_labels(replace(labels, attributes=chosen))

    @Slot()
    def _edit_object_attributes(self) -> None:
        """Edit the attributes of objects and points: they are part of the recipe."""
        from annotator.services.project.recipes import with_attributes
        from annotator.ui.dialogs.project.attributes_dialog import AttributesDialog

        project = self._workspace.project
        if project is None:
            return
        if project.work.is_plain or not is_lead(self._workspace):
            explanation = self.tr(
                "Attributes of objects are part of the recipe; a lead can change them."
            )
            self._workspace.message.emit(explanation)
            return
        kinds = (AppliesTo.OBJECT, AppliesTo.POINT)
        attributes = project.work.recipe.attributes
        own = [attribute for attribute in attributes if set(attribute.applies_to) <= set(kinds)]
        title = self.tr("Attributes of objects and points")
        dialog = AttributesDialog(title, own, kinds, self.window())
        is_accepted = dialog.exec() == QDialog.DialogCode.Accepted
        chosen = dialog.result_value()
        dialog.deleteLater()
        if not is_accepted or chosen == tuple(own):
            return
        rest = [attribute for attribute in attributes if attribute not in own]
        text = with_attributes(project.work.recipe_text(), [*chosen, *rest])
        self._workspace.start_job(
            self.tr("Change attributes"),
            lambda _: project.work.use_recipe(text),
            lambda _: self._workspace.labels.setChanged.emit(),
        )

    @Slot()
    def _import(self) -> None:
        project = self._workspace.project
        path = file_dialogs.ask_label_set(self.window(), project.path.parent) if project else None
        if project is None or path is None:
            return
        try:
            labels = project.import_label_set(path)
        except UserError as error:
            self._workspace.failed.emit(error)
            return
        self._workspace.labels.set_lane(labels.lane)
        one = self.tr("Now using label set “{name}” with 1 label.")
        many = self.tr("Now using label set “{name}” with {n} labels.")
        text = one if len(labels.labels) == 1 else many
        self._workspace.message.emit(text.format(name=labels.name, n=len(labels.labels)))

    @Slot()
    def _export(self) -> None:
        project, labels = self._workspace.project, self._set
        if project is None or labels is None:
            return
        path = file_dialogs.ask_label_export(
            self.window(), project.path.parent / f"{labels.name}.toml"
        )
        if path is not None:
            try:
                project.export_label_set(labels.lane, path)
            except UserError as error:
                self._workspace.failed.emit(error)


class _LabelList(QTreeWidget):
    """A list that leaves letters and digits to the actions instead of searching by them."""

    def keyboardSearch(self, _text: str) -> None:
        return


def swatch(theme: Theme, label: Label) -> QIcon:
    """Return the color of a label as an icon."""
    return color_swatch(theme.label_color(label))
