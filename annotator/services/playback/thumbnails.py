"""Pictures of one video, made in the background and delivered one by one.

`Thumbnails` are the strip of small pictures, `Stills` single frames for a gallery.
"""

from __future__ import annotations

import threading
from bisect import insort
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from annotator.domain.errors import UserError
from annotator.media.decode.thumbnails import Thumb, stills, thumbs
from annotator.media.index.frame_table import FrameTable
from annotator.services.background.jobs import Job, JobRunner, JobToken, Listeners, Post

__all__ = ["Stills", "Thumb", "Thumbnails"]

_LOOK_S: Final = 0.2
"""So often a held strip looks whether it was given up."""


class Thumbnails:
    """Pictures of a whole video, ``height`` pixels high, at most ``count`` of them.

    ``changed`` is emitted when ``pictures`` has grown; ``problem`` is why it stopped. Used on
    the main thread only. An eye for the whole clip is a comfort: a file that cannot be read leaves
    the strip empty and is no exception.
    """

    def __init__(
        self,
        path: Path,
        table: FrameTable,
        *,
        jobs: JobRunner,
        post: Post,
        count: int = 80,
        height: int = 48,
    ) -> None:
        self.changed: Listeners[None] = Listeners()
        self.problem: str | None = None
        self._pictures: list[Thumb] = []
        self._is_closed = False
        self._may_go_on = threading.Event()
        self._may_go_on.set()

        def work(token: JobToken) -> None:
            def is_canceled() -> bool:
                while not token.is_canceled and not self._may_go_on.wait(_LOOK_S):
                    pass
                return token.is_canceled

            for number, thumb in enumerate(thumbs(path, table, count, height, is_canceled)):
                token.report((number + 1) / count)
                post(lambda thumb=thumb: self._take(thumb))  # type: ignore[misc]

        self._job: Job[None] = jobs.submit(
            "Creating thumbnails", work, failed=self._on_failed, is_quiet=True
        )

    @property
    def pictures(self) -> tuple[Thumb, ...]:
        """The pictures made so far, in order of time."""
        return tuple(self._pictures)

    def hold(self, is_held: bool) -> None:
        """Pause or resume; playback needs the processor more."""
        (self._may_go_on.clear if is_held else self._may_go_on.set)()

    def close(self) -> None:
        """Stop; no signal is sent after this."""
        self._is_closed = True
        self._job.cancel()

    def _take(self, thumb: Thumb) -> None:
        if not self._is_closed:
            insort(self._pictures, thumb, key=lambda kept: kept.frame)
            self.changed.notify(None)

    def _on_failed(self, error: UserError) -> None:
        self.problem = str(error)
        if not self._is_closed:
            self.changed.notify(None)


_LONGEST_PX: Final = 1920


class Stills:
    """Single frames of a video, at most 1920 pixels long; the newest request wins.

    ``arrived`` is notified on the main thread of each picture, ``failed`` of the reason why no more
    come. Used on the main thread only.
    """

    def __init__(self, path: Path, table: bytes, *, jobs: JobRunner, post: Post) -> None:
        """Take the file and the bytes of its frame table."""
        self.arrived: Listeners[Thumb] = Listeners()
        self.failed: Listeners[UserError] = Listeners()
        self._path, self._table = path, table
        self._jobs, self._post = jobs, post
        self._job: Job[None] | None = None

    def request(self, frames: Sequence[int]) -> None:
        """Decode frames in the background; those requested before are left out."""
        self.close()
        if not frames:
            return

        def work(token: JobToken) -> None:
            table = FrameTable.from_bytes(self._table)
            for still in stills(self._path, table, frames, _LONGEST_PX, lambda: token.is_canceled):
                self._post(lambda still=still: self._take(token, still))  # type: ignore[misc]

        self._job = self._jobs.submit(
            "Reading frames", work, failed=self.failed.notify, is_quiet=True
        )

    def close(self) -> None:
        """Stop; no picture arrives after this."""
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def _take(self, token: JobToken, still: Thumb) -> None:
        if not token.is_canceled:
            self.arrived.notify(still)
