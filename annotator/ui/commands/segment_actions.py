"""Handlers of actions on segments, and painting one while the video plays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Slot

from annotator.domain.annotation.changes import ChangeSet
from annotator.domain.annotation.labels import Label
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.commands import (
    AcceptSegments,
    CreateSegment,
    DuplicateSegments,
    MergeSegments,
    SetVisible,
    SplitSegment,
)
from annotator.domain.commands.segments import DeleteSegments, SetSegments
from annotator.domain.ids import SegmentId, segment_id
from annotator.domain.proposals.model_predictions import score_of
from annotator.ui.actions.table import ActionTable
from annotator.ui.look.texts import side_effects_text
from annotator.ui.state.role_assignment import SlotFilling
from annotator.ui.state.selection import Edge
from annotator.ui.state.workspace import Workspace
from annotator.ui.timeline.model.segment_times import SegmentTimes

if TYPE_CHECKING:
    from annotator.ui.actions.key_router import KeyRouter
    from annotator.ui.commands.playback_actions import Playback

# A key pressed again within this time was held: X11 repeats keys that way.
_REPEAT_MS: Final = 60


@dataclass(frozen=True, slots=True)
class _Stroke:
    """A segment in the making: since when, and the key that holds it."""

    label: Label
    lane: Lane
    start_s: float
    key: int
    started_playing: bool


class SegmentPainting(QObject):
    """Paints a segment while a key is held during playback.

    People press late: both ends are taken back by the reaction time of the settings, which is
    time of the person and so covers more of a video that plays faster.
    """

    def __init__(
        self,
        workspace: Workspace,
        router: KeyRouter,
        create: Callable[..., SegmentId | None],
    ) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._router = router
        self._create = create
        self._stroke: _Stroke | None = None
        self._end_s = 0.0
        self._ending = QTimer(self)
        self._ending.setSingleShot(True)
        self._ending.setInterval(_REPEAT_MS)
        self._ending.timeout.connect(self._finish)
        router.on_press.append(self._on_key_pressed)
        router.on_release.append(self._on_key_released)
        workspace.stageChanged.connect(self._forget)

    @property
    def is_active(self) -> bool:
        return self._stroke is not None

    def toggle(self) -> None:
        """Paint with the chosen label while the key is held; a still video plays meanwhile."""
        label, stage = self._workspace.labels.label, self._workspace.stage
        if stage is None:
            return
        if label is None:
            self._workspace.message.emit(
                self.tr("Select a label first: press its digit or click it in Labels.")
            )
            return
        started = not stage.player.state.is_playing
        if started:
            stage.player.play()
        self.begin(label, started_playing=started)

    def begin(self, label: Label, *, started_playing: bool = False) -> None:
        """Start to paint at the moment that plays."""
        stage = self._workspace.stage
        if stage is None or self._stroke is not None:
            return
        start_s = stage.player.state.time_s
        if not started_playing:
            start_s -= self._reaction_s()
        lane = self._workspace.labels.lane
        self._stroke = _Stroke(label, lane, start_s, self._router.last_key, started_playing)
        text = self.tr("Painting “{label}” while the key is held").format(label=label.text.strip())
        self._workspace.set_hint(text)

    def cancel(self) -> bool:
        """Cancel painting; False if none is in progress."""
        was_active = self._stroke is not None
        self._forget()
        return was_active

    def _reaction_s(self) -> float:
        stage = self._workspace.stage
        speed = stage.player.state.speed if stage is not None else 1.0
        return self._workspace.settings.whole("segments.reaction_ms") / 1000 * speed

    def _on_key_pressed(self, key: int) -> None:
        """Continue the stroke: the held key was repeated by the keyboard."""
        if self._stroke is not None and key == self._stroke.key:
            self._ending.stop()

    def _on_key_released(self, key: int) -> None:
        stroke, stage = self._stroke, self._workspace.stage
        if stroke is None or stage is None or key != stroke.key:
            return
        is_playing = stage.player.state.is_playing
        self._end_s = stage.player.state.time_s - (self._reaction_s() if is_playing else 0.0)
        self._ending.start()

    @Slot()
    def _finish(self) -> None:
        stroke, stage = self._stroke, self._workspace.stage
        if stroke is None or stage is None:
            return
        self._forget()
        start_s, end_s = sorted((stroke.start_s, self._end_s))
        if stroke.started_playing:
            stage.player.pause()
        if end_s > start_s:
            start_us, end_us = round(start_s * 1e6), round(end_s * 1e6)
            self._create(
                stroke.label, stroke.lane, start_us, end_us, selects=stroke.lane is Lane.ACTION
            )

    @Slot()
    def _forget(self) -> None:
        self._ending.stop()
        if self._stroke is not None:
            self._stroke = None
            self._workspace.set_hint("")


_FINE_US = 1000


class SegmentActions(QObject):
    """Handlers of the menu Segment, and of the keys it shares with objects.

    A key that means both, such as Del, acts on the segment while that was chosen last.
    """

    def __init__(
        self, workspace: Workspace, table: ActionTable, router: KeyRouter, playback: Playback
    ) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._router = router
        self._playback = playback
        self._times: SegmentTimes | None = None
        self.slots = SlotFilling(workspace)
        self.painting = SegmentPainting(workspace, router, self.create)
        workspace.stageChanged.connect(self._on_stage_changed)
        workspace.edited.connect(self._on_edited)
        workspace.selection.changed.connect(self._on_selection_changed)
        self._connect_actions(table)
        self._on_stage_changed()

    def _connect_actions(self, table: ActionTable) -> None:
        on = table.on
        on("segment.commit", self.commit)
        on("segment.paint", self.painting.toggle)
        on("segment.digit", self._take_digit)
        on("segment.relabel", self.relabel)
        on("segment.split", self._split)
        on("segment.merge", self._merge)
        on("segment.duplicate", self._duplicate)
        on("segment.visible", self.toggle_visible)
        on("segment.not-annotated", self.slots.set_not_annotated)
        on("segment.delete", self._delete)
        on("segment.start-here", partial(self._move_here, "start"))
        on("segment.end-here", partial(self._move_here, "end"))
        on("segment.edge-earlier", partial(self._nudge, -1))
        on("segment.edge-later", partial(self._nudge, 1))
        on("segment.edge-earlier-ms", partial(self._nudge_fine, -1))
        on("segment.edge-later-ms", partial(self._nudge_fine, 1))
        on("segment.next", partial(self._step, 1))
        on("segment.previous", partial(self._step, -1))
        on("segment.next-edge", partial(self._step_edge, 1))
        on("segment.previous-edge", partial(self._step_edge, -1))
        before = table.before
        before("track.split", partial(self._instead, self._split))
        before("track.join", partial(self._instead, self._merge))
        before("track.delete", partial(self._instead, self._delete))
        before("track.outside", partial(self._instead, self.toggle_visible))
        before("box.move-left", partial(self._instead, partial(self._nudge, -1)))
        before("box.move-right", partial(self._instead, partial(self._nudge, 1)))
        before("proposal.accept", partial(self._judge, self._accept))
        before("proposal.accept-all", partial(self._judge, self._accept))
        before("proposal.dismiss", partial(self._judge, self._delete))
        before("proposal.doubtful", partial(self._judge, self._go_doubtful))
        before("app.stop", self._stop)

    def _instead(self, act: Callable[[], object]) -> bool:
        """Do something to the segment if that is what keys act on."""
        is_ours = self._workspace.selection.is_on_segment and self._workspace.segment is not None
        if is_ours:
            act()
        return is_ours

    # Proposals of a model

    def _judge(self, act: Callable[[], object]) -> bool:
        """Do something to proposed segments if they are what keys act on."""
        segment = self._workspace.segment
        is_ours = self._workspace.selection.is_on_segment and segment is not None
        if is_ours and (segment.is_proposed if segment is not None else False):
            act()
        return is_ours

    def _accept(self) -> None:
        """Accept the selected segments and select the next proposed one."""
        if self._workspace.run(AcceptSegments(self._workspace.selection.segments)):
            self._select_proposed(lambda s: (s.start < self._here, s.start))

    def _go_doubtful(self) -> None:
        """Go to the proposed segment with the lowest score."""
        self._select_proposed(lambda s: (score_of(s.extra) or 0.0, s.start))

    def _select_proposed(self, order: Callable[[Segment], tuple[float, float]]) -> None:
        session = self._workspace.session
        waiting = [s for s in session.document.segments if s.is_proposed] if session else []
        if not waiting:
            self._workspace.message.emit(
                self.tr("All proposed segments are accepted or dismissed.")
            )
            return
        first = min(waiting, key=order)
        self._workspace.selection.set_segment(first.id)
        self._playback.seek(first.start)

    # Making

    def commit(self) -> None:
        """Make the marked range a segment with the chosen label."""
        span, label, times = self._workspace.range, self._workspace.labels.label, self._times
        if span is None or times is None:
            return
        if label is None:
            self._workspace.message.emit(
                self.tr("Select a label first: press its digit or click it in Labels.")
            )
            return
        start_us, end_us = times.frame_us(span[0]), times.frame_us(span[1])
        if self.create(label, self._workspace.labels.lane, start_us, end_us) is not None:
            self._workspace.set_range(None)

    def create(
        self, label: Label, lane: Lane, start_us: int, end_us: int, *, selects: bool = True
    ) -> SegmentId | None:
        """Make a segment of a stretch of time; None when that is refused."""
        times = self._times
        if times is None:
            return None
        blank = Segment(segment_id(), lane, label.text, 0, 1, label.id)
        new = times.spanned(blank, start_us, end_us)
        if not self._workspace.run(CreateSegment(new)):
            return None
        if selects:
            self._workspace.selection.set_segment(new.id)
        return new.id

    @Slot(object, float, float)
    def draw(self, lane: Lane, start_s: float, end_s: float) -> None:
        """Make a stretch that was drawn on a lane of the timeline a segment."""
        self._workspace.labels.set_lane(lane)
        label = self._workspace.labels.label
        if label is None:
            self._workspace.message.emit(
                self.tr("Select a label first: press its digit or click it in Labels.")
            )
            return
        if self.create(label, lane, round(start_s * 1e6), round(end_s * 1e6)) is not None:
            self._workspace.set_range(None)

    def _take_digit(self) -> None:
        """Paint while playing; else fill a role of the selected action, or choose the label."""
        digit, stage, workspace = self._router.last_digit, self._workspace.stage, self._workspace
        if not digit or stage is None:
            return
        segment = workspace.segment
        is_on = segment is not None and workspace.selection.is_on_segment
        is_action = is_on and segment is not None and segment.lane is Lane.ACTION
        if not stage.player.state.is_playing and (is_action or self.slots.armed is not None):
            if digit == "0":
                self.slots.set_not_annotated()
            else:
                self.slots.arm(int(digit) - 1)
            return
        label = workspace.labels.by_digit(digit)
        if label is None:
            workspace.message.emit(
                self.tr("No label of this lane has the shortcut {n}.").format(n=digit)
            )
            return
        workspace.labels.choose(label)
        if stage.player.state.is_playing:
            self.painting.begin(label)
        else:
            workspace.message.emit(label.text.strip())

    # Changing

    def relabel(self) -> None:
        """Give the selected segments the chosen label; roles stay as far as it has them."""
        label, lane = self._workspace.labels.label, self._workspace.labels.lane
        segments = [s for s in self._selected() if s.lane is lane]
        if label is None or self._workspace.segment is None:
            return
        if not segments:
            self._workspace.message.emit(self.tr("The selected label belongs to the other lane."))
            return
        n_slots = len(label.slots) if lane is Lane.ACTION and label.template else None
        renamed = (
            replace(s, label=label.text, label_id=label.id, slots=s.slots[:n_slots])
            for s in segments
        )
        self._workspace.run(SetSegments(tuple(renamed)))

    def _split(self) -> None:
        segment, times, frame = self._workspace.segment, self._times, self._here
        if segment is None or times is None:
            return
        new = segment_id()
        if self._workspace.run(SplitSegment(segment.id, frame, new, times.frame_us(frame))):
            self._workspace.selection.set_segment(new)

    def _merge(self) -> None:
        """Join the selected segments; one alone with its next that touches it, or the one before.

        That is one of the same label; those that overlap are found as well.
        """
        segment, session, selected = (
            self._workspace.segment,
            self._workspace.session,
            self._selected(),
        )
        if segment is None or session is None:
            return
        if len(selected) > 1:
            self._join(selected)
            return
        alike = [
            s
            for s in session.document.segments
            if (s.lane, s.label) == (segment.lane, segment.label) and s.id != segment.id
        ]
        touching = [s for s in alike if s.start <= segment.end and segment.start <= s.end]
        later = [s for s in touching if (s.start, s.end) >= (segment.start, segment.end)]
        other = later[0] if later else (touching[-1] if touching else None)
        if other is None:
            self._workspace.message.emit(
                self.tr("No adjacent or overlapping segment has the same label.")
            )
            return
        self._join([segment, other])

    def _join(self, segments: list[Segment]) -> None:
        first = min(segments, key=lambda s: (s.start, s.end, s.id))
        if self._workspace.run(MergeSegments(tuple(s.id for s in segments), frame=first.start)):
            self._workspace.selection.set_segment(first.id)

    def _duplicate(self) -> None:
        copies = tuple((s.id, segment_id()) for s in self._selected())
        segment = self._workspace.segment
        if segment is not None and self._workspace.run(
            DuplicateSegments(copies, frame=segment.start)
        ):
            self._workspace.selection.set_segments(new for _, new in copies)

    def toggle_visible(self) -> None:
        """Set whether the source of a sound is visible."""
        segment = self._workspace.segment
        if segment is None:
            return
        if segment.lane is not Lane.SOUND:
            self._workspace.message.emit(self.tr("Only sounds can be marked as out of view."))
            return
        self._workspace.run(
            SetVisible(segment.id, not segment.is_visible, frame=self._workspace.frame)
        )

    def _delete(self) -> None:
        ids = tuple(s.id for s in self._selected())
        if ids:
            self._workspace.run(DeleteSegments(ids, frame=self._workspace.frame))

    # Edges

    def _move_here(self, edge: Edge) -> None:
        segment, times = self._workspace.segment, self._times
        if segment is not None and times is not None:
            # At the end of the frame shown; a sound alone has moments.
            frame = self._here + (edge == "end" and self._workspace.has_picture)
            self._run_edges([times.moved(segment, edge, frame=frame)], edge)

    def _nudge(self, step: int) -> None:
        """Move the edge that has the keys by one frame, and show it; so that of all selected."""
        segment, times, edge = self._workspace.segment, self._times, self._workspace.selection.edge
        if segment is None or times is None:
            return
        places = [(s, times.next_frame(s, edge, step)) for s in self._selected()]
        if any(not 0 <= frame <= times.n_frames for _, frame in places):
            return
        if self._run_edges([times.moved(s, edge, frame=frame) for s, frame in places], edge):
            frame = next(frame for s, frame in places if s.id == segment.id)
            self._playback.seek(frame if edge == "start" else frame - 1)

    def _nudge_fine(self, step: int) -> None:
        segment, times, edge = self._workspace.segment, self._times, self._workspace.selection.edge
        if segment is None or times is None:
            return
        sounds = [s for s in self._selected() if s.lane is Lane.SOUND]
        if not sounds:
            self._workspace.message.emit(
                self.tr(
                    "Only edges of sounds can be moved by 1 ms. Edges of actions lie on frames."
                )
            )
            return
        shift = step * _FINE_US
        moved = (times.moved_to(s, edge, max(0, times.edge_us(s, edge) + shift)) for s in sounds)
        self._run_edges(list(moved), edge)

    def _run_edges(self, moved: list[Segment], edge: Edge) -> bool:
        key = ":".join(("edge", edge, *(s.id for s in moved)))
        return self._workspace.run(SetSegments(tuple(moved), merge_key=key))

    def _selected(self) -> list[Segment]:
        """Return the selected segments, the one chosen last at the end."""
        session = self._workspace.session
        if session is None:
            return []
        found = map(session.document.find_segment, self._workspace.selection.segments)
        return [segment for segment in found if segment is not None]

    # Going

    @property
    def _here(self) -> int:
        """The frame shown, or the millisecond of a sound without picture."""
        has_picture = self._workspace.has_picture
        return self._workspace.frame if has_picture else self._playback.here

    def _step(self, direction: int) -> None:
        """Select the segment after the selected one, or after the playhead."""
        session = self._workspace.session
        segments = session.document.segments if session else ()
        if not segments:
            return
        ids = [s.id for s in segments]
        if self._workspace.selection.segment in ids:
            at = ids.index(self._workspace.selection.segment) + direction
        else:
            after = [i for i, s in enumerate(segments) if s.start >= self._here]
            at = (after[0] if after else len(ids)) - (direction < 0)
        if not 0 <= at < len(ids):
            self._workspace.message.emit(self.tr("No more segments in this direction."))
            return
        self._workspace.selection.set_segment(ids[at], "start")
        self._playback.seek(segments[at].start)

    def _step_edge(self, direction: int) -> None:
        """Go to the next edge of any segment; it has the keys from then on."""
        session, stage = self._workspace.session, self._workspace.stage
        if session is None or stage is None:
            return
        edges: list[tuple[int, int, SegmentId, Edge]] = []
        for s in session.document.segments:
            edges.append((s.start, 0, s.id, "start"))
            edges.append((s.end - 1, 1, s.id, "end"))
        edges.sort()
        frame_now = self._playback.here
        selection = self._workspace.selection
        mine = next((e for e in edges if (e[2], e[3]) == (selection.segment, selection.edge)), None)
        now = (
            mine
            if mine is not None and mine[0] == frame_now
            else (frame_now, 2 if direction > 0 else -1)
        )
        edges_ahead = [e for e in edges if (e > now if direction > 0 else e < now)]
        if not edges_ahead:
            self._workspace.message.emit(self.tr("No more edges in this direction."))
            return
        frame, _, owner, edge = edges_ahead[0] if direction > 0 else edges_ahead[-1]
        selection.set_segment(owner, edge)
        self._playback.seek(frame)

    # What happens

    def _stop(self) -> bool:
        return self.slots.disarm() or self.painting.cancel()

    @Slot()
    def _on_stage_changed(self) -> None:
        stage = self._workspace.stage
        self._times = SegmentTimes(stage) if stage is not None else None

    @Slot()
    def _on_selection_changed(self) -> None:
        """Offer the labels of the lane that is worked on."""
        segment = self._workspace.segment
        if segment is not None and self._workspace.selection.is_on_segment:
            self._workspace.labels.set_lane(segment.lane)

    @Slot(object)
    def _on_edited(self, changes: ChangeSet) -> None:
        text = side_effects_text(changes)
        if text:
            self._workspace.message.emit(text)
