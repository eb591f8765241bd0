"""From a document to the entry of one video; imported values without edits stay unchanged.

The metadata of a video become those of this format.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, cast

from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.annotation.point_track import PointTrack
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.annotation.track import Track
from annotator.domain.checks import Finding, Severity
from annotator.domain.checks.finding import place
from annotator.domain.checks.point_checks import point_place
from annotator.domain.ids import PointId, TrackId
from annotator.domain.json_type import Json
from annotator.domain.plurals import many
from annotator.domain.questions.items.item import Item
from annotator.exchange.perception_test.labels import FIRST_OWN
from annotator.exchange.perception_test.objects import FrameChoice, WrittenTrack, ordered, placed
from annotator.exchange.perception_test.points import visible_of
from annotator.exchange.perception_test.questions import question_records, with_answer
from annotator.exchange.perception_test.records import (
    EXTRA_KEY,
    LANES,
    METADATA_KEYS,
    NO_OBJECT,
    TASK_KEYS,
    as_object,
)
from annotator.exchange.perception_test.to_domain import KeptExtra, segment_frames, sound_times
from annotator.exchange.perception_test.write import Variant, exported_part

Microseconds = Callable[[int], int]
"""When a frame appears, in microseconds after frame 0; for n_frames, when the last one ends."""

LabelIds = Mapping[tuple[Lane, str], int]


@dataclass(frozen=True, slots=True)
class VideoSound:
    """Samples per channel and rate (Hz) of a video's sound; both 0 for a video without sound."""

    samples: int = 0
    rate: int = 0


@dataclass(frozen=True, slots=True)
class ExportEntry:
    """The entry of one video, ready to write, with all omissions and changes.

    ``tracks`` and ``points`` are the tracks behind its records, in their order.
    """

    name: str
    value: dict[str, Json]
    findings: tuple[Finding, ...]
    tracks: tuple[TrackId, ...] = ()
    points: tuple[PointId, ...] = ()

    def records(self, task: str) -> list[dict[str, Json]]:
        """Return the records of a task."""
        found = self.value[task]
        return [as_object(r) for r in found] if isinstance(found, list) else []

    @property
    def n_boxes(self) -> int:
        return sum(len(_frames(record)) for record in self.records("object_tracking"))

    @property
    def frames(self) -> set[int]:
        """The frames on which there are boxes or visible points."""
        records = [*self.records("object_tracking"), *self.records("point_tracking")]
        return set().union(*map(_frames, records))

    @property
    def n_segments(self) -> int:
        return sum(len(self.records(task)) for task in LANES.values())

    @property
    def n_questions(self) -> int:
        return len(self.records("mc_question")) + len(self.records("grounded_question"))


@dataclass(frozen=True, slots=True)
class ExportSettings:
    """Settings of an export; ``split`` overrides the split of videos.

    ``tasks`` are the tasks to write, all if empty.
    """

    split: str | None = None
    frames: FrameChoice = FrameChoice.GRID
    label_ids: LabelIds = field(default_factory=dict)
    variant: Variant = Variant.FULL
    tasks: tuple[str, ...] = ()


def make_entry(
    document: Document,
    microseconds: Microseconds,
    sound: VideoSound | None,
    settings: ExportSettings,
    questions: Sequence[Item] = (),
) -> ExportEntry:
    """Return the entry of a document; ``sound`` is None where the file was not at hand.

    ``questions`` are the items about its video; those that are finished follow imported ones.
    """
    return _EntryMaker(document, microseconds, settings).make(sound, questions)


def entry_name(video: VideoInfo) -> str:
    """Return the key of a video: its imported id, else its file name without the ending."""
    said = as_object(as_object(video.extra.get(EXTRA_KEY)).get("metadata")).get("video_id")
    name = video.name
    stem = name.rpartition(".")[0] if "." in name.lstrip(".") else name
    return said if isinstance(said, str) and said else stem


