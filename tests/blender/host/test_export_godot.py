"""Exports for Godot name the objects that it takes otherwise."""

from __future__ import annotations

import math

import bpy
import pytest

from omi_physics_addon.blender.base import groups, reports
from tests.blender.support.gltf_files import read_glb
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh, node


@pytest.fixture
def settings(_empty_file):
    settings = bpy.context.scene.omi_physics.export
    settings.target = "GODOT_4"
    return settings


def told(path):
    bpy.ops.export_scene.gltf(filepath=str(path))
    issues = reports.latest("EXPORT").issues
    return [(issue.code, issue.pointer) for issue in issues if issue.code[:2] in ("X2", "X3")]


def fill():
    """A door whose joint is on the body itself, with a handle that is not directly below it."""
    wall = add("Wall", cube_mesh("Wall"))
    add_body(wall, "STATIC")
    add_collider(wall)
    door = add("Door", cube_mesh("Door"), location=(2.0, 0.0, 0.0))
    add_body(door).linear_velocity = (1.0, 0.0, 0.0)
    add_collider(door)
    door.rotation_euler = (0.0, 0.0, math.pi / 2)
    handle = add("Handle", cube_mesh("Handle"), parent=add("Panel", parent=door))
    add_collider(handle)
    knob = add("Knob", cube_mesh("Knob"), parent=door)
    add_collider(knob).location = (0.5, 0.0, 0.0)  # Needs a node of its own, below the knob's.
    door.omi_physics.use_joint = True
    lock = bpy.context.scene.omi_physics.joint_settings.add()
    lock.name = "Lock"
    door.omi_physics.joint.settings = "Lock"
    door.omi_physics.joint.connected_object = wall
    bpy.context.view_layer.update()


def test_what_can_be_written_for_it_is_not_told(settings, tmp_path):
    fill()
    assert told(tmp_path / "out.glb") == []
    gltf, _ = read_glb(tmp_path / "out.glb")
    door = node(gltf, "Door")
    below = {gltf["nodes"][i]["name"]: gltf["nodes"][i] for i in door["children"]}
    shapes = [name for name, each in below.items() if "collider" in body_of(each)]
    assert len(shapes) == 2
    assert "OMI_physics_joint" in below["Door Joint"]["extensions"]
    # Turned by a quarter about Z up, so that X in the file's node is Z in the file's world.
    velocity = body_of(door)["motion"]["linearVelocity"]
    assert velocity == pytest.approx([0.0, 0.0, -1.0], abs=1e-6)


def body_of(node):
    return node.get("extensions", {}).get("OMI_physics_body", {})


def test_objects_are_named_that_it_takes_otherwise(settings, tmp_path):
    fill()
    panel = bpy.data.objects["Panel"]
    panel.keyframe_insert("location", frame=1)
    panel.location.x = 1.0
    panel.keyframe_insert("location", frame=20)
    assert told(tmp_path / "out.glb") == [("X21", "Handle")]


@pytest.mark.parametrize("target", ["GODOT_4", "BABYLON"])
@pytest.mark.parametrize(("size", "is_named"), [((0.5, 2.0, 0.8), True), ((1.0, 1.0, 1.0), False)])
def test_what_tumbles_otherwise_is_named_by_its_object(settings, tmp_path, target, size, is_named):
    settings.target = target
    block = add("Block", cube_mesh())
    add_collider(block).box.size = size
    add_body(block).angular_velocity = (1.0, 2.0, 3.0)
    bpy.ops.export_scene.gltf(filepath=str(tmp_path / "out.glb"))
    issues = reports.latest("EXPORT").issues
    assert [i.pointer for i in issues if i.code == "X72"] == (["Block"] if is_named else [])


def test_a_joint_that_is_turned_can_be_connected_to_what_is_no_body(settings, tmp_path):
    fill()
    hook = add("Hook", location=(2.0, 0.0, 0.0))
    hook.rotation_euler = (0.0, 0.0, math.pi / 2)
    door = bpy.data.objects["Door"]
    door.omi_physics.joint.connected_object = hook
    entry = bpy.context.scene.omi_physics.joint_settings["Lock"]
    for kind, axes in (("LINEAR", (True, True, True)), ("ANGULAR", (False, True, True))):
        limit = entry.limits.add()
        limit.kind, limit.axes = kind, axes
        limit.use_min = limit.use_max = True
    settings.write_anyway = True
    assert told(tmp_path / "out.glb") == []
    gltf, _ = read_glb(tmp_path / "out.glb")
    (anchor,) = (each for each in gltf["nodes"] if each["name"] == "Hook Anchor")
    (pivot,) = anchor["children"]
    assert gltf["nodes"][pivot]["name"] == "Hook Pivot"
    assert body_of(anchor)["motion"]["type"] == "static"


