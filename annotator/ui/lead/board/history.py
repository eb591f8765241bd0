"""The history of tasks, oldest event first: as text, and as a timeline with a dot for each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import (
    QCoreApplication,
    QLineF,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QSize,
    Qt,
)
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QListView,
    QListWidget,
    QListWidgetItem,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from annotator.domain.ids import PersonId
from annotator.domain.recipes.recipe import Recipe
from annotator.domain.work import events as e
from annotator.domain.work.records import AssignmentState, Instant, Reason, VerdictKind
from annotator.ui.lead import lead_texts
from annotator.ui.look.texts import moment_text
from annotator.ui.look.theme import ThemeHub


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """An event as text, with its time."""

    at: Instant
    text: str


class HistoryText:
    """Texts of events; ``name_of`` returns the name of a person."""

    def __init__(self, recipe: Recipe, name_of: Callable[[PersonId], str]) -> None:
        self._recipe = recipe
        self._name_of = name_of

    def lines(self, kind: str, happened: Iterable[e.WorkEvent]) -> list[HistoryLine]:
        """Return the history of a task without activity signals."""
        told = [ev for ev in happened if not isinstance(ev, e.Renewed)]
        return [HistoryLine(ev.at, self._say(kind, ev)) for ev in told]

    def _say(self, kind: str, ev: e.WorkEvent) -> str:
        by = self._name_of(ev.by) if ev.by is not None else _tr("The system")
        match ev:
            case e.Created():
                text = _tr("{by} added the task.")
                return text.format(by=by) if ev.by is not None else _tr("The task was added.")
            case e.Claimed():
                return _tr("{who} claimed the task.").format(who=self._name_of(ev.person_id))
            case e.Assigned():
                return self._assigned(ev, by)
            case e.Ended():
                return self._ended(ev, by)
            case e.Submitted() | e.ExtraSubmitted():
                return self._submitted(ev, by)
            case e.Entered() | e.Reopened() | e.RoundOpened():
                return self._moved(kind, ev, by)
            case e.Completed():
                return (
                    _because(_tr("{by} marked the task as complete").format(by=by), ev.text)
                    if ev.text
                    else _tr("The task is complete.")
                )
            case e.VoteVoided():
                return _because(_tr("{by} voided a vote; it is asked again").format(by=by), ev.text)
            case e.Withdrawn():
                return _because(_tr("{by} withdrew the task").format(by=by), ev.text)
            case e.PersonExcluded():
                person_name = self._name_of(ev.person_id)
                return _because(
                    _tr("{who} was excluded from the task").format(who=person_name), ev.text
                )
            case e.Prioritized():
                return _tr("{by} set the priority to {n}.").format(by=by, n=ev.priority)
            case e.LeadRequested():
                need = lead_texts.need_text(ev.need)
                return _tr("Lead decision needed: {need}.").format(need=need)
            case e.LeadAnswered():
                return _tr("The task can be claimed again.")
            case e.Gathered():
                return _tr("All submissions are complete. The result is being resolved.")
            case e.Decided():
                return _tr("The submissions were resolved into one result.")
            case e.Adopted():
                return self._adopted(kind, ev, by)
            case e.Widened():
                return _tr("One more submission was requested.")
            case _:
                return ev.kind

    def _adopted(self, kind: str, ev: e.Adopted, by: str) -> str:
        stage = lead_texts.stage_title(self._recipe, kind, ev.stage)
        text = _tr("{by} used an extra submission as the result of “{stage}”")
        return _because(text.format(by=by, stage=stage), ev.text)

    def _assigned(self, ev: e.Assigned, by: str) -> str:
        text = _tr("{by} assigned the task to {who}").format(by=by, who=self._name_of(ev.person_id))
        if ev.overruled:
            text = _tr("{text}, with a rule override").format(text=text)
        return _because(text, ev.text)

    def _ended(self, ev: e.Ended, by: str) -> str:
        return _because(_tr(_ENDS[ev.state]).format(by=by), ev.text)

    def _submitted(self, ev: e.Submitted | e.ExtraSubmitted, by: str) -> str:
        text = _tr(_VERDICTS[ev.verdict.kind]).format(by=by)
        if ev.flag is not None:
            text = f"{text} ({lead_texts.flag_text(ev.flag.value)})"
        return _because(text, reasons_text(self._recipe, ev.verdict.reasons))

    def _moved(self, kind: str, ev: e.Entered | e.Reopened | e.RoundOpened, by: str) -> str:
        stage = lead_texts.stage_title(self._recipe, kind, ev.stage)
        if isinstance(ev, e.Entered):
            if ev.is_returned:
                return _tr("The task was sent back to “{stage}”.").format(stage=stage)
            return _tr("The task is waiting at “{stage}”.").format(stage=stage)
        if isinstance(ev, e.Reopened):
            text = _tr("{by} reopened the task at “{stage}”").format(by=by, stage=stage)
        else:
            text = _tr("{by} started round {n} at “{stage}”").format(by=by, n=ev.round, stage=stage)
        return _because(text, ev.text)


def reasons_text(recipe: Recipe, reasons: Iterable[Reason]) -> str:
    """Return reasons in one line: the recipe's words, then one's own, and the frame if pinned."""
    said = []
    for reason in reasons:
        text = recipe.reason_text(reason.code, reason.text)
        frame = reason.pin.first_frame
        said.append(
            _tr("{text} (frame {n})").format(text=text, n=frame) if frame is not None else text
        )
    return "; ".join(said)


def _because(text: str, reason: str) -> str:
    return f"{text}: {reason}" if reason else f"{text}."


_ENDS: Final = {
    AssignmentState.RELEASED: "{by} released the task",
    AssignmentState.SKIPPED: "{by} skipped the task",
    AssignmentState.EXPIRED: "The lease expired; the draft is kept",
    AssignmentState.REVOKED: "{by} unassigned the task",
    AssignmentState.LEFT: "The assignee was deactivated",
}
_VERDICTS: Final = {
    VerdictKind.DONE: "{by} submitted the task",
    VerdictKind.APPROVE: "{by} approved the task",
    VerdictKind.SEND_BACK: "{by} sent the task back",
}


def _tr(text: str) -> str:
    return QCoreApplication.translate("lead", text)


Index = QModelIndex | QPersistentModelIndex
_PARTS: Final = Qt.ItemDataRole.UserRole
_GUTTER_PX: Final = 24
_DOT_PX: Final = 4.0
_ROOM_PX: Final = 6
_SMALL: Final = 0.88


class HistoryList(QListWidget):
    """Events under the titles of their tasks; ``hint`` is shown while there are none."""

    def __init__(self, hub: ThemeHub, hint: str) -> None:
        super().__init__()
        self._hint = hint
        self.setAccessibleName(self.tr("History"))
        self.setWordWrap(True)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setItemDelegate(_EventDelegate(hub, self))
        self.show_tasks(())

    def show_tasks(self, tasks: Iterable[tuple[str, Iterable[HistoryLine]]]) -> None:
        """Show the events of each task, oldest first, under its title."""
        self.clear()
        for title, lines in tasks:
            head = QListWidgetItem(title)
            font = head.font()
            font.setBold(True)
            head.setFont(font)
            self.addItem(head)
            for line in lines:
                time = moment_text(line.at)
                item = QListWidgetItem(f"{time}  {line.text}")
                item.setData(_PARTS, (time, line.text))
                item.setToolTip(lead_texts.utc_text(line.at))
                self.addItem(item)
        if not self.count():
            item = QListWidgetItem(self._hint)
            item.setFlags(Qt.ItemFlag.NoItemFlags)
            self.addItem(item)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()


class _EventDelegate(QStyledItemDelegate):
    def __init__(self, hub: ThemeHub, view: QListWidget) -> None:
        super().__init__(view)
        self._hub, self._view = hub, view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        parts = index.data(_PARTS)
        if parts is None:
            return super().sizeHint(option, index)
        width = self._view.viewport().width()
        room = QRect(0, 0, max(1, width - _GUTTER_PX - _ROOM_PX), 10_000)
        text = QFontMetrics(option.font).boundingRect(room, _wrapped(), parts[1])
        time = QFontMetrics(_small(option.font)).height()
        return QSize(width, time + text.height() + 2 * _ROOM_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        parts = index.data(_PARTS)
        if parts is None:
            super().paint(painter, option, index)
            return
        theme, rect = self._hub.theme, option.rect
        small = _small(option.font)
        height = QFontMetrics(small).height()
        x, y = rect.left() + _GUTTER_PX / 2, rect.top() + _ROOM_PX + height / 2
        is_first, is_last = (
            index.sibling(index.row() + step, 0).data(_PARTS) is None for step in (-1, 1)
        )
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.color("border_strong"), 1))
        top = y if is_first else rect.top()
        painter.drawLine(QLineF(x, top, x, y if is_last else rect.bottom() + 1))
        painter.setPen(QPen(theme.color("surface"), 2))
        painter.setBrush(theme.color("accent"))
        painter.drawEllipse(QPointF(x, y), _DOT_PX + 1, _DOT_PX + 1)
        inner = rect.adjusted(_GUTTER_PX, _ROOM_PX, -_ROOM_PX, 0)
        painter.setFont(small)
        painter.setPen(theme.color("text_dim"))
        painter.drawText(inner, Qt.AlignmentFlag.AlignTop, parts[0])
        painter.setFont(option.font)
        painter.setPen(theme.color("text"))
        painter.drawText(inner.adjusted(0, height, 0, 0), _wrapped(), parts[1])
        painter.restore()


def _wrapped() -> int:
    return int(Qt.TextFlag.TextWordWrap) | int(Qt.AlignmentFlag.AlignTop)


def _small(font: QFont) -> QFont:
    small = QFont(font)
    small.setPointSizeF(font.pointSizeF() * _SMALL)
    return small
