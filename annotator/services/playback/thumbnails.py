"""The strip of small pictures of one video, made in the background and delivered one by one."""

from __future__ import annotations

import threading
from bisect import insort
from pathlib import Path
from typing import TYPE_CHECKING, Final

from annotator.domain.errors import UserError
from annotator.media.decode.thumbnails import Thumb, thumbs
from annotator.services.background.jobs import Job, JobRunner, JobToken, Listeners, Post

if TYPE_CHECKING:
    from annotator.media import FrameTable

__all__ = ["Thumb", "Thumbnails"]

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
