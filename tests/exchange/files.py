"""Makes Perception Test files for tests, in the canonical form and out of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.ids import DraftId, VideoId, new_id
from annotator.exchange.perception_test.from_domain import ExportEntry, ExportSettings, make_entry
from annotator.exchange.perception_test.read import read_video
from annotator.exchange.perception_test.to_domain import import_command
from annotator.exchange.perception_test.write import encode
from annotator.exchange.strict_json import JsonObjectFile

NAME = "video_900003"
TIMES = [round(frame * 1e6 / 30) for frame in range(130)]
"""When each frame of the example's video appears, in microseconds."""


def example() -> dict[str, Any]:
    """Return an entry that uses everything the format has, in canonical key order."""
    return {
        "metadata": {
            "split": "valid",
            "video_id": NAME,
            "frame_rate": 30.0,
            "num_frames": 130,
            "resolution": [720, 1280],
            "audio_samples": 208000,
            "audio_sample_rate": 48000.0,
            "is_cup_game": 1,
            "is_camera_moving": 0,
        },
        "object_tracking": [
            {
                "id": 0,
                "label": "cup--red",
                "is_occluder": 1,
                "bounding_boxes": [[0.1, 0.4, 0.2, 0.7], [0.2, 0.4, 0.30000000000000004, 0.7]],
                "initial_tracking_box": [1, 0],
                "frame_ids": [0, 30],
                "timestamps": [0, 1000123],
                "is_masked": [0, 0],
            },
            {
                "id": 1,
                "label": " coin",
                "is_occluder": 0,
                "bounding_boxes": [
                    [0.13, 0.6, 0.17, 0.68],
                    [0.23, 0.6, 0.27, 0.68],
                    [0.2412345678912345, 0, 0.271, 1],
                ],
                "initial_tracking_box": [0, 1, 0],
                "frame_ids": [0, 30, 97],
                "timestamps": [0, 1000000, 3233333],
                "is_masked": [0, 1, 0],
                "rater_note": {"seen": [1.5, None, "ä"]},
            },
        ],
        "point_tracking": [
            {
                "id": 0,
                "label": "rim",
                "parent_objects": [1],
                "frame_ids": [0, 1, 2, 5],
                "points": [[0.5, 0.5, 0.51, 0.52], [0.15, 0.151, 0.152, 0.16]],
            }
        ],
        "action_localisation": [
            {
                "id": 0,
                "label_id": 21,
                "label": "Lifting something and placing it back down",
                "parent_objects": [0],
                "timestamps": [1000000, 2500000],
                "frame_ids": [30, 75],
            },
            {
                "id": 1,
                "label_id": 8,
                "label": "Other",
                "parent_objects": [],
                "timestamps": [0, 10],
                "frame_ids": [0, 0],
            },
        ],
        "sound_localisation": [
            {
                "id": 0,
                "label_id": 0,
                "label": " Human:Speech",
                "parent_objects": [1, -1],
                "timestamps": [2333333.5, 2533333],
                "frame_ids": [70, 76],
                "is_visible": 0,
            }
        ],
        "mc_question": [
            {
                "id": 0,
                "question": "Is the camera moving or static?",
                "options": ["I don't know", " moving", "static or shaking"],
                "answer_id": 2,
                "area": "physics",
                "reasoning": "descriptive",
                "tag": ["motion"],
            }
        ],
        "grounded_question": [
            {
                "id": 0,
                "question": "Track the objects that were lifted.",
                "answers": [1, 0],
                "area": "semantics",
                "reasoning": "descriptive",
            }
        ],
        "lab": {"script": 12},
    }


def make_document(n_frames: int = 130, size: tuple[int, int] = (1280, 720)) -> Document:
    """Return an empty document for a video like the one of the example."""
    width, height = size
    video = VideoInfo(
        VideoId(new_id()), f"{NAME}.mp4", width, height, n_frames, 30.0, n_frames / 30
    )
    return Document(DraftId(new_id()), video)


def write_file(folder: Path, content: Any) -> Path:
    """Write a file; text and bytes as they are, other values as JSON."""
    path = folder / "annotations.json"
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        text = content if isinstance(content, str) else json.dumps(content)
        path.write_text(text, encoding="utf-8")
    return path


def imported(entry: Any, document: Document | None = None) -> Document:
    """Return a document into which an entry has been imported; nothing in it may be wrong."""
    document = document or make_document()
    record = read_video(NAME, entry)
    command, findings = import_command(record, document, TIMES)
    assert [f for f in (*record.findings, *findings) if f.severity == "error"] == []
    document.apply(command.plan(document))
    return document


def microseconds(frame: int) -> int:
    """Return when a frame appears at 30 frames per second."""
    return TIMES[frame] if frame < len(TIMES) else round(frame * 1e6 / 30)


def exported(document: Document, settings: ExportSettings | None = None) -> ExportEntry:
    """Return the entry of a document."""
    return make_entry(document, microseconds, None, settings or ExportSettings())


def canonical(*entries: tuple[str, Any]) -> bytes:
    """Return a file in the canonical form."""
    return b"".join(encode(dict(entries)))


def round_trip(path: Path) -> bytes:
    """Return the export of what a file holds, each video imported into a new document."""
    with JsonObjectFile(path) as file:
        entries = {}
        for name in file.keys():  # noqa: SIM118 - not a mapping
            document = imported_as(name, file.member(name))
            entries[name] = exported(document).value
    return b"".join(encode(entries))


def imported_as(name: str, value: Any) -> Document:
    """Return a document of the size the entry says, with the entry imported."""
    record = read_video(name, value)
    document = make_document(record.n_frames or 130, record.size or (1280, 720))
    command, _ = import_command(record, document, TIMES)
    document.apply(command.plan(document))
    return document