@pytest.mark.parametrize("has_bodies_below", [False, True])
def test_it_comes_back_as_authored(settings, tmp_path, has_bodies_below):
    fill()
    if has_bodies_below:
        cat = add("Cat", cube_mesh("Cat"), parent=bpy.data.objects["Door"])
        add_body(cat)
        add_collider(cat)
    bpy.ops.export_scene.gltf(filepath=str(tmp_path / "godot.glb"))
    settings.target = "SPECIFICATION"
    bpy.ops.export_scene.gltf(filepath=str(tmp_path / "plain.glb"))
    again = []
    for name in ("godot", "plain"):
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=False)
        bpy.ops.import_scene.gltf(filepath=str(tmp_path / f"{name}.glb"))
        bpy.ops.export_scene.gltf(filepath=str(tmp_path / f"{name}_again.glb"))
        again.append((tmp_path / f"{name}_again.glb").read_bytes())
    assert again[0] == again[1]


@pytest.mark.parametrize(("target", "reads"), [("GODOT_4", "OMI"), ("BABYLON", "KHR")])
@pytest.mark.parametrize("family", ["OMI", "KHR", "BOTH"])
def test_an_engine_gets_the_family_that_it_reads(settings, tmp_path, target, reads, family):
    fill()
    settings.target, settings.family = target, family
    bpy.ops.export_scene.gltf(filepath=str(tmp_path / "out.glb"))
    used = read_glb(tmp_path / "out.glb")[0]["extensionsUsed"]
    names = {"OMI": "OMI_physics_body", "KHR": "KHR_physics_rigid_bodies"}
    written = {each for each, name in names.items() if name in used}
    assert written == ({"OMI", "KHR"} if family == "BOTH" else {reads})
    assert set(groups.families_written(settings)) == written


def test_nothing_is_told_of_exports_for_others(settings, tmp_path):
    settings.target = "SPECIFICATION"
    fill()
    assert told(tmp_path / "out.glb") == []


def test_vehicles_get_the_names_that_godot_reads(settings, tmp_path):
    car = add("Car", cube_mesh("Car"))
    add_body(car)
    add_collider(car)
    car.omi_physics.use_vehicle_body = True
    wheel = add("Wheel", parent=car)
    wheel.omi_physics.use_wheel = True
    wheel.omi_physics.wheel.max_propulsion_force = 12.0
    assert told(tmp_path / "out.glb") == []
    gltf, _ = read_glb(tmp_path / "out.glb")
    (written,) = gltf["extensions"]["OMI_vehicle_wheel"]["wheels"]
    assert written["maxForce"] == written["maxPropulsionForce"] == 12
    assert node(gltf, "Wheel")["extensions"] == {"OMI_vehicle_wheel": {"wheel": 0}}


@pytest.mark.parametrize("family", ["OMI", "KHR"])
def test_a_blend_file_that_godot_imports_is_written_for_it(settings, tmp_path, family):
    fill()
    folder = tmp_path / ".godot" / "imported"
    folder.mkdir(parents=True)
    bpy.ops.export_scene.gltf(filepath=str(tmp_path / "asked.glb"))
    settings.target, settings.family = "SPECIFICATION", family
    bpy.ops.export_scene.gltf(filepath=str(folder / "out.glb"))
    assert (folder / "out.glb").read_bytes() == (tmp_path / "asked.glb").read_bytes()


def taken(path):
    bpy.ops.export_scene.gltf(filepath=str(path))
    issues = reports.latest("EXPORT").issues
    return [issue.message for issue in issues if issue.code in ("X57", "X70")]


