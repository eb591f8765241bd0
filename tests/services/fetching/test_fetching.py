"""Videos come from web servers, buckets and shares into the cache, whole and checked."""

from __future__ import annotations

import getpass
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.domain.errors import MediaError, RecipeError, UserError
from annotator.domain.recipes.file import recipe_from
from annotator.services.fetching import fetch
from annotator.services.fetching.fetch import (
    fetch_video,
    in_hand,
    keep_template,
    lacking,
    read_addresses,
    source_of,
    template_of,
)
from annotator.services.fetching.remote_files import (
    FetchError,
    LoginNeededError,
    NotThereError,
    RemoteFile,
)
from annotator.services.fetching.video_cache import CacheFullError, VideoCache
from annotator.services.project.projects import OpenProject, create_project, open_project
from tests.media.encoding import encode
from tests.services.fetching.servers import (
    PASSWORD,
    Web,
    free_port,
    login,
    smb_server,
    ssh_server,
    web_server,
)

NAME = "a b+ü#1.mp4"


@pytest.fixture(scope="module")
def videos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("videos")
    encode(folder / NAME, numbers=range(12))
    encode(folder / "second.mp4", numbers=range(9))
    encode(folder / "third.mp4", numbers=range(7))
    return folder


@pytest.fixture
def project(tmp_path: Path, videos: Path) -> Iterator[OpenProject]:
    """A project with three videos that are gone."""
    source = tmp_path / "was"
    shutil.copytree(videos, source)
    made = create_project(tmp_path / "p.annot", title="Cups")
    made.add_videos([source / name for name in (NAME, "second.mp4", "third.mp4")])
    shutil.rmtree(source)
    made.close()
    made = open_project(tmp_path / "p.annot")
    yield made
    made.close()


@pytest.fixture
def cache(tmp_path: Path) -> VideoCache:
    return VideoCache(tmp_path / "cache", 10**9)


@pytest.fixture
def web(videos: Path) -> Iterator[Web]:
    with web_server(videos) as server:
        yield server


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch, "_PAUSE_S", 0.0)


def _read(address: str, start: int = 0) -> tuple[int, bytes]:
    source = RemoteFile(fetch.address_from(address), start)
    try:
        found = b""
        while block := source.read():
            found += block
        return source.start, found
    finally:
        source.close()


def test_a_video_from_a_web_server_is_opened_from_the_cache(
    project: OpenProject, web: Web, cache: VideoCache, videos: Path
) -> None:
    keep_template(project, f"{web.address}/{{name}}")
    entry = project.videos()[0]
    assert entry.path is None
    told: list[float] = []
    path = fetch_video(project, entry.id, cache, progress=told.append)
    assert path.read_bytes() == (videos / NAME).read_bytes()
    stored = project.media.video(entry.id)
    assert path == cache.folder / stored.content_hash[:2] / f"{stored.content_hash}.mp4"
    assert project.media.path(entry.id) == path
    assert told == sorted(told)
    assert told[-1] == 1.0
    sent = web.sent
    assert fetch_video(project, entry.id, cache) == path
    assert web.sent == sent, "what is in the cache is fetched once"


def test_the_recipe_names_the_address_and_an_invitation_goes_before(project: OpenProject) -> None:
    assert template_of(project) == ""
    text = project.work.recipe_text().replace("version = 1", "version = 2", 1)
    text = 'video_address = "s3://lab/{hash}.mp4"\n' + text
    project.work.use_recipe(text)
    assert template_of(project) == "s3://lab/{hash}.mp4"
    keep_template(project, "https://mirror.lab/{name}")
    assert template_of(project) == "https://mirror.lab/{name}"
    keep_template(project, "")
    assert template_of(project) == "s3://lab/{hash}.mp4"


