"""``annotator hub``: share a project, and work in a shared one."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from annotator.cli.common.boundary import FAILURE, fail, one_line
from annotator.cli.common.terminal import Report, progress
from annotator.cli.team.people import person_named, sign_in
from annotator.domain.plurals import many

if TYPE_CHECKING:
    from annotator.domain.ids import TaskId
    from annotator.services.hub.lead_sync import Sharing
    from annotator.services.hub.rater_sync import Rating
    from annotator.services.project.projects import OpenProject
    from annotator.sync.hub import Hub

_project = click.argument("project", type=click.Path(path_type=Path))
_json = click.option("--json", "as_json", is_flag=True, help="Write one JSON object.")
_admin = click.option(
    "--as",
    "admin",
    metavar="LOGIN",
    help="Login of an administrator of the PostgreSQL server. Its password is asked for.",
)


_invite = click.option(
    "--invite", "names", metavar="NAME", multiple=True, help="Person to invite. Repeatable."
)
_output = click.option(
    "-o",
    "--output",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path(),
    help="Folder for the invitation files.",
)


_ADMIN_VARIABLE = "ANNOTATOR_HUB_ADMIN_PASSWORD"


@click.group("hub")
def hub_group() -> None:
    """Share a project with a team, or work in a shared project.

    A hub is a shared folder or a PostgreSQL database. The project file of the
    lead stays the record; raters claim tasks into projects of their own, work
    offline, and send their submissions.

    \b
    Leads:  init, people, publish, keep, status, revise, revoke, message, check
    Raters: join, next, tick, send
    """


@hub_group.command("init")
@_project
@click.argument("address", metavar="ADDRESS")
@_admin
@click.option(
    "--certificate",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Certificate (PEM) of the server or of who signed it.",
)
@click.option(
    "--lease",
    "lease_h",
    type=click.FloatRange(0.5, 24 * 30),
    default=72.0,
    show_default=True,
    help="Hours without a sign of life after which a task returns to the queue.",
)
@click.option("--take-over", is_flag=True, help="Take over the write role from another copy.")
@_invite
@_output
@_json
def init_command(
    project: Path,
    address: str,
    admin: str | None,
    certificate: Path | None,
    lease_h: float,
    take_over: bool,
    names: tuple[str, ...],
    folder: Path,
    as_json: bool,
) -> None:
    """Share PROJECT at ADDRESS. Lead only.

    ADDRESS is a folder that all can reach, or postgresql://HOST:PORT/DATABASE.
    The database is created if it does not exist. With --invite, invitations
    are written and all tasks published too. Run again, the command upgrades
    the hub.
    """
    from annotator.services.hub import hub_place as places
    from annotator.services.hub.hub_setup import share
    from annotator.services.hub.lead_sync import Sharing

    opened = _opened(project)
    try:
        place = places.place_from(address, certificate=certificate)
        password = _password(f"Password of {admin}", _ADMIN_VARIABLE) if admin is not None else ""
        shared = share(
            opened,
            place,
            admin=admin or "",
            password=password,
            lease_ms=round(lease_h * 3_600_000),
            takes_over=take_over,
        )
        invited: list[dict[str, str]] = []
        n_new = 0
        if names:
            with places.connected(opened) as hub:
                sharing = Sharing(opened, hub)
                invited = _invited(opened, sharing, names, folder, admin or "", password)
                with progress("Publishing") as report:
                    n_new = sharing.publish(on_progress=report)
    finally:
        opened.close()
    lines = [f"{shared.place.name}: {'shared' if shared.is_new else 'up to date'}"]
    if shared.password_in:
        lines[0] += f", password kept in {shared.password_in}"
    lines += _invitation_lines(invited)
    if names:
        lines.append(f"{many(n_new, 'new task')} published.")
    summary = {
        "hub": shared.place.name,
        "is_new": shared.is_new,
        "invited": invited,
        "n_new": n_new,
    }
    _tell(as_json, "\n".join(lines), **summary)


def _invited(
    opened: OpenProject,
    sharing: Sharing,
    names: Sequence[str],
    folder: Path,
    admin: str,
    password: str,
) -> list[dict[str, str]]:
    """Invite people; return name, file and password of each."""
    from annotator.services.hub.hub_setup import invite

    invitations = []
    for name in names:
        person_id = person_named(opened, name)
        invitation = invite(opened, sharing, person_id, folder, admin=admin, password=password)
        invitations.append(
            {"person": name, "file": str(invitation.path), "password": invitation.password}
        )
    return invitations


def _invitation_lines(invited: Sequence[Mapping[str, str]]) -> list[str]:
    return [
        f"{one_line(each['person'])}: {each['file']}"
        + (f", password {each['password']}" if each["password"] else "")
        for each in invited
    ]


@hub_group.command("people")
@_project
@_invite
@_output
@click.option(
    "--videos",
    "template",
    metavar="ADDRESS",
    help="Where invited people fetch videos, such as s3://BUCKET/{name}.",
)
@_admin
@_json
def people_command(
    project: Path,
    names: tuple[str, ...],
    folder: Path,
    template: str | None,
    admin: str | None,
    as_json: bool,
) -> None:
    """List who works through the hub, or invite people. Lead only.

    An invitation file holds no secret. For a PostgreSQL hub, a one-time
    password is shown: give it to the person by another way.
    """
    from annotator.services.fetching.fetch import keep_template
    from annotator.services.hub.lead_sync import Sharing

    with _shared(project) as (opened, hub):
        sharing = Sharing(opened, hub)
        if template is not None:
            keep_template(opened, template)
        password = (
            _password(f"Password of {admin}", _ADMIN_VARIABLE)
            if admin is not None and names
            else ""
        )
        invited = _invited(opened, sharing, names, folder, admin or "", password)
        members = [p.name for p in opened.work.people.all() if p.id in sharing.members]
    lines = _invitation_lines(invited) if names else [one_line(name) for name in members]
    _tell(as_json, "\n".join(lines), people=members, invited=invited)


@hub_group.command("publish")
@_project
@click.option(
    "--again", "is_anew", is_flag=True, help="Offer everything again, to a hub that was restored."
)
@_json
def publish_command(project: Path, is_anew: bool, as_json: bool) -> None:
    """Offer all tasks that can be done. Lead only."""
    from annotator.services.hub.lead_sync import Sharing

    with _shared(project) as (opened, hub):
        sharing = Sharing(opened, hub)
        with progress("Publishing") as report:
            count = sharing.publish(is_anew=is_anew, on_progress=report)
    _tell(as_json, f"{many(count, 'new task')} published.", n_new=count)


@hub_group.command("keep")
@_project
@click.option("--once", is_flag=True, help="Stop after one round.")
@click.option(
    "--every",
    "every_s",
    type=click.FloatRange(1, 3600),
    default=10.0,
    show_default=True,
    help="Seconds between rounds.",
)
@_json
@click.pass_context
def keep_command(
    context: click.Context, project: Path, once: bool, every_s: float, as_json: bool
) -> None:
    """Collect submissions and publish what follows, until interrupted. Lead only.

    Tasks that are published already are handed out without it.
    """
    from annotator.domain.errors import ProjectError
    from annotator.services.hub.lead_sync import Sharing
    from annotator.sync.hub import HubError, WriteRoleLostError

    pause = threading.Event()
    is_refused = False
    while True:
        try:
            with _shared(project) as (opened, hub):
                round_result = Sharing(opened, hub).step()
            for reason in round_result.refused:
                is_refused = True
                fail(reason)
            if round_result.n_events or once:
                words = f"{round_result.n_taken_in} taken in, {round_result.n_published} published"
                counts = {
                    "n_taken_in": round_result.n_taken_in,
                    "n_published": round_result.n_published,
                }
                _tell(as_json, words, **counts, refused=round_result.refused)
        except WriteRoleLostError:
            raise
        except (HubError, ProjectError) as error:
            # The hub is away, or a window has the project: tried again.
            if once:
                raise
            fail(str(error))
        if once:
            break
        pause.wait(every_s)
    if is_refused:
        context.exit(FAILURE)


@hub_group.command("status")
@_project
@_json
def status_command(project: Path, as_json: bool) -> None:
    """Show waiting and claimed tasks, or, in a rater's project, unsent work."""
    from annotator.services.hub.rater_sync import Rating
    from annotator.services.workflow.sent_packages import origin_of

    with _shared(project) as (opened, hub):
        if origin_of(opened) is not None:
            _own_status(Rating(opened, hub), as_json)
            return
        board = hub.board()
        names = {person.id: person.name for person in opened.work.people.all()}
        rows = [
            {
                "task": holder.seat_id,
                "person": names.get(holder.person_id, holder.person_id),
                "claim": holder.claim_id,
                "since": _time(holder.since),
                "seen": _time(holder.seen),
                "until": _time(holder.until),
            }
            for holder in board.holders
        ]
    counts = (
        f"{board.n_free} open, {board.n_held} claimed, {board.n_done} submitted, "
        f"{board.n_pending} to collect"
    )
    lines = [counts] + [
        one_line("\t".join(str(row[key]) for key in ("task", "person", "seen", "until", "claim")))
        for row in rows
    ]
    _tell(
        as_json,
        "\n".join(lines),
        n_open=board.n_free,
        n_claimed=board.n_held,
        n_submitted=board.n_done,
        n_pending=board.n_pending,
        claims=rows,
    )


