"""Four examples while they play: what is done to them meanwhile, and what must come of it.

Each is a `Play`. `plays.py` plays them in a Blender with a window, takes pictures and keeps what
was recorded; the tests play them without one, and check both.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import bpy as stubbed_bpy  # noqa: TID251
import numpy as np
from numpy.typing import NDArray

from tools.examples import example_car, example_planet, example_robot
from tools.examples.example_robot import CLOSED, HOME, OPEN, PUT, TAKE, Hand, above
from tools.examples.walk_scenes import expect

if TYPE_CHECKING:
    from omi_physics_addon.blender.preview.recorder import Recorder
    from omi_physics_addon.blender.preview.session import Session
    from omi_physics_addon.simulation.world import JointFrames

bpy: Any = stubbed_bpy
Array = NDArray[np.float64]
Keys = frozenset[str]
Vector = tuple[float, float, float]

# Blender's axes of a vector in glTF's.
_TURN: Final[Array] = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
NOTHING: Keys = frozenset()


@dataclass(frozen=True)
class View:
    """Where a picture is taken from.

    Attributes:
        place: what it looks at.
        distance: from how far, m.
        side, height: from where around and from how high above, degrees; 0 is the front.
    """

    place: Vector
    distance: float
    side: float
    height: float


class Film:
    """What was recorded of a preview, in Blender's axes."""

    def __init__(self, text: str, joints: Sequence[JointFrames]) -> None:
        """Take the text of a recording as JSON, and the joints of the scene that it is of."""
        data = json.loads(text)
        self.names: list[str] = [body["name"] for body in data["bodies"]]
        self.times: Array = np.array(data["times"])
        self._joints = joints
        self._places: Array = np.array([body["position"] for body in data["bodies"]])
        self._velocities: Array = np.array([body["linearVelocity"] for body in data["bodies"]])
        turns = np.array([body["rotation"] for body in data["bodies"]])
        self._turns = _matrices(turns)

    def _at(self, name: str) -> int:
        return self.names.index(name)

    def places(self, name: str) -> Array:
        """Where the origin of a body was, (k, 3)."""
        found: Array = self._places[self._at(name)] @ _TURN.T
        return found

    def speeds(self, name: str) -> Array:
        """How fast it was, (k,), m/s."""
        found: Array = np.linalg.norm(self._velocities[self._at(name)], axis=1)
        return found

    def axes(self, name: str) -> Array:
        """Its axes as columns, (k, 3, 3)."""
        found: Array = _TURN @ self._turns[self._at(name)] @ _TURN.T
        return found

    def turns(self, name: str, other: str, axis: int) -> Array:
        """How far a body has turned against another one about one of its axes, (k,), rad."""
        between = self.axes(other).transpose(0, 2, 1) @ self.axes(name)
        turn: Array = between @ between[0].T
        one, two = (axis + 1) % 3, (axis + 2) % 3
        angles: Array = np.arctan2(turn[:, two, one], turn[:, one, one])
        found: Array = np.unwrap(angles)
        return found

    def at(self, time: float) -> int:
        """The number of what was recorded at a time."""
        return int(np.abs(self.times - time).argmin())

    def end(self, seconds: float) -> slice:
        """The last seconds."""
        return slice(self.at(float(self.times[-1]) - seconds), None)

    def gaps(self) -> Array:
        """How far the two points that each of j joints holds together were apart, (k, j), m."""
        points = [self._points(each.first) - self._points(each.second) for each in self._joints]
        found: Array = np.linalg.norm(np.array(points), axis=2).T
        return found

    def _points(self, frame: Any) -> Array:
        if frame.body < 0:
            return np.tile(frame.place, (len(self.times), 1))
        found: Array = self._places[frame.body] + self._turns[frame.body] @ frame.place
        return found


def _matrices(quaternions: Array) -> Array:
    """Rotations (..., 3, 3) of quaternions x, y, z, w."""
    x, y, z, w = np.moveaxis(quaternions, -1, 0)
    rows = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)],
        [2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)],
        [2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)],
    ]
    found: Array = np.moveaxis(np.array(rows), (0, 1), (-2, -1))
    return found


