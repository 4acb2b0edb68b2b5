"""What the writers of all formats of robots share: numbers as words, shapes, and what they tell."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, TypeGuard

import numpy as np

from ..axes import points_to_blender
from ..geometry.arrays import Array
from ..geometry.round_hulls import round_mesh
from ..issue_codes import Code
from ..issues import Issues
from ..model.shapes import Box, Capsule, Cylinder, Plane
from ..simulation.world import Mesh
from . import turns
from .robots import Link, Part, Pose, RobotJoint

STILL: Final = 1e-6  # A place or angle at the start that counts as zero.
_NOISE: Final = 1e-12
WIDE: Final = 200.0  # m, of what stands for a plane without end.

Files = dict[str, bytes]  # Names of files beside a file, and what is in them.


class Teller:
    """Tells what a format cannot say."""

    def __init__(self, format_name: str, issues: Issues) -> None:
        self._format, self._issues = format_name, issues
        self._told: set[object] = set()

    def leave_out(self, origin: str, what: str, why: str) -> None:
        """Tell of something that is not written."""
        told = f"{what} is left out, because {self._format} {why}"
        self._issues.add(Code.FORMAT_LEAVES_OUT, origin, told)

    def approximate(self, origin: str, what: str, as_what: str) -> None:
        """Tell of something that is written as something else."""
        told = f"{what} is written as {as_what}, because {self._format} has none"
        self._issues.add(Code.FORMAT_APPROXIMATES, origin, told)

    def is_new(self, thing: object) -> bool:
        """Whether nothing was told of something yet."""
        if thing in self._told:
            return False
        self._told.add(thing)
        return True

    def plane_as_box(self, part: Part, origin: str) -> Part:
        """A part with a box of 1 m below a plane in its place, which is told."""
        told = f'the plane "{part.name}" is written as a box of 1 m below it'
        self._issues.add(Code.PLANE_AS_BOX, origin, f"{told}; {self._format} has no planes")
        form = part.form
        assert isinstance(form, Plane)
        size = (form.size_x or WIDE, form.size_z or WIDE, 1.0)
        return replace(part, form=Box(size=size), pose=part.pose @ Pose(np.array([0.0, 0.0, -0.5])))

    def tapered_as_hull(self, part: Part, origin: str) -> Part:
        """A part with the convex hull of a tapered shape in its place, which is told."""
        self.approximate(origin, f'the tapered shape "{part.name}"', "a convex hull")
        assert isinstance(part.form, (Capsule, Cylinder))
        return replace(part, form=hull_of(part.form))


def hull_of(form: Capsule | Cylinder) -> Mesh:
    """The convex hull that stands for a tapered shape along Z."""
    corners, triangles = map(np.array, round_mesh(form))
    return Mesh(points_to_blender(corners), triangles, is_convex=True)


def is_tapered(form: object) -> TypeGuard[Capsule | Cylinder]:
    """Whether a shape is round and has two radii."""
    return isinstance(form, (Capsule, Cylinder)) and form.radius_bottom != form.radius_top


def start_of(joint: RobotJoint, parent: Link, child: Link) -> Array:
    """Where a joint is at the start (6,), along and about the axes of its frame, m and rad."""
    ends = (parent.pose @ joint.frame).inverse() @ child.pose @ joint.child_frame
    return turns.start_of(ends.rotation, ends.place)


def is_still(pose: Pose) -> bool:
    """Whether a pose is that of the origin."""
    return bool(np.abs(turns.start_of(pose.rotation, pose.place)).max() < STILL)


def without_noise(numbers: Array) -> Array:
    """Numbers without what rounding left of 0."""
    return np.where(np.abs(numbers) > _NOISE, numbers, 0.0)


def words(*numbers: float) -> str:
    """Numbers as XML has them."""
    return " ".join(f"{float(number) + 0.0:.15g}" for number in numbers)
