"""A scripted rater: edits a project without end and acknowledges each gesture on its output.

Run as ``python -m tests.e2e.rater PROJECT SEED``; meant to be killed.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

from annotator.domain.annotation.document import Document
from annotator.domain.commands import Command
from annotator.domain.errors import EditError
from annotator.services.project.projects import open_project
from tests.services.gestures import KINDS, Gesture, command


def main(path: Path, seed: int) -> None:
    chance = random.Random(seed)
    project = open_project(path)
    session = project.open_task(project.tasks()[0].id)
    while True:
        roll = chance.random()
        try:
            if roll < 0.1:
                done = session.undo()
            elif roll < 0.15:
                done = session.redo()
            else:
                done = session.run(_next(chance, session.document))
        except EditError:
            continue
        if done is not None:
            sys.stdout.write(".\n")
            sys.stdout.flush()


def _next(chance: random.Random, document: Document) -> Command:
    """Return a random gesture's command; a crowded document is thinned out."""
    kind = "delete" if len(document.tracks) > 12 else chance.choice(KINDS)
    numbers = [chance.randrange(6), chance.randrange(6), chance.randrange(90)]
    gesture = Gesture(
        kind, *numbers, chance.randrange(1, 31), chance.uniform(0, 500), chance.random() < 0.5
    )
    return command(gesture, document)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