@dataclass(frozen=True)
class Play:
    """One of the four.

    Attributes:
        seconds: how long it plays.
        pictures: when pictures are taken, s.
        best: the number of the one that is shown large.
        view: from where, as bodies are then; None for a preview before it begins.
        hands: changes what is to be changed now, and says which keys to hold.
        check: what was measured; raises AssertionError where something is not as it must be.
        shows_keys: whether pictures show which keys are held.
        shows_panel: whether the large picture shows the sidebar, too.
        moving: from when to when a moving picture shows it, s.
    """

    seconds: float
    pictures: tuple[float, ...]
    best: int
    view: Callable[[Session | None], View]
    hands: Callable[[Session], Keys]
    check: Callable[[Film], dict[str, float]]
    shows_keys: bool = False
    shows_panel: bool = False
    moving: tuple[float, float] = (0.0, 5.0)


def _place_of(session: Session, name: str) -> Vector:
    """Where the centre of mass of a body is now."""
    x, y, z = (_TURN @ session.poses().position[_body(session, name)]).tolist()
    return x, y, z


def _body(session: Session, name: str) -> int:
    return session.world.body_of[session.names.index(name)]


def watch(_session: Session) -> Keys:
    """The keys of someone who only looks."""
    return NOTHING


# A car

WAY: Final = ((1.2, 13.0), (-1.2, 6.0), (0.0, -1.0), (0.0, -26.0), (0.0, -60.0))
_NEAR: Final = 2.5  # From where on a driver looks at the next point of the way, m.
_STOP: Final = -25.0  # Where the driver lets go, along Y.
_AHEAD: Final = 0.35  # s, that the driver thinks ahead about how the car turns.
_STRAIGHT: Final = 0.06  # rad


def drive(session: Session) -> Keys:
    """The keys a driver holds who looks where the car is, and where it is to go."""
    vehicles = session.forces.vehicles
    if session.time < 0.3 or vehicles is None:
        return NOTHING
    at, state = _body(session, "Car"), session.state
    x, y, _ = (_TURN @ state.position[at]).tolist()
    front = -(_TURN @ state.rotation[at] @ _TURN.T)[:, 1]
    to = next(point for point in WAY if point[1] < y - _NEAR)
    wanted = math.atan2(to[0] - x, y - to[1])
    off = wanted - math.atan2(front[0], -front[1]) - _AHEAD * float(state.spin[at][1])
    keys = {"W"} if y > _STOP else set[str]()
    if (vehicles.wheels.load > 0.0).sum() > 2 and abs(off) > _STRAIGHT:
        keys.add("A" if off > 0.0 else "D")
    return frozenset(keys)


def _view_car(session: Session | None) -> View:
    x, y, z = (0.0, example_car.START, 0.0) if session is None else _place_of(session, "Car")
    return View((0.7 * x, y, 0.5 * z + 0.3), 8.0, 52.0, 16.0)


def check_car(film: Film) -> dict[str, float]:
    """It went the whole way by keys, up and down, jumped, and stayed upright."""
    places, up = film.places("Car"), film.axes("Car")[:, 2, 2]
    gone = example_car.START - float(places[-1, 1])
    tilt = math.degrees(math.acos(min(float(up.min()), 1.0)))
    expect(gone > 45.0, f"the car went {gone:.1f} m only")
    expect(tilt < 35.0, f"the car tilted by {tilt:.0f} degrees")
    expect(abs(places[-1, 0]) < 4.0, "the car left the way")
    rise = float(places[:, 2].max() - places[0, 2])
    expect(rise > 0.8, f"the car did not come over the ramp, only {rise:.2f} m up")
    expect(film.speeds("Car")[-1] < 0.1, "the car did not stop")
    boxes = [name for name in film.names if name.startswith("Box")]
    moved = [np.linalg.norm(film.places(name)[-1] - film.places(name)[0]) for name in boxes]
    expect(max(moved) > 2.0, "the car did not meet the boxes")
    return {
        "gone, m": gone,
        "largest tilt, degrees": tilt,
        "fastest, m/s": film.speeds("Car").max(),
    }


