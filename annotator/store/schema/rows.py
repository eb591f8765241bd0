"""Steps to form 1.2: what can be edited is kept once for each draft; people can comment on it.

The draft of the next stage begins from the last submission and keeps the identifiers, so that the
same track, point or segment lies in several drafts. An identifier is unique within its draft only;
marks and keyframes hang on a number that means nothing outside this file.
"""

from __future__ import annotations

from typing import Final

ROWS_BY_DRAFT: Final = """
ALTER TABLE keyframe RENAME TO old_keyframe;
ALTER TABLE point_block RENAME TO old_point_block;
ALTER TABLE point RENAME TO old_point;
ALTER TABLE segment RENAME TO old_segment;
ALTER TABLE track RENAME TO old_track;
DROP INDEX track_by_draft;
DROP INDEX track_by_parent;
DROP INDEX segment_by_draft;
DROP INDEX point_by_draft;
DROP INDEX point_by_track;

CREATE TABLE track (
    row INTEGER PRIMARY KEY,
    draft_id BLOB NOT NULL REFERENCES draft (id),
    id BLOB NOT NULL CHECK (length(id) = 16),
    number INTEGER NOT NULL,
    label TEXT NOT NULL,
    color INTEGER NOT NULL,
    parent_id BLOB,
    is_locked INTEGER NOT NULL,
    is_hidden INTEGER NOT NULL,
    is_begin_settled INTEGER NOT NULL,
    attributes TEXT NOT NULL,
    extra TEXT NOT NULL,
    UNIQUE (draft_id, id),
    FOREIGN KEY (draft_id, parent_id) REFERENCES track (draft_id, id)
        DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE INDEX track_by_parent ON track (draft_id, parent_id) WHERE parent_id IS NOT NULL;

-- No box means out of view. pts is NULL while the video's frame table is not known.
CREATE TABLE keyframe (
    track_row INTEGER NOT NULL REFERENCES track (row) DEFERRABLE INITIALLY DEFERRED,
    frame INTEGER NOT NULL,
    pts INTEGER,
    x1 REAL,
    y1 REAL,
    x2 REAL,
    y2 REAL,
    occluded INTEGER NOT NULL,
    settled INTEGER NOT NULL,
    source TEXT NOT NULL CHECK (source IN ('human', 'accepted', 'imported')),
    PRIMARY KEY (track_row, frame),
    CHECK ((x1 IS NULL) = (y1 IS NULL) AND (x1 IS NULL) = (x2 IS NULL)
        AND (x1 IS NULL) = (y2 IS NULL))
) STRICT, WITHOUT ROWID;

-- Half-open: start_frame <= frame < end_frame; end_pts is NULL at the end of the video.
-- start_us and end_us: media time in microseconds, for segments that are not bound to frames.
CREATE TABLE segment (
    draft_id BLOB NOT NULL REFERENCES draft (id),
    id BLOB NOT NULL CHECK (length(id) = 16),
    lane TEXT NOT NULL,
    label TEXT NOT NULL,
    label_id INTEGER,
    start_frame INTEGER NOT NULL,
    end_frame INTEGER NOT NULL,
    start_pts INTEGER,
    end_pts INTEGER,
    start_us INTEGER,
    end_us INTEGER,
    slots TEXT NOT NULL,
    is_visible INTEGER NOT NULL,
    extra TEXT NOT NULL,
    PRIMARY KEY (draft_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE point (
    row INTEGER PRIMARY KEY,
    draft_id BLOB NOT NULL REFERENCES draft (id),
    id BLOB NOT NULL CHECK (length(id) = 16),
    track_id BLOB,
    number INTEGER NOT NULL,
    label TEXT NOT NULL,
    color INTEGER NOT NULL,
    is_locked INTEGER NOT NULL,
    is_hidden INTEGER NOT NULL,
    extra TEXT NOT NULL,
    UNIQUE (draft_id, id),
    FOREIGN KEY (draft_id, track_id) REFERENCES track (draft_id, id)
        DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE INDEX point_by_track ON point (draft_id, track_id) WHERE track_id IS NOT NULL;

-- Marks of the frames 256 * block to 256 * block + 255, without the unmarked ones at both ends.
-- xy: float64 little-endian [n, 2], NaN where there is no place; flags: one byte for each frame.
CREATE TABLE point_block (
    point_row INTEGER NOT NULL REFERENCES point (row) DEFERRABLE INITIALLY DEFERRED,
    block INTEGER NOT NULL CHECK (block >= 0),
    start_frame INTEGER NOT NULL,
    xy BLOB NOT NULL,
    flags BLOB NOT NULL,
    PRIMARY KEY (point_row, block),
    CHECK (start_frame >= 256 * block AND length(flags) >= 1
        AND start_frame + length(flags) <= 256 * block + 256 AND length(xy) = 16 * length(flags))
) STRICT, WITHOUT ROWID;

INSERT INTO track (draft_id, id, number, label, color, parent_id, is_locked, is_hidden,
        is_begin_settled, attributes, extra)
    SELECT draft_id, id, number, label, color, parent_id, is_locked, is_hidden,
        is_begin_settled, attributes, extra
    FROM old_track ORDER BY draft_id, id;
INSERT INTO keyframe
    SELECT t.row, k.frame, k.pts, k.x1, k.y1, k.x2, k.y2, k.occluded, k.settled, k.source
    FROM track t CROSS JOIN old_keyframe k ON k.track_id = t.id ORDER BY t.row, k.frame;
INSERT INTO segment (draft_id, id, lane, label, label_id, start_frame, end_frame, start_pts,
        end_pts, start_us, end_us, slots, is_visible, extra)
    SELECT draft_id, id, lane, label, label_id, start_frame, end_frame, start_pts,
        end_pts, start_us, end_us, slots, is_visible, extra
    FROM old_segment;
INSERT INTO point (draft_id, id, track_id, number, label, color, is_locked, is_hidden, extra)
    SELECT draft_id, id, track_id, number, label, color, is_locked, is_hidden, extra
    FROM old_point ORDER BY draft_id, id;
INSERT INTO point_block
    SELECT p.row, b.block, b.start_frame, b.xy, b.flags
    FROM point p CROSS JOIN old_point_block b ON b.point_id = p.id ORDER BY p.row, b.block;

DROP TABLE old_keyframe;
DROP TABLE old_point_block;
DROP TABLE old_point;
DROP TABLE old_segment;
DROP TABLE old_track;
"""

COMMENTS: Final = """
-- at and edited_at: milliseconds since 1970-01-01 UTC. pin: what it names, {} for the whole task.
-- What is named may be gone: a remark about a deleted track stays.
CREATE TABLE comment (
    draft_id BLOB NOT NULL REFERENCES draft (id),
    id BLOB NOT NULL CHECK (length(id) = 16),
    author_id BLOB NOT NULL CHECK (length(author_id) = 16),
    at INTEGER NOT NULL,
    text TEXT NOT NULL,
    pin TEXT NOT NULL,
    parent_id BLOB,
    is_resolved INTEGER NOT NULL,
    edited_at INTEGER,
    PRIMARY KEY (draft_id, id)
) STRICT, WITHOUT ROWID;
"""
