"""What our reader for Godot makes of files: each property is asked of Godot's own nodes.

The editor imports the files in a project with the reader, as it does for everybody.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from tests.support import godot_documents
from tools import environment, programs
from tools.engines import godot_projects
from tools.programs import find_godot

PROBE = environment.ROOT / "tests" / "godot" / "reader_probe.gd"
STEPS = 60  # At 60 Hz.
Rows = dict[str, dict[str, Any]]


class Asked(dict[str, Rows]):
    """What became of files, by their names; `imported` is what the editor made of the first."""

    imported: Rows
    project: Path
    command: list[str]


def ask(
    place: Path, command: list[str], files: list[str], *, steps: int = STEPS, export: str = ""
) -> list[Rows]:
    """What the probe says of files in a project."""
    job, out = place / "job.json", place / "out.json"
    said = {"files": files, "steps": steps, "export": export, "out": str(out)}
    job.write_text(json.dumps(said), encoding="utf-8")
    options = ["--headless", "--audio-driver", "Dummy", "--fixed-fps", "60"]
    script = ["--path", str(place / "project"), "-s", str(PROBE), "--", str(job)]
    words = programs.run(
        [*command, *options, *script], place, godot_projects.homes(place), may_fail=True
    )
    assert out.is_file(), words
    assert "SCRIPT ERROR" not in words, words
    return json.loads(out.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    command = find_godot()
    if command is None:
        pytest.skip("no Godot here: set GODOT to its command, or put godot on PATH")
    place = tmp_path_factory.mktemp("reader")
    files = []
    for name, document in godot_documents.DOCUMENTS.items():
        files.append(place / f"{name}.gltf")
        files[-1].write_text(json.dumps(document), encoding="utf-8")
    found = godot_projects.make(place, command, files, add_on=godot_projects.READER)
    answers = ask(place, command, [*found, str(files[0])])
    made = Asked(zip(godot_documents.DOCUMENTS, answers, strict=False))
    made.imported = answers[-1]
    made.project, made.command = place, command
    return made


def near(*numbers: float) -> Any:
    return pytest.approx(list(numbers), abs=1e-5)


def test_editor_and_run_time_make_the_same(asked: Asked) -> None:
    kept = (
        "class",
        "script",
        "collision_layer",
        "mass",
        "center_of_mass",
        "inertia",
        "gravity_scale",
    )
    for name, row in asked["omi"].items():
        other = asked.imported.get(name)
        if row["class"] not in ("MeshInstance3D", "Node3D"):
            assert other is not None, name
            assert [key for key in kept if other.get(key) != row.get(key)] == [], name


def test_nobody_else_reads_the_physics(asked: Asked) -> None:
    """Godot's own reader would make a second body, or hide the mesh."""
    bodies = [row for row in asked["omi"].values() if row["class"] == "RigidBody3D"]
    assert len(bodies) == godot_documents.OMI_BODIES
    assert all(row["script"] for row in bodies)


def test_motion(asked: Asked) -> None:
    body = asked["omi"]["Crate"]
    assert (body["class"], body["script"]) == ("RigidBody3D", "dynamic_body.gd")
    assert body["mass"] == 3.0
    assert body["gravity_scale"] == pytest.approx(-0.5)
    assert body["center_of_mass"] == near(0.2, 0.0, 0.6)  # The scale of the node is in it.
    assert body["inertia"] == near(1.0, 2.0, 4.0)
    assert body["start_linear_velocity"] == near(1.0, 2.0, 3.0)
    assert body["start_angular_velocity"] == near(0.0, 0.5, 0.0)
    assert (body["linear_damp_mode"], body["linear_damp"]) == (1, 0.0)


def test_the_mesh_of_a_body_is_seen(asked: Asked) -> None:
    mesh = asked["omi"]["Crate Mesh"]
    assert mesh["class"] == "MeshInstance3D"
    assert mesh["is_shown"]


