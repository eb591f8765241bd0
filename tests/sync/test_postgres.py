"""The PostgreSQL hub: what a login may do, locks, kills, and lines that break."""

from __future__ import annotations

import contextlib
import itertools
import os
import random
import socket
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from annotator.domain.errors import ProjectError
from annotator.domain.ids import ProjectId, new_id
from annotator.sync.hub import HubError, HubPerson, Seat
from annotator.sync.postgres import PostgresHub
from annotator.sync.postgres_setup import add_login, set_up
from tests.sync.hub_people import play
from tests.sync.postgres_server import Server, programs
from tests.sync.test_hubs import BUNDLE, HOUR, made, seat
from tests.sync.worlds import ANN, BEN, LEA, PROJECT, PostgresWorld

_NUMBERS = itertools.count()


@pytest.fixture
def world(postgres: Server) -> Iterator[PostgresWorld]:
    world = PostgresWorld(postgres, f"rights_{next(_NUMBERS)}", HOUR)
    yield world
    world.close()


FORBIDDEN = {
    "claims of others": "SELECT 1 FROM hub.claim WHERE id = '{theirs}'",
    "seats": "SELECT 1 FROM hub.seat",
    "bodies of seats": "SELECT body FROM hub.seat",
    "deliveries": "SELECT 1 FROM hub.delivery",
    "other people": "SELECT 1 FROM hub.person WHERE id <> '{me}'",
    "messages to others": "SELECT 1 FROM hub.message WHERE person_id <> '{me}'",
    "facts of the hub": "SELECT 1 FROM hub.meta",
    "events": "SELECT 1 FROM hub.event",
    "bundles": "SELECT 1 FROM hub.bundle",
    "write a seat": "UPDATE hub.seat SET priority = 99",
    "write a claim": "INSERT INTO hub.claim (id, seat_id, grp, person_id)"
    " VALUES (gen_random_uuid(), 'a', 'a', '{me}')",
    "end a claim": "UPDATE hub.claim SET ending = 'revoked', ended_at = 1",
    "write a delivery": "INSERT INTO hub.delivery (claim_id, digest, body, was_late)"
    " VALUES ('{theirs}', 'x', 'x', false)",
    "write an event": "INSERT INTO hub.event (kind, seat_id, claim_id, person_id)"
    " VALUES ('submitted', 'a', '{theirs}', '{them}')",
    "write a message": "INSERT INTO hub.message (text) VALUES ('x')",
    "change oneself": "UPDATE hub.person SET roles = '{{lead}}'",
    "change the hub": "UPDATE hub.meta SET write_role = 9",
    "delete": "DELETE FROM hub.claim",
    "submit for others": "SELECT hub.submit('{theirs}', 'forged')",
    "claim again what others claimed": "SELECT 1 FROM hub.claim('{theirs}', NULL, 2)",
    "end claims": "SELECT hub.end_claim('{theirs}', 'revoked')",
    "revoke": "SELECT hub.revoke(ARRAY['{theirs}']::uuid[])",
    "expire": "SELECT hub.expire()",
    "leases of others": "SELECT 1 FROM hub.leases('{them}', NULL)",
    "become a lead": "SET ROLE hub_lead",
    "become the owner": "SET ROLE hub_owner",
    "become somebody else": "SET SESSION AUTHORIZATION {their_login}",
    "turn the policies off": "SET row_security = off; SELECT 1 FROM hub.claim",
    "a leaky filter": "CREATE FUNCTION pg_temp.f(text) RETURNS bool COST 0.001 LANGUAGE plpgsql"
    " AS $$BEGIN RAISE NOTICE 'saw'; RETURN true; END$$",
    "an own table": "CREATE TABLE public.t (x int)",
    "a temporary table": "CREATE TEMP TABLE t (x int)",
    "an own schema": "CREATE SCHEMA s",
    "passwords": "SELECT 1 FROM pg_authid",
    "files of the server": "SELECT pg_read_file('postgresql.conf')",
    "programs": "COPY (SELECT 1) TO PROGRAM 'id'",
    "large objects": "SELECT lo_create(0)",
    "statistics": "SELECT 1 FROM pg_stats WHERE schemaname = 'hub'",
    "statements of others": "SELECT 1 FROM pg_stat_activity WHERE usename = '{their_login}'"
    " AND query <> '<insufficient privilege>'",
    "the hub of another project": None,
}