class _EntryMaker:
    """Builds one entry; collects findings on the way."""

    def __init__(
        self, document: Document, microseconds: Microseconds, settings: ExportSettings
    ) -> None:
        self.document = document
        self.video = document.video
        self.microseconds = microseconds
        self.settings = settings
        self.name = entry_name(document.video)
        self.findings: list[Finding] = []
        self.indices: dict[TrackId, int] = {}
        self.point_ids: list[PointId] = []
        self.kept = KeptExtra.of(document.video)

    def make(self, sound: VideoSound | None, questions: Sequence[Item]) -> ExportEntry:
        value: dict[str, Json] = {"metadata": self._metadata(sound)}
        objects: list[Json] = []
        tracks, frames = self.document.tracks, self.settings.frames
        where = placed(tracks, self.video, frames, self.microseconds)
        for track, written in zip(tracks, where, strict=True):
            record = self._object(track, written, len(objects))
            if record is not None:
                self.indices[track.id] = len(objects)
                objects.append(record)
        value["object_tracking"] = objects
        value["point_tracking"] = list(self._points())
        for lane, task in LANES.items():
            value[task] = list(self._lane(lane))
        answers = questions if self.settings.variant.is_submission else ()
        choices = self._kept_records("mc_question", lambda record, _: with_answer(record, answers))
        grounded = self._kept_records("grounded_question", self._with_answers)
        first = len(choices), len(grounded)
        records = question_records(questions, self.indices, self.name, first=first)
        self.findings += records.findings
        value["mc_question"] = [*choices, *records.choices]
        value["grounded_question"] = [*grounded, *records.grounded]
        value.update((k, v) for k, v in self.kept.unknown.items() if k not in value)
        value = exported_part(value, self.settings.variant, self.settings.tasks)
        findings = tuple(self.findings)
        return ExportEntry(self.name, value, findings, tuple(self.indices), tuple(self.point_ids))

    def _note(self, code: str, where: str, text: str, severity: Severity) -> None:
        self.findings.append(Finding(code, where, text, severity))

    def _metadata(self, sound: VideoSound | None) -> dict[str, Json]:
        video, stored_metadata = self.video, self.kept.metadata
        computed: dict[str, Json] = {
            "split": "train",
            "video_id": self.name,
            "frame_rate": video.frame_rate,
            "num_frames": video.n_frames,
            "resolution": [video.height, video.width],
            "audio_samples": sound.samples if sound else 0,
            "audio_sample_rate": float(sound.rate) if sound else 0.0,
            "is_cup_game": 0,
            "is_camera_moving": 0,
        }
        if sound is None and "audio_samples" not in stored_metadata:
            text = "Cannot count the audio samples: audio_samples is set to 0."
            self._note("sound-unknown", self.name, text, Severity.WARNING)
        for key in ("num_frames", "resolution"):
            if stored_metadata.get(key, computed[key]) != computed[key]:
                text = (
                    f"The imported value was {stored_metadata[key]}; the value of the video is "
                    f"{computed[key]}."
                )
                self._note("other-video", f"{self.name}, {key}", text, Severity.ERROR)
        metadata = ordered(
            {**computed, **stored_metadata, **facts_from_tables(video, stored_metadata)},
            METADATA_KEYS,
        )
        if self.settings.split is not None:
            metadata["split"] = self.settings.split
        return metadata

    def _object(self, track: Track, written: WrittenTrack, index: int) -> dict[str, Json] | None:
        """Return the record of a track, None where it is nowhere in the picture."""
        for frame in written.empty:
            text = f"The box on frame {frame} is outside the image and was not exported."
            self._note("empty-box", place(self.document, track), text, Severity.ERROR)
        if not written.frames:
            text = "The track has no box on an exported frame and was not exported."
            self._note("not-exported", place(self.document, track), text, Severity.WARNING)
            return None
        if written.is_late:
            text = "The imported times do not match the video. All times were recomputed."
            self._note("times-recomputed", place(self.document, track), text, Severity.WARNING)
        marks: list[Json] = [0] * len(written.frames)
        marks[written.start] = 1
        record: dict[str, Json] = {
            "id": index,
            "label": track.label,
            "is_occluder": int(track.info.attributes.get("is_occluder") in (True, 1)),
            "bounding_boxes": written.boxes,
            "initial_tracking_box": marks,
            "frame_ids": written.frames,
            "timestamps": written.times,
            "is_masked": written.masked,
        }
        raw = as_object(track.info.extra.get(EXTRA_KEY))
        record.update((key, value) for key, value in raw.items() if key not in record)
        return record

    def _points(self) -> Iterator[dict[str, Json]]:
        index = 0
        for point in self.document.points:
            where = point_place(self.document, point)
            raw_entry = as_object(point.info.extra.get(EXTRA_KEY))
            visible = visible_of(point, raw_entry, self.video)
            if visible.n_outside:
                text = (
                    f"Not exported: {many(visible.n_outside, 'frame')} on which the point is "
                    "outside the image."
                )
                self._note("point-outside", where, text, Severity.WARNING)
            if not visible.frames:
                text = "The point is visible on no frame and was not exported."
                self._note("not-exported", where, text, Severity.WARNING)
                continue
            record: dict[str, Json] = {
                "id": index,
                "label": point.label,
                "parent_objects": self._owners(point, raw_entry, where),
                "frame_ids": list[Json](visible.frames),
                "points": [list[Json](visible.ys), list[Json](visible.xs)],
                **as_object(raw_entry.get("unknown")),
            }
            yield record
            self.point_ids.append(point.id)
            index += 1

    def _owners(self, point: PointTrack, raw_entry: dict[str, Json], where: str) -> Json:
        """Return the objects of a point in the form in which they were imported."""
        track = point.info.track_id
        owner = self.indices.get(track, NO_OBJECT) if track is not None else NO_OBJECT
        if track is not None and owner == NO_OBJECT:
            text = "The object of the point is not exported; its ID was set to -1."
            self._note("lost-object", where, text, Severity.WARNING)
        if "parent" in raw_entry:
            return owner
        stored_parents = raw_entry.get("parents")
        if not isinstance(stored_parents, list):
            return [owner] if track is not None else []
        owners = [self._index_of(number) for number in stored_parents]
        owner_rows = [
            i for i, n in enumerate(stored_parents) if isinstance(n, int) and n in self.kept.tracks
        ]
        if track is not None:
            owners[
                owner_rows[0] if owner_rows else 0 : owner_rows[0] + 1 if owner_rows else None
            ] = [owner]
        return list[Json](owners)

    def _lane(self, lane: Lane) -> Iterator[dict[str, Json]]:
        """Yield the records of a lane: imported ones in their order, then the others by start."""
        ours = [s for s in self.document.segments if s.lane is lane]
        imported = sorted((s for s in ours if EXTRA_KEY in s.extra), key=lambda s: s.id)
        index = 0
        for segment in [*imported, *(s for s in ours if EXTRA_KEY not in s.extra)]:
            record = self._segment(segment, index)
            if record is not None:
                yield record
                index += 1

    def _segment(self, segment: Segment, index: int) -> dict[str, Json] | None:
        where = f"{self.name}, {segment.lane.value} “{segment.label}” at frame {segment.start}"
        label_id = segment.label_id
        if label_id is None:
            label_id = self.settings.label_ids.get((segment.lane, segment.label))
        if label_id is None:
            text = "The label has no ID in this format; the segment was not exported."
            self._note("no-label-id", where, text, Severity.ERROR)
            return None
        if segment.label_id is None and label_id >= FIRST_OWN:
            text = f"The label has no ID in a label set; the ID {label_id} was assigned."
            self._note("own-label-id", where, text, Severity.WARNING)
        raw = as_object(segment.extra.get(EXTRA_KEY))
        frames, times = self._ends(segment, raw)
        if times[0] >= times[1]:
            self._note("empty-segment", where, "The segment has zero duration.", Severity.WARNING)
        record: dict[str, Json] = {
            **raw,
            "id": index,
            "label_id": label_id,
            "label": segment.label,
            "parent_objects": list[Json](self._parents(segment, raw, where)),
            "timestamps": list[Json](times),
            "frame_ids": list[Json](frames),
        }
        if segment.lane is Lane.SOUND:
            record["is_visible"] = int(segment.is_visible)
        return ordered(record, TASK_KEYS[LANES[segment.lane]])

    def _parents(self, segment: Segment, raw: dict[str, Json], where: str) -> list[int]:
        """Return the objects in slot order, up to the first role without a decision.

        The format has no word for an open role: -1 would say that its object is not annotated.
        """
        judged = segment.slots[: segment.first_open]
        if len(judged) < len(segment.slots):
            n = segment.first_open + 1
            text = f"Role {n} is not filled; this role and all later roles were not exported."
            self._note("empty-slot", where, text, Severity.ERROR)
        before = raw.get("parent_objects")
        was_known = [p != NO_OBJECT for p in before] if isinstance(before, list) else []
        parents = [self.indices.get(s, NO_OBJECT) if s else NO_OBJECT for s in judged]
        for was_present, number in zip(was_known, parents, strict=False):
            if was_present and number == NO_OBJECT:
                text = "An object of the segment is not exported; its ID was set to -1."
                self._note("lost-object", where, text, Severity.WARNING)
        return parents

    def _ends(self, segment: Segment, raw: dict[str, Json]) -> tuple[list[int], list[int | float]]:
        """Return frames and times of both ends; an unedited end stays unchanged."""
        frames, own = [segment.start, segment.end], [segment.start_us, segment.end_us]
        times: list[int | float] = [
            self.microseconds(frame) if time is None else time
            for frame, time in zip(frames, own, strict=True)
        ]
        said_frames, omitted_times = _pair(raw.get("frame_ids")), _pair(raw.get("timestamps"))
        if said_frames is None or omitted_times is None:
            return frames, times
        first, last = int(said_frames[0]), int(said_frames[1])
        is_sound = sound_times(segment.lane, omitted_times) is not None
        now = own if is_sound else frames
        then = [round(t) for t in omitted_times] if is_sound else segment_frames((first, last))
        for i in range(2):
            if now[i] == then[i]:
                frames[i], times[i] = (first, last)[i], omitted_times[i]
        return frames, times

    def _kept_records(
        self, task: str, change: Callable[[dict[str, Json], str], dict[str, Json]]
    ) -> list[Json]:
        records: list[Json] = []
        for index, record in enumerate(self.kept.records.get(task, [])):
            where = f"{self.name}, {task}[{index}]"
            changed = {**change(record, where), "id": index}
            records.append(ordered(changed, TASK_KEYS[task]))
        return records

    def _index_of(self, number: Json) -> int:
        """Return the exported index of an object id of the file, -1 where there is none."""
        track = self.kept.tracks.get(number) if isinstance(number, int) else None
        return self.indices.get(track, NO_OBJECT) if track is not None else NO_OBJECT

    def _with_answers(self, record: dict[str, Json], where: str) -> dict[str, Json]:
        said = record.get("answers")
        if not isinstance(said, list):
            return record
        indices = [self._index_of(a) for a in said]
        # Two answers become one when their objects were joined.
        answers = list(dict.fromkeys(n for n in indices if n != NO_OBJECT))
        if lost := indices.count(NO_OBJECT):
            text = f"Removed: {many(lost, 'answer')} about objects that are not exported."
            self._note("lost-answer", where, text, Severity.WARNING)
        return {**record, "answers": list[Json](answers)}


