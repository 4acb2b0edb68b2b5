"""The example `robot`: an arm with motors at all its joints, and a table that a motor turns.

The motors of the arm go where their targets say, from the pose that is modelled; that of the table
keeps its speed. The targets in the file bring the hand above a block.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from tools.examples import example_forms as forms
from tools.examples.example_stage import (
    HERE,
    add_camera_and_lights,
    brighten,
    held,
    make_body,
    make_collider,
    make_joint,
)

if TYPE_CHECKING:
    from tools.examples.example_stage import Stage, Vector

_SHOULDER = 0.66  # Height, m.
_UPPER, _FORE, _HAND = 0.8, 0.7, 0.3  # From joint to joint, and to between the tips.
BLOCK = 0.16  # Edge, m.
_STAND, _TABLE = 0.4, 0.3  # Heights.
SPIN = 0.5  # Of the table, rad/s.
OPEN, CLOSED = 0.035, -0.2  # Of each finger from where it is modelled, m; closed is out of reach.
_GAP = 0.5 * BLOCK + 0.01  # From the middle of the hand to a finger as it is modelled.


class Hand(NamedTuple):
    """Where the point between the tips of the fingers is; the hand hangs down.

    Attributes:
        turn: about the waist, rad, from +X.
        reach, height: m.
    """

    turn: float
    reach: float
    height: float


HOME = Hand(math.radians(-90.0), 0.75, 0.75)  # As it is modelled.
TAKE = Hand(math.radians(-150.0), 0.95, _STAND + 0.5 * BLOCK)
PUT = Hand(math.radians(-20.0), 0.95, _TABLE + 0.5 * BLOCK + 0.005)


def above(hand: Hand) -> Hand:
    """Where nothing is in the way."""
    return hand._replace(height=hand.height + 0.3)


def angles(hand: Hand) -> tuple[float, float, float, float]:
    """Of waist, shoulder, elbow and wrist, rad; the arm is straight up where the last three are 0.

    By the law of cosines, with the elbow up.
    """
    height = hand.height + _HAND - _SHOULDER
    far = math.hypot(hand.reach, height)
    bend = math.acos((far**2 - _UPPER**2 - _FORE**2) / (2.0 * _UPPER * _FORE))
    ahead = math.atan2(_FORE * math.sin(bend), _UPPER + _FORE * math.cos(bend))
    shoulder = math.atan2(hand.reach, height) - ahead
    return hand.turn, shoulder, bend, math.pi - shoulder - bend


def targets(hand: Hand) -> dict[str, float]:
    """What the motors are told, by the names of their settings: turns from home, rad."""
    pairs = zip(angles(hand), angles(HOME), strict=True)
    turns = [there - here for there, here in pairs]
    return dict(zip(("Waist", "Shoulder", "Elbow", "Wrist"), turns, strict=True))


def _servo(axis: str, target: float, strength: float) -> dict[str, Any]:
    """A motor that goes to an angle."""
    return {
        "type": "ANGULAR",
        "axis": axis,
        "use_position_target": True,
        "position_angle": target,
        "stiffness": 80.0 * strength,
        "damping": 14.0 * strength,
        "use_max_force": True,
        "max_force": strength,
    }


def add_settings(stage: Stage) -> None:
    """What the joints allow, and what their motors do."""
    still = held("LINEAR")
    goal = targets(above(TAKE))
    for name, axis, strength in (
        ("Waist", "Z", 250.0),
        ("Shoulder", "Y", 300.0),
        ("Elbow", "Y", 200.0),
        ("Wrist", "Y", 80.0),
    ):
        fixed = held("ANGULAR", "XYZ".replace(axis, ""))
        stage.settings(name, still, fixed, drives=(_servo(axis, goal[name], strength),))
    grip = {
        "type": "LINEAR",
        "axis": "Y",
        "use_position_target": True,
        "position_distance": OPEN,
        "stiffness": 3000.0,
        "damping": 300.0,
        "use_max_force": True,
        "max_force": 150.0,
    }
    slot = held("LINEAR", "Y", min_distance=-0.05, max_distance=0.05)
    stage.settings("Grip", held("LINEAR", "XZ"), slot, held("ANGULAR"), drives=(grip,))
    motor = {
        "type": "ANGULAR",
        "axis": "Z",
        "use_velocity_target": True,
        "velocity_angle": SPIN,
        "damping": 200.0,
        "use_max_force": True,
        "max_force": 100.0,
    }
    stage.settings("Turntable", still, held("ANGULAR", "XY"), drives=(motor,))
    stage.surface("Grippy", static_friction=1.0, dynamic_friction=1.0)


def _at(hand: Hand, height: float) -> Vector:
    return (hand.reach * math.cos(hand.turn), hand.reach * math.sin(hand.turn), height)


def add_room(stage: Stage) -> None:
    """Static: a floor, and a stand with a block to take."""
    stage.ground((5.0, 4.4, 0.2))
    size = (0.34, 0.34, _STAND)
    turn = (0.0, 0.0, TAKE.turn)
    stage.block(
        "Stand", size, _at(TAKE, 0.5 * _STAND), "Stone", "STATIC", rotation=turn
    ).omi_physics.collider.physics_material = "Grippy"
    size = (BLOCK, BLOCK, BLOCK)
    place = _at(TAKE, TAKE.height)
    block = stage.block("Block", size, place, "Red", "DYNAMIC", mass=0.5, rotation=turn)
    block.omi_physics.collider.physics_material = "Grippy"


def _link(stage: Stage, name: str, length: float, place: Vector, tilt: float, **how: Any) -> Any:
    """A bar along its Z from a joint on, with a round case around the joint."""
    width = how["width"]
    size = (width, width, length)
    center = (0.0, 0.0, 0.5 * length)
    turn = (0.0, tilt, HOME.turn)
    mesh = stage.mesh(name, forms.box(size, center), how["color"])
    link = stage.place(name, mesh, place, rotation=turn, group="Dynamic")
    make_body(link, "DYNAMIC", mass=how["mass"])
    link.omi_physics.motion.center_of_mass_mode = "SHAPES"
    make_collider(link, "BOX", sizes={"size": size}, location=center)
    form = forms.turned(forms.cylinder(1.5 * width, 0.75 * width), 20)
    case = stage.mesh(f"{name} Case", forms.laid_along_y(form), "Steel")
    stage.place(f"{name} Case", case, HERE, below=link)
    return link


def _motor(stage: Stage, settings: str, place: Vector, body: Any, other: Any) -> None:
    """A joint on a body that turns it against another one, counter-clockwise above zero."""
    joint = stage.empty(f"{settings} Joint", place, below=body)
    make_joint(joint, settings, other, pivot_at_joint=True)


def add_arm(stage: Stage) -> None:
    """Dynamic, on a base that stands still."""
    base = stage.block("Base", (0.5, 0.5, 0.3), (0.0, 0.0, 0.15), "Steel", "STATIC")
    form = forms.turned(forms.cylinder(0.3, 0.17), 24)
    sizes = {"height": 0.3, "radius_bottom": 0.17, "radius_top": 0.17}
    turret = stage.place(
        "Turret",
        stage.mesh("Turret", form, "Orange"),
        (0.0, 0.0, 0.46),
        rotation=(0.0, 0.0, HOME.turn),
        group="Dynamic",
    )
    make_body(turret, "DYNAMIC", mass=12.0)
    make_collider(turret, "CYLINDER", sizes=sizes)
    _motor(stage, "Waist", (0.0, 0.0, -0.16), turret, base)
    turn, shoulder, elbow, wrist = angles(HOME)
    ahead = (math.cos(turn), math.sin(turn))

    def along(place: Vector, length: float, tilt: float) -> Vector:
        far = length * math.sin(tilt)
        return (
            place[0] + far * ahead[0],
            place[1] + far * ahead[1],
            place[2] + length * math.cos(tilt),
        )

    rows = (
        ("Upper Arm", "Shoulder", _UPPER, shoulder, {"width": 0.15, "mass": 6.0}),
        ("Forearm", "Elbow", _FORE, shoulder + elbow, {"width": 0.12, "mass": 4.0}),
        ("Hand", "Wrist", 0.14, shoulder + elbow + wrist, {"width": 0.1, "mass": 1.5}),
    )
    before, place = turret, (0.0, 0.0, _SHOULDER)
    for name, settings, length, tilt, how in rows:
        link = _link(stage, name, length, place, tilt, color="Orange", **how)
        _motor(stage, settings, HERE, link, before)
        place, before = along(place, length, tilt), link
    _add_fingers(stage, before)


def _add_fingers(stage: Stage, hand: Any) -> None:
    """Dynamic; both slide away from each other by the same number."""
    size = (0.09, 0.03, 0.2)
    palm = (0.11, 0.34, 0.05)  # Wider than the hand.
    place = (0.0, 0.0, 0.14)
    stage.place("Palm", stage.mesh("Palm", forms.box(palm), "Steel"), place, below=hand)
    mesh = stage.mesh("Finger", forms.box(size), "Steel")
    stage.bpy.context.view_layer.update()
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        place = (0.0, sign * (_GAP + 0.5 * size[1]), _HAND - 0.5 * size[2] + 0.04)
        finger = stage.place(f"Finger {side}", mesh, HERE, group="Dynamic")
        at = stage.empty(f"Grip {side}", place, below=hand)
        stage.bpy.context.view_layer.update()
        finger.matrix_world = at.matrix_world
        make_body(finger, "DYNAMIC", mass=0.5)
        make_collider(finger, "BOX", sizes={"size": size}, surface="Grippy")
        # Each opens along its own +Y, away from the other one.
        at.parent, at.location = finger, HERE
        at.rotation_euler = (0.0, 0.0, math.pi if sign < 0.0 else 0.0)
        make_joint(at, "Grip", hand, pivot_at_joint=True)


def add_table(stage: Stage) -> None:
    """Dynamic; a motor turns it about the axis of its foot."""
    foot = stage.block("Foot", (0.3, 0.3, 0.2), _at(PUT, 0.1), "Steel", "STATIC")
    middle = _at(Hand(PUT.turn, PUT.reach + 0.22, 0.0), _TABLE - 0.03)
    foot.location = (middle[0], middle[1], 0.1)
    form = forms.turned(forms.cylinder(0.06, 0.5), 40)
    mesh = stage.mesh("Turntable", form, "White")
    stage.paint(mesh, "Blue", lambda at: at[2] > 0.0 and at[0] * at[1] > 0.0)
    table = stage.place("Turntable", mesh, middle, group="Dynamic")
    make_body(table, "DYNAMIC", mass=8.0)
    sizes = {"height": 0.06, "radius_bottom": 0.5, "radius_top": 0.5}
    make_collider(table, "CYLINDER", sizes=sizes, surface="Grippy")
    _motor(stage, "Turntable", (0.0, 0.0, -0.03), table, foot)
    for number, (color, turn) in enumerate((("Yellow", 2.2), ("Blue", 4.3)), 1):
        place = (
            middle[0] + 0.32 * math.cos(turn),
            middle[1] + 0.32 * math.sin(turn),
            _TABLE + 0.5 * BLOCK,
        )
        size = (BLOCK, BLOCK, BLOCK)
        rider = stage.block(f"Rider {number}", size, place, color, "DYNAMIC", mass=0.8)
        rider.omi_physics.collider.physics_material = "Grippy"


def add_view(stage: Stage) -> None:
    """From the front and above."""
    add_camera_and_lights(stage, (0.9, -4.6, 2.3), 69.0, heading=8.0)
    brighten(stage)


EXHIBITS = (
    add_settings,
    add_room,
    add_arm,
    add_table,
    add_view,
)