def test_no_body_is_scaled(asked: Asked) -> None:
    body = asked["omi"]["Crate"]
    for column in body["place"]["basis"]:
        assert math.hypot(*column) == pytest.approx(1.0, abs=1e-5)
    assert asked["omi"]["Crate Shape"]["shape"]["size"] == near(2.0, 2.0, 6.0)
    mesh = asked["omi"]["Crate Mesh"]["place"]["basis"]
    assert [math.hypot(*column) for column in mesh] == near(2.0, 2.0, 6.0)


@pytest.mark.parametrize(
    ("name", "kind", "sizes"),
    [
        ("Sphere", "SphereShape3D", {"radius": 0.4}),
        ("Capsule", "CapsuleShape3D", {"height": 2.0, "radius": 0.25}),
        ("Older Capsule", "CapsuleShape3D", {"height": 1.4, "radius": 0.2}),
        ("Cylinder", "CylinderShape3D", {"height": 0.8, "radius": 0.3}),
    ],
)
def test_shapes(asked: Asked, name: str, kind: str, sizes: dict[str, float]) -> None:
    shape = asked["omi"][f"{name} Shape"]["shape"]
    assert shape["class"] == kind
    assert {key: shape[key] for key in sizes} == pytest.approx(sizes)


def test_tapered_shapes_are_hulls_of_their_size(asked: Asked) -> None:
    points = asked["omi"]["Taper Shape"]["shape"]["points"]
    top = [p for p in points if p[1] > 0.0]
    assert len(points) < 256
    assert max(p[1] for p in points) == pytest.approx(0.5 + 0.1)
    assert max(math.hypot(p[0], p[2]) for p in top) == pytest.approx(
        0.1 * math.cos(math.asin(0.3)), abs=2e-3
    )
    assert min(p[1] for p in points) == pytest.approx(-0.5 - 0.4)


def test_meshes(asked: Asked) -> None:
    hull = asked["omi"]["Hull Shape"]["shape"]
    assert hull["class"] == "ConvexPolygonShape3D"
    assert len(hull["points"]) == 4
    ground = asked["omi"]["Ground Shape"]["shape"]
    assert ground["class"] == "ConcavePolygonShape3D"
    assert ground["backface_collision"]


def test_body_below_a_body_hangs_beside_it(asked: Asked) -> None:
    assert asked["omi"]["Below"]["parent"] == asked["omi"]["Crate"]["parent"]


def test_start_velocity_is_along_the_axes_of_the_body(asked: Asked) -> None:
    """Half a turn about Y, so that +X of the body is -X of the world."""
    row = asked["omi"]["Thrown"]
    gone = row["end"]["origin"][0] - row["place"]["origin"][0]
    assert gone == pytest.approx(-2.0 * STEPS / 60.0, abs=0.1)


def test_kinematic_body_goes_on_moving(asked: Asked) -> None:
    row = asked["omi"]["Lift"]
    assert (row["class"], row["script"]) == ("AnimatableBody3D", "kinematic_mover.gd")
    gone = row["end"]["origin"][1] - row["place"]["origin"][1]
    assert gone == pytest.approx(0.5 * STEPS / 60.0, abs=0.02)


def test_friction_and_bounce_of_each_pair(asked: Asked) -> None:
    """Ice on the ground is 0.1 times 0.5; the sum of bounces is near their maximum.

    Others meet the ground with a mean of bounces, which no sums can all be.
    """
    ice = asked["omi"]["Ice"]["physics_material_override"]
    ground = asked["omi"]["Ground"]["physics_material_override"]
    pair = min(signed(ice), signed(ground))
    assert abs(pair) == pytest.approx(0.05, abs=1e-3)
    bounce = sum(each["bounce"] * (-1.0 if each["absorbent"] else 1.0) for each in (ice, ground))
    assert bounce == pytest.approx(0.8, abs=0.1)


def signed(material: dict[str, Any]) -> float:
    """What Godot compares: rough surfaces count as less than nothing."""
    return -material["friction"] if material["rough"] else material["friction"]


