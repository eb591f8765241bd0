"""Download of videos from the addresses in the recipe or the invitation."""

from __future__ import annotations

import csv
import hashlib
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final

from annotator.domain.errors import MediaError, ProjectError, UserError
from annotator.domain.ids import VideoId
from annotator.domain.video_address import VideoAddress, address_from, check_template, filled_in
from annotator.services.fetching.remote_files import (
    FetchError,
    LoginNeededError,
    NotThereError,
    RemoteFile,
)
from annotator.services.fetching.video_cache import VideoCache
from annotator.store.workflow import queue, travel

if TYPE_CHECKING:
    from annotator.media.values import Progress
    from annotator.services.project.projects import OpenProject
    from annotator.services.settings import Settings

_ADDRESS: Final = "video_address"
_SOURCES: Final = "videos.sources"
_ATTEMPTS: Final = 3
_PAUSE_S: Final = 2.0
_FETCHED: Final = 0.8
"""The share of the time after which a video is here; then it is read and checked."""
_MAX_LIST_BYTES: Final = 64 << 20


def template_of(project: OpenProject) -> str:
    """Return the template of the addresses of a project's videos, "" for none.

    That of an invitation goes before that of the recipe.
    """
    return own_template_of(project) or project.work.recipe.video_address


def own_template_of(project: OpenProject) -> str:
    """Return the template of this copy of a project, "" where that of the recipe holds."""
    return project.file.meta(_ADDRESS) or ""


def keep_template(project: OpenProject, template: str) -> None:
    """Store an address template that overrides the recipe, "" for that of the recipe."""
    if template:
        source_of(template)
    with project.file.transaction() as connection:
        travel.set_meta(connection, _ADDRESS, template)


def source_of(template: str) -> str:
    """Return scheme and host of a template; UserError names the fault."""
    try:
        return check_template(template).source
    except ValueError as error:
        raise UserError(f"Cannot use this address of videos. {error}", where=template) from None


def is_allowed(settings: Settings, template: str) -> bool:
    """Return whether the person has allowed downloads from a server; folders need none.

    Recipes and invitations come from others, and a download reveals the person's address to the
    server.
    """
    source = source_of(template)
    return source.startswith("file:") or source in settings.text(_SOURCES).split()


def allow(settings: Settings, template: str) -> None:
    """Note that videos may be fetched from the server of a template."""
    known = settings.text(_SOURCES).split()
    settings.set(_SOURCES, " ".join(dict.fromkeys([*known, source_of(template)])))


def read_addresses(path: Path) -> dict[str, str]:
    """Return the addresses of videos in a file, by file name: CSV with the columns name, address.

    They may contain signatures, and are kept nowhere.
    """
    try:
        if path.stat().st_size > _MAX_LIST_BYTES:
            raise ValueError("It is too large.")
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.DictReader(file)
            if {"name", "address"} - set(rows.fieldnames or ()):
                raise KeyError("columns")
            address_by_name = {row["name"]: row["address"] for row in rows}
        for address in address_by_name.values():
            address_from(address)
    except (OSError, ValueError, csv.Error, KeyError, TypeError, AttributeError) as error:
        reason = f" {error}" if isinstance(error, ValueError) else ""
        raise UserError(
            f"Cannot read the list of addresses.{reason}",
            hint="It must be a CSV file with the columns “name” and “address”.",
            where=str(path),
        ) from error
    return address_by_name


def in_hand(project: OpenProject) -> list[VideoId]:
    """Return the videos of the signed-in person's tasks in progress, each once."""
    me = project.work.me
    if me is None:
        return []
    with project.file.reading() as connection:
        tasks = queue.held_tasks(connection, me.id)
    return list(dict.fromkeys(project.task(task_id).video_id for task_id in tasks))


def lacking(project: OpenProject) -> list[VideoId]:
    """Return the videos of tasks in progress that are not on this computer."""
    return [each for each in in_hand(project) if project.media.path(each) is None]


def pin_in_hand(project: OpenProject, cache: VideoCache, *more: VideoId) -> None:
    """Keep the videos of tasks in progress, and ``more``, in the cache."""
    stored = (project.media.video(each) for each in (*in_hand(project), *more))
    cache.pin(project.path, {each.content_hash for each in stored if each.content_hash})


