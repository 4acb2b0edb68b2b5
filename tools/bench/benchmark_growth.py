"""Measures how start, frame and stop of the preview grow with what is in a scene.

Run by `benchmark.py --growth`. Everything is CPU time, so that others on the machine do not count.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

COUNTS: Final = (1000, 4000)
# Exponents of the time by the number: 1 is linear, 2 quadratic.
STEEPEST: Final = {"check": 1.15, "start": 1.15, "frame": 1.15, "stop": 1.15}
_FRAMES: Final = 5
_SIDE: Final = 40  # Objects in a row.
_NOTHING: Final = 20.0  # ms; what takes less is not compared.


class Growth(NamedTuple):
    """What a scene of one kind costs, ms of CPU time.

    Attributes:
        kind: key of KINDS.
        number: of what the kind has many of.
        check: of the preview.
        start, frame, stop: of the preview.
    """

    kind: str
    number: int
    check: float
    start: float
    frame: float
    stop: float


def _box(bpy: Any, group: Any, at: int, **parts: bool) -> tuple[Any, Any]:
    """One more object with a box, and its physics."""
    obj = bpy.data.objects.new("Box", None)
    obj.location = (1.5 * (at % _SIDE), 1.5 * (at // _SIDE % _SIDE), 1.5 * (at // _SIDE**2))
    group.objects.link(obj)
    physics = obj.omi_physics
    for name in ("motion", "collider", "trigger", "joint"):
        setattr(physics, f"use_{name}", parts.get(name, False))
    for part in (physics.collider, physics.trigger):
        part.shape.type = "BOX"
    return obj, physics


def _floor(bpy: Any, group: Any, size: float = 200.0) -> None:
    obj, physics = _box(bpy, group, 0, collider=True)
    obj.location = (30.0, 30.0, -1.0)
    physics.collider.shape.box.size = (size, size, 1.0)


def bodies(bpy: Any, group: Any, number: int) -> None:
    """Boxes that fall on a floor."""
    for at in range(number):
        _box(bpy, group, at, motion=True, collider=True)
    _floor(bpy, group)


def forced(bpy: Any, group: Any, number: int) -> None:
    """Boxes in a gravity volume."""
    bpy.context.scene.gravity = (0.0, 0.0, 0.0)
    for at in range(number):
        _box(bpy, group, at, motion=True, collider=True)
    volume, physics = _box(bpy, group, 0, trigger=True)
    volume.location = (30.0, 30.0, -1.0)
    physics.use_gravity = True
    physics.trigger.shape.type = "SPHERE"
    physics.trigger.shape.sphere.radius = 500.0
    physics.gravity.type = "POINT"


def triggers(bpy: Any, group: Any, number: int) -> None:
    """Triggers that a few boxes fall through."""
    for at in range(number):
        _box(bpy, group, at, trigger=True)
    for at in range(20):
        obj, _ = _box(bpy, group, 7 * at, motion=True, collider=True)
        obj.location.z += 3.0


def doors(bpy: Any, group: Any, number: int) -> None:
    """Doors on hinges, of which every second one hangs on the world and the others on walls."""
    settings = bpy.context.scene.omi_physics.joint_settings.add()
    settings.name = "Hinge"
    for kind, axes in (("LINEAR", (True, True, True)), ("ANGULAR", (True, True, False))):
        limit = settings.limits.add()
        limit.type, limit.axes = kind, axes
        limit.use_min = limit.use_max = True
    wall, _ = _box(bpy, group, 0, collider=True)
    wall.location.z = -5.0
    post = bpy.data.objects.new("Post", None)
    post.location.z = -10.0
    group.objects.link(post)
    side = math.ceil(number**0.5)
    for at in range(number):
        x, y = 3.0 * (at % side), 3.0 * (at // side)
        door, _ = _box(bpy, group, at, motion=True, collider=True)
        door.location = (x, y, 0.0)
        joint, physics = _box(bpy, group, at, joint=True)
        joint.location = (x - 0.5, y, 0.0)
        joint.parent = door
        joint.matrix_parent_inverse.translation = (-x, -y, 0.0)
        physics.joint.settings = "Hinge"
        physics.joint.connected_object = wall if at % 2 else post


def materials(bpy: Any, group: Any, number: int) -> None:
    """Boxes of which each has a material of its own."""
    lists = bpy.context.scene.omi_physics
    for at in range(number):
        entry = lists.physics_materials.add()
        entry.name = f"Material {at:05d}"
        entry.static_friction = entry.dynamic_friction = 0.1 + 0.8 * at / number
        _, physics = _box(bpy, group, at, motion=True, collider=True)
        physics.collider.physics_material = entry.name
    _floor(bpy, group)


def filters(bpy: Any, group: Any, number: int) -> None:
    """Boxes of which each has a filter of its own, and meets all others."""
    lists = bpy.context.scene.omi_physics
    for at in range(number):
        entry = lists.collision_filters.add()
        entry.name = f"Filter {at:05d}"
        entry.collision_systems.add().name = f"System {at:05d}"
        _, physics = _box(bpy, group, at, motion=True, collider=True)
        physics.collider.collision_filter = entry.name
    _floor(bpy, group)


def apart(bpy: Any, group: Any, number: int) -> None:
    """Boxes of which each has a filter of its own, and does not meet the next one."""
    lists = bpy.context.scene.omi_physics
    filters(bpy, group, number)
    for at in range(number):
        entry = lists.collision_filters[f"Filter {at:05d}"]
        entry.mode = "NOT"
        entry.not_collide_with_systems.add().name = f"System {(at + 1) % number:05d}"


def vehicles(bpy: Any, group: Any, number: int) -> None:
    """Cars of four wheels each above a floor."""
    row = math.ceil(number**0.5)
    for at in range(number):
        car, physics = _box(bpy, group, at, motion=True, collider=True)
        car.location = (4.5 * (at % row), 4.5 * (at // row), 0.35)  # On its wheels.
        physics.use_vehicle_body = True
        for side in range(4):
            wheel, physics = _box(bpy, group, 0)
            wheel.parent = car
            wheel.location = (side % 2 - 0.5, side // 2 - 0.5, -0.6)
            physics.use_wheel = True
    _floor(bpy, group, 1000.0)


KINDS: Final[dict[str, Callable[[Any, Any, int], None]]] = {
    "bodies": bodies,
    "forced": forced,
    "triggers": triggers,
    "doors": doors,
    "materials": materials,
    "filters": filters,
    "apart": apart,
    "vehicles": vehicles,
}


def make(bpy: Any, kind: str, number: int) -> Any:
    """A new file with a scene of a kind."""
    bpy.ops.wm.read_homefile(use_empty=True)
    group = bpy.data.collections.new("Many")
    KINDS[kind](bpy, group, number)
    bpy.context.scene.collection.children.link(group)
    bpy.context.view_layer.update()
    return bpy.context.scene


def _timed(work: Callable[[], object]) -> float:
    """Milliseconds of CPU time."""
    start = time.process_time()
    work()
    return 1e3 * (time.process_time() - start)


def measure(bpy: Any, kind: str, number: int) -> Growth:
    """Measure the preview of a scene."""
    from omi_physics_addon.blender.preview import limitations, player
    from omi_physics_addon.blender.preview.stage import removal
    from omi_physics_addon.blender.preview.stage.options import PreviewOptions

    options = PreviewOptions()
    scene = make(bpy, kind, number)
    check = _timed(lambda: limitations.of_scene(scene, options))
    start = _timed(lambda: player.start(scene, options))
    session: Any = player.running()
    session.step(2)
    frame = min(_timed(session.step) for _ in range(_FRAMES))
    before, removal.never_idle = removal.never_idle, False
    stop = _timed(player.stop)  # As in a window, which removes the rest while it is idle.
    removal.never_idle = before
    removal.remove_rest()
    return Growth(kind, number, check, start, frame, stop)


def least(costs: Iterable[Growth]) -> Growth:
    """The least times of several measurements of one scene."""
    found = [*costs]
    times = (min(getattr(cost, name) for cost in found) for name in STEEPEST)
    return Growth(found[0].kind, found[0].number, *times)


def table(costs: Sequence[Growth]) -> list[str]:
    """The lines of the table, and below it how each of them grows."""
    lines = [f"{'':>10}  {'number':>6}" + "".join(f"  {name:>9}" for name in STEEPEST)]
    lines += [
        f"{cost.kind:>10}  {cost.number:>6}"
        + "".join(f"  {getattr(cost, name):>6.0f} ms" for name in STEEPEST)
        for cost in costs
    ]
    for kind, found in _exponents(costs).items():
        told = ", ".join(f"{name} n^{value:.2f}" for name, value in found.items())
        lines.append(f"{kind} grows with {told}")
    return lines


def exceeded(costs: Sequence[Growth]) -> list[str]:
    """What grows faster than it may, in words."""
    return [
        f"{kind}: {name} grows with n^{value:.2f}, n^{STEEPEST[name]} is allowed"
        for kind, found in _exponents(costs).items()
        for name, value in found.items()
        if value > STEEPEST[name]
    ]


def _exponents(costs: Iterable[Growth]) -> dict[str, dict[str, float]]:
    """For each kind the exponents from its least to its greatest number, where these differ."""
    of_kind: dict[str, list[Growth]] = {}
    for cost in costs:
        of_kind.setdefault(cost.kind, []).append(cost)
    found: dict[str, dict[str, float]] = {}
    for kind, mine in of_kind.items():
        least, most = min(mine, key=_number), max(mine, key=_number)
        if least.number < most.number:
            far = math.log(most.number / least.number)
            found[kind] = {
                name: math.log(max(getattr(most, name), _NOTHING) / first) / far
                for name in STEEPEST
                for first in [max(getattr(least, name), _NOTHING)]
            }
    return found


def _number(cost: Growth) -> int:
    return cost.number
