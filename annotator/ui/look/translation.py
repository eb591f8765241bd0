"""The window's texts in other languages, read from the files that translators fill in."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QLibraryInfo, QLocale, QObject, QTranslator
from PySide6.QtWidgets import QApplication

from annotator import paths

_FOLDER: Final = "i18n"


class TextTranslator(QTranslator):
    """Translates by a table; missing texts stay English."""

    def __init__(self, texts: dict[tuple[str, str], str], parent: QObject | None = None) -> None:
        """``texts`` maps a context and an English text to the text in another language."""
        super().__init__(parent)
        self._texts = texts

    def isEmpty(self) -> bool:
        return not self._texts

    def translate(
        self,
        context: str | bytes | bytearray | memoryview,
        source: str | bytes | bytearray | memoryview,
        disambiguation: str | bytes | bytearray | memoryview | None = None,
        n: int = -1,
    ) -> str:
        # None lets Qt ask the next translator. An empty text would be shown.
        return self._texts.get((str(context), str(source)))  # type: ignore[return-value]


def install(application: QApplication, languages: list[str] | None = None) -> bool:
    """Use the first of the person's languages that there is a file for; False: none but English.

    ``languages`` are names like "de" or "pt-BR"; the system's where it is None.
    """
    for language in languages or QLocale.system().uiLanguages():
        name = language.replace("-", "_")
        if name.split("_")[0] == "en":
            return False
        for candidate in (name, name.split("_")[0]):
            path = paths.resource(_FOLDER, f"annotator_{candidate}.ts")
            if path.is_file():
                _install_qts_own(application, candidate)
                return application.installTranslator(TextTranslator(read_texts(path), application))
    return False


def _install_qts_own(application: QApplication, language: str) -> None:
    """Let Qt's own texts ("Cancel") be of the same language, where it has them."""
    own = QTranslator(application)
    folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    if own.load(f"qtbase_{language}", folder):
        application.installTranslator(own)


def read_texts(path: Path) -> dict[tuple[str, str], str]:
    """Read the finished entries of a translators' file, by context and English text."""
    from xml.etree import ElementTree

    found = {}
    for context in ElementTree.parse(path).getroot().iter("context"):
        name = context.findtext("name", "")
        for message in context.iter("message"):
            translation = message.find("translation")
            if translation is None or translation.get("type") is not None or not translation.text:
                continue
            found[name, message.findtext("source", "")] = translation.text
    return found
