"""Spelling by the dictionaries of the machine, and by words of the project."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.services import spelling
from annotator.services.background.jobs import JobToken
from annotator.services.project.projects import create_project, open_project
from annotator.services.spelling import Speller, load_speller


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a dictionary of four words, in an encoding of its own."""
    made = tmp_path / "dictionaries"
    made.mkdir()
    aff = "SET ISO8859-1\nTRY esianrtolc\nSFX S Y 1\nSFX S 0 s [^s]\n"
    (made / "de_CH.aff").write_text(aff, "latin-1")
    (made / "de_CH.dic").write_text("4\nTasse/S\nKrüge\nWasser\ngeht's\n", "latin-1")
    (made / "lonely.aff").write_text(aff, "latin-1")
    monkeypatch.setenv("DICPATH", str(made))
    monkeypatch.setattr(spelling, "_FOLDERS", ())
    return made


def _speller(*languages: str, own: tuple[str, ...] = ()) -> Speller:
    found = load_speller(languages, own)
    assert found is not None
    return found


def _wrong(speller: Speller, text: str) -> list[str]:
    return [text[start:end] for start, end in speller.wrong(text)]


def test_words_of_the_system_are_known_and_others_are_found(folder: Path) -> None:
    assert set(spelling.dictionaries()) == {"de_CH"}
    assert spelling.dictionaries()["de_CH"].parent == folder
    speller = _speller("de_CH")
    assert speller.language == "de_CH"
    text = "Zwei Tasses, ein Krüge: geht’s 3x? a_b TASSE Wassser"
    assert _wrong(speller, text) == ["Zwei", "ein", "Wassser"]
    assert speller.suggestions("Wassser")[0] == "Wasser"


def test_the_same_language_elsewhere_will_do_and_english_in_the_end(folder: Path) -> None:
    assert _speller("de_DE").language == "de_CH"
    english = _speller("fr_FR")
    assert english.language == "en_US"
    assert _wrong(english, "It doesn’t brake becaus the cup bounces.") == ["becaus"]
    assert "because" in english.suggestions("becaus")
    assert folder.is_dir()


def test_words_of_the_project_are_right_for_everybody(tmp_path: Path) -> None:
    project = create_project(tmp_path / "p.annot", title="Words")
    for word in ("Moka", "moka", "Tupper"):
        spelling.add_project_word(project.file, word)
    project.close()
    project = open_project(tmp_path / "p.annot")
    words = spelling.project_words(project.file)
    project.close()
    assert words == ("Moka", "moka", "Tupper")
    speller = spelling.loading(["en_US"], words)(JobToken(lambda *_: None))
    assert speller is not None
    assert _wrong(speller, "MOKA tupper Xylop") == ["Xylop"]
    speller.learn("xylop")
    assert _wrong(speller, "Xylop") == []


def test_without_the_package_nothing_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spelling, "_PACKAGE", "no_such_package_at_all")
    assert not spelling.is_available()
    assert load_speller(["en_US"], ()) is None