def _frames(record: dict[str, Json]) -> list[int]:
    frames = record["frame_ids"]
    return cast("list[int]", frames) if isinstance(frames, list) else []


def _pair(value: Json | None) -> tuple[int | float, int | float] | None:
    if not isinstance(value, list) or len(value) != 2:
        return None
    first, last = value
    is_pair = isinstance(first, int | float) and isinstance(last, int | float)
    return cast("tuple[int | float, int | float]", (first, last)) if is_pair else None


FACTS: Final = "metadata"
"""Key of the table metadata of a video."""

_SPLITS: Final = ("train", "valid", "test")
_CUPS_SCRIPT: Final = re.compile(r"cups?[-_ ]?games?", re.IGNORECASE)
_YES: Final = ("1", "true", "yes", "y")
_NO: Final = ("0", "false", "no", "n")


def facts_from_tables(video: VideoInfo, imported: Mapping[str, Json]) -> dict[str, Json]:
    """Return split, camera motion and cup game of a video from its metadata.

    A cups game is recognized by a column "is_cup_game", else by the import, else by the script.
    """
    facts = video.extra.get(FACTS)
    if not isinstance(facts, dict):
        return {}
    tables: dict[str, Json] = {}
    if facts.get("split") in _SPLITS:
        tables["split"] = facts["split"]
    if facts.get("camera") in ("static", "moving"):
        tables["is_camera_moving"] = int(facts["camera"] == "moving")
    cup_game_text = str(facts.get("is_cup_game", "")).strip().lower()
    if cup_game_text in (*_YES, *_NO):
        tables["is_cup_game"] = int(cup_game_text in _YES)
    elif "script" in facts and "is_cup_game" not in imported:
        tables["is_cup_game"] = int(
            _CUPS_SCRIPT.fullmatch(str(facts["script"]).strip()) is not None
        )
    return tables
