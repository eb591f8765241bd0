"""Describes the tables of a data set in Croissant 1.1 (JSON-LD)."""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from annotator.domain.json_type import Json

_CONFORMS: Final = "http://mlcommons.org/croissant/1.1"
_TYPES: Final = {"text": "sc:Text", "int": "sc:Integer", "float": "sc:Float", "bool": "sc:Boolean"}
_PLAIN: Final = (
    *("arrayShape", "citeAs", "column", "containedIn", "equivalentProperty", "extract", "field"),
    *("fileProperty", "fileObject", "fileSet", "format", "includes", "isArray", "isLiveDataset"),
    *("jsonPath", "key", "md5", "parentField", "path", "recordSet", "references", "regex"),
    *("repeated", "replace", "samplingRate", "separator", "source", "subField", "transform"),
)
# The context of the specification, whole: readers refuse a shortened one.
_CONTEXT: Final[Mapping[str, Json]] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "sc": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "description": {"@container": "@language"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "name": {"@container": "@language"},
    **{name: f"cr:{name}" for name in _PLAIN},
}


@dataclass(frozen=True, slots=True)
class ParquetTable:
    """A Parquet table: ``place`` in the data set, where its file is, types by column."""

    name: str
    place: str
    path: Path
    columns: Mapping[str, str]


def description(
    title: str, tables: Sequence[ParquetTable], about: Mapping[str, str]
) -> dict[str, Json]:
    """Return the description; ``about`` may have "license", "url", "creator" and "citation".

    What is not stated there is left out: it is for the publisher to fill in.
    """
    found: dict[str, Json] = {
        "@context": dict(_CONTEXT),
        "@type": "sc:Dataset",
        "conformsTo": _CONFORMS,
        "name": title,
        "description": "Videos with annotations of objects, points, actions, sounds and questions.",
        "version": "1.0.0",
        "datePublished": datetime.datetime.now(datetime.UTC).date().isoformat(),
    }
    for key, name in (("license", "license"), ("url", "url"), ("citation", "citeAs")):
        if about.get(key):
            found[name] = about[key]
    if about.get("creator"):
        found["creator"] = {"@type": "sc:Organization", "name": about["creator"]}
    found["distribution"] = [_file(table) for table in tables]
    found["recordSet"] = [_records(table) for table in tables]
    return found


def _file(table: ParquetTable) -> Json:
    with table.path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return {
        "@type": "cr:FileObject",
        "@id": f"{table.name}-file",
        "name": table.place,
        "contentUrl": table.place,
        "encodingFormat": "application/x-parquet",
        "sha256": digest,
    }


def _records(table: ParquetTable) -> Json:
    fields: list[Json] = []
    for column, kind in table.columns.items():
        field: dict[str, Json] = {
            "@type": "cr:Field",
            "@id": f"{table.name}/{column}",
            "name": column,
            "dataType": _TYPES[kind],
            "source": {
                "fileObject": {"@id": f"{table.name}-file"},
                "extract": {"column": column},
            },
        }
        if column == "video":
            field["references"] = {"field": {"@id": "videos/file_name"}}
        fields.append(field)
    found: dict[str, Json] = {
        "@type": "cr:RecordSet",
        "@id": table.name,
        "name": table.name,
        "field": fields,
    }
    if table.name == "videos":
        found["key"] = {"@id": "videos/file_name"}
    return found
