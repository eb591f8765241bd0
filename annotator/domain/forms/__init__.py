"""Forms: questions of a task, allowed answers, and the visible part of the video."""
