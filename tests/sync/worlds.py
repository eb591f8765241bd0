"""Hubs of every kind behind one face, so that the same tests run against all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from annotator.domain.ids import PersonId, ProjectId
from annotator.sync.folder import FolderHub
from annotator.sync.hub import Hub
from annotator.sync.postgres import PostgresHub
from annotator.sync.postgres_setup import add_login, set_up
from tests.sync.memory_hub import MemoryHub
from tests.sync.memory_hub import Server as MemoryServer
from tests.sync.postgres_server import Server as PostgresServer

PROJECT = ProjectId("0198a000-0000-7000-8000-0000000000aa")
LEA, ANN, BEN, CAT = (PersonId(f"0198a000-0000-7000-8000-00000000000{n}") for n in range(1, 5))
PEOPLE = (LEA, ANN, BEN, CAT)


class World(Protocol):
    """One hub, its people and its clock."""

    def hub(self, person_id: PersonId, write_role: int = 0) -> Hub:
        """Return somebody's access, as a program of theirs would have it."""
        ...

    def advance(self, ms: int) -> None:
        """Let time pass, with signs of life by others on the way."""
        ...

    def be_away(self, ms: int) -> None:
        """Let time pass in which nobody reaches the hub."""
        ...

    def speak(self, oldest: int, newest: int) -> None:
        """Have the hub answer other protocols."""
        ...

    def close(self) -> None: ...


class MemoryWorld:
    def __init__(self, lease_ms: int, project_id: ProjectId = PROJECT) -> None:
        self.server = MemoryServer(project_id=project_id, lease_ms=lease_ms)

    def hub(self, person_id: PersonId, write_role: int = 0) -> Hub:
        return MemoryHub(self.server, person_id, write_role=write_role)

    def advance(self, ms: int) -> None:
        self.server.now += ms
        self.server.called = self.server.now

    def be_away(self, ms: int) -> None:
        self.server.now += ms

    def speak(self, oldest: int, newest: int) -> None:
        self.server.oldest, self.server.newest = oldest, newest

    def close(self) -> None:
        pass


class FolderWorld:
    def __init__(self, folder: Path, lease_ms: int, project_id: ProjectId = PROJECT) -> None:
        self.folder = folder
        self.now = 1_700_000_000.0
        FolderHub.create(folder, project_id, title="Cups", lease_ms=lease_ms)

    def hub(self, person_id: PersonId, write_role: int = 0) -> Hub:
        return FolderHub(self.folder, person_id, write_role=write_role, clock=lambda: self.now)

    def advance(self, ms: int) -> None:
        self.now += ms / 1000
        for old in (self.folder / "called").iterdir():
            old.rename(old.with_name(str(round(self.now * 1000))))

    def be_away(self, ms: int) -> None:
        self.now += ms / 1000

    def speak(self, oldest: int, newest: int) -> None:
        path = self.folder / "hub.json"
        text = path.read_text().replace(
            '"oldest":2,"newest":2', f'"oldest":{oldest},"newest":{newest}'
        )
        path.write_text(text)

    def close(self) -> None:
        pass


class PostgresWorld:
    def __init__(
        self,
        server: PostgresServer,
        database: str,
        lease_ms: int,
        project_id: ProjectId = PROJECT,
        people: Sequence[PersonId] = PEOPLE,
    ) -> None:
        """The first of the people is the lead."""
        self.admin = {**server.admin, "dbname": database}
        set_up(self.admin, project_id, title="Cups", lease_ms=lease_ms)
        self.logins = {
            person_id: add_login(self.admin, person_id, is_lead=i == 0)
            for i, person_id in enumerate(people)
        }
        self._open: list[PostgresHub] = []

    def address(self, person_id: PersonId) -> dict[str, str]:
        login = self.logins[person_id]
        return {**self.admin, "user": login.name, "password": login.password}

    def hub(self, person_id: PersonId, write_role: int = 0) -> Hub:
        hub = PostgresHub(self.address(person_id), write_role=write_role)
        self._open.append(hub)
        return hub

    def advance(self, ms: int) -> None:
        self.execute("UPDATE hub.seat SET until = until - %s WHERE state = 'held'", ms)
        self.execute("UPDATE hub.meta SET called = hub.now_ms()")

    def be_away(self, ms: int) -> None:
        self.execute("UPDATE hub.seat SET until = until - %s WHERE state = 'held'", ms)
        self.execute("UPDATE hub.meta SET called = called - %s", ms)

    def speak(self, oldest: int, newest: int) -> None:
        self.execute("UPDATE hub.meta SET oldest = %s, newest = %s", oldest, newest)

    def execute(self, statement: str, *values: Any) -> list[Any]:
        """Return what an administrator is told."""
        import psycopg

        with psycopg.connect("", autocommit=True, **self.admin) as connection:
            cursor = connection.execute(statement, values)
            return cursor.fetchall() if cursor.description else []

    def close(self) -> None:
        for hub in self._open:
            hub.close()


Make = Callable[..., World]
