"""Import and export, for the window and the command line alike."""

from __future__ import annotations

from annotator.exchange.formats.base.format import Format
from annotator.services.transfer.export import (
    ExportedVideo,
    ExportReport,
    export_project,
    write_export,
)
from annotator.services.transfer.formats import (
    FORMATS,
    PERCEPTION_TEST,
    format_named,
    format_of,
)
from annotator.services.transfer.imports.file_import import (
    FileImport,
    ImportRefusedError,
    ImportReport,
    import_file,
)
from annotator.services.transfer.imports.import_plan import Again
from annotator.services.transfer.imports.import_sources import OpenFile
from annotator.services.transfer.imports.import_submission import ImportedVideo
from annotator.services.transfer.snapshot import ExportRequest, Snapshots, snapshots

__all__ = [
    "FORMATS",
    "PERCEPTION_TEST",
    "Again",
    "ExportReport",
    "ExportRequest",
    "ExportedVideo",
    "FileImport",
    "Format",
    "ImportRefusedError",
    "ImportReport",
    "ImportedVideo",
    "OpenFile",
    "Snapshots",
    "export_project",
    "format_named",
    "format_of",
    "import_file",
    "snapshots",
    "write_export",
]