@hub_group.command("revise")
@_project
@click.argument("videos", metavar="VIDEO...", nargs=-1, required=True)
@click.option("--priority", type=click.IntRange(0, 99), required=True, help="0 is usual.")
@_json
def revise_command(project: Path, videos: tuple[str, ...], priority: int, as_json: bool) -> None:
    """Change the priority of the tasks of videos. Lead only."""
    from annotator.services.hub.lead_sync import Sharing

    with _shared(project) as (opened, hub):
        named = {entry.name: entry.id for entry in opened.videos()}
        if unknown := [name for name in videos if name not in named]:
            raise click.UsageError(f"Unknown video “{one_line(unknown[0])}”.")
        wanted = {named[name] for name in videos}
        tasks = [task.id for task in opened.tasks() if task.video_id in wanted]
        opened.work.lead.prioritize(tasks, priority)
        Sharing(opened, hub).publish(tasks)
    _tell(as_json, f"{many(len(tasks), 'task')} changed.", n_changed=len(tasks))


@hub_group.command("revoke")
@_project
@click.argument("names", metavar="NAME|CLAIM...", nargs=-1, required=True)
@_json
def revoke_command(project: Path, names: tuple[str, ...], as_json: bool) -> None:
    """Take tasks back: all of a person, or claims that “status” lists. Lead only."""

    with _shared(project) as (opened, hub):
        opened.work.people.check_lead()
        known = {person.name: person.id for person in opened.work.people.all()}
        people = {known[name] for name in names if name in known}
        held = hub.board().holders
        claims = [h.claim_id for h in held if h.person_id in people or h.claim_id in names]
        count = hub.revoke(claims)
    _tell(as_json, f"{many(count, 'task')} taken back.", n_revoked=count)