def test_filters_are_named_layers(asked: Asked) -> None:
    rows = asked["omi"]
    ghost, wall, crate = rows["Ghost"], rows["Wall"], rows["Crate"]
    assert not ghost["collision_mask"] & wall["collision_layer"]
    assert not wall["collision_mask"] & ghost["collision_layer"]
    assert ghost["collision_mask"] & crate["collision_layer"]
    assert crate["collision_mask"] & ghost["collision_layer"]
    text = (asked.project / "project" / "project.godot").read_text(encoding="utf-8")
    for row, word in ((ghost, "ghosts"), (wall, "walls")):
        number = int(math.log2(row["collision_layer"])) + 1
        assert f'3d_physics/layer_{number}="{word}"' in text


def test_triggers(asked: Asked) -> None:
    zone, compound = asked["omi"]["Zone"], asked["omi"]["Compound"]
    assert (zone["class"], compound["class"]) == ("Area3D", "Area3D")
    parts = [row for row in asked["omi"].values() if row["parent"] == "Compound"]
    assert [row["class"] for row in parts].count("CollisionShape3D") == 2


def test_seat(asked: Asked) -> None:
    seat = asked["omi"]["Seat"]
    assert seat["script"] == "seat.gd"
    assert (seat["back"], seat["foot"], seat["knee"]) == (
        near(0.0, 0.0, -0.2),
        near(0.0, -0.5, 0.3),
        near(0.0, 0.0, 0.3),
    )
    assert seat["angle"] == pytest.approx(1.7)


def test_world_gravity(asked: Asked) -> None:
    world = asked["omi"]["World Gravity"]
    assert world["gravity"] == pytest.approx(1.62)
    assert world["direction"] == near(0.0, -1.0, 0.0)


@pytest.mark.parametrize("kind", ["directional", "point", "disc", "torus", "line", "shaped"])
def test_gravity_of_volumes(asked: Asked, kind: str) -> None:
    """A body at (0, 3, 0) in each volume begins to fall as the field says."""
    rows = asked[f"gravity {kind}"]
    volume = rows["Volume"]
    assert (volume["class"], volume["field"]) == ("Area3D", kind)
    assert volume["priority"] == 7
    gone = [
        b - a for a, b in zip(*(rows["Moon"][k]["origin"] for k in ("place", "end")), strict=True)
    ]
    time = STEPS / 60.0
    wanted = [0.5 * g * time * time for g in godot_documents.PULLS[kind]]
    assert gone == pytest.approx(wanted, abs=0.06)


def test_limits_of_joints_count_as_godot_counts(asked: Asked) -> None:
    joint = asked["joints"]["Hinge Joint"]
    assert (joint["class"], joint["script"]) == ("Generic6DOFJoint3D", "physics_joint.gd")
    assert not joint["angular_limit_x/enabled"] or joint[
        "angular_limit_x/lower_angle"
    ] == pytest.approx(-0.7)
    assert joint["angular_limit_x/upper_angle"] == pytest.approx(0.2)
    assert all(joint[f"linear_limit_{axis}/enabled"] for axis in "xyz")
    assert all(joint[f"angular_limit_{axis}/upper_angle"] == 0.0 for axis in "yz")
    assert joint["exclude_nodes_from_collision"] is False


def test_a_limited_hinge_ends_where_the_file_says(asked: Asked) -> None:
    """It turns about Y; the part of the joint, which swings by its motor, reaches 0.7 rad."""
    x, _, z = asked["joints"]["Door"]["end"]["basis"][0]
    assert math.atan2(-z, x) == pytest.approx(-0.7, abs=0.05)


def test_a_spring_rests_at_its_target(asked: Asked) -> None:
    moved = asked["joints"]["Piston"]
    gone = moved["end"]["origin"][0] - moved["place"]["origin"][0]
    assert gone == pytest.approx(-0.3, abs=0.03)  # The connected one is at +0.3 from it.


