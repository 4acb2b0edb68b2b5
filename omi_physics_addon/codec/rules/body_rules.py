"""Rules about bodies, colliders and the shapes they are made of."""

from __future__ import annotations

import math
from typing import Final

from ...geometry.scaled_shapes import exact
from ...issue_codes import Code, Severity
from ...model.bodies import ZERO, Collider, Motion, ShapeUser, Trigger
from ...model.compounds import below
from ...model.shapes import Capsule, Convex, Cylinder, Geometry, Plane, Sphere, Trimesh
from ..values.node_tree import inverse
from .subject import Subject

_MANY_TRIANGLES: Final = 10_000
_MASS: Final = 1.0  # kg, that OMI gives a body without one.
_MOST_CORNERS: Final = 255  # Of hulls; indices of one byte.
_ROUND: Final = (Sphere, Capsule, Cylinder)
_MOMENT_TOLERANCE: Final = 1e-4  # Relative; moments of thin bodies are at the very limit.


def check(subject: Subject) -> None:
    """Look at every body and every collider."""
    for i, physics in subject.nodes:
        if physics.motion is not None:
            _check_motion(subject, i, physics.motion)
        if physics.collider is not None:
            _check_collider(subject, i, physics.collider)
            if physics.trigger is not None:
                subject.add(
                    Code.COLLIDER_AND_TRIGGER,
                    i,
                    "readers build two bodies or drop one; use a node for each",
                )
        for part in (physics.collider, physics.trigger):
            if part is not None and part.shape is not None:
                geometry = subject.geometry(part.shape)
                _check_scale(subject, i, geometry)
                _check_tapered(subject, i, geometry)
                _check_mesh(subject, i, part, geometry)
    _check_cylinders(subject)


def _check_cylinders(subject: Subject) -> None:
    """Tell once of all cylinders."""
    if not any(isinstance(shape.geometry, Cylinder) for shape in subject.document.shapes):
        return
    users = [
        i
        for i, physics in subject.having("collider", "trigger")
        for part in (physics.collider, physics.trigger)
        if part is not None and isinstance(subject.geometry(part.shape), Cylinder)
    ]
    if users and "OMI" in subject.families:
        more = f"it and {len(users) - 1} more are cylinders" if users[1:] else "it is a cylinder"
        why = f"{more}, which engines do badly or not at all; a capsule or a box may do"
        subject.add(Code.CYLINDER_USED, users[0], why)


def _is_anchor(subject: Subject, i: int, motion: Motion) -> bool:
    """Whether a body does nothing but hold a joint where it stands."""
    return motion == Motion(type="kinematic") and subject.document.nodes[i].joint is not None


def _check_motion(subject: Subject, i: int, motion: Motion) -> None:
    moving = motion.type != "static"
    solid = subject.colliders.get(i, ())
    if motion.type == "dynamic" and subject.triggers.get(i) and not solid:
        subject.add(
            Code.DYNAMIC_BODY_ONLY_TRIGGERS,
            i,
            "it has only triggers, so it falls through everything",
        )
    elif moving and not solid and not _is_anchor(subject, i, motion):
        subject.add(Code.BODY_WITHOUT_COLLIDER, i, "nothing on it or below it is solid")
    above = subject.tree.parents.get(i)
    if above is not None and (body := subject.body_of(above)) is not None:
        subject.add(Code.BODY_BELOW_BODY, i, f"it moves on its own, not with {subject.place(body)}")
    _check_velocity(subject, i, motion)
    if motion.type == "dynamic" and i in subject.animated:
        subject.add(
            Code.DYNAMIC_BODY_ANIMATED,
            i,
            "its animation wins over the simulation; make it kinematic",
        )
    if subject.scale(i) is not None:
        subject.add(Code.BODY_SCALED, i, "engines ignore or undo the scale of bodies; apply it")
    _check_weight(subject, i, motion)
    moments = motion.inertia_diagonal
    if moments is not None and moving and all(moments):
        low, middle, high = sorted(moments)
        if high > (low + middle) * (1.0 + _MOMENT_TOLERANCE):
            subject.add(
                Code.MOMENT_TOO_LARGE, i, "no thing has such moments; leave them to the shapes"
            )


def _check_weight(subject: Subject, i: int, motion: Motion) -> None:
    center = motion.center_of_mass
    if center is not None and any(center):
        why = f"it balances {math.hypot(*center):.3g} m from its origin, which some engines ignore"
        subject.add(Code.CENTER_OF_MASS_MOVED, i, why)
    if motion.gravity_factor != 1.0:
        rises = "; a negative factor makes it rise" if motion.gravity_factor < 0.0 else ""
        why = f"its gravity factor is {motion.gravity_factor:g}{rises}"
        subject.add(Code.GRAVITY_FACTOR_UNUSUAL, i, why)
    if motion.type == "static" and motion.mass not in (None, _MASS):
        subject.add(Code.STATIC_BODY_MASS, i, "what never moves needs no mass")
    if motion.type != "dynamic":
        return
    if motion.mass is None and "KHR" in subject.families:
        subject.add(Code.MASS_LEFT_TO_ENGINE, i, "each engine takes a density of its own")
    bones = subject.tree.bones
    if bones and not bones.isdisjoint(subject.tree.upward(i)):
        why = "physics and the skin both move this bone; make it kinematic, or end the animation"
        subject.add(Code.DYNAMIC_BODY_ON_BONE, i, why)