@hub_group.command("message")
@_project
@click.argument("text", metavar="TEXT")
@click.option("--to", "name", metavar="NAME", help="Only to this person. Default: everybody.")
@_json
def message_command(project: Path, text: str, name: str | None, as_json: bool) -> None:
    """Send a message to raters. Lead only."""

    with _shared(project) as (opened, hub):
        opened.work.people.check_lead()
        person_id = person_named(opened, name) if name is not None else None
        hub.message(text, person_id)
    _tell(as_json, "Sent.", to=name)


@hub_group.command("check")
@_project
@_json
def check_command(project: Path, as_json: bool) -> None:
    """Check the connection to the hub, the login and the versions."""
    from annotator.services.hub.hub_place import place_of
    from annotator.sync.hub import PROTOCOL, check_protocol

    with _shared(project) as (opened, hub):
        place = place_of(opened)
        info = hub.hello()
    check_protocol(info.oldest, info.newest)
    name = place.name if place is not None else ""
    words = (
        f"{name}: connected as {info.person.name}, protocol {PROTOCOL} "
        f"({info.oldest} to {info.newest}), hub time {_time(info.now)}"
    )
    _tell(as_json, one_line(words), hub=name, person=info.person.name, oldest=info.oldest,
          newest=info.newest, now=_time(info.now))  # fmt: skip


@hub_group.command("join")
@click.argument("invitation", type=click.Path(path_type=Path))
@_project
@_json
def join_command(invitation: Path, project: Path, as_json: bool) -> None:
    """Create PROJECT for your work in the shared project of INVITATION."""
    from annotator.services.hub.hub_place import PASSWORD_VARIABLE, read_invitation
    from annotator.services.hub.hub_status import join_now

    told = read_invitation(invitation)
    password = ""
    if told.place.host:
        password = _password(f"Password of {one_line(told.person)}", PASSWORD_VARIABLE)
    path = join_now(invitation, project, password)
    words = f"{path}: joined “{one_line(told.title)}” as {one_line(told.person)}"
    _tell(as_json, words, project=str(path), person=told.person)


