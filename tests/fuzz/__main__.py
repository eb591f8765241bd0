"""Fuzz all readers, or one: ``python -m tests.fuzz [--seconds N] [--seed N] [--target NAME]``.

Inputs that fail are kept under ``tests/fuzz/corpus``, from where the tests read them again.
"""

from __future__ import annotations

import argparse
import hashlib
import lzma
import os
import random
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path

from annotator.domain.errors import UserError
from tests.fuzz.targets import Target, targets

_LARGE = 64 << 10
CORPUS = Path(__file__).with_name("corpus")


def main() -> int:
    """Run until the time is over; status 1 where an input ended in anything but a UserError."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--inputs", type=int, default=0, help="per target, instead of a time")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--target", default="")
    wish = parser.parse_args()
    seed = wish.seed if wish.seed is not None else random.SystemRandom().randrange(10**9)
    counts: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="annotator-") as name:
        os.environ["XDG_DATA_HOME"] = name
        wanted = [t for t in targets(Path(name)) if wish.target in ("", t.name)]
        until = time.monotonic() + wish.seconds
        n = 0
        while n < wish.inputs if wish.inputs else time.monotonic() < until:
            for target in wanted:
                problem = attempt(target, random.Random(f"{seed} {target.name} {n}"), Path(name))
                counts[target.name] += 1
                failed[target.name] += bool(problem)
                if problem:
                    print(problem, file=sys.stderr, flush=True)  # noqa: T201
            n += 1
    for target_name, count in sorted(counts.items()):
        print(f"{target_name:<20} {count:>7} inputs {failed[target_name]:>4} failed")  # noqa: T201
    print(f"{sum(counts.values())} inputs, {failed.total()} failed, seed {seed}")  # noqa: T201
    return int(failed.total() > 0)


def attempt(target: Target, chance: random.Random, folder: Path) -> str:
    """Give a reader one damaged file; return what went wrong, "" for a result or a UserError."""
    body = target.change(chance)
    path = folder / f"input{target.suffix}"
    path.write_bytes(body)
    try:
        target.read(path)
    except UserError:
        return ""
    except Exception:
        name = f"{hashlib.sha256(body).hexdigest()[:16]}{target.suffix}"
        if len(body) > _LARGE:
            name, body = f"{name}.xz", lzma.compress(body)
        kept = CORPUS / target.name / name
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(body)
        return f"{target.name}: {kept}\n{traceback.format_exc()}"
    return ""


if __name__ == "__main__":
    sys.exit(main())
