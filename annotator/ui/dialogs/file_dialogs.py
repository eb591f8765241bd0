"""The system's own windows for choosing files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QSettings
from PySide6.QtWidgets import QFileDialog, QWidget

from annotator.domain.errors import UserError
from annotator.ui.look.widgets import warn


def ask_project(parent: QWidget, folder: Path | None) -> Path | None:
    """Let the person choose a project file to open."""
    filters = _tr(
        "Projects, work packages and invitations (*.annot *.work *.annot-invite);;All files (*)"
    )
    return ask_file(parent, _tr("Open project"), filters, folder)


def ask_copy(parent: QWidget, proposal: Path) -> Path | None:
    """Let the person choose where a copy of the project goes."""
    return ask_new_project(parent, _tr("Save a copy"), proposal)


def ask_new_project(parent: QWidget, title: str, proposal: Path) -> Path | None:
    """Let the person name a project file that does not exist yet."""
    from annotator.services.project.projects import with_suffix

    while True:
        name, _ = QFileDialog.getSaveFileName(
            parent, title, str(proposal), _tr("Projects (*.annot)")
        )
        path = with_suffix(Path(name)) if name else None
        if path is None or not path.exists():
            return path
        text = _tr("“{name}” exists. Projects are not replaced: enter a new name.")
        warn(parent, title, text.format(name=path.name))


def ask_output(
    parent: QWidget, title: str, proposal: Path, filters: str, project: Path | None = None
) -> Path | None:
    """Let the person name a file to write; the extension of the proposal is added if it has none.

    A project, a media file or a file of another type is refused, and the dialog opens again.
    """
    from annotator.services.files import check_output

    folder = _start(proposal.suffix, proposal.parent)
    while True:
        place = str(Path(folder) / proposal.name)
        name, _ = QFileDialog.getSaveFileName(parent, title, place, filters)
        if not name:
            return None
        path = Path(name) if Path(name).suffix else Path(name).with_suffix(proposal.suffix)
        _remember(proposal.suffix, [name])
        try:
            inputs = () if project is None else (project,)
            check_output(path, inputs=inputs, is_confirmed=True)
        except UserError as error:
            warn(parent, title, str(error))
            continue
        return path


def ask_new_folder(parent: QWidget, title: str, proposal: Path) -> Path | None:
    """Let the person name a folder that does not exist yet."""
    while True:
        name, _ = QFileDialog.getSaveFileName(parent, title, str(proposal), _tr("Folders (*)"))
        path = Path(name) if name else None
        if path is None or not path.exists():
            return path
        text = _tr("“{name}” exists. Enter a new name.").format(name=path.name)
        warn(parent, title, text)


def ask_videos(parent: QWidget, folder: Path | None) -> list[Path]:
    """Let the person choose any number of video files."""
    return ask_files(parent, _tr("Add videos"), _video_filter(), folder)


def ask_video(parent: QWidget, title: str, folder: Path | None) -> Path | None:
    """Let the person choose one video file."""
    return ask_file(parent, title, _video_filter(), folder)


def ask_recipe(parent: QWidget, folder: Path | None) -> Path | None:
    """Let the person choose a recipe."""
    return ask_file(parent, _tr("Change recipe"), _tr("Recipes (*.toml)"), folder)


def ask_import(parent: QWidget, folder: Path | None) -> Path | None:
    """Let the person choose a file to import."""
    filters = _tr("Annotations ({patterns});;All files (*)").format(
        patterns=" ".join(f"*{suffix}" for suffix in _suffixes())
    )
    return ask_file(parent, _tr("Import annotations"), filters, folder)


def _suffixes() -> list[str]:
    """Return the extensions of all formats that are read."""
    from annotator.services.transfer import FORMATS

    found = (suffix for form in FORMATS.values() if form.reads for suffix in form.suffixes)
    return sorted(set(found))


def ask_export(parent: QWidget, proposal: Path, title: str) -> Path | None:
    """Let the person choose where an export goes; ``title`` is that of its format."""
    files = f"{title.partition(' (')[0]} (*{proposal.suffix})"
    return ask_output(parent, _tr("Export annotations"), proposal, files)


def ask_table(parent: QWidget, proposal: Path) -> Path | None:
    """Let the person choose where a table goes."""
    proposal = proposal.with_suffix(".csv")
    return ask_output(parent, _tr("Export table"), proposal, _tr("Tables (*.csv)"))


def ask_label_set(parent: QWidget, folder: Path | None) -> Path | None:
    """Let the person choose a file with labels."""
    return ask_file(
        parent, _tr("Import label set"), _tr("Label sets (*.toml);;All files (*)"), folder
    )


def ask_label_export(parent: QWidget, proposal: Path) -> Path | None:
    """Let the person choose where a label set goes."""
    return ask_output(parent, _tr("Export label set"), proposal, _tr("Label sets (*.toml)"))


def ask_recipe_target(parent: QWidget, proposal: Path) -> Path | None:
    """Let the person choose where a recipe goes."""
    return ask_output(parent, _tr("Save recipe"), proposal, _tr("Recipes (*.toml)"))


def ask_folder(
    parent: QWidget, title: str, *, instead_of: Path | None = None, beside: Path | None = None
) -> Path | None:
    """Let the person choose a folder.

    The dialog opens at the one that it replaces, else where a folder was chosen last under this
    title, else in ``beside``.
    """
    start = str(instead_of) if instead_of is not None else _start(title, beside)
    name = QFileDialog.getExistingDirectory(parent, title, start)
    if name:
        QSettings().setValue(f"folders/{title}", name)
    return Path(name) if name else None


def ask_model(parent: QWidget, folder: Path | None) -> Path | None:
    """Let the person choose a model file for a tracker."""
    return ask_file(parent, _tr("Model file"), _tr("Models (*.onnx);;All files (*)"), folder)


def ask_file(parent: QWidget, title: str, filters: str, folder: Path | None = None) -> Path | None:
    """Let the person choose a file to read."""
    kind = filters.partition(" (")[0]
    name, _ = QFileDialog.getOpenFileName(parent, title, _start(kind, folder), filters)
    _remember(kind, [name] if name else [])
    return Path(name) if name else None


def ask_files(parent: QWidget, title: str, filters: str, folder: Path | None = None) -> list[Path]:
    """Let the person choose any number of files to read."""
    kind = filters.partition(" (")[0]
    names, _ = QFileDialog.getOpenFileNames(parent, title, _start(kind, folder), filters)
    _remember(kind, names[:1])
    return [Path(name) for name in names]


def _start(kind: str, folder: Path | None) -> str:
    """Return the folder in which a file of this kind was chosen last, else ``folder``."""
    last = str(QSettings().value(f"folders/{kind}") or "")
    return last if last and Path(last).is_dir() else str(folder or "")


def _remember(kind: str, names: Sequence[str]) -> None:
    for name in names:
        QSettings().setValue(f"folders/{kind}", str(Path(name).parent))


def _video_filter() -> str:
    from annotator.services.files import MEDIA_SUFFIXES

    patterns = " ".join(f"*{suffix}" for suffix in sorted(MEDIA_SUFFIXES))
    names = f"{patterns} {patterns.upper()}"
    return _tr("Video and audio files ({names});;All files (*)").format(names=names)


def _tr(text: str) -> str:
    return QCoreApplication.translate("files", text)
