"""Last position of a person in a project: task, frame, zoom, selection."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from annotator.domain.ids import DraftId, ItemId, PersonId, TaskId, TrackId, VideoId

_MOST_DRAFTS: Final = 50


@dataclass(frozen=True, slots=True)
class ViewState:
    """Last view of the user: task, frame, zoom (screen pixels per image pixel), center, selection.

    ``center_x`` and ``center_y`` are image pixels; the timeline shows ``timeline_start_s`` to
    ``timeline_end_s`` of media time. ``sounds`` is the stream and the channel of it chosen for a
    video, ``person_id`` the person who signed in last, ``ticked`` the ticked checklist points of a
    draft, ``items`` the last item of a draft, ``told`` the drafts whose right answers were shown;
    the project keeps these five up to date.
    """

    task_id: TaskId | None = None
    frame: int = 0
    zoom: float = 0.0
    center_x: float = 0.0
    center_y: float = 0.0
    selection: tuple[TrackId, ...] = ()
    timeline_start_s: float = 0.0
    timeline_end_s: float = 0.0
    folded: tuple[TrackId, ...] = ()
    sounds: dict[VideoId, tuple[int, int | None]] = field(default_factory=dict)
    person_id: PersonId | None = None
    ticked: dict[DraftId, tuple[str, ...]] = field(default_factory=dict)
    items: dict[DraftId, ItemId] = field(default_factory=dict)
    told: dict[DraftId, tuple[ItemId, ...]] = field(default_factory=dict)

    def keeping(self, kept: ViewState) -> ViewState:
        """Return this with the fields of ``kept`` that are not about one task."""
        return replace(
            self,
            sounds=kept.sounds,
            person_id=kept.person_id,
            ticked=kept.ticked,
            items=kept.items,
            told=kept.told,
        )

    def with_item(self, draft_id: DraftId, item_id: ItemId) -> ViewState:
        """Return this with another item asked last in a draft."""
        rest = {k: v for k, v in self.items.items() if k != draft_id}
        latest = [*rest.items(), (draft_id, item_id)][-_MOST_DRAFTS:]
        return replace(self, items=dict(latest))

    def with_shown_answer(self, draft_id: DraftId, item_id: ItemId) -> ViewState:
        """Return this state with one more item whose gold answer was shown."""
        rest = {k: v for k, v in self.told.items() if k != draft_id}
        known = dict.fromkeys((*self.told.get(draft_id, ()), item_id))
        latest = [*rest.items(), (draft_id, tuple(known))][-_MOST_DRAFTS:]
        return replace(self, told=dict(latest))