@pytest.mark.parametrize(
    ("template", "words"),
    [
        ("ftp://lab/{name}", "must begin with"),
        ("videos/{name}", "must begin with"),
        ("https:///{name}", "no host"),
        ("file://server/{name}", "three slashes"),
        ("https://lab/videos", "must contain"),
        ("https://{name}.lab/x", "must contain"),
        ("https://lab/{frame}", "unknown"),
        ("https://ann:secret@lab/{name}", "password"),
        ("https://ann@lab/{name}", "login"),
        ("sftp://ann:secret@lab/{name}", "password"),
        ("https://lab/{name}?X-Amz-Signature=abc", "signature"),
        ("https://lab/{name}?token=abc", "signature"),
        ("https://lab/{name}?sv=1&sig=abc", "signature"),
        ("https://lab:99999999/{name}", "not an address"),
        ("https://lab/{name}\n", "cannot be shown"),
        ("https://lab/" + "x" * 3000 + "{name}", "too long"),
    ],
)
def test_templates_that_are_wrong_or_hold_a_secret_are_refused(template: str, words: str) -> None:
    with pytest.raises(UserError, match=words):
        source_of(template)


def test_a_recipe_with_a_secret_is_refused() -> None:
    types = [
        {
            "kind": "t",
            "title": "T",
            "tools": ["boxes"],
            "stages": [{"key": "a", "title": "A", "act": "annotate"}],
        }
    ]
    value = {"name": "r", "version": 1, "title": "R", "task_types": types}
    assert recipe_from({**value, "video_address": "https://lab/{name}"})
    with pytest.raises(RecipeError, match="signature"):
        recipe_from({**value, "video_address": "https://lab/{name}?sig=a"})


def test_a_name_never_leads_elsewhere(web: Web, project: OpenProject, videos: Path) -> None:
    from annotator.domain.video_address import filled_in

    for name in ("..", "a/b.mp4", "..\\x.mp4", ""):
        with pytest.raises(ValueError, match="name of the video"):
            filled_in("https://lab/videos/{name}", name, None)
    found = filled_in("https://lab/v/{name}?of={hash}", "a?b#c.mp4", "12")
    assert found is not None
    assert found.text == "https://lab/v/a%3Fb%23c.mp4?of=12"
    assert filled_in("https://lab/{hash}", "a.mp4", None) is None
    sftp = filled_in("sftp://ann@lab:22/v/{name}", "a?b#c.mp4", None)
    assert sftp is not None
    assert (sftp.user, sftp.host, sftp.port, sftp.path) == ("ann", "lab", 22, "/v/a?b#c.mp4")