def test_a_raters_login_reads_and_writes_nothing_but_its_own(world: PostgresWorld) -> None:
    team = made(world)
    other = {**world.admin, "dbname": f"other_{world.admin['dbname']}"}
    set_up(other, ProjectId(new_id()))
    team.publish(seat("a"), seat("b"), seat("c"))
    team.lea.message("To Ben", BEN)
    mine, theirs = new_id(), new_id()
    team.ann.claim(mine)
    team.ben.claim(theirs)
    names = {"me": ANN, "them": BEN, "theirs": theirs, "their_login": world.logins[BEN].name}
    address = world.address(ANN)
    allowed = {}
    for what, statement in FORBIDDEN.items():
        target = address if statement else {**address, "dbname": other["dbname"]}
        try:
            with psycopg.connect("", autocommit=True, **target) as connection:
                for part in (statement or "SELECT 1").format(**names).split("; "):
                    cursor = connection.execute(part)
                rows = cursor.fetchall() if cursor.description else ["done"]
                if rows:
                    allowed[what] = rows
        except psycopg.Error:
            continue
    assert allowed == {}
    assert len(FORBIDDEN) >= 34
    team.ann.release(theirs)  # without effect
    assert [lease.claim_id for lease in team.ben.mine()] == [theirs]
    with psycopg.connect("", autocommit=True, **address) as connection:
        assert connection.execute("SELECT id::text FROM hub.claim").fetchall() == [(mine,)]
        assert connection.execute("SELECT id::text FROM hub.person").fetchall() == [(ANN,)]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"password": "wrong"}, "login or password is wrong"),
        ({"sslmode": "disable"}, "Cannot reach the hub"),
        ({"host": "localhost", "hostaddr": "127.0.0.1"}, "certificate is not accepted"),
        ({"sslrootcert": "/does/not/exist.crt"}, "certificate is not accepted"),
        ({"port": "1"}, "Cannot reach the hub"),
    ],
)
def test_who_is_not_let_in_is_told_why(world: PostgresWorld, changes, words) -> None:
    hub = PostgresHub({**world.address(ANN), **changes}, patience_s=0)
    with pytest.raises(HubError, match=words):
        hub.hello()


