"""*Share the work…*: place, people, tasks; one page each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QRadioButton,
    QSpinBox,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.errors import UserError
from annotator.domain.ids import PersonId
from annotator.domain.people import Person
from annotator.services.hub.hub_place import HubPlace
from annotator.services.hub.lead_window import SharingRequest
from annotator.ui.dialogs.file_dialogs import ask_file, ask_folder
from annotator.ui.look.texts import counted
from annotator.ui.look.widgets import EmptyHint, plain
from annotator.ui.work.work_texts import roles_text

_PORT = 5432
_WIDTH_PX, _HEIGHT_PX = 560, 420


class ShareDialog(QDialog):
    """Asks for the hub of a project and the people to invite; `wanted` is the result."""

    def __init__(
        self,
        people: Sequence[Person],
        n_open: int,
        home: Path,
        parent: QWidget | None = None,
    ) -> None:
        """``n_open`` is how many tasks wait; invitations go into ``home``."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("Share the work"))
        self._home = home
        self.pages = QStackedWidget()
        for page in (self._where(), self._who(people), self._task_page(n_open)):
            self.pages.addWidget(page)
        self.step = plain(QLabel())
        self.back = QPushButton(self.tr("Back"))
        self.back.setAutoDefault(False)
        self.back.clicked.connect(self._go_back)
        self.on = QPushButton(self.tr("Next"))
        self.on.setDefault(True)
        self.on.clicked.connect(self._go_on)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        buttons.addButton(self.back, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.addButton(self.on, QDialogButtonBox.ButtonRole.ActionRole)
        # While Next is disabled, Enter must not cancel.
        buttons.button(QDialogButtonBox.StandardButton.Cancel).setAutoDefault(False)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setSpacing(12)
        self.problem = plain(QLabel())
        self.problem.setWordWrap(True)
        self.problem.hide()
        layout.addWidget(self.step)
        layout.addWidget(self.problem)
        layout.addWidget(self.pages, 1)
        layout.addWidget(buttons)
        self.resize(_WIDTH_PX, _HEIGHT_PX)
        self._check()

    def ask_again(self, error: UserError) -> None:
        """Show the reason of a failure, and ask again with all entries."""
        self.problem.setText(str(error))
        self.problem.show()
        self.pages.setCurrentIndex(0)
        self._check()
        self.open()

    def request(self) -> SharingRequest:
        """Return the entries; UserError if the certificate cannot be read."""
        is_folder = self.by_folder.isChecked()
        if is_folder:
            place = HubPlace(folder=str(Path(self.folder.text().strip()).absolute()))
        else:
            text = self.certificate.text().strip()
            try:
                certificate = Path(text).read_text(encoding="ascii") if text else ""
            except (OSError, UnicodeDecodeError) as error:
                raise UserError(
                    "Cannot read the certificate.", hint=str(error), where=text
                ) from error
            place = HubPlace(
                host=self.host.text().strip(),
                port=self.port.value(),
                database=self.database.text().strip(),
                certificate=certificate,
            )
        rows = (self.people.item(i) for i in range(self.people.count()))
        chosen = [
            PersonId(row.data(Qt.ItemDataRole.UserRole))
            for row in rows
            if row.checkState() is Qt.CheckState.Checked
        ]
        admin = "" if is_folder else self.admin.text().strip()
        password = "" if is_folder else self.password.text()
        videos = self.videos.text().strip()
        return SharingRequest(
            place, chosen, self._home, admin, password, self.lease.value(), videos
        )

    def _where(self) -> QWidget:
        self.by_folder = QRadioButton(self.tr("Shared &folder"))
        self.by_folder.setChecked(True)
        self.by_folder.toggled.connect(self._check)
        self.by_server = QRadioButton(self.tr("PostgreSQL &server"))
        self.folder = QLineEdit()
        self.folder.setPlaceholderText(self.tr("A folder on a network share"))
        self.folder.setAccessibleName(self.tr("Shared folder"))
        browse, browse_certificate = (QPushButton(self.tr("Browse…")) for _ in range(2))
        browse.clicked.connect(self._on_browse_clicked)
        browse_certificate.clicked.connect(self._on_browse_certificate_clicked)
        for button in (browse, browse_certificate):
            button.setAutoDefault(False)
        self.host, self.database, self.admin = QLineEdit(), QLineEdit(), QLineEdit()
        self.host.setPlaceholderText("hub.lab")
        self.port = QSpinBox()
        self.port.setRange(1, 65535)
        self.port.setValue(_PORT)
        self.password = QLineEdit()
        self.password.setEchoMode(QLineEdit.EchoMode.Password)
        self.certificate = QLineEdit()
        self.certificate.setPlaceholderText(self.tr("PEM file of the server or its authority"))
        for field in (self.folder, self.host, self.database, self.admin):
            field.textChanged.connect(self._check)
        row = QHBoxLayout()
        row.setContentsMargins(24, 0, 0, 0)
        row.addWidget(self.folder, 1)
        row.addWidget(browse)
        self._folder_rows = [self.folder, browse]
        self._server = QWidget()
        form = QFormLayout(self._server)
        form.setContentsMargins(24, 0, 0, 0)
        at = QHBoxLayout()
        at.addWidget(self.host, 1)
        at.addWidget(self.port)
        form.addRow(self.tr("Host, port"), at)
        form.addRow(self.tr("&Database"), self.database)
        form.addRow(self.tr("&Administrator login"), self.admin)
        form.addRow(self.tr("&Password"), self.password)
        file_row = QHBoxLayout()
        file_row.addWidget(self.certificate, 1)
        file_row.addWidget(browse_certificate)
        label = QLabel(self.tr("&Certificate"))
        label.setBuddy(self.certificate)
        form.addRow(label, file_row)
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.by_folder)
        layout.addLayout(row)
        layout.addSpacing(8)
        layout.addWidget(self.by_server)
        layout.addWidget(self._server)
        layout.addStretch(1)
        return page

    def _who(self, people: Sequence[Person]) -> QWidget:
        self.people = QListWidget()
        self.people.setAccessibleName(self.tr("People to invite"))
        for person in sorted(people, key=lambda p: p.name.casefold()):
            item = QListWidgetItem(f"{person.name} ({roles_text(person)})")
            item.setData(Qt.ItemDataRole.UserRole, person.id)
            item.setCheckState(Qt.CheckState.Checked)
            self.people.addItem(item)
        EmptyHint(
            self.people,
            self.tr(
                "The project has no other people yet. Add them on the page “People” of the "
                "dashboard, and invite them on the page “Shared work”."
            ),
        )
        hint = plain(
            QLabel(
                self.tr(
                    "Each person gets an invitation file, beside the project. It holds no secret. "
                    "More people can be invited later."
                )
            )
        )
        hint.setWordWrap(True)
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.people, 1)
        layout.addWidget(hint)
        return page

    def _task_page(self, n_open: int) -> QWidget:
        self.lease = QDoubleSpinBox()
        self.lease.setRange(1, 24 * 30)
        self.lease.setValue(72)
        self.lease.setDecimals(0)
        self.lease.setSuffix(self.tr(" hours"))
        self.videos = QLineEdit()
        self.videos.setPlaceholderText("https://media.lab/videos/{name}")
        fetched = plain(
            QLabel(
                self.tr(
                    "Where invited people fetch the videos. Empty: where the recipe says, or "
                    "people have the files."
                )
            )
        )
        fetched.setWordWrap(True)
        words = counted(
            n_open,
            self.tr(
                "1 waiting task is offered to everybody, each assigned task to its person. Others "
                "follow as submissions are collected."
            ),
            self.tr(
                "{n} waiting tasks are offered to everybody, each assigned task to its person. "
                "Others follow as submissions are collected."
            ),
        )
        offered = plain(QLabel(words))
        offered.setWordWrap(True)
        hint = plain(
            QLabel(
                self.tr(
                    "A task returns to the queue when nothing is heard of its assignee for this "
                    "time. Drafts are kept, and late work is kept and flagged."
                )
            )
        )
        hint.setWordWrap(True)
        page = QWidget()
        form = QFormLayout(page)
        form.setContentsMargins(0, 0, 0, 0)
        form.addRow(offered)
        form.addRow(self.tr("Claims &last"), self.lease)
        form.addRow(hint)
        form.addRow(self.tr("&Videos at"), self.videos)
        form.addRow(fetched)
        return page

    @Slot()
    def _on_browse_clicked(self) -> None:
        chosen = Path(self.folder.text()) if self.folder.text() else None
        title = self.tr("Shared folder")
        found = ask_folder(self, title, instead_of=chosen, beside=self._home)
        if found is not None:
            self.folder.setText(str(found))

    @Slot()
    def _on_browse_certificate_clicked(self) -> None:
        filters = self.tr("Certificates (*.crt *.pem *.cer);;All files (*)")
        found = ask_file(self, self.tr("Certificate"), filters, self._home)
        if found is not None:
            self.certificate.setText(str(found))

    @Slot()
    def _go_back(self) -> None:
        self.pages.setCurrentIndex(self.pages.currentIndex() - 1)
        self._check()

    @Slot()
    def _go_on(self) -> None:
        if self.pages.currentIndex() == self.pages.count() - 1:
            self.accept()
            return
        self.pages.setCurrentIndex(self.pages.currentIndex() + 1)
        self._check()

    @Slot()
    def _check(self) -> None:
        """Enable the button of a complete page."""
        at, is_folder = self.pages.currentIndex(), self.by_folder.isChecked()
        titles = (self.tr("Place"), self.tr("People"), self.tr("Tasks"))
        words = self.tr("Step {n} of {total}: {title}")
        self.step.setText(words.format(n=at + 1, total=len(titles), title=titles[at]))
        for widget in self._folder_rows:
            widget.setEnabled(is_folder)
        self._server.setEnabled(not is_folder)
        needed = [self.folder] if is_folder else [self.host, self.database, self.admin]
        self.on.setEnabled(at > 0 or all(field.text().strip() for field in needed))
        self.back.setEnabled(at > 0)
        is_last = at == self.pages.count() - 1
        self.on.setText(self.tr("Share") if is_last else self.tr("Next"))
