"""Point tracks in NumPy archives (npz): TAP style, PointOdyssey, and the output of trackers.

    tracks [n, frames, 2], occluded or visibles [n, frames]        TAP style; also [1, n, frames, 2]
    trajs_2d [frames, n, 2], visibs or visibilities, valids        PointOdyssey
    pred_tracks [1, frames, n, 2], pred_visibility                 CoTracker

Places are pixels of the video. Nothing in a file is executed: object arrays are refused.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from annotator.domain.geometry import Point
from annotator.exchange.formats.base.file_content import PointContent, VideoContent
from annotator.exchange.formats.base.format import Format, Loss
from annotator.exchange.formats.base.plain_files import MAX_PIXEL, fail, label_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MAX_BYTES: Final = 1 << 30
_WANTED: Final = (
    *("tracks", "occluded", "visibles", "trajs_2d", "visibs", "visibilities", "valids"),
    *("pred_tracks", "pred_visibility", "frame_size", "labels"),
)
_LIKELY: Final = 0.5


def read(path: Path) -> list[VideoContent]:
    """Return the one video of a file; ExchangeError for files without tracks."""
    arrays = _arrays(path)
    if "trajs_2d" in arrays:
        tracks = _swapped(path, arrays["trajs_2d"])
        is_visible = _visible(path, arrays, tracks, ("visibs", "visibilities"), is_swapped=True)
        if "valids" in arrays:
            is_visible &= _flags(path, arrays["valids"], tracks, is_swapped=True) == 1
    elif "pred_tracks" in arrays:
        tracks = _swapped(path, _single(path, arrays["pred_tracks"]))
        is_visible = _visible(path, arrays, tracks, ("pred_visibility",), is_swapped=True)
    elif "tracks" in arrays:
        tracks = _single(path, arrays["tracks"])
        if "occluded" in arrays:
            is_visible = _flags(path, arrays["occluded"], tracks) <= _LIKELY
        else:
            is_visible = _visible(path, arrays, tracks, ("visibles",))
    else:
        raise fail(path, "The file has no array tracks, trajs_2d or pred_tracks.")
    is_visible &= (np.isfinite(tracks) & (np.abs(tracks) <= MAX_PIXEL)).all(axis=2)
    names = _labels(arrays, len(tracks))
    points = []
    for i, (places, visible_frames) in enumerate(
        zip(tracks.tolist(), is_visible.tolist(), strict=True)
    ):
        places_at = {
            f: Point(*xy) if is_on else None for f, (xy, is_on) in _numbered(places, visible_frames)
        }
        points.append(PointContent(names[i], places_at, str(i)))
    size = None
    if "frame_size" in arrays and arrays["frame_size"].shape == (2,):
        width, height = (int(side) for side in arrays["frame_size"].tolist())
        size = (width, height)
    # The archives of a set lie in a folder each.
    name = path.parent.name if path.stem in ("anno", "annotations") else path.stem
    placed_points = tuple(point for point in points if point.places)
    return [
        VideoContent(name, path.name, points=placed_points, size=size, n_frames=tracks.shape[1])
    ]


def _numbered(
    places: list[list[float]], shown: list[bool]
) -> Iterator[tuple[int, tuple[list[float], bool]]]:
    """Yield the frames from the first to the last on which a point is visible."""
    frames = [frame for frame, is_on in enumerate(shown) if is_on]
    if frames:
        for frame in range(frames[0], frames[-1] + 1):
            yield frame, (places[frame], shown[frame])


def _arrays(path: Path) -> dict[str, NDArray[Any]]:
    """Return the required arrays: numbers, flags and texts of bounded size."""
    arrays: dict[str, NDArray[Any]] = {}
    try:
        with zipfile.ZipFile(path) as archive:
            sizes = {info.filename: info.file_size for info in archive.infolist()}
            for name in _WANTED:
                if f"{name}.npy" not in sizes:
                    continue
                if sizes[f"{name}.npy"] > _MAX_BYTES:
                    raise fail(path, f"The array {name} is larger than {_MAX_BYTES >> 30} GB.")
                data = io.BytesIO(archive.read(f"{name}.npy"))
                array = np.lib.format.read_array(data, allow_pickle=False)
                if array.dtype.kind not in "fiubU" or array.nbytes > 4 * _MAX_BYTES:
                    raise fail(path, f"The array {name} does not hold numbers.")
                arrays[name] = array
    except (OSError, ValueError, zipfile.BadZipFile, EOFError, MemoryError, SyntaxError) as error:
        raise fail(path, f"Cannot read the file: {error}.") from error
    except (RuntimeError, TypeError, KeyError) as error:
        raise fail(path, "Cannot read the file: it is damaged or encrypted.") from error
    return arrays


def _single(path: Path, array: NDArray[Any]) -> NDArray[np.float64]:
    """Return [n, frames, 2], of a batch of one, too."""
    if array.ndim == 4 and len(array) == 1:
        array = array[0]
    if array.ndim != 3 or array.shape[2] != 2 or array.dtype.kind not in "fiu":
        raise fail(path, f"The tracks have the shape {array.shape}; [points, frames, 2] is wanted.")
    return array.astype(np.float64)


def _swapped(path: Path, array: NDArray[Any]) -> NDArray[np.float64]:
    return _single(path, array).swapaxes(0, 1)


def _flags(
    path: Path, array: NDArray[Any], tracks: NDArray[np.float64], *, is_swapped: bool = False
) -> NDArray[np.float64]:
    if array.ndim == 3 and 1 in (array.shape[0], array.shape[2]):
        array = array[0] if array.shape[0] == 1 else array[..., 0]
    if is_swapped:
        array = array.T
    if array.shape != tracks.shape[:2] or array.dtype.kind not in "fiub":
        raise fail(path, f"The flags have another shape than the tracks: {array.shape}.")
    return array.astype(np.float64)


def _visible(
    path: Path,
    arrays: Mapping[str, NDArray[Any]],
    tracks: NDArray[np.float64],
    names: tuple[str, ...],
    *,
    is_swapped: bool = False,
) -> NDArray[np.bool_]:
    """Return where points are visible: flags of 1, or values from one half on; else everywhere."""
    for name in names:
        if name in arrays:
            flags = _flags(path, arrays[name], tracks, is_swapped=is_swapped)
            return (flags > _LIKELY) & (flags <= 1)
    return np.ones(tracks.shape[:2], np.bool_)


def _labels(arrays: Mapping[str, NDArray[Any]], n: int) -> list[str]:
    told = arrays.get("labels")
    if told is None or told.dtype.kind != "U" or told.shape != (n,):
        return [f"point {i + 1}" for i in range(n)]
    return [label_of(text) for text in told.tolist()]


def write(videos: Iterable[VideoContent]) -> Iterator[bytes]:
    """Yield the archive of one video in TAP style: NaN where a point has no place."""
    (video,) = videos
    n_frames = video.n_frames or 0
    tracks = np.full((len(video.points), n_frames, 2), np.nan)
    for i, point in enumerate(video.points):
        for frame, xy in point.places.items():
            if xy is not None and frame < n_frames:
                tracks[i, frame] = xy.x, xy.y
    out = io.BytesIO()
    # Without times of its own the same content is the same file.
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, array in (
            ("tracks", tracks),
            ("occluded", np.isnan(tracks[:, :, 0])),
            ("frame_size", np.array(video.size or (0, 0))),
            ("video_id", np.array(video.name)),
            ("labels", np.array([point.label for point in video.points], np.str_)),
        ):
            part = io.BytesIO()
            np.lib.format.write_array(part, array, allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(f"{name}.npy"), part.getvalue())
    yield out.getvalue()


FORMAT: Final = Format(
    "points-npz",
    "Point tracks (NumPy npz)",
    (".npz",),
    "numpy",
    needs_videos=True,
    holds=("points",),
    losses=frozenset(
        (
            Loss.BOXES,
            Loss.ACTIONS,
            Loss.SOUNDS,
            Loss.ROLES,
            Loss.SOUND_SOURCES,
            Loss.NOTES,
            Loss.QUESTIONS,
            Loss.OCCLUDED_POINTS,
            Loss.POINT_OBJECTS,
            Loss.FRAME_RATE,
        )
    ),
    source="TAP-Vid, PointOdyssey and CoTracker repositories",
    is_per_video=True,
    read=read,
    write=write,
)
