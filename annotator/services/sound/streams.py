"""Selected audio stream and channel of a video."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from annotator.media.audio.scan import WHOLE, SoundChoice
from annotator.media.audio.streams import AudioStreamInfo

if TYPE_CHECKING:
    from annotator.media.audio.reader import Audio
    from annotator.services.playback.player import Player
    from annotator.services.sound.soundscape import Soundscape

__all__ = ["WHOLE", "AudioStreamInfo", "SoundChoice", "SoundTracks"]


class SoundTracks:
    """Applies the choice of an audio track to player, waveform and spectrogram.

    Owns ``audio``, which the player plays; ``choice`` is the person's earlier choice for this
    video, and ``remember`` receives a new one. Used on the main thread.
    """

    def __init__(
        self,
        audio: Audio,
        player: Player,
        sound: Soundscape,
        *,
        remember: Callable[[SoundChoice], object],
        choice: SoundChoice = WHOLE,
    ) -> None:
        self._audio = audio
        self._player = player
        self._sound = sound
        self._remember = remember
        self._choice = WHOLE
        if choice.stream < len(audio.streams):
            self._take(choice)

    @property
    def streams(self) -> tuple[AudioStreamInfo, ...]:
        """The sound streams of the file, in its order."""
        return self._audio.streams

    @property
    def channel_names(self) -> tuple[str, ...]:
        """FFmpeg's short names of the chosen stream's channels."""
        return self._audio.channel_names

    @property
    def choice(self) -> SoundChoice:
        """Selected stream and channel."""
        return self._choice

    def choose(self, choice: SoundChoice) -> None:
        """Hear and draw something else; MediaError, with nothing changed, when that cannot be."""
        if choice != self._choice:
            self._take(choice)
            self._remember(choice)

    def close(self) -> None:
        """Let the file go."""
        self._audio.close()

    def _take(self, choice: SoundChoice) -> None:
        if choice.stream != self._audio.stream:
            before, self._audio = self._audio, self._audio.reopen(choice.stream)
            self._player.use_audio(self._audio)
            before.close()
        self._sound.choose(choice)
        self._choice = choice
