"""Makes a vehicle of a chassis alone: its wheels or thrusters, its front, its body."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ....geometry.arrays import Array
from ....geometry.fit.wheel_sets import FoundWheel, upward, usual_front
from ...base import groups
from ...base.hierarchy import ancestors
from ...base.mesh_arrays import children_of_all
from .. import starting_values, vehicle_fronts
from ..starting_shapes import fit_missing
from ..wheel_makers import Wheels, keep_place
from . import joined_wheels, vehicle_kinds
from .vehicle_body import center_of, start_vehicle
from .vehicle_kinds import KINDS, Hull, VehicleKind
from .vehicle_parts import Parts, find_parts, turn_to
from .wheel_roles import set_roles

_SAME_SCALE: Final = 1e-3
# What told the front, as sentences go on after "the front is -Y, ".
EVIDENCE: Final = {
    "NAMES": "detected from names",
    "STEERING_WHEEL": "detected from the steering wheel",
    "SPARE_WHEEL": "detected from the spare wheel",
    "AXLES": "detected from the single axle",
    "RADII": "detected from the smaller wheels",
    "CHOSEN": "as chosen",
    "OWN": "as before",
    "NOSE": "along the vehicle's length",
}


class NothingToRigError(ValueError):
    """There is nothing to make such a vehicle of; its text, in English, says why.

    Attributes:
        separated: how many wheels were separated before that was seen.
    """

    separated = 0


class JoinedWheelsError(NothingToRigError):
    """There are wheels, but joined into one mesh; its text, in English, says which.

    Attributes:
        fact: the same without what to do about it.
    """

    def __init__(self, fact: str) -> None:
        """Take the fact."""
        super().__init__(f"{fact}: turn on Separate Wheels")
        self.fact = fact


@dataclass(frozen=True, kw_only=True)
class Choices:
    """What the artist asks for.

    Attributes:
        kind: a key of `KINDS`, or AUTO.
        front: an axis of the chassis such as -Y, or AUTO.
        mass: kg; zero for a guess.
        use_stand: whether new wheels are put so that the vehicle rests as it is modeled.
        use_separate: whether wheels that are joined into one mesh get objects of their own.
        given: objects among which the wheels are; where none of them is round, all of them are
            wheels. Empty for a search.
    """

    kind: str = "AUTO"
    front: str = "AUTO"
    mass: float = 0.0
    use_collider: bool = True
    use_stand: bool = True
    use_separate: bool = False
    given: tuple[Any, ...] = ()


@dataclass(eq=False)
class Rigged:
    """What was made.

    Attributes:
        kind: a key of `KINDS`.
        front: the axis of the chassis that looks forward, such as -Y.
        evidence: a key of `EVIDENCE`, or USUAL where nothing told the front.
        made: wheels or thrusters.
        riders: objects that ride along.
        askew: wheels that do not lie across the vehicle.
        separated: wheels that were joined into one mesh.
    """

    vehicle: Any
    kind: str
    front: str
    evidence: str
    mass: float | None = None
    made: list[Any] = field(default_factory=list[Any])
    riders: list[Any] = field(default_factory=list[Any])
    askew: int = 0
    separated: int = 0


def rig(scene: Any, view_layer: Any, chassis: Any, choices: Choices) -> Rigged:
    """Make a vehicle of a chassis; one that is a vehicle already gets what it lacks.

    Raises:
        NothingToRigError: no wheels were found for a vehicle that needs some.
    """
    parts, given, separated = _found(chassis, view_layer, choices)
    depsgraph = bpy.context.evaluated_depsgraph_get()
    kind = choices.kind
    count = len(given if parts.wheels is None else parts.found)
    if kind == "AUTO" and count:
        length = parts.hull(chassis.matrix_world).length
        kind = vehicle_kinds.kind_of_wheels(count, length)
    if kind == "AUTO" or (KINDS[kind].drive and not count):
        error = NothingToRigError(
            "Found no wheels: each needs a mesh of its own, so separate them by loose parts and "
            "apply modifiers that mirror them, or choose a kind without wheels"
        )
        error.separated = separated
        raise error
    wish = choices.front
    if wish == "AUTO" and KINDS[kind].drive and parts.wheels is None:
        wish = vehicle_fronts.front_of_axles(chassis, given, depsgraph)
    front, up, evidence = _front(parts, kind, wish)
    if wish != choices.front:
        evidence = "USUAL"
    vehicle, place, evidence = _vehicle(chassis, turn_to(parts.axes, front, up), evidence)
    name = _axis_name(parts.axes, -np.array(place.to_quaternion().to_matrix())[:, 1])
    found = Rigged(vehicle, kind, name, evidence, separated=separated)
    hull = parts.hull(place)
    _make_body(found, choices, hull)
    if choices.use_collider:
        _give_collider(parts, depsgraph)
    mass = starting_values.mass_of(vehicle, children_of_all()) or hull.mass(KINDS[kind].density)
    found.mass = mass
    gravity = starting_values.gravity_of(scene)
    vehicle_kinds.set_body(vehicle, KINDS[kind], mass, hull, gravity)
    if KINDS[kind].drive:
        wheels = Wheels(vehicle, place, depsgraph)
        for wheel in parts.found:
            _make_wheel(wheels, parts, wheel)
        for obj in given if parts.wheels is None else ():
            wheels.make(obj)
        _set_wheels(found, wheels, choices.use_stand, scene)
    elif not starting_values.parts_below(vehicle, "thruster", children_of_all()):
        center = place.to_quaternion().inverted() @ (
            place @ center_of(scene, vehicle) - place.translation
        )
        found.made = vehicle_kinds.add_thrusters(
            vehicle, place, KINDS[kind], mass, hull, center, gravity
        )
    for obj in parts.riders():
        keep_place(obj, vehicle, place)
        found.riders.append(obj)
    return found


def _found(chassis: Any, view_layer: Any, choices: Choices) -> tuple[Parts, tuple[Any, ...], int]:
    """The parts of a vehicle, what is given of them, and how many wheels were separated.

    Raises:
        JoinedWheelsError: there are none but joined ones, which are not to be separated.
    """
    children, given = children_of_all(), choices.given
    depsgraph = bpy.context.evaluated_depsgraph_get()
    parts = find_parts(chassis, view_layer, children, depsgraph, given)
    needs_wheels = choices.kind == "AUTO" or bool(KINDS[choices.kind].drive)
    if not needs_wheels or not (choices.use_separate or parts.wheels is None):
        return parts, given, 0
    single = {parts.objects[i] for i in parts.rolling}
    looked_at = dict.fromkeys((*parts.objects, *given, chassis))
    joined = joined_wheels.find([obj for obj in looked_at if obj not in single], parts.axes)
    count = sum(len(each.wheels) for each in joined)
    if not joined:
        return parts, given, 0
    if not choices.use_separate:
        names = ", ".join(each.obj.name for each in joined)
        raise JoinedWheelsError(f"{count} wheels are joined in {names}")
    made = joined_wheels.separate(joined, children)
    view_layer.update()
    given = tuple(dict.fromkeys((*given, *made))) if given else ()
    depsgraph = bpy.context.evaluated_depsgraph_get()
    return find_parts(chassis, view_layer, children_of_all(), depsgraph, given), given, count


def _front(parts: Parts, kind: str, wish: str) -> tuple[Array, Array, str]:
    """Where the front and the upper side of a vehicle look, in the world, and what told it."""
    axes = parts.axes
    up = upward(axes) if parts.wheels is None else parts.wheels.up
    if wish != "AUTO":
        front = axes[:, "XYZ".index(wish[1])] * (-1.0 if wish[0] == "-" else 1.0)
        return front, _squared(up, front, axes), "CHOSEN"
    if kind == "ROCKET":
        size = parts.hull(Matrix(axes.tolist()).to_4x4()).size
        nose = axes[:, max(range(3), key=lambda axis: size[axis])]
        nose = nose if nose @ up > 0.5 else -nose if nose @ up < -0.5 else usual_front(axes, nose)
        return nose, _squared(up, nose, axes), "NOSE"
    if KINDS[kind].drive and parts.wheels is not None:
        return parts.wheels.front, parts.wheels.up, parts.wheels.evidence
    level = [axis for axis in axes.T if abs(axis @ up) < 0.5]
    ahead = next((a for a in level if abs(a @ axes[:, 1]) > 0.9), level[0])
    return usual_front(axes, ahead), up, "USUAL"


def _squared(up: Array, front: Array, axes: Array) -> Array:
    """A direction at right angles to the front that is up as far as that goes."""
    for wanted in (up, axes[:, 1], axes[:, 0]):
        rest = wanted - (wanted @ front) * front
        if np.linalg.norm(rest) > 0.5:
            return rest / np.linalg.norm(rest)
    raise ArithmeticError("three axes cannot all lie along one")  # Kept for the sake of types.


def _axis_name(axes: Array, front: Array) -> str:
    along = axes.T @ front
    axis = int(np.abs(along).argmax())
    return f"{'+' if along[axis] > 0.0 else '-'}{'XYZ'[axis]}"


def _vehicle(chassis: Any, turn: Matrix, evidence: str) -> tuple[Any, Matrix, str]:
    """The vehicle and its place: what is one already, the chassis, or a new empty above it."""
    own = chassis if groups.read(chassis).use_vehicle_body else None
    own = own or starting_values.vehicle_above(chassis)
    if own is not None:
        return own, own.matrix_world.copy(), "OWN"
    scale = chassis.matrix_world.to_scale()
    is_plain = (
        all(abs(s - 1.0) < _SAME_SCALE for s in scale) and not chassis.matrix_world.is_negative
    )
    if turn == Matrix.Identity(3) and is_plain:
        return chassis, chassis.matrix_world.copy(), evidence
    vehicle, place = vehicle_fronts.turned_vehicle(chassis, turn.to_quaternion())
    return vehicle, place, evidence


def _make_body(found: Rigged, choices: Choices, hull: Hull) -> None:
    groups.of_object(found.vehicle).use_vehicle_body = True
    mass = choices.mass or hull.mass(KINDS[found.kind].density)
    start_vehicle(found.vehicle, mass, children_of_all())


def _give_collider(parts: Parts, depsgraph: bpy.types.Depsgraph) -> None:
    """Fit a collider to the chassis; to the largest mesh below it where it has none itself."""
    solids = [obj for obj in parts.solids if obj in parts.clouds]
    if parts.chassis in solids:
        fit_missing(depsgraph, [parts.chassis])
    elif solids:
        largest = max(solids, key=lambda obj: float(np.ptp(parts.clouds[obj], axis=0).prod()))
        fit_missing(depsgraph, [largest])


def _set_wheels(found: Rigged, wheels: Wheels, use_stand: bool, scene: Any) -> None:
    kind: VehicleKind = KINDS[found.kind]
    found.made, found.askew = wheels.made, wheels.askew
    set_roles(
        scene,
        found.vehicle,
        found.made,
        wheels.new if use_stand else (),
        drive=kind.drive,
        steering=kind.steering,
        push=kind.push,
        brake=kind.brake,
    )


def _make_wheel(wheels: Wheels, parts: Parts, wheel: FoundWheel) -> None:
    """Make a tire a wheel, or set the wheel above it; what is inside of it turns with it."""
    tire, form = parts.objects[wheel.tire], wheel.form
    center, axle = Vector(form.center.tolist()), Vector(form.axle.tolist())
    size = starting_values.WheelSize(radius=form.radius, width=max(form.width, 1e-3))
    up = (tire, *ancestors(tire))
    above = next((obj for obj in up if groups.read(obj).use_wheel), None)
    holder = above or wheels.put(tire, center, axle, size)
    if above is not None:
        starting_values.set_wheel_size(groups.of_object(above).wheel, size)
        wheels.made.append(above)
    for i in wheel.others:
        obj = parts.objects[i]
        if obj != holder and {holder, tire}.isdisjoint(ancestors(obj)):
            keep_place(obj, holder, holder.matrix_world)
