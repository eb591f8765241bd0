"""The system's own windows for choosing files."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QFileDialog, QWidget

_VIDEO_PATTERNS: Final = (
    "*.mp4 *.mov *.m4v *.mkv *.webm *.avi *.ts *.mts *.m2ts *.mpg *.mpeg *.3gp *.wmv *.flv *.ogv"
    " *.wav *.mp3 *.m4a *.flac *.ogg"
)


def ask_project(parent: QWidget, folder: Path | None) -> Path | None:
    """Let the person choose a project file to open."""
    filters = _tr("Projects and work packages (*.annot *.work);;All files (*)")
    return _one(parent, _tr("Open project"), folder, filters)


def ask_copy(parent: QWidget, proposal: Path) -> Path | None:
    """Let the person choose where a copy of the project goes."""
    name, _ = QFileDialog.getSaveFileName(
        parent, _tr("Save a copy"), str(proposal), _tr("Projects (*.annot)")
    )
    return Path(name) if name else None


def ask_videos(parent: QWidget, folder: Path | None) -> list[Path]:
    """Let the person choose any number of video files."""
    names, _ = QFileDialog.getOpenFileNames(
        parent, _tr("Add videos"), str(folder or ""), _video_filter()
    )
    return [Path(name) for name in names]


def ask_video(parent: QWidget, title: str, folder: Path | None) -> Path | None:
    """Let the person choose one video file."""
    return _one(parent, title, folder, _video_filter())


def ask_recipe(parent: QWidget, folder: Path | None) -> Path | None:
    """Let the person choose a recipe."""
    return _one(parent, _tr("Change recipe"), folder, _tr("Recipes (*.toml)"))


def ask_import(parent: QWidget, folder: Path | None) -> Path | None:
    """Let the person choose a file to import."""
    filters = _tr("Annotations (*.json *.pkl *.pickle *.csv);;All files (*)")
    return _one(parent, _tr("Import annotations"), folder, filters)


def ask_export(parent: QWidget, proposal: Path) -> Path | None:
    """Let the person choose where an export goes."""
    name, _ = QFileDialog.getSaveFileName(
        parent, _tr("Export annotations"), str(proposal), f"(*{proposal.suffix})"
    )
    return Path(name) if name else None


def ask_table(parent: QWidget, proposal: Path) -> Path | None:
    """Let the person choose where a table goes."""
    name, _ = QFileDialog.getSaveFileName(
        parent, _tr("Export table"), str(proposal.with_suffix(".csv")), _tr("Tables (*.csv)")
    )
    if not name:
        return None
    path = Path(name)
    return path if path.suffix else path.with_suffix(".csv")


def ask_label_set(parent: QWidget, folder: Path | None) -> Path | None:
    """Let the person choose a file with labels."""
    return _one(parent, _tr("Import label set"), folder, _tr("Label sets (*.toml);;All files (*)"))


def ask_label_export(parent: QWidget, proposal: Path) -> Path | None:
    """Let the person choose where a label set goes."""
    name, _ = QFileDialog.getSaveFileName(
        parent, _tr("Export label set"), str(proposal), _tr("Label sets (*.toml)")
    )
    return Path(name) if name else None


def ask_recipe_target(parent: QWidget, proposal: Path) -> Path | None:
    """Let the person choose where a recipe goes."""
    name, _ = QFileDialog.getSaveFileName(
        parent, _tr("Save recipe"), str(proposal), _tr("Recipes (*.toml)")
    )
    return Path(name) if name else None


def ask_folder(parent: QWidget, folder: Path) -> Path | None:
    """Let the person choose a folder."""
    name = QFileDialog.getExistingDirectory(parent, _tr("Select folder"), str(folder))
    return Path(name) if name else None


def ask_model(parent: QWidget, folder: Path | None) -> Path | None:
    """Let the person choose a model file for a tracker."""
    return _one(parent, _tr("Model file"), folder, _tr("Models (*.onnx);;All files (*)"))


def _one(parent: QWidget, title: str, folder: Path | None, filters: str) -> Path | None:
    name, _ = QFileDialog.getOpenFileName(parent, title, str(folder or ""), filters)
    return Path(name) if name else None


def _video_filter() -> str:
    names = f"{_VIDEO_PATTERNS} {_VIDEO_PATTERNS.upper()}"
    return _tr("Video and audio files ({names});;All files (*)").format(names=names)


def _tr(text: str) -> str:
    return QCoreApplication.translate("files", text)
