"""Rules about bodies, colliders and the shapes they are made of."""

from __future__ import annotations

import math
from typing import Final

from ...geometry.scaled_shapes import exact
from ...issue_codes import Code, Severity
from ...model.bodies import ZERO, Collider, Motion, ShapeUser, Trigger
from ...model.compounds import below
from ...model.shapes import Capsule, Convex, Cylinder, Geometry, Plane, Sphere, Trimesh
from ...model.targets import SPECIFICATION
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
                why = (
                    "a collider and a trigger share this node, and importers keep only one "
                    "or build two bodies; use two nodes"
                )
                subject.add(Code.COLLIDER_AND_TRIGGER, i, why)
        for part in (physics.collider, physics.trigger):
            if part is not None and part.shape is not None:
                geometry = subject.document.geometry(part.shape)
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
        for _name, _part, shape in subject.document.shaped(physics)
        if isinstance(shape.geometry, Cylinder)
    ]
    if users and "OMI" in subject.families:
        more = (
            f"this shape and {len(users) - 1} more are cylinders"
            if users[1:]
            else "the shape is a cylinder"
        )
        why = (
            f"{more}, and some engines lack cylinders or simulate them poorly; use a capsule "
            "or a box where possible"
        )
        subject.add(Code.CYLINDER_USED, users[0], why)


def _is_anchor(subject: Subject, i: int, motion: Motion) -> bool:
    """Whether a body does nothing but hold a joint where it stands."""
    return motion == Motion(type="kinematic") and subject.document.nodes[i].joint is not None


def _check_motion(subject: Subject, i: int, motion: Motion) -> None:
    moving = motion.type != "static"
    solid = subject.colliders.get(i, ())
    if motion.type == "dynamic" and subject.triggers.get(i) and not solid:
        why = (
            "the body has triggers and no collider, so it falls through everything; add a collider"
        )
        subject.add(Code.DYNAMIC_BODY_ONLY_TRIGGERS, i, why)
    elif moving and not solid and not _is_anchor(subject, i, motion):
        why = (
            "the body has no collider on it or below it, so it passes through everything; "
            "add a collider"
        )
        subject.add(Code.BODY_WITHOUT_COLLIDER, i, why)
    above = subject.tree.parents.get(i)
    if above is not None and (body := subject.body_of(above)) is not None:
        why = (
            f"the body simulates on its own and does not follow {subject.place(body)}; add a "
            "joint to attach them"
        )
        subject.add(Code.BODY_BELOW_BODY, i, why)
    _check_velocity(subject, i, motion)
    if motion.type == "dynamic" and i in subject.animated:
        why = (
            "an animation moves this dynamic body, so the simulation does not; make the body "
            "kinematic"
        )
        subject.add(Code.DYNAMIC_BODY_ANIMATED, i, why)
    if subject.scale(i) is not None:
        why = "the body is scaled, and engines ignore or reset that scale; apply the scale"
        subject.add(Code.BODY_SCALED, i, why)
    _check_weight(subject, i, motion)
    moments = motion.inertia_diagonal
    if moments is not None and moving and all(moments):
        low, middle, high = sorted(moments)
        if high > (low + middle) * (1.0 + _MOMENT_TOLERANCE):
            why = (
                "no solid can have these moments of inertia, and engines may reject "
                "them; compute them from the shapes"
            )
            subject.add(Code.MOMENT_TOO_LARGE, i, why)


