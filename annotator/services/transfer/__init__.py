"""Import and export, for the window and the command line alike."""

from __future__ import annotations

from typing import Final

from annotator.services.transfer.exporting import (
    ExportedVideo,
    ExportReport,
    ExportRequest,
    Snapshot,
    export_project,
    snapshots,
    write_export,
)
from annotator.services.transfer.importing import (
    FileImport,
    ImportedVideo,
    ImportRefusedError,
    ImportReport,
    import_file,
)

FORMATS: Final = {"perception-test": "Perception Test (JSON)"}
"""Name on the command line and title in the window."""

__all__ = [
    "FORMATS",
    "ExportReport",
    "ExportRequest",
    "ExportedVideo",
    "FileImport",
    "ImportRefusedError",
    "ImportReport",
    "ImportedVideo",
    "Snapshot",
    "export_project",
    "import_file",
    "snapshots",
    "write_export",
]
