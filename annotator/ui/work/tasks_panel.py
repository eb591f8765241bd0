"""The task list: open work with its state, and problems of videos.

In a project with people it has the person's tasks; leads can see all.
"""

from __future__ import annotations

from textwrap import fill
from typing import Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.ids import TaskId, VideoId
from annotator.domain.workflow import Task, TaskState
from annotator.services.project.projects import VideoEntry
from annotator.ui.look.texts import size_text, task_state_text
from annotator.ui.look.widgets import plain
from annotator.ui.look.widgets import tip as plain_tip
from annotator.ui.state.workspace import Workspace
from annotator.ui.work.work_list import WorkList

_ID: Final = Qt.ItemDataRole.UserRole
_TIP_COLUMNS: Final = 72
_ICONS: Final = {
    TaskState.WAITING: ("to-do", "text_dim"),
    TaskState.IN_PROGRESS: ("rename", "accent"),
    TaskState.SUBMITTED: ("accept", "success"),
}


class TasksPanel(QWidget):
    """All tasks of the project; choosing one asks the window to open it."""

    taskChosen = Signal(object)  # TaskId
    addWanted = Signal()
    reloaded = Signal()

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._videos: dict[VideoId, VideoEntry] = {}
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(self.tr("Search tasks"))
        self.filter.setAccessibleName(self.tr("Search tasks by name"))
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._on_filter_changed)
        self.list = _TaskList()
        self.list.setAccessibleName(self.tr("Tasks"))
        self.list.setWordWrap(True)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.itemClicked.connect(self._on_item_chosen)
        self.list.itemActivated.connect(self._on_item_chosen)
        self.mine = WorkList(workspace, is_roomy=False)
        self.mine.openWanted.connect(self._on_mine_chosen)
        self.mine.hide()
        self._count = plain(QLabel())
        self.add = QPushButton(self.tr("Add videos…"))
        self.add.clicked.connect(self.addWanted)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 6, 6, 6)
        layout.addWidget(self.filter)
        layout.addWidget(self.list, 1)
        layout.addWidget(self.mine, 1)
        layout.addWidget(self._count)
        # Takes what a short list of one's own tasks leaves.
        layout.addStretch(0)
        layout.addWidget(self.add)
        workspace.projectChanged.connect(self.reload)
        workspace.personChanged.connect(self.reload)
        workspace.bridge.workChanged.connect(self._on_work_changed)
        workspace.stageChanged.connect(self._on_stage_changed)
        workspace.hub.changed.connect(self.reload)
        self.reload()

    @property
    def field(self) -> QWidget:
        """Widget that receives the keys in this panel."""
        return self.mine if self._workspace.has_people else self.list

    def ids(self) -> list[TaskId]:
        """Return the tasks in the order shown, those hidden by the search left out."""
        if self._workspace.has_people:
            return self.mine.task_ids()
        rows = (self.list.item(i) for i in range(self.list.count()))
        return [TaskId(item.data(_ID)) for item in rows if not item.isHidden()]

    @Slot()
    def reload(self) -> None:
        """Read the tasks again."""
        self._show_kind()
        if self._workspace.has_people:
            self._reload_mine()
        else:
            self._reload_all()
        self.reloaded.emit()

    def _reload_all(self) -> None:
        project = self._workspace.project
        self.list.clear()
        tasks = project.tasks() if project else []
        self._videos = {v.id: v for v in project.videos()} if project else {}
        for task in tasks:
            item = QListWidgetItem()
            self._say(item, task)
            self.list.addItem(item)
        self._count_tasks(tasks)
        self.add.setEnabled(project is not None and not project.is_read_only)
        self._on_filter_changed(self.filter.text())
        self._show_current()

    def _show_kind(self) -> None:
        has_people = self._workspace.has_people
        for widget in (self.filter, self.list, self.add):
            widget.setHidden(has_people)
        self.mine.setVisible(has_people)

    def _reload_mine(self) -> None:
        project, person = self._workspace.project, self._workspace.person
        self.list.clear()
        self.mine.clear()
        if project is None or person is None:
            self._count.hide()
            return
        from annotator.services.hub.hub_status import hub_status_of, is_shared

        holdings = project.work.in_hand()
        self.mine.fill(
            project, holdings, hub_state=hub_status_of(project) if is_shared(project) else None
        )
        self.mine.setVisible(bool(holdings))
        self.mine.show_current()
        self._count.setText(self.tr("{n} assigned to you").format(n=len(holdings)))
        self._count.show()

    def _say(self, item: QListWidgetItem, task: Task) -> None:
        """Fill a row with the kind of work, its video and its state."""
        video = self._videos.get(task.video_id)
        about = [video.name] if video is not None else []
        about.append(task_state_text(task.state))
        icon, token = _ICONS[task.state]
        tip = task.title
        if video is not None:
            tip = self.tr("{name}\n{size}, {n} frames, {rate:.2f} frames/s").format(
                name=video.path or video.name,
                size=size_text(video.width, video.height),
                n=video.n_frames,
                rate=video.frame_rate,
            )
            if video.findings:
                about.append(self.tr("file notes: {n}").format(n=len(video.findings)))
                tip += "".join(f"\n• {fill(text, _TIP_COLUMNS)}" for text in video.findings)
            if video.is_missing:
                about.append(self.tr("video not found"))
                icon, token = "warning", "warning"
        item.setIcon(self._workspace.hub.theme.icon(icon, token=token))
        item.setText(f"{task.title}\n{' · '.join(about)}")
        item.setData(_ID, task.id)
        item.setToolTip(plain_tip(tip))

    def _count_tasks(self, tasks: list[Task]) -> None:
        done = sum(1 for task in tasks if task.state is TaskState.SUBMITTED)
        self._count.setText(self.tr("{done} of {n} submitted").format(done=done, n=len(tasks)))
        self._count.setVisible(bool(tasks))

    @Slot()
    def _on_stage_changed(self) -> None:
        """Opening a task for the first time begins it."""
        if self._workspace.has_people:
            self._reload_mine()
            return
        project, current = self._workspace.project, self._workspace.task_id
        if project is not None and current is not None:
            for i in range(self.list.count()):
                if self.list.item(i).data(_ID) == current:
                    self._say(self.list.item(i), project.task(current))
        self._show_current()

    @Slot()
    def _on_work_changed(self) -> None:
        if self._workspace.has_people:
            self._reload_mine()

    @Slot(object)
    def _on_mine_chosen(self, task_id: TaskId) -> None:
        if task_id != self._workspace.task_id:
            self.taskChosen.emit(task_id)

    @Slot(QListWidgetItem)
    def _on_item_chosen(self, item: QListWidgetItem) -> None:
        chosen = TaskId(item.data(_ID))
        if chosen != self._workspace.task_id:
            self.taskChosen.emit(chosen)
        self._show_current()

    @Slot(str)
    def _on_filter_changed(self, text: str) -> None:
        wanted = text.casefold()
        for i in range(self.list.count()):
            item = self.list.item(i)
            item.setHidden(wanted not in item.text().casefold())

    @Slot()
    def _show_current(self) -> None:
        current = self._workspace.task_id
        with QSignalBlocker(self.list):
            for i in range(self.list.count()):
                if self.list.item(i).data(_ID) == current:
                    self.list.setCurrentRow(i)
                    return
            self.list.setCurrentRow(-1)


class _TaskList(QListWidget):
    """A list that leaves letters to the actions instead of searching by them."""

    def keyboardSearch(self, _text: str) -> None:
        return
