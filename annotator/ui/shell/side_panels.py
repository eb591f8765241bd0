"""The panels beside the picture: contents, places and connections."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Slot
from PySide6.QtWidgets import QDockWidget, QMainWindow, QMenu, QTabBar, QTabWidget, QWidget

from annotator.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from annotator.domain.checks import Finding
    from annotator.ui.actions.table import ActionTable
    from annotator.ui.commands.playback_actions import Playback
    from annotator.ui.panels.findings_panel import FindingsPanel
    from annotator.ui.panels.inspector import Inspector
    from annotator.ui.panels.labels_panel import LabelsPanel
    from annotator.ui.panels.live_findings import LiveFindings
    from annotator.ui.panels.objects_panel import ObjectsPanel
    from annotator.ui.panels.segment_card import SegmentCard
    from annotator.ui.panels.segments_panel import SegmentsPanel
    from annotator.ui.state.role_assignment import SlotFilling
    from annotator.ui.work.tasks_panel import TasksPanel

_WIDTH_PX: Final = 140
_LEFT: Final = Qt.DockWidgetArea.LeftDockWidgetArea
_RIGHT: Final = Qt.DockWidgetArea.RightDockWidgetArea
_DIRECT: Final = Qt.FindChildOption.FindDirectChildrenOnly


class SidePanels(QObject):
    """The panels and their docks; `lay_out` adds the docks, each ``build_…`` fills its own.

    A panel shows the open task from the moment it is built.
    """

    live: LiveFindings
    tasks: TasksPanel
    objects: ObjectsPanel
    segments: SegmentsPanel
    inspector: Inspector
    labels: LabelsPanel
    findings: FindingsPanel

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._playback: Playback | None = None
        self._docks: dict[str, QDockWidget] = {}

    def build_tasks(self) -> None:
        from annotator.ui.work.tasks_panel import TasksPanel

        self.tasks = TasksPanel(self._workspace)
        self._fill("tasks", self.tasks)

    def build_objects(self) -> None:
        from annotator.ui.panels.objects_panel import ObjectsPanel

        self.objects = ObjectsPanel(self._workspace)
        self._fill("objects", self.objects)

    def build_inspector(self) -> None:
        from annotator.ui.panels.inspector import Inspector

        self.inspector = Inspector(self._workspace)
        self._fill("inspector", self.inspector)

    def build_live(self) -> None:
        from annotator.ui.panels.live_findings import LiveFindings

        self.live = LiveFindings(self._workspace)

    def build_segments(self) -> None:
        from annotator.ui.panels.segments_panel import SegmentsPanel

        self.segments = SegmentsPanel(self._workspace, self.live)
        self._fill("segments", self.segments)

    def build_labels(self) -> None:
        from annotator.ui.panels.labels_panel import LabelsPanel

        self.labels = LabelsPanel(self._workspace)
        self._fill("labels", self.labels)

    def build_findings(self) -> None:
        from annotator.ui.panels.findings_panel import FindingsPanel

        self.findings = FindingsPanel(self._workspace, self.live)
        self.findings.countChanged.connect(self._on_count_changed)
        self.findings.jumped.connect(self.jump)
        self._fill("findings", self.findings)

    def connect_work(
        self, playback: Playback, slots: SlotFilling, table: ActionTable
    ) -> SegmentCard:
        """Let the panels lead to places in the video and show the selected segment."""
        from annotator.ui.panels.segment_card import SegmentCard

        self._playback = playback
        self.segments.seekWanted.connect(playback.seek)
        self.segments.playWanted.connect(playback.play_span)
        card = SegmentCard(self._workspace, slots, self.live, table)
        self.inspector.add_segment_card(card)
        for fields in (
            self.inspector.attributes,
            self.inspector.point_attributes,
            card.attributes,
        ):
            fields.set_keymap(table.keymap)
        return card

    def lay_out(self, window: QMainWindow) -> None:
        """Create the docks: tasks at the left, the others in two groups at the right."""
        for title, name, area in (
            (self.tr("Tasks"), "tasks", _LEFT),
            (self.tr("Objects"), "objects", _RIGHT),
            (self.tr("Inspector"), "inspector", _RIGHT),
            (self.tr("Segments"), "segments", _RIGHT),
            (self.tr("Labels"), "labels", _RIGHT),
            (self.tr("Issues"), "findings", _RIGHT),
        ):
            dock = QDockWidget(title, window)
            dock.setObjectName(name)
            place = QWidget()
            place.setMinimumWidth(_WIDTH_PX)
            dock.setWidget(place)
            window.addDockWidget(area, dock)
            self._docks[name] = dock
        docks = self._docks
        window.tabifyDockWidget(docks["objects"], docks["segments"])
        window.tabifyDockWidget(docks["inspector"], docks["labels"])
        window.tabifyDockWidget(docks["labels"], docks["findings"])
        docks["objects"].raise_()
        docks["inspector"].raise_()
        DockTitles(window)
        wide = [docks[n] for n in ("tasks", "objects", "inspector")]
        window.resizeDocks(wide, [210, 330, 330], Qt.Orientation.Horizontal)

    def _fill(self, name: str, panel: QWidget) -> None:
        """Put a panel into its dock, in the place that was kept for it."""
        dock = self._docks[name]
        place = dock.widget()
        panel.setMinimumWidth(_WIDTH_PX)
        dock.setWidget(panel)
        place.deleteLater()

    def add_to(self, menu: QMenu) -> None:
        """Put a switch for each panel into a menu."""
        menu.addSeparator()
        for dock in self._docks.values():
            menu.addAction(dock.toggleViewAction())

    def fields(self, *, left: bool) -> list[tuple[QWidget, QWidget]]:
        """Return the panels on a side with the widget of each that takes the keys."""
        if left:
            return [(self.tasks, self.tasks.field)]
        return [
            (self.objects, self.objects.view),
            (self.segments, self.segments.view),
            (self.inspector, self.inspector.name),
            (self.labels, self.labels.list),
            (self.findings, self.findings.list),
        ]

    def close(self) -> None:
        """Stop the work behind the panels."""
        self.live.close()

    @Slot(object)
    def jump(self, finding: Finding) -> None:
        """Select the target of a finding and go to its frame."""
        session = self._workspace.session
        if session is not None:
            self._workspace.selection.set_subject(finding, session.document)
        frame = finding.frame
        if frame is not None and self._playback is not None:
            self._playback.seek(min(frame, max(0, self._workspace.n_frames - 1)))

    @Slot(int)
    def _on_count_changed(self, count: int) -> None:
        dock = self._docks.get("findings")
        if dock is not None:
            name = self.tr("Issues")
            dock.setWindowTitle(f"{name} ({count})" if count else name)


class DockTitles(QObject):
    """Docks in one place show tabs above; others a title bar.

    What the buttons of the title bar do is in the menu of the tab.
    """

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._known: set[QObject] = set()
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self.refresh)
        window.setTabPosition(_LEFT | _RIGHT, QTabWidget.TabPosition.North)
        window.installEventFilter(self)
        self.refresh()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Notice docks and tab bars that come and go."""
        if event.type() in (QEvent.Type.ChildPolished, QEvent.Type.ChildRemoved):
            self._soon.start()
        return super().eventFilter(watched, event)

    @Slot()
    def refresh(self) -> None:
        """Bring the title bars of all docks up to date."""
        docks = self._window.findChildren(QDockWidget, options=_DIRECT)
        bars = self._window.findChildren(QTabBar, options=_DIRECT)
        for dock in docks:
            if dock not in self._known:
                dock.visibilityChanged.connect(self._soon.start)
                dock.topLevelChanged.connect(self._soon.start)
                dock.dockLocationChanged.connect(self._soon.start)
            self._show_title(dock)
        for bar in bars:
            if bar not in self._known:
                bar.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
                bar.customContextMenuRequested.connect(self._on_menu_wanted)
        self._known = {*docks, *bars}

    def _show_title(self, dock: QDockWidget) -> None:
        beside = self._window.tabifiedDockWidgets(dock)
        has_tab = not dock.isFloating() and any(not each.isHidden() for each in beside)
        bar = dock.titleBarWidget()
        if has_tab and bar is None:
            dock.setTitleBarWidget(QWidget())
        elif not has_tab and bar is not None:
            dock.setTitleBarWidget(None)  # type: ignore[arg-type]
            bar.deleteLater()

    @Slot(QPoint)
    def _on_menu_wanted(self, place: QPoint) -> None:
        bar = self.sender()
        if not isinstance(bar, QTabBar):
            return
        title = bar.tabText(bar.tabAt(place))
        for dock in self._window.findChildren(QDockWidget, options=_DIRECT):
            if dock.windowTitle() == title and dock.titleBarWidget() is not None:
                menu = QMenu(bar)
                menu.addAction(self.tr("Float")).triggered.connect(partial(dock.setFloating, True))
                menu.addAction(self.tr("Close")).triggered.connect(dock.close)
                menu.aboutToHide.connect(menu.deleteLater)
                menu.popup(bar.mapToGlobal(place))
                return
