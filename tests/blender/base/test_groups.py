"""That objects without physics carry nothing of ours, whatever is done around them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.authoring import missing_colliders
from omi_physics_addon.blender.base import changes, compat, groups, roles
from omi_physics_addon.blender.live import watch
from omi_physics_addon.blender.panels.sidebar import sidebar_physics
from omi_physics_addon.blender.properties.objects import VERSION
from omi_physics_addon.blender.scene import newcomers
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh


def carrying() -> set[str]:
    return {obj.name for obj in bpy.data.objects if groups.is_stored(obj)}


@pytest.fixture(params=[False, True], ids=["plain", "beside a body"])
def crowd(request) -> set[str]:
    """Names of the objects that have physics, beside twelve that have none."""
    mesh = cube_mesh()
    parent = None
    for index in range(12):
        parent = add(f"Plain {index}", mesh, parent=parent if index % 2 else None)
    if not request.param:
        return set()
    body = add("Body", mesh)
    add_body(body)
    add_collider(body)
    add("Below", mesh, parent=body)
    return {"Body"}


def test_edits_saving_and_opening_make_no_groups(crowd, tmp_path):
    path = str(tmp_path / "plain.blend")
    bpy.context.view_layer.update()
    for obj in bpy.data.objects:
        obj.location.x += 1.0
    bpy.context.view_layer.update()
    bpy.ops.ed.undo_push(message="Moved")
    watch.run(bpy.context.scene)
    copy = bpy.data.objects["Plain 1"].copy()
    bpy.context.scene.collection.objects.link(copy)
    bpy.context.view_layer.update()
    assert carrying() == crowd
    bpy.ops.wm.save_as_mainfile(filepath=path)
    assert carrying() == crowd
    bpy.ops.wm.open_mainfile(filepath=path)
    watch.run(bpy.context.scene)
    assert carrying() == crowd


def test_exports_imports_checks_and_previews_make_no_groups(crowd, tmp_path, stopped_preview):
    path = str(tmp_path / "plain.glb")
    scene = bpy.context.scene
    scene.gravity = (0.0, 0.0, -1.6)  # Which looks for what falls,
    scene.omi_physics.physics_materials.add().name = "Unused"  # and this for who uses it.
    bpy.ops.export_scene.gltf(filepath=path)
    bpy.ops.scene.omi_physics_check()
    if crowd:
        assert bpy.ops.scene.omi_physics_preview_start() == {"FINISHED"}
        bpy.ops.scene.omi_physics_preview_stop()
    sidebar_physics.chosen_of(bpy.context)
    missing_colliders._look(scene)
    assert carrying() == crowd
    bpy.ops.import_scene.gltf(filepath=path)
    assert {name.partition(".")[0] for name in carrying()} == crowd


def same(group: Any, other: Any) -> None:
    """Compare all values of a group with what is read in place of one."""
    for prop in group.bl_rna.properties:
        name = prop.identifier
        if name in {"rna_type", "name"}:
            continue
        value, read = getattr(group, name), getattr(other, name)
        if isinstance(value, bpy.types.PropertyGroup):
            same(value, read)
        elif prop.type == "COLLECTION":
            assert (len(value), len(read)) == (0, 0)
        elif getattr(prop, "is_array", False):
            assert tuple(value) == pytest.approx(read), name
        else:
            assert value == read, name
        assert not other.is_property_set(name)


def test_what_is_read_of_a_plain_object_is_what_a_new_group_says():
    plain, other = add("Plain"), add("Other")
    read = groups.read(plain)
    assert not groups.is_stored(plain)
    same(groups.of_object(other), read)
    assert groups.is_stored(other)
    assert groups.read(other) == groups.of_object(other)


def test_nothing_is_set_where_there_is_no_group():
    read = groups.read(add("Plain"))
    with pytest.raises(AttributeError, match="'use_motion' of an object without physics"):
        read.use_motion = True
    with pytest.raises(AttributeError, match="no 'use_wings'"):
        _ = read.use_wings


@pytest.mark.parametrize("part", ["motion", "collider", "trigger", "joint", "seat", "wheel"])
def test_the_first_part_notes_the_version_of_the_data(part):
    """Where files are written without being saved, too: Blender calls nothing for libraries."""
    obj = add("Tagged")
    setattr(obj.omi_physics, f"use_{part}", True)
    assert obj.omi_physics.version == VERSION
    obj.omi_physics.version = VERSION + 6  # As a newer version of the add-on has it.
    obj.omi_physics.use_hover_thruster = True
    assert obj.omi_physics.version == VERSION + 6


@pytest.fixture
def walks(monkeypatch) -> list[Any]:
    """A list that gets a row whenever something goes through what an update is about."""
    found: list[Any] = []
    look = changes.updates

    def counted(depsgraph: Any) -> list[Any]:
        found.append(depsgraph)
        return look(depsgraph)

    monkeypatch.setattr(changes, "updates", counted)
    return found


def moved(obj: Any) -> None:
    obj.location.x += 1.0
    bpy.context.view_layer.update()


def saved_body(folder: Path) -> str:
    """The path of a file that has a body; the one that is open is empty then."""
    bpy.ops.wm.read_homefile(use_empty=True)
    add_body(add("Body", cube_mesh()))
    path = str(folder / "body.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_empty=True)
    return path


def test_moves_in_a_file_without_physics_are_not_looked_at(walks):
    bpy.ops.wm.read_homefile(use_empty=True)
    plain = add("Plain", cube_mesh())
    moved(plain)
    assert not groups.file_has_physics()
    assert walks == []
    plain.omi_physics.use_motion = True  # As a script does.
    moved(plain)
    assert walks


def test_a_file_that_was_opened_is_looked_through_once(walks, tmp_path):
    path = saved_body(tmp_path)
    assert not groups.file_has_physics()
    bpy.ops.wm.open_mainfile(filepath=path)
    assert groups.file_has_physics()
    walks.clear()
    moved(bpy.data.objects["Body"])
    assert walks


@pytest.mark.skipif(not compat.TELLS_IMPORTS, reason="4.2 does not tell what is appended")
def test_a_file_without_physics_is_not_looked_at_again(monkeypatch):
    bpy.ops.wm.read_homefile(use_empty=True)
    assert not groups.file_has_physics()
    monkeypatch.setattr(groups, "bpy", None)
    assert not groups.file_has_physics()


@pytest.mark.parametrize("link", [False, True], ids=["appended", "linked"])
def test_physics_that_comes_from_another_file_is_seen(link, tmp_path):
    path = saved_body(tmp_path)
    plain = add("Plain", cube_mesh())
    assert not groups.file_has_physics()
    with bpy.data.libraries.load(path, link=link) as (_, wanted):
        wanted.objects = ["Body"]
    moved(plain)
    newcomers.catch_up()
    assert groups.file_has_physics()


def test_a_body_that_undo_brings_back_is_seen(tmp_path):
    path = saved_body(tmp_path)
    bpy.ops.ed.undo_push(message="Start")
    add_body(add("Body", cube_mesh()))
    bpy.ops.ed.undo_push(message="Add")
    bpy.data.objects.remove(bpy.data.objects["Body"])
    bpy.ops.ed.undo_push(message="Delete")
    with bpy.data.libraries.load(path) as (_, wanted):
        wanted.meshes = ["Cube"]
    newcomers.take_up((), (), ())
    assert not groups.file_has_physics()
    bpy.ops.ed.undo_push(message="Append")
    bpy.ops.ed.undo()
    bpy.ops.ed.undo()
    assert "Body" in bpy.data.objects
    assert groups.file_has_physics()


def test_a_body_is_seen_that_is_appended_from_where_something_plain_was(tmp_path):
    """In 4.2 nothing tells that it came."""
    bpy.ops.wm.read_homefile(use_empty=True)
    add("Plain", cube_mesh())
    add_body(add("Body", cube_mesh()))
    path = str(tmp_path / "both.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_empty=True)
    for name in ("Plain", "Body"):
        with bpy.data.libraries.load(path) as (_, wanted):
            wanted.objects = [name]
        bpy.context.view_layer.update()
        newcomers.catch_up()
        assert groups.file_has_physics() == (name == "Body")


def test_an_object_without_physics_has_no_parts():
    assert roles.parts_of(add("Plain", cube_mesh())) == []


def test_a_list_of_a_scene_is_drawn_anew_without_any_object_with_physics():
    bpy.ops.wm.read_homefile(use_empty=True)
    assert not groups.file_has_physics()
    bpy.ops.scene.omi_physics_add_physics_material()
    assert groups.file_has_physics()
