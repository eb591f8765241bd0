"""Start: crash hooks before anything heavy is imported, then the command line or the window."""

from __future__ import annotations

import gc
import os
import sys

from annotator import log

_OBJECTS_PER_COLLECTION = 20_000


def main() -> int:
    """Run the program on the arguments of the process and return its exit status."""
    if getattr(sys, "frozen", False):
        # In the stand-alone program a worker process starts here too, and ends in this call.
        import multiprocessing

        multiprocessing.freeze_support()
    # With the usual 700 nearly a tenth of the time to start goes into looking for garbage.
    gc.set_threshold(_OBJECTS_PER_COLLECTION)
    log.set_up()
    # OpenCV's FFmpeg would write of every damaged frame to the terminal; findings say it in order.
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    # numpy's threads wait for their next task in a loop, which takes the processor from the window
    # and from decoding; the products of matrices here are too small to gain by them.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from annotator import cli

    try:
        return cli.main()
    finally:
        log.close()


if __name__ == "__main__":
    sys.exit(main())
