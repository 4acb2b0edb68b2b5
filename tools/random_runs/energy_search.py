"""Looks for energy that comes from nowhere: random mechanisms, played, and their energy followed.

From the command line, in the environment of a Blender release:

    .venv/bpy-5.0/bin/python tools/random_runs/energy_search.py --scenes 500 --seed 1

Every scene is decided by its own seed: one to five bodies, hung in chains and trees on the world
and on each other, by all kinds of joints, with hard and soft limits, drives without a power of
their own (dampers, springs to a fixed target), lengths from 0.05 to 20 m, masses from 0.01 to
1 000 kg, velocities at the start, 1 to 10 substeps, OMI's and KHR's meaning of limits. Whatever
happens there, kinetic energy, height in gravity and springs together must not grow. A gain is told
as a part of the energy that the scene turns over: what it starts with, and how deep it falls.

Prints a line for every scene that gains more than --most and is not named by *Check Preview*; the
exit code is 1 where there is one. --only repeats a single scene.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import bpy as stubbed_bpy  # noqa: TID251
import numpy as np

from omi_physics_addon.blender.preview import limitations, player
from omi_physics_addon.blender.preview.session import Session
from omi_physics_addon.blender.preview.stage.options import PreviewOptions
from omi_physics_addon.simulation.joints.drives import drives_of
from omi_physics_addon.simulation.joints.joint_rows import Linkage, measured
from omi_physics_addon.simulation.joints.soft_limits import limits_of
from omi_physics_addon.simulation.motion import Tracker, drifted
from omi_physics_addon.simulation.state import State

bpy: Any = stubbed_bpy

G: Final = 9.81
SECONDS: Final = 5.0
KINDS: Final = (
    *("pin", "hinge", "hinge with ends", "one-ended hinge", "slider", "slider with ends", "weld"),
    *("rope", "box", "rod", "cone", "twist", "soft rope", "soft pin", "soft hinge", "soft slider"),
    *("damped hinge", "damped slider", "servo", "sprung slider", "sprung pin"),
)
AXES: Final = "XYZ"
_OMI_OR_KHR: Final[tuple[Literal["OMI", "KHR"], ...]] = ("OMI", "KHR")
_LEAST: Final = 1e-3  # J/kg that a scene turns over, as rounding gives some to what rests.


@dataclass
class Scene:
    """What was built.

    Attributes:
        seed: that decides all of it.
        words: what is in it, to be told.
    """

    seed: int
    engine: Literal["OMI", "KHR"] = "OMI"
    substeps: int = 4
    gravity: float = G
    words: list[str] = field(default_factory=list[str])


@dataclass(frozen=True)
class Found:
    """How the energy of a scene went.

    Attributes:
        gain: the most that it was above the start, as a part of what the scene turns over.
        named: whether *Check Preview* names a body or joint of it for a reason that explains gains.
    """

    gain: float
    named: bool


def build(seed: int) -> Scene:
    """Make the scene of a seed; everything else is removed."""
    chance = random.Random(seed)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=False)
    scene = Scene(seed, _OMI_OR_KHR[chance.randrange(2)], chance.choice((1, 2, 4, 4, 4, 10)))
    scene.gravity = chance.choice((G, G, G, 0.0))
    bpy.context.scene.gravity = (0.0, 0.0, -scene.gravity)
    length = 10.0 ** chance.uniform(math.log10(0.05), math.log10(20.0))
    heavy = 10.0 ** chance.uniform(-1.5, 2.5)
    count = chance.choice((1, 1, 2, 2, 3, 5))
    bodies: list[Any] = []
    for at in range(count):
        above = chance.choice((None, *bodies)) if at == 0 or chance.random() < 0.3 else bodies[-1]
        bodies.append(_hung(chance, scene, above, length, heavy, f"{at}"))
    if len(bodies) > 1 and chance.random() < 0.15:
        _join(chance, scene, None, bodies[-1], length, "loop")
    words = f"{scene.engine}, {scene.substeps} substeps, about {length:.2g} m and {heavy:.2g} kg"
    scene.words.insert(0, words)
    return scene


def _hung(
    chance: random.Random, scene: Scene, above: Any, length: float, heavy: float, name: str
) -> Any:
    """A body that hangs on another one or on the world."""
    start = above.location if above is not None else (0.0, 0.0, 0.0)
    away = np.array([chance.gauss(0.0, 1.0) for _ in range(3)])
    away *= length * chance.uniform(0.3, 1.5) / max(float(np.linalg.norm(away)), 1e-6)
    mesh = bpy.data.meshes.new(name)
    obj = bpy.data.objects.new(f"Body {name}", mesh)
    bpy.context.scene.collection.objects.link(obj)
    obj.location = np.asarray(start) + away
    obj.rotation_mode = "XYZ"
    obj.rotation_euler = [chance.uniform(-3.0, 3.0) for _ in range(3)]
    group = obj.omi_physics
    group.use_collider = group.use_motion = True
    shape = group.collider.shape
    size = length * chance.uniform(0.05, 0.8)
    if chance.random() < 0.4:
        shape.type = "SPHERE"
        shape.sphere.radius = size / 2.0
    else:
        shape.type = "BOX"
        shape.box.size = [size * chance.uniform(0.3, 1.0) for _ in range(3)]
    motion = group.motion
    motion.mass = min(max(heavy * 10.0 ** chance.uniform(-0.7, 0.7), 0.01), 1000.0)
    if chance.random() < 0.6:
        speed = chance.choice((0.3, 1.0, 3.0)) * math.sqrt(length)
        motion.linear_velocity = [chance.gauss(0.0, speed) for _ in range(3)]
        spin = chance.choice((0.5, 2.0)) / max(math.sqrt(length), 0.3)
        motion.angular_velocity = [chance.gauss(0.0, spin) for _ in range(3)]
    bpy.context.view_layer.update()
    _join(chance, scene, above, obj, length, name)
    return obj


def _join(
    chance: random.Random, scene: Scene, above: Any, body: Any, length: float, name: str
) -> None:
    """A joint of any kind at any place."""
    kind = chance.choice(KINDS)
    where = chance.choice(("other", "body", "between", "far"))
    other = np.zeros(3) if above is None else np.array(above.location)
    own = np.array(body.location)
    place = {"other": other, "body": own, "between": (own + other) / 2.0}.get(where, own)
    if where == "far":
        place = own + length * np.array([chance.gauss(0.0, 0.7) for _ in range(3)])
    turn = [chance.uniform(-3.0, 3.0) for _ in range(3)]
    ends = list[Any]()
    for letter, parent in (("A", above), ("B", body)):
        empty = bpy.data.objects.new(f"Joint {name} {letter}", None)
        bpy.context.scene.collection.objects.link(empty)
        empty.parent = parent
        if parent is not None:
            empty.matrix_parent_inverse = parent.matrix_world.inverted()
        empty.location, empty.rotation_euler = place, turn
        ends.append(empty)
    apart = length * chance.uniform(0.2, 1.0)
    if kind in ("rope", "soft rope", "rod", "box"):  # From where the other one is.
        ends[0].location = other
        apart = max(float(np.linalg.norm(place - other)), 1e-3) * chance.uniform(1.0, 1.5)
    group: Any = ends[1].omi_physics
    group.use_joint = True
    group.joint.connected_object = ends[0]
    entry = bpy.context.scene.omi_physics.joint_settings.add()
    entry.name = group.joint.settings = f"Joint {name}"
    axis = chance.choice(AXES)
    _limit_as(chance, scene, entry, kind, axis, apart, body.omi_physics.motion.mass, length)
    scene.words.append(f"{kind} about {axis} at the {where}")


def _limit(entry: Any, kind: str, axes: str, low: Any, high: Any, **soft: float) -> None:
    row = entry.limits.add()
    row.kind = kind
    row.axes = tuple(letter in axes for letter in AXES)
    unit = "distance" if kind == "LINEAR" else "angle"
    for name, value in (("min", low), ("max", high)):
        setattr(row, f"use_{name}", value is not None)
        if value is not None:
            setattr(row, f"{name}_{unit}", value)
    row.use_stiffness = bool(soft)
    for name, value in soft.items():
        setattr(row, name, value)


def _drive(entry: Any, kind: str, axis: str, stiffness: float, damping: float, target: Any) -> None:
    row = entry.drives.add()
    row.type, row.axis, row.stiffness, row.damping = kind, axis, stiffness, damping
    if target is not None:
        row.use_position_target = True
        unit = "angle" if kind == "ANGULAR" else "distance"
        setattr(row, f"position_{unit}", target)


def _limit_as(
    chance: random.Random,
    scene: Scene,
    entry: Any,
    kind: str,
    axis: str,
    apart: float,
    mass: float,
    length: float,
) -> None:
    """The limits and drives of a kind."""
    rest = AXES.replace(axis, "")
    spring = mass * 10.0 ** chance.uniform(0.0, 3.5)
    damper = 2.0 * math.sqrt(spring * mass) * chance.choice((0.0, 0.05, 0.5))
    soft = {"stiffness": spring, "damping": damper}
    turning = {"stiffness": spring * length**2, "damping": damper * length**2}
    low, high = -chance.uniform(0.1, 2.0), chance.uniform(0.1, 2.0)
    if "slider" in kind:
        _limit(entry, "ANGULAR", AXES, 0.0, 0.0)
        _limit(entry, "LINEAR", rest, 0.0, 0.0)
        if "soft" in kind:
            _limit(entry, "LINEAR", axis, -apart / 4.0, apart / 4.0, **soft)
        elif "ends" in kind:
            _limit(entry, "LINEAR", axis, -apart, apart)
        elif "damped" in kind:
            _drive(entry, "LINEAR", axis, 0.0, damper + 0.1 * mass, None)
        elif "sprung" in kind:
            _drive(entry, "LINEAR", axis, spring, damper, chance.uniform(-apart, apart))
        return
    if kind in ("rope", "box"):
        _limit(entry, "LINEAR", AXES, None if kind == "rope" else -apart, apart)
        return
    if kind == "soft rope":
        _limit(entry, "LINEAR", AXES, None, apart, **soft)
        return
    if kind == "rod":
        _limit(entry, "LINEAR", rest, None, apart)
        return
    if kind == "soft pin":
        _limit(entry, "LINEAR", AXES, 0.0, 0.0, **soft)
        return
    _limit(entry, "LINEAR", AXES, 0.0, 0.0)
    if kind == "weld":
        _limit(entry, "ANGULAR", AXES, 0.0, 0.0)
    elif "hinge" in kind or kind == "servo":
        _limit(entry, "ANGULAR", rest, 0.0, 0.0)
        if "ends" in kind:
            _limit(entry, "ANGULAR", axis, low, high)
        elif "one-ended" in kind:
            _limit(entry, "ANGULAR", axis, *chance.choice(((low, None), (None, high))))
        elif "soft" in kind:
            _limit(entry, "ANGULAR", axis, low, high, **turning)
        elif "damped" in kind:
            _drive(entry, "ANGULAR", axis, 0.0, turning["damping"] + 0.1, None)
        elif kind == "servo":
            _drive(entry, "ANGULAR", axis, turning["stiffness"], turning["damping"], high)
    elif kind == "cone":
        _limit(entry, "ANGULAR", rest, None, high)
    elif kind == "sprung pin":  # Twists have no meaning for what has swung to the other side.
        _limit(entry, "ANGULAR", rest, low if scene.engine == "OMI" else None, 1.0)
        _drive(entry, "ANGULAR", axis, turning["stiffness"], turning["damping"], 0.0)
    elif kind == "twist":
        _limit(entry, "ANGULAR", axis, low, high)


def follow(scene: Scene) -> Found:
    """Play a scene."""
    options = PreviewOptions(engine=scene.engine, substeps=scene.substeps, show=False)
    told = limitations.of_scene(bpy.context.scene, options)
    session: Session = player.start(bpy.context.scene, options)
    try:
        energies, heights = list[float](), list[float]()
        # Bullet changes a speed and then moves by it: places are half a substep ahead of speeds.
        ahead = 0.5 * options.step / options.substeps
        for state in states(session, SECONDS):
            found, height = energy(session, drifted(state, -ahead), scene.gravity)
            energies.append(found)
            heights.append(height)
    finally:
        player.stop()
    total, high = np.array(energies), np.array(heights)
    # The first velocities are those before joints have stopped what they cannot have.
    start = float(total[0])
    turned_over = max(start - float(high[0]), 0.0) + float(high[0] - high.min())
    weight = sum(body.mass for body in session.world.bodies if np.isfinite(body.mass))
    gain = float(np.nanmax(total) - start) / max(turned_over, weight * _LEAST)
    return Found(gain if np.isfinite(total).all() else math.inf, bool(told) and _explains(told))


def states(session: Session, seconds: float) -> Iterator[State]:
    """Where the bodies are and how they move, frame by frame."""
    session.step(session.begin - 1)
    tracker = Tracker(session.poses(), session.options.step, session.options.substeps)
    yield tracker.state
    for _ in range(round(seconds / session.options.step)):
        session.step()
        poses = session.poses()
        yield tracker.follow(poses.position, poses.rotation)


def _explains(told: Sequence[Any]) -> bool:
    """Whether something of a scene is named that explains it."""
    words = ("energy", "substeps", "faster than steps", "swing ever higher")
    return any(word in each.text for each in told for word in words)


def energy(session: Session, state: State, gravity: float) -> tuple[float, float]:
    """All energy, and that of height alone, J."""
    masses = session.bodies.forces.masses
    weight = np.where(masses.is_dynamic, masses.mass, 0.0)
    moving = 0.5 * float((weight * (state.velocity**2).sum(axis=1)).sum())
    turning = np.einsum("ni,nij,nj->n", state.spin, state.inertia(masses), state.spin)
    moving += 0.5 * float(turning[masses.is_dynamic].sum())
    height = gravity * float((weight * state.position[:, 1]).sum())
    return moving + height + _springs(session, state, masses), height


def _springs(session: Session, state: Any, masses: Any) -> float:
    """What soft limits and springs of drives hold, J."""
    joints = session.world.joints
    soft = [
        (i, one)
        for i, joint in enumerate(joints)
        for one in joint.limits
        if one.stiffness is not None and one.stiffness >= 0.0
    ]
    driven = [(i, one) for i, joint in enumerate(joints) for one in joint.drives]
    linkage = Linkage(joints, [(False,) * 6] * len(joints))
    pose, held = linkage.pose(state, masses), 0.0
    if soft:
        limits = limits_of(soft, per_axis=session.world.per_axis)
        errors = limits.errors(measured(limits.kinds, linkage, pose).value)
        held += 0.5 * float((limits.stiffness * errors**2).sum())
    if driven:
        drives = drives_of(driven)
        errors = drives.errors(measured(drives.kinds, linkage, pose).value)
        held += 0.5 * float((drives.stiffness * errors**2).sum())
    return held


def main(arguments: Sequence[str] | None = None) -> int:
    """Search; gives the exit code."""
    parser = argparse.ArgumentParser(description="Looks for energy that comes from nowhere.")
    parser.add_argument("--scenes", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1, help="of the first scene")
    parser.add_argument("--only", type=int, help="one scene, by its seed")
    parser.add_argument("--most", type=float, default=0.02, help="gain that is let pass")
    options = parser.parse_args(arguments)
    import addon_utils

    for name in ("io_scene_gltf2", "omi_physics_addon"):
        addon_utils.enable(name, default_set=True)
    first = options.seed if options.only is None else options.only
    count = options.scenes if options.only is None else 1
    gains, named = 0, 0
    for seed in range(first, first + count):
        scene = build(seed)
        found = follow(scene)
        if found.gain <= options.most:
            continue
        named += found.named
        gains += not found.named
        what = "named" if found.named else "GAINS"
        print(f"{what} {seed}: {found.gain:+.3f}; {'; '.join(scene.words)}", flush=True)
    print(f"{count} scenes from seed {first}: {gains} gain energy, {named} more are named")
    return 1 if gains else 0


if __name__ == "__main__":
    sys.exit(main())
