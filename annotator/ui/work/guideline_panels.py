"""The panels Checklist and Guidelines of the open task."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from PySide6.QtCore import (
    QByteArray,
    QCoreApplication,
    QObject,
    QSignalBlocker,
    QSize,
    Qt,
    QUrl,
    Signal,
    Slot,
)
from PySide6.QtGui import QDesktopServices, QImage, QImageReader, QResizeEvent, QTextDocument
from PySide6.QtWidgets import (
    QLabel,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.checks import Finding
from annotator.domain.recipes.recipe import Tool
from annotator.ui.look.widgets import plain
from annotator.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from pathlib import Path

    from annotator.domain.ids import DraftId
    from annotator.services.project.projects import OpenProject
    from annotator.services.session import Session
    from annotator.ui.panels.live_findings import LiveFindings

PENDING = "pending-proposals"


@dataclass(frozen=True, slots=True)
class ChecklistPoint:
    """A point of the checklist. ``count`` is how often its check found something, None for a point
    that is ticked by hand. ``is_empty``: nothing is annotated yet that the check could look at.
    """

    text: str
    is_ticked: bool
    finding: str | None = None
    count: int | None = None
    is_empty: bool = False

    @property
    def is_done(self) -> bool:
        """Whether nothing is to be done about it any more, as far as one knows."""
        return self.is_ticked if self.count is None else self.count == 0 and not self.is_empty

    @property
    def is_among_findings(self) -> bool:
        """Whether its open points are listed one by one in the findings."""
        return bool(self.count) and self.finding != PENDING

    @property
    def words(self) -> str:
        """Say the point, with how often its check found something."""
        if not self.count:
            return self.text
        text = QCoreApplication.translate("checklist", "{text} ({n} open)")
        return text.format(text=self.text, n=self.count)


class Checklist(QObject):
    """``items`` of the open task, kept up to date; ticks are remembered with the draft."""

    changed = Signal()

    def __init__(self, workspace: Workspace, findings: LiveFindings) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._findings = findings
        self._ticked: frozenset[str] = frozenset()
        self.items: tuple[ChecklistPoint, ...] = ()
        findings.changed.connect(self.refresh)
        workspace.stageChanged.connect(self._on_stage_changed)
        workspace.bridge.runsChanged.connect(self.refresh)
        self._on_stage_changed()

    def tick(self, text: str, *, is_ticked: bool) -> None:
        """Tick a point by hand, or take the tick away."""
        project, draft_id = self._workspace.project, self._draft_id
        if project is None or draft_id is None:
            return
        self._ticked = self._ticked | {text} if is_ticked else self._ticked - {text}
        project.save_ticked(draft_id, self._ticked)
        self.refresh()

    def findings_of(self, item: ChecklistPoint) -> list[Finding]:
        """Return what the check behind a point has found."""
        return [f for f in self._findings.findings if f.code == item.finding]

    @Slot()
    def refresh(self) -> None:
        """Count the findings again."""
        project, session = self._workspace.project, self._workspace.session
        points: tuple[ChecklistPoint, ...] = ()
        if self._workspace.has_people and project is not None and session is not None:
            counts = Counter(f.code for f in self._findings.findings)
            listed = project.work.checklist_of(session.task_id)
            if any(point.finding == PENDING for point in listed):
                counts[PENDING] = _pending(session)
            is_empty = _is_empty(session)
            points = tuple(
                ChecklistPoint(
                    point.text,
                    point.text in self._ticked,
                    point.finding,
                    counts[point.finding] if point.finding is not None else None,
                    is_empty,
                )
                for point in listed
            )
        if points != self.items:
            self.items = points
            self.changed.emit()

    @property
    def _draft_id(self) -> DraftId | None:
        session = self._workspace.session
        return session.document.draft_id if session is not None else None

    @Slot()
    def _on_stage_changed(self) -> None:
        project, draft_id = self._workspace.project, self._draft_id
        ticked: frozenset[str] = frozenset()
        if project is not None and draft_id is not None and self._workspace.has_people:
            ticked = project.ticked(draft_id)
        self._ticked = ticked
        self.refresh()


def _is_empty(session: Session) -> bool:
    """Return whether a task that asks for annotations has none of these kinds."""
    document = session.document
    made = {Tool.BOXES: document.tracks, Tool.POINTS: document.points}
    return bool(session.tools) and not any(
        made.get(tool, document.segments) for tool in session.tools
    )


def _pending(session: Session) -> int:
    """Return how many objects and points have proposals without a verdict."""
    document = session.document
    tracks = sum(1 for t in document.tracks if session.box_runs.of(t.id) and session.pending(t.id))
    return tracks + sum(1 for p in document.points if session.n_pending_points(p.id))


_AT: Final = Qt.ItemDataRole.UserRole


class ChecklistPanel(QWidget):
    """One row for each point. A click on one that has findings goes to the next of them."""

    findingWanted = Signal(object)  # Finding
    doubtWanted = Signal()  # to the proposals without a decision

    def __init__(self, workspace: Workspace, checklist: Checklist) -> None:
        super().__init__()
        self._workspace = workspace
        self._checklist = checklist
        self._visited: dict[str, int] = {}
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Checklist"))
        # No spacing: Qt would not count it when it wraps, and cut the last words.
        self.list.setWordWrap(True)
        # The texts of all points begin below each other, after a check box or a sign.
        side = self.style().pixelMetric(QStyle.PixelMetric.PM_IndicatorWidth)
        self.list.setIconSize(QSize(side, side))
        self.list.itemChanged.connect(self._on_item_changed)
        self.list.itemClicked.connect(self._on_item_chosen)
        self.list.itemActivated.connect(self._on_item_chosen)
        self._count = plain(QLabel())
        self._count.setWordWrap(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 6, 6, 6)
        layout.addWidget(self.list, 1)
        layout.addWidget(self._count)
        # Later, because the list is still sending the change.
        self.setFocusProxy(self.list)
        checklist.changed.connect(self.refresh, Qt.ConnectionType.QueuedConnection)
        workspace.hub.changed.connect(self.refresh)
        workspace.stageChanged.connect(self._on_stage_changed)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show the points as they stand."""
        theme, items = self._workspace.hub.theme, self._checklist.items
        place = self.list.currentRow()
        with QSignalBlocker(self.list):
            self.list.clear()
            for at, item in enumerate(items):
                row = QListWidgetItem(item.words)
                row.setData(_AT, at)
                if item.count is None:
                    if not self._workspace.can_edit:
                        # The check box is shown, but stays as it is.
                        row.setFlags(row.flags() & ~Qt.ItemFlag.ItemIsUserCheckable)
                    state = Qt.CheckState
                    row.setCheckState(state.Checked if item.is_ticked else state.Unchecked)
                    row.setToolTip(self.tr("Select this item after you have checked it."))
                elif item.is_done:
                    row.setIcon(theme.icon("accept", token="success"))
                    row.setToolTip(self.tr("The automatic checks found no issues."))
                elif item.count:
                    row.setIcon(theme.icon("warning", token="warning"))
                    row.setToolTip(self.tr("Click to go to the next issue."))
                else:
                    row.setIcon(theme.icon("to-do", token="text_dim"))
                    row.setToolTip(self.tr("Checked once something is annotated."))
                self.list.addItem(row)
            self.list.setCurrentRow(min(place, self.list.count() - 1))
        n_done = sum(1 for item in items if item.is_done)
        text = self.tr("{done} of {n} done")
        if self._workspace.stage is None:
            text = self.tr("No task is open.")
        elif not items:
            text = self.tr("This task has no checklist.")
        self._count.setText(text.format(done=n_done, n=len(items)))

    @Slot(QListWidgetItem)
    def _on_item_changed(self, row: QListWidgetItem) -> None:
        item = self._checklist.items[row.data(_AT)]
        self._checklist.tick(item.text, is_ticked=row.checkState() == Qt.CheckState.Checked)

    @Slot(QListWidgetItem)
    def _on_item_chosen(self, row: QListWidgetItem) -> None:
        item = self._checklist.items[row.data(_AT)]
        if item.finding == PENDING and item.count:
            self.doubtWanted.emit()
            return
        found = self._checklist.findings_of(item)
        if found:
            at = self._visited.get(item.text, -1) + 1
            self._visited[item.text] = at
            self.findingWanted.emit(found[at % len(found)])

    @Slot()
    def _on_stage_changed(self) -> None:
        self._visited.clear()
        # A task without a checklist after none at all is no change of the points.
        self.refresh()