def _check_weight(subject: Subject, i: int, motion: Motion) -> None:
    center = motion.center_of_mass
    if center is not None and any(center):
        why = (
            f"the center of mass is {math.hypot(*center):.3g} m from the body's origin, and "
            "some engines ignore that"
        )
        subject.add(Code.CENTER_OF_MASS_MOVED, i, why)
    if motion.gravity_factor != 1.0:
        rises = "; a negative value makes the body rise" if motion.gravity_factor < 0.0 else ""
        why = (
            f"the gravity factor is {motion.gravity_factor:g}, so gravity acts differently "
            f"on this body{rises}"
        )
        subject.add(Code.GRAVITY_FACTOR_UNUSUAL, i, why)
    if motion.type == "static" and motion.mass not in (None, _MASS):
        why = "the static body has a mass, which engines ignore as the body never moves"
        subject.add(Code.STATIC_BODY_MASS, i, why)
    if motion.type != "dynamic":
        return
    if motion.mass is None and "KHR" in subject.families:
        why = (
            "no mass is set, so each engine computes one with its own density; set a mass to "
            "have the same in all"
        )
        subject.add(Code.MASS_LEFT_TO_ENGINE, i, why)
    bones = subject.tree.bones
    if bones and not bones.isdisjoint(subject.tree.upward(i)):
        why = (
            "the body is on a bone, which the skin's animation may move too; make it "
            "kinematic, or remove the animation"
        )
        subject.add(Code.DYNAMIC_BODY_ON_BONE, i, why)


def _check_velocity(subject: Subject, i: int, motion: Motion) -> None:
    if (motion.linear_velocity, motion.angular_velocity) == (ZERO, ZERO):
        return
    if motion.type == "static":
        why = (
            "the static body has a velocity, which engines ignore; set the velocity to "
            "zero, or change the motion type"
        )
        subject.add(Code.STATIC_BODY_VELOCITY, i, why)
    elif motion.type == "kinematic":
        why = (
            "the kinematic body has a velocity: some engines keep it moving, others ignore "
            "it; animate it instead"
        )
        subject.add(Code.KINEMATIC_BODY_VELOCITY, i, why)


def _check_collider(subject: Subject, i: int, collider: Collider) -> None:
    if collider.shape is None:
        parts = below(i, subject.tree.children)
        if not any((p := subject.document.nodes.get(at)) and p.collider for at in parts):
            why = (
                "the collider has no shape and no colliders below it, so it does "
                "nothing; choose a shape, or remove it"
            )
            subject.add(Code.COLLIDER_GROUP_EMPTY, i, why)
        return
    motion = subject.motion(subject.body_of(i))
    kind = "static" if motion is None else motion.type
    geometry = subject.document.geometry(collider.shape)
    if isinstance(geometry, Trimesh) and kind == "dynamic":
        why = (
            "the dynamic body has a trimesh collider, which most engines cannot move; "
            "use convex shapes"
        )
        subject.add(Code.TRIMESH_ON_DYNAMIC_BODY, i, why)
    elif isinstance(geometry, Trimesh) and kind == "kinematic":
        why = (
            "the kinematic body has a trimesh collider, which some engines cannot move; use "
            "convex shapes"
        )
        subject.add(Code.TRIMESH_ON_KINEMATIC_BODY, i, why)
    elif isinstance(geometry, Plane) and kind != "static":
        why = (
            "the moving body has a plane collider, which most engines allow on static "
            "bodies only; use a box"
        )
        subject.add(Code.PLANE_ON_MOVING_BODY, i, why)


def _check_scale(subject: Subject, i: int, geometry: Geometry | None) -> None:
    scale = subject.scale(i)
    if scale is None:
        return
    if min(map(abs, scale)) == 0.0:
        why = (
            "a scale of zero leaves the shape no volume, so nothing collides with it; set "
            "another scale"
        )
        subject.add(Code.SHAPE_SCALED_TO_NOTHING, i, why)
        return
    if min(scale) < 0.0:
        why = (
            "a negative scale mirrors the shape, and engines may place it wrongly; apply the scale"
        )
        subject.add(Code.SHAPE_MIRRORED, i, why)
    if isinstance(geometry, _ROUND) and exact(geometry, scale) is None:
        why = (
            "an uneven scale makes this round shape an ellipsoid, which no shape can be; "
            "apply the scale"
        )
        subject.add(Code.ROUND_SHAPE_SCALED_UNEVENLY, i, why)
        return
    if min(scale) < 0.0 or subject.target != SPECIFICATION:
        return
    if "OMI" in subject.families:
        why = (
            "the shape is scaled, and importers of OMI may ignore that, so its size differs; "
            "apply the scale"
        )
        subject.add(Code.SHAPE_SCALED, i, why)
    if "KHR" in subject.families:
        why = (
            "the shape is scaled, and some importers ignore that, so its size may differ; "
            "apply the scale"
        )
        subject.add(Code.SHAPE_SCALED_IN_KHR, i, why)


