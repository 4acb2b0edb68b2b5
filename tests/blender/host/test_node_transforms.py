"""Files that go through Blender again and again keep the places of their nodes exactly."""

from __future__ import annotations

import json
import math
import random

import bpy
import pytest
from mathutils import Quaternion

from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh, node

OMI = "OMI_physics_body"


def _turned(random_: random.Random) -> list[float]:
    values = [random_.gauss(0.0, 1.0) for _ in range(4)]
    length = math.hypot(*values)
    return [value / length for value in values]


def _file(seed: int) -> dict:
    """A chain of bodies, each below the last, turned and scaled, far from the origin."""
    random_ = random.Random(seed)
    nodes = []
    for i in range(8):
        scale = random_.uniform(0.5, 2.0)
        nodes.append(
            {
                "name": f"Node {i}",
                "translation": [random_.uniform(-90.0, 90.0) for _ in range(3)],
                "rotation": _turned(random_),
                "scale": [scale] * 3,
                "children": [i + 1] if i < 7 else [],
                "extensions": {OMI: {"motion": {"type": "dynamic", "mass": 1 + i}}},
            }
        )
    for each in nodes:
        if not each["children"]:
            del each["children"]
    return {"extensionsUsed": [OMI], "nodes": nodes, "scenes": [{"nodes": [0]}], "scene": 0}


def _empty() -> None:
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_same_from_the_first_trip_on(import_json, export, seed):
    import_json(_file(seed))
    first = export()
    again = first
    for _ in range(4):
        _empty()
        import_json(again)
        again = export()
    assert json.dumps(again) == json.dumps(first)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_numbers_are_those_of_the_file(import_json, export, seed):
    gltf = _file(seed)
    import_json(gltf)
    written = export()
    for each in gltf["nodes"]:
        for key in ("translation", "rotation", "scale"):
            expected = pytest.approx(each[key], rel=6e-8, abs=1e-9)  # As 32-bit numbers.
            assert node(written, each["name"])[key] == expected


def _chain() -> tuple:
    above = add("Above", cube_mesh(), location=(1.0, 2.0, 3.0))
    below = add("Below", cube_mesh(), location=(0.0, 0.0, 1.0), parent=above)
    for obj in (above, below):
        obj.rotation_mode = "QUATERNION"
        obj.rotation_quaternion = Quaternion((0.0, 0.0, 1.0), 0.3)
        add_body(obj)
        add_collider(obj)
    return above, below


def _places(gltf: dict) -> dict:
    keys = ("translation", "rotation", "scale")
    return {n["name"]: [n.get(key) for key in keys] for n in gltf["nodes"]}


def test_y_up_or_not(export):
    _chain()
    assert _places(export())["Below"][0] == pytest.approx([0, 1, 0])
    assert _places(export(export_yup=False))["Below"][0] == pytest.approx([0, 0, 1])


@pytest.mark.parametrize("what", ["constraint", "inverse", "delta", "unnormalized", "euler"])
def test_what_else_moves_an_object_counts(export, what):
    """The host's places stay where those of the object are not all there is."""
    above, below = _chain()
    if what == "constraint":
        constraint = below.constraints.new("LIMIT_LOCATION")
        constraint.use_min_z, constraint.min_z = True, 2.5
        constraint.owner_space = "LOCAL"
        expected = [0, 2.5, 0]
    elif what == "inverse":
        below.matrix_parent_inverse.translation = (0.0, 0.0, 1.0)
        expected = [0, 2, 0]
    elif what == "delta":
        below.delta_location = (0.0, 0.0, 0.5)
        expected = [0, 1.5, 0]
    elif what == "unnormalized":
        below.rotation_quaternion = (2.0, 0.0, 0.0, 0.6)
        expected = [0, 1, 0]
    else:
        below.rotation_mode = "XYZ"
        below.rotation_euler = (0.0, 0.0, 0.7)
        expected = [0, 1, 0]
    bpy.context.view_layer.update()
    translation, rotation, _ = _places(export())["Below"]
    assert translation == pytest.approx(expected, abs=1e-6)
    assert math.hypot(*rotation) == pytest.approx(1.0, abs=1e-6)
    turn = (above.matrix_world.inverted() @ below.matrix_world).to_quaternion()
    assert rotation == pytest.approx([turn.x, turn.z, -turn.y, turn.w], abs=1e-6)


def test_without_physics_the_host_is_left_alone(export, monkeypatch):
    add("Plain", cube_mesh(), location=(1.0, 2.0, 3.0))

    def fail(*_args, **_words):
        raise AssertionError("asked for places without physics")

    monkeypatch.setattr("omi_physics_addon.blender.host.node_transforms.keep", fail)
    assert node(export(), "Plain")["translation"] == [1, 3, -2]
