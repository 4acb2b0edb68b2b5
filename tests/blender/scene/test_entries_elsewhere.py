"""Objects in a scene whose lists lack the names that they have for materials and the like."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.base import reports
from omi_physics_addon.blender.host import export_check
from omi_physics_addon.blender.properties import names
from tests.blender.support.scenes import add, add_collider, body, cube_mesh, node

LISTS = ("physics_materials", "collision_filters", "joint_settings")


@pytest.fixture(autouse=True)
def _errors_do_not_matter(monkeypatch) -> None:
    """The joints here are connected to themselves."""
    monkeypatch.setattr(export_check, "why_not", lambda _issues: "")


def in_scene(name: str) -> Any:
    """Make a new scene the one that is shown."""
    scene = bpy.data.scenes.new(name)
    bpy.context.window.scene = scene
    return scene


def fill(scene: Any, restitution: float = 0.5) -> None:
    """Put an entry of one name into every list of a scene."""
    lists = scene.omi_physics
    names.add(lists.physics_materials, "Ice").restitution = restitution
    names.add(lists.collision_filters, "Ice").collision_systems.add().name = "a"
    limit = names.add(lists.joint_settings, "Ice").limits.add()
    limit.kind, limit.axes = "LINEAR", (True, False, True)
    limit.use_max, limit.max_distance = True, restitution


def icy(name: str = "Cube") -> Any:
    """An object that has something of every list."""
    obj = add(name, cube_mesh())
    add_collider(obj)
    obj.omi_physics.collider.physics_material = "Ice"
    obj.omi_physics.collider.collision_filter = "Ice"
    obj.omi_physics.use_joint = True
    obj.omi_physics.joint.settings = "Ice"
    obj.omi_physics.joint.connected_object = obj  # It is in every scene that the joint is in.
    return obj


def told(code: str) -> list[tuple[str, str]]:
    issues = reports.latest("EXPORT").issues
    return [(issue.pointer, issue.message) for issue in issues if issue.code == code]


def restitutions(gltf: dict[str, Any]) -> list[float]:
    lists = gltf["extensions"]["OMI_physics_body"].get("physicsMaterials", [])
    return [material["restitution"] for material in lists]


def test_a_linked_duplicate_keeps_what_it_has_in_the_first_scene(export):
    fill(bpy.context.scene)
    first = bpy.context.scene
    obj = icy()
    in_scene("Second").collection.objects.link(obj)
    gltf = export(use_active_scene=True)
    collider = body(gltf, "Cube")["collider"]
    assert collider == {"shape": 0, "physicsMaterial": 0, "collisionFilter": 0}
    assert restitutions(gltf) == [0.5]
    joint = node(gltf, "Cube")["extensions"]["OMI_physics_joint"]
    assert joint["joint"] == 0
    # Blender's Y is glTF's Z, and backwards.
    limits = [{"linearAxes": [0, 1], "max": 0.5}]
    assert gltf["extensions"]["OMI_physics_joint"]["physicsJoints"] == [
        {"limits": limits, "name": "Ice"}
    ]
    assert told("X05") == []
    found = told("X14")
    assert {pointer for pointer, _ in found} == {"Cube"}
    assert len(found) == 3
    assert (
        f"'Ice' is not among the physics materials of the scene; that of {first.name}"
        in (found[0][1])
    )


def test_both_scenes_in_one_file_share_the_entry(export):
    fill(bpy.context.scene)
    obj = icy()
    in_scene("Second").collection.objects.link(obj)
    gltf = export(use_active_scene=False)
    assert len(gltf["scenes"]) == 2
    assert restitutions(gltf) == [0.5]
    assert len(gltf["extensions"]["OMI_physics_joint"]["physicsJoints"]) == 1


def test_a_copy_in_another_scene_finds_the_only_entry_of_that_name(export):
    fill(bpy.context.scene)
    copy = icy().copy()
    in_scene("Second").collection.objects.link(copy)
    gltf = export(use_active_scene=True)
    assert restitutions(gltf) == [0.5]
    assert {pointer for pointer, _ in told("X14")} == {copy.name}


def test_the_own_list_comes_first(export):
    fill(bpy.context.scene)
    obj = icy()
    second = in_scene("Second")
    fill(second, 0.25)
    second.collection.objects.link(obj)
    assert restitutions(export(use_active_scene=True)) == [0.25]
    assert told("X14") == []


def test_of_several_scenes_that_with_the_object_is_asked(export):
    fill(bpy.context.scene)
    obj = icy()
    fill(in_scene("Other"), 0.25)
    in_scene("Third").collection.objects.link(obj)
    assert restitutions(export(use_active_scene=True)) == [0.5]
    assert told("X05") == []


def test_scenes_that_say_the_same_are_both_right(export):
    fill(bpy.context.scene)
    copy = icy().copy()
    fill(in_scene("Other"))
    in_scene("Third").collection.objects.link(copy)
    assert restitutions(export(use_active_scene=True)) == [0.5]
    assert told("X14")[0][1].endswith("that of Other is taken")


def test_scenes_that_say_different_things_are_told_with_the_object(export):
    first = bpy.context.scene
    fill(first)
    copies = [icy(name).copy() for name in ("A", "B")]
    fill(in_scene("Other"), 0.25)
    third = in_scene("Third")
    for copy in copies:
        third.collection.objects.link(copy)
    gltf = export(use_active_scene=True)
    assert body(gltf, copies[0].name)["collider"] == {"shape": 0, "collisionFilter": 0}
    assert "physicsMaterials" not in gltf["extensions"]["OMI_physics_body"]
    lost = told("X05")
    assert sorted({pointer for pointer, _ in lost}) == sorted(copy.name for copy in copies)
    assert any(f"those of Other and {first.name} differ" in message for _, message in lost)
    assert any("the joint is not written" in message for _, message in lost)
    # The filters are the same in both.
    assert all("collision filters" in message for _, message in told("X14"))


@pytest.mark.parametrize("link", [True, False], ids=["linked", "appended"])
def test_an_object_of_another_file_is_told_by_its_name(link, export, tmp_path: Path):
    path = tmp_path / "source.blend"
    fill(bpy.context.scene)
    icy()
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(str(path), link=link) as (_source, target):
        target.objects = ["Cube"]
    bpy.context.scene.collection.objects.link(bpy.data.objects["Cube"])
    gltf = export()
    assert body(gltf, "Cube")["collider"] == {"shape": 0}
    lost = told("X05")
    assert [pointer for pointer, _ in lost] == ["Cube"] * 3
    assert [what for what in LISTS if any(what.replace("_", " ") in m for _, m in lost)] == [*LISTS]


def test_an_instance_of_a_collection_of_another_scene(export):
    fill(bpy.context.scene)
    collection = bpy.data.collections.new("Parts")
    bpy.context.scene.collection.children.link(collection)
    obj = icy()
    bpy.context.scene.collection.objects.unlink(obj)
    collection.objects.link(obj)
    in_scene("Second")
    instance = add("Instance")
    instance.instance_type, instance.instance_collection = "COLLECTION", collection
    assert restitutions(export(use_active_scene=True)) == [0.5]


def borrowed(tmp_path: Path, override: bool) -> Any:
    """An object of another file, or a library override of it, that uses all entries."""
    path = tmp_path / "source.blend"
    fill(bpy.context.scene)
    icy()
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(str(path), link=True) as (_source, target):
        target.objects = ["Cube"]
    obj = bpy.data.objects["Cube"]
    if override:
        obj = obj.override_create()
    bpy.context.scene.collection.objects.link(obj)
    return obj


USERS = (("collider", "physics_material"), ("collider", "collision_filter"), ("joint", "settings"))


def used(obj: Any) -> list[str]:
    return [getattr(getattr(obj.omi_physics, part), name) for part, name in USERS]


@pytest.mark.parametrize("override", [False, True], ids=["linked", "override"])
def test_renaming_leaves_objects_of_other_files_alone(override, tmp_path: Path, monkeypatch):
    theirs = borrowed(tmp_path, override)
    fill(bpy.context.scene)
    ours = icy("Ours")
    told: list[tuple[list[str], str]] = []
    monkeypatch.setattr(names, "tell_left", lambda _c, left, old, _new: told.append((left, old)))
    for list_name in LISTS:
        getattr(bpy.context.scene.omi_physics, list_name)[0].name = "Snow"
    assert used(ours) == ["Snow"] * 3
    assert used(theirs) == ["Ice"] * 3
    assert told == [([theirs.name], "Ice")] * 3


def test_what_renaming_leaves_alone_is_told_in_words(monkeypatch):
    shown: list[tuple[str, list[str]]] = []

    def popup_menu(draw: Any, title: str, icon: str) -> None:
        lines: list[str] = []
        layout = SimpleNamespace(label=lambda text, translate: lines.append(text))
        draw(SimpleNamespace(layout=layout), None)
        shown.append((title, lines))

    context: Any = SimpleNamespace(window_manager=SimpleNamespace(popup_menu=popup_menu))
    names.tell_left(context, ["A", "B"], "Ice", "Snow")
    assert shown == []  # Nobody is there to read it.
    monkeypatch.setattr(names, "is_watched", lambda: True)
    names.tell_left(context, [f"Part {i}" for i in range(9)], "Ice", "Snow")
    assert shown == [
        (
            'Renamed to "Snow", but 9 objects of other files still name "Ice"',
            ["Part 0", "Part 1", "Part 2", "Part 3", "Part 4", "and 4 more"],
        )
    ]