# A rope bridge

LOADS: Final = ("Crate 1", "Crate 2", "Crate 3", "Barrel")
GAP: Final = 0.03  # m, by which what a knot holds may be apart when a load hits the bridge.
GAP_AT_REST: Final = 0.008
SLID: Final = 0.1  # m, along the bridge; a barrel may roll.


def _view_bridge(_session: Session | None) -> View:
    return View((0.0, 0.0, -0.1), 11.5, 22.0, 17.0)


def check_rope_bridge(film: Film) -> dict[str, float]:
    """No knot came apart, and the bridge carries all its loads."""
    gaps = film.gaps()
    largest, last = float(gaps.max()), float(gaps[film.end(1.0)].max())
    expect(largest < GAP, f"a knot came apart by {1000.0 * largest:.1f} mm")
    expect(last < GAP_AT_REST, f"a knot is apart by {1000.0 * last:.1f} mm")
    ends = film.end(2.0)
    for name in LOADS:
        way = film.places(name)
        x, y, z = way[-1].tolist()
        expect(abs(x) < 5.0 and abs(y) < 0.9 and -1.5 < z < 0.5, f"{name} is not on the bridge")
        slid = float(np.ptp(way[ends, 0]))
        expect(slid < SLID or name == "Barrel", f"{name} slides {slid:.2f} m in two seconds")
    sunk = float(-film.places("Plank 9")[-1, 2])
    expect(0.9 < sunk < 1.3, f"the bridge hangs {sunk:.2f} m low")
    return {"largest gap, mm": 1000.0 * largest, "gap at rest, mm": 1000.0 * last, "sag, m": sunk}


# A planet

ORBIT: Final = 0.005  # Share of the radius by which an orbit may be off.
REST: Final = 0.05  # m that what rests may rock to and fro in its last half second.


def _view_planet(_session: Session | None) -> View:
    return View((0.0, 0.0, 0.0), 15.5, 20.0, 28.0)


def check_planet(film: Film) -> dict[str, float]:
    """What circles keeps its distance; all else has come to rest on the planet."""
    off = 0.0
    for name, (radius, _) in example_planet.ORBITS.items():
        distances = np.linalg.norm(film.places(name), axis=1)
        off = max(off, float(np.abs(distances / radius - 1.0).max()))
    expect(off < ORBIT, f"an orbit is off by {100.0 * off:.2f} %")
    fallen = [n for n in film.names if n != "Planet" and n not in example_planet.ORBITS]
    expect(len(fallen) == example_planet.FALLING, f"{len(fallen)} things have fallen")
    moved = max(float(np.ptp(film.places(name)[film.end(0.5)], axis=0).max()) for name in fallen)
    expect(moved < REST, f"something still moves {100.0 * moved:.1f} cm in half a second")
    for name in fallen:
        height = float(np.linalg.norm(film.places(name)[-1])) - example_planet.RADIUS
        expect(0.1 < height < 0.7, f"{name} is {height:.2f} m above the planet")
    return {"orbits off, %": 100.0 * off, "moved at the end, cm": 100.0 * moved}


# A robot

# When the hand is where, and its fingers.
WORK: Final = (
    (1.7, above(TAKE), OPEN),
    (2.4, TAKE, OPEN),
    (2.8, TAKE, CLOSED),
    (3.5, above(TAKE), CLOSED),
    (5.1, above(PUT), CLOSED),
    (6.0, PUT, CLOSED),
    (6.4, PUT, OPEN),
    (7.0, above(PUT), OPEN),
    (8.4, HOME, OPEN),
)
_JOINTS: Final = (
    ("Waist", "Turret", "Base", 2),
    ("Shoulder", "Upper Arm", "Turret", 1),
    ("Elbow", "Forearm", "Upper Arm", 1),
    ("Wrist", "Hand", "Forearm", 1),
)
ANGLE: Final = math.radians(1.0)  # By which a joint may miss its target.


