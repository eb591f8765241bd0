"""Every setting there is: one row each, from which the file, its checks and the form follow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

Value: TypeAlias = bool | int | float | str
Kind: TypeAlias = Literal["flag", "whole", "number", "text", "choice", "path", "folder"]


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: ``key`` is "table.name" as in the file, ``label`` and ``help`` are for people.

    ``choices`` belong to the kind "choice"; ``low`` and ``high`` bound numbers, both included.
    """

    key: str
    kind: Kind
    default: Value
    group: str
    label: str
    help: str
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None

    def checked(self, value: object) -> Value:
        """Return the validated value of a setting; ValueError names the allowed values."""
        if self.kind == "flag":
            if not isinstance(value, bool):
                raise ValueError("true or false")
            return value
        if self.kind in ("whole", "number"):
            return self._checked_number(value)
        is_text = isinstance(value, str) and value.isprintable()
        if not is_text or (self.kind == "choice" and value not in self.choices):
            raise ValueError("one of " + ", ".join(self.choices) if self.choices else "a text")
        return str(value)

    def _checked_number(self, value: object) -> int | float:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or (self.kind == "whole" and not isinstance(value, int)):
            raise ValueError("a whole number" if self.kind == "whole" else "a number")
        assert isinstance(value, int | float)
        low, high = self.low, self.high
        if (low is not None and not value >= low) or (high is not None and not value <= high):
            raise ValueError(f"{low:g} to {high:g}")
        return value if self.kind == "whole" else float(value)