def test_a_soft_limit_gives_way(asked: Asked) -> None:
    """A weight of 1.62 N on 10 N/m beyond a range of nothing."""
    row = asked["joints"]["Soft"]
    assert row["end"]["origin"][1] - row["place"]["origin"][1] == pytest.approx(-0.162, abs=0.06)


def test_vehicle(asked: Asked) -> None:
    rows = asked["vehicle"]
    car = rows["Car"]
    assert (car["class"], car["script"]) == ("RigidBody3D", "vehicle.gd")
    assert car["linear_activation"] == near(0.0, 0.0, 1.0)
    assert car["gyro_torque"] == near(1.0, 2.0, 3.0)
    assert (car["max_speed"], car["linear_dampeners"]) == (30.0, False)
    assert car["pilot_seat"].endswith("Pilot")
    wheel = rows["Wheel 0"]
    assert wheel["script"] == "wheel.gd"
    assert wheel["max_propulsion_force"] == 500.0
    assert wheel["braking_force"] == 900.0
    assert (wheel["radius"], wheel["suspension_travel"]) == (pytest.approx(0.3), pytest.approx(0.2))
    assert wheel["dynamic_friction"] == pytest.approx(0.9)
    assert car["end"]["origin"][2] > car["place"]["origin"][2] + 0.3  # It drives ahead.
    assert rows["Jet"]["script"] == "thruster.gd"
    assert rows["Jet"]["most"] == 50.0
    assert rows["Hover"]["script"] == "hover_thruster.gd"
    assert rows["Hover"]["linear_gimbal_adjust_ratio"] == pytest.approx(0.5)


def test_khronos(asked: Asked) -> None:
    rows = asked["khr"]
    crate = rows["Crate"]
    assert crate["mass"] == pytest.approx(2000.0)  # 2 m³ of water.
    assert rows["Heavy"]["mass"] == pytest.approx(1e6)
    assert rows["Ground"]["class"] == "StaticBody3D"
    assert rows["Ground Shape"]["shape"]["class"] == "WorldBoundaryShape3D"
    assert rows["Plate Shape"]["shape"]["class"] == "ConcavePolygonShape3D"
    assert rows["Door Joint"]["class"] == "Generic6DOFJoint3D"  # On the body itself.
    assert rows["Crate"]["center_of_mass_mode"] == 0  # From the shapes.


def test_names_are_no_commands(asked: Asked) -> None:
    assert asked["omi"]["Steering Wheel"]["class"] == "RigidBody3D"
    assert "VehicleWheel3D" not in {row["class"] for row in asked["omi"].values()}


def test_what_godot_exports_says_the_same(asked: Asked) -> None:
    """An export of the imported scene, read again, has the bodies, joints and parts."""
    place = asked.project
    for name, key in (("omi", 0), ("joints", 1), ("vehicle", 2)):
        file = f"res://files/{key}/{name}.gltf"
        out = place / f"again {name}.gltf"
        ask(place, asked.command, [file], steps=1, export=str(out))
        (again,) = ask(place, asked.command, [str(out)], steps=1)
        for node, row in asked[name].items():
            if row["script"] in WRITTEN:
                assert differing(row, again[node], WRITTEN[row["script"]]) == [], node


WRITTEN = {
    "dynamic_body.gd": ("mass", "gravity_scale", "center_of_mass", "inertia", "collision_mask"),
    "vehicle.gd": ("mass", "gyro_torque", "max_speed", "linear_dampeners", "linear_activation"),
    "wheel.gd": ("radius", "braking_force", "max_propulsion_force", "dynamic_friction"),
    "thruster.gd": ("most", "max_gimbal"),
    "seat.gd": ("back", "foot", "knee", "angle"),
    "world_gravity.gd": ("gravity", "direction"),
    "kinematic_mover.gd": ("own_linear_velocity",),
}


def differing(row: dict[str, Any], other: dict[str, Any], keys: tuple[str, ...]) -> list[str]:
    return [key for key in keys if other.get(key) != pytest.approx(row[key], abs=1e-5)]