@hub_group.command("next")
@_project
@click.option("-n", "--count", type=click.IntRange(1, 100), default=1, help="How many tasks.")
@click.option(
    "--videos",
    "folders",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    multiple=True,
    help="Folder to search for video files. Repeatable.",
)
@_json
@click.pass_context
def next_command(
    context: click.Context, project: Path, count: int, folders: tuple[Path, ...], as_json: bool
) -> None:
    """Claim the next tasks of a shared project."""
    from annotator.services.hub.rater_sync import Rating

    with _shared(project) as (opened, hub):
        rating = Rating(opened, hub, folders)
        rating.recover()
        task_ids: list[TaskId] = []
        while len(task_ids) < count and (task_id := rating.next_task()) is not None:
            task_ids.append(task_id)
        videos = {entry.id: entry.name for entry in opened.videos()}
        rows = [
            {"task": task.title, "video": videos[task.video_id]}
            for task in (opened.task(task_id) for task_id in task_ids)
        ]
        missing = list(dict.fromkeys(rating.missing))
        fetched = _fetched(opened) if missing else []
        missing = [name for name in missing if name not in fetched]
    lines = [one_line(f"{row['video']}: {row['task']}") for row in rows]
    _tell(as_json, "\n".join(lines) or "There are no tasks for you.", tasks=rows, missing=missing)
    for name in missing:
        fail(
            f"{name}: video not found. Fetch it with “annotator media fetch”, locate it in the "
            "window, or specify its folder."
        )
    if missing or not rows:
        context.exit(FAILURE)


def _fetched(opened: OpenProject) -> list[str]:
    """Fetch missing videos if the person has agreed to that; return the names of those fetched."""
    from annotator.domain.errors import UserError
    from annotator.services.fetching import fetch
    from annotator.services.fetching.video_cache import video_cache
    from annotator.services.settings import Settings

    settings, template = Settings(), fetch.template_of(opened)
    if not template or not fetch.is_allowed(settings, template):
        return []
    task_names: list[str] = []
    for video_id in fetch.lacking(opened):
        name = opened.media.video(video_id).info.name
        try:
            with progress(f"Fetching {name}") as report:
                cache = video_cache(settings)
                report_share = partial(_share_of, report)
                fetch.fetch_video(opened, video_id, cache, progress=report_share)
            task_names.append(name)
        except UserError as error:
            fail(f"{name}: {error}")
    return task_names


def _share_of(report: Report, share: float) -> None:
    report(share, "")


@hub_group.command("tick")
@_project
@_json
def tick_command(project: Path, as_json: bool) -> None:
    """Send waiting work, renew your tasks and show the news."""
    from annotator.services.hub.rater_sync import Rating

    with _shared(project) as (opened, hub):
        exchanged = Rating(opened, hub).exchange()
        titles = [opened.task(claim.task_id).title for claim in exchanged.lost]
    lines = [one_line(f"Message: {message.text}") for message in exchanged.messages]
    lines += [
        one_line(f"{title}: taken back, your draft is kept")
        if claim.ending == "revoked"
        else one_line(f"{title}: the claim expired, your draft is kept")
        for claim, title in zip(exchanged.lost, titles, strict=True)
    ]
    lines.append(f"{exchanged.n_sent} sent")
    _tell(
        as_json,
        "\n".join(lines),
        n_sent=exchanged.n_sent,
        lost=titles,
        messages=[message.text for message in exchanged.messages],
    )


@hub_group.command("send")
@_project
@_json
def send_command(project: Path, as_json: bool) -> None:
    """Send what you have submitted, and show what became of it."""
    from annotator.services.hub.rater_sync import Rating

    with _shared(project) as (opened, hub):
        rating = Rating(opened, hub)
        rating.exchange()
        _own_status(rating, as_json)


def _own_status(rating: Rating, as_json: bool) -> None:
    sent = list(rating.claims.sent().values())
    waiting = len(rating.claims.outbox())
    late = sum(each.was_late for each in sent)
    refused = [each.outcome for each in sent if each.outcome.startswith("refused")]
    done = sum(each.outcome == "taken in" for each in sent)
    words = (
        f"{waiting} to send, {len(sent)} received, {done} taken in, {late} late, "
        f"{len(refused)} refused"
    )
    counts = {"n_waiting": waiting, "n_received": len(sent), "n_taken_in": done, "n_late": late}
    _tell(as_json, "\n".join([words, *map(one_line, refused)]), **counts, refused=refused)


@contextmanager
def _shared(path: Path) -> Iterator[tuple[OpenProject, Hub]]:
    """Open a shared project and connect to its hub."""
    from annotator.services.hub.hub_place import connected

    opened = _opened(path)
    try:
        with connected(opened) as hub:
            yield opened, hub
    finally:
        opened.close()


def _opened(path: Path) -> OpenProject:
    from annotator.services.project.projects import open_project

    opened = open_project(path)
    try:
        sign_in(opened)
    except BaseException:
        opened.close()
        raise
    return opened


def _password(words: str, variable: str) -> str:
    """Ask for a password, unless the environment has it."""
    given = os.environ.get(variable)
    return given or str(click.prompt(words, hide_input=True, err=True))


def _time(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="seconds")


def _tell(as_json: bool, words: str, **values: object) -> None:
    click.echo(json.dumps(values, ensure_ascii=False) if as_json else words)
