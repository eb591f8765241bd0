"""Attributes in the inspector: shown by object and frame, changed for all selected objects."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QCheckBox, QComboBox, QDialog, QDialogButtonBox, QLineEdit

from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.commands import CreateSegment, CreateTrack
from annotator.domain.geometry import Box
from annotator.domain.ids import segment_id, track_id
from annotator.services.project.projects import create_project
from annotator.services.project.recipes import shipped_recipe
from annotator.ui.dialogs.project.attributes_dialog import AttributesDialog
from annotator.ui.panels.labels_panel import LabelsPanel
from annotator.ui.panels.segment_card import SegmentCard
from tests.e2e.conftest import Desktop

ATTRIBUTES = """
[[attributes]]
key = "material"
title = "Material"
type = "choice"
options = ["glass", "steel"]
shortcut = "Ctrl+Alt+Q"

[[attributes]]
key = "full"
title = "Full"
type = "checkbox"
mutable = true
default = false
shortcut = "B"

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
    assert window.context.projects.open_path(place)
    workspace = window.context.workspace
    assert workspace.project is not None
    (task, *_) = workspace.project.tasks()
    if workspace.project.work.me is not None:
        workspace.sign_in(workspace.project.work.me.id)
    assert workspace.open_task(task.id)
    desktop.settle()
    names = {label: track_id() for label in ("cup", "spoon")}
    for label, name in names.items():
        workspace.run(CreateTrack(name, label, 0, Box(10, 10, 40, 40)))
    workspace.selection.set_tracks([names["spoon"]])
    fields = window.context.panels.inspector.attributes
    desktop.qtbot.waitUntil(lambda: set(fields.fields) == {"is_occluder", "material", "full"})
    workspace.selection.set_tracks([names["spoon"], names["cup"]])
    desktop.qtbot.waitUntil(
        lambda: set(fields.fields) == {"is_occluder", "material", "full", "liters"}
    )
    material, full, liters = (fields.fields[key] for key in ("material", "full", "liters"))
    assert isinstance(material, QComboBox)
    material.setCurrentIndex(material.findData("steel"))
    material.activated.emit(material.currentIndex())
    assert workspace.session is not None
    document = workspace.session.document
    assert {t.info.attributes.get("material") for t in document.tracks} == {"steel"}
    workspace.session.undo()
    assert {t.info.attributes.get("material") for t in document.tracks} == {None}
    assert isinstance(full, QCheckBox)
    full.click()
    assert document.track(names["cup"]).info.attributes["full"] == {"0": True}
    assert isinstance(liters, QLineEdit)
    failed: list[str] = []
    workspace.failed.connect(lambda error: failed.append(str(error)))
    liters.setText("9")
    liters.setModified(True)
    liters.editingFinished.emit()
    assert failed == ["“9” is not a value of “Liters”."]
    liters.setText("1.5")
    liters.setModified(True)
    liters.editingFinished.emit()
    assert document.track(names["cup"]).info.attributes["liters"] == 1.5
    assert "liters" not in document.track(names["spoon"]).info.attributes
    # Their keys do the same; one that an action has works with Ctrl+Alt.
    material_now = {t.info.attributes.get("material") for t in document.tracks}
    assert material_now == {None}
    desktop.press("Ctrl+Alt+Q")
    assert {t.info.attributes.get("material") for t in document.tracks} == {"glass"}
    desktop.press("Ctrl+Alt+Q")
    assert {t.info.attributes.get("material") for t in document.tracks} == {"steel"}
    desktop.press("Ctrl+Alt+B")
    assert document.track(names["cup"]).info.attributes["full"] == {"0": False}
    desktop.press("Ctrl+Alt+B")
    for _ in range(4):
        workspace.session.undo()
    # Shown after the names in the picture only where that is wanted.
    assert {shape.note for shape in window.context.canvas.board.shapes} == {""}
    window.context.table.run("view.attributes")
    assert workspace.settings.flag("canvas.attributes")
    notes = {shape.label: shape.note for shape in window.context.canvas.board.shapes}
    assert notes == {"cup": "Full, 1.5", "spoon": "Full"}
    window.context.table.run("view.attributes")
    assert {shape.note for shape in window.context.canvas.board.shapes} == {""}


def test_attributes_of_segments_are_defined_and_set_in_the_window(
    desktop: Desktop, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desktop.open(project)
    window, workspace = desktop.window, desktop.window.context.workspace
    assert workspace.session is not None
    assert workspace.project is not None

    def define(dialog: AttributesDialog) -> QDialog.DialogCode:
        dialog.add.click()
        ok = dialog.buttons.button(QDialogButtonBox.StandardButton.Ok)
        dialog.key.setText("hand")
        dialog.kind.setCurrentIndex(dialog.kind.findData("choice"))
        dialog.key.textEdited.emit("hand")
        assert not ok.isEnabled()
        assert "needs options" in dialog.problem.text()
        dialog.options.setText("left, right")
        dialog.required.setChecked(True)
        dialog.options.textEdited.emit("")
        assert ok.isEnabled()
        return QDialog.DialogCode.Accepted

    monkeypatch.setattr(AttributesDialog, "exec", define)
    panel = window.findChild(LabelsPanel)
    assert panel is not None
    workspace.labels.set_lane(Lane.ACTION)
    panel._edit_attributes()
    (hand,) = workspace.project.label_set(Lane.ACTION).attributes
    assert (hand.key, hand.options, hand.is_required) == ("hand", ("left", "right"), True)
    ids = [segment_id(), segment_id()]
    for i, name in enumerate(ids):
        workspace.run(CreateSegment(Segment(name, Lane.ACTION, "pour", 5 * i, 5 * i + 4)))
    workspace.selection.set_segments(ids)
    desktop.settle()
    card = window.findChild(SegmentCard)
    assert card is not None
    desktop.qtbot.waitUntil(lambda: set(card.attributes.fields) == {"hand"})
    field = card.attributes.fields["hand"]
    assert isinstance(field, QComboBox)
    field.setCurrentIndex(field.findData("right"))
    field.activated.emit(field.currentIndex())
    document = workspace.session.document
    assert [s.attributes for s in document.segments] == [{"hand": "right"}] * 2
    workspace.session.undo()
    assert [s.attributes for s in document.segments] == [{}] * 2


@pytest.mark.parametrize(("n_frames", "words"), [(1, "1 frame"), (4, "4 frames")])
def test_a_segment_tells_its_length(
    desktop: Desktop, project: Path, n_frames: int, words: str
) -> None:
    desktop.open(project)
    workspace = desktop.window.context.workspace
    name = segment_id()
    workspace.run(CreateSegment(Segment(name, Lane.ACTION, "pour", 5, 5 + n_frames)))
    workspace.selection.set_segments([name])
    card = desktop.window.findChild(SegmentCard)
    assert card is not None
    desktop.qtbot.waitUntil(lambda: card._length.text().endswith(f" s  ·  {words}"))
