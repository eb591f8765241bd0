"""Attributes in the inspector: shown by object and frame, changed for all selected objects."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit

from annotator.domain.commands import CreateTrack
from annotator.domain.geometry import Box
from annotator.domain.ids import track_id
from annotator.services.project.projects import create_project
from annotator.services.project.recipes import shipped_recipe
from tests.e2e.conftest import Desktop

ATTRIBUTES = """
[[attributes]]
key = "material"
title = "Material"
type = "choice"
options = ["glass", "steel"]

[[attributes]]
key = "full"
title = "Full"
type = "checkbox"
mutable = true
default = false

[[attributes]]
key = "liters"
title = "Liters"
type = "number"
low = 0
high = 2
labels = ["cup"]
"""


def test_fields_follow_the_object_and_change_all_selected(
    desktop: Desktop, tmp_path: Path, clip: Path
) -> None:
    made = create_project(tmp_path / "a", title="A", recipe="perception-test")
    recipe = shipped_recipe("perception-test").replace("version = 1", "version = 2", 1)
    made.work.use_recipe(recipe + ATTRIBUTES)
    made.add_videos([clip])
    place = made.path
    made.close()
    window = desktop.window
    assert window.projects.open_path(place)
    desk = window.desk
    assert desk.project is not None
    (task, *_) = desk.project.tasks()
    if desk.project.work.me is not None:
        desk.sign_in(desk.project.work.me.id)
    assert desk.open_task(task.id)
    desktop.settle()
    names = {label: track_id() for label in ("cup", "spoon")}
    for label, name in names.items():
        desk.run(CreateTrack(name, label, 0, Box(10, 10, 40, 40)))
    desk.selection.set_tracks([names["spoon"]])
    fields = window.inspector.attributes
    desktop.qtbot.waitUntil(lambda: set(fields.fields) == {"is_occluder", "material", "full"})
    desk.selection.set_tracks([names["spoon"], names["cup"]])
    desktop.qtbot.waitUntil(
        lambda: set(fields.fields) == {"is_occluder", "material", "full", "liters"}
    )
    material, full, liters = (fields.fields[key] for key in ("material", "full", "liters"))
    assert isinstance(material, QComboBox)
    material.setCurrentIndex(material.findData("steel"))
    material.activated.emit(material.currentIndex())
    assert desk.session is not None
    document = desk.session.document
    assert {t.info.attributes.get("material") for t in document.tracks} == {"steel"}
    desk.session.undo()
    assert {t.info.attributes.get("material") for t in document.tracks} == {None}
    assert isinstance(full, QCheckBox)
    full.click()
    assert document.track(names["cup"]).info.attributes["full"] == {"0": True}
    assert isinstance(liters, QLineEdit)
    failed: list[str] = []
    desk.failed.connect(lambda error: failed.append(str(error)))
    liters.setText("9")
    liters.setModified(True)
    liters.editingFinished.emit()
    assert failed == ["“9” is not a value of “Liters”."]
    liters.setText("1.5")
    liters.setModified(True)
    liters.editingFinished.emit()
    assert document.track(names["cup"]).info.attributes["liters"] == 1.5
    assert "liters" not in document.track(names["spoon"]).info.attributes