SETTINGS: Final = (
    Setting(
        "person.name",
        "text",
        "",
        "You",
        "Your name",
        "Goes into the log and into what you submit. Empty: your login name.",
    ),
    Setting(
        "appearance.theme",
        "choice",
        "system",
        "Appearance",
        "Theme",
        "System follows the desktop where it tells.",
        choices=("system", "light", "dark", "high-contrast"),
    ),
    Setting(
        "appearance.scale",
        "whole",
        100,
        "Appearance",
        "Size of text and controls",
        "In per cent.",
        low=80,
        high=200,
    ),
    Setting(
        "keys.preset",
        "choice",
        "default",
        "Shortcuts",
        "Key preset",
        "Keys as in another tool; your own changes stay on top.",
        choices=("default", "cvat", "elan", "sleap"),
    ),
    Setting(
        "keys.by_place",
        "flag",
        False,
        "Shortcuts",
        "Letters by their place on the keyboard",
        "For keyboards such as AZERTY: the keys lie under the hand as on a US keyboard.",
    ),
    Setting(
        "objects.ask_name",
        "flag",
        True,
        "Objects",
        "Ask for a name after drawing",
        "A new object's name can be typed at once; Enter or Esc leads back to the picture.",
    ),
    Setting(
        "segments.reaction_ms",
        "whole",
        200,
        "Segments",
        "Reaction time",
        "In milliseconds. Segments painted while playing are moved back by it.",
        low=0,
        high=2000,
    ),
    Setting(
        "playback.volume",
        "number",
        1.0,
        "Playback",
        "Volume",
        "0 is silent, 1 is full.",
        low=0,
        high=1,
    ),
    Setting(
        "playback.step_sound",
        "flag",
        True,
        "Playback",
        "Sound while stepping",
        "Each step plays the sound of its frame.",
    ),
    Setting(
        "playback.cache_mb",
        "whole",
        512,
        "Playback",
        "Memory for pictures",
        "In megabytes; more makes scrubbing and stepping back smoother in large videos.",
        low=64,
        high=16384,
    ),
    Setting(
        "canvas.attributes",
        "flag",
        False,
        "Canvas",
        "Show attributes on labels",
        "The values that an object has on the frame shown, after its name.",
    ),
    Setting(
        "timeline.waveform",
        "flag",
        True,
        "Timeline",
        "Show the waveform",
        "The outline of the sound, under the ruler.",
    ),
    Setting(
        "timeline.spectrogram",
        "flag",
        True,
        "Timeline",
        "Show the spectrogram",
        "Which pitches the sound is made of, under the ruler.",
    ),
    Setting(
        "timeline.waveform_px",
        "whole",
        48,
        "Timeline",
        "Height of the waveform",
        "Its lower edge can be dragged too.",
        low=24,
        high=400,
    ),
    Setting(
        "timeline.spectrogram_px",
        "whole",
        64,
        "Timeline",
        "Height of the spectrogram",
        "Its lower edge can be dragged too.",
        low=24,
        high=400,
    ),
    Setting(
        "spectrogram.scale",
        "choice",
        "mel",
        "Timeline",
        "Pitch in the spectrogram",
        "Mel spreads pitches as the ear does.",
        choices=("linear", "mel", "log"),
    ),
    Setting(
        "spectrogram.gain_db",
        "number",
        20.0,
        "Timeline",
        "Gain of the spectrogram",
        "In decibels: more shows quieter sounds.",
        low=-40,
        high=80,
    ),
    Setting(
        "spectrogram.range_db",
        "number",
        80.0,
        "Timeline",
        "Range of the spectrogram",
        "In decibels from the loudest to the background.",
        low=20,
        high=120,
    ),
    Setting(
        "spectrogram.colors",
        "choice",
        "lagoon",
        "Timeline",
        "Colors of the spectrogram",
        "All of them can be told apart without seeing colors.",
        choices=("lagoon", "ember", "gray"),
    ),
    Setting(
        "points.trail",
        "whole",
        15,
        "Points",
        "Length of trails",
        "Frames before and after that show where a point was and will be; 0 for none.",
        low=0,
        high=300,
    ),
    Setting(
        "answers.spelling",
        "flag",
        True,
        "Answers",
        "Underline unknown words",
        "In answers that are typed, where a dictionary is installed.",
    ),
    Setting(
        "answers.language",
        "text",
        "",
        "Answers",
        "Language",
        "Of the dictionary, as in en_GB. Empty: that of the system.",
    ),
    Setting(
        "videos.cache",
        "folder",
        "",
        "Videos",
        "Folder for fetched videos",
        "Empty: the cache folder of the system.",
    ),
    Setting(
        "videos.cache_gb",
        "whole",
        50,
        "Videos",
        "Limit for fetched videos",
        "Videos not used for longest are removed first, never those of your tasks.",
        low=1,
        high=100_000,
    ),
    Setting(
        "videos.sources",
        "text",
        "",
        "Videos",
        "Fetch videos from",
        "Servers that videos may be fetched from without asking, separated by spaces.",
    ),
    Setting(
        "work.stock",
        "whole",
        3,
        "Shared work",
        "Tasks to keep ready",
        "So many tasks are claimed ahead in a shared project, with their videos.",
        low=0,
        high=50,
    ),
    Setting(
        "proposals.automatic",
        "flag",
        True,
        "Proposals",
        "Propose boxes by itself",
        "The tracker runs ahead as soon as a box is drawn.",
    ),
    Setting(
        "proposals.hidden",
        "choice",
        "occluded",
        "Proposals",
        "Hidden objects",
        "The tracker proposes an occluded box where they are expected, or out of view.",
        choices=("occluded", "out-of-view"),
    ),
    Setting(
        "proposals.tolerance_px",
        "number",
        2.0,
        "Proposals",
        "Keyframe tolerance (distance)",
        "Accepting creates as few keyframes as keep every edge this close, or the overlap below.",
        low=0,
        high=50,
    ),
    Setting(
        "proposals.tolerance_iou",
        "number",
        0.95,
        "Proposals",
        "Keyframe tolerance (overlap)",
        "Overlap (IoU) of interpolated and proposed box that suffices as well, 0.5 to 1.",
        low=0.5,
        high=1,
    ),
    Setting(
        "proposals.tracker",
        "text",
        "fused",
        "Proposals",
        "Tracker",
        "The name of a built-in or installed tracker.",
    ),
    Setting(
        "proposals.model",
        "path",
        "",
        "Proposals",
        "Model file",
        "For trackers that need one (ONNX).",
    ),
)

BY_KEY: Final = {setting.key: setting for setting in SETTINGS}
