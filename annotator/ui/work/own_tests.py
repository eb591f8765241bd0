"""The tests that stand before somebody's work, and what came of each, for their first page."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, Qt, Slot
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel

from annotator.domain.questions.quality import QualificationStatus
from annotator.services.project.projects import OpenProject
from annotator.services.questions.qualification.screening import OwnTest
from annotator.ui.look.plain import plain
from annotator.ui.look.theme import ThemeHub

_SIGN_PX = 18


class OwnTests(QFrame):
    """A line for each test, and for each kind of work that has ended; hidden without any."""

    def __init__(self, hub: ThemeHub) -> None:
        super().__init__()
        self._hub = hub
        self._rows: list[tuple[str, str, str]] = []
        self.texts: list[QLabel] = []
        self._signs: list[QLabel] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setColumnStretch(1, 1)
        hub.changed.connect(self._dress)
        self.hide()

    def show_tests(self, project: OpenProject) -> None:
        """Show how the person at the keyboard stands."""
        rows = [_test_row(test) for test in project.screening.own_tests()]
        me = project.work.me
        for kind in project.work.recipe.task_types:
            if me is not None and kind.kind in me.kept_from:
                rows.append(("error", "error", _tr("ended").format(title=kind.title)))
        if rows != self._rows:
            self._rows = rows
            self._build(rows)
        self.setVisible(bool(rows))

    def _build(self, rows: Sequence[tuple[str, str, str]]) -> None:
        for old in (*self._signs, *self.texts):
            self._grid.removeWidget(old)
            old.deleteLater()
        self._signs, self.texts = [], []
        for y, (_, _, words) in enumerate(rows):
            sign, text = plain(QLabel()), plain(QLabel(words))
            text.setTextFormat(Qt.TextFormat.PlainText)
            text.setWordWrap(True)
            self._grid.addWidget(sign, y, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(text, y, 1)
            self._signs.append(sign)
            self.texts.append(text)
        self._dress()

    @Slot()
    def _dress(self) -> None:
        for sign, (icon, token, _) in zip(self._signs, self._rows, strict=True):
            picture = self._hub.theme.icon(icon, token=token).pixmap(_SIGN_PX, _SIGN_PX)
            sign.setPixmap(picture)


def _test_row(test: OwnTest) -> tuple[str, str, str]:
    """Return icon, its colour and the words for a test."""
    state = test.standing
    if state is QualificationStatus.PASSED:
        sign, key = ("accept", "success"), "passed"
    elif state is QualificationStatus.HANDED_IN:
        sign, key = ("info", "accent"), "waits"
    elif state is QualificationStatus.SPENT:
        sign, key = ("error", "error"), "spent"
    elif state is QualificationStatus.FAILED:
        sign, key = ("warning", "warning"), "once" if test.left == 1 else "failed"
    else:
        sign, key = ("info", "accent"), "first" if test.opens else "open"
    words = _tr(key).format(
        title=test.title,
        reached=_reached(test),
        n=test.left,
        opens=", ".join(f"“{title}”" for title in test.opens),
    )
    n_tasks = test.passing.n_tasks
    if n_tasks > 1 and key in ("first", "open", "once", "failed"):
        words += " " + _tr("tasks").format(n=test.n_done, all=n_tasks)
    if test.needs and key in ("first", "open"):
        needs = ", ".join(f"“{title}”" for title in test.needs)
        words += " " + _tr("needs").format(needs=needs)
    return (*sign, f"{words}\n{test.note}" if test.note else words)


def _reached(test: OwnTest) -> str:
    """Return how far somebody came, and how far one has to."""
    if test.reached is None:
        return ""
    passing = test.passing
    if passing.grade is not None:
        text = _tr("grade")
        return text.format(reached=f"{test.reached:.3g}", wanted=f"{passing.grade:g}")
    return _tr("share").format(reached=f"{test.reached:.0%}", wanted=f"{passing.share or 0:.0%}")


def _tr(key: str) -> str:
    """Return the words for a case."""
    texts = {
        "first": QCoreApplication.translate("OwnTests", "Pass “{title}” to unlock {opens}."),
        "open": QCoreApplication.translate("OwnTests", "Pass the test “{title}”."),
        "tasks": QCoreApplication.translate("OwnTests", "Tasks of this attempt: {n} of {all}."),
        "needs": QCoreApplication.translate("OwnTests", "Required first: {needs}."),
        "waits": QCoreApplication.translate("OwnTests", "“{title}”: submitted, awaiting grade."),
        "passed": QCoreApplication.translate("OwnTests", "“{title}”: passed{reached}."),
        "once": QCoreApplication.translate(
            "OwnTests", "“{title}”: not passed{reached}. 1 attempt left."
        ),
        "failed": QCoreApplication.translate(
            "OwnTests", "“{title}”: not passed{reached}. {n} attempts left."
        ),
        "spent": QCoreApplication.translate(
            "OwnTests", "“{title}”: not passed{reached}. No attempts left. Contact the lead."
        ),
        "ended": QCoreApplication.translate(
            "OwnTests",
            (
                "“{title}”: you are suspended from these tasks because of failed checks. Contact "
                "the lead."
            ),
        ),
        "grade": QCoreApplication.translate("OwnTests", ", grade {reached} (required: {wanted})"),
        "share": QCoreApplication.translate("OwnTests", ", {reached} correct (required: {wanted})"),
    }
    return texts[key]
