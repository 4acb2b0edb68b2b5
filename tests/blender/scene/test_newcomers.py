"""Parts of library overrides refer to each other, though their library got links later."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import pytest

from tests.blender.support.scenes import add, cube_mesh

LINKS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "joint": (lambda group: group.joint, "connected_object"),
    "seat": (lambda group: group.vehicle_body, "pilot_seat"),
    "curve": (lambda group: group.gravity.line, "curve"),
    "mesh of a collider": (lambda group: group.collider.shape, "mesh_object"),
    "mesh of a trigger": (lambda group: group.trigger.shape, "mesh_object"),
    "mesh of gravity": (lambda group: group.gravity.shaped.shape, "mesh_object"),
    "listed trigger": (lambda group: group.trigger.nodes[0], "object"),
    "counterpart": (lambda group: group, "counterpart"),
}


def library(path: Path, kind: str = "") -> None:
    """Save an asset of two objects, the first of which refers to the second one."""
    bpy.ops.wm.read_homefile(use_empty=True)
    parts = bpy.data.collections.new("Parts")
    bpy.context.scene.collection.children.link(parts)
    first = add("First", collection=parts).omi_physics
    curve = bpy.data.curves.new("Second", "CURVE") if kind == "curve" else cube_mesh("Second")
    second = add("Second", curve, collection=parts)
    if kind:
        first.trigger.nodes.add()
        where, name = LINKS[kind]
        setattr(where(first), name, second)
    bpy.ops.wm.save_as_mainfile(filepath=str(path))


def user(path: Path, of: Path) -> None:
    """Save a file with an override of the asset."""
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(str(of), link=True) as (_source, target):
        target.collections = ["Parts"]
    scene = bpy.context.scene
    (parts,) = target.collections
    scene.collection.children.link(parts)
    parts.override_hierarchy_create(scene, bpy.context.view_layer)
    bpy.ops.wm.save_as_mainfile(filepath=str(path))


def referred(path: Path, kind: str) -> tuple[str, bool]:
    """What the override refers to once the file is open, and whether it is an override, too."""
    bpy.ops.wm.open_mainfile(filepath=str(path))
    first = next(o for o in bpy.data.objects if o.name == "First" and o.override_library)
    where, name = LINKS[kind]
    second = getattr(where(first.omi_physics), name)
    return second.name, second.override_library is not None


@pytest.mark.parametrize("kind", LINKS)
def test_links_lead_to_overrides_when_a_file_is_opened(kind, tmp_path: Path):
    library(tmp_path / "asset.blend", kind)
    user(tmp_path / "user.blend", tmp_path / "asset.blend")
    assert referred(tmp_path / "user.blend", kind) == ("Second", True)


@pytest.mark.parametrize("kind", LINKS)
def test_so_do_those_that_the_library_got_since(kind, tmp_path: Path):
    library(tmp_path / "asset.blend")
    user(tmp_path / "user.blend", tmp_path / "asset.blend")
    library(tmp_path / "asset.blend", kind)
    assert referred(tmp_path / "user.blend", kind) == ("Second", True)


def test_what_no_hierarchy_has_stays(tmp_path: Path):
    """An override of one object only is held to the linked one, which may be in the scene."""
    library(tmp_path / "asset.blend", "joint")
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(str(tmp_path / "asset.blend"), link=True) as (_source, target):
        target.objects = ["First", "Second"]
    for obj in target.objects:
        bpy.context.scene.collection.objects.link(obj.override_create())
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "user.blend"))
    assert referred(tmp_path / "user.blend", "joint") == ("Second", False)