_IMAGE: Final = QTextDocument.ResourceType.ImageResource.value
_MARGIN_PX: Final = 12
_INDENT_PX: Final = 18
_NARROWEST_PX: Final = 120
_LARGEST_BYTES: Final = 32 << 20
_MARKDOWN: Final = (
    QTextDocument.MarkdownFeature.MarkdownDialectGitHub
    | QTextDocument.MarkdownFeature.MarkdownNoHTML
)


class GuidelineView(QTextBrowser):
    """Shows a text of another person, and trusts nothing in it.

    HTML is shown as text, nothing is fetched, and a picture outside the folder stays empty. Links
    to pages open in the system's browser when they are clicked.
    """

    def __init__(self) -> None:
        super().__init__()
        self._folder: Path | None = None
        self._text = ""
        self.setOpenLinks(False)
        self.setAccessibleName(self.tr("Guidelines"))
        self.document().setDocumentMargin(_MARGIN_PX)
        self.document().setIndentWidth(_INDENT_PX)
        self.anchorClicked.connect(self._on_anchor_clicked)

    def show_text(self, text: str, folder: Path | None) -> None:
        """Show Markdown; its pictures are looked for in ``folder`` (None: there are none)."""
        self._text, self._folder = text, folder
        self._fill()

    def loadResource(self, kind: int, url: QUrl | str) -> QByteArray | QImage | None:
        if kind != _IMAGE:
            return QByteArray()
        path = picture_path(self._folder, QUrl(url))
        image = QImage(str(path)) if path is not None else QImage()
        if image.isNull():
            return None
        widest = max(_NARROWEST_PX, self.viewport().width() - 2 * _MARGIN_PX - 4)
        return image.scaledToWidth(widest) if image.width() > widest else image

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width() and "![" in self._text:
            self._fill()

    def _fill(self) -> None:
        """Set the text anew: the document keeps pictures in the size they were asked for first."""
        place = self.verticalScrollBar().value()
        document = self.document()
        document.clear()
        document.setMarkdown(self._text, _MARKDOWN)
        self.verticalScrollBar().setValue(place)

    @Slot(QUrl)
    def _on_anchor_clicked(self, url: QUrl) -> None:
        if url.scheme() in ("http", "https"):
            QDesktopServices.openUrl(url)
        elif url.hasFragment() and not url.path():
            self.scrollToAnchor(url.fragment())


