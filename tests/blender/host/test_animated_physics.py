"""What moves physics in a file comes back from Blender, which has no curves for it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.base import reports
from omi_physics_addon.blender.preview import limitations
from omi_physics_addon.codec.gltf import animated
from tests.support.animations import Binary, Track, properties, value_at
from tools.environment import ROOT

pytestmark = pytest.mark.usefixtures("_empty_file")
EXAMPLES = ("joints", "gravity", "vehicles", "khr", "shapes_and_bodies")
MASS = "/nodes/0/extensions/OMI_physics_body/motion/mass"


def movable(gltf: dict[str, Any]) -> list[str]:
    """All numbers of physics but those of shapes that no node uses."""
    return [p for p in properties(gltf) if not isinstance(value_at(gltf, p), bool)]


def animated_file(name: str, path: Path) -> list[Track]:
    """Write an example of which all numbers move; what moves them."""
    binary = Binary(ROOT / "examples" / f"{name}.glb")
    binary.animate(movable(binary.json))
    binary.write(path)
    return Binary(path).tracks()


def imported(path: Path) -> list[str]:
    """Read a file into an empty scene; the messages of what is not kept."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=False)
    bpy.ops.import_scene.gltf(filepath=str(path))
    return [i.message for i in reports.latest("IMPORT").issues if i.code == "X11"]


def exported(path: Path, **options: Any) -> list[Track]:
    bpy.ops.export_scene.gltf(filepath=str(path), **options)
    return Binary(path).tracks()


def assert_same(after: list[Track], before: list[Track]) -> None:
    assert [track.first for track in after] == [track.first for track in before]
    for new, old in zip(after, before, strict=True):
        assert new.rest == old.rest
        assert new.pointer.rsplit("/", 1)[1] == old.pointer.rsplit("/", 1)[1]
        assert new.value == pytest.approx(old.value, rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("name", EXAMPLES)
def test_all_that_moves_comes_back(name, tmp_path):
    before = animated_file(name, tmp_path / "in.glb")
    assert imported(tmp_path / "in.glb") == []
    after = exported(tmp_path / "out.glb")
    assert_same(after, before)
    gltf = Binary(tmp_path / "out.glb").json
    assert animated.POINTER in gltf["extensionsUsed"]
    assert animated.KEY not in json.dumps(gltf)


def test_it_travels_with_its_objects(tmp_path):
    """Saved, appended to another file and exported there, beside an animation of that name."""
    before = animated_file("joints", tmp_path / "in.glb")
    imported(tmp_path / "in.glb")
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "saved.blend"))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=False)
    with bpy.data.libraries.load(str(tmp_path / "saved.blend")) as (there, here):
        here.objects = there.objects
    for obj in here.objects:
        bpy.context.scene.collection.objects.link(obj)
    cube = bpy.data.objects.new("Cube", None)
    bpy.context.scene.collection.objects.link(cube)
    cube.keyframe_insert("location", frame=1)
    cube.location.x = 1.0
    cube.keyframe_insert("location", frame=20)
    cube.animation_data.action.name = "Physics"
    assert_same(exported(tmp_path / "out.glb"), before)
    (animation,) = Binary(tmp_path / "out.glb").json["animations"]
    assert animation["name"] == "Physics"
    assert {each["target"]["path"] for each in animation["channels"]} > {"pointer"}


def test_what_an_engine_gets_comes_back_as_it_was(tmp_path):
    before = animated_file("joints", tmp_path / "in.glb")
    imported(tmp_path / "in.glb")
    bpy.context.scene.omi_physics.export.target = "GODOT_4"
    exported(tmp_path / "godot.glb")
    assert imported(tmp_path / "godot.glb") == []
    bpy.context.scene.omi_physics.export.target = "SPECIFICATION"
    assert_same(exported(tmp_path / "out.glb"), before)


def one_body(path: Path, *pointers: str) -> Binary:
    """A file with one body, of which the mass moves."""
    binary = Binary(ROOT / "examples" / "joints.glb")
    motion = {"type": "dynamic", "mass": 2}
    binary.json = {
        "asset": {"version": "2.0"},
        "nodes": [{"name": "Body", "extensions": {"OMI_physics_body": {"motion": motion}}}],
        "scenes": [{"nodes": [0]}],
        "scene": 0,
        "extensionsUsed": ["OMI_physics_body"],
    }
    binary.data.clear()
    binary.animate([MASS])
    channels = binary.json["animations"][0]["channels"]
    channels += [
        {
            "sampler": 0,
            "target": {"path": "pointer", "extensions": {animated.POINTER: {"pointer": p}}},
        }
        for p in pointers
    ]
    binary.write(path)
    return binary


