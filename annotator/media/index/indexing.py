"""Builds the frame table of a video from its packets; decodes only where they are ambiguous.

Truth is what FFmpeg's sequential decode presents. In most files every packet is one picture and
PTS order is presentation order. Where that is in doubt - the head of a stream that starts in the
middle of something, the tail of a truncated file, time stamps that are missing or double in a
codec that reorders - the stretch in doubt is decoded once and the decoder's answer is taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from av.sidedata.sidedata import Type as SideDataType
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from annotator.domain.errors import MediaError
from annotator.domain.plurals import many
from annotator.media.index.container import media_errors, open_video, video_streams
from annotator.media.index.fingerprint import fingerprint
from annotator.media.index.frame_table import NO_PTS, FrameTable, Int64s, Orientation, from_matrix
from annotator.media.index.packet_scan import PacketScan, scan_packets
from annotator.media.index.trial_decoding import decode_packets
from annotator.media.values import MediaFinding, Progress, part_of


def peculiarities(table: FrameTable, *, is_interlaced: bool) -> Iterator[MediaFinding]:
    """Yield unusual properties that are no read errors."""
    if is_interlaced:
        yield MediaFinding(
            "interlaced",
            "Interlaced video: each decoded frame contains two fields and is not deinterlaced.",
        )
    if table.sample_aspect_ratio != 1:
        yield MediaFinding(
            "pixel-aspect",
            f"Non-square pixels (sample aspect ratio {table.sample_aspect_ratio}): frames and "
            "coordinates use stored pixels.",
        )
    if table.orientation != Orientation():
        flip = " and mirrored" if table.orientation.is_flipped else ""
        yield MediaFinding(
            "rotated",
            f"Rotated by {table.orientation.rotation} degrees clockwise{flip} according to the "
            "file header.",
        )
    if table.is_variable_rate:
        yield MediaFinding(
            "variable-rate",
            "Variable frame rate: frame times are not multiples of a constant duration.",
        )
    yield from _time_faults(table)


def _time_faults(table: FrameTable) -> Iterator[MediaFinding]:
    steps = np.diff(table.pts)
    backwards = np.flatnonzero(steps < 0)
    if len(backwards):
        yield MediaFinding(
            "times-run-back",
            (
                f"Time stamps jump backward at {many(len(backwards), 'place')}; the timeline is "
                "continued without the jumps."
            ),
            int(backwards[0]) + 1,
        )
    double = np.flatnonzero(steps == 0)
    if len(double):
        yield MediaFinding(
            "double-times",
            f"Same time as the previous frame: {many(len(double), 'frame')}.",
            int(double[0]) + 1,
        )


_SEGMENT = b"\x18\x53\x80\x67"
_TS_PACKETS = ((188, 0), (192, 4))  # packet size and where its sync byte is: plain, camcorder


def is_cut_short(path: Path, container: str) -> bool:
    """Whether the file is shorter than its header states; False if the format has no size.

    ``container`` is libav's name of the format. MP4 is not covered: its sample index is used.
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(4096)
    if container == "avi":
        return int.from_bytes(head[4:8], "little") + 8 > size
    if container == "mpegts":
        for packet, at in _TS_PACKETS:
            if head[at : at + 1] == head[at + packet : at + packet + 1] == b"G":
                return size % packet != 0
    if "matroska" in container:
        return _matroska_end(head) > size
    return False


def _matroska_end(head: bytes) -> int:
    """Return the end of a Matroska file's segment; 0 when its length is open."""
    at = head.find(_SEGMENT)
    if at < 0 or at + 12 > len(head):
        return 0
    at += len(_SEGMENT)
    width = 9 - head[at].bit_length()  # leading zeros of the first byte give the field's length
    value = int.from_bytes(head[at : at + width], "big") & ((1 << 7 * width) - 1)
    return 0 if value == (1 << 7 * width) - 1 else at + width + value


_HEAD_PICTURES = 400


@dataclass
class _Stream:
    """Facts about a stream from its container, kept after it is closed."""

    index: int
    codec: str
    reorders: bool
    has_presentation_times: bool
    time_base: Fraction
    rate: Fraction
    promised_packets: int
    is_cut_short: bool
    n_videos: int
    width: int
    height: int
    aspect: Fraction


