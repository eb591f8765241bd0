"""``annotator follow``: what it writes, and what it refuses."""

from __future__ import annotations

import json

import pytest


def test_points_get_place_occlusion_and_confidence_on_each_frame(call, clip, tmp_path):
    out = tmp_path / "points.json"
    given = ["rim@5:30,20", "rim@30:32.5,20", "mug's ear@12:50,40", "mug's ear@20:51,40"]
    done = call("follow", clip, *(a for p in given for a in ("--point", p)), "--output", out)
    assert (done.status, done.err) == (0, "")
    found = json.loads(out.read_text())["points"]
    assert sorted(found) == ["mug's ear", "rim"]
    for record in found.values():
        assert sorted(record) == ["confidence", "occluded", "xy"]
        assert {len(column) for column in record.values()} == {40}
        assert all(hidden in (0, 1) for hidden in record["occluded"])
        assert all(0 <= sure <= 1 for sure in record["confidence"])
        shown = zip(record["xy"], record["occluded"], strict=True)
        assert all(hidden or xy for xy, hidden in shown)
    rim = found["rim"]
    assert (rim["xy"][5], rim["xy"][30]) == ([30, 20], [32.5, 20])
    assert (rim["confidence"][5], rim["confidence"][30]) == (1, 1)
    # The pictures change from frame to frame, so where the point counts as visible is not asserted.
    assert all(xy is None for xy in rim["xy"][:5] + rim["xy"][31:])


def test_a_point_given_once_is_followed_to_both_ends_and_printed(call, clip):
    rows = call("follow", clip, "--point", "a@20:40,30").out.splitlines()
    assert len(rows) == 40
    assert rows[20].split("\t") == ["a", "20", "40.00", "30.00", "0", "1.000"]
    assert float(rows[19].split("\t")[5]) > 0
    assert float(rows[21].split("\t")[5]) > 0


@pytest.mark.parametrize(
    ("points", "said", "status"),
    [
        (["a@40:1,1"], "does not exist. The video has frames 0 to", 1),
        (["a@0:97,1"], "96 x 64", 1),
        (["a@0:1,1", "a@0:2,1"], "Specify one position per point and frame.", 1),
        (["0:1,1"], "handle@30:412.5,220", 2),
        (["a@0:1,nan"], "handle@30:412.5,220", 2),
        ([], "--point", 2),
    ],
)
def test_points_that_make_no_sense_are_refused(call, clip, points, said, status):
    done = call("follow", clip, *(a for point in points for a in ("--point", point)))
    assert done.status == status
    assert said in done.err
    assert "Traceback" not in done.err


def test_trackers_that_do_not_exist_are_named(call, clip):
    done = call("follow", clip, "--point", "a@0:9,9", "--tracker", "fused")
    assert done.status == 1
    assert "fused" in done.err
