"""Large files of other programs: a CVAT file of 10,000 tracks, a MOT file of a million rows.

Each is read and written, compared with what a plain parser of the standard library takes to walk
the same bytes (ElementTree, csv) in the same run. The peak of memory is that of the whole process.
"""

from __future__ import annotations

import csv
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.ids import DraftId, VideoId
from annotator.exchange.formats.base.document_conversion import content_of, import_command
from annotator.exchange.formats.base.format import Format
from annotator.services.transfer.formats import FORMATS

N_TRACKS, N_KEYS, N_FRAMES = 10_000, 12, 5_000
N_ROWS, N_OBJECTS = 1_000_000, 400


def main() -> int:
    """Print the figures."""
    share = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cvat, mot = folder / "clip.xml", folder / "clip.txt"
        _write_cvat(cvat, int(N_TRACKS * share))
        _write_mot(mot, int(N_ROWS * share))
        _measured("cvat", FORMATS["cvat"], cvat, _walk_xml)
        _measured("mot", FORMATS["mot"], mot, _walk_csv)
    return 0


def _measured(title: str, form: Format, path: Path, plain: Callable[[Path], None]) -> None:
    assert form.read is not None
    assert form.write is not None
    base = _seconds(lambda: plain(path))
    started = time.perf_counter()
    (content,) = form.read(path)
    read = time.perf_counter() - started
    video = VideoInfo(VideoId("v"), "clip.mp4", 1920, 1080, N_FRAMES, 30.0, N_FRAMES / 30, 30)
    times = [round(i * 1e6 / 30) for i in range(N_FRAMES + 1)]
    started = time.perf_counter()
    command, findings = import_command(content, Document(DraftId(""), video), times[:-1], title)
    fitted = time.perf_counter() - started
    document = Document(DraftId(""), video, command.tracks)
    started = time.perf_counter()
    n_bytes = sum(map(len, form.write([content_of(document, times)])))
    written = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(  # noqa: T201
        f"{title}: {path.stat().st_size / 1e6:.0f} MB, {len(command.tracks)} tracks, "
        f"plain parser {base:.1f} s, read {read:.1f} s = {read / base:.1f} x, "
        f"fitted {fitted:.1f} s, written {n_bytes / 1e6:.0f} MB in {written:.1f} s "
        f"= {written / base:.1f} x, {len(findings)} findings, peak {peak:.0f} MB"
    )


def _seconds(work: Callable[[], None]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _walk_xml(path: Path) -> None:
    for _, element in ElementTree.iterparse(path):
        element.clear()


def _walk_csv(path: Path) -> None:
    with path.open(newline="") as file:
        for row in csv.reader(file):
            [float(cell) for cell in row]


def _write_cvat(path: Path, n_tracks: int) -> None:
    with path.open("w") as file:
        file.write(
            "<annotations><version>1.1</version><meta><task><name>clip</name></task></meta>\n"
        )
        for track in range(n_tracks):
            file.write(f'<track id="{track}" label="object {track % 50}" source="manual">\n')
            for key in range(N_KEYS):
                frame, x = key * 400 + track % 300, 10 + (track * 7 + key * 13) % 1800
                file.write(
                    f'<box frame="{frame}" outside="0" occluded="{key % 2}" keyframe="1" '
                    f'xtl="{x}.25" ytl="20.50" xbr="{x + 60}.75" ybr="90.00" z_order="0"></box>\n'
                )
            file.write("</track>\n")
        file.write("</annotations>\n")


def _write_mot(path: Path, n_rows: int) -> None:
    n_frames = max(1, n_rows // N_OBJECTS)
    with path.open("w") as file:
        for frame in range(n_frames):
            for track in range(N_OBJECTS):
                x = (track * 11 + frame * (1 + track % 3)) % 1700
                file.write(f"{frame + 1},{track + 1},{x}.5,{track},40.25,60,1,1,1\n")


if __name__ == "__main__":
    sys.exit(main())
