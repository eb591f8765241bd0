"""The exchange formats of other programs: one module each, and one line in `registry`.

Every reader returns `base.content.VideoContent`, every writer takes it; `base.converting` is the
way between that and documents. Pixels are continuous, frames count from 0, times are in
microseconds.
"""