def test_exports_for_nobody_say_once_what_engines_take_otherwise(settings, tmp_path):
    fill()
    ours = "Godot 4 interprets 3 objects differently; choose Target: Godot 4"
    theirs = "Babylon.js interprets 4 objects differently; choose Target: Babylon.js"
    for family, told in (("OMI", [ours]), ("KHR", [theirs]), ("BOTH", [ours, theirs])):
        settings.target, settings.family = "SPECIFICATION", family
        assert taken(tmp_path / "out.glb") == told
        for target in ("GODOT_4", "BABYLON"):
            settings.target = target
            assert taken(tmp_path / "out.glb") == []


def test_what_godot_takes_as_it_is_needs_no_word(settings, tmp_path):
    settings.target = "SPECIFICATION"
    crate = add("Crate", cube_mesh("Crate"))
    add_body(crate)
    add_collider(crate)
    assert taken(tmp_path / "out.glb") == []


def test_a_scaled_body_is_not_scaled_and_comes_back_scaled(settings, tmp_path):
    first = add("Before", cube_mesh("Before"))
    crate = add("Crate", cube_mesh("Crate"), location=(1.0, 2.0, 3.0))
    crate.scale = (2.0, 1.0, 3.0)
    add_body(crate).gravity_factor = 0.5
    add_collider(crate)
    lid = add("Lid", cube_mesh("Lid"), parent=crate, location=(0.0, 0.0, 1.0))
    add_collider(lid)
    bpy.context.view_layer.update()
    names = {obj.name for obj in (first, crate, lid)}
    assert told(tmp_path / "out.glb") == [("X25", "Crate")]
    assert "B19" not in {issue.code for issue in reports.latest("EXPORT").issues}
    gltf, _ = read_glb(tmp_path / "out.glb")
    body = node(gltf, "Crate")
    assert "scale" not in body
    roots = [gltf["nodes"][i]["name"] for i in gltf["scenes"][0]["nodes"]]
    assert roots == ["Before", "Crate"]
    below = [gltf["nodes"][i]["name"] for i in body["children"]]
    assert sorted(below) == ["Crate Scaled", "Lid Shape"]
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=str(tmp_path / "out.glb"))
    assert {obj.name for obj in bpy.data.objects} == names
    back = bpy.data.objects["Crate"]
    assert tuple(back.scale) == pytest.approx((2.0, 1.0, 3.0))
    assert back.omi_physics.use_motion
    assert bpy.data.objects["Lid"].parent == back


def test_an_animated_scaled_body_stays_and_is_named(settings, tmp_path):
    crate = add("Crate", cube_mesh("Crate"))
    crate.scale = (2.0, 2.0, 2.0)
    add_body(crate, "KINEMATIC")
    add_collider(crate)
    crate.keyframe_insert("location", frame=1)
    crate.location.x = 1.0
    crate.keyframe_insert("location", frame=20)
    bpy.ops.export_scene.gltf(filepath=str(tmp_path / "out.glb"))
    issues = reports.latest("EXPORT").issues
    assert ("B19", "Crate") in [(issue.code, issue.pointer) for issue in issues]
    names = [each["name"] for each in read_glb(tmp_path / "out.glb")[0]["nodes"]]
    assert names == ["Crate", "Crate Mesh"]


def test_meshes_that_stay_on_bodies_for_their_names_are_counted(settings, tmp_path):
    settings.target, settings.names = "SPECIFICATION", "GODOT"
    for name in ("Crate", "Ghost"):
        add_collider(add(name, cube_mesh(name)), "BOX")
    bpy.data.objects["Ghost"].omi_physics.is_collision_only = True
    told = ["Godot 4 interprets 1 object differently; choose Target: Godot 4"]
    assert taken(tmp_path / "out.glb") == told


@pytest.mark.parametrize("value", [0.0, 0.5])
def test_shape_keys_that_begin_at_0_in_godot_are_told(settings, tmp_path, value):
    settings.target = "GODOT_4"
    crate = add("Crate", cube_mesh("Crate"))
    add_collider(crate)
    crate.shape_key_add(name="Basis")
    crate.shape_key_add(name="Up").value = value
    bpy.ops.export_scene.gltf(filepath=str(tmp_path / "out.glb"))
    told = [i for i in reports.latest("EXPORT").issues if i.code == "X73"]
    assert [issue.pointer for issue in told] == (["Crate"] if value else [])
