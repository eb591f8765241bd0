"""The timeline: time, keyframes, proposals and segments of one video on one axis."""
