"""Tells whether a world changed in a way that a running preview cannot follow."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from ..model.document import PhysicsDocument
from .world import Body, JointFrames, World


def structure(world: World, document: PhysicsDocument) -> Any:
    """All that cannot change while a preview runs, as values that compare.

    Masses can, as long as the moments of inertia grow alike; so can the numbers of limits and of
    drives, but not which there are.
    """
    nodes = document.nodes
    parts = [
        (at, p.vehicle_body, p.wheel, p.thruster, p.hover_thruster)
        for at, p in sorted(nodes.items())
    ]
    return _value(
        (
            [_body(body) for body in world.bodies],
            [_joint(joint) for joint in world.joints],
            world.volumes,
            parts,
            (document.wheels, document.thrusters, document.hover_thrusters),
        )
    )


def _body(body: Body) -> Any:
    spread = np.float32(0.0)
    if np.isfinite(body.mass):
        spread = np.asarray(body.moments / body.mass, dtype=np.float32)
    values = dataclasses.replace(body, mass=0.0, moments=np.zeros(3), motion=None)
    if not np.isfinite(body.mass):
        values = dataclasses.replace(values, mass=np.inf)
    return (values, spread)


def _joint(joint: JointFrames) -> Any:
    limits = [
        (
            one.linear_axes,
            one.angular_axes,
            one.is_hard,
            one.min is None,
            one.max is None,
            one.min == one.max == 0.0,
        )
        for one in joint.limits
    ]
    drives = [(one.type, one.mode, one.axis) for one in joint.drives]
    return (joint.node, joint.first, joint.second, joint.enable_collision, limits, drives)


def _value(thing: Any) -> Any:
    """The same as tuples, with arrays as bytes."""
    if isinstance(thing, np.ndarray):
        return thing.tobytes()
    if dataclasses.is_dataclass(thing) and not isinstance(thing, type):
        return (type(thing).__name__, *(_value(value) for value in vars(thing).values()))
    if isinstance(thing, (list, tuple)):
        return tuple(_value(each) for each in thing)  # pyright: ignore[reportUnknownVariableType]
    return thing
