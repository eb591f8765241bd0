"""A Perception Test file as large as the real one, generated: 11,609 videos, canonical form."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np

from annotator.exchange.perception_test.write import BETWEEN, CLOSING, OPENING, encode_entry

N_VIDEOS: Final = 11_609
TOTALS: Final = {
    "object_tracking": 189_940,
    "action_localisation": 73_503,
    "sound_localisation": 137_128,
    "mc_question": 38_060,
    "grounded_question": 6_086,
}
N_POINT_VIDEOS: Final = 145
N_POINTS: Final = 8_647
N_FRAMES: Final = 690
GRID: Final = list(range(0, N_FRAMES, 30))
TIMES: Final = [round(frame * 1e6 / 30) for frame in GRID]


def write_dataset(path: Path, n_videos: int = N_VIDEOS) -> None:
    """Write the first videos of the file: 16 tracks of 23 boxes each, 60 points in every 80th."""
    rng = np.random.default_rng(7)
    every = N_VIDEOS // N_POINT_VIDEOS
    with path.open("wb") as file:
        for i in range(n_videos):
            count = {task: _share(total, i, N_VIDEOS) for task, total in TOTALS.items()}
            points = 0
            if i % every == 0 and i // every < N_POINT_VIDEOS:
                points = _share(N_POINTS, i // every, N_POINT_VIDEOS)
            file.write(OPENING if i == 0 else BETWEEN)
            file.write(encode_entry(f"video_{i}", _entry(rng, i, count, points)))
        file.write(CLOSING)


def _share(total: int, i: int, n: int) -> int:
    """Return the part of the i-th of n when a total is dealt out evenly."""
    return total * (i + 1) // n - total * i // n


def _entry(rng: np.random.Generator, i: int, count: dict[str, int], n_points: int) -> Any:
    n_tracks = count["object_tracking"]
    metadata = {
        "split": ("train", "valid", "test")[i % 3],
        "video_id": f"video_{i}",
        "frame_rate": 30.0,
        "num_frames": N_FRAMES,
        "resolution": [720, 1280],
        "audio_samples": 1_104_000,
        "audio_sample_rate": 48000.0,
        "is_cup_game": int(i % 20 == 0),
        "is_camera_moving": i % 2,
    }
    return {
        "metadata": metadata,
        "object_tracking": [_object(rng, n) for n in range(n_tracks)],
        "point_tracking": [_point(rng, n, n_tracks) for n in range(n_points)],
        "action_localisation": [
            _segment(rng, n, n_tracks, 21, "Lifting something and placing it back down")
            for n in range(count["action_localisation"])
        ],
        "sound_localisation": [
            _segment(rng, n, n_tracks, 7, "Interaction:hitting") | {"is_visible": n % 2}
            for n in range(count["sound_localisation"])
        ],
        "mc_question": [_choice(n) for n in range(count["mc_question"])],
        "grounded_question": [_grounded(n, n_tracks) for n in range(count["grounded_question"])],
    }


def _object(rng: np.random.Generator, n: int) -> Any:
    steps = np.cumsum(rng.normal(0, 0.002, (len(GRID), 2)), axis=0)
    corner = np.clip(rng.uniform(0.05, 0.7, 2) + steps, 0.001, 0.75)
    boxes = np.round(np.hstack([corner, corner + rng.uniform(0.05, 0.2, 2)]), 9)
    return {
        "id": n,
        "label": f"thing--{n}",
        "is_occluder": 0,
        "bounding_boxes": boxes.tolist(),
        "initial_tracking_box": [1] + [0] * (len(GRID) - 1),
        "frame_ids": GRID,
        "timestamps": TIMES,
        "is_masked": [0] * len(GRID),
    }


def _point(rng: np.random.Generator, n: int, n_tracks: int) -> Any:
    steps = np.cumsum(rng.normal(0, 0.001, (2, N_FRAMES)), axis=1)
    places = np.round(np.clip(0.5 + steps, 0, 1), 9)
    return {
        "id": n,
        "label": "handle",
        "parent_objects": [n % n_tracks],
        "frame_ids": list(range(N_FRAMES)),
        "points": places.tolist(),
    }


def _segment(rng: np.random.Generator, n: int, n_tracks: int, label_id: int, label: str) -> Any:
    start = int(rng.integers(0, 590))
    end = start + int(rng.integers(5, 90))
    return {
        "id": n,
        "label_id": label_id,
        "label": label,
        "parent_objects": [int(rng.integers(0, n_tracks))],
        "timestamps": [round(start * 1e6 / 30), round(end * 1e6 / 30)],
        "frame_ids": [start, end],
    }


def _choice(n: int) -> Any:
    return {
        "id": n,
        "question": "Is the camera moving or static?",
        "options": ["I don't know", "moving", "static or shaking"],
        "answer_id": 2,
        "area": "physics",
        "reasoning": "descriptive",
        "tag": ["motion"],
    }


def _grounded(n: int, n_tracks: int) -> Any:
    return {
        "id": n,
        "question": "Track the objects that were lifted.",
        "answers": [n % n_tracks],
        "area": "semantics",
        "reasoning": "descriptive",
    }
