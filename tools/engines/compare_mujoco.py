"""Compares the preview with MuJoCo over random mechanisms of hinges, sliders, balls and welds.

    .venv/bpy-5.0/bin/python -m pip install -r tools/requirements/mujoco.txt
    .venv/bpy-5.0/bin/python tools/engines/compare_mujoco.py --count 40

MuJoCo counts joints by their coordinates and never pulls them apart, so it comes near to what is
true with small steps. Each mechanism is a tree of boxes, made from its number alone, that hangs on
what stands or on a part that moves. How far a body is off is told as a share of the way that it
has come, or of the length of its mechanism where that is more.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np

SECONDS: Final = 2.0
RATE, SUBSTEPS = 60, 10
TOLERANCE: Final = 0.02  # Of the way.
KINDS: Final = ("hinge", "slide", "ball", "weld")
_STEP: Final = 1.0 / 6000.0  # s, of MuJoCo.
_NUDGE: Final = 1e-3  # rad/s; what this changes by more than the tolerance is chaotic.
_GRAVITY: Final = 9.81


@dataclass(frozen=True)
class Part:
    """A box that hangs on another one, or on the world.

    Attributes:
        parent: index of the part above; -1 for the world.
        kind: of its joint, one of `KINDS`.
        pivot: of the joint, in the world, m.
        axis: 0 to 2, of hinges and sliders.
        center, size: m, in the world's axes.
        mass: kg.
        speed: of its joint at the start, rad/s or m/s; balls turn about Z.
    """

    parent: int
    kind: str
    pivot: tuple[float, float, float]
    axis: int
    center: tuple[float, float, float]
    size: tuple[float, float, float]
    mass: float
    speed: float


def mechanism(number: int) -> list[Part]:
    """The parts of a mechanism, those above first."""
    random = np.random.default_rng(number)
    parts: list[Part] = []
    for i in range(int(random.integers(1, 5))):
        parent = -1 if i == 0 else int(random.integers(0, i))
        start = np.zeros(3) if i == 0 else np.array(parts[parent].center)
        pivot = start + random.uniform(-0.4, 0.4, 3) * (i > 0)
        center = pivot + random.uniform(-1.0, 1.0, 3)
        kind = str(random.choice(KINDS, p=(0.4, 0.2, 0.25, 0.15)))
        if i == 0 and kind == "weld":
            kind = "hinge"
        size = random.uniform(0.2, 0.8, 3)
        parts.append(
            Part(
                parent,
                kind,
                _three(pivot),
                int(random.integers(0, 3)),
                _three(center),
                _three(size),
                float(np.exp(random.uniform(-1.5, 1.5))),
                float(random.uniform(-1.5, 1.5)) if i == 0 else 0.0,
            )
        )
    return parts


def _three(numbers: Any) -> tuple[float, float, float]:
    x, y, z = map(float, numbers)
    return x, y, z


def xml(parts: list[Part]) -> str:
    """A mechanism as MuJoCo reads it."""

    def words(numbers: Any) -> str:
        return " ".join(f"{float(each):.17g}" for each in numbers)

    def body(at: int) -> str:
        part = parts[at]
        above = np.zeros(3) if part.parent < 0 else np.array(parts[part.parent].center)
        center = np.array(part.center)
        arm = words(np.array(part.pivot) - center)
        axis = words(np.eye(3)[part.axis])
        joint = {
            "hinge": f'<joint type="hinge" pos="{arm}" axis="{axis}"/>',
            "slide": f'<joint type="slide" pos="{arm}" axis="{axis}"/>',
            "ball": f'<joint type="ball" pos="{arm}"/>',
            "weld": "",
        }[part.kind]
        x, y, z = np.array(part.size) ** 2 * part.mass / 12.0
        inertia = words((y + z, z + x, x + y))
        below = "".join(body(i) for i, each in enumerate(parts) if each.parent == at)
        return (
            f'<body name="b{at}" pos="{words(center - above)}">{joint}'
            f'<inertial pos="0 0 0" mass="{part.mass!r}" diaginertia="{inertia}"/>{below}</body>'
        )

    roots = "".join(body(i) for i, part in enumerate(parts) if part.parent < 0)
    return (
        f'<mujoco><option timestep="{_STEP!r}" gravity="0 0 {-_GRAVITY}" integrator="RK4"/>'
        f"<worldbody>{roots}</worldbody></mujoco>"
    )


def by_mujoco(parts: list[Part], nudge: float = 0.0) -> Any:
    """Where the middles of the parts are (frames, parts, 3), and their speeds at the start."""
    library: Any = importlib.import_module("mujoco")  # Which only those have who compare.
    model = library.MjModel.from_xml_string(xml(parts))
    data = library.MjData(model)
    if parts[0].kind == "ball":
        data.qvel[2] = parts[0].speed + nudge
    else:
        data.qvel[0] = parts[0].speed + nudge
    library.mj_forward(model, data)
    kind = library.mjtObj.mjOBJ_BODY
    which = [library.mj_name2id(model, kind, f"b{i}") for i in range(len(parts))]
    speeds = np.zeros((len(parts), 6))  # Their spins, then their velocities.
    for i, at in enumerate(which):
        library.mj_objectVelocity(model, data, kind, at, speeds[i], 0)
    places = [data.xpos[which].copy()]
    for _ in range(round(SECONDS * RATE)):
        for _ in range(round(1.0 / RATE / _STEP)):
            library.mj_step(model, data)
        places.append(data.xpos[which].copy())
    return np.array(places), speeds


def by_preview(parts: list[Part], speeds: Any, substeps: int = SUBSTEPS) -> tuple[Any, list[str]]:
    """Where they are in the preview, from the speeds that MuJoCo says all parts begin with.

    Returns:
        The places (frames, parts, 3), and what is told before that is not exact.
    """
    import bpy

    from omi_physics_addon.blender.preview import limitations, player
    from omi_physics_addon.blender.preview.stage.options import PreviewOptions

    world: Any = bpy
    scene = world.context.scene
    scene.gravity = (0.0, 0.0, -_GRAVITY)
    objects = [_box(world, i, part, speeds[i]) for i, part in enumerate(parts)]
    for i, part in enumerate(parts):
        _join(world, i, part, objects)
    world.context.view_layer.update()
    options = PreviewOptions(rate=RATE, substeps=substeps, show=False)
    told = [one.text for one in limitations.of_scene(scene, options)]
    session = player.start(scene, options)
    try:
        names = list(session.names)
        which = [session.world.body_of[names.index(f"part {i}")] for i in range(len(parts))]
        places: list[Any] = []
        session.step(session.begin - session.frame)
        for frame in range(round(SECONDS * RATE) + 1):
            session.step(1 if frame else 0)
            if session.error:
                raise RuntimeError(session.error)
            x, y, z = session.poses().position[which].T
            places.append(np.stack([x, -z, y], axis=1))
    finally:
        player.stop()
    return np.array(places), told


def _box(world: Any, at: int, part: Part, speed: Any) -> Any:
    obj = world.data.objects.new(f"part {at}", None)
    obj.location = part.center
    world.context.scene.collection.objects.link(obj)
    group = obj.omi_physics
    group.use_collider = group.use_motion = True
    group.collider.shape.type = "BOX"
    group.collider.shape.box.size = part.size
    group.collider.collision_filter = "nobody"
    filters = world.context.scene.omi_physics.collision_filters
    if "nobody" not in [each.name for each in filters]:
        entry = filters.add()
        entry.name = "nobody"
        entry.collision_systems.add().name = "nobody"
        entry.mode = "NOT"
        entry.not_collide_with_systems.add().name = "nobody"
    motion = group.motion
    motion.type, motion.mass = "DYNAMIC", part.mass
    motion.angular_velocity, motion.linear_velocity = speed[:3], speed[3:]
    return obj


def _join(world: Any, at: int, part: Part, objects: list[Any]) -> None:
    ends: list[Any] = []
    for obj in (None if part.parent < 0 else objects[part.parent], objects[at]):
        end = world.data.objects.new(f"end {at}", None)
        world.context.scene.collection.objects.link(end)
        end.parent = obj
        origin = np.zeros(3) if obj is None else np.array(obj.location)
        end.location = (np.array(part.pivot) - origin).tolist()
        ends.append(end)
    group = ends[1].omi_physics
    group.use_joint = True
    group.joint.connected_object = ends[0]
    entry = world.context.scene.omi_physics.joint_settings.add()
    entry.name = group.joint.settings = f"joint {at}"
    free = {"hinge": ("ANGULAR", part.axis), "slide": ("LINEAR", part.axis)}.get(part.kind)
    for kind, unit in (("LINEAR", "distance"), ("ANGULAR", "angle")):
        if part.kind == "ball" and kind == "ANGULAR":
            continue
        row = entry.limits.add()
        row.kind = kind
        row.axes = tuple((kind, i) != free for i in range(3))
        row.use_min = row.use_max = True
        setattr(row, f"min_{unit}", 0.0)
        setattr(row, f"max_{unit}", 0.0)


def apart(first: Any, second: Any) -> float:
    """By which share of their way the farthest bodies are apart at most."""
    way = np.linalg.norm(np.diff(second, axis=0), axis=2).sum(axis=0)
    size = float(np.linalg.norm(np.ptp(second[0], axis=0))) + 1.0
    off = np.linalg.norm(first - second, axis=2).max(axis=0)
    return float((off / np.maximum(way, size)).max())


def compared(number: int, substeps: int = SUBSTEPS) -> tuple[float, float, list[str]]:
    """By which share of the way a mechanism is off, how much a nudge changes, and what is told."""
    parts = mechanism(number)
    places, speeds = by_mujoco(parts)
    nudged, _ = by_mujoco(parts, _NUDGE)
    found, told = by_preview(parts, speeds, substeps)
    return apart(found, places), apart(nudged, places), told


def main() -> None:
    """Compare, and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--count", type=int, default=40, help="how many mechanisms")
    parser.add_argument("--first", type=int, default=0, help="the number of the first one")
    parser.add_argument("--substeps", type=int, default=SUBSTEPS)
    chosen = parser.parse_args()
    import bpy

    from omi_physics_addon.blender import registration

    registration.register()
    off: list[float] = []
    for number in range(chosen.first, chosen.first + chosen.count):
        cast(Any, bpy).ops.wm.read_homefile(use_empty=True)
        share, chaos, told = compared(number, chosen.substeps)
        kinds = " ".join(f"{part.kind}>{part.parent}" for part in mechanism(number))
        why = "; ".join(told) if share > TOLERANCE else ""
        print(f"{number:4} {share:8.2%} {chaos:8.2%}  {kinds}  {why}")
        off.append(share)
    inside = sum(share <= TOLERANCE for share in off)
    print(f"{inside} of {len(off)} within {TOLERANCE:.0%}, the middle one {np.median(off):.2%} off")


if __name__ == "__main__":
    main()
