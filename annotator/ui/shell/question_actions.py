"""Handlers of actions on questions, and the window while they are asked."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QByteArray, QEvent, QObject, Qt, QTimer, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDockWidget, QToolBar, QWidget

from annotator.domain.errors import UserError
from annotator.domain.forms.answer_checks import AnswerProblem
from annotator.ui.actions.keymap import shown
from annotator.ui.forms.fields.box import BoxEditor
from annotator.ui.forms.fields.spell_check import Spelling
from annotator.ui.forms.fields.video_fields import Surroundings
from annotator.ui.forms.question_panel import QuestionPanel
from annotator.ui.forms.question_session import QuestionSession
from annotator.ui.look.texts import counted
from annotator.ui.shell.context import Context
from annotator.ui.shell.staged_start import Staging
from annotator.ui.timeline.model.layout import RULER_END_PX
from annotator.ui.timeline.timeline_view import TimelineView

if TYPE_CHECKING:
    from annotator.ui.forms.second_video import SecondVideo

_SHARE: Final = 0.34
_TEN: Final = 10
_MENUS: Final = ("Object", "Points", "Segment", "Proposals")
_DOCKS: Final = (
    "objects",
    "segments",
    "inspector",
    "labels",
    "findings",
    "changes",
    "comments",
)


class QuestionActions(QObject):
    """Shows the question panel while questions are open, and hides unused panels."""

    def __init__(self, context: Context, staging: Staging, timeline: TimelineView) -> None:
        super().__init__(context.frame)
        self._context = context
        self._timeline = timeline
        self._dock: QDockWidget | None = None
        self._room = QuestionLayout(context, staging)
        self.second: SecondVideo | None = None
        self._lacking = ""
        self.panel: QuestionPanel | None = None
        self._spelling = Spelling(context.workspace)
        context.canvas.installEventFilter(self)
        self.asking = QuestionSession(context.workspace)
        for action_id, handler in (
            ("question.digit", self._press_digit),
            ("question.alt-digit", partial(self._press_digit, _TEN)),
            ("question.next", partial(self._go, 1)),
            ("question.previous", partial(self._go, -1)),
            ("question.open", self._go_to_open),
            ("question.replay", self._replay),
            ("question.second", self._play_second),
            ("question.flag", self._flag),
            ("question.more", self._more),
        ):
            context.table.on(action_id, handler)
        context.table.on_refused("tool.box", self._draw)
        context.workspace.stageLeaving.connect(self.commit)
        context.tasks.leaving.connect(self.commit)
        context.tasks.questionWanted.connect(self._go_to_problem)
        self.asking.opened.connect(self._on_opened)
        self.asking.ended.connect(self._on_ended)
        self.asking.changed.connect(context.updates.soon)
        self.asking.moved.connect(self._on_moved)
        self._on_opened()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let Tab lead from the picture to the field whose turn it is."""
        is_key = event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent)
        if is_key and self.panel is not None and self.panel.view is not None:
            assert isinstance(event, QKeyEvent)
            if event.key() == Qt.Key.Key_Tab and not event.modifiers():
                self.panel.take_keys()
                return True
        return super().eventFilter(watched, event)

    @Slot()
    def commit(self) -> None:
        """Send unfinished typing as the answer."""
        if self.panel is not None:
            self.panel.commit()

    def put_back(self) -> None:
        """Give the window its usual parts back, as before a task with questions."""
        self._room.leave()
        self._context.middle.show_time_controls(is_shown=True)
        if self._dock is not None:
            self._dock.hide()

    @Slot()
    def _on_moved(self) -> None:
        self._context.canvas.board.show_only(self.asking.drawn_tracks)
        self._context.updates.soon()

    @Slot()
    def _on_opened(self) -> None:
        context, is_asked = self._context, self.asking.question_set is not None
        self._show_second()
        context.workspace.asks = is_asked
        context.table.show_menu("Question", is_shown=is_asked)
        if not is_asked:
            self.put_back()
        else:
            self._make_room()
            # Once the page of the picture is there.
            QTimer.singleShot(0, self._begin_typing)
        self._on_moved()

    @Slot()
    def _begin_typing(self) -> None:
        """Give a field the keys that is typed into."""
        panel, workspace = self.panel, self._context.workspace
        if panel is None or panel.view is None or not workspace.asks or not workspace.can_edit:
            return
        if panel.view.current is not None and panel.view.current.editor.wants_typing:
            panel.take_keys()

    def _show_second(self) -> None:
        """Show the other video of a pair beside the first one; take the old one away."""
        context, old = self._context, self.second
        self.second = None
        if old is not None:
            old.close_video()
            old.hide()
            old.deleteLater()
        context.banners.remove(self._lacking)
        context.workspace.lacking = None
        other_videos, other = self.asking.other_videos, None
        try:
            other = context.workspace.open_other(other_videos[0]) if other_videos else None
        except UserError as error:
            self._lacking = str(error)
            context.workspace.failed.emit(error)
        if other is None:
            context.workspace.set_pair(())
            return
        from annotator.ui.forms.second_video import SecondVideo

        session = context.workspace.session
        assert session is not None
        names = (session.document.video.name, other.name)
        self.second = SecondVideo(context.workspace, other, self.asking.viewing.layout)
        context.middle.panes.addWidget(self.second)
        half = max(1, context.middle.panes.width() // 2)
        context.middle.panes.setSizes([half, half])
        context.workspace.set_pair(names)

    def surroundings(self) -> Surroundings:
        """Return the parts of the window that fields are answered with."""
        context = self._context
        return Surroundings(
            context.workspace,
            context.table,
            context.canvas,
            context.playback,
            self._timeline.set_answers,
            self._spelling,
        )

    def _make_room(self) -> None:
        context = self._context
        if self._dock is None:
            self.panel = QuestionPanel(self.asking, self.surroundings())
            self._dock = QDockWidget(self.tr("Question"), context.frame)
            self._dock.setObjectName("question")
            self._dock.setWidget(self.panel)
            context.frame.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self._dock)
        session = context.workspace.session
        if session is not None and not session.tools:
            self._room.enter()
        context.middle.show_time_controls(is_shown=not context.workspace.is_still)
        self._dock.show()
        self._dock.raise_()
        width = round(context.frame.width() * _SHARE)
        context.frame.resizeDocks([self._dock], [width], Qt.Orientation.Horizontal)

    # Acts

    def _press_digit(self, before: int = 0) -> None:
        """Select the option of the digit, counted from ``before``."""
        digit = self._context.router.last_digit
        if self.panel is not None and self.panel.view is not None and digit:
            self.panel.view.press_digit(before + (int(digit) or _TEN))

    def _draw(self) -> bool:
        """Draw the box of an answer with the key that draws boxes; False where there is none."""
        workspace, view = self._context.workspace, self.panel.view if self.panel else None
        if view is None or not (workspace.asks and workspace.can_edit):
            return False
        for block in view.visible_blocks:
            if isinstance(block.editor, BoxEditor):
                view.take(block.field.key)
                if not block.editor.draw.isChecked():
                    block.editor.draw.click()
                return True
        return False

    def _go(self, step: int) -> None:
        if self.panel is not None and self.panel.view is not None:
            self.panel.view.go(step)

    def _go_to_open(self) -> None:
        self.commit()
        found = self.asking.first_open(self.asking.at + 1)
        if found is None:
            self._say_all_done()
        else:
            self.asking.go_to(found)

    @Slot(object)
    def _go_to_problem(self, problem: AnswerProblem) -> None:
        """Go to an unanswered field, ready to answer."""
        ids = [item.id for item in self.asking.items]
        if problem.item_id in ids:
            self.asking.go_to(ids.index(problem.item_id), problem.entry)
        if self.panel is not None and self.panel.view is not None:
            self.panel.view.take(problem.field)

    @Slot()
    def _on_ended(self) -> None:
        """From the last question go to the first that is open, else say what comes next."""
        found = self.asking.first_open()
        if found is None:
            self._say_all_done()
        elif found != self.asking.at:
            self.asking.go_to(found)
            self._context.workspace.message.emit(self.tr("This question is not answered yet."))

    def _say_all_done(self) -> None:
        keys = self._context.table.keymap.keys("task.submit")
        text = self.tr("All questions are answered. Press {key} to submit.")
        self._context.workspace.message.emit(text.format(key=shown(keys[0]) if keys else ""))

    def _play_second(self) -> None:
        if self.second is None:
            self._context.workspace.message.emit(self.tr("This task has no second video."))
        elif self.second.is_together:
            self._context.table.run("play.toggle")
        else:
            self.second.toggle()

    def _replay(self) -> None:
        stage = self._context.workspace.stage
        if stage is not None:
            stage.player.pause()
            stage.player.set_speed(abs(stage.player.state.speed))
            self._context.playback.seek(0)
            stage.player.play()

    def _flag(self) -> None:
        view = self.panel.view if self.panel is not None else None
        if view is None or not view.press_flag():
            self._context.workspace.message.emit(
                self.tr("Cannot flag this question: the form has no flag field.")
            )

    def _more(self) -> None:
        if not self.asking.add_entry():
            n = self.asking.form.entries[1]
            one = self.tr("Cannot add an answer: this question accepts only 1 answer.")
            many = self.tr("Cannot add an answer: this question accepts at most {n} answers.")
            self._context.workspace.message.emit(counted(n, one, many))


