"""A hub in a PostgreSQL database; each call is one repeatable statement.

Needs the package psycopg (extra "team"). Every person has a login of their own, and the functions
of the database (resources/hub) ensure that each person reads and changes only their own work.
"""

from __future__ import annotations

import random
import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, cast

from annotator.domain.ids import PersonId, ProjectId
from annotator.sync.hub import (
    PROTOCOL,
    Ending,
    EventKind,
    HeartbeatReply,
    HubError,
    HubEvent,
    HubInfo,
    HubPerson,
    HubStatus,
    Lease,
    Message,
    ProtocolError,
    Receipt,
    Seat,
    SeatHolder,
    check_protocol,
    content_id,
    not_a_member,
    not_yours,
    write_role_lost,
)

if TYPE_CHECKING:
    import psycopg

PATIENCE_S: Final = 10.0
"""For how long a call is repeated when the connection breaks."""

_CONNECT_S: Final = 5
_MANY_SEATS: Final = 200
_FIRST_PAUSE_S: Final = 0.05
_LONGEST_PAUSE_S: Final = 2.0
_KNOWN_FIELDS: Final = (
    *("host", "port", "dbname", "user", "password", "sslmode", "sslrootcert", "passfile"),
)


class PostgresHub:
    """One person's access, over one connection that is made when it is needed. Not thread-safe."""

    def __init__(
        self,
        address: Mapping[str, str],
        *,
        write_role: int = 0,
        patience_s: float = PATIENCE_S,
    ) -> None:
        """Remember where the hub is; ``address`` has the fields of libpq: host, port, dbname, user,
        password or passfile, sslrootcert. The certificate is checked unless sslmode says otherwise.
        HubError when psycopg is not installed.
        """
        try:
            import psycopg  # noqa: F401
        except ImportError as error:
            raise HubError(
                "Cannot connect to a PostgreSQL hub: the package psycopg is not installed.",
                hint="Install it: pip install 'annotator[team]'",
            ) from error
        self._address = {key: address[key] for key in _KNOWN_FIELDS if key in address}
        self._write_role = write_role
        self._patience_s = patience_s
        self._connection: psycopg.Connection[Any] | None = None

    def close(self) -> None:
        """Close the connection; the next call opens another one."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def hello(self) -> HubInfo:
        told = self._value("SELECT hub.hello()")
        person = HubPerson(
            *(PersonId(told["id"]), told["name"]),
            *(frozenset(told["roles"]), frozenset(told["kinds"])),
        )
        return HubInfo(
            *(ProjectId(told["project_id"]), told["title"], told["hub_id"]),
            *(told["oldest"], told["newest"], told["now"], told["lease_ms"], told["write_role"]),
            person,
            told["bundle"],
        )

    def claim(self, claim_id: str, *, stages: Collection[str] | None = None) -> Lease | None:
        named = list(stages) if stages is not None else None
        rows = self._rows(
            "SELECT * FROM hub.claim(%s::uuid, %s::text[], %s)", (claim_id, named, PROTOCOL)
        )
        return _lease(rows[0]) if rows else None

    def mine(self) -> list[Lease]:
        return [_lease(row) for row in self._rows("SELECT * FROM hub.mine()")]

    def tick(
        self, claims: Collection[str] = (), *, submitted: Collection[str] = (), since: int = 0
    ) -> HeartbeatReply:
        told = self._value(
            "SELECT hub.tick(%s::uuid[], %s::uuid[], %s)", (list(claims), list(submitted), since)
        )
        return HeartbeatReply(
            told["now"],
            told["until"],
            {key: Ending(ending) for key, ending in told["ended"].items()},
            [Message(**each) for each in told["messages"]],
            {key: Receipt(**each) for key, each in told["receipts"].items()},
        )

    def release(self, claim_id: str) -> None:
        self._rows("SELECT hub.release(%s::uuid)", (claim_id,))

    def submit(self, claim_id: str, body: bytes) -> Receipt:
        content_id(body)
        return Receipt(**self._value("SELECT hub.submit(%s::uuid, %s)", (claim_id, body)))

    def bundle(self, digest: str) -> bytes:
        body = cast("bytes | None", self._value("SELECT hub.bundle(%s)", (digest,)))
        if body is None or content_id(body) != digest:
            raise HubError("The hub does not have the recipe that this task needs.")
        return body

    def set_people(self, people: Iterable[HubPerson]) -> None:
        rows = [(p.id, p.name, sorted(p.roles), sorted(p.kinds), p.is_active) for p in people]
        with self._writing() as connection, connection.cursor() as cursor:
            cursor.executemany(
                "INSERT INTO hub.person (id, name, roles, kinds, is_active)"
                " VALUES (%s::uuid, %s, %s, %s, %s) ON CONFLICT (id) DO UPDATE SET"
                " name = excluded.name, roles = excluded.roles, kinds = excluded.kinds,"
                " is_active = excluded.is_active",
                rows,
            )

    def publish(self, seats: Iterable[Seat], bundle: bytes) -> int:
        digest = content_id(bundle)
        with self._writing() as connection, connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO hub.bundle VALUES (%s, %s) ON CONFLICT DO NOTHING", (digest, bundle)
            )
            cursor.execute("UPDATE hub.meta SET bundle = %s WHERE bundle <> %s", (digest, digest))
            cursor.execute("CREATE TEMP TABLE offered (LIKE hub.seat) ON COMMIT DROP")
            cursor.execute("ALTER TABLE offered ALTER seq DROP NOT NULL")
            copying = (
                "COPY offered (id, grp, kind, stage, role, priority, only_for, excluded, version,"
                " body, state) FROM STDIN (FORMAT BINARY)"
            )
            with cursor.copy(copying) as copy:
                copy.set_types(["text"] * 5 + ["int2", "uuid", "uuid[]", "int4", "bytea", "text"])
                for seat in seats:
                    content_id(seat.body)
                    copy.write_row(_offered(seat))
            columns = "id, grp, kind, stage, role, priority, only_for, excluded, body"
            cursor.execute(
                f"INSERT INTO hub.seat ({columns}) SELECT {columns} FROM offered ON CONFLICT (id)"
                " DO UPDATE SET state = 'free', version = seat.version + 1, body = excluded.body,"
                " priority = excluded.priority, only_for = excluded.only_for,"
                " excluded = excluded.excluded WHERE seat.state = 'withdrawn'"
            )
            count = cursor.rowcount
            if count >= _MANY_SEATS:
                cursor.execute("SELECT hub.look_over()")
            return count

    def revise(
        self,
        seat_ids: Collection[str],
        *,
        priority: int | None = None,
        excluded: Collection[PersonId] | None = None,
        only_for: PersonId | None = None,
        body: bytes | None = None,
    ) -> int:
        people = list(excluded) if excluded is not None else None
        with self._writing() as connection:
            return connection.execute(
                "UPDATE hub.seat SET priority = coalesce(%s, priority),"
                " excluded = coalesce(%s::uuid[], excluded),"
                " only_for = coalesce(%s::uuid, only_for),"
                " version = version + (%s::bytea IS NOT NULL)::int, body = coalesce(%s, body)"
                " WHERE state = 'free' AND id = ANY (%s)",
                (priority, people, only_for, body, body, list(seat_ids)),
            ).rowcount

    def withdraw(self, seat_ids: Collection[str]) -> int:
        with self._writing() as connection:
            return connection.execute(
                "UPDATE hub.seat SET state = 'withdrawn' WHERE state = 'free' AND id = ANY (%s)",
                (list(seat_ids),),
            ).rowcount

    def revoke(self, claim_ids: Collection[str]) -> int:
        return int(self._value("SELECT hub.revoke(%s::uuid[])", (list(claim_ids),)))

    def message(self, text: str, person_id: PersonId | None = None) -> None:
        self._rows(  # the same words again within a minute: the reply had got lost
            "INSERT INTO hub.message (person_id, text) SELECT %s::uuid, %s WHERE NOT EXISTS"
            " (SELECT FROM hub.message WHERE person_id IS NOT DISTINCT FROM %s::uuid AND text = %s"
            " AND at > hub.now_ms() - 60000) RETURNING 1",
            (person_id, text, person_id, text),
        )

    def events(self, limit: int = 200) -> list[HubEvent]:
        with self._writing() as connection:
            connection.execute("SELECT hub.expire()")
        rows = self._rows(
            "SELECT e.seq, e.kind, e.at, e.seat_id, e.claim_id, e.person_id, e.digest, d.body"
            " FROM hub.event e LEFT JOIN hub.delivery d"
            " ON d.claim_id = e.claim_id AND d.digest = e.digest"
            " WHERE NOT e.is_acknowledged ORDER BY e.seq LIMIT %s",
            (limit,),
        )
        return [
            HubEvent(
                *(str(seq), EventKind(kind), at, seat_id, str(claim_id)),
                *(PersonId(str(person_id)), digest, body or b""),
            )
            for seq, kind, at, seat_id, claim_id, person_id, digest, body in rows
        ]

    def resend_events(self) -> None:
        with self._writing() as connection:
            connection.execute("UPDATE hub.event SET is_acknowledged = false")

    def acknowledge(self, outcomes: Mapping[str, str], *, mark: str = "") -> None:
        keys = [int(key) for key in outcomes]
        with self._writing() as connection:
            connection.execute("UPDATE hub.meta SET mark = %s WHERE %s <> ''", (mark, mark))
            connection.execute(
                "UPDATE hub.delivery d SET outcome = told.outcome FROM hub.event e,"
                " unnest(%s::bigint[], %s::text[]) told(seq, outcome) WHERE e.seq = told.seq"
                " AND d.claim_id = e.claim_id AND d.digest = e.digest",
                (keys, list(outcomes.values())),
            )
            connection.execute(
                "UPDATE hub.event SET is_acknowledged = true WHERE seq = ANY (%s)", (keys,)
            )

    def board(self) -> HubStatus:
        ((now, n_free, n_done, n_pending, write_role, mark),) = self._rows(
            "SELECT hub.now_ms(), (SELECT count(*) FROM hub.seat WHERE state = 'free'),"
            " (SELECT count(*) FROM hub.seat WHERE state = 'done'),"
            " (SELECT count(*) FROM hub.event WHERE NOT is_acknowledged AND digest <> ''),"
            " (SELECT write_role FROM hub.meta), (SELECT mark FROM hub.meta)"
        )
        rows = self._rows(
            "SELECT c.seat_id, c.id::text, c.person_id::text, c.since, c.seen, s.until"
            " FROM hub.claim c JOIN hub.seat s ON s.id = c.seat_id WHERE c.ending IS NULL"
        )
        holders = [SeatHolder(*row) for row in rows]
        return HubStatus(now, n_free, len(holders), n_done, n_pending, holders, write_role, mark)

    def take_write_role(self) -> int:
        self._write_role = int(
            self._value("UPDATE hub.meta SET write_role = write_role + 1 RETURNING write_role")
        )
        return self._write_role

    def _value(self, statement: str, values: tuple[Any, ...] = ()) -> Any:  # noqa: ANN401
        ((value,),) = self._rows(statement, values)
        return value

    def _rows(self, statement: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        """Return what one statement yields; it is repeated while the connection breaks."""
        import psycopg

        ends, pause = time.monotonic() + self._patience_s, _FIRST_PAUSE_S
        while True:
            try:
                with explained():
                    cursor = self._connected().execute(cast("Any", statement), values, binary=True)
                    return cursor.fetchall()
            except HubError as error:
                cause = error.__cause__
                if not isinstance(cause, psycopg.Error) or not _is_broken(cause):
                    raise
                self.close()
                if time.monotonic() > ends:
                    raise
                time.sleep(pause * (0.5 + random.random()))
                pause = min(2 * pause, _LONGEST_PAUSE_S)

    @contextmanager
    def _writing(self) -> Iterator[psycopg.Connection[Any]]:
        """Begin a transaction of the lead; WriteRoleLostError when another copy may write."""
        with explained():
            connection = self._connected()
            with connection.transaction():
                connection.execute("SELECT hub.called()")
                found = connection.execute("SELECT write_role FROM hub.meta FOR SHARE").fetchone()
                if found is None or found[0] != self._write_role:
                    raise write_role_lost()
                yield connection

    def _connected(self) -> psycopg.Connection[Any]:
        if self._connection is None or self._connection.closed:
            self._connection = connect(self._address)
            self._connection.prepare_threshold = 1
        return self._connection


def connect(address: Mapping[str, str]) -> psycopg.Connection[Any]:
    """Connect with the certificate checked; a statement is a transaction of its own."""
    import psycopg
    from psycopg.conninfo import make_conninfo

    fixed = {
        "sslmode": "verify-full",
        "connect_timeout": str(_CONNECT_S),
        # Nothing is looked for but where it is named.
        "options": "-c search_path=pg_catalog",
    }
    return psycopg.connect(make_conninfo("", **{**fixed, **address}), autocommit=True)


@contextmanager
def explained() -> Iterator[None]:
    """Turn errors of the database into ours."""
    import psycopg

    try:
        yield
    except psycopg.Error as error:
        raise _hub_error(error) from error


def _is_broken(error: psycopg.Error) -> bool:
    """Return whether the connection broke, or the server asks to try again."""
    import psycopg

    if error.sqlstate is None:
        return isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
    return error.sqlstate.startswith(("08", "40", "53", "57P"))


def _hub_error(error: psycopg.Error) -> HubError:
    """Return our error for one of the database."""
    message = error.diag.message_primary or str(error)
    if error.sqlstate == "HB001":
        return not_a_member()
    if error.sqlstate == "HB002":
        oldest, newest = message.split()
        return _protocol_error(int(oldest), int(newest))
    if error.sqlstate == "HB003":
        return not_yours()
    if error.sqlstate == "42501":
        return HubError(
            "The hub does not allow this: the login has no permission.",
            hint="Leads and raters have different logins. Ask the administrator of the hub.",
        )
    if error.sqlstate in ("53300", "53400") or "too many" in message:
        return HubError("The hub is full: it has no free connection.", hint="Try again later.")
    if "authentication failed" in message:
        return HubError(
            "Cannot sign in to the hub: login or password is wrong.",
            hint="Enter them again. Invited people can ask the project lead for a new invitation.",
        )
    if "certificate" in message or "SSL" in message:
        return HubError(
            f"Cannot connect to the hub: its certificate is not accepted ({_line(message)}).",
            hint="Ask the project lead for a new invitation. Do not turn off the check.",
        )
    return HubError(
        f"Cannot reach the hub ({_line(message)}).",
        hint="Your work is stored on this computer and is sent when the hub can be reached.",
    )


def _protocol_error(oldest: int, newest: int) -> HubError:
    try:
        check_protocol(oldest, newest)
    except ProtocolError as error:
        return error
    return HubError("The hub does not answer this version of the program.")


def _line(message: str) -> str:
    first = message.strip().splitlines()[0] if message.strip() else "no answer"
    return first.rpartition("failed: ")[2][:200]


def _lease(row: tuple[Any, ...]) -> Lease:
    claim_id, *rest = row
    return Lease(str(claim_id), *rest)


def _offered(seat: Seat) -> tuple[Any, ...]:
    from uuid import UUID

    return (
        *(seat.id, seat.group, seat.kind, seat.stage, seat.role, seat.priority),
        UUID(seat.only_for) if seat.only_for is not None else None,
        [UUID(each) for each in sorted(seat.excluded)],
        *(1, seat.body, "free"),
    )
