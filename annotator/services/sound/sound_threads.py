"""The threads behind a soundscape: their next measurements, and the results."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from annotator.domain.errors import MediaError
from annotator.media.audio.reader import Audio
from annotator.media.audio.scan import SoundChoice, SoundScan, outline
from annotator.media.audio.spectrogram import (
    TILE_COLUMNS,
    Overview,
    Tile,
    TileKey,
    draw,
    loudness,
    window_for,
)
from annotator.media.audio.streams import AudioStreamInfo
from annotator.media.audio.waveform import Floats, Grid
from annotator.media.index.fingerprint import fingerprint
from annotator.services.sound.sound_cache import Measured, SoundCache

_READ_BYTES = 8 << 20


class SoundHand:
    """Two readers of one outline of a sound: ``scan`` goes through it, the other jumps about.

    Raises MediaError when the file cannot be read.
    """

    def __init__(
        self, path: Path, choice: SoundChoice, origin_s: float | None, until_s: float | None = None
    ) -> None:
        self.scan = SoundScan(path, choice, origin_s, until_s)
        self._until_s = until_s
        self._path, self._stream = path, choice.stream
        self._audio: Audio | None = None

    def read(self, first: int, count: int) -> Floats:
        """Samples float32[count] from a position on."""
        if self._audio is None:
            self._audio = Audio(
                self._path,
                self._stream,
                self.scan.origin_s,
                until_s=self._until_s,
                budget_bytes=_READ_BYTES,
            )
        piece = max(1, _READ_BYTES // (4 * self._audio.channels))
        out = np.empty(count, np.float32)
        for at in range(0, count, piece):
            size = min(piece, count - at)
            planes = self._audio.samples(first + at, size).T
            out[at : at + size] = outline(planes, self.scan.channel)
        return out

    def tile(self, key: TileKey, overview: Overview) -> Tile:
        """Draw a tile: a coarse one from the overview, a fine one from the samples."""
        grid, hop = self.scan.grid, 1 << key.level
        first = grid.first + key.number * TILE_COLUMNS * hop
        if key.level >= overview.level:
            columns, is_final = overview.tile(key.level, key.number)
        else:
            window = window_for(key.level)
            beyond = max(0, window - hop)
            samples = self.read(first - beyond // 2, TILE_COLUMNS * hop + beyond)
            columns, is_final = loudness(samples, TILE_COLUMNS, hop, window), True
        return Tile(
            key,
            first / grid.rate,
            (first + TILE_COLUMNS * hop) / grid.rate,
            draw(columns, key.look, grid.rate),
            is_final,
        )

    def close(self) -> None:
        """Let the file go."""
        self.scan.close()
        if self._audio is not None:
            self._audio.close()


PAGE = 1 << 15
"""Samples of one outline that are kept together while zoomed in beyond the finest level."""
_THREADS = 2
_N_PAGES = 256
_TILE_BYTES = 32 << 20
_TELL_EVERY_S = 0.2
_SKETCH_S = 0.8
_SKETCH_FROM = 8
"""With fewer stretches in view the real thing is there as soon as a sketch."""
_GLIMPSE = 2048

Task = Callable[[], None]


class SoundWork:
    """Measures one sound; every public method may be called from the main thread and is quick."""

    def __init__(
        self,
        path: Path,
        choice: SoundChoice,
        *,
        origin_s: float | None,
        until_s: float | None,
        content_hash: str | None,
        cache: SoundCache | None,
        on_news: Callable[[], None],
    ) -> None:
        self.grid: Grid | None = None
        self.measured: Measured | None = None
        self.channel_names: tuple[str, ...] = ()
        self.streams: tuple[AudioStreamInfo, ...] = ()
        self.problem: str | None = None
        self.choice = choice
        self._path, self._origin_s, self._until_s = path, origin_s, until_s
        self._content_hash, self._cache = content_hash, cache
        self._on_news = on_news
        self._wake = threading.Condition()
        self._is_closing = False
        self._news: set[str] = set()
        self._told_at = 0.0
        self._is_told = False
        self.view: tuple[float, float] | None = None
        """The span of media time that was looked at last."""
        self._pages: OrderedDict[int, Floats] = OrderedDict()
        self._wanted_pages: list[int] = []
        self._tiles: OrderedDict[TileKey, tuple[Tile, int]] = OrderedDict()
        self._wanted_tiles: list[TileKey] = []
        self._busy: set[int | TileKey] = set()
        self._measuring: set[int] = set()
        self._taken: NDArray[np.bool_] = np.zeros(0, np.bool_)
        self._sketches: list[int] = []
        self._sketch_until = 0.0
        self._n_done = 0
        self._is_kept = False
        self._threads = [
            threading.Thread(target=self._run, args=(n,), name=f"sound-{n}", daemon=True)
            for n in range(_THREADS)
        ]
        self._threads[0].start()

    @property
    def fraction(self) -> float:
        """Share of the sound that is measured, 0..1."""
        return self._n_done / max(1, len(self._taken))

    def look_at(self, start_s: float, end_s: float) -> None:
        """Measure this span of media time first."""
        with self._wake:
            self.view = start_s, end_s

    def pages(self, numbers: range) -> list[Floats] | None:
        """Pages of samples; None, and they are read next, when one is missing."""
        with self._wake:
            found = [self._pages.get(number) for number in numbers]
            missing = [n for n, page in zip(numbers, found, strict=True) if page is None]
            if missing:
                self._wanted_pages = missing
                self._wake.notify_all()
                return None
            for number in numbers:
                self._pages.move_to_end(number)
            return [page for page in found if page is not None]

    def tile(self, key: TileKey) -> Tile | None:
        """A drawn tile; when there is none or a better one can be had, that is drawn next."""
        with self._wake:
            if self.grid is None:
                return None
            cached_tile = self._tiles.get(key)
            if cached_tile is not None:
                self._tiles.move_to_end(key)
                if cached_tile[0].is_final or cached_tile[1] == self._known_under(key):
                    return cached_tile[0]
            if key in self._wanted_tiles:
                self._wanted_tiles.remove(key)
            self._wanted_tiles.append(key)
            # Fast scrolling leaves tiles that are never shown.
            del self._wanted_tiles[:-64]
            self._wake.notify()
            return None if cached_tile is None else cached_tile[0]

    def take_news(self) -> set[str]:
        """Changes since the last call."""
        with self._wake:
            news, self._news = self._news, set()
            self._is_told = False
        return news

    def close(self) -> None:
        """Stop and wait for the threads, which is a matter of milliseconds."""
        with self._wake:
            self._is_closing = True
            self._wake.notify_all()
        for thread in self._threads:
            if thread.ident is not None:
                thread.join()

    # --- the threads ------------------------------------------------------------------------

    def _run(self, number: int) -> None:
        hand: SoundHand | None = None
        try:
            hand = SoundHand(self._path, self.choice, self._origin_s, self._until_s)
            if number == 0:
                self._begin(hand)
            while (task := self._wait_for_task(hand)) is not None:
                task()
        except MediaError as error:
            self.problem = str(error)
            self._say("state", is_urgent=True)
        finally:
            if hand is not None:
                hand.close()

    def _begin(self, hand: SoundHand) -> None:
        """Take what the cache has, else get ready to measure."""
        grid = hand.scan.grid
        measured = None
        if self._cache is not None:
            self._content_hash = self._content_hash or fingerprint(self._path)
            measured = self._cache.load(self._content_hash, self.choice, grid)
        with self._wake:
            if measured is not None:
                self._n_done = grid.n_stretches
                self._is_kept = True
            self._taken = np.full(grid.n_stretches, measured is not None)
            self.measured = measured or Measured(grid)
            self._sketches = list(range(grid.n_stretches))[::-1]
            self._sketch_until = time.monotonic() + _SKETCH_S
            self.channel_names, self.streams = hand.scan.channel_names, hand.scan.streams
            self.grid = grid
            if self._is_closing:
                return
            for thread in self._threads[1:]:
                thread.start()
        self._say("state", "waveform", "spectrogram", is_urgent=True)

    def _wait_for_task(self, hand: SoundHand) -> Task | None:
        with self._wake:
            while not self._is_closing:
                task = self._next_task(hand)
                if task is not None:
                    return task
                self._wake.wait()
        return None

    def _next_task(self, hand: SoundHand) -> Task | None:
        """Most urgent task; the caller holds the lock."""
        while self._wanted_pages:
            number = self._wanted_pages.pop(0)
            if number not in self._pages and number not in self._busy:
                self._busy.add(number)
                return lambda: self._read_page(hand, number)
        for key in reversed(self._wanted_tiles):
            if key not in self._busy:
                self._wanted_tiles.remove(key)
                self._busy.add(key)
                return lambda: self._draw_tile(hand, key)
        hint = self._next_sketch(hand)
        if hint is not None:
            return lambda: self._sketch(hand, hint)
        stretch = self._next_stretch(hand)
        if stretch is not None:
            self._taken[stretch] = True
            self._measuring.add(stretch)
            return lambda: self._measure(hand, stretch)
        if self._n_done == len(self._taken) and not self._is_kept:
            self._is_kept = True
            return self._keep
        return None

    # --- single samples and tiles -----------------------------------------------------------

    def _read_page(self, hand: SoundHand, number: int) -> None:
        samples = hand.read(number * PAGE, PAGE)
        with self._wake:
            self._pages[number] = samples
            while len(self._pages) > _N_PAGES:
                self._pages.popitem(last=False)
            self._busy.discard(number)
            is_last = not self._wanted_pages
        self._say("waveform", is_urgent=is_last)

    def _draw_tile(self, hand: SoundHand, key: TileKey) -> None:
        assert self.measured is not None
        known = self._known_under(key)
        tile = hand.tile(key, self.measured.overview)
        with self._wake:
            self._tiles[key] = tile, known
            self._tiles.move_to_end(key)
            used = sum(kept.bgra.nbytes for kept, _ in self._tiles.values())
            while used > _TILE_BYTES and len(self._tiles) > 1:
                used -= self._tiles.popitem(last=False)[1][0].bgra.nbytes
            self._busy.discard(key)
            is_last = not self._wanted_tiles
        self._say("spectrogram", is_urgent=is_last)

    def _known_under(self, key: TileKey) -> int:
        """How many of the stretches under a tile are measured: more make a better tile."""
        assert self.grid is not None
        assert self.measured is not None
        width = TILE_COLUMNS << key.level
        first = key.number * width // self.grid.stretch
        last = -(-(key.number + 1) * width // self.grid.stretch)
        return int(self.measured.overview.is_known[first:last].sum())

    # --- the whole sound --------------------------------------------------------------------

    def _next_sketch(self, hand: SoundHand) -> int | None:
        grid = self.grid
        is_due = time.monotonic() < self._sketch_until and hand.scan.is_seekable
        if grid is None or not self._sketches or not is_due:
            return None
        view = grid.stretches(*self.view) if self.view else range(grid.n_stretches)
        if len(view) < _SKETCH_FROM:
            return None
        while self._sketches:
            stretch = self._sketches.pop()
            if stretch in view and not self._taken[stretch]:
                return stretch
        return None

    def _sketch(self, hand: SoundHand, stretch: int) -> None:
        assert self.grid is not None
        assert self.measured is not None
        samples = hand.scan.glimpse(sum(self.grid.span(stretch)) // 2, _GLIMPSE)
        if samples is None:
            return
        with self._wake:
            # A hint must never come after the truth.
            if self._taken[stretch] or self.measured.pyramid.is_known[stretch]:
                return
            self.measured.pyramid.sketch(stretch, samples)
            self.measured.overview.sketch(stretch, samples)
        self._say("waveform", "spectrogram")

    def _next_stretch(self, hand: SoundHand) -> int | None:
        """The stretch to measure next: in view before out of view, going on before jumping."""
        grid = self.grid
        if grid is None or self._taken.all():
            return None
        if not hand.scan.is_seekable:
            # Such a file can only be read forward; earlier parts need a restart.
            free = np.flatnonzero(~self._taken)
            ahead = free[free >= hand.scan.place]
            if len(ahead):
                return int(ahead[0])
            return None if self._measuring else int(free[0])
        view = grid.stretches(*self.view) if self.view else range(grid.n_stretches)
        free = np.flatnonzero(~self._taken[view.start : view.stop]) + view.start
        if len(free) == 0:
            free = np.flatnonzero(~self._taken)
        if hand.scan.place in free:
            return hand.scan.place
        runs = np.split(free, np.flatnonzero(np.diff(free) > 1) + 1)
        longest = max(runs, key=len)
        return int(longest[len(longest) // 2 if self._measuring else 0])

    def _measure(self, hand: SoundHand, stretch: int) -> None:
        assert self.measured is not None
        samples = hand.scan.stretch(stretch, lambda: self._is_closing)
        if samples is None:
            return
        self.measured.write(stretch, samples)
        with self._wake:
            self._measuring.discard(stretch)
            self._n_done += 1
            is_done = self._n_done == len(self._taken)
            if is_done:
                self._wake.notify_all()
        self._say("state", "waveform", "spectrogram", is_urgent=is_done)

    def _keep(self) -> None:
        if self._cache is not None and self._content_hash is not None:
            assert self.measured is not None
            self._cache.store(self._content_hash, self.choice, self.measured)

    def _say(self, *what: str, is_urgent: bool = False) -> None:
        """Notify the main thread at a limited rate."""
        with self._wake:
            self._news.update(what)
            now = time.monotonic()
            is_due = is_urgent or now - self._told_at > _TELL_EVERY_S
            if self._is_told or self._is_closing or not is_due:
                return
            self._is_told = True
            self._told_at = now
        self._on_news()
