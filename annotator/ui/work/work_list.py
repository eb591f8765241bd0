"""The list of a person's assigned and waiting tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from annotator.domain.ids import TaskId
from annotator.services.hub.claims import KEPT, TAKEN_IN
from annotator.services.hub.hub_status import ProjectHubStatus
from annotator.services.project.projects import OpenProject
from annotator.services.workflow.work import MOST_COUNTED, Holding, QueueCount
from annotator.ui.look.texts import moment_text
from annotator.ui.look.widgets import heading_row, rows_height
from annotator.ui.look.widgets import tip as plain_tip
from annotator.ui.state.workspace import Workspace
from annotator.ui.work.work_texts import stage_title

_KEY: Final = Qt.ItemDataRole.UserRole
_HEADING_PX: Final = 30
_SPARE_PX: Final = 4


class WorkList(QListWidget):
    """Returned, started, waiting and submitted tasks; Enter or a click opens one."""

    openWanted = Signal(object)  # TaskId
    lookWanted = Signal(object)  # TaskId: open the person's submission
    nextWanted = Signal(str, str)  # kind, stage
    chooseWanted = Signal(str, str)
    decideWanted = Signal()

    def __init__(
        self, workspace: Workspace, *, is_roomy: bool, parent: QWidget | None = None
    ) -> None:
        """``is_roomy``: there is room to say until when a task is in the person's hands."""
        super().__init__(parent)
        self._workspace = workspace
        self._is_roomy = is_roomy
        self.setAccessibleName(self.tr("My work"))
        self.setWordWrap(True)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.itemClicked.connect(self._on_item_chosen)
        self.itemActivated.connect(self._on_item_chosen)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if is_submit_key(event):
            event.ignore()
            return
        super().keyPressEvent(event)

    def keyboardSearch(self, _text: str) -> None:
        return

    @property
    def has_work(self) -> bool:
        """Whether any task is open, besides submitted ones."""
        keys = (self.item(row).data(_KEY) for row in range(self.count()))
        return any(key is not None and key[0] != "look" for key in keys)

    def task_ids(self) -> list[TaskId]:
        """Return the tasks in the person's hands, in the order shown."""
        keys = (self.item(row).data(_KEY) for row in range(self.count()))
        return [TaskId(key[1]) for key in keys if key is not None and key[0] == "task"]

    def fill(
        self,
        project: OpenProject,
        held_tasks: Sequence[Holding],
        queues: Sequence[QueueCount] = (),
        submitted: Sequence[Holding] = (),
        n_for_lead: int = 0,
        hub_state: ProjectHubStatus | None = None,
    ) -> None:
        """Show a person's work; the selected row stays selected if it is still there.

        ``hub_state`` is that of a project whose tasks come from a hub.
        """
        current = self.currentItem()
        chosen = current.data(_KEY) if current is not None else None
        self.clear()
        if n_for_lead:
            self._add_heading(self.tr("Lead decision needed"))
            one, many_text = self.tr("1 task: open the board"), self.tr("{n} tasks: open the board")
            text = one if n_for_lead == 1 else many_text.format(n=n_for_lead)
            self._add(text, "warning", "warning", ("decide",))
        self._add_group(self.tr("Sent back"), [h for h in held_tasks if h.is_returned], project)
        ready = hub_state.ready if hub_state is not None else frozenset()
        begun = [h for h in held_tasks if not h.is_returned]
        titles = self.tr("In progress"), self.tr("Ready to start")
        self._add_group(titles[0], [h for h in begun if h.task_id not in ready], project)
        self._add_group(titles[1], [h for h in begun if h.task_id in ready], project)
        open_queues = [q for q in queues if q.count]
        if open_queues:
            self._add_heading(self.tr("Waiting"))
        for queue in open_queues:
            self._add_queue(queue)
        if submitted:
            self._add_heading(self.tr("Recently submitted"))
        # Who had a task twice finds it once.
        for holding in reversed({h.task_id: h for h in reversed(submitted)}.values()):
            self._add_submitted(
                holding, project, hub_state.receipts if hub_state is not None else {}
            )
        self._choose(chosen)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Be no higher than the rows; on the start page not be there without any."""
        if self._is_roomy:
            self.setVisible(self.count() > 0)
        self.setMaximumHeight(rows_height(self) + _SPARE_PX)

    @Slot()
    def show_current(self) -> None:
        """Mark the task that is open."""
        keys = [self.item(row).data(_KEY) for row in range(self.count())]
        wanted = ("task", self._workspace.task_id)
        self.setCurrentRow(keys.index(wanted) if wanted in keys else -1)

    def _choose(self, wanted: object) -> None:
        rows = [r for r in range(self.count()) if self.item(r).data(_KEY) is not None]
        same = [r for r in rows if self.item(r).data(_KEY) == wanted]
        if same or rows:
            self.setCurrentRow((same or rows)[0])

    def _add_group(self, title: str, held: Sequence[Holding], project: OpenProject) -> None:
        if held:
            self._add_heading(title)
        for each in held:
            self._add_holding(each, project)

    def _add_holding(self, holding: Holding, project: OpenProject) -> None:
        work = project.work
        about = [holding.title, stage_title(work.recipe, holding.kind, holding.stage)]
        if holding.round > 1:
            about.append(self.tr("round {n}").format(n=holding.round))
        if holding.lease_until is not None and self._is_roomy:
            about.append(
                self.tr("assigned until {when}").format(when=moment_text(holding.lease_until))
            )
        videos, n = _question_videos(holding, project)
        if n:
            count = self.tr("{n} questions") if n != 1 else self.tr("{n} question")
            about.insert(1, count.format(n=n))
        lines = [" · ".join(videos) or holding.video, " · ".join(about)]
        if holding.is_returned:
            reasons = work.record(holding.task_id).reasons
            lines += [f"“{work.recipe.reason_text(why.code, why.text)}”" for why in reasons]
        icon, token = ("undo", "warning") if holding.is_returned else ("rename", "accent")
        self._add("\n".join(lines), icon, token, ("task", holding.task_id))

    def _add_submitted(
        self,
        held: Holding,
        project: OpenProject,
        receipts: Mapping[TaskId, int | str | None],
    ) -> None:
        videos, _ = _question_videos(held, project)
        stage = stage_title(project.work.recipe, held.kind, held.stage)
        text = f"{' · '.join(videos) or held.video}\n{held.title} · {stage}"
        if held.task_id in receipts:
            text = f"{text} · {self._receipt_text(receipts[held.task_id])}"
        self._add(text, "accept", "text_dim", ("look", held.task_id))

    def _receipt_text(self, receipt: int | str | None) -> str:
        if receipt is None:
            return self.tr("waiting to be sent")
        if isinstance(receipt, int):
            return self.tr("received {time}").format(time=moment_text(receipt))
        if receipt == TAKEN_IN:
            return self.tr("taken in by the lead’s project")
        if receipt.startswith(KEPT):
            return self.tr("late: kept for the lead")
        return self.tr("refused: {reason}").format(reason=receipt.partition(": ")[2])

    def _add_queue(self, queue: QueueCount) -> None:
        n = self.tr("{n} waiting")
        if queue.count >= MOST_COUNTED:
            n = self.tr("at least {n} waiting")
        how = self.tr("claim the next task")
        if queue.may_choose:
            how = self.tr("select a task")
        text = f"{queue.title} · {queue.stage_title}\n{n.format(n=queue.count)} · {how}"
        kind = "choose" if queue.may_choose else "next"
        self._add(text, "to-do", "text_dim", (kind, queue.kind, queue.stage))

    def _add(self, text: str, icon: str, token: str, key: tuple[str, ...]) -> None:
        item = QListWidgetItem(self._workspace.hub.theme.icon(icon, token=token), text)
        item.setData(_KEY, key)
        if not self._is_roomy:  # else nothing is cut
            item.setToolTip(plain_tip(text))
        self.addItem(item)

    def _add_heading(self, text: str) -> None:
        row = heading_row(self, text, self._workspace.hub.theme.color("text_dim"))
        row.setSizeHint(QSize(0, _HEADING_PX))

    @Slot(QListWidgetItem)
    def _on_item_chosen(self, item: QListWidgetItem) -> None:
        key = item.data(_KEY)
        if key is None:
            return
        if key[0] == "task":
            self.openWanted.emit(TaskId(key[1]))
        elif key[0] == "look":
            self.lookWanted.emit(TaskId(key[1]))
        elif key[0] == "decide":
            self.decideWanted.emit()
        elif key[0] == "next":
            self.nextWanted.emit(*key[1:])
        else:
            self.chooseWanted.emit(*key[1:])


def _question_videos(held: Holding, project: OpenProject) -> tuple[list[str], int]:
    """Return which videos a task asks about, and how many questions; nothing for other tasks."""
    kind = project.work.recipe.task_type(held.kind)
    if kind is None or kind.form is None:
        return [], 0
    items = project.questions.of_task(held.task_id)
    ids = items[0].video_ids if items else ()
    return [project.media.video(video_id).info.name for video_id in ids], len(items)


def is_submit_key(event: QKeyEvent) -> bool:
    """Return whether a key is Ctrl+Enter, which submits the open task."""
    is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
    return is_enter and bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
