"""What a rater reads in the window when something stands between them and the hub."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from annotator.domain.people import Role
from annotator.services.hub.hub_place import PASSWORD_VARIABLE, HubPlace, read_invitation
from annotator.services.hub.hub_status import join_now
from annotator.services.hub.lead_window import SharingRequest, round_at, share_now, take_back
from annotator.services.project.projects import OpenProject, create_project
from annotator.ui.dialogs.preferences import PreferencesDialog
from annotator.ui.work.shared.hub_exchange import HubCard
from tests.e2e.conftest import Desktop, make_clip
from tests.sync.conftest import postgres
from tests.sync.postgres_server import Server

__all__ = ["postgres"]


@dataclass
class Shared:
    """A lead's project of two videos, shared through a folder, and Ann's window."""

    lead: OpenProject
    hub: Path
    desktop: Desktop
    said: list[str]

    def line(self) -> str:
        (card,) = self.desktop.window.findChildren(HubCard)
        return card.line.text()

    def exchange(self, holds: Callable[[], bool]) -> None:
        self.desktop.window.context.tasks.shared.exchange()
        self.desktop.qtbot.waitUntil(holds, timeout=30_000)


@pytest.fixture
def shared(desktop: Desktop, tmp_path: Path) -> Iterator[Shared]:
    videos = tmp_path / "videos"
    videos.mkdir()
    lead = create_project(tmp_path / "lead", title="Cups", recipe="perception-test")
    lead.add_videos([make_clip(videos / f"{i}.mp4", shade=40 + 20 * i) for i in range(2)])
    ann = lead.work.people.add("Ann", (Role.RATER,)).id
    hub = tmp_path / "hub"
    share_now(lead, SharingRequest(HubPlace(folder=str(hub)), [ann], tmp_path))
    path = join_now(tmp_path / "Ann.annot-invite", tmp_path / "mine.annot")
    desktop.window.context.workspace.settings.set("work.stock", 1)
    assert desktop.window.context.projects.open_path(path)
    said: list[str] = []
    desktop.window.context.workspace.message.connect(said.append)
    made = Shared(lead, hub, desktop, said)
    work = desktop.window.context.tasks.shared
    desktop.qtbot.waitUntil(
        lambda: work.status is not None and len(work.status.ready) == 1, timeout=30_000
    )
    desktop.qtbot.waitUntil(lambda: "Connected to" in made.line(), timeout=30_000)
    yield made
    lead.close()


def test_connected(shared: Shared) -> None:
    assert shared.line() == f"Connected to {shared.hub} · 0 submissions to send · 1 task ready"


def test_the_preferences_offer_how_many_tasks_are_kept_ready(shared: Shared) -> None:
    dialog = PreferencesDialog(shared.desktop.window.context.workspace)
    assert "work.stock" in dialog.fields
    dialog.close()


def test_offline(shared: Shared) -> None:
    window = shared.desktop.window
    window.context.table.run("task.next")
    shared.desktop.qtbot.waitUntil(
        lambda: window.context.workspace.session is not None, timeout=30_000
    )
    window.context.tasks.show_mine()
    shared.hub.rename(shared.hub.with_name("away"))
    shared.exchange(lambda: "Last contact" in shared.line())
    assert shared.line().startswith("The folder is not a hub folder, or it is not connected.")
    assert shared.line().endswith(
        "You can continue to work: 0 tasks ready, 0 submissions to send. Nothing is lost."
    )
    (card,) = shared.desktop.window.findChildren(HubCard)
    shared.desktop.qtbot.wait(100)
    wanted = card.line.heightForWidth(card.line.width())
    assert wanted > card.send.height(), "the text has several lines"
    assert card.line.height() >= wanted


def test_a_claim_that_was_taken_back(shared: Shared) -> None:
    (line,) = round_at(shared.lead).lines
    take_back(shared.lead, [line.claim_id])
    text = f"“{line.video}”: your claim ended. Your draft is kept."
    shared.exchange(lambda: text in shared.said)


def test_somebody_who_was_removed(shared: Shared) -> None:
    (ann,) = [p for p in shared.lead.work.people.all() if p.name == "Ann"]
    shared.lead.work.people.set_active(ann.id, is_active=False)
    round_at(shared.lead)
    shared.exchange(lambda: "a lead removed you" in shared.line())


@pytest.mark.parametrize(
    ("oldest", "newest", "words"),
    [(3, 4, "This program is too old for the hub"), (1, 1, "The hub is too old for this program")],
)
def test_other_versions(shared: Shared, oldest: int, newest: int, words: str) -> None:
    path = shared.hub / "hub.json"
    text = path.read_text()
    assert '"oldest":2,"newest":2' in text
    path.write_text(text.replace('"oldest":2,"newest":2', f'"oldest":{oldest},"newest":{newest}'))
    shared.exchange(lambda: words in shared.line())


def test_a_server_without_a_free_connection(
    desktop: Desktop, tmp_path: Path, postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    import psycopg

    admin = postgres.admin
    lead = create_project(tmp_path / "lead", title="Cups", recipe="perception-test")
    lead.add_videos([make_clip(tmp_path / "cups.mp4")])
    ann = lead.work.people.add("Ann", (Role.RATER,)).id
    certificate = Path(admin["sslrootcert"]).read_text()
    place = HubPlace(
        host=admin["host"],
        port=int(admin["port"]),
        database=f"full_{tmp_path.name.replace('-', '_')}",
        certificate=certificate,
    )
    keeping = SharingRequest(
        place, [ann], tmp_path, admin=admin["user"], password=admin["password"]
    )
    ((_, invitation, password),) = share_now(lead, keeping).invitations
    lead.close()
    login = read_invitation(invitation).place.login
    path = join_now(invitation, tmp_path / "mine.annot", password)
    monkeypatch.setenv(PASSWORD_VARIABLE, password)
    work = desktop.window.context.tasks.shared
    assert desktop.window.context.projects.open_path(path)
    (card,) = desktop.window.findChildren(HubCard)
    desktop.qtbot.waitUntil(lambda: "Connected to" in card.line.text(), timeout=30_000)
    with psycopg.connect("", dbname="postgres", autocommit=True, **admin) as connection:
        connection.execute(f'ALTER ROLE "{login}" CONNECTION LIMIT 0')
        work.exchange()
        full = "The hub is full: it has no free connection. Try again later. "
        desktop.qtbot.waitUntil(lambda: card.line.text().startswith(full), timeout=30_000)
        assert card.line.text().endswith("1 task ready, 0 submissions to send. Nothing is lost.")
        connection.execute(f'ALTER ROLE "{login}" CONNECTION LIMIT -1')
    work.exchange()
    desktop.qtbot.waitUntil(lambda: "Connected to" in card.line.text(), timeout=30_000)
