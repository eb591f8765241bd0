"""Files of 1 GB: memory and time to import them, and to export as much again.

A COCO-VID and a Label Studio file about 11,609 videos, with boxes that no interpolation gives, and
a CVAT file of one video. Each step runs in a process of its own; its peak must stay below 1 GB.
Give a share (0.1) to make everything smaller.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Final

from annotator.domain.annotation.document import VideoInfo
from annotator.domain.ids import VideoId, new_id
from annotator.services.project.projects import open_project
from tests.benchmarks.dataset_file import N_VIDEOS

SIZE: Final = 1 << 30
MOST_MB: Final = 1024
N_FRAMES, N_TRACKS = 690, 3


def main() -> int:
    """Print the figures; status 1 where a step takes more memory than it should."""
    if len(sys.argv) > 2:
        return _annotator(sys.argv[1:])
    share = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    n_videos, size = max(3, round(N_VIDEOS * share)), round(SIZE * share)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        coco, scored = folder / "coco.json", folder / "scored.json"
        tasks, cvat = folder / "tasks.json", folder / "video_0.xml"
        _write_coco(coco, n_videos, size, has_scores=False)
        _write_coco(scored, n_videos, size, has_scores=True)
        _write_tasks(tasks, n_videos, size)
        _write_cvat(cvat, size)
        peaks = []
        for kind, path, form in (("coco", coco, "coco-vid"), ("tasks", tasks, "label-studio")):
            project = str(folder / f"{kind}.annot")
            _create(Path(project), n_videos)
            submission = ("--as", "submission", "--stage", "complete")
            peaks.append(_run(f"import {form}", "import", project, str(path), *submission))
            out = str(folder / f"out-{kind}.json")
            peaks.append(_run(f"export {form}", "export", project, out, "--format", form))
        proposals = ("--as", "proposals")
        peaks.append(_run("import scores", "import", project, str(scored), *proposals))
        peaks.append(_run("convert cvat", "convert", str(cvat), str(folder / "out.xml")))
    return int(max(peaks) > MOST_MB)


def _run(title: str, *arguments: str) -> float:
    command = [sys.executable, "-m", "tests.benchmarks.bench_large_files", *arguments]
    started = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - started
    peak = float(done.stdout.rpartition("peak ")[2].split()[0]) if "peak " in done.stdout else 0.0
    said = "" if done.returncode == 0 else f", status {done.returncode}: {done.stderr[-300:]}"
    sizes = [Path(a).stat().st_size / 1e6 for a in arguments[1:3] if Path(a).is_file()]
    files = ", ".join(f"{size:.0f} MB" for size in sizes)
    print(f"{title}: {seconds:.0f} s, peak {peak:.0f} MB ({files}){said}", flush=True)  # noqa: T201
    return peak


def _annotator(arguments: list[str]) -> int:
    """Run a command of the program and tell the peak of memory of it and its processes."""
    from annotator import cli

    sys.argv = ["annotator", *arguments]
    try:
        status = cli.main()
    except SystemExit as error:
        status = int(error.code or 0)
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    theirs = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"peak {max(own, theirs):.0f} MB")  # noqa: T201
    return int(status or 0)


def _create(path: Path, n_videos: int) -> None:
    """Make a project of videos whose files are not there, with a task for each."""
    _run("create", "project", "create", str(path), "--recipe", "annotate-review")
    project = open_project(path)
    for i in range(n_videos):
        name, seconds = f"video_{i}.mp4", N_FRAMES / 30
        project.add_absent_video(
            VideoInfo(VideoId(new_id()), name, 1280, 720, N_FRAMES, 30.0, seconds, 30)
        )
    project.close()


def _box(video: int, track: int, frame: int) -> tuple[float, float]:
    """Return a corner that jumps, so that every box is a keyframe."""
    mixed = (video * 31 + track * 17 + frame * 7919) % 1009
    return 10 + mixed / 2, 20 + (mixed * 13 % 1009) / 4


def _write_coco(path: Path, n_videos: int, size: int, *, has_scores: bool) -> None:
    n_boxes = 0
    with path.open("w") as file:
        file.write('{"annotations": [')
        n_frames = max(1, min(N_FRAMES, size // (185 * n_videos * N_TRACKS)))
        for video in range(n_videos):
            for track in range(N_TRACKS):
                for frame in range(n_frames):
                    x, y = _box(video, track, frame)
                    row: dict[str, Any] = {
                        "id": n_boxes,
                        "image_id": video * N_FRAMES + frame,
                        "video_id": video,
                        "track_id": video * N_TRACKS + track,
                        "category_id": track,
                        "bbox": [x, y, 60.25, 70.5],
                        "area": 4247.625,
                        "iscrowd": 0,
                    }
                    row |= {"score": 0.5 + frame / 2000} if has_scores else {}
                    file.write(f"{',' if n_boxes else ''}\n{json.dumps(row)}")
                    n_boxes += 1
        file.write('],\n"videos": [')
        for video in range(n_videos):
            about = {"id": video, "name": f"video_{video}.mp4", "length": N_FRAMES}
            about |= {"width": 1280, "height": 720}
            file.write(f"{',' if video else ''}\n{json.dumps(about)}")
        file.write('],\n"images": [')
        for video in range(n_videos):
            for frame in range(n_frames):
                number = video * N_FRAMES + frame
                image = {"id": number, "video_id": video, "frame_index": frame}
                file.write(f"{',' if number else ''}\n{json.dumps(image)}")
        names = [{"id": track, "name": f"thing {track}"} for track in range(N_TRACKS)]
        file.write(f'],\n"categories": {json.dumps(names)}}}')


def _write_tasks(path: Path, n_videos: int, size: int) -> None:
    n_frames = max(1, min(N_FRAMES, size // (140 * n_videos * N_TRACKS)))
    with path.open("w") as file:
        for video in range(n_videos):
            results = []
            for track in range(N_TRACKS):
                keys = []
                for frame in range(n_frames):
                    x, y = _box(video, track, frame)
                    about = {"frame": frame + 1, "enabled": True, "rotation": 0}
                    place = {"x": x / 12.8, "y": y / 7.2, "width": 4.75, "height": 9.75}
                    keys.append({**about, **place, "time": frame / 30})
                value = {"framesCount": N_FRAMES, "labels": [f"thing {track}"], "sequence": keys}
                results.append(
                    {"id": f"t{track}", "type": "videorectangle", "from_name": "box"}
                    | {"to_name": "video", "value": value}
                )
            task = {"data": {"video": f"video_{video}.mp4"}, "annotations": [{"result": results}]}
            file.write(f"{',' if video else '['}\n{json.dumps(task)}")
        file.write("]")


def _write_cvat(path: Path, size: int) -> None:
    """Write as CVAT does: a row for every frame, every tenth of them a keyframe."""
    meta = "<name>video_0</name><size>690</size>"
    meta += "<original_size><width>1280</width><height>720</height></original_size>"
    with path.open("w") as file:
        file.write(f"<annotations><version>1.1</version><meta><task>{meta}</task></meta>\n")
        track = 0
        while file.tell() < size:
            file.write(f'<track id="{track}" label="thing {track % 50}" source="manual">\n')
            for frame in range(N_FRAMES):
                x, y = _box(0, track, frame // 10)
                file.write(
                    f'<box frame="{frame}" keyframe="{int(frame % 10 == 0)}" outside="0" '
                    f'occluded="0" xtl="{x:.2f}" ytl="{y:.2f}" xbr="{x + 60:.2f}" '
                    f'ybr="{y + 70:.2f}" z_order="0"></box>\n'
                )
            file.write("</track>\n")
            track += 1
        file.write("</annotations>\n")


if __name__ == "__main__":
    sys.exit(main())