def _told(time: float) -> tuple[Hand, float]:
    """Where the hand and the fingers are told to be; they start and stop softly."""
    rows = ((0.0, *WORK[0][1:]), *WORK, (math.inf, *WORK[-1][1:]))
    at = next(i for i, row in enumerate(rows) if row[0] > time)
    (start, hand, grip), (end, other, then) = rows[at - 1], rows[at]
    part = (time - start) / (end - start) if math.isfinite(end) else 0.0
    part = part * part * (3.0 - 2.0 * part)
    way = [a + part * (b - a) for a, b in zip(hand, other, strict=True)]
    return Hand(*way), grip + part * (then - grip)


def work(session: Session) -> Keys:
    """Change the targets of the motors, as one does in the panel of the preview."""
    hand, grip = _told(session.time)
    settings: Any = session.artist_scene.omi_physics.joint_settings
    for name, turn in example_robot.targets(hand).items():
        settings[name].drives[0].position_angle = turn
    settings["Grip"].drives[0].position_distance = grip
    return NOTHING


def _view_robot(_session: Session | None) -> View:
    return View((0.25, -0.3, 0.5), 3.6, 14.0, 22.0)


def check_robot(film: Film) -> dict[str, float]:
    """The joints were at their targets, the block is on the table, and the table turns."""
    worst = 0.0
    for time in (1.7, film.times[-1]):
        hand, _ = _told(float(time))
        goals = example_robot.targets(hand)
        for settings, name, other, axis in _JOINTS:
            turn = float(film.turns(name, other, axis)[film.at(float(time))])
            worst = max(worst, abs(turn - goals[settings]))
    expect(worst < ANGLE, f"a joint misses its target by {math.degrees(worst):.2f} degrees")
    table, block = film.places("Turntable")[-1], film.places("Block")[-1]
    expect(np.hypot(*(block - table)[:2]) < 0.5, "the block is not on the table")
    height = 0.03 + 0.5 * example_robot.BLOCK
    expect(abs(block[2] - table[2] - height) < 0.01, "the block does not lie on the table")
    turns = film.turns("Turntable", "Foot", 2)
    last = film.end(1.0)
    spin = float(np.ptp(turns[last]) / np.ptp(film.times[last]))
    expect(abs(spin / example_robot.SPIN - 1.0) < 0.02, f"the table turns at {spin:.3f} rad/s")
    return {"largest miss, degrees": math.degrees(worst), "table, rad/s": spin}


PLAYS: Final[dict[str, Play]] = {
    "car": Play(
        10.0,
        (0.3, 2.8, 5.4, 6.7, 9.5),
        2,
        _view_car,
        drive,
        check_car,
        shows_keys=True,
        moving=(2.8, 7.8),
    ),
    "rope_bridge": Play(
        10.0, (0.2, 0.6, 0.95, 1.5, 7.5), 2, _view_bridge, watch, check_rope_bridge
    ),
    "planet": Play(10.0, (0.1, 0.35, 0.7, 2.5, 8.0), 1, _view_planet, watch, check_planet),
    "robot": Play(
        9.6, (0.1, 1.7, 2.8, 4.3, 7.0), 3, _view_robot, work, check_robot, shows_panel=True
    ),
}


def text_of(recorder: Recorder) -> str:
    """What was recorded, as the add-on writes it into a file."""
    from omi_physics_addon.simulation.recording import to_json

    return to_json(recorder.recording, recorder.passages())


def perform(name: str, session: Session) -> Recorder:
    """Play without a window: the keys go where those of a window go."""
    from omi_physics_addon.blender.preview.recorder import Recorder

    play, recorder, held = PLAYS[name], Recorder(session), NOTHING
    session.step(session.begin - session.frame)
    recorder.watch()
    while session.time < play.seconds:
        wanted = play.hands(session)
        for key in held ^ wanted:
            session.driver.key(key, is_down=key in wanted)
        held = wanted
        session.step()
        recorder.watch()
    return recorder
