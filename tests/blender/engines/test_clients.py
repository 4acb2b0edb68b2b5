"""What engines of others make of our files; see clients.py.

Left out, because the engines do not read it: in Babylon.js triggers; in Godot tapered shapes,
physics materials, collision filters and factors of gravity.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import bpy
import pytest
from mathutils import Matrix, Quaternion, Vector

from tests.blender.engines.test_godot import (
    CLASSES,
    body_of,
    bounds,
    mass_of,
    same_rotation,
    shape_matrix,
    with_physics,
    y_up,
)
from tests.blender.support.clients import Run, runner
from tests.blender.support.gltf_files import read_glb
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh
from tools import environment

EXAMPLE = environment.ROOT / "examples" / "shapes_and_bodies.blend"
FALL = 0.5 * 9.81 * 2.0**2  # How far things fall in the two seconds of the engines, in metres.
HULL = 0.02  # How far a hull of Havok may be from its points, in metres.
TARGETS = {"OMI": "GODOT_4", "KHR": "SPECIFICATION", "BOTH": "GODOT_4"}
# The ball bounces and rolls on physics materials, and the ghost passes the pill by a filter; Godot
# reads neither.
BALL, GHOST, PILL = "Ball", "Ghost", "Pill"
MOTIONS = {"DYNAMIC": "DYNAMIC", "KINEMATIC": "ANIMATED"}
SHAPES = {"BOX": "BOX", "SPHERE": "SPHERE", "CAPSULE": "CAPSULE", "CYLINDER": "CYLINDER"}
SHAPES |= {"CONVEX": "CONVEX_HULL", "TRIMESH": "MESH"}
COMBINE = {"AVERAGE": "ARITHMETIC_MEAN", "MINIMUM": "MINIMUM", "MAXIMUM": "MAXIMUM"}


class Example(NamedTuple):
    """The example in each family, and what the engines say of it.

    Attributes:
        files: by family.
        babylon: the bodies that Babylon.js makes of KHR, by the name of their node.
        godot: the bodies that Godot makes of OMI, by the name of their node.
    """

    files: dict[str, Path]
    babylon: dict[str, dict[str, Any]]
    godot: dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def run() -> Run:
    """Run a command of the folder; its answer, whatever it thinks of the file."""
    return runner()


@pytest.fixture
def _example(_empty_file) -> None:
    bpy.ops.wm.open_mainfile(filepath=str(EXAMPLE), use_scripts=False)
    bpy.context.view_layer.update()


@pytest.fixture(scope="module")
def files(run, tmp_path_factory, _addon) -> dict[str, Path]:
    """The example in each family."""
    folder = tmp_path_factory.mktemp("clients")
    bpy.ops.wm.open_mainfile(filepath=str(EXAMPLE), use_scripts=False)
    return {family: export_as(family, folder / f"{family}.glb") for family in TARGETS}


@pytest.fixture(scope="module")
def example(run, files) -> Example:
    return Example(
        files,
        babylon_bodies(load(run, "babylon", files["KHR"])),
        godot_bodies(load(run, "godot", files["OMI"])),
    )


def export_as(family: str, path: Path) -> Path:
    """Export the scene in a family; OMI as Godot reads it."""
    settings = bpy.context.scene.omi_physics.export
    settings.family, settings.target = family, TARGETS[family]
    bpy.ops.export_scene.gltf(filepath=str(path))
    assert path.is_file()  # The commands end the same way for no file as for no engine.
    return path


def load(run: Run, client: str, file: Path) -> dict[str, Any]:
    """Have an engine load and simulate a file, and leave its answer beside it."""
    answer = run(f"{client}/load.mjs", file)
    assert answer["ok"], answer["error"]
    assert [m for m in answer["messages"] if m["level"] == "error"] == []
    answer_file(file, client).write_text(json.dumps(answer), encoding="utf-8")
    return answer


def answer_file(file: Path, client: str) -> Path:
    return file.with_suffix(f".{client}.json")


def differences(run: Run, babylon: Path, godot: Path) -> list[dict[str, Any]]:
    """In what the answers of the two engines differ."""
    answers = answer_file(babylon, "babylon"), answer_file(godot, "godot")
    return run("compare.mjs", *answers, "--by", "name")["differences"]


def babylon_bodies(answer: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {body["node"]: body for body in answer["bodies"]}


def godot_bodies(answer: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {node["name"]: node for node in answer["nodes"] if node["class"] in CLASSES.values()}


def moving() -> list[Any]:
    """The objects with a motion that KHR has a word for."""
    return [o for o in with_physics("motion") if o.omi_physics.motion.type != "STATIC"]


def node_of(collider: Any) -> str:
    """The node of a collider: one of its own where the shape is not on the object's origin."""
    shape = collider.omi_physics.collider.shape
    placed = any(shape.location) or any(shape.rotation)
    return f"{collider.name} Collider" if placed else collider.name