def _check_tapered(subject: Subject, i: int, geometry: Geometry | None) -> None:
    if not isinstance(geometry, (Capsule, Cylinder)):
        return
    difference = abs(geometry.radius_top - geometry.radius_bottom)
    if isinstance(geometry, Capsule) and difference >= geometry.height > 0.0:
        why = (
            "the capsule's larger end contains the smaller one, so it acts as a sphere; "
            "use a sphere"
        )
        subject.add(Code.CAPSULE_IS_SPHERE, i, why)
    elif difference:
        why = (
            "the shape has two different radii, and some engines use one for both; use equal "
            "radii if you can"
        )
        subject.add(Code.SHAPE_TAPERED, i, why)


def _check_mesh(subject: Subject, i: int, part: ShapeUser, geometry: Geometry | None) -> None:
    if not isinstance(geometry, (Convex, Trimesh)) or geometry.mesh is None:
        return
    if isinstance(part, Trigger) and isinstance(geometry, Trimesh):
        why = (
            "the trigger is a trimesh, which has no inside, so bodies within it may go "
            "unnoticed; make it convex"
        )
        subject.add(Code.TRIMESH_TRIGGER, i, why)
    count = subject.triangles(geometry.mesh)
    if count == 0:
        why = (
            "the collision mesh has no triangles, so nothing collides with it; add faces, or "
            "choose another shape"
        )
        subject.add(Code.COLLISION_MESH_EMPTY, i, why)
    elif count > _MANY_TRIANGLES:
        why = (
            f"the collision mesh has {count} triangles, which slows engines down; use a "
            "simpler mesh"
        )
        subject.add(Code.COLLISION_MESH_LARGE, i, why)
    elif isinstance(geometry, Convex):
        _check_hull(subject, i, geometry.mesh)
    elif isinstance(part, Collider):
        _check_sides(subject, i, geometry.mesh)


def _check_hull(subject: Subject, i: int, mesh: int) -> None:
    """Whether the corners of a mesh make a hull that engines take."""
    corners = subject.solids.hull_corners(mesh)
    if corners == 0:
        why = (
            "the convex hull is flat and has no volume, so bodies may pass through; give the "
            "mesh some thickness"
        )
        subject.add(Code.COLLISION_MESH_NOT_SOLID, i, why)
    elif corners is not None and corners > _MOST_CORNERS:
        why = f"the convex hull has {corners} vertices, and engines allow 255; use a simpler mesh"
        subject.add(Code.HULL_LARGE, i, why)


def _check_sides(subject: Subject, i: int, mesh: int) -> None:
    """Whether bodies meet the triangles of a mesh from the front, as engines may demand."""
    sides = subject.solids.sides(mesh)
    if sides is None:
        return
    if sides.away.all():
        why = "all faces point inward, so bodies may pass in through the trimesh; flip the normals"
        subject.add(Code.COLLISION_MESH_LOOKS_AWAY, i, why)
    elif sides.away.any():
        wrong = int(sides.away.sum())
        looks, them = ("looks", "it") if wrong == 1 else ("look", "them")
        why = (
            f"{wrong} of {len(sides.away)} triangles {looks} the wrong way, so bodies may "
            f"pass through there; flip {them}"
        )
        subject.add(Code.COLLISION_MESH_LOOKS_AWAY, i, why)
    elif (back := inverse(subject.tree.world(i))) is not None and sides.looks_down(back[4:7]):
        why = (
            "the trimesh faces down, so bodies may fall through in engines with one-sided "
            "meshes; flip the normals"
        )
        at = subject.place(i)
        subject.issues.add(Code.COLLISION_MESH_LOOKS_AWAY, at, why, Severity.INFO)
