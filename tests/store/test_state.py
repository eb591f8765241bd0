"""The project file as it stands at one moment."""

from __future__ import annotations

import pytest

from annotator.domain.errors import ProjectError
from annotator.store.file import file_state
from annotator.store.file.file_opening import create_file, open_file


@pytest.fixture
def file(tmp_path):
    opened = create_file(tmp_path / "kitchen.annot", title="Kitchen", person="Ada")
    yield opened
    opened.close()


def write(file, key):
    with file.transaction() as connection:
        connection.execute("INSERT INTO meta VALUES (?, 'x')", (key,))


def keys(readable):
    return {row[0] for row in readable.rows("SELECT key FROM meta")}


def test_later_edits_do_not_reach_it_and_are_not_held_up(file):
    with file_state.state_of(file) as then:
        write(file, "later")
        assert "later" not in keys(then)
        assert "later" in keys(file)
        with then.reading() as connection:
            assert connection.execute("SELECT count(*) FROM meta").fetchone() == (len(keys(then)),)
    with pytest.raises(ProjectError, match="closed"):
        keys(then)
    then.close()


def test_another_process_sees_the_same_or_says_that_it_cannot(file):
    with file_state.state_of(file) as then:
        assert then.moment is not None
        same = file_state.same_state(then.moment)
        assert same is not None
        assert keys(same) == keys(then)
        same.close()
        assert file_state.same_state(then.moment._replace(last_edit=7)) is None


def test_where_readers_would_hold_writers_up_a_copy_is_read(file):
    with file.reading() as connection:
        connection.execute("PRAGMA journal_mode = TRUNCATE")
    with file_state.state_of(file) as then:
        write(file, "later")
        assert "later" not in keys(then)
        assert then.moment is not None
        assert then.moment.path != file.path
        assert then.moment.path.exists()
    assert not then.moment.path.exists()


def test_a_project_taken_away_is_read_through_what_is_open(file):
    path = file.path.with_name("elsewhere")
    file.path.rename(path)
    with file_state.state_of(file) as then:
        assert then.moment is None
        assert "title" in keys(then)
    path.rename(file.path)


def test_it_can_be_had_of_a_project_that_is_open_for_reading(file):
    reader = open_file(file.path, read_only=True)
    with file_state.state_of(reader) as then:
        write(file, "later")
        assert "later" not in keys(then)
        assert then.moment is not None
    reader.close()