def colliders_of(body: Any) -> list[Any]:
    return [obj for obj in with_physics("collider") if body_of(obj) == body]


def is_tapered(obj: Any) -> bool:
    shape = obj.omi_physics.collider.shape
    group = getattr(shape, shape.type.lower(), None)
    return shape.type in ("CAPSULE", "CYLINDER") and group.radius_bottom != group.radius_top


def schema_errors(answer: dict[str, Any], gltf: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What the schemas say, but for those from before a geometry could name a mesh."""
    for error in answer["schema"]["errors"] if answer["schema"] else ():
        place: Any = gltf
        for key in error["pointer"].split("/")[1:]:
            place = place[int(key) if isinstance(place, list) else key]
        if not (error["schema"].startswith("#/oneOf") and "mesh" in place):
            yield error


@pytest.mark.parametrize("family", TARGETS)
def test_validator_has_nothing_to_complain_of(family, files, run):
    answer = run("validate.mjs", files[family])
    assert answer["errors"] == []
    assert answer["warnings"] == []
    assert list(schema_errors(answer, read_glb(files[family])[0])) == []


@pytest.mark.usefixtures("_example")
def test_babylon_has_every_body(example):
    found = {name: body["motionType"] for name, body in example.babylon.items()}
    wanted = {obj.name: MOTIONS[obj.omi_physics.motion.type] for obj in moving()}
    # Without a motion, each collider is on its own.
    still = [o for o in with_physics("collider") if body_of(o).omi_physics.motion.type == "STATIC"]
    assert found == {**wanted, **{node_of(obj): "STATIC" for obj in still}}


@pytest.mark.usefixtures("_example")
def test_godot_has_every_body(example):
    found = {name: body["class"] for name, body in example.godot.items()}
    assert found == {o.name: CLASSES[o.omi_physics.motion.type] for o in with_physics("motion")}


@pytest.mark.usefixtures("_example")
def test_motion_in_babylon(example):
    for obj in moving():
        motion, body = obj.omi_physics.motion, example.babylon[obj.name]
        assert body["mass"] == pytest.approx(mass_of(obj), rel=1e-5)
        assert body["gravityFactor"] == pytest.approx(motion.gravity_factor)
        wanted = {
            "linearVelocity": motion.linear_velocity,
            "angularVelocity": motion.angular_velocity,
        }
        if motion.center_of_mass_mode == "VALUE":
            wanted["centerOfMass"] = motion.center_of_mass
        for key, value in wanted.items():
            assert body[key] == pytest.approx(y_up(Vector(value)), abs=1e-5)


@pytest.mark.usefixtures("_example")
def test_mass_in_godot(example):
    for obj in moving():
        if obj.omi_physics.motion.type == "DYNAMIC":
            mass = example.godot[obj.name]["engine"]["mass"]
            assert mass == pytest.approx(mass_of(obj), rel=1e-5)


@pytest.mark.usefixtures("_example")
def test_shapes_in_babylon(example):
    for obj in with_physics("motion"):
        parts = colliders_of(obj)
        for part in parts:
            still = obj.omi_physics.motion.type == "STATIC"
            body = example.babylon[node_of(part) if still else obj.name]
            assert len(body["shapes"]) == (1 if still else len(parts))
            check_babylon_shape(part, body)


def check_babylon_shape(obj: Any, body: dict[str, Any]) -> None:
    """The shape of a collider is there, in its place and of its size."""
    shape = obj.omi_physics.collider.shape
    local = body_matrix(body).inverted() @ khr_matrix(shape_matrix(obj, shape))
    (found,) = [s for s in body["shapes"] if near(s["translation"], local.translation)]
    turned = local.to_quaternion().dot(rotation_of(found))
    assert abs(turned) == pytest.approx(1.0, abs=1e-5)
    assert found["type"] == ("CONVEX_HULL" if is_tapered(obj) else SHAPES[shape.type])
    group = getattr(shape, shape.type.lower(), None)
    if shape.type == "BOX":
        x, y, z = group.size
        assert found["size"] == pytest.approx((x, z, y), abs=1e-5)
    elif shape.type == "SPHERE":
        assert found["radius"] == pytest.approx(group.radius)
    elif shape.type in ("CONVEX", "TRIMESH"):
        source = shape.mesh_object if shape.mesh_source == "OBJECT" else obj
        wanted = [number for corner in bounds(source.data) for number in corner]
        low, high = found["aabb"]
        assert [*low, *high] == pytest.approx(wanted, abs=HULL)
    elif is_tapered(obj):
        widest = max(group.radius_bottom, group.radius_top)
        assert found["aabb"][1][0] == pytest.approx(widest, abs=HULL)
    else:
        assert found["radius"] == pytest.approx(group.radius_top)
        assert found["height"] == pytest.approx(group.height)


def body_matrix(body: dict[str, Any]) -> Matrix:
    return Matrix.LocRotScale(Vector(body["t0"]["position"]), rotation_of(body["t0"]), None)


def rotation_of(place: dict[str, Any]) -> Quaternion:
    x, y, z, w = place["rotation"]
    return Quaternion((w, x, y, z))


def khr_matrix(matrix: Matrix) -> Matrix:
    """A place in Blender as a place in glTF."""
    up = Matrix(((1, 0, 0, 0), (0, 0, 1, 0), (0, -1, 0, 0), (0, 0, 0, 1)))
    return up @ matrix @ up.inverted()


def near(found: list[float], wanted: Any) -> bool:
    return found == pytest.approx(tuple(wanted), abs=1e-4)


@pytest.mark.usefixtures("_example")
def test_surfaces_in_babylon(example):
    surfaces = bpy.context.scene.omi_physics.physics_materials
    for obj in moving():
        for shape in example.babylon[obj.name]["shapes"]:
            wanted = surfaces[colliders_of(obj)[0].omi_physics.collider.physics_material]
            found = shape["material"]
            assert found["staticFriction"] == pytest.approx(wanted.static_friction)
            assert found["dynamicFriction"] == pytest.approx(wanted.dynamic_friction)
            assert found["restitution"] == pytest.approx(wanted.restitution)
            assert found["frictionCombine"] == COMBINE[wanted.friction_combine]
            assert found["restitutionCombine"] == COMBINE[wanted.restitution_combine]


@pytest.mark.parametrize(
    ("one", "other", "wanted"),
    [
        ("Crate", "Crate on Lift", True),
        ("Crate", "Hill", True),
        ("Ghost", "Hill", True),
        ("Ghost", "Pill", False),
    ],
)
def test_who_meets_whom_in_babylon(example, one, other, wanted):
    filters = [example.babylon[name]["shapes"][0]["filter"] for name in (one, other)]
    meets = [a["membership"] & b["collideWith"] for a, b in (filters, filters[::-1])]
    assert all(meets) is wanted


@pytest.mark.usefixtures("_example")
def test_bodies_start_where_they_are_in_blender(example):
    for obj in moving():
        for body in (example.babylon[obj.name], example.godot[obj.name]):
            assert near(body["t0"]["position"], y_up(obj.matrix_world.translation))
            assert same_rotation(body["t0"]["rotation"], obj.matrix_world.to_quaternion())


@pytest.mark.usefixtures("_example")
def test_engines_agree_on_the_example(example, run):
    left_out = {BALL, PILL}
    for obj in with_physics("motion"):
        parts = colliders_of(obj)
        if obj.omi_physics.motion.type == "STATIC":  # Another node in each family.
            left_out |= {obj.name, *map(node_of, parts)}
        if obj.omi_physics.motion.gravity_factor != 1.0 or any(map(is_tapered, parts)):
            left_out.add(obj.name)
    found = differences(run, example.files["KHR"], example.files["OMI"])
    assert [row for row in found if row["body"] not in left_out] == []


@pytest.mark.usefixtures("_example")
def test_only_the_ghost_moves_the_pill(example, run, tmp_path):
    """What a filter keeps apart in Babylon.js meets in Godot, and nothing else differs there."""
    bpy.data.objects.remove(bpy.data.objects[GHOST])
    alone = export_as("OMI", tmp_path / "alone.glb")
    load(run, "godot", alone)
    load(run, "babylon", example.files["KHR"])
    found = differences(run, example.files["KHR"], alone)
    assert [row for row in found if row["body"] == PILL] == []


def test_both_families_in_one_file(example, files, run):
    """Each engine takes the family it knows, and makes of it what it makes of that alone."""
    both = files["BOTH"]
    babylon = babylon_bodies(load(run, "babylon", both))
    assert {name: body["tT"] for name, body in babylon.items()} == {
        name: body["tT"] for name, body in example.babylon.items()
    }
    godot = godot_bodies(load(run, "godot", both))
    assert godot.keys() == example.godot.keys()
    for name, body in godot.items():
        assert body["shapes"] == example.godot[name]["shapes"]
        assert near(body["tT"]["position"], example.godot[name]["tT"]["position"])


def test_things_fall_alike(run, tmp_path):
    """Free, scaled, off its centre, held by a joint, and as level geometry."""
    held = fill_scene()
    file = export_as("BOTH", tmp_path / "fall.glb")
    answers = (
        babylon_bodies(load(run, "babylon", file)),
        godot_bodies(load(run, "godot", file)),
    )
    # KHR has no static bodies for joints to hang on.
    assert [row for row in differences(run, file, file) if row["body"] != "Level"] == []
    for bodies in answers:
        assert bodies.keys() == {"Free", "Scaled", "Off Its Center", "Held", "Level"}
        for name, body in bodies.items():
            places = (body["t0"]["position"], body["tT"]["position"])
            way = [b - a for a, b in zip(*places, strict=True)]
            fall = 0.0 if name in ("Level", held) else FALL
            # The engines take whole steps, of which the first or last counts twice.
            assert way == pytest.approx((0.0, -fall, 0.0), abs=0.01 + 0.01 * fall)


def fill_scene() -> str:
    """Make five bodies; returns the name of the one that is held."""
    for number, name in enumerate(("Free", "Scaled", "Off Its Center", "Held")):
        obj = add(name, cube_mesh(name), location=(5.0 * number, 0.0, 3.0))
        add_body(obj).mass = 1.0 + number
        shape = add_collider(obj)
        if name == "Scaled":
            obj.scale = (2.0, 1.0, 0.5)
        if name == "Off Its Center":
            shape.location, shape.rotation = (0.3, 0.2, 0.1), (0.1, 0.2, 0.3)
    level = add("Level", cube_mesh("Level"), location=(0.0, 20.0, 0.0))
    add_collider(level)
    add_body(level, "STATIC")
    joint = add("Joint", parent=obj)
    joint.omi_physics.use_joint = True
    lock = bpy.context.scene.omi_physics.joint_settings.add()
    lock.name = "Lock"
    for kind in ("LINEAR", "ANGULAR"):
        limit = lock.limits.add()
        limit.kind, limit.axes = kind, (True, True, True)
        limit.use_min = limit.use_max = True
    joint.omi_physics.joint.settings = "Lock"
    joint.omi_physics.joint.connected_object = level
    joint.omi_physics.joint.pivot_at_joint = True
    bpy.context.view_layer.update()
    return obj.name


@pytest.mark.parametrize("kind", ["CONVEX", "TRIMESH"])
def test_babylon_loads_files_whose_shapes_are_meshes(kind, run, tmp_path):
    add_collider(add("Ground", cube_mesh()), kind)
    load(run, "babylon", export_as("KHR", tmp_path / "meshes.glb"))