class QuestionLayout(QObject):
    """Hides unused panels while questions are open, and restores them afterwards."""

    def __init__(self, context: Context, staging: Staging) -> None:
        super().__init__(context.frame)
        self._frame = context.frame
        self._middle = context.middle
        self._table = context.table
        self._usual: tuple[QByteArray, list[int]] | None = None
        # Some docks are put up last.
        staging.completed.connect(self._hush)

    @property
    def is_quiet(self) -> bool:
        return self._usual is not None

    def enter(self) -> None:
        """Leave the picture, the tasks, and of the timeline the whole video at a glance.

        Drag the edge of the timeline to see the sound below it.
        """
        splitter = self._middle.splitter
        if self._usual is None:
            self._usual = self._frame.saveState(), splitter.sizes()
        self._hush()
        self._timeline.setMinimumHeight(RULER_END_PX)
        whole = sum(splitter.sizes())
        splitter.setSizes([max(1, whole - RULER_END_PX), RULER_END_PX, 0])

    def leave(self) -> None:
        """Give the window its usual parts back."""
        if self._usual is None:
            return
        (state, sizes), self._usual = self._usual, None
        self._timeline.setMinimumHeight(0)
        self._frame.restoreState(state)
        self._middle.splitter.setSizes(sizes)
        for name in _MENUS:
            self._table.show_menu(name, is_shown=True)

    @Slot()
    def _hush(self) -> None:
        if self._usual is None:
            return
        for name in _DOCKS:
            dock = self._frame.findChild(QDockWidget, name)
            if dock is not None:
                dock.hide()
        tools = self._frame.findChild(QToolBar, "tools")
        if tools is not None:
            tools.hide()
        for name in _MENUS:
            self._table.show_menu(name, is_shown=False)

    @property
    def _timeline(self) -> QWidget:
        return self._middle.timeline_row
