"""Trackers run in tests as they do in their process: OpenCV has one thread."""

from __future__ import annotations

from annotator.assist import use_threads

use_threads(1)