@dataclass
class _Draft:
    """The table in the making: the packet of each frame, in presentation order."""

    order: Int64s
    findings: list[MediaFinding] = field(default_factory=list)

    def note(self, code: str, text: str, frame: int | None = None) -> None:
        self.findings.append(MediaFinding(code, text, frame))


def build_table(path: Path, progress: Progress | None = None) -> FrameTable:
    """Index a video; MediaError if there is none, or no picture decodes.

    ``progress`` is called with the share done; raising in it cancels.
    """
    mark = fingerprint(path)
    container, stream = open_video(path)
    with container, media_errors(path, "read this video"):
        scan = scan_packets(container, stream, path, progress)
        if progress is not None:
            progress(1.0)
        context = stream.codec_context
        about = _Stream(
            index=stream.index,
            codec=context.codec.canonical_name,
            reorders=context.codec.reorder,
            # AVI has none; what libav calls PTS there is the decoding time.
            has_presentation_times=container.format.name != "avi",
            time_base=stream.time_base or Fraction(1, 90000),
            rate=stream.average_rate or stream.guessed_rate or Fraction(25),
            promised_packets=_promised(container.format.name, stream),
            is_cut_short=is_cut_short(path, container.format.name),
            n_videos=len(video_streams(container)),
            width=context.width,
            height=context.height,
            aspect=stream.sample_aspect_ratio or context.sample_aspect_ratio or Fraction(1),
        )
    if not scan.shown.any():
        raise _no_pictures(path)
    draft = _settle_order(path, scan, about, progress)
    first = _first_picture(path)
    if not len(draft.order) or first is None:
        raise _no_pictures(path)
    return _finish(path, scan, about, draft, first, mark)


def _promised(container: str, stream: VideoStream) -> int:
    """Packets that the container's own index lists; 0 where it has none that counts all."""
    if "mp4" in container:
        return len(stream.index_entries)  # after edit lists, unlike the header's count
    return 0


def _no_pictures(path: Path) -> MediaError:
    return MediaError(
        "Cannot decode any frame of this video.",
        hint="The file has no frames or is damaged. Copy it again, or convert it.",
        where=str(path),
    )


# --- presentation order ---------------------------------------------------------------------


def _settle_order(
    path: Path, scan: PacketScan, about: _Stream, progress: Progress | None
) -> _Draft:
    order = _order_by_headers(scan, about)
    if order is None:
        trial = decode_packets(path, 0, len(scan), progress=progress)
        draft = _Draft(np.array(trial.presented, dtype=np.int64))
        draft.note(
            "order-by-decoding",
            "The packets do not specify the presentation order; the whole video was decoded to "
            "determine it.",
        )
        return draft
    draft = _Draft(order)
    # This trial is short: it can be canceled, and has no own progress.
    still = part_of(progress, 1.0, 1.0)
    _check_head(path, scan, draft, still)
    _check_tail(path, scan, about, draft, still)
    return draft


def _order_by_headers(scan: PacketScan, about: _Stream) -> Int64s | None:
    """Packets of the shown pictures in presentation order; None if decoding is necessary."""
    shown_packets = np.flatnonzero(scan.shown)
    pts = scan.pts[shown_packets]
    has_pts = about.has_presentation_times and bool(np.all(pts != NO_PTS))
    if not has_pts and (scan.is_in_order or not about.reorders):
        return shown_packets
    if scan.vops is not None and not has_pts:
        return _order_by_type(shown_packets, [vop is not None and vop.is_b for vop in scan.vops])
    if not has_pts:
        return None
    order = np.lexsort((shown_packets, pts, _epochs(scan)[shown_packets]))
    ordered = pts[order]
    is_double = np.any(ordered[1:] == ordered[:-1])
    if is_double and about.reorders and np.any(np.diff(order) < 0):
        return None
    return shown_packets[order] if about.reorders else shown_packets


def _order_by_type(shown: Int64s, is_b: list[bool]) -> Int64s:
    """Decoding order to presentation order by picture types: B at once, others one later."""
    out: list[int] = []
    held: int | None = None
    for packet in shown.tolist():
        if is_b[packet]:
            out.append(packet)
            continue
        if held is not None:
            out.append(held)
        held = packet
    if held is not None:
        out.append(held)
    return np.array(out, dtype=np.int64)


