"""Entries that objects bring into other scenes and files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.base import reports
from omi_physics_addon.blender.host import export_check
from omi_physics_addon.blender.properties import entries, names
from tests.blender.support.scenes import add, add_collider, body, cube_mesh, node

LISTS = tuple(entries.TREES)


@pytest.fixture(autouse=True)
def _errors_do_not_matter(monkeypatch) -> None:
    """The joints here are connected to themselves."""
    monkeypatch.setattr(export_check, "why_not", lambda _issues: "")


def in_scene(name: str) -> Any:
    """Make a new scene the one that is shown."""
    scene = bpy.data.scenes.new(name)
    bpy.context.window.scene = scene
    return scene


def fill(scene: Any, restitution: float = 0.5) -> list[str]:
    """Put an entry of one name in files into every list of a scene; their names in Blender."""
    lists = scene.omi_physics
    material = names.add(lists.physics_materials, "Ice")
    material.restitution = restitution
    one = names.add(lists.collision_filters, "Ice")
    one.collision_systems.add().name = "a"
    joint = names.add(lists.joint_settings, "Ice")
    limit = joint.limits.add()
    limit.kind, limit.axes = "LINEAR", (True, False, True)
    limit.use_max, limit.max_distance = True, restitution
    return [material.name, one.name, joint.name]


def icy(found: list[str], name: str = "Cube") -> Any:
    """An object that has something of every list."""
    obj = add(name, cube_mesh())
    add_collider(obj)
    group = obj.omi_physics
    group.collider.physics_material, group.collider.collision_filter, group.joint.settings = found
    group.use_joint = True
    group.joint.connected_object = obj  # It is in every scene that the joint is in.
    return obj


def told(code: str) -> list[tuple[str, str]]:
    issues = reports.latest("EXPORT").issues
    return [(issue.pointer, issue.message) for issue in issues if issue.code == code]


def restitutions(gltf: dict[str, Any]) -> list[float]:
    lists = gltf["extensions"]["OMI_physics_body"].get("physicsMaterials", [])
    return [material["restitution"] for material in lists]


def complete(gltf: dict[str, Any], name: str = "Cube", restitution: float = 0.5) -> None:
    """Everything that an object has is in a file, and nothing is told."""
    collider = body(gltf, name)["collider"]
    assert collider == {"shape": 0, "physicsMaterial": 0, "collisionFilter": 0}
    assert restitutions(gltf) == [restitution]
    assert node(gltf, name)["extensions"]["OMI_physics_joint"]["joint"] == 0
    # Blender's Y is glTF's Z, and backwards.
    limits = [{"linearAxes": [0, 1], "max": restitution}]
    assert gltf["extensions"]["OMI_physics_joint"]["physicsJoints"] == [
        {"limits": limits, "name": "Ice"}
    ]
    assert told("X05") == []


def test_a_linked_duplicate_keeps_what_it_has_in_the_first_scene(export):
    obj = icy(fill(bpy.context.scene))
    in_scene("Second").collection.objects.link(obj)
    complete(export(use_active_scene=True))


def test_both_scenes_in_one_file_share_the_entry(export):
    obj = icy(fill(bpy.context.scene))
    in_scene("Second").collection.objects.link(obj)
    gltf = export(use_active_scene=False)
    assert len(gltf["scenes"]) == 2
    assert restitutions(gltf) == [0.5]
    assert len(gltf["extensions"]["OMI_physics_joint"]["physicsJoints"]) == 1


def test_a_copy_in_another_scene_keeps_it(export):
    copy = icy(fill(bpy.context.scene)).copy()
    in_scene("Second").collection.objects.link(copy)
    complete(export(use_active_scene=True), copy.name)


def test_the_entry_of_an_object_is_its_own_whatever_the_scene_has(export):
    obj = icy(fill(bpy.context.scene))
    second = in_scene("Second")
    fill(second, 0.25)
    second.collection.objects.link(obj)
    complete(export(use_active_scene=True))


@pytest.mark.parametrize("kind", ["LINK_COPY", "FULL_COPY"])
def test_copies_of_a_scene_keep_all(kind, export):
    bpy.context.scene.collection.objects.link(icy(fill(bpy.context.scene)).copy())
    first = bpy.context.scene
    bpy.ops.scene.new(type=kind)
    bpy.data.scenes.remove(first)
    assert all(len(getattr(bpy.context.scene.omi_physics, name)) == 1 for name in LISTS)
    gltf = export(use_active_scene=True)
    assert restitutions(gltf) == [0.5]
    assert told("X05") == []


def saved(path: Path) -> str:
    """A file with an object that has something of every list; what is open then is empty."""
    icy(fill(bpy.context.scene))
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.read_homefile(use_empty=True)
    return str(path)


@pytest.mark.parametrize("way", ["append", "link", "override", "local", "write"])
def test_an_object_of_another_file_brings_all(way, export, tmp_path: Path):
    path = saved(tmp_path / "source.blend")
    if way == "write":
        with bpy.data.libraries.load(path) as (_source, target):
            target.objects = ["Cube"]
        path = str(tmp_path / "written.blend")
        bpy.data.libraries.write(path, {bpy.data.objects["Cube"]})
        bpy.ops.wm.read_homefile(use_empty=True)
    is_link = way in ("link", "override", "local")
    with bpy.data.libraries.load(path, link=is_link) as (_source, target):
        target.objects = ["Cube"]
    obj = bpy.data.objects["Cube"]
    if way == "override":
        obj = obj.override_create()
    elif way == "local":
        obj = obj.make_local()
    bpy.context.scene.collection.objects.link(obj)
    complete(export())


def test_other_values_of_the_same_name_stay_apart(export, tmp_path: Path):
    path = saved(tmp_path / "source.blend")
    icy(fill(bpy.context.scene, 0.25), "Ours")
    with bpy.data.libraries.load(path) as (_source, target):
        target.objects = ["Cube"]
    bpy.context.scene.collection.objects.link(bpy.data.objects["Cube"])
    assert sorted(restitutions(export())) == [0.25, 0.5]


def test_an_instance_of_a_collection_of_another_scene(export):
    collection = bpy.data.collections.new("Parts")
    bpy.context.scene.collection.children.link(collection)
    obj = icy(fill(bpy.context.scene))
    bpy.context.scene.collection.objects.unlink(obj)
    collection.objects.link(obj)
    in_scene("Second")
    instance = add("Instance")
    instance.instance_type, instance.instance_collection = "COLLECTION", collection
    assert restitutions(export(use_active_scene=True)) == [0.5]


def test_a_new_name_is_that_of_every_user(tmp_path: Path):
    path = saved(tmp_path / "source.blend")
    with bpy.data.libraries.load(path, link=True) as (_source, target):
        target.objects = ["Cube"]
    theirs = bpy.data.objects["Cube"].omi_physics.collider
    ours = icy(fill(bpy.context.scene), "Ours").omi_physics.collider
    copy = bpy.data.objects["Ours"].copy().omi_physics.collider
    bpy.context.scene.omi_physics.physics_materials[0].name = "Snow"
    assert (ours.physics_material, copy.physics_material) == ("Snow", "Snow")
    assert theirs.physics_material == "Ice [source.blend]"
