"""A hub under load: 200 raters, 46,436 seats, raters that die and a server that crashes.

``python -m tests.benchmarks.bench_hub [PART] [SEATS]`` with PART folder, one, paced, slow, busy,
full or all. Each rater keeps a journal on disk, and what the journals say is compared with what the
hub has in the end. Status 1 when anything was doubled or lost, or a target is missed.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from annotator.domain.ids import PersonId, ProjectId, new_id
from annotator.sync.folder import FolderHub
from annotator.sync.hub import HubError, HubPerson, Seat
from annotator.sync.postgres import PostgresHub
from annotator.sync.postgres_setup import add_login, set_up
from tests.sync.postgres_server import Server, programs, running

KINDS = ("boxes", "points", "actions", "sounds")
BODY = 4096
SUBMISSION = 8192
ONE_WAY_S = 0.015


@dataclass
class Outcome:
    """What the journals and the hub say in the end."""

    seconds: float
    done: int
    connects: list[float] = field(default_factory=list)
    claims: list[float] = field(default_factory=list)
    submits: list[float] = field(default_factory=list)
    faults: dict[str, int] = field(default_factory=dict)
    events: list[str] = field(default_factory=list)


def rate(address: dict[str, str], folder: Path, think_s: float) -> None:
    """Claim and submit until told to stop; go on where an earlier program died."""
    path = folder / f"{address['user']}.journal"
    known: dict[str, dict[str, str]] = {}
    for line in path.read_text().splitlines() if path.exists() else ():
        word, claim_id, *rest = line.split()
        known.setdefault(claim_id, {})[word] = rest[0] if rest else ""
    journal = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def say(*words: object) -> None:
        os.write(journal, (" ".join(map(str, words)) + "\n").encode())

    hub = PostgresHub(address, patience_s=60)
    began = time.perf_counter()
    hub.hello()
    say("C", "connect", f"{time.perf_counter() - began:.5f}")

    def hand_in(claim_id: str) -> None:
        body = random.Random(claim_id).randbytes(SUBMISSION)
        began = time.perf_counter()
        receipt = hub.submit(claim_id, body)
        took = time.perf_counter() - began
        assert receipt.id == hashlib.sha256(body).hexdigest()
        say("A", claim_id, receipt.id, f"{took:.5f}")

    for claim_id, lines in known.items():
        if "W" in lines and "A" not in lines and (hub.claim(claim_id) is not None or "G" in lines):
            hand_in(claim_id)
    chance = random.Random()
    time.sleep(chance.random() * think_s)
    while not (folder / "stop").exists():
        claim_id = new_id()
        say("W", claim_id)
        began = time.perf_counter()
        lease = hub.claim(claim_id)
        took = time.perf_counter() - began
        if lease is None:
            time.sleep(0.3 + chance.random())
            continue
        say("G", claim_id, lease.seat_id, f"{took:.5f}")
        time.sleep(chance.uniform(0.5, 1.5) * think_s)
        hand_in(claim_id)
    hub.close()


def raters(told: dict[str, Any]) -> None:
    """Be some raters, each a thread; the body of a process."""
    threads = [
        threading.Thread(target=rate, args=(address, Path(told["folder"]), told["think_s"]))
        for address in told["addresses"]
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


class Line:
    """A slow line: every chunk arrives later than it was sent, in order."""

    def __init__(self, port: int) -> None:
        import asyncio

        self.port = 0
        ready = threading.Event()

        async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            loop = asyncio.get_running_loop()
            while chunk := await reader.read(65536):
                loop.call_later(ONE_WAY_S, writer.write, chunk)
            loop.call_later(ONE_WAY_S, writer.close)

        async def accept(near_in: asyncio.StreamReader, near_out: asyncio.StreamWriter) -> None:
            far_in, far_out = await asyncio.open_connection("127.0.0.1", port)
            await asyncio.gather(carry(near_in, far_out), carry(far_in, near_out))

        async def serve() -> None:
            server = await asyncio.start_server(accept, "127.0.0.1", 0)
            self.port = server.sockets[0].getsockname()[1]
            ready.set()
            await asyncio.Event().wait()

        threading.Thread(target=lambda: asyncio.run(serve()), daemon=True).start()
        ready.wait()


class Load:
    """A hub of a cluster with seats, and people who work on it."""

    def __init__(self, server: Server, n_seats: int, n_people: int, *, lease_ms: int) -> None:
        self._server = server
        self._admin = {**server.admin, "dbname": f"load_{n_seats}_{n_people}_{lease_ms}"}
        lead = PersonId(new_id())
        people = [PersonId(new_id()) for _ in range(n_people)]
        set_up(self._admin, ProjectId(new_id()), lease_ms=lease_ms)
        logins = [add_login(self._admin, each, is_lead=each == lead) for each in (lead, *people)]
        addresses = [
            {**self._admin, "user": login.name, "password": login.password} for login in logins
        ]
        self._lead = PostgresHub(addresses[0], patience_s=60)
        self.addresses = addresses[1:]
        self._lead.take_write_role()
        roles, kinds = frozenset(("rater",)), frozenset(KINDS)
        self._lead.set_people(HubPerson(each, "", roles, kinds) for each in people)
        began = time.perf_counter()
        seats = (
            Seat(
                f"{i}-1-1", f"{i}", KINDS[i % 4], "draw", os.urandom(BODY), "rater", int(i % 7 == 0)
            )
            for i in range(n_seats)
        )
        n_new = self._lead.publish(seats, os.urandom(30_000))
        told(f"published {n_new} seats of {BODY} B in {time.perf_counter() - began:.2f} s")

    def play(
        self,
        *,
        processes: int,
        think_s: float = 0.0,
        seconds: float = 0.0,
        kills: int = 0,
        crashes: int = 0,
        line: Line | None = None,
    ) -> Outcome:
        """Let everybody work until all is done or the time is over."""
        chance = random.Random(5)
        folder = Path(tempfile.mkdtemp(prefix="raters-"))
        addresses = self.addresses
        if line is not None:
            addresses = [{**each, "port": str(line.port)} for each in addresses]
        each = len(addresses) // processes

        def start(i: int) -> subprocess.Popen[bytes]:
            part = addresses[i * each : (i + 1) * each]
            value = {"folder": str(folder), "think_s": think_s, "addresses": part}
            program = [sys.executable, "-m", "tests.benchmarks.bench_hub", "--raters"]
            return subprocess.Popen([*program, json.dumps(value)])

        todo = self._count("state <> 'done'")
        at_kill = [todo * (k + 1) // (kills + 2) for k in range(kills)]
        at_crash = [todo * (k + 1) // (crashes + 1) for k in range(crashes)]
        outcome = Outcome(0, 0)
        began = time.monotonic()
        running_ones = [start(i) for i in range(processes)]
        gone, left = 0, todo
        while left and (not seconds or time.monotonic() - began < seconds):
            time.sleep(0.5)
            left = self._count("state <> 'done'")
            if at_kill and todo - left > at_kill[0]:
                at_kill.pop(0)
                i = chance.choice([k for k, p in enumerate(running_ones) if p.poll() is None])
                running_ones[i].kill()
                running_ones[i].wait()
                if gone < processes // 5 and chance.random() < 0.5:
                    gone += 1
                    outcome.events.append(f"{each} raters dead for good")
                else:
                    running_ones[i] = start(i)
                    outcome.events.append(f"{each} raters killed and started again")
            if at_crash and todo - left > at_crash[0]:
                at_crash.pop(0)
                down = time.monotonic()
                self._server.kill()
                self._server.start()
                outcome.events.append(f"server killed, up after {time.monotonic() - down:.1f} s")
        outcome.seconds, outcome.done = time.monotonic() - began, todo - left
        (folder / "stop").touch()
        for process in running_ones:
            process.wait(timeout=180)
        self._compare(folder, outcome)
        return outcome

    def _compare(self, folder: Path, outcome: Outcome) -> None:
        """Count what was doubled or lost."""
        said: Counter[tuple[str, str]] = Counter()
        for path in folder.glob("*.journal"):
            for line in path.read_text().splitlines():
                part = line.split()
                if part[0] == "C":
                    outcome.connects.append(float(part[2]))
                elif part[0] == "G":
                    outcome.claims.append(float(part[3]))
                elif part[0] == "A":
                    outcome.submits.append(float(part[3]))
                    said[part[1], part[2]] += 1
        stored = {
            (str(claim), digest)
            for claim, digest in self._rows("SELECT claim_id, digest FROM hub.delivery")
        }
        ((overlaps,),) = self._rows(
            "SELECT count(*) FROM hub.claim a JOIN hub.claim b ON a.seat_id = b.seat_id"
            " AND a.id < b.id AND int8range(a.since, coalesce(a.ended_at, a.since + 1))"
            " && int8range(b.since, coalesce(b.ended_at, b.since + 1))"
        )
        ((twice,),) = self._rows(
            "SELECT count(*) FROM (SELECT FROM hub.claim WHERE ending = 'submitted'"
            " GROUP BY seat_id HAVING count(*) > 1) x"
        )
        ((again,),) = self._rows(
            "SELECT count(*) FROM (SELECT FROM hub.delivery GROUP BY claim_id"
            " HAVING count(*) > 1) x"
        )
        outcome.faults = {
            "claims doubled": overlaps,
            "seats submitted twice": twice,
            "submissions duplicated": again,
            "submissions lost": len(said.keys() - stored),
        }

    def _count(self, where: str) -> int:
        ((count,),) = self._rows(f"SELECT count(*) FROM hub.seat WHERE {where}")
        return int(count)

    def _rows(self, query: str) -> list[Any]:
        import psycopg

        while True:
            try:
                with psycopg.connect("", autocommit=True, **self._admin) as connection:
                    return connection.execute(query).fetchall()
            except psycopg.OperationalError:  # the server is down on purpose
                time.sleep(0.2)


def shown(values: list[float]) -> str:
    """Return quantiles in milliseconds."""
    if len(values) < 2:
        return "-"
    q = statistics.quantiles(values, n=1000)
    marks = f"p50 {q[499] * 1e3:.1f}, p95 {q[949] * 1e3:.1f}, p99 {q[989] * 1e3:.1f}"
    return f"{marks}, max {max(values) * 1e3:.0f} ms"


def p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=100)[94] * 1e3


def told(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def report(title: str, outcome: Outcome, *, rate: float = 0, claim_ms: float = 0) -> bool:
    """Write down what came of a part; return whether it reached its targets."""
    speed = outcome.done / outcome.seconds
    told(f"{title}: {outcome.done} claimed and submitted in {outcome.seconds:.0f} s, {speed:.0f}/s")
    for event in outcome.events:
        told(f"  {event}")
    told(f"  connect {shown(outcome.connects)}")
    told(f"  claim {shown(outcome.claims)}; submit {shown(outcome.submits)}")
    told(f"  {', '.join(f'{n} {name}' for name, n in outcome.faults.items())}")
    is_fast = speed >= rate and (not claim_ms or p95(outcome.claims) <= claim_ms)
    return is_fast and not any(outcome.faults.values())


def folder_part(n_seats: int) -> bool:
    """Measure one rater at a folder of that many seats, on a local disk."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "hub"
        FolderHub.create(folder, ProjectId("p"))
        lead = FolderHub(folder, PersonId("lead"))
        lead.take_write_role()
        ann = PersonId("ann")
        lead.set_people([HubPerson(ann, "", frozenset(("rater",)), frozenset(KINDS))])
        began = time.perf_counter()
        body = os.urandom(BODY)
        lead.publish(
            (Seat(f"{i}-1-1", f"{i}", KINDS[i % 4], "draw", body, "rater") for i in range(n_seats)),
            b"bundle",
        )
        told(f"folder: published {n_seats} seats in {time.perf_counter() - began:.1f} s")
        hub = FolderHub(folder, ann)
        claims, submits = [], []
        for _ in range(50):
            claim_id = new_id()
            began = time.perf_counter()
            hub.claim(claim_id)
            claims.append(time.perf_counter() - began)
            began = time.perf_counter()
            hub.submit(claim_id, os.urandom(SUBMISSION))
            submits.append(time.perf_counter() - began)
        told(f"  {n_seats} seats: claim {shown(claims)}; submit {shown(submits)}")
        try:
            lead.publish(
                (Seat(f"x{i}", "x", "boxes", "draw", b"", "rater") for i in range(20_000)), b""
            )
        except HubError as error:
            told(f"  more: {error.text}")
            return True
        return n_seats < 1000