def picture_path(folder: Path | None, url: QUrl) -> Path | None:
    """Return the file a picture's address means, None unless it lies in the folder.

    Addresses of other machines, absolute paths and ways out of the folder, by ``..`` or by links,
    are None; so are files that are no pictures or larger than 32 MB.
    """
    if folder is None or url.scheme() or url.host() or not url.path():
        return None
    name = unquote(url.path())
    root = folder.resolve()
    path = (root / name).resolve()
    if name.startswith(("/", "\\")) or not path.is_relative_to(root) or not path.is_file():
        return None
    if path.stat().st_size > _LARGEST_BYTES or not QImageReader(str(path)).canRead():
        return None
    return path


class GuidelinesPanel(QWidget):
    """Title and text; pictures lie in the recipe's folder for them, else in the project's."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self._workspace = workspace
        self._shown: tuple[str, str] = ("", "")
        self.title = plain(QLabel())
        self.title.setWordWrap(True)
        font = self.title.font()
        font.setBold(True)
        self.title.setFont(font)
        self.view = GuidelineView()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 6, 6, 6)
        layout.addWidget(self.title)
        layout.addWidget(self.view, 1)
        workspace.stageChanged.connect(self.refresh)
        workspace.bridge.workChanged.connect(self.refresh)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show the current guideline; the same guideline keeps its scroll position."""
        project, task_id = self._workspace.project, self._workspace.task_id
        title, text = self.tr("No task is open."), ""
        if project is not None and task_id is not None and self._workspace.has_people:
            found = project.work.guideline_of(task_id)
            title = found.title if found is not None else self.tr("This task has no guidelines.")
            text = found.text if found is not None else ""
            if found is not None and found.round is not None:
                title = self.tr("{title} (round {n})").format(title=title, n=found.round)
        if (title, text) != self._shown:
            self._shown = (title, text)
            self.title.setText(title)
            self.view.show_text(text, _folder(project) if project is not None else None)


def _folder(project: OpenProject) -> Path:
    return project.work.pictures_folder() or project.path.parent
