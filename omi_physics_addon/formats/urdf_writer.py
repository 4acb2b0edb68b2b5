"""Writes URDF.

Source: http://wiki.ros.org/urdf/XML (links, joints, models).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

import numpy as np

from ..issues import Issues
from ..model.joints import JointDrive
from ..model.shapes import Box, Capsule, Cylinder, Plane, Sphere
from ..simulation.world import Mesh
from . import turns
from .mesh_files import obj_of
from .robots import EARTH, WORLD, Link, LinkTree, Names, Part, Pose, Robot, RobotJoint, tree_of
from .turns import Freedom
from .writing import (
    STILL,
    Files,
    Teller,
    is_still,
    is_tapered,
    start_of,
    without_noise,
    words,
)

_FAR: Final = 1000.0  # m or rad, where URDF must have an end and the joint has none.
_STRONG: Final = 1e6  # N, N m, m/s or rad/s, where URDF must have a number and nobody set one.
_PLAIN: Final = re.compile(r"[^A-Za-z0-9_.-]+")


def write(robot: Robot, output: Path, issues: Issues) -> tuple[bytes, Files]:
    """The URDF of a robot, and the meshes beside it.

    Args:
        output: the file that it will be.
    """
    writer = _Writer(robot, output.stem, issues)
    return writer.text(), writer.files


class _Writer:
    """Writes one file."""

    def __init__(self, robot: Robot, stem: str, issues: Issues) -> None:
        self._robot, self._teller = robot, Teller("URDF", issues)
        self._folder = f"{_PLAIN.sub('_', stem)}_meshes"
        self._root = ElementTree.Element("robot", name=robot.name)
        self._tree: LinkTree = tree_of(robot)
        self._shifts: dict[int, Pose] = {}
        self._mesh_names: dict[tuple[bytes, bytes], str] = {}
        self._stems, self._joint_names = Names(), Names(joint.name for joint in robot.joints)
        self.files: Files = {}

    def text(self) -> bytes:
        """All of it."""
        robot = self._robot
        for at, joint in self._tree.joints.items():
            if self._kind(joint) not in ("fixed", "floating"):
                self._shifts[at] = Pose(joint.child_frame.place)
        base = self._base()
        for at in (*self._tree.roots, *self._tree.joints):
            self._link(at)
        for at in self._tree.roots:
            link = robot.links[at]
            if base is not None and link.name != base:
                kind = "fixed" if link.type != "dynamic" else "floating"
                name = self._joint_names.take(f"{base}_to_{link.name}")
                element = self._new_joint(name, kind, base, link.name)
                _add_origin(element, link.pose)
        for at, joint in self._tree.joints.items():
            self._joint(at, joint)
        for joint in self._tree.loops:
            why = "has a tree of links, and it closes a loop, which is open in the output"
            self._teller.leave_out(joint.origin, f'the joint "{joint.name}"', why)
        if robot.gravity != EARTH:
            self._teller.leave_out("/extensions", "the gravity of the file", "has no place for it")
        ElementTree.indent(self._root)
        declared = b'<?xml version="1.0"?>\n'
        return declared + ElementTree.tostring(self._root, encoding="utf-8") + b"\n"

    def _base(self) -> str | None:
        """The name of the link that all roots hang on; None where the only root needs none."""
        roots = [self._robot.links[at] for at in self._tree.roots]
        still = [link for link in roots if link.type != "dynamic" and is_still(link.pose)]
        if len(roots) == 1 and (still or is_still(roots[0].pose)):
            return None
        if still:
            return still[0].name
        links = self._robot.links
        frames = [name for link in links for name, _pose, _joint in link.frames]
        base = Names([*(link.name for link in links), *frames]).take(WORLD)
        ElementTree.SubElement(self._root, "link", name=base)
        return base

    def _shift(self, at: int) -> Pose:
        return self._shifts.get(at, Pose())

    def _link(self, at: int) -> None:
        link = self._robot.links[at]
        element = ElementTree.SubElement(self._root, "link", name=link.name)
        back = self._shift(at).inverse()
        if link.type == "kinematic":
            body = f'the kinematic body "{link.name}"'
            self._teller.approximate(link.origin, body, "a static link")
        if link.gravity_factor != 1.0:
            told = f'the gravity factor of "{link.name}"'
            self._teller.leave_out(link.origin, told, "lets all links fall alike")
        if link.mass is not None:
            inertial = ElementTree.SubElement(element, "inertial")
            _add_origin(inertial, back @ Pose(link.center))
            ElementTree.SubElement(inertial, "mass", value=words(link.mass))
            tensor = np.zeros((3, 3)) if link.tensor is None else link.tensor
            tensor = np.where(np.abs(tensor) > 1e-12 * np.abs(tensor).max(), tensor, 0.0)
            names = {"ixx": 0, "ixy": 1, "ixz": 2, "iyy": 4, "iyz": 5, "izz": 8}
            values = {name: words(tensor.flat[k]) for name, k in names.items()}
            ElementTree.SubElement(inertial, "inertia", values)
        for part in link.parts:
            for each in self._said(part, link):
                self._part(element, each, back)
        for name, pose, joint in link.frames:
            ElementTree.SubElement(self._root, "link", name=name)
            fixed = self._new_joint(self._joint_names.take(joint), "fixed", link.name, name)
            _add_origin(fixed, back @ pose)

    def _said(self, part: Part, link: Link) -> Iterable[Part]:
        """A part in shapes that URDF has."""
        self._tell_surface(part, link)
        form = part.form
        if isinstance(form, Plane):
            yield self._teller.plane_as_box(part, link.origin)
        elif is_tapered(form):
            yield self._teller.tapered_as_hull(part, link.origin)
        elif isinstance(form, Capsule):
            capsule = f'the capsule "{part.name}"'
            self._teller.approximate(link.origin, capsule, "a cylinder and two spheres")
            radius = form.radius_top
            side = Cylinder(height=form.height, radius_bottom=radius, radius_top=radius)
            yield replace(part, form=side)
            ball = Sphere(radius=radius)
            for word, share in (("bottom", -0.5), ("top", 0.5)):
                end = part.pose @ Pose(np.array([0.0, 0.0, share * form.height]))
                yield replace(part, name=f"{part.name}_{word}", form=ball, pose=end)
        else:
            yield part

    def _tell_surface(self, part: Part, link: Link) -> None:
        for what, found in (("physics material", part.material), ("filter", part.filter)):
            if found is not None and self._teller.is_new(found):
                name = f' "{found.name}"' if found.name else ""
                why = "has no place for it"
                self._teller.leave_out(link.origin, f'the {what}{name} of "{part.name}"', why)

    def _part(self, element: ElementTree.Element, part: Part, back: Pose) -> None:
        tag = "visual" if part.is_visual else "collision"
        owner = ElementTree.SubElement(element, tag, name=part.name)
        _add_origin(owner, back @ part.pose)
        geometry = ElementTree.SubElement(owner, "geometry")
        form = part.form
        if isinstance(form, Box):
            ElementTree.SubElement(geometry, "box", size=words(*form.size))
        elif isinstance(form, Sphere):
            ElementTree.SubElement(geometry, "sphere", radius=words(form.radius))
        elif isinstance(form, Cylinder):
            sizes = {"radius": words(form.radius_top), "length": words(form.height)}
            ElementTree.SubElement(geometry, "cylinder", sizes)
        elif isinstance(form, Mesh):
            ElementTree.SubElement(geometry, "mesh", filename=self._mesh(part.name, form))
        if part.color is not None:
            name = "color_" + "".join(f"{round(255 * value):02x}" for value in part.color)
            material = ElementTree.SubElement(owner, "material", name=name)
            ElementTree.SubElement(material, "color", rgba=words(*part.color))

    def _mesh(self, name: str, form: Mesh) -> str:
        """The name of the file of a mesh."""
        key = form.corners.tobytes(), form.triangles.tobytes()
        if key not in self._mesh_names:
            stem = _PLAIN.sub("_", name)[:80] or "mesh"
            found = f"{self._folder}/{self._stems.take(stem)}.obj"
            self.files[found] = obj_of(form.corners, form.triangles)
            self._mesh_names[key] = found
        return self._mesh_names[key]

    def _kind(self, joint: RobotJoint) -> str:
        """The type that URDF has for a joint; floating where it has none."""
        free = turns.freedom(joint.settings)
        if free is None or free.whole_turn is not None:
            return "floating"
        counts = len(free.slides), len(free.turns)
        if counts == (0, 1):
            (ends,) = free.turns.values()
            return "continuous" if ends == (None, None) else "revolute"
        if counts == (2, 1) and _is_planar(free):
            return "planar"
        return {(0, 0): "fixed", (1, 0): "prismatic"}.get(counts, "floating")

    def _new_joint(self, name: str, kind: str, parent: str, child: str) -> ElementTree.Element:
        element = ElementTree.SubElement(self._root, "joint", name=name, type=kind)
        ElementTree.SubElement(element, "parent", link=parent)
        ElementTree.SubElement(element, "child", link=child)
        return element

    def _joint(self, at: int, joint: RobotJoint) -> None:
        parent, kind = self._robot.links[joint.parent], self._kind(joint)
        link = self._robot.links[at]
        element = self._new_joint(joint.name, kind, parent.name, link.name)
        inner = joint.frame @ joint.child_frame.inverse() @ self._shift(at)
        _add_origin(element, self._shift(joint.parent).inverse() @ inner)
        free = turns.freedom(joint.settings)
        if kind == "floating" or free is None:
            why = "has no such kind, so its link moves freely"
            self._teller.leave_out(joint.origin, f'the joint "{joint.name}"', why)
            return
        self._tell_start(joint, parent, link)
        if kind != "fixed":
            axis = next(iter(free.turns or free.slides))
            ElementTree.SubElement(
                element, "axis", xyz=words(*without_noise(joint.child_frame.rotation[:, axis]))
            )
        self._limit(element, joint, kind, free)
        self._dynamics(element, joint, kind)
        for tag, values in joint.kept.items():
            if tag not in ("limit", "dynamics"):
                ElementTree.SubElement(element, tag, dict(values))

    def _tell_start(self, joint: RobotJoint, parent: Link, child: Link) -> None:
        """Tell of a joint that is not at its zero at the start."""
        away = float(np.abs(start_of(joint, parent, child)).max())
        if away > STILL:
            why = "has joints that start at zero"
            self._teller.leave_out(
                joint.origin,
                f'the start of the joint "{joint.name}", {away:.3g} m or rad from its zero,',
                why,
            )

    def _limit(
        self, element: ElementTree.Element, joint: RobotJoint, kind: str, free: Freedom
    ) -> None:
        kept = dict(joint.kept.get("limit", {}))
        if kind in ("revolute", "prismatic"):
            ((low, high),) = (free.turns if kind == "revolute" else free.slides).values()
            if low is None or high is None:
                end = f'the open end of "{joint.name}"'
                self._teller.approximate(joint.origin, end, f"{_FAR:g}")
            ends = (-_FAR if low is None else low, _FAR if high is None else high)
            kept |= {"lower": words(ends[0]), "upper": words(ends[1])}
            kept = {"effort": words(_STRONG), "velocity": words(_STRONG)} | kept
        if kept:
            ElementTree.SubElement(element, "limit", kept)

    def _dynamics(self, element: ElementTree.Element, joint: RobotJoint, kind: str) -> None:
        found: dict[str, str] = dict(joint.kept.get("dynamics", {}))
        for drive in joint.settings.drives:
            if is_damper(drive) and kind in ("revolute", "continuous", "prismatic"):
                found["damping"] = words(drive.damping)
            else:
                why = "has no motors or springs"
                self._teller.leave_out(joint.origin, f'a drive of "{joint.name}"', why)
        if found:
            ElementTree.SubElement(element, "dynamics", found)


def is_damper(drive: JointDrive) -> bool:
    """Whether a drive only slows a joint down."""
    return (
        drive.mode == "force"
        and not drive.stiffness
        and drive.max_force is None
        and not drive.velocity_target
    )


def _is_planar(free: Freedom) -> bool:
    """Whether a joint slides across the axis that it turns about, without ends."""
    (axis,) = free.turns
    ends = {*free.turns.values(), *free.slides.values()}
    return axis not in free.slides and ends == {(None, None)}


def _add_origin(owner: ElementTree.Element, pose: Pose) -> None:
    """Say where something is, unless it is at the origin."""
    place, angles = (
        without_noise(pose.place),
        without_noise(np.array(turns.angles_of(pose.rotation))),
    )
    if place.any() or angles.any():
        found = {"xyz": words(*place), "rpy": words(*angles)}
        ElementTree.SubElement(owner, "origin", found)