def _epochs(scan: PacketScan) -> Int64s:
    """Number the stretches between which time stamps start again (joined transport streams).

    Pictures are put in order within a stretch only.
    """
    starts = np.zeros(len(scan), dtype=np.int64)
    known = np.flatnonzero(scan.dts != NO_PTS)
    backwards = np.flatnonzero(np.diff(scan.dts[known]) < 0) + 1
    starts[known[backwards]] = 1
    return np.cumsum(starts)


# --- stretches in doubt ---------------------------------------------------------------------


def _check_head(path: Path, scan: PacketScan, draft: _Draft, progress: Progress | None) -> None:
    keys = np.flatnonzero(scan.is_key)
    first = int(keys[0]) if len(keys) else 0
    visible_keys = keys[scan.shown[keys] > 0]
    if len(keys) and first == 0 and (not len(visible_keys) or draft.order[0] == 0):
        return
    if scan.shown[: first + 1].sum() == 0:  # pre-roll of an edit list, never shown
        return
    stop = int(keys[1]) if len(keys) > 1 else len(scan)
    trial = decode_packets(path, 0, stop, progress=progress)
    before = draft.order[draft.order < stop]
    if _replace(draft, np.array(trial.presented, dtype=np.int64), draft.order >= stop):
        lost = len(before) - len(trial.presented)
        draft.note(
            "head-not-decodable",
            f"The stream starts inside a group of pictures: {many(lost, 'frame')} at its start "
            "cannot be decoded and do not count, as in FFmpeg.",
            0,
        )


def _check_tail(
    path: Path, scan: PacketScan, about: _Stream, draft: _Draft, progress: Progress | None
) -> None:
    n_packets = len(scan)
    is_short = 0 < n_packets < about.promised_packets
    is_torn = bool(scan.is_corrupt[-1]) or scan.error is not None or about.is_cut_short
    # An empty picture at the end makes the decoder show the one before it once more.
    is_skipped = scan.vops is not None and scan.vops[-1] is None
    if is_short or is_torn:
        promised = f" of {about.promised_packets}" if is_short else ""
        reason = f" ({scan.error})" if scan.error else ""
        draft.note(
            "truncated",
            f"The file is truncated: it contains {many(n_packets, 'frame')}{promised}{reason}.",
            max(len(draft.order) - 1, 0),
        )
    if is_short or is_torn or is_skipped:
        start = _clean_sync_before(scan, n_packets - 1)
        trial = decode_packets(path, start, n_packets, progress=progress)
        presented = np.array(trial.presented, dtype=np.int64)
        later = presented[presented >= start]
        is_new = _replace(draft, later, draft.order < start, at_end=True)
        if is_new and not is_skipped:
            draft.note(
                "tail-not-decodable",
                "Frames at the truncated end cannot be decoded and are not counted, as in FFmpeg.",
                max(len(draft.order) - 1, 0),
            )
    damaged = np.flatnonzero(scan.is_corrupt[:-1])
    if len(damaged):
        frames = np.flatnonzero(np.isin(draft.order, damaged))
        draft.note(
            "damaged-packets",
            f"The container marks {many(len(damaged), 'packet')} as damaged; frames may be wrong "
            "or missing.",
            int(frames[0]) if len(frames) else None,
        )


def _clean_sync_before(scan: PacketScan, packet: int) -> int:
    for place in np.flatnonzero(scan.is_key[: packet + 1])[::-1].tolist():
        entry = scan.entries.get(place)
        if entry is None or entry.is_clean:
            return int(place)
    return 0


def _replace(
    draft: _Draft,
    trial: Int64s,
    rest: np.ndarray[tuple[int], np.dtype[np.bool_]],
    *,
    at_end: bool = False,
) -> bool:
    """Put the order found by decoding in place of the presumed one; True if that changed it."""
    kept = draft.order[rest]
    found = np.concatenate([kept, trial] if at_end else [trial, kept])
    is_new = not np.array_equal(found, draft.order)
    draft.order = found
    return is_new