def test_other_content_is_thrown_away_and_named(
    project: OpenProject, web: Web, cache: VideoCache, videos: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    shutil.copy(videos / "second.mp4", other / NAME)
    keep_template(project, f"{web.address}/{{name}}")
    with web_server(other) as wrong:
        keep_template(project, f"{wrong.address}/{{name}}")
        with pytest.raises(FetchError, match="content is different"):
            fetch_video(project, project.videos()[0].id, cache)
    assert list(cache.folder.glob("**/*.part")) == []
    assert project.videos()[0].path is None


def test_what_is_not_there_or_refused_is_said(
    project: OpenProject, web: Web, cache: VideoCache
) -> None:
    video_id = project.videos()[0].id
    with pytest.raises(UserError, match="does not say where"):
        fetch_video(project, video_id, cache)
    keep_template(project, f"{web.address}/nowhere/{{name}}")
    with pytest.raises(NotThereError, match="is not at http://127"):
        fetch_video(project, video_id, cache)
    keep_template(project, f"{web.address}/{{name}}")
    web.needs = "something that is not sent"
    with pytest.raises(LoginNeededError, match="refused access"):
        fetch_video(project, video_id, cache)


@pytest.mark.usefixtures("impatient")
def test_a_server_that_is_away_is_said(project: OpenProject, cache: VideoCache) -> None:
    keep_template(project, f"http://127.0.0.1:{free_port()}/{{name}}")
    with pytest.raises(FetchError, match="Cannot fetch the video from http"):
        fetch_video(project, project.videos()[0].id, cache)


def test_a_signed_address_is_used_and_kept_nowhere(
    project: OpenProject, web: Web, cache: VideoCache, tmp_path: Path
) -> None:
    listed = tmp_path / "addresses.csv"
    secret = "X-Amz-Signature=0123456789abcdef"
    listed.write_text(f'name,address\n"{NAME}",{web.address}/a%20b+%C3%BC%231.mp4?{secret}\n')
    found = read_addresses(listed)
    fetch_video(project, project.videos()[0].id, cache, addresses=found)
    assert any(secret in request for request in web.requests)
    project.close()
    for path in [project.path, *cache.folder.rglob("*")]:
        assert path.is_dir() or secret.encode() not in path.read_bytes()
    web.needs = "nothing has this"
    with pytest.raises(LoginNeededError) as caught:
        RemoteFile(fetch.address_from(f"{web.address}/second.mp4?{secret}"))
    assert secret not in str(caught.value)


@pytest.mark.parametrize(
    "text", ["", "a,b\nc,d\n", "name,address\nx.mp4,nonsense\n", "name,address\nx.mp4\n", "\0\0\0"]
)
def test_a_list_of_addresses_that_is_none_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "list.csv"
    path.write_text(text)
    with pytest.raises(UserError, match="Cannot read the list"):
        read_addresses(path)


@pytest.mark.usefixtures("impatient")
def test_a_fetch_goes_on_where_it_was_broken_off(tmp_path: Path) -> None:
    folder = tmp_path / "large"
    folder.mkdir()
    encode(folder / "large.mp4", numbers=range(4))
    with (folder / "large.mp4").open("ab") as file:
        file.write(b"\0\0\0\x08free" + os.urandom(9_000_000))
    project = create_project(tmp_path / "large.annot", title="Large")
    try:
        project.add_videos([folder / "large.mp4"])
        body = (folder / "large.mp4").read_bytes()
        (folder / "large.mp4").unlink()
        served = tmp_path / "served"
        served.mkdir()
        (served / "large.mp4").write_bytes(body)
        cache = VideoCache(tmp_path / "cache", 10**9)
        video_id = project.videos()[0].id

        class StoppedError(Exception):
            pass

        def stop(share: float) -> None:
            if share > 0.3:
                raise StoppedError

        with web_server(served) as web:
            keep_template(project, f"{web.address}/{{name}}")
            with pytest.raises(StoppedError):
                fetch_video(project, video_id, cache, progress=stop)
            (part,) = cache.folder.glob("*.part")
            before, sent = part.stat().st_size, web.sent
            assert 0 < before < len(body)
            path = fetch_video(project, video_id, cache)
            assert path.read_bytes() == body
            assert web.sent - sent <= len(body) - before, "only the rest is sent"
            # A line that breaks again and again, and a server that cannot begin in the middle.
            path.unlink()
            web.breaks_after = 3_000_000
            with pytest.raises(FetchError):
                fetch_video(project, video_id, cache)
            web.breaks_after, web.has_ranges = 0, False
            assert fetch_video(project, video_id, cache).read_bytes() == body
    finally:
        project.close()


def test_the_cache_puts_out_what_was_not_used_for_longest(
    project: OpenProject, web: Web, cache: VideoCache
) -> None:
    keep_template(project, f"{web.address}/{{name}}")
    first, second, third = (entry.id for entry in project.videos())
    one = fetch_video(project, first, cache)
    two = fetch_video(project, second, cache)
    fetch.pin_in_hand(project, cache)
    for path, at in ((one, 100), (two, 200)):
        os.utime(path, (at, path.stat().st_mtime))
    assert cache.find(project.media.video(first).content_hash or "") == one
    size = (web.folder / "third.mp4").stat().st_size
    cache.limit_bytes = one.stat().st_size + size
    fetch_video(project, third, cache)
    assert (one.exists(), two.exists()) == (True, False)
    assert project.media.path(second) is None
    assert cache.used_bytes() <= cache.limit_bytes
    cache.limit_bytes = size
    cache.pin(project.path, {p.stem for p in cache.folder.glob("??/*")})
    with pytest.raises(CacheFullError, match="no room"):
        fetch_video(project, second, cache)
    assert one.exists()


@pytest.mark.parametrize("name", ["../../x", "a" * 63, "A" * 64, "", "a" * 64 + "/..", "*" * 64])
def test_what_is_no_hash_never_becomes_a_path(cache: VideoCache, name: str) -> None:
    with pytest.raises(MediaError, match="not a SHA-256"):
        cache.find(name)
    with pytest.raises(MediaError, match="not a SHA-256"), cache.part(name):
        pass
    assert not cache.folder.exists()


def test_pins_of_projects_that_are_gone_count_no_more(tmp_path: Path, cache: VideoCache) -> None:
    here = tmp_path / "here.annot"
    here.touch()
    cache.pin(here, {"ab"})
    cache.pin(tmp_path / "gone.annot", {"cd"})
    assert cache.pinned() == {"ab"}
    (cache.folder / "pins" / "damaged.json").write_text("{")
    assert cache.pinned() == {"ab"}
    cache.pin(here, ())
    assert cache.pinned() == set()


def test_two_programs_do_not_write_one_file(
    project: OpenProject, web: Web, cache: VideoCache
) -> None:
    keep_template(project, f"{web.address}/{{name}}")
    entry = project.videos()[0]
    stored = project.media.video(entry.id)
    with (
        cache.part(stored.content_hash or ""),
        pytest.raises(MediaError, match="Another program"),
    ):
        fetch_video(project, entry.id, cache)
    assert fetch_video(project, entry.id, cache).exists()


def test_videos_of_tasks_in_hand_are_those_that_lack(
    project: OpenProject, web: Web, cache: VideoCache
) -> None:
    assert lacking(project) == []
    first = project.tasks()[0]
    project.open_task(first.id)
    wanted = in_hand(project)
    assert lacking(project) == wanted
    keep_template(project, f"{web.address}/{{name}}")
    for video_id in wanted:
        fetch_video(project, video_id, cache)
    assert lacking(project) == []


def test_a_folder_is_an_address_too(project: OpenProject, cache: VideoCache, videos: Path) -> None:
    keep_template(project, f"file://{videos}/{{name}}")
    path = fetch_video(project, project.videos()[0].id, cache)
    assert cache.folder in path.parents
    keep_template(project, "file:///dev/{name}")
    with pytest.raises(NotThereError):
        RemoteFile(fetch.address_from("file:///dev/zero"))


def test_a_bucket(tmp_path: Path, videos: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bucket = tmp_path / "served"
    shutil.copytree(videos, bucket / "lab-videos" / "in")
    body = (videos / NAME).read_bytes()
    with web_server(bucket) as web:
        monkeypatch.setenv("AWS_ENDPOINT_URL", web.address)
        monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
        # A public bucket, without credentials.
        assert _read(f"s3://lab-videos/in/{NAME}", 500) == (500, body[500:])
        web.needs = "Credential=THEKEY/"
        with pytest.raises(LoginNeededError):
            _read(f"s3://lab-videos/in/{NAME}")
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "THEKEY")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
        assert _read(f"s3://lab-videos/in/{NAME}") == (0, body)
        with pytest.raises(NotThereError):
            _read("s3://lab-videos/in/nothing.mp4")


def test_a_server_with_ssh(tmp_path: Path, videos: Path) -> None:
    with ssh_server(tmp_path) as port:
        address = f"sftp://{getpass.getuser()}@127.0.0.1:{port}{videos}"
        body = (videos / NAME).read_bytes()
        assert _read(f"{address}/{NAME}") == (0, body)
        assert _read(f"{address}/{NAME}", 700) == (700, body[700:])
        with pytest.raises(NotThereError):
            _read(f"{address}/nothing.mp4")
        with pytest.raises(LoginNeededError):
            _read(f"sftp://nobody@127.0.0.1:{port}{videos}/{NAME}")
        (Path.home() / ".ssh" / "known_hosts").unlink()
        with pytest.raises(FetchError, match="is unknown to this computer"):
            _read(f"{address}/{NAME}")


def test_a_share(tmp_path: Path, videos: Path) -> None:
    with smb_server(tmp_path, videos) as port:
        address = f"smb://127.0.0.1:{port}/videos"
        body = (videos / NAME).read_bytes()
        with pytest.raises(LoginNeededError):
            _read(f"{address}/second.mp4")
        with login(getpass.getuser(), PASSWORD):
            assert _read(f"{address}/{NAME}") == (0, body)
            assert _read(f"{address}/{NAME}", 700) == (700, body[700:])
            with pytest.raises(NotThereError):
                _read(f"{address}/nothing.mp4")
