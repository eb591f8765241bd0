"""Writes a data set for the Hugging Face hub: videos by split, tables, and their description.

It holds the videos, all annotations, a Croissant description (JSON-LD) and a data card.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from annotator.domain.annotation.segment import Lane
from annotator.domain.checks import Finding, Severity
from annotator.domain.json_type import Json
from annotator.exchange.formats.base.document_conversion import boxes_on_frames
from annotator.exchange.formats.registry import FORMAT
from annotator.exchange.parquet import arrow
from annotator.services.files import new_folder
from annotator.services.transfer.media_sets.set_videos import SetVideo, videos_of, written

if TYPE_CHECKING:
    from collections.abc import Mapping

    from annotator.domain.json_type import Json
    from annotator.domain.questions.items.item import Item
    from annotator.exchange.formats.base.file_content import SegmentContent, TrackContent
    from annotator.services.background.jobs import JobToken
    from annotator.services.transfer.snapshot import ExportRequest, Snapshots, WrittenContent

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

    Missing facts are left out, for the publisher to fill in.
    """
    fields: dict[str, Json] = {
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
            fields[name] = about[key]
    if about.get("creator"):
        fields["creator"] = {"@type": "sc:Organization", "name": about["creator"]}
    fields["distribution"] = [_file(table) for table in tables]
    fields["recordSet"] = [_records(table) for table in tables]
    return fields


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
    records: dict[str, Json] = {
        "@type": "cr:RecordSet",
        "@id": table.name,
        "name": table.name,
        "field": fields,
    }
    if table.name == "videos":
        records["key"] = {"@id": "videos/file_name"}
    return records


_UNFIT: Final = re.compile(r"[^\w.-]+")
_SIZES: Final = ((1000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"))
_OPEN: Final = "*not stated*"
COLUMNS: Final[Mapping[str, Mapping[str, str]]] = {
    "videos": {
        "file_name": "text",
        "split": "text",
        "width": "int",
        "height": "int",
        "fps": "float",
        "num_frames": "int",
        "duration": "float",
    },
    "boxes": {
        "video": "text",
        "track": "text",
        "label": "text",
        "frame": "int",
        "x1": "float",
        "y1": "float",
        "x2": "float",
        "y2": "float",
        "occluded": "bool",
    },
    "points": {
        "video": "text",
        "point": "text",
        "track": "text",
        "label": "text",
        "frame": "int",
        "x": "float",
        "y": "float",
    },
    "segments": {
        "video": "text",
        "kind": "text",
        "label": "text",
        "start": "float",
        "end": "float",
        "start_frame": "int",
        "end_frame": "int",
    },
    "questions": {
        "video": "text",
        "question": "text",
        "option": "text",
        "is_right": "bool",
        "area": "text",
        "reasoning": "text",
    },
}
"""Columns of the flat tables by table, each with its type."""


def write(
    items: Snapshots, request: ExportRequest, token: JobToken, share: float
) -> tuple[list[WrittenContent], list[Finding]]:
    """Write the data set into a new folder, and read its metadata again.

    With one split the metadata is JSON Lines, with several Parquet: files of JSON Lines with empty
    lists are refused there as different. ExchangeError when pyarrow is missing; UserError when the
    folder is not empty.
    """
    with new_folder(request.path) as folder:
        work = _Set(folder, arrow())
        for video in videos_of(items, request, FORMAT, token, work.findings):
            work.add(video)
        work.finish(request)
    return work.written, work.findings


class _Set:
    def __init__(self, folder: Path, pyarrow: ModuleType) -> None:
        self._folder, self._arrow = folder, pyarrow
        self._rows: dict[str, list[dict[str, Any]]] = {}
        self._tables: dict[str, dict[str, list[object]]] = {
            name: {column: [] for column in columns} for name, columns in COLUMNS.items()
        }
        self.written: list[WrittenContent] = []
        self.findings: list[Finding] = []

    def add(self, video: SetVideo) -> None:
        content, path = video.content, video.item.video_path
        assert path is not None
        split = _UNFIT.sub("_", video.split).strip("._") or "train"
        name = f"{_UNFIT.sub('_', content.name).strip('._') or 'video'}{path.suffix.lower()}"
        target = self._folder / split / name
        target.parent.mkdir(exist_ok=True)
        shutil.copyfile(path, target)
        frame_set = set(video.frames)
        tracks = [_track(t, frame_set, content.n_frames or 0) for t in content.tracks]
        questions = [q for item in video.item.questions if (q := _question(item)) is not None]
        width, height = content.size or (0, 0)
        row = {
            "file_name": name,
            "width": width,
            "height": height,
            "fps": float(content.rate or 0),
            "num_frames": content.n_frames or 0,
            "tracks": tracks,
            "points": [
                {
                    "id": point.key,
                    "track": point.owner,
                    "label": point.label,
                    "frames": [f for f, place in point.places.items() if place is not None],
                    "xy": [[p.x, p.y] for p in point.places.values() if p is not None],
                    "attributes": _encoded(point.attributes),
                }
                for point in content.points
            ],
            "actions": [_segment(s) for s in content.segments if s.lane is Lane.ACTION],
            "sounds": [_segment(s) for s in content.segments if s.lane is Lane.SOUND],
            "questions": questions,
        }
        self._rows.setdefault(split, []).append(row)
        self._flatten(f"{split}/{name}", split, row, content.duration_s)
        n_boxes = sum(len(track["frames"]) for track in tracks)
        self.written.append(written(video, n_boxes, len(questions)))

    def _flatten(self, name: str, split: str, row: dict[str, Any], duration: float) -> None:
        """Put the content of a video into the flat tables."""
        facts = {key: row[key] for key in ("width", "height", "fps", "num_frames")}
        self._write_table("videos", file_name=name, split=split, duration=duration, **facts)
        for track in row["tracks"]:
            rows = zip(track["frames"], track["boxes"], track["occluded"], strict=True)
            for frame, (x1, y1, x2, y2), occluded in rows:
                box = {"x1": x1, "y1": y1, "x2": x2, "y2": y2, "occluded": occluded}
                of = {"track": track["id"], "label": track["label"], "frame": frame}
                self._write_table("boxes", video=name, **of, **box)
        for point in row["points"]:
            of = {"point": point["id"], "track": point["track"], "label": point["label"]}
            for frame, (x, y) in zip(point["frames"], point["xy"], strict=True):
                self._write_table("points", video=name, **of, frame=frame, x=x, y=y)
        for kind in ("actions", "sounds"):
            for segment in row[kind]:
                flat_row = {
                    key: value
                    for key, value in segment.items()
                    if key not in ("objects", "attributes")
                }
                self._write_table("segments", video=name, kind=kind[:-1], **flat_row)
        for question in row["questions"]:
            for i, option in enumerate(question["options"]):
                is_right = i == question["answer_id"]
                of = {key: question[key] for key in ("question", "area", "reasoning")}
                self._write_table("questions", video=name, **of, option=option, is_right=is_right)

    def _write_table(self, table: str, **row: object) -> None:
        for column, cells in self._tables[table].items():
            cells.append(row[column])

    def finish(self, request: ExportRequest) -> None:
        """Write metadata, tables, description and card."""
        for split, rows in self._rows.items():
            self._metadata(self._folder / split, rows)
        tables = []
        (self._folder / "tables").mkdir(exist_ok=True)
        for name, columns in self._tables.items():
            if not any(columns.values()):
                continue
            place = f"tables/{name}.parquet"
            types = [(c, self._type(kind)) for c, kind in COLUMNS[name].items()]
            table = self._arrow.table(columns, schema=self._arrow.schema(types))
            self._arrow.parquet.write_table(table, self._folder / place)
            tables.append(ParquetTable(name, place, self._folder / place, dict(COLUMNS[name])))
        title, about = request.path.name, request.about
        body = description(title, tables, about)
        text = json.dumps(body, ensure_ascii=False, indent=1, allow_nan=False)
        (self._folder / "croissant.json").write_text(text + "\n", encoding="utf-8")
        card = "\n".join(self._card(title, about)) + "\n"
        (self._folder / "README.md").write_text(card, encoding="utf-8")
        lacks = [name for name in ("license", "url", "creator") if not about.get(name)]
        if lacks:
            text = f"Not stated in README.md and croissant.json: {', '.join(lacks)}."
            self.findings.append(Finding("not-stated", "README.md", text))

    def _metadata(self, folder: Path, rows: list[dict[str, Any]]) -> None:
        """Write the metadata of a split, read it back and compare."""
        if len(self._rows) == 1:
            path = folder / "metadata.jsonl"
            lines = (json.dumps(row, ensure_ascii=False, allow_nan=False) for row in rows)
            path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
            again = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        else:
            path = folder / "metadata.parquet"
            table = self._arrow.Table.from_pylist(rows, schema=self._schema())
            self._arrow.parquet.write_table(table, path)
            again = self._arrow.parquet.read_table(path).to_pylist()
        if again != rows:
            text = "Verification failed: the file content differs from the written data."
            self.findings.append(Finding("not-as-written", path.name, text, Severity.ERROR))

    def _type(self, kind: str) -> object:
        arrow = self._arrow
        types = {"text": arrow.string(), "int": arrow.int64(), "bool": arrow.bool_()}
        return types.get(kind, arrow.float64())

    def _schema(self) -> object:
        """Return the types of the metadata, the same for every split."""
        arrow = self._arrow
        text, integer, real = arrow.string(), arrow.int64(), arrow.float64()
        numbers = arrow.list_(integer)
        track = [("id", text), ("label", text), ("frames", numbers)]
        track += [("boxes", arrow.list_(arrow.list_(real)))]
        track += [("occluded", arrow.list_(arrow.bool_())), ("attributes", text)]
        point = [("id", text), ("track", text), ("label", text), ("frames", numbers)]
        point += [("xy", arrow.list_(arrow.list_(real))), ("attributes", text)]
        segment = [("label", text), ("start", real), ("end", real), ("start_frame", integer)]
        segment += [("end_frame", integer), ("objects", arrow.list_(text))]
        segment += [("attributes", text)]
        question = [("question", text), ("options", arrow.list_(text)), ("answer_id", integer)]
        question += [("area", text), ("reasoning", text), ("tags", arrow.list_(text))]
        lists = {"tracks": track, "points": point, "actions": segment, "sounds": segment}
        lists["questions"] = question
        plain = [("file_name", text), ("width", integer), ("height", integer), ("fps", real)]
        plain += [("num_frames", integer)]
        nested = [(name, arrow.list_(arrow.struct(kind))) for name, kind in lists.items()]
        return arrow.schema([*plain, *nested])

    def _card(self, title: str, about: Mapping[str, str]) -> Iterator[str]:
        videos = self._tables["videos"]
        n = len(videos["file_name"])
        size = next((name for most, name in _SIZES if n < most), "100K<n<1M")
        yield "---"
        yield f"pretty_name: {json.dumps(title, ensure_ascii=False)}"
        yield f"license: {json.dumps(_license(about.get('license', '')))}"
        if about.get("license"):
            yield f"license_link: {json.dumps(about['license'], ensure_ascii=False)}"
        yield "task_categories: [video-classification, object-detection]"
        yield f'size_categories: ["{size}"]'
        yield "configs:"
        yield "- config_name: default"
        yield "  default: true"
        yield "  data_files:"
        for split in self._rows:
            yield f"  - {{split: {json.dumps(split)}, path: {json.dumps(f'{split}/**')}}}"
        yield "---"
        yield ""
        yield f"# {title}"
        yield ""
        hours = sum(float(str(d)) for d in videos["duration"]) / 3600
        yield f"{n:,} videos, {hours:,.2f} hours."
        yield ""
        yield "| split | videos | object tracks | point tracks | actions | sounds | questions |"
        yield "|---|---:|---:|---:|---:|---:|---:|"
        for split, rows in self._rows.items():
            names = ("tracks", "points", "actions", "sounds", "questions")
            counts = (sum(len(row[kind]) for row in rows) for kind in names)
            yield f"| {split} | {len(rows):,} | {' | '.join(f'{c:,}' for c in counts)} |"
        yield ""
        yield "## Fields"
        yield ""
        yield "Boxes are left, top, right, bottom and points x, y, in pixels from the top left"
        yield "corner. Frames count from 0 in the order of decoding; `end_frame` is exclusive."
        yield "`start` and `end` are seconds. A frame that a track does not list is not annotated"
        yield "or out of view. `answer_id` counts from 0; -1 where no answer is published."
        yield "`tables/*.parquet` hold the same content, a row for each box, point, segment and"
        yield "option; `croissant.json` describes them."
        yield ""
        for key, head in (
            ("creator", "Creator"),
            ("url", "Web page"),
            ("license", "License"),
            ("citation", "Citation"),
        ):
            yield f"## {head}"
            yield ""
            yield about.get(key) or _OPEN
            yield ""
        for head in ("Source and consent", "Limitations and biases", "Personal data"):
            yield f"## {head}"
            yield ""
            yield _OPEN
            yield ""


def _track(track: TrackContent, wanted: set[int], n_frames: int) -> dict[str, Any]:
    rows = [row for row in boxes_on_frames(track, n_frames) if row[0] in wanted]
    return {
        "id": track.key,
        "label": track.label,
        "frames": [frame for frame, _, _ in rows],
        "boxes": [[round(side, 3) for side in box.as_tuple()] for _, box, _ in rows],
        "occluded": [hidden for _, _, hidden in rows],
        "attributes": _encoded(track.attributes),
    }


def _segment(segment: SegmentContent) -> dict[str, Json]:
    start, end = segment.times_us or (0, 0)
    first, last = segment.frames or (0, 0)
    return {
        "label": segment.label,
        "start": start / 1e6,
        "end": end / 1e6,
        "start_frame": first,
        "end_frame": last,
        "objects": list(segment.objects),
        "attributes": _encoded(segment.attributes),
    }


def _encoded(attributes: Mapping[str, Json]) -> str:
    """Return attributes as JSON: their names and types are those of the project."""
    return json.dumps(attributes, ensure_ascii=False, allow_nan=False)


def _question(item: Item) -> dict[str, Json] | None:
    """Return a question with options; None for what has none."""
    if not item.text or not item.options:
        return None
    keys = [option.key for option in item.options]
    right = [key for values in item.right.values() for key in values if key in keys]
    return {
        "question": item.text,
        "options": [option.text for option in item.options],
        "answer_id": keys.index(right[0]) if right else -1,
        "area": item.area,
        "reasoning": item.reasoning,
        "tags": list(item.tags),
    }


def _license(text: str) -> str:
    """Return the name of a license as the hub knows it, "other" for those it does not."""
    match = re.search(r"creativecommons\.org/licenses/([a-z-]+)/(\d\.\d)", text)
    if match:
        return f"cc-{match[1]}-{match[2]}"
    return {"apache-2.0": "apache-2.0", "mit": "mit"}.get(text.strip().lower(), "other")