def test_a_lead_may_not_do_what_an_administrator_does(world: PostgresWorld) -> None:
    made(world)
    with (
        psycopg.connect("", autocommit=True, **world.address(LEA)) as connection,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        connection.execute("CREATE ROLE x")


def test_functions_belong_to_a_role_that_is_no_superuser_and_search_nowhere(world) -> None:
    rows = world.execute(
        "SELECT p.proname, r.rolname, r.rolsuper, r.rolcanlogin, p.proconfig FROM pg_proc p"
        " JOIN pg_roles r ON r.oid = p.proowner WHERE p.pronamespace = 'hub'::regnamespace"
    )
    assert len(rows) >= 12
    assert {(owner, root, login) for _, owner, root, login, _ in rows} == {
        ("hub_owner", False, False)
    }
    assert all(config and "search_path" in config[0] for *_, config in rows)
    assert world.execute(
        "SELECT count(*) FROM pg_class WHERE relnamespace = 'hub'::regnamespace"
        " AND relkind = 'r' AND NOT relrowsecurity"
    ) == [(0,)]


def test_set_up_again_changes_nothing_and_refuses_other_projects(world: PostgresWorld) -> None:
    assert set_up(world.admin, PROJECT) is False
    with pytest.raises(ProjectError, match="hub of another project"):
        set_up(world.admin, ProjectId(new_id()))
    world.execute("UPDATE hub.meta SET schema = 99")
    with pytest.raises(HubError, match="newer version of annotator"):
        set_up(world.admin, PROJECT)


def test_a_new_login_takes_the_place_of_the_old_one(world: PostgresWorld) -> None:
    team = made(world)
    team.publish(seat("a"))
    claim_id = new_id()
    team.ann.claim(claim_id)
    login = add_login(world.admin, ANN, is_lead=False)
    address = {**world.admin, "user": login.name, "password": login.password}
    again = PostgresHub(address)
    assert [lease.claim_id for lease in again.mine()] == [claim_id]
    again.close()
    old = PostgresHub(world.address(ANN), patience_s=0)
    with pytest.raises(HubError):
        old.hello()
    words = world.execute("SELECT rolpassword FROM pg_authid WHERE rolname = %s", login.name)
    assert words[0][0].startswith("SCRAM-SHA-256$")
    assert login.password not in words[0][0]


def test_renewing_releasing_submitting_and_revoking_at_once_never_deadlocks(world) -> None:
    team = made(world)
    team.publish(*(seat(f"s{i}") for i in range(12)))
    world.execute("UPDATE hub.meta SET lease_ms = 1")  # over at once: all put back what all hold
    told: Counter[str] = Counter()
    ends = time.monotonic() + 5

    def call(connection: psycopg.Connection, statement: str, *values: object) -> list:
        told["calls"] += 1
        try:
            return connection.execute(statement, values).fetchall()
        except psycopg.Error as error:
            told[error.sqlstate or "?"] += 1
            return []

    def rate(person: str) -> None:
        chance = random.Random(person)
        with psycopg.connect("", autocommit=True, **world.address(person)) as connection:
            while time.monotonic() < ends:
                claim_id = new_id()
                if not call(connection, "SELECT * FROM hub.claim(%s::uuid, NULL, 2)", claim_id):
                    continue
                for _ in range(chance.randrange(4)):
                    call(connection, "SELECT hub.tick(ARRAY[%s]::uuid[], '{}', 0)", claim_id)
                if chance.random() < 0.1:
                    call(connection, "SELECT hub.submit(%s::uuid, 'x')", claim_id)
                call(connection, "SELECT hub.release(%s::uuid)", claim_id)

    def lead() -> None:
        with psycopg.connect("", autocommit=True, **world.address(LEA)) as connection:
            while time.monotonic() < ends:
                held = call(connection, "SELECT id FROM hub.claim WHERE ending IS NULL")
                call(connection, "SELECT hub.revoke(%s::uuid[])", [each for (each,) in held])
                call(
                    connection,
                    "UPDATE hub.seat SET state = 'free' WHERE state = 'done' RETURNING 1",
                )

    threads = [threading.Thread(target=rate, args=(who,)) for who in (ANN, BEN) * 3]
    threads.append(threading.Thread(target=lead))
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    calls = told.pop("calls")
    assert calls > 300
    assert told.keys() <= {"53300"}, told  # a login has four connections, and some had to wait
    ((wrong,),) = world.execute(
        "SELECT count(*) FROM hub.seat s WHERE (s.state = 'held') <> EXISTS"
        " (SELECT FROM hub.claim c WHERE c.seat_id = s.id AND c.ending IS NULL)"
    )
    assert wrong == 0


class Line:
    """A line to the server that can be cut, also right after a request went through."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.is_deaf = False
        self._open: list[socket.socket] = []
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection(("127.0.0.1", self._target))
                self._open += [near, far]
                for pair in ((near, far, False), (far, near, True)):
                    threading.Thread(target=self._carry, args=pair, daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket, is_reply: bool) -> None:
        with contextlib.suppress(OSError):
            while chunk := source.recv(65536):
                if is_reply and self.is_deaf:
                    break
                target.sendall(chunk)
        self.cut()

    def cut(self) -> None:
        while self._open:
            each = self._open.pop()
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def close(self) -> None:
        self._listener.close()
        self.cut()


def test_a_reply_that_gets_lost_doubles_nothing(world: PostgresWorld) -> None:
    team = made(world)
    team.publish(seat("a"), seat("b"))
    line = Line(int(world.admin["port"]))
    hub = PostgresHub({**world.address(ANN), "port": str(line.port)}, patience_s=20)
    hub.hello()

    def hear_again() -> None:
        time.sleep(0.5)
        line.is_deaf = False

    claim_id = new_id()
    for call in (lambda: hub.claim(claim_id), lambda: hub.submit(claim_id, b"work")):
        line.is_deaf = True
        threading.Thread(target=hear_again).start()
        assert call() is not None
    line.close()
    hub.close()
    assert team.heard() == [("claimed", team_seat := "a"), ("submitted", team_seat)]


def test_people_who_die_and_a_server_that_crashes_lose_and_double_nothing(
    world: PostgresWorld, postgres: Server
) -> None:
    world.execute("UPDATE hub.meta SET lease_ms = 4000")
    lead = PostgresHub(world.address(LEA), patience_s=60)
    lead.take_write_role()
    people = [ANN, BEN]
    lead.set_people(
        HubPerson(each, "", frozenset(("annotator",)), frozenset(("boxes",))) for each in people
    )
    seats = [Seat(f"s-{i:05d}", f"s-{i}", "boxes", "draw", b"{}", "annotator") for i in range(900)]
    assert lead.publish(seats, BUNDLE) == 900
    told = [{"address": world.address(each), "person": each} for each in people * 3]

    def crash() -> None:
        while lead_done() < 200:
            time.sleep(0.05)
        postgres.kill()
        postgres.start()

    def lead_done() -> int:
        return watcher.board().n_done

    watcher = PostgresHub(world.address(LEA), patience_s=60)
    thread = threading.Thread(target=crash)
    thread.start()
    played = play(lead, told, seats=900, killed=2)
    thread.join()
    watcher.close()
    lead.close()
    assert played.killed == 2
    assert played.done == 900
    assert played.times_in == {each.id: 1 for each in seats}


def test_a_server_without_a_free_connection_is_told(world: PostgresWorld) -> None:
    login = world.logins[ANN].name
    world.execute(f'ALTER ROLE "{login}" CONNECTION LIMIT 0')
    hub = PostgresHub(world.address(ANN), patience_s=0)
    with pytest.raises(HubError, match="The hub is full: it has no free connection") as caught:
        hub.hello()
    assert caught.value.hint == "Try again later."
    world.execute(f'ALTER ROLE "{login}" CONNECTION LIMIT -1')
    assert hub.hello().person.id == ANN
    hub.close()


def test_a_dump_that_is_restored_goes_on(world: PostgresWorld, tmp_path: Path) -> None:
    lead = world.hub(LEA, write_role=world.hub(LEA).take_write_role())
    kinds = frozenset(("boxes",))
    people = [HubPerson(ANN, "Ann", frozenset(("annotator",)), kinds)]
    lead.set_people(people)
    seats = [Seat(n, n, "boxes", "draw", b"body", role="annotator") for n in ("a", "b", "c")]
    lead.publish(seats, b"bundle")
    ann = world.hub(ANN)
    first, second = new_id(), new_id()
    ann.claim(first)
    ann.submit(first, b"work")
    ann.claim(second)
    folder = programs()
    assert folder is not None
    known = ("host", "port", "user", "password", "sslrootcert")
    address = {f"PG{key.upper()}": world.admin[key] for key in known}
    environment = {**os.environ, **address, "PGSSLMODE": "verify-full"}
    dump, name = tmp_path / "hub.dump", world.admin["dbname"]

    def run(program: str, *arguments: str) -> None:
        subprocess.run([folder / program, *arguments], env=environment, check=True)

    run("pg_dump", "-Fc", "-f", str(dump), name)
    ann.submit(second, b"after the dump")
    lead.close()
    ann.close()
    run("dropdb", "--force", name)
    run("createdb", name)
    run("pg_restore", "-d", name, str(dump))
    lead = PostgresHub(world.address(LEA), write_role=lead_number(world))
    events = {event.claim_id: event.kind for event in lead.events(100) if event.delivery}
    assert set(events) == {first}
    # Who sent something after the dump sends it again.
    ann = PostgresHub(world.address(ANN))
    assert not ann.submit(second, b"after the dump").was_late
    assert {e.claim_id for e in lead.events(100) if e.delivery} == {first, second}
    third = ann.claim(new_id())
    assert third is not None
    assert third.seat_id == "c"
    with pytest.raises(HubError):
        ann.publish(seats, b"bundle")  # rights are restored too
    lead.close()
    ann.close()


def lead_number(world: PostgresWorld) -> int:
    ((number,),) = world.execute("SELECT write_role FROM hub.meta")
    return int(number)
