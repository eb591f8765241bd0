"""Start: crash hooks before anything heavy is imported, then the command line or the window."""

from __future__ import annotations

import os
import sys

from annotator import log


def main() -> int:
    """Run the program on the arguments of the process and return its exit status."""
    log.set_up()
    # OpenCV's FFmpeg would write of every damaged frame to the terminal; findings say it in order.
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    from annotator import cli

    try:
        return cli.main()
    finally:
        log.close()


if __name__ == "__main__":
    sys.exit(main())
