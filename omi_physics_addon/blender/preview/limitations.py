"""What a preview does not do exactly, told before it starts."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ...codec.gltf.animated import moved_nodes
from ...model.bodies import PhysicsMaterial
from ...model.document import NodePhysics
from ...model.shapes import Box, Plane
from ...simulation.body_solids import UNEVEN
from ...simulation.bullet import collision_groups, convergence, levers, proxies
from ...simulation.bullet.bullet_shapes import FAR
from ...simulation.bullet.materials import Frictions
from ...simulation.gravity_middles import open_middles
from ...simulation.joints import joint_doubts
from ...simulation.joints.soft_limits import limits_of
from ...simulation.world import Body, Mesh, World
from ..base import animated, groups, instances
from ..scene import migrations
from ..translations import pgettext_rpt
from . import moving_limits
from .bodies.constraints import Constraints
from .bodies.effort import heaviest_carried
from .bodies.forces import Forces
from .copies.armatures import Armatures
from .input import scene_input
from .input.scene_input import SceneReading, gravity_of
from .stage import unseen
from .stage.options import PreviewOptions
from .stage.windows import layer_of

_PLAIN: Final = PhysicsMaterial()
_SWINGING_RATE: Final = 240  # 1/s, from which on forces turn round in time.
_WIDE_STEERING: Final = 0.2  # rad, above which circles are wider than wheels point by over 1 %.
_UNEQUAL: Final = 0.01  # Relative difference of moments from which on a body tumbles to be seen.
# kg³ m⁶, below which Bullet does not solve for gyroscopic torques (`solve33`, btMatrix3x3.h).
_LEAST_DETERMINANT: Final = float(np.finfo(np.float64).eps)
_MIDDLE: Final = (
    "Within {:.2g} m of its middle, which no collider covers, gravity grows faster than steps "
    "follow, and is weaker; a collider there, or a higher rate, helps"
)
_SLOW_PAIRS: Final = 1000  # Pairs kept apart one by one, above which that is told of.


@dataclass(frozen=True)
class Limitation:
    """One thing that a preview does not do exactly, and the objects it concerns.

    Attributes:
        text: a sentence without a full stop, for the artist.
        objects: names.
        substeps: with which it would be exact; 0 where these do not help.
    """

    text: str
    objects: tuple[str, ...]
    substeps: int = 0


def of_scene(scene: Any, options: PreviewOptions | None = None) -> list[Limitation]:
    """All that a preview of a scene does not do exactly."""
    chosen = options or PreviewOptions()
    unseen.place(scene)
    read = scene_input.read(scene)
    world = scene_input.world_of(scene, read, chosen)
    found: dict[tuple[str, int], dict[str, None]] = {}

    def tell(text: str, nodes: Iterable[int], substeps: int = 0) -> None:
        names = found.setdefault((text, substeps), {})
        names.update(dict.fromkeys(read.objects[at].name for at in nodes))

    for body in world.bodies:
        for text in _of_body(body):
            tell(text, [body.node])
    _tell_scales(read, world, tell)
    _tell_filters(world, tell)
    held = Constraints(world, world.state())
    pull = _pull(read, world, gravity_of(scene), held)
    _tell_surfaces(world, pull, chosen.seconds, tell)
    moving_limits.tell_fast(world, pull, chosen, tell)
    hung = convergence.hanging(world)
    moving_limits.tell_landings(world, hung, pull, tell)
    _tell_heavy(world, tell)
    moving_limits.tell_losses(world, hung, gravity_of(scene), held, chosen, tell)
    for text, joints in (
        ("Frames of a joint are turned about several axes; its angles are near only", held.shifted),
        ("A joint with room along one axis but not another may swing ever higher", held.gaining),
    ):
        tell(text, [world.joints[i].node for i in joints])
    _tell_joints(world, held, chosen, tell)
    for node, core in open_middles(world, chosen.step).items():
        tell(pgettext_rpt(_MIDDLE).format(core), [node])
    _tell_steering(read, world, tell)
    _tell_others(read, world, tell)
    _tell_instances(scene, read, tell)
    tell("An animation of its physics does not play", moved_nodes(read.document))
    return [
        Limitation(text, tuple(names), substeps)
        for (text, substeps), names in found.items()
        if names
    ]


def _of_body(body: Body) -> list[str]:
    """Sentences on what a body does not do exactly."""
    found: list[str] = []
    if body.type == "dynamic" and body.is_animated:
        found.append("Keyframes, drivers or constraints move it, and no forces")
    if any(isinstance(s.form, Plane) and s.form.size_x is None for s in body.solids):
        found.append(f"An infinite plane is {FAR:g} m wide")
    if not body.is_forced:
        return found
    if any(isinstance(s.form, Mesh) and not s.form.is_convex for s in body.solids):
        found.append("A moving triangle mesh collides as its convex hull")
    if not np.isfinite(body.mass):
        found.append(f"An infinite mass is {proxies.HEAVIEST:g} kg, and bounces a little too much")
    elif body.mass < proxies.LIGHTEST:
        found.append("Masses below 1 g are 1 g")
    finite = np.isfinite(body.moments)
    if finite.any() and not finite.all():
        found.append("Infinite inertia about some axes only is near at best")
    elif finite.all() and not proxies.box_of(body.moments)[1]:
        found.append("No solid has such moments of inertia; the nearest ones are taken")
    if levers.gives_way(body):
        found.append(
            "Its moments of inertia are too small for its mass and size: what it hits turns it and "
            "does not stop it, so it sinks in, and may be thrown out"
        )
    parts = len({(solid.material, solid.filter) for solid in body.solids})
    if finite.all() and _tumbles_not(body, max(parts, 1)):
        found.append("Too light and small to tumble: it turns about one axis until something hits")
    if parts > 1:
        found.append(
            "Colliders with materials or filters of their own are held to the others of the body "
            "by a weld, which gives way a little"
        )
    if not body.solids:
        found.append("A body without a collider passes through everything")
    return found


def _tumbles_not(body: Body, parts: int) -> bool:
    """Whether Bullet leaves gyroscopic torques out, as the product of the moments is too small."""
    mass = min(max(body.mass, proxies.LIGHTEST), proxies.HEAVIEST)
    moments = body.moments * (mass / min(body.mass, proxies.HEAVIEST) / parts)
    is_uneven = bool(np.ptp(moments) > _UNEQUAL * moments.max())
    return is_uneven and bool(moments.prod() < _LEAST_DETERMINANT)


def _tell_heavy(world: World, tell: Any) -> None:
    """Name what the lightest bodies do not carry, and by how much their masses differ too much."""
    most = heaviest_carried(world, bool(world.joints))
    heavy = [body for body in world.bodies if body.is_forced and most < body.mass < np.inf]
    lightest = min((body.mass for body in world.bodies if body.is_forced), default=0.0)
    if heavy:
        times = most / max(lightest, proxies.LIGHTEST)
        text = f"What is more than {times:.0f} times as heavy as what it rests on sinks into it"
        tell(text, [body.node for body in heavy])


def _tell_joints(world: World, held: Constraints, options: PreviewOptions, tell: Any) -> None:
    """Name joints whose forces or reactions steps are too coarse for."""
    if not world.joints:
        return
    joints, state, masses = world.joints, world.state(), world.masses(proxies.HEAVIEST)
    limits = limits_of(held.left, held.braked, per_axis=world.per_axis)
    stiff, step = joint_doubts.too_stiff(joints, limits, state, masses, options.step)
    rate = math.ceil(options.speed / step)
    for text, found in (
        (f"A spring swings faster than steps show; a rate of {rate} does", stiff),
        (
            "What pulls at a long lever may gain or lose energy; a higher rate makes it less",
            joint_doubts.on_long_levers(joints, limits, state, masses),
        ),
        (
            "A spring turns about an axis that may swing to the opposite side, where its angle "
            "jumps, and gains energy; limits of the other two angles help",
            joint_doubts.flipping(joints, per_axis=world.per_axis),
        ),
        (
            "A drive overshoots its target and returns with its maximum force; a rate of "
            f"{_SWINGING_RATE} shows this",
            []
            if options.rate >= _SWINGING_RATE
            else joint_doubts.swinging(joints, state, masses, options.step),
        ),
    ):
        tell(text, [joints[i].node for i in found])


def _tell_scales(read: SceneReading, world: World, tell: Any) -> None:
    uneven = [
        solid.node
        for body in world.bodies
        for solid in body.solids
        if not isinstance(solid.form, (Mesh, Plane))
        and not isinstance(solid.form, Box)
        and _is_uneven(read.nodes[solid.node].matrix)
    ]
    tell("A round shape on an uneven scale gets an even one", uneven)


def _is_uneven(matrix: Any) -> bool:
    scale = np.linalg.norm(matrix[:3, :3], axis=0)
    return bool(np.ptp(scale) > UNEVEN * scale.max())


def _tell_surfaces(world: World, pull: Any, seconds: float, tell: Any) -> None:
    found, state = Frictions(world), world.state()
    straight = state.velocity * seconds
    fallen = straight + np.where(world.forced[:, None], pull, 0.0) * (seconds**2 / 2.0)
    found.look(state, world.masses(), (straight, fallen), is_close=True)
    text = "Friction between some materials is near only, as Blender multiplies the two"
    tell(text, [solid.node for at in found.inexact() for solid in found.solids[at]])
    used: dict[PhysicsMaterial, list[int]] = {}
    for body in world.bodies:
        for solid in body.solids:
            used.setdefault(solid.material or _PLAIN, []).append(solid.node)
    tell(
        "Static friction is not simulated separately; dynamic friction is used",
        [
            at
            for material, nodes in used.items()
            if material.static_friction != material.dynamic_friction
            for at in nodes
        ],
    )
    tell(
        "Bounces are exact for what hits the ground flat or with its middle above, and for two "
        "that hit each other; several at once, as in a cradle, move on together and may lose "
        "energy; gaps between them, or a higher frame rate, help",
        [at for material, nodes in used.items() if material.restitution > 0.0 for at in nodes],
    )


def _tell_filters(world: World, tell: Any) -> None:
    bodies = [body for body in world.bodies if body.solids]
    kinds, sets = collision_groups.grouped_kinds(
        [(collision_groups.filters_of(body.solids), body.is_forced) for body in bodies]
    )
    nodes: dict[int, list[int]] = {}
    for kind, body in zip(kinds, bodies, strict=True):
        nodes.setdefault(kind, []).append(body.node)
    pairs = sum(len(nodes[a]) * len(nodes[b]) for a, b in sets.extra)
    if pairs > _SLOW_PAIRS:
        text = f"{pairs} pairs must be kept apart one by one, which is slow"
        tell(text, {at for pair in sets.extra for kind in pair for at in nodes[kind]})


def _pull(read: SceneReading, world: World, gravity: Any, held: Constraints) -> Any:
    """What accelerates each body at the start (n, 3), but for joints, m/s²."""
    if not world.frames and not any(volume.gravity for volume in world.volumes):
        factors = [body.gravity_factor for body in world.bodies]
        return np.outer(np.array(factors).reshape(len(factors)), gravity)
    forces = Forces(
        world,
        read.document,
        read.read_mesh,
        gravity,
        held.left,
        held.braked,
        per_axis=world.per_axis,
        substeps=1,
    )
    return forces.free_accelerations(world.state(), PreviewOptions().step)


def _is_finished(physics: NodePhysics | None) -> bool:
    joint = None if physics is None else physics.joint
    return joint is not None and None not in (joint.joint, joint.connected_node)


def _is_deforming(obj: Any, armatures: Armatures) -> bool:
    """Whether the shape of an object changes over time in a way that does not play on."""
    if not len(obj.modifiers):
        return False
    if any(path.startswith("modifiers[") for path in animated.paths(obj.animation_data)):
        return True
    if armatures.bends(obj):
        return False
    inside = [each for each in (obj.data, getattr(obj.data, "shape_keys", None)) if each]
    return any(any(animated.paths(each.animation_data)) for each in inside)


def _tell_instances(scene: Any, read: SceneReading, tell: Any) -> None:
    """Name what shows objects with physics in ways that do not play."""
    own = {obj: at for at, obj in enumerate(read.objects[: read.own])}
    if not any(map(instances.scatters, own)):
        return
    found = instances.shown(layer_of(scene).depsgraph)
    showing = [
        own[above]
        for obj, each in found.items()
        for above, objects in instances.scattered(obj, each).items()
        if above in own and any(map(migrations.has_physics, dict.fromkeys(objects)))
    ]
    text = "What it shows on vertices, faces, particles or by Geometry Nodes has no physics"
    tell(text, showing)


def _tell_steering(read: SceneReading, world: World, tell: Any) -> None:
    """Name wheels that steer far beside others of their body, as far as tires give way by it."""
    steered: dict[int, list[int]] = {}
    for node, frame in world.frames.items():
        physics = read.document.nodes.get(node)
        wheel = None if physics is None or physics.wheel is None else physics.wheel.wheel
        if wheel is not None and read.document.wheels[wheel].max_steering_angle > _WIDE_STEERING:
            steered.setdefault(frame.body, []).append(node)
    text = (
        "Both wheels of an axle steer by the same angle, so circles are wider than they point, by "
        "about 3 % at 17° and 11 % at 29°, as the outer tire slides; smaller angles help"
    )
    tell(text, [node for nodes in steered.values() if len(nodes) > 1 for node in nodes])


def _tell_others(read: SceneReading, world: World, tell: Any) -> None:
    nodes = read.document.nodes.items()
    own = list(enumerate(read.objects[: read.own]))
    armatures = Armatures(read, world)
    tell(
        "Keyframes of its modifiers, or of shape keys below these, do not count; it keeps the "
        "shape that it has at the start",
        [at for at, obj in own if _is_deforming(obj, armatures)],
    )
    joints = [at for at, obj in own if groups.read(obj).use_joint]
    idle = [at for at in joints if not _is_finished(read.document.nodes.get(at))]
    tell("A joint without a connected object or without settings holds nothing", idle)
    pairs = [
        at
        for at, physics in nodes
        if physics.joint
        and physics.joint.joint is not None
        and any(
            drive.type not in ("linear", "angular") or drive.mode not in ("force", "acceleration")
            for drive in read.document.joint_settings[physics.joint.joint].drives
        )
    ]
    tell("A drive of an unknown type or mode does nothing", pairs)
