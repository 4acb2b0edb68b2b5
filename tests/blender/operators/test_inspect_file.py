"""File > Import > Inspect glTF Physics: `scene.omi_physics_inspect`."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.operators import inspect_file
from omi_physics_addon.blender.panels import menus
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh
from tools import environment

JOINTS = environment.ROOT / "examples" / "joints.glb"


class Layout:
    """Notes what is drawn."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.buttons: list[SimpleNamespace] = []

    def label(self, text: str, translate: bool = True) -> None:
        self.texts.append(text)

    def separator(self) -> None:
        """Nothing to note."""

    def operator(self, idname: str, **options: str) -> SimpleNamespace:
        self.buttons.append(SimpleNamespace(idname=idname, **options))
        return self.buttons[-1]


def test_a_file_is_told_and_nothing_is_imported():
    before = set(bpy.data.objects)
    assert bpy.ops.scene.omi_physics_inspect(filepath=str(JOINTS)) == {"FINISHED"}
    assert set(bpy.data.objects) == before


def test_what_is_no_gltf_is_refused_with_its_name(tmp_path):
    path = tmp_path / "none.glb"
    with pytest.raises(RuntimeError, match=r"cannot read .*none\.glb"):
        bpy.ops.scene.omi_physics_inspect(filepath=str(path))
    path.write_bytes(b"no glTF")
    with pytest.raises(RuntimeError, match=r"none\.glb: the text is not JSON"):
        bpy.ops.scene.omi_physics_inspect(filepath=str(path))


def test_the_popup_has_the_first_lines_and_a_page():
    found, page = inspect_file.inspect(JOINTS)
    layout = Layout()
    inspect_file.draw(layout, found, page)
    assert layout.texts[0].startswith("extensions: OMI_physics_body")
    assert layout.texts[-1].startswith("… and ")
    assert max(map(len, layout.texts)) <= 96
    (button,) = layout.buttons
    assert (button.idname, button.url) == ("wm.url_open", page.as_uri())
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert page.parent == Path(bpy.app.tempdir)


def test_of_the_scene_it_tells_what_an_export_would_write(monkeypatch):
    crate = add("Crate", cube_mesh())
    add_body(crate)
    add_collider(crate)
    crate.omi_physics.motion.mass = 0.0  # An error, with which an export writes nothing.
    before = {*Path(bpy.app.tempdir).rglob("*.glb")}
    told = list[Any]()
    real = inspect_file.inspect
    monkeypatch.setattr(inspect_file, "inspect", lambda path: told.append(real(path)) or told[-1])
    assert bpy.ops.scene.omi_physics_inspect_export() == {"FINISHED"}
    ((found, page),) = told
    assert (found.name, found.cost.bodies, found.cost.shapes) == ("untitled.glb", 1, 1)
    assert page.is_file()
    assert {*Path(bpy.app.tempdir).rglob("*.glb")} == before
    assert not bpy.context.scene.omi_physics.export.write_anyway


def test_it_is_in_the_menu_of_imports():
    layout = Layout()
    menus.draw_import_menu(SimpleNamespace(layout=layout), bpy.context)
    assert "scene.omi_physics_inspect" in [button.idname for button in layout.buttons]