def _first_picture(path: Path) -> VideoFrame | None:
    return decode_packets(path, 0, np.iinfo(np.int64).max, n_pictures=1).first_picture


# --- the numbers ----------------------------------------------------------------------------


def _finish(
    path: Path, scan: PacketScan, about: _Stream, draft: _Draft, first: VideoFrame, mark: str
) -> FrameTable:
    pts = _frame_pts(scan, about, draft)
    duration = _durations(pts, scan)
    sync_packet, sync_frame = _entry_points(scan, about, draft.order, pts)
    orientation, skew = _orientation(first)
    if skew > 1.0:
        draft.note(
            "odd-rotation",
            f"The display matrix deviates by {skew:.0f} degrees from a multiple of 90 degrees.",
        )
    if about.n_videos > 1:
        draft.note(
            "several-videos",
            f"The file has {about.n_videos} video streams; stream {about.index} is used.",
        )
    table = FrameTable(
        pts=pts,
        duration=duration,
        time_base=about.time_base,
        frame_packet=draft.order,
        packet_pts=scan.pts,
        packet_dts=scan.dts,
        packet_pos=scan.pos,
        sync_packet=sync_packet,
        sync_frame=sync_frame,
        width=first.width,
        height=first.height,
        stream_index=about.index,
        file_size=path.stat().st_size,
        fingerprint=mark,
        orientation=orientation,
        sample_aspect_ratio=about.aspect,
    )
    all_findings = (*draft.findings, *peculiarities(table, is_interlaced=first.interlaced_frame))
    return replace(table, findings=all_findings)


def _frame_pts(scan: PacketScan, about: _Stream, draft: _Draft) -> Int64s:
    pts = scan.pts[draft.order]
    if about.has_presentation_times and np.all(pts != NO_PTS):
        return pts
    slots = np.sort(scan.dts[draft.order])
    if len(slots) and slots[0] != NO_PTS:
        draft.note(
            "times-from-order", "The file has no presentation times; decoding times are used."
        )
        return slots
    step = max(round(1 / (about.rate * about.time_base)), 1)
    draft.note(
        "times-from-rate",
        (
            f"The file has no time stamps; the nominal rate of {float(about.rate):.3f} frames per "
            "second is used."
        ),
    )
    return np.arange(len(draft.order), dtype=np.int64) * step


def _durations(pts: Int64s, scan: PacketScan) -> Int64s:
    """Time to the next frame; for the last one its packet's duration, else the usual step."""
    steps = np.diff(pts)
    good = steps[steps > 0]
    usual = int(np.median(good)) if len(good) else 1
    last = scan.last_duration if scan.last_duration > 0 else usual
    return np.append(np.where(steps < 0, usual, steps), last)


def _entry_points(
    scan: PacketScan, about: _Stream, order: Int64s, pts: Int64s
) -> tuple[Int64s, Int64s]:
    """Sync packets with the first frame that is exact after each; the file's start comes first."""
    frame_of = np.full(len(scan), -1, dtype=np.int64)
    frame_of[order[::-1]] = np.arange(len(order))[::-1]
    packets, frames = [0], [0]
    for key in np.flatnonzero(scan.is_key).tolist():
        if key == 0:
            continue
        entry = scan.entries.get(key)
        if entry is not None and entry.delay is None:
            continue
        frame = int(frame_of[key])
        if frame < 0:  # hidden itself: exact from the first frame that is not shown before it
            later = order[order > key]
            later_frames = frame_of[later][scan.pts[later] >= scan.pts[key]]
            if not len(later_frames):
                continue
            frame = int(later_frames.min())
        if entry is not None and entry.delay:
            frame += entry.delay * 4  # pictures, of which B-frames are not counted in the delay
        packets.append(key)
        frames.append(frame)
    return np.array(packets, dtype=np.int64), np.array(frames, dtype=np.int64)


def _orientation(first: VideoFrame) -> tuple[Orientation, float]:
    side_data: Any = first.side_data  # libav's stubs know a part of its keys only
    matrix = side_data.get(SideDataType.DISPLAYMATRIX)
    return from_matrix(bytes(matrix)) if matrix is not None else (Orientation(), 0.0)
