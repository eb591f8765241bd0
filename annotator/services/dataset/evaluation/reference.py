"""The annotations that predictions are compared with: of a project or of a file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from annotator.domain.errors import UserError
from annotator.exchange.perception_test.from_domain import ExportSettings, entry_name
from annotator.exchange.perception_test.labels import numbered
from annotator.exchange.perception_test.records import VideoRecord
from annotator.exchange.strict_json import JsonObjectFile
from annotator.services.background.jobs import JobToken
from annotator.services.project.metadata import metadata_of
from annotator.services.project.projects import OpenProject, open_project
from annotator.services.transfer.perception_test import make_all
from annotator.services.transfer.snapshot import snapshots

if TYPE_CHECKING:
    from collections.abc import Mapping

    from annotator.domain.annotation.document import VideoInfo
    from annotator.domain.json_type import Json

CAMERA: Final = "camera"
SPLIT: Final = "split"
_NOT_FACTS: Final = frozenset(
    ("video_id", "frame_rate", "num_frames", "resolution", "audio_samples", "audio_sample_rate")
)


@dataclass(frozen=True, slots=True)
class ReferenceVideo:
    """Annotations of one video, and its metadata as text by column ("split", "camera" …).

    ``tracks`` are the tracks of a project by record ID.
    """

    record: VideoRecord
    facts: dict[str, str]
    tracks: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.record.name


def reference_of_project(project: OpenProject, token: JobToken) -> Iterator[ReferenceVideo]:
    """Yield the annotations of each video, as an export in Perception Test format has them.

    UserError when the project has none. To be called on the thread that owns the project.
    """
    from annotator.exchange.perception_test.read import read_video

    facts = {info.id: metadata_of(info) for info, _ in project.media.all()}
    with closing(snapshots(project)) as items:
        settings = ExportSettings(label_ids=numbered(items.used_labels(), items.label_sets))
        everything = range(len(items))
        for place, reference in zip(
            items.places, make_all(items, everything, settings, token), strict=True
        ):
            value: Mapping[str, Json] = msgspec.json.decode(b"{%b}" % reference.body)
            record = read_video(reference.name, value[reference.name])
            facts_of_video = _facts(record, facts.get(place.video_id, {}))
            yield ReferenceVideo(record, facts_of_video, reference.tracks)


def videos_by_name(project: OpenProject) -> dict[str, VideoInfo]:
    """Return the videos of a project by the names that references and predictions give them."""
    return {entry_name(info): info for info, _ in project.media.all()}


def reference_of_file(path: Path, token: JobToken) -> Iterator[ReferenceVideo]:
    """Yield the annotations of each video of a Perception Test file. ExchangeError if damaged."""
    from annotator.exchange.perception_test.read import read_video

    with closing(JsonObjectFile(path)) as file:
        names = file.keys()
        for name in names:
            token.check()
            record = read_video(name, file.member(name))
            yield ReferenceVideo(record, _facts(record, {}))


def is_project(path: Path) -> bool:
    """Return whether a file is a project: by its first bytes."""
    try:
        with path.open("rb") as file:
            return file.read(16).startswith(b"SQLite format 3")
    except OSError:
        return False


class Reference:
    """Reference annotations of a project or a Perception Test file; must be closed.

    Its videos can be read again and again. ``media`` is a folder with the videos of a file;
    ``split`` leaves out those of other splits. Work of other people is shown to signed-in leads
    only, for which the project must not be ``is_read_only``.
    """

    def __init__(
        self,
        place: Path | OpenProject,
        *,
        split: str | None = None,
        media: Path | None = None,
        is_read_only: bool = True,
    ) -> None:
        self._path = place if isinstance(place, Path) else place.path
        self._split, self._media = split, media
        self._is_own = isinstance(place, Path)
        self.project: OpenProject | None = None
        if not isinstance(place, Path):
            self.project = place
        elif is_project(place):
            self.project = open_project(place, read_only=is_read_only)

    def __enter__(self) -> Reference:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the project, if it was opened here."""
        if self.project is not None and self._is_own:
            self.project.close()

    def videos(self, token: JobToken) -> Iterator[ReferenceVideo]:
        """Yield the annotations of each video. UserError if no video is in the split."""
        if self.project is not None:
            found = reference_of_project(self.project, token)
        else:
            found = reference_of_file(self._path, token)
        splits: dict[str, None] = {}
        for video in found:
            splits[video.facts.get(SPLIT, "")] = None
            if self._split is None or video.facts.get(SPLIT) == self._split:
                yield video
        if self._split is not None and self._split not in splits:
            listed = ", ".join(filter(None, splits)) or "none"
            text = f"No annotated video is in the split “{self._split}”."
            raise UserError(text, hint=f"Splits: {listed}.", where=str(self._path))

    def count(self) -> int:
        """Return how many videos of a project have annotations, those of other splits included.

        0 for a file: it would have to be read as a whole.
        """
        if self.project is None:
            return 0
        with closing(snapshots(self.project)) as items:
            return len(items)

    def needed_project(self, what: str) -> OpenProject:
        """Return the project; UserError when the annotations are in a file."""
        if self.project is None:
            raise UserError(f"“{what}” needs a project, not a file.", where=str(self._path))
        return self.project

    def media_path(self, name: str) -> Path | None:
        """Return the file of a video by its name in the reference, None where there is none."""
        if self._media is not None:
            found = (p for p in sorted(self._media.iterdir()) if p.stem == name and p.is_file())
            return next(found, None)
        if self.project is None:
            return None
        info = videos_by_name(self.project).get(name)
        return self.project.media.path(info.id) if info is not None else None


def _facts(record: VideoRecord, told: Mapping[str, str]) -> dict[str, str]:
    """Return metadata by column: of imported tables, and of the video's entry."""
    said = record.metadata
    facts = {k: str(v) for k, v in said.items() if k not in _NOT_FACTS and _is_plain(v)}
    facts |= told
    if "is_camera_moving" in said and CAMERA not in facts:
        facts[CAMERA] = "moving" if said["is_camera_moving"] else "static"
    return facts


def _is_plain(value: Json) -> bool:
    return isinstance(value, str | int | float)
