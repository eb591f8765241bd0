"""The command line: `main` runs the command that the arguments name; see `commands`."""

from __future__ import annotations

import sys

from annotator.cli.common.boundary import run


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    words = sys.argv[1:] if arguments is None else arguments

    def command() -> object:
        # The command that a person waits for goes without the machinery of all the others.
        if not words or (words[0] == "open" and len(words) == 2 and not words[1].startswith("-")):
            from annotator.cli.common.window_start import open_files, open_window

            return open_files(words[1:]) if words else open_window()
        from annotator.cli.commands import annotator

        return annotator.main(words, prog_name="annotator", standalone_mode=False)

    return run(command)
