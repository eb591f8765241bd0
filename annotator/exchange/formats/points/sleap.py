"""SLEAP ``.slp``: points of instances on frames, read and written by sleap-io (extra ``sleap``).

Places there are those of pixel centers, so half a pixel is added. Points of one object are the
nodes of one instance; all instances have the same skeleton.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any, Final

from annotator.domain.checks import Finding
from annotator.domain.errors import ExchangeError
from annotator.domain.geometry import Point
from annotator.exchange.formats.base.file_content import PointContent, VideoContent
from annotator.exchange.formats.base.format import Format, Loss
from annotator.exchange.formats.base.plain_files import (
    MAX_BYTES,
    MAX_FRAME,
    MAX_PIXEL,
    fail,
    label_of,
)

_HALF: Final = 0.5
_HINT: Final = "Install the extra “sleap”: pip install annotator[sleap]"
_SIGNATURE: Final = b"\x89HDF\r\n\x1a\n"


def _library() -> ModuleType:
    try:
        import sleap_io
    except ImportError as error:
        text = "SLEAP files need the package sleap-io, which is not installed."
        raise ExchangeError(text, hint=_HINT) from error
    return sleap_io  # type: ignore[no-any-return]


def read(path: Path) -> list[VideoContent]:
    """Return the videos of a file; ExchangeError when it cannot be read, or sleap-io is missing."""
    library = _library()
    try:
        if path.stat().st_size > MAX_BYTES:
            raise fail(path, f"The file is larger than {MAX_BYTES >> 30} GB.")
        with path.open("rb") as file:
            if file.read(8) != _SIGNATURE:
                raise fail(path, "The file is not a SLEAP file.")
        labels = library.load_slp(str(path), open_videos=False)
        return [_video(labels, video, path) for video in labels.videos]
    except ExchangeError:
        raise
    except OSError as error:
        raise fail(path, "Cannot read the file: it is damaged, or not HDF5.") from error
    except Exception as error:  # a library of others: any fault of a file may end in any error
        raise fail(path, f"Cannot read the file: {type(error).__name__}.") from error


def _video(labels: Any, video: Any, path: Path) -> VideoContent:  # noqa: ANN401 - untyped library
    file_name = video.filename[0] if isinstance(video.filename, list) else video.filename
    name = PurePosixPath(str(file_name).replace("\\", "/")).stem or path.stem
    places: dict[tuple[str, str], dict[int, Point | None]] = {}
    scores: dict[tuple[str, str], dict[int, float]] = {}
    n_untracked = 0
    for labeled_frame in labels.find(video):
        frame = int(labeled_frame.frame_idx)
        if not 0 <= frame <= MAX_FRAME:
            raise fail(path, f"Frame {frame} is out of range.")
        # Where a person corrected a prediction, the correction counts.
        corrected = {
            id(one_instance.from_predicted) for one_instance in labeled_frame.user_instances
        }
        for i, instance in enumerate(labeled_frame.instances):
            if id(instance) in corrected:
                continue
            n_untracked += instance.track is None
            owner = instance.track.name if instance.track is not None else ""
            owner = owner or (f"instance {i + 1}" if len(labeled_frame.instances) > 1 else "")
            for node, point in zip(instance.skeleton.nodes, instance.points, strict=True):
                x, y = (float(value) for value in point["xy"])
                key = (label_of(str(owner)) if owner else "", label_of(str(node.name)))
                if math.isfinite(x) and math.isfinite(y):
                    if max(abs(x), abs(y)) > MAX_PIXEL:
                        raise fail(path, f"A place on frame {frame} is out of range.")
                    is_seen = bool(point["visible"])
                    place = Point(x + _HALF, y + _HALF) if is_seen else None
                    places.setdefault(key, {})[frame] = place
                    if "score" in point.dtype.names and math.isfinite(float(point["score"])):
                        scores.setdefault(key, {})[frame] = float(point["score"])
    is_alone = len({owner for owner, _ in places}) <= 1
    points = tuple(
        PointContent(
            node if is_alone else f"{owner} {node}".strip(),
            places_of,
            f"{owner}/{node}",
            scores.get((owner, node), {}),
        )
        for (owner, node), places_of in places.items()
    )
    findings = []
    if n_untracked and not is_alone:
        text = f"{n_untracked} instances have no track; they are joined by their order."
        findings.append(Finding("no-identity", name, text))
    return VideoContent(name, f"{path.name}, {name}", points=points, findings=tuple(findings))


def write(videos: Iterable[VideoContent]) -> Iterator[bytes]:
    """Yield the file; names of videos are those of their files, without folders."""
    library = _library()
    import numpy as np

    videos = list(videos)
    nodes = list(dict.fromkeys(point.label for v in videos for point in v.points)) or ["point"]
    skeleton = library.Skeleton(list(nodes))
    instances = []
    for video in videos:
        media = library.Video(video.file_name or f"{video.name}.mp4", open_backend=False)
        frames: dict[int, list[Any]] = {}
        for owner, points in _instances(video):
            track = library.Track(owner)
            for frame in sorted({f for point in points for f in point.places}):
                array = np.full((len(nodes), 2), np.nan)
                hidden = []
                for point in points:
                    if frame not in point.places:
                        continue
                    at, place = nodes.index(point.label), point.places[frame]
                    # A hidden point has to have a place there: its last one.
                    last_place = place or _last(point, frame)
                    array[at] = (last_place.x - _HALF, last_place.y - _HALF)
                    if place is None:
                        hidden.append(at)
                instance = library.Instance.from_numpy(array, skeleton=skeleton, track=track)
                instance.points["visible"][hidden] = False
                frames.setdefault(frame, []).append(instance)
        instances += [
            library.LabeledFrame(video=media, frame_idx=frame, instances=own)
            for frame, own in sorted(frames.items())
        ]
    with TemporaryDirectory(prefix="annotator-") as folder:
        path = Path(folder) / "labels.slp"
        library.save_slp(library.Labels(instances), str(path), embed=False)
        yield path.read_bytes()


def _instances(video: VideoContent) -> Iterator[tuple[str, list[PointContent]]]:
    """Yield the points of each object, and those of none; a name stands once in an instance."""
    groups: dict[tuple[str, int], list[PointContent]] = {}
    for point in video.points:
        number = 0
        while any(p.label == point.label for p in groups.get((point.owner, number), [])):
            number += 1
        groups.setdefault((point.owner, number), []).append(point)
    labels = {track.key: track.label for track in video.tracks}
    for (owner, number), points in groups.items():
        name = f"{labels[owner]} {owner}" if owner in labels else "points"
        yield f"{name} {number + 1}" if number else name, points


def _last(point: PointContent, frame: int) -> Point:
    seen = {f: place for f, place in point.places.items() if place is not None}
    if not seen:
        return Point(0.0, 0.0)
    return seen[min(seen, key=lambda f: (f > frame, abs(f - frame)))]


FORMAT: Final = Format(
    "sleap",
    "SLEAP points (.slp)",
    (".slp",),
    "hdf5",
    needs_videos=True,
    holds=("points",),
    losses=frozenset(
        (
            Loss.BOXES,
            Loss.OCCLUSION,
            Loss.OUT_OF_VIEW,
            Loss.ACTIONS,
            Loss.SOUNDS,
            Loss.ROLES,
            Loss.SOUND_SOURCES,
            Loss.NOTES,
            Loss.QUESTIONS,
            Loss.POINT_OBJECTS,
            Loss.ATTRIBUTES,
            Loss.FRAME_RATE,
            Loss.HUMAN_KEYFRAMES,
        )
    ),
    source="sleap-io 0.9",
    read=read,
    write=write,
)