def test_copies_of_an_object_move_as_it_does_and_other_families_too(tmp_path):
    one_body(tmp_path / "in.glb")
    assert imported(tmp_path / "in.glb") == []
    bpy.context.scene.collection.objects.link(bpy.data.objects["Body"].copy())
    bpy.context.scene.omi_physics.export.family = "BOTH"
    found = exported(tmp_path / "out.glb")
    assert [track.value for track in found] == [2.0] * 4
    families = sorted(track.pointer.split("/")[4] for track in found)
    assert families == ["KHR_physics_rigid_bodies"] * 2 + ["OMI_physics_body"] * 2


def test_what_leads_nowhere_and_cannot_be_read_is_told(tmp_path):
    nowhere = "/nodes/5/extensions/OMI_physics_body/motion/mass"
    binary = one_body(tmp_path / "in.glb", nowhere)
    told = imported(tmp_path / "in.glb")
    assert told == [f"the animation of {nowhere} is not kept: the property does not exist"]
    assert len(exported(tmp_path / "out.glb")) == 1
    binary.json["animations"][0]["samplers"][0]["output"] = 99
    binary.json["animations"][0]["channels"] = binary.json["animations"][0]["channels"][:1]
    binary.write(tmp_path / "broken.glb")
    (message,) = imported(tmp_path / "broken.glb")
    assert message.startswith(f"the animation of {MASS} is not kept: the numbers could not be read")


def test_the_preview_names_what_moves_otherwise(tmp_path):
    """Not what shares nothing with it: a shape, or the settings of a joint."""
    binary = Binary(ROOT / "examples" / "joints.glb")
    names = [node["name"] for node in binary.json["nodes"]]
    joint = names.index("Door Hinge")
    index = binary.json["nodes"][joint]["extensions"]["OMI_physics_joint"]["joint"]
    body = "/extensions/OMI_physics_body/motion/mass"
    (dynamic,) = [p for p in properties(binary.json) if p.endswith(body) and "/nodes/" in p][:1]
    binary.animate([dynamic, f"/extensions/OMI_physics_joint/physicsJoints/{index}/limits/0/max"])
    binary.write(tmp_path / "in.glb")
    assert imported(tmp_path / "in.glb") == []
    found = limitations.of_scene(bpy.context.scene)
    (told,) = [each.objects for each in found if "animation of its physics" in each.text]
    assert set(told) == {names[int(dynamic.split("/")[2])], "Door Hinge"}


def test_exports_without_animations_have_none(tmp_path):
    one_body(tmp_path / "in.glb")
    imported(tmp_path / "in.glb")
    assert exported(tmp_path / "out.glb", export_animations=False) == []
    gltf = Binary(tmp_path / "out.glb").json
    assert "animations" not in gltf
    assert gltf["extensionsUsed"] == ["OMI_physics_body"]
    assert animated.KEY not in json.dumps(gltf)


def test_what_was_deleted_since_is_told(tmp_path):
    one_body(tmp_path / "in.glb")
    imported(tmp_path / "in.glb")

    def told() -> list[str]:
        exported(tmp_path / "out.glb")
        return [str(i) for i in reports.latest("EXPORT").issues if i.code == "X11"]

    assert told() == []
    copy = bpy.data.objects["Body"].copy()
    bpy.data.objects.remove(bpy.data.objects["Body"])
    bpy.context.scene.collection.objects.link(copy)
    assert told() == []
    bpy.data.objects.remove(copy)
    (message,) = told()
    assert message.startswith(
        f"INFO X11 export: the imported animation of {MASS} in 'Physics' is lost"
    )


def test_too_many_numbers_are_not_decoded(tmp_path):
    binary = one_body(tmp_path / "in.glb")
    output = binary.json["animations"][0]["samplers"][0]["output"]
    del binary.json["accessors"][output]["bufferView"]
    binary.json["accessors"][output]["count"] = 900_000_000
    binary.write(tmp_path / "in.glb")
    (message,) = imported(tmp_path / "in.glb")
    assert "more than 2000000 numbers" in message
    assert exported(tmp_path / "out.glb") == []


def test_properties_that_nothing_has_are_told_as_such(tmp_path):
    binary = one_body(tmp_path / "in.glb")
    nothing = "/nodes/0/extensions/OMI_physics_body/x/y"
    target = binary.json["animations"][0]["channels"][0]["target"]
    target["extensions"][animated.POINTER]["pointer"] = nothing
    binary.write(tmp_path / "in.glb")
    (message,) = imported(tmp_path / "in.glb")
    assert message == f"the animation of {nothing} is not kept: no family has the value"
