"""Views of one sound: waveform, spectrogram and onsets.

How a view uses it (all on the main thread, no call waits)::

    sound = Soundscape(path, post=bridge.post, origin_s=origin_s, cache_folder=folder)
    sound.changed.add(on_change)       # SoundChange: what to paint again
    sound.look_at(start_s, end_s)      # the visible part is computed first
    sound.state                        # SoundState: rate, channels, progress, problem
    sound.peaks(start_s, end_s, n_columns)  -> Peaks | None
    sound.tile_keys(start_s, end_s, seconds_per_pixel, look)  -> list[TileKey]
    sound.tile(key)                    -> Tile | None   (None: being computed, `changed` follows)
    sound.transients(start_s, end_s)   -> float64[n], media times to snap to
    sound.close()

Times are media time in seconds, as those of the picture. What is shown is one stream and of that
the mean of all channels or one of them: `choose` shows another, `state` says what there is.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from annotator.domain.checks.document_checks import SILENCE
from annotator.media.audio import spectrogram as color_maps
from annotator.media.audio.scan import WHOLE, SoundChoice
from annotator.media.audio.spectrogram import (
    SCALES,
    TILE_COLUMNS,
    Scale,
    SpectrogramStyle,
    Tile,
    TileKey,
    level_for,
    place_of,
)
from annotator.media.audio.streams import AudioStreamInfo
from annotator.media.audio.waveform import Peaks, sample_peaks
from annotator.services.background.jobs import Listeners, Post
from annotator.services.sound.sound_cache import SoundCache
from annotator.services.sound.sound_threads import PAGE, SoundWork

__all__ = [
    "COLOR_MAPS",
    "SCALES",
    "AudioStreamInfo",
    "Peaks",
    "Scale",
    "SoundChange",
    "SoundChoice",
    "SoundState",
    "Soundscape",
    "SpectrogramStyle",
    "Tile",
    "TileKey",
    "place_of",
]

COLOR_MAPS = color_maps.NAMES
_MAX_PAGES = 160
"""More pages of samples than this are never asked for at once: the outline must do."""


@dataclass(frozen=True, slots=True)
class SoundState:
    """Progress of the measurement; until ``is_open`` all other numbers are 0.

    ``fraction`` 0..1 of the sound is measured; [start_s, end_s) is where there is sound, which may
    begin before the picture (negative) or end after it. ``problem`` is a sentence for people.
    ``choice`` is what is shown, ``streams`` what else the file has, ``channel_names`` those of the
    stream shown.
    """

    is_open: bool = False
    fraction: float = 0.0
    rate: int = 0
    channel_names: tuple[str, ...] = ()
    start_s: float = 0.0
    end_s: float = 0.0
    problem: str | None = None
    choice: SoundChoice = WHOLE
    streams: tuple[AudioStreamInfo, ...] = ()

    @property
    def is_complete(self) -> bool:
        return self.is_open and self.fraction >= 1.0


@dataclass(frozen=True, slots=True)
class SoundChange:
    """Part to paint again; ``state`` if progress or a problem changed."""

    waveform: bool
    spectrogram: bool
    state: bool


class Soundscape:
    """Measures a sound in two threads, visible ranges first.

    ``origin_s`` and ``until_s`` are as for `Audio`. With ``cache_folder`` the measures are kept for
    next time under ``content_hash`` (None: a quick fingerprint of the file). A file that cannot be
    read is no exception but a ``problem`` in the state.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        post: Post,
        origin_s: float | None = None,
        until_s: float | None = None,
        choice: SoundChoice = WHOLE,
        content_hash: str | None = None,
        cache_folder: Path | None = None,
    ) -> None:
        self.changed: Listeners[SoundChange] = Listeners()
        self._post = post
        self._is_closed = False
        cache = SoundCache(cache_folder) if cache_folder is not None else None
        self._begin = partial(
            SoundWork,
            Path(path),
            origin_s=origin_s,
            until_s=until_s,
            content_hash=content_hash,
            cache=cache,
            on_news=self._on_news,
        )
        self._work = self._begin(choice)

    @property
    def state(self) -> SoundState:
        """How far the work is now."""
        work = self._work
        grid = work.grid
        if grid is None:
            return SoundState(problem=work.problem, choice=work.choice)
        return SoundState(
            True,
            work.fraction,
            grid.rate,
            work.channel_names,
            grid.first / grid.rate,
            grid.end / grid.rate,
            work.problem,
            work.choice,
            work.streams,
        )

    def choose(self, choice: SoundChoice) -> None:
        """Show another stream or channel from now on; the measures of others are kept on disk."""
        if choice == self._work.choice or self._is_closed:
            return
        view = self._work.view
        self._work.close()
        self._work = self._begin(choice)
        if view is not None:
            self._work.look_at(*view)
        self.changed.notify(SoundChange(True, True, True))

    def look_at(self, start_s: float, end_s: float) -> None:
        """Compute this range first; called when the view scrolls or zooms."""
        self._work.look_at(start_s, end_s)

    def peaks(self, start_s: float, end_s: float, n_columns: int) -> Peaks | None:
        """Waveform envelope of [start_s, end_s) in equal columns; None before the file is open.

        Anything from the whole sound to a single sample may be asked for; what is not at hand comes
        coarse at first, with ``is_final`` False.
        """
        work = self._work
        grid, measured = work.grid, work.measured
        if grid is None or measured is None or n_columns < 1 or end_s <= start_s:
            return None
        if (end_s - start_s) * grid.rate / n_columns < grid.block:
            fine = sample_peaks(self._samples, grid.rate, start_s, end_s, n_columns)
            if fine is not None:
                return fine
        return measured.pyramid.query(start_s, end_s, n_columns)

    @property
    def loudest(self) -> float | None:
        """Largest absolute sample known so far, full scale 1; None while nothing is known."""
        state = self.state
        whole = self.peaks(state.start_s, state.end_s, 64)
        if whole is None or np.isnan(whole.high).all():
            return None
        return max(float(np.nanmax(whole.high)), -float(np.nanmin(whole.low)))

    @property
    def is_silent(self) -> bool:
        """True if the whole sound was measured and nothing can be heard in it."""
        loudest = self.loudest if self.state.is_complete else None
        return loudest is not None and loudest < SILENCE

    def tile_keys(
        self, start_s: float, end_s: float, seconds_per_pixel: float, look: SpectrogramStyle
    ) -> list[TileKey]:
        """The tiles that cover a span, in order of time; draw each at its own start and end."""
        grid = self._work.grid
        if grid is None:
            return []
        level = level_for(grid.rate, seconds_per_pixel)
        width = TILE_COLUMNS << level
        low = max(start_s * grid.rate, grid.first) - grid.first
        high = min(end_s * grid.rate, grid.end) - grid.first
        numbers = range(int(low // width), int(-(-high // width)))
        return [TileKey(level, number, look) for number in numbers]

    def tile(self, key: TileKey) -> Tile | None:
        """A finished tile; a missing one is computed next and ``changed`` is sent."""
        return self._work.tile(key)

    def transients(self, start_s: float, end_s: float) -> NDArray[np.float64]:
        """Media times of onsets in [start_s, end_s), ascending.

        Only of the part measured so far.
        """
        measured = self._work.measured
        return np.empty(0) if measured is None else measured.transients.find(start_s, end_s)

    def close(self) -> None:
        """Stop the work and release the file; no signal is sent after this."""
        self._is_closed = True
        self._work.close()

    def _samples(self, first: int, count: int) -> NDArray[np.float32] | None:
        """Samples float32[count] from a position on; None, and they are read, when not at hand."""
        numbers = range(first // PAGE, -(-(first + count) // PAGE))
        if len(numbers) > _MAX_PAGES:
            return None
        pages = self._work.pages(numbers)
        if pages is None:
            return None
        at = first - numbers.start * PAGE
        return np.concatenate(pages)[at : at + count]

    def _on_news(self) -> None:
        """Called by the threads; notifies the listeners on the main thread."""
        self._post(self._tell)

    def _tell(self) -> None:
        news = self._work.take_news()
        if not self._is_closed and news:
            self.changed.notify(
                SoundChange("waveform" in news, "spectrogram" in news, "state" in news)
            )
