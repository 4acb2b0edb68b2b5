"""What is typed for a joint is how its part moves: in words, in lines, in play and in engines."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, NamedTuple

import bpy
import numpy as np
import pytest
from mathutils import Quaternion

from omi_physics_addon.blender.authoring import joint_making, joint_texts
from omi_physics_addon.blender.overlay import joint_marks
from omi_physics_addon.blender.overlay.marks import MarkContext, ObjectMarks, Role
from omi_physics_addon.blender.scene import joint_settings
from tests.blender.operators.test_bodies import run as operate
from tests.blender.operators.test_bodies import select
from tests.blender.support.clients import Run, runner
from tests.blender.support.gltf_files import read_glb
from tests.blender.support.preview_scenes import axes, gravity, place, play
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh

CONNECT = "object.omi_physics_connect_selected"
SECONDS = 3.0


class Part(NamedTuple):
    """A part on a post, how it is joined to that, and where it ends.

    Attributes:
        kind, values: as typed in *Connect Selected*.
        low, high: between which places it stays, m or rad.
        ends: how far it comes within three seconds.
        push: start velocity along or about the axis, m/s or rad/s.
    """

    kind: str
    values: dict[str, Any]
    low: float
    high: float
    ends: float
    push: float = 0.0

    def comes(self, path: Any) -> bool:
        """Whether a part that was at some places has come as far as it should, and no further.

        Hard ends throw back some of the speed, so it need not be there at the last.
        """
        if min(path) < self.low - MARGIN or max(path) > self.high + MARGIN:
            return False
        return min(abs(np.array(path) - self.ends)) < MARGIN


def turning(low: float, high: float, ends: float, push: float) -> Part:
    """A door that is pushed to one of its ends; degrees."""
    ends, low, high = map(math.radians, (ends, low, high))
    values = {"use_turn": True, "min_angle": low, "max_angle": high}
    return Part("HINGE", values, low, high, ends, push)


def sliding(low: float, high: float, ends: float, push: float) -> Part:
    """A drawer that is pushed to one of its ends."""
    values = {"use_range": True, "min_distance": low, "max_distance": high}
    return Part("SLIDER", values, low, high, ends, push)


SERVO = {"drive_stiffness": 200.0, "drive_damping": 60.0}
LAMP = {**SERVO, "target_angle": math.radians(45.0)}
LIFT = {**SERVO, "drive_type": "LINEAR", "target_distance": 0.3}
MARGIN = 0.05
PARTS = {
    "door": turning(0.0, 110.0, 110.0, push=2.0),
    "door pushed shut": turning(0.0, 110.0, 0.0, push=-2.0),
    "door the other way": turning(-70.0, 20.0, -70.0, push=-2.0),
    "drawer": sliding(0.0, 0.4, 0.4, push=1.0),
    "drawer pushed shut": sliding(0.0, 0.4, 0.0, push=-1.0),
    "drawer the other way": sliding(-0.3, 0.1, -0.3, push=-1.0),
    "lamp": Part("SERVO", LAMP, 0.0, math.radians(45.0), math.radians(45.0)),
    "lift": Part("SERVO", LIFT, 0.0, 0.3, 0.3),
    "fan": Part("MOTOR", {"speed_angle": 0.5, "drive_damping": 50.0}, 0.0, 1.5, 1.5),
}
every_part = pytest.mark.parametrize("name", PARTS)
every_axis = pytest.mark.parametrize("axis", "XYZ")

pytestmark = pytest.mark.usefixtures("_weightless")


@pytest.fixture
def _weightless(_empty_file: None) -> None:
    gravity(0.0)


def made(
    name: str, axis: str, post_type: str = "STATIC", at: float = 0.0, number: int | None = None
) -> Any:
    """A part beside its post, both joined as an artist would; the joint.

    Args:
        at: along X.
        number: after the names of both.
    """
    end = "" if number is None else f" {number}"
    part = PARTS[name]
    bodies: list[Any] = []
    for label, kind, offset in (("Post", post_type, 0.0), ("Door", "DYNAMIC", 1.5)):
        obj = add(label + end, cube_mesh(), location=(at + offset, 0.0, 0.0))
        add_collider(obj, "BOX")
        obj.omi_physics.collider.shape.box.size = (0.5, 0.5, 0.5)
        motion = add_body(obj, kind)
        motion.mass_mode, motion.mass = (
            "VALUE",
            1.0 if kind == "DYNAMIC" and label == "Door" else 1000.0,
        )
        bodies.append(obj)
    post, door = bodies
    at_axis = "XYZ".index(axis)
    linear = part.kind == "SLIDER"
    pushed = [0.0, 0.0, 0.0]
    pushed[at_axis] = part.push
    motion = door.omi_physics.motion
    if linear:
        motion.linear_velocity = pushed
    elif part.push:
        # A body that turns about the joint moves with its middle, too.
        spin = np.array(pushed)
        arm = np.array([0.75, 0.0, 0.0])
        motion.angular_velocity, motion.linear_velocity = spin, np.cross(spin, arm)
    select(door, post)
    bpy.context.view_layer.objects.active = post
    kind = {"kind": part.kind, "axis": axis, "pivot": "MIDPOINT", "orientation": "GLOBAL"}
    assert operate(CONNECT, make_bodies=False, **kind, **part.values) == {"FINISHED"}
    bpy.context.view_layer.update()
    return bpy.context.object


def is_linear(name: str) -> bool:
    part = PARTS[name]
    return part.kind == "SLIDER" or part.values.get("drive_type") == "LINEAR"


def turn(rotation: Any, axis: str) -> float:
    """How far a rotation matrix turns about an axis, rad."""
    first, second = {"X": (1, 2), "Y": (2, 0), "Z": (0, 1)}[axis]
    return math.atan2(rotation[second][first], rotation[first][first])


def path(name: str, axis: str) -> list[float]:
    """How far the door is from where it began against the post, in each frame of the preview."""
    post, door = bpy.data.objects["Post"], bpy.data.objects["Door"]
    before = np.array(door.matrix_world.translation - post.matrix_world.translation)
    session = play(substeps=10)
    found: list[float] = []
    for _ in range(round(SECONDS / session.options.step)):
        session.step()
        turned = axes(session, "Post").T
        if is_linear(name):
            moved = turned @ (place(session, "Door") - place(session, "Post")) - before
            found.append(float(moved["XYZ".index(axis)]))
        else:
            found.append(turn(turned @ axes(session, "Door"), axis))
    assert session.error == ""
    return found


@every_axis
@every_part
def test_in_play(name: str, axis: str) -> None:
    made(name, axis)
    assert PARTS[name].comes(path(name, axis))


@every_part
def test_against_a_post_that_moves_too(name: str) -> None:
    made(name, "Z", "DYNAMIC")
    assert PARTS[name].comes(path(name, "Z"))


@every_part
def test_swapped_ends_keep_the_motion_and_its_words(name: str) -> None:
    joint = made(name, "Z")
    entry = joint_making.settings_of(joint, bpy.context.scene)
    words = joint_texts.motion(joint, entry, bpy.context.scene)
    assert words.startswith("Door ")
    assert "against Post" in words
    select(joint)
    assert operate("object.omi_physics_swap_joint_ends") == {"FINISHED"}
    bpy.context.view_layer.update()
    entry = joint_making.settings_of(joint, bpy.context.scene)
    assert joint_texts.motion(joint, entry, bpy.context.scene) == words
    assert joint.omi_physics.joint.connected_object.name == "Door"
    assert PARTS[name].comes(path(name, "Z"))


@pytest.mark.parametrize("family", ["OMI", "KHR"])
@every_part
def test_an_import_shows_what_was_typed(name: str, family: str, tmp_path: Path) -> None:
    joint = made(name, "Y")
    entry = joint_making.settings_of(joint, bpy.context.scene)
    typed = joint_settings.read_in_blender(entry)
    words = joint_texts.motion(joint, entry, bpy.context.scene)
    bpy.context.scene.omi_physics.export.family = family
    bpy.ops.export_scene.gltf(filepath=str(tmp_path / "a.glb"))
    written = read_glb(tmp_path / "a.glb")[0]
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=str(tmp_path / "a.glb"))
    bpy.context.view_layer.update()
    (joint,) = (obj for obj in bpy.data.objects if obj.omi_physics.use_joint)
    entry = joint_making.settings_of(joint, bpy.context.scene)
    back = joint_settings.read_in_blender(entry)
    assert [(each.min, each.max) for each in back.limits] == [
        (each.min, each.max) for each in typed.limits
    ]
    assert [each.position_target for each in back.drives] == [
        each.position_target for each in typed.drives
    ]
    assert joint_texts.motion(joint, entry, bpy.context.scene) == words
    # In the file the connected node is measured against the one of the joint; glTF's Z is -Y.
    extension = "OMI_physics_joint" if family == "OMI" else "KHR_physics_rigid_bodies"
    (settings,) = written["extensions"][extension]["physicsJoints"]
    for drive, shown in zip(settings.get("drives", []), typed.drives, strict=True):
        if shown.position_target is not None:
            assert drive["positionTarget"] == pytest.approx(shown.position_target)


@pytest.mark.parametrize(
    ("name", "axis", "words"),
    [
        ("door", "Z", "Door turns 0° … 110° about Z against Post"),
        ("door the other way", "X", "Door turns -70° … 20° about X against Post"),
        ("drawer", "Y", "Door slides 0 … 0.4 m along Y against Post"),
        ("lamp", "Y", "Door turns to 45° about Y against Post"),
        ("lift", "X", "Door slides to 0.3 m along X against Post"),
        ("fan", "Z", "Door turns at 28.65°/s about Z against Post"),
    ],
)
def test_the_words(name: str, axis: str, words: str) -> None:
    joint = made(name, axis)
    entry = joint_making.settings_of(joint, bpy.context.scene)
    assert joint_texts.motion(joint, entry, bpy.context.scene) == words


def lines_of(joint: Any) -> tuple[Any, ObjectMarks]:
    """The corners of the lines of the limits in the frame of the joint, and what they are from."""
    context = MarkContext(bpy.context.evaluated_depsgraph_get(), 1.0)
    shown, known = ObjectMarks(), joint_marks.KnownSettings()
    found = [
        mark.lines
        for mark in joint_marks.joint_marks(joint, context, shown, known)
        if mark.role is Role.LIMIT
    ]
    return np.concatenate(found), shown


def reach(lines: Any, axis: str) -> tuple[float, float]:
    """The smallest and largest angle about an axis of what is drawn in its plane, rad."""
    first, second = {"X": (1, 2), "Y": (2, 0), "Z": (0, 1)}[axis]
    flat = np.abs(lines[:, "XYZ".index(axis)]) < 1e-4
    away = np.hypot(lines[:, first], lines[:, second])
    far = flat & (away > 0.5 * away.max())  # Not the marks in the middle.
    angles = np.arctan2(lines[far, second], lines[far, first])
    return float(angles.min()), float(angles.max())


@every_axis
@pytest.mark.parametrize("swapped", [False, True])
def test_the_arc_lies_where_the_door_goes(axis: str, swapped: bool) -> None:
    joint = made("door", axis)
    if swapped:
        select(joint)
        operate("object.omi_physics_swap_joint_ends")
        bpy.context.view_layer.update()
    lines, shown = lines_of(joint)
    assert reach(lines, axis) == pytest.approx(np.radians((0.0, 110.0)), abs=0.01)
    assert {bpy.data.objects[name].session_uid for name in ("Door", "Post")} <= shown.bodies


def test_the_arc_of_a_frame_that_is_turned_starts_at_the_other_frame() -> None:
    joint = made("door", "Z")
    other = add("Other", None, parent=bpy.data.objects["Post"])
    joint.omi_physics.joint.pivot_at_joint = False
    joint.omi_physics.joint.connected_object = other
    other.matrix_world = joint.matrix_world
    other.rotation_euler.z += math.radians(20.0)
    bpy.context.view_layer.update()
    # Against that frame the door is turned by -20° already.
    assert reach(lines_of(joint)[0], "Z") == pytest.approx(np.radians((20.0, 130.0)), abs=0.01)


def test_the_post_moves_where_it_alone_can() -> None:
    joint = made("door", "Z")
    post, door = bpy.data.objects["Post"], bpy.data.objects["Door"]
    post.omi_physics.motion.type, door.omi_physics.motion.type = "DYNAMIC", "STATIC"
    entry = joint_making.settings_of(joint, bpy.context.scene)
    words = joint_texts.motion(joint, entry, bpy.context.scene)
    assert words == "Post turns -110° … 0° about Z against Door"
    assert reach(lines_of(joint)[0], "Z") == pytest.approx(np.radians((-110.0, 0.0)), abs=0.01)


@pytest.fixture(scope="module")
def engines() -> Run:
    return runner()


IN_ENGINES = ("door", "door pushed shut", "drawer", "lamp", "lift", "fan")
SPREAD = 10.0  # Between the pairs of one file, m.


@pytest.mark.parametrize(
    ("client", "family", "target"), [("godot", "OMI", "GODOT_4"), ("babylon", "KHR", "BABYLON")]
)
def test_in_engines(client: str, family: str, target: str, engines: Run, tmp_path: Path) -> None:
    """Every part about every axis in one file."""
    cases = [(name, axis) for name in IN_ENGINES for axis in "XYZ"]
    for number, (name, axis) in enumerate(cases):
        made(name, axis, at=SPREAD * number, number=number)
    settings = bpy.context.scene.omi_physics.export
    settings.family, settings.target = family, target
    bpy.ops.export_scene.gltf(filepath=str(tmp_path / "a.glb"))
    how = ("--seconds", str(SECONDS), "--gravity", "0", "--samples", "60")
    answer = engines(f"{client}/load.mjs", tmp_path / "a.glb", *how)
    assert answer["ok"], answer["error"]
    rows = answer["bodies"] if client == "babylon" else answer["nodes"]
    found = {row.get("node") or row["name"]: row for row in rows}
    wrong = [
        (name, axis, way)
        for number, (name, axis) in enumerate(cases)
        if not _goes_there(name, way := _way(found[f"Door {number}"], name, axis))
    ]
    # Babylon.js turns motors too fast, so that they have gone around.
    assert [row for row in wrong if (row[0], client) != ("fan", "babylon")] == []


def _goes_there(name: str, way: list[float]) -> bool:
    """Godot's hinges are soft enough to pass their ends, and servos of Babylon.js their targets."""
    part = PARTS[name]
    spare = 2.0 * MARGIN
    if part.kind == "SERVO":
        return abs(way[-1] - part.ends) < spare and min(way) > -spare
    if min(way) < part.low - spare or max(way) > part.high + spare:
        return False
    return min(abs(np.array(way) - part.ends)) < spare


def _way(row: dict[str, Any], name: str, axis: str) -> list[float]:
    """How far a door has gone, at each time there is something to tell by."""
    to_blender = np.array([[1.0, 0, 0], [0, 0, -1.0], [0, 1.0, 0]])
    places = np.array([each[1:] for each in row["track"]]) @ to_blender.T
    if is_linear(name):
        return list(places[:, "XYZ".index(axis)] - places[0, "XYZ".index(axis)])
    if axis == "X":  # The door stays where it is, and turns.
        start, end = (quaternion(row[time]["rotation"]) for time in ("t0", "tT"))
        turned = turn((end @ start.inverted()).to_matrix(), axis)
        return [0.0, turned] if PARTS[name].push == 0.0 else [PARTS[name].ends, turned]
    arms = places - (places[0] - np.array([0.75, 0.0, 0.0]))
    first, second = {"Y": (2, 0), "Z": (0, 1)}[axis]
    angles = np.unwrap(np.arctan2(arms[:, second], arms[:, first]))
    return list(angles - angles[0])


def quaternion(found: Any) -> Quaternion:
    """In Blender's axes."""
    x, y, z, w = found
    return Quaternion((w, x, -z, y))