def _check_velocity(subject: Subject, i: int, motion: Motion) -> None:
    if (motion.linear_velocity, motion.angular_velocity) == (ZERO, ZERO):
        return
    if motion.type == "static":
        subject.add(
            Code.STATIC_BODY_VELOCITY, i, "static bodies do not move, so its velocity means nothing"
        )
    elif motion.type == "kinematic":
        subject.add(
            Code.KINEMATIC_BODY_VELOCITY,
            i,
            "some engines keep it at this speed for ever, others ignore it",
        )


def _check_collider(subject: Subject, i: int, collider: Collider) -> None:
    if collider.shape is None:
        parts = below(i, subject.tree.children)
        if not any((p := subject.document.nodes.get(at)) and p.collider for at in parts):
            subject.add(
                Code.COLLIDER_GROUP_EMPTY, i, "it has no shape, and no collider is below it"
            )
        return
    motion = subject.motion(subject.body_of(i))
    kind = "static" if motion is None else motion.type
    geometry = subject.geometry(collider.shape)
    if isinstance(geometry, Trimesh) and kind == "dynamic":
        subject.add(
            Code.TRIMESH_ON_DYNAMIC_BODY, i, "most engines cannot move a trimesh; use convex shapes"
        )
    elif isinstance(geometry, Trimesh) and kind == "kinematic":
        subject.add(
            Code.TRIMESH_ON_KINEMATIC_BODY,
            i,
            "some engines cannot move a trimesh; use convex shapes",
        )
    elif isinstance(geometry, Plane) and kind != "static":
        subject.add(
            Code.PLANE_ON_MOVING_BODY, i, "planes are for the ground in most engines; use a box"
        )


def _check_scale(subject: Subject, i: int, geometry: Geometry | None) -> None:
    scale = subject.scale(i)
    if scale is None:
        return
    if min(map(abs, scale)) == 0.0:
        subject.add(Code.SHAPE_SCALED_TO_NOTHING, i, "its shape has no volume")
        return
    if min(scale) < 0.0:
        subject.add(Code.SHAPE_MIRRORED, i, "its shape has a negative scale; apply the scale")
    if isinstance(geometry, _ROUND) and exact(geometry, scale) is None:
        subject.add(
            Code.ROUND_SHAPE_SCALED_UNEVENLY,
            i,
            "scaled like this it is not round any more; apply the scale",
        )
        return
    if "OMI" in subject.families and min(scale) > 0.0:
        subject.add(Code.SHAPE_SCALED, i, "readers of OMI may ignore the scale of shapes; apply it")
    if "KHR" in subject.families and min(scale) > 0.0:
        subject.add(Code.SHAPE_SCALED_IN_KHR, i, "some readers ignore the scale of shapes")


def _check_tapered(subject: Subject, i: int, geometry: Geometry | None) -> None:
    if not isinstance(geometry, (Capsule, Cylinder)):
        return
    difference = abs(geometry.radius_top - geometry.radius_bottom)
    if isinstance(geometry, Capsule) and difference >= geometry.height > 0.0:
        subject.add(
            Code.CAPSULE_IS_SPHERE, i, "its smaller ball is inside the larger one; use a sphere"
        )
    elif difference:
        subject.add(Code.SHAPE_TAPERED, i, "not all engines have shapes with two radii")


def _check_mesh(subject: Subject, i: int, part: ShapeUser, geometry: Geometry | None) -> None:
    if not isinstance(geometry, (Convex, Trimesh)) or geometry.mesh is None:
        return
    if isinstance(part, Trigger) and isinstance(geometry, Trimesh):
        subject.add(
            Code.TRIMESH_TRIGGER,
            i,
            "a trimesh has no inside, so it is no good trigger; make it convex",
        )
    count = subject.triangles(geometry.mesh)
    if count == 0:
        subject.add(Code.COLLISION_MESH_EMPTY, i, "its collision mesh has no triangle")
    elif count > _MANY_TRIANGLES:
        subject.add(
            Code.COLLISION_MESH_LARGE,
            i,
            f"its collision mesh has {count} triangles; use a simpler one",
        )
    elif isinstance(geometry, Convex):
        _check_hull(subject, i, geometry.mesh)
    elif isinstance(part, Collider):
        _check_sides(subject, i, geometry.mesh)


def _check_hull(subject: Subject, i: int, mesh: int) -> None:
    """Whether the corners of a mesh make a hull that engines take."""
    corners = subject.solids.hull_corners(mesh)
    if corners == 0:
        subject.add(Code.COLLISION_MESH_NOT_SOLID, i, "its hull is flat, so it has no volume")
    elif corners is not None and corners > _MOST_CORNERS:
        why = f"its hull has {corners} corners, and engines take 255; use a simpler mesh"
        subject.add(Code.HULL_LARGE, i, why)


def _check_sides(subject: Subject, i: int, mesh: int) -> None:
    """Whether bodies meet the triangles of a mesh from the front, as engines may demand."""
    sides = subject.solids.sides(mesh)
    if sides is None:
        return
    if sides.away.all():
        why = "its triangles look inward, so that things fall into it; flip them"
        subject.add(Code.COLLISION_MESH_LOOKS_AWAY, i, why)
    elif sides.away.any():
        wrong = int(sides.away.sum())
        looks, them = ("looks", "it") if wrong == 1 else ("look", "them")
        why = f"{wrong} of its {len(sides.away)} triangles {looks} the wrong way; flip {them}"
        subject.add(Code.COLLISION_MESH_LOOKS_AWAY, i, why)
    elif (back := inverse(subject.tree.world(i))) is not None and sides.looks_down(back[4:7]):
        why = "it looks down, and engines that hold things on its front let them fall through it"
        at = subject.place(i)
        subject.issues.add(Code.COLLISION_MESH_LOOKS_AWAY, at, why, Severity.INFO)
