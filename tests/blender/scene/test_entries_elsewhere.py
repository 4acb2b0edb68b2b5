"""Entries that objects bring into other scenes and files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.authoring import filter_matrix
from omi_physics_addon.blender.base import reports
from omi_physics_addon.blender.host import export_check
from omi_physics_addon.blender.properties import entries
from omi_physics_addon.blender.properties.names import REFERRERS
from omi_physics_addon.blender.scene import newcomers, older_lists
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
    material = lists.physics_materials.add("Ice")
    material.restitution = restitution
    one = lists.collision_filters.add("Ice")
    one.collision_systems.add().name = "a"
    joint = lists.joint_settings.add("Ice")
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
    bpy.context.scene.omi_physics.physics_materials["Ice"].name = "Snow"
    assert (ours.physics_material, copy.physics_material) == ("Snow", "Snow")
    assert theirs.physics_material == "Ice [source.blend]"


def load(path: str, link: bool = False, **kinds: list[str]) -> None:
    """Take data-blocks of another file, and what they use."""
    with bpy.data.libraries.load(path, link=link) as (_source, target):
        for kind, found in kinds.items():
            setattr(target, kind, found)
    newcomers.catch_up()  # As Blender 4.2 does when nothing else is to be done.


def lists_of(scene: Any) -> list[list[str]]:
    return [[entry.name for entry in getattr(scene.omi_physics, name)] for name in LISTS]


def test_the_scene_lists_what_comes(tmp_path: Path):
    path = saved(tmp_path / "source.blend")
    scene = bpy.context.scene
    load(path, objects=["Cube"])
    assert [len(names) for names in lists_of(scene)] == [1, 1, 1]
    assert lists_of(scene)[0] == ["Ice"]
    assert [entry.id_data.library for entry in scene.omi_physics.physics_materials] == [None]


def test_what_is_linked_is_listed_with_its_file(tmp_path: Path):
    load(saved(tmp_path / "source.blend"), link=True, objects=["Cube"])
    (entry,) = bpy.context.scene.omi_physics.physics_materials
    assert entry.name == "Ice [source.blend]"
    assert not entries.is_editable(entry)


@pytest.mark.parametrize("times", [1, 2])
def test_an_equal_entry_is_not_doubled(times, export, tmp_path: Path):
    path = saved(tmp_path / "source.blend")
    icy(fill(bpy.context.scene), "Ours")
    before = lists_of(bpy.context.scene)
    for _ in range(times):
        load(path, objects=["Cube"])
    assert lists_of(bpy.context.scene) == before
    assert all(len(entries.all_of(name)) == 1 for name in LISTS)
    for obj in bpy.data.objects:
        if obj.name != "Ours":
            bpy.context.scene.collection.objects.link(obj)
    assert restitutions(export()) == [0.5]


def keyed(entry: Any) -> None:
    """Let keyframes move an entry, which begins as it is."""
    tree, start = entry.id_data, entry.restitution
    for frame, value in ((50, 1.0), (1, start)):
        entry.restitution = value
        tree.keyframe_insert("data.restitution", frame=frame)


@pytest.mark.parametrize("moved", ["ours", "theirs"])
@pytest.mark.parametrize("way", ["append", "import"])
def test_an_entry_that_keyframes_move_is_equal_to_no_other(way, moved, tmp_path: Path):
    icy(fill(bpy.context.scene))
    if moved == "theirs":
        keyed(bpy.context.scene.omi_physics.physics_materials["Ice"])
    path = str(tmp_path / ("source.blend" if way == "append" else "source.glb"))
    if way == "append":
        bpy.ops.wm.save_as_mainfile(filepath=path)
    else:
        bpy.ops.export_scene.gltf(filepath=path, export_animations=False)
    bpy.ops.wm.read_homefile(use_empty=True)
    ours = icy(fill(bpy.context.scene), "Ours")
    if moved == "ours":
        keyed(bpy.context.scene.omi_physics.physics_materials["Ice"])
    if way == "append":
        load(path, objects=["Cube"])
    else:
        bpy.ops.import_scene.gltf(filepath=path)
    one, other = (
        obj.omi_physics.collider.physics_material_entry for obj in (ours, bpy.data.objects["Cube"])
    )
    is_plain = (way, moved) == ("import", "theirs")  # Nothing of it is in the file.
    assert (one == other) == is_plain
    assert entries.is_animated(one) == (moved == "ours")
    assert entries.is_animated(other) == (moved == "theirs" and not is_plain)


def test_what_is_made_here_is_joined_with_nothing():
    """Blender 4.2 does not tell what comes from elsewhere."""
    first = bpy.context.scene
    names = fill(first)
    for way, name in enumerate(LISTS):
        second = in_scene(f"Second {way}")
        copy = fill(second)[way]
        obj = icy(names, f"Cube {way}")
        (part, attribute), *_ = REFERRERS[name]
        setattr(getattr(obj.omi_physics, part), attribute, copy)
        newcomers.catch_up()
        assert getattr(getattr(obj.omi_physics, part), attribute) == copy
        assert [entry.name for entry in getattr(second.omi_physics, name)] == [copy]
        assert [entry.name for entry in getattr(first.omi_physics, name)] == [names[way]]


def test_what_no_scene_lists_any_more_is_listed_when_the_file_is_opened(tmp_path: Path):
    """As what objects use of a scene that is gone."""
    first = bpy.context.scene
    names = fill(first)
    first.omi_physics.physics_materials.add("Unused")
    obj = icy(names)
    second = in_scene("Second")
    second.collection.objects.link(obj)
    bpy.data.scenes.remove(first)
    path = str(tmp_path / "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert lists_of(bpy.context.scene) == [[name] for name in names]


def test_an_entry_that_was_asked_for_stays(tmp_path: Path):
    path = saved(tmp_path / "source.blend")
    fill(bpy.context.scene)
    with bpy.data.libraries.load(path) as (_source, target):
        target.node_groups = ["Ice"]
    assert target.node_groups[0].data.restitution == 0.5


def test_names_in_files_stay_though_blender_adds_numbers(export, tmp_path: Path):
    path = saved(tmp_path / "source.blend")
    icy(fill(bpy.context.scene, 0.25), "Ours")
    load(path, objects=["Cube"])
    bpy.context.scene.collection.objects.link(bpy.data.objects["Cube"])
    gltf = export()
    rows = gltf["extensions"]["OMI_physics_body"]["physicsMaterials"]
    assert sorted((row["name"], row["restitution"]) for row in rows) == [
        ("Ice", 0.25),
        ("Ice", 0.5),
    ]


def test_an_override_takes_another_entry(export, tmp_path: Path):
    path = saved(tmp_path / "source.blend")
    ours = fill(bpy.context.scene, 0.25)
    load(path, link=True, objects=["Cube"])
    obj = bpy.data.objects["Cube"].override_create()
    bpy.context.scene.collection.objects.link(obj)
    local = bpy.context.scene.omi_physics.physics_materials[ours[0]]
    obj.omi_physics.collider.physics_material_entry = local.id_data
    user = str(tmp_path / "user.blend")
    bpy.ops.wm.save_as_mainfile(filepath=user)
    bpy.ops.wm.open_mainfile(filepath=user)
    assert restitutions(export()) == [0.25]


def test_an_override_of_what_was_removed_is_saved(export, tmp_path: Path):
    load(saved(tmp_path / "source.blend"), link=True, objects=["Cube"])
    linked = bpy.data.objects["Cube"]
    bpy.context.scene.collection.objects.link(linked.override_create())
    bpy.data.objects.remove(linked)
    newcomers._before_save()  # Of which Blender only prints what goes wrong.
    complete(export())


def test_a_library_that_is_missing_is_named(export, tmp_path: Path):
    path = saved(tmp_path / "source.blend")
    load(path, link=True, node_groups=["Ice"])
    icy(["Ice [source.blend]", "", ""])
    user = str(tmp_path / "user.blend")
    bpy.ops.wm.save_as_mainfile(filepath=user)
    Path(path).unlink()
    bpy.ops.wm.open_mainfile(filepath=user)
    export()
    ((where, why),) = [each for each in told("X05") if "Ice" in each[1]]
    assert (where, "source.blend, which is missing" in why) == ("Cube", True)


def test_entries_of_other_files_are_not_changed(tmp_path: Path):
    path = saved(tmp_path / "source.blend")
    load(path, link=True, objects=["Cube"])
    scene = bpy.context.scene
    (joint,), (one,) = scene.omi_physics.joint_settings, scene.omi_physics.collision_filters
    with pytest.raises(RuntimeError, match="linked from another file"):
        bpy.ops.scene.omi_physics_add_system(systems="collision_systems")
    assert bpy.ops.scene.omi_physics_add_joint_item(part="limits") == {"CANCELLED"}
    filter_matrix.rename(scene, "a", "b")
    assert [each.name for each in one.collision_systems] == ["a"]
    assert len(joint.limits) == 1


def test_what_is_undone_comes_again(tmp_path: Path):
    path = saved(tmp_path / "source.blend")
    icy(fill(bpy.context.scene), "Ours")
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.wm.append(directory=f"{path}/Object/", filename="Cube")
    newcomers.catch_up()
    bpy.ops.ed.undo_push(message="appended")
    bpy.ops.ed.undo()
    assert "Cube" not in bpy.data.objects
    assert all(len(entries.all_of(name)) == 1 for name in LISTS)
    bpy.ops.ed.redo()
    newcomers.catch_up()
    assert bpy.data.objects["Cube"].omi_physics.collider.physics_material == "Ice"
    assert all(len(entries.all_of(name)) == 1 for name in LISTS)


OLDER = Path(__file__).resolve().parents[2] / "data" / "blend_before_layout" / "everything.blend"


def test_it_is_known_when_an_older_file_is_open():
    for _ in range(2):
        assert not older_lists.is_looking()
        with older_lists.opened(str(OLDER)) as (scenes, _aside):
            assert scenes
            assert older_lists.is_looking()


def test_data_aside_is_counted_as_often_as_it_is_held():
    """Blender frees it where it counts less, and crashes at times."""
    with older_lists.opened(str(OLDER)) as (_, aside):
        holders = ["here", "opened", "Blender's context", "the argument of getrefcount"]
        assert sys.getrefcount(aside) >= len(holders)


def test_what_an_undo_brings_back_is_taken_up_again(tmp_path: Path):
    """Windows store a step as Blender leaves it, before anything was taken up in 4.2."""
    path = saved(tmp_path / "source.blend")
    icy(fill(bpy.context.scene), "Ours")
    bpy.ops.wm.append(directory=f"{path}/Object/", filename="Cube")
    bpy.ops.wm.append(directory=f"{OLDER}/Object/", filename="Sign Hinge")
    bpy.ops.ed.undo_push(message="Append")
    newcomers.catch_up()
    expected = lists_of(bpy.context.scene)
    bpy.data.objects["Ours"].location.x = 1.0
    bpy.ops.ed.undo_push(message="Move")
    bpy.ops.ed.undo()
    newcomers.catch_up()
    assert lists_of(bpy.context.scene) == expected
    assert bpy.data.objects["Cube"].omi_physics.collider.physics_material == "Ice"
    assert bpy.data.objects["Sign Hinge"].omi_physics.joint.settings_entry.data.limits


def test_many_equal_entries_are_joined_without_a_look_through_the_file_for_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """`user_remap` looks at all data-blocks, so that time would grow with the square."""
    listed, mesh = bpy.context.scene.omi_physics.physics_materials, cube_mesh()
    for i in range(50):
        obj = add(f"Cube {i}", mesh)
        add_collider(obj)
        entry = listed.add(f"Ice {i}")
        entry.static_friction = i / 7
        obj.omi_physics.collider.physics_material = entry.name
    path = str(tmp_path / "many.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path, copy=True)
    left: list[int] = []
    remove = newcomers.remove

    def counted(trees: Any) -> None:
        left.extend(tree.users for tree in trees)
        remove(trees)

    monkeypatch.setattr(newcomers, "remove", counted)
    load(path, objects=[obj.name for obj in bpy.context.scene.objects])
    assert left == [0] * 50
    assert len(entries.all_of("physics_materials")) == 50
    used = {obj.omi_physics.collider.physics_material for obj in bpy.data.objects}
    assert used == {entry.name for entry in listed}


def test_many_new_entries_are_added_without_a_look_through_the_list_for_each(monkeypatch):
    looked: list[str] = []
    find = entries.Entries.find
    monkeypatch.setattr(
        entries.Entries, "find", lambda s, name: looked.append(name) or find(s, name)
    )
    materials = bpy.context.scene.omi_physics.physics_materials
    for number in range(20):
        materials.add(f"Material {number}")
    assert looked == []
    assert entries.name_in_files(materials.add("Material 7").id_data) == "Material 7.001"
    assert looked == ["Material 7"]