def main(part: str, n_seats: int) -> int:
    """Measure one part, or all."""
    is_good = True
    if part in ("folder", "all"):
        for count in (1_500, 10_000):
            is_good &= folder_part(count)
    if part != "folder" and programs() is None:
        told("PostgreSQL is not installed: the rest is left out.")
        return 1
    if part == "folder":
        return 0 if is_good else 1
    with running(memory="512MB") as server:
        if part in ("one", "all"):
            load = Load(server, 20_000, 1, lease_ms=7_200_000)
            is_good &= report("one rater", load.play(processes=1, seconds=15))
        if part in ("paced", "all"):
            load = Load(server, n_seats, 200, lease_ms=7_200_001)
            done = load.play(processes=10, think_s=10, seconds=60)
            is_good &= report("200 raters, 10 s of thought", done, claim_ms=25)
        if part in ("slow", "all"):
            load = Load(server, n_seats, 200, lease_ms=7_200_002)
            line = Line(int(server.admin["port"]))
            done = load.play(processes=10, think_s=10, seconds=60, line=line)
            is_good &= report("the same, 30 ms round trip", done, claim_ms=250)
        if part in ("busy", "all"):
            load = Load(server, n_seats, 200, lease_ms=7_200_003)
            done = load.play(processes=20, seconds=45)
            is_good &= report("200 raters, no thought", done, rate=500)
        if part in ("full", "all"):
            load = Load(server, n_seats, 200, lease_ms=30_000)
            done = load.play(processes=20, kills=10, crashes=2)
            is_good &= report("200 raters, no thought, kills", done)
    return 0 if is_good else 1


if __name__ == "__main__":
    if "--raters" in sys.argv:
        raters(json.loads(sys.argv[-1]))
    else:
        arguments = sys.argv[1:]
        sys.exit(
            main(
                arguments[0] if arguments else "all",
                int(arguments[1]) if len(arguments) > 1 else 46_436,
            )
        )