def fetch_video(
    project: OpenProject,
    video_id: VideoId,
    cache: VideoCache,
    *,
    addresses: Mapping[str, str] | None = None,
    progress: Progress | None = None,
    wait: Callable[[], object] = lambda: None,
) -> Path:
    """Download a video into the cache, locate it for the project, and return its path.

    ``addresses`` take precedence over the template. ``progress`` gets the share 0..1; an exception
    from it stops the download, which continues the next time. ``wait`` is called before each block
    and may block. UserError with the reason of a failure.
    """
    from annotator.media.values import part_of

    stored = project.media.video(video_id)
    path = cache.find(stored.content_hash) if stored.content_hash else None
    if path is None:
        address = _address(project, stored.info.name, stored.content_hash, addresses or {})
        report = part_of(progress, 0.0, _FETCHED)
        path = fetch_file(address, stored.content_hash, stored.info.name, cache, report, wait)
    try:
        project.locate(video_id, path, part_of(progress, _FETCHED, 1.0))
    except (ProjectError, MediaError):
        path.unlink(missing_ok=True)
        raise
    pin_in_hand(project, cache, video_id)
    return path


def fetch_file(
    address: VideoAddress,
    expected: str | None,
    name: str,
    cache: VideoCache,
    progress: Progress | None = None,
    wait: Callable[[], object] = lambda: None,
) -> Path:
    """Download a file into the cache and return its path; FetchError if the content differs.

    ``expected`` is its content hash, None if unknown; ``name`` has its file extension.
    """
    from annotator.media.index.fingerprint import content_hash

    key = expected or hashlib.sha256(address.text.encode()).hexdigest()
    with cache.part(key) as part:
        path = cache.find(expected) if expected else None
        if path is not None:
            return path
        _fetch(address, part, cache, progress, wait)
        digest = content_hash(part)
        if expected not in (None, digest):
            part.unlink()
            raise FetchError(
                f"The file at {address.source} is not “{name}”: its content is different.",
                hint="Ask the project lead where the video is.",
            )
        return cache.take(part, digest, name)


def _address(
    project: OpenProject, name: str, content_hash: str | None, addresses: Mapping[str, str]
) -> VideoAddress:
    """Return the address of a video; UserError if it is unknown."""
    if name in addresses:
        return address_from(addresses[name])
    template = template_of(project)
    if not template:
        raise UserError(
            f"The project does not say where “{name}” can be fetched.",
            hint="Add “video_address” to the recipe, or locate the file.",
        )
    source_of(template)
    try:
        address = filled_in(template, name, content_hash)
    except ValueError as error:
        raise UserError(f"Cannot fetch “{name}”. {error}") from None
    if address is None:
        raise UserError(
            f"Cannot fetch “{name}”: its address contains the content hash, which is not known.",
            hint="Locate the file once.",
        )
    return address


def _fetch(
    address: VideoAddress,
    part: Path,
    cache: VideoCache,
    progress: Progress | None,
    wait: Callable[[], object],
) -> None:
    """Fetch all of a file, from where an earlier attempt ended; a broken line is tried again."""
    attempt = 1
    while True:
        before = part.stat().st_size if part.exists() else 0
        try:
            return _fetch_once(address, part, cache, progress, wait)
        except (LoginNeededError, NotThereError):
            raise
        except FetchError:
            has_come_on = part.exists() and part.stat().st_size > before
            attempt = 1 if has_come_on else attempt + 1
            if attempt > _ATTEMPTS:
                raise
        until = time.monotonic() + _PAUSE_S * attempt
        while time.monotonic() < until:
            wait()
            time.sleep(0.1)


def _fetch_once(
    address: VideoAddress,
    part: Path,
    cache: VideoCache,
    progress: Progress | None,
    wait: Callable[[], object],
) -> None:
    start = part.stat().st_size if part.exists() else 0
    with closing(RemoteFile(address, start)) as source:
        if source.size is not None and start > source.size:
            part.unlink()  # of another file
        cache.make_room(source.size or 0, but=part)
        with part.open("r+b" if source.start else "wb") as file:
            n_bytes = file.seek(source.start)
            while block := source.read():
                wait()
                n_bytes += file.write(block)
                if source.size is None:
                    cache.make_room(n_bytes, but=part)
                elif progress is not None and source.size:
                    progress(min(1.0, n_bytes / source.size))
            file.truncate()
        if source.size is not None and n_bytes < source.size:
            raise FetchError(
                f"Cannot fetch the video from {address.source}: the connection broke off."
            )
