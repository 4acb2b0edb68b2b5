"""File > Import > Robot (.urdf): `scene.omi_physics_import_robot`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.base import reports
from omi_physics_addon.blender.panels import menus
from omi_physics_addon.files import differences, source
from omi_physics_addon.formats import files
from omi_physics_addon.issues import Issues
from tests.support import robot_models


def run(path: Path) -> set[str]:
    return bpy.ops.scene.omi_physics_import_robot(filepath=str(path))


def test_a_robot_comes_with_all_that_it_says(tmp_path: Path) -> None:
    assert run(robot_models.write("pan_tilt", tmp_path)) == {"FINISHED"}
    objects: Any = bpy.data.objects
    camera = objects["camera"].omi_physics.motion
    assert (camera.type, round(camera.mass, 6)) == ("DYNAMIC", 0.6)
    assert tuple(objects["yoke"].location) == (0.0, 0.0, 1.0)
    joint = objects["tilt"]
    assert joint.parent == objects["camera"]
    assert joint.omi_physics.joint.connected_object == objects["tilt_parent"]
    assert objects["lens"].omi_physics.collider.shape.type == "CONVEX"
    report = reports.latest("IMPORT")
    assert report is not None
    assert report.file == "pan_tilt.urdf"
    assert "X82" in report.issues.codes()


def test_an_export_of_the_import_is_the_same_robot(tmp_path: Path) -> None:
    path = robot_models.write("pan_tilt", tmp_path)
    run(path)
    exported = tmp_path / "exported.glb"
    bpy.ops.export_scene.gltf(filepath=str(exported), export_extras=True)
    content, beside = files.write(source.read(exported), tmp_path / "back.urdf", Issues())
    assert b'<calibration rising="0" />' in content
    (tmp_path / "back.urdf").write_bytes(content)
    (tmp_path / "back_meshes").mkdir()
    for name, mesh in beside.items():
        (tmp_path / name).write_bytes(mesh)
    both = []
    for each in (path, tmp_path / "back.urdf"):
        from omi_physics_addon.codec.gltf import containers

        container = files.read(each, Issues())
        each.with_suffix(".glb").write_bytes(containers.write(container, container.json))
        both.append(source.read(each.with_suffix(".glb")))
    changes = differences.compare(both[0], both[1], 1e-5).changes
    assert [str(change) for change in changes] == []


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("<robot>", r"r\.urdf:1: the file is no XML"),
        ('<!DOCTYPE r [<!ENTITY a "b">]><robot/>', r"r\.urdf:1: the file declares a document type"),
        ("<sdf/>", r"r\.urdf:1: the root element is <sdf>"),
    ],
)
def test_a_bad_file_is_refused_and_changes_nothing(text: str, why: str, tmp_path: Path) -> None:
    path = tmp_path / "r.urdf"
    path.write_text(text)
    before = set(bpy.data.objects)
    with pytest.raises(RuntimeError, match=why):
        run(path)
    assert set(bpy.data.objects) == before


def test_the_menu_of_imports_has_it() -> None:
    shown: list[str] = []

    class Layout:
        def operator(self, name: str, text: str) -> None:
            shown.append(text)

    class Menu:
        layout = Layout()

    menus.draw_import_menu(Menu(), bpy.context)
    assert "Robot (.urdf)" in shown
