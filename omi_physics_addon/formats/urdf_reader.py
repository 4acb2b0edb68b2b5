"""Reads URDF, by Python's own XML parser, so that Blender can do it as well.

Source: http://wiki.ros.org/urdf/XML (links, joints, models).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from ..geometry.arrays import Array
from ..issue_codes import Code
from ..issues import Issues
from ..model.fields import AxisIndex
from ..model.joints import JointDrive
from ..model.shapes import Box, Capsule, Cylinder, Sphere
from ..simulation.world import Form, Mesh
from . import turns, xml_source
from .mesh_files import MeshFileError, MeshFiles, checked
from .robots import Kept, Link, Part, Pose, Robot, RobotJoint, clamped
from .turns import Ranges
from .xml_source import Element

KINDS: Final = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")
# What links and joints may have, beside what simulation reads.
_LINK_PARTS: Final = frozenset(("inertial", "visual", "collision"))
_JOINT_PARTS: Final = frozenset(("origin", "parent", "child", "axis", "limit", "dynamics"))
_IN_ROBOT: Final = frozenset(("link", "joint", "material"))
# Joint elements that are kept whole, and the attributes of others that are.
_KEPT_WHOLE: Final = ("mimic", "calibration", "safety_controller")
_KEPT: Final = {"limit": ("effort", "velocity"), "dynamics": ("friction",)}
_EQUAL: Final = 1e-6  # By which one moment may be larger than the others allow, as files round.

_WHY_KEPT: Final = {
    "mimic": "the joint does not follow the other one",
    "calibration": "simulation has no use for it",
    "safety_controller": "its soft limits are not simulated",
    "effort": "it limits a controller, which the file does not have",
    "velocity": "the joint may be faster",
    "friction": "the joint has no dry friction",
}


def read(path: Path, issues: Issues, *, allow_outside: bool = False) -> Robot:
    """The robot in a file.

    Raises:
        FormatError: the file cannot be read, or its links are no tree.
    """
    root = xml_source.read(path)
    return _Reader(root, issues, MeshFiles(path, allow_outside=allow_outside)).robot()


class _Reader:
    """Reads one file."""

    def __init__(self, root: Element, issues: Issues, meshes: MeshFiles) -> None:
        self._root, self._issues, self._meshes = root, issues, meshes
        self._colors: dict[str, tuple[float, ...]] = {}
        self._links: dict[str, Element] = {}
        self._above: dict[str, Element] = {}  # The joint that a link hangs on.
        self._robot = Robot(root.attributes.get("name", "") or "robot")
        # Where each link's own frame is, and the link whose body it belongs to.
        self._bodies: dict[str, tuple[int, Pose]] = {}

    def robot(self) -> Robot:
        if self._root.tag != "robot":
            raise self._root.error(f"the root element is <{self._root.tag}>, and URDF has <robot>")
        for element in self._root.all("material"):
            self._color(element)
        self._links = _named(self._root.all("link"))
        joints = _named(self._root.all("joint"))
        if not self._links:
            raise self._root.error("the robot has no links")
        for element in joints.values():
            self._hang(element)
        for element in self._in_order():
            self._place(element)
        self._tell_unread(self._root, _IN_ROBOT)
        return self._robot

    def _hang(self, joint: Element) -> None:
        """Note which link hangs on which."""
        kind = joint.word("type")
        if kind not in KINDS:
            raise joint.error(f'the joint type "{kind}" is not one of {", ".join(KINDS)}')
        for role in ("parent", "child"):
            name = _end(joint, role)
            if name not in self._links:
                raise joint.error(f'the {role} link "{name}" is missing')
        child = _end(joint, "child")
        if child in self._above:
            first = self._above[child].attributes["name"]
            raise joint.error(
                f'the link "{child}" has two parents, by the joints "{first}" and '
                f'"{joint.attributes["name"]}"; remove one of them'
            )
        self._above[child] = joint

    def _in_order(self) -> Iterator[Element]:
        """The links, those above first."""
        roots = [name for name in self._links if name not in self._above]
        below: dict[str, list[str]] = {}
        for name, joint in self._above.items():
            below.setdefault(_end(joint, "parent"), []).append(name)
        found = list(roots)
        for name in found:
            found += below.get(name, [])
        if len(found) < len(self._links):
            known = set(found)
            lost = [name for name in self._links if name not in known]
            first = self._above[lost[0]]
            names = ", ".join(f'"{name}"' for name in lost[:5])
            raise first.error(f"the links {names} hang on each other in a circle; remove a joint")
        if len(roots) > 1:
            second = self._links[roots[1]]
            raise second.error(
                f'"{roots[0]}" and "{roots[1]}" have no parent, and URDF has one root; '
                "connect them by a joint"
            )
        return (self._links[name] for name in found)

    def _place(self, element: Element) -> None:
        """Make a link, or add it to the one that it is fixed to without a mass of its own."""
        name = element.attributes["name"]
        joint = self._above.get(name)
        parent, inner = (-1, Pose())
        if joint is not None:
            parent, own = self._bodies[_end(joint, "parent")]
            inner = own @ _origin(joint)
        link = Link(name, Pose(), element.origin)
        self._weigh(element, link)
        if joint is not None and joint.attributes["type"] == "fixed" and link.mass is None:
            self._bodies[name] = (parent, inner)
            self._robot.links[parent].frames.append((name, inner, joint.attributes["name"]))
            self._add_parts(element, self._robot.links[parent], inner)
            self._keep(joint)
            return
        at = len(self._robot.links)
        self._bodies[name] = (at, Pose())
        self._robot.links.append(link)
        self._add_parts(element, link, Pose())
        if joint is None:
            link.type = "static" if link.mass is None else "dynamic"
            return
        link.pose = self._robot.links[parent].pose @ inner
        self._join(joint, parent, at, inner)
        if link.mass is None:
            why = (
                f'the link "{name}" moves and has no mass, so each engine assumes another one; '
                "add an inertial element"
            )
            self._issues.add(Code.LINK_WITHOUT_MASS, element.origin, why)

    def _weigh(self, element: Element, link: Link) -> None:
        inertial = element.first("inertial")
        mass = None if inertial is None else inertial.first("mass")
        if inertial is None or mass is None:
            return
        value = mass.number("value")
        if value < 0.0:
            why = f'the mass of the link "{link.name}" is {value:g} kg, so none is set'
            self._issues.add(Code.MASS_NEGATIVE, mass.origin, why)
        if value <= 0.0:
            return
        frame = _origin(inertial)
        link.mass, link.center = value, frame.place
        tensor = inertial.first("inertia")
        if tensor is None:
            return
        words = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
        xx, yy, zz, xy, xz, yz = (tensor.number(word, 0.0) for word in words)
        found = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        if self._is_possible(found, tensor, link.name):
            link.tensor = frame.rotation @ found @ frame.rotation.T

    def _is_possible(self, found: Array, tensor: Element, name: str) -> bool:
        """Whether something can have an inertia; tells of one that nothing can have."""
        moments = np.linalg.eigvalsh(found)
        if moments[0] <= 0.0:
            what = "zero" if not found.any() else f"impossible, with a moment of {moments[0]:g}"
            why = (
                f'the inertia of the link "{name}" is {what}, so it is computed from the '
                "colliders; write positive moments"
            )
            self._issues.add(Code.LINK_WITHOUT_MASS, tensor.origin, why)
            return False
        if moments[2] > (moments[0] + moments[1]) * (1.0 + _EQUAL):
            why = (
                f'a moment of inertia of the link "{name}" is larger than the sum of the others, '
                "so no solid has it; correct the inertia"
            )
            self._issues.add(Code.MOMENT_TOO_LARGE, tensor.origin, why)
        return True

    def _add_parts(self, element: Element, link: Link, inner: Pose) -> None:
        """Add the colliders and visuals of a link to its body."""
        name = element.attributes["name"]
        for tag in ("collision", "visual"):
            found = list(element.all(tag))
            for number, each in enumerate(found, 1):
                suffix = f"_{number}" if len(found) > 1 else ""
                part_name = each.attributes.get("name") or f"{name}_{tag}{suffix}"
                form = self._form(each, part_name, is_hull=tag == "collision")
                if form is None:
                    continue
                material = each.first("material")
                color = None if material is None else self._color(material)
                pose = inner @ _origin(each)
                link.parts.append(
                    Part(part_name, form, pose, color=color, is_visual=tag == "visual")
                )
        self._tell_unread(element, _LINK_PARTS)

    def _form(self, element: Element, name: str, *, is_hull: bool) -> Form | None:
        """The geometry of a collider or visual; None where it cannot be read, which is told."""
        geometry = element.first("geometry")
        shapes = [] if geometry is None else geometry.children
        if not shapes:
            raise element.error(f"<{element.tag}> has no geometry")
        shape = shapes[0]
        if shape.tag == "box":
            x, y, z = _positive(shape, "size", shape.numbers("size", 3))
            return Box(size=(x, y, z))
        if shape.tag == "sphere":
            return Sphere(radius=_positive(shape, "radius", shape.numbers("radius", 1))[0])
        if shape.tag in ("cylinder", "capsule"):
            sizes = shape.number("radius"), shape.number("length")
            radius, height = _positive(shape, "radius or length", sizes)
            kind = Cylinder if shape.tag == "cylinder" else Capsule
            return kind(height=height, radius_bottom=radius, radius_top=radius)
        if shape.tag != "mesh":
            raise shape.error(f"the geometry <{shape.tag}> is not known")
        scale = np.array(shape.numbers("scale", 3, (1.0, 1.0, 1.0)))
        try:
            corners, triangles = self._meshes.read(shape.word("filename"))
            corners, triangles = checked(corners * scale, triangles)
        except MeshFileError as problem:
            why = f'"{name}" is left out, because {problem}'
            self._issues.add(Code.MESH_FILE_NOT_READ, shape.origin, why)
            return None
        if np.prod(scale) < 0.0:
            triangles = triangles[:, ::-1]
        return Mesh(corners, triangles, is_convex=is_hull)

    def _color(self, element: Element) -> tuple[float, ...] | None:
        name, color = element.attributes.get("name", ""), element.first("color")
        if element.first("texture") is not None:
            self._leave_out(element, "the texture of a material", "its color is shown")
        if color is None:
            return self._colors.get(name)
        found = clamped(color.numbers("rgba", 4))
        if name:
            self._colors[name] = found
        return found

    def _join(self, joint: Element, parent: int, child: int, frame: Pose) -> None:
        """Make the joint of a link."""
        kind = joint.attributes["type"]
        if kind == "floating":
            self._keep(joint)
            return
        axis = Pose()
        if kind != "fixed":
            element = joint.first("axis")
            direction = (1.0, 0.0, 0.0) if element is None else element.numbers("xyz", 3)
            if not any(direction):
                raise joint.error("the axis of the joint is zero")
            axis = Pose(np.zeros(3), turns.towards(direction))
        slides, turning = _freedom(joint)
        self._robot.joints.append(
            RobotJoint(
                joint.attributes["name"],
                joint.origin,
                parent,
                child,
                frame @ axis,
                axis,
                turns.settings(slides, turning, _damper(joint)),
                kept=self._keep(joint),
            )
        )

    def _keep(self, joint: Element) -> Kept:
        """What glTF has no words for, told."""
        kept: dict[str, Mapping[str, str]] = {}
        for tag in (*_KEPT_WHOLE, *_KEPT):
            element = joint.first(tag)
            if element is None:
                continue
            names: Iterable[str] = _KEPT.get(tag, element.attributes)
            found = {name: element.attributes[name] for name in names if name in element.attributes}
            if tag == "dynamics" and not element.number("friction", 0.0):
                found = {}
            if found or tag in _KEPT_WHOLE:
                kept[tag] = found
        name = joint.attributes["name"]
        for tag, found in kept.items():
            for word in (tag,) if tag in _KEPT_WHOLE else found:
                why = (
                    f'the {word.replace("_", " ")} of the joint "{name}" has no '
                    f"counterpart in glTF, so {_WHY_KEPT[word]}; the value is kept for export"
                )
                self._issues.add(Code.FORMAT_VALUE_KEPT, joint.origin, why)
        self._tell_unread(joint, _JOINT_PARTS | set(_KEPT_WHOLE))
        return kept

    def _tell_unread(self, owner: Element, known: frozenset[str]) -> None:
        """Tell of the elements of a robot, link or joint that have no counterpart."""
        name = owner.attributes.get("name", "")
        of = f' of "{name}"' if owner is not self._root else ""
        for element in owner.children:
            if element.tag not in known:
                what = element.attributes.get("name") or element.attributes.get("reference", "")
                told = f'<{element.tag}> "{what}"{of}' if what else f"<{element.tag}>{of}"
                self._leave_out(element, told, "it has no effect")

    def _leave_out(self, element: Element, what: str, effect: str) -> None:
        why = f"{what} is left out, because glTF's physics has no counterpart, so {effect}"
        self._issues.add(Code.FORMAT_LEAVES_OUT, element.origin, why)


def _named(elements: Iterable[Element]) -> dict[str, Element]:
    """Elements by their names.

    Raises:
        FormatError: one has none, or two have the same.
    """
    found: dict[str, Element] = {}
    for element in elements:
        name = element.word("name")
        if name in found:
            raise element.error(
                f'two {element.tag}s are named "{name}", the other one at {found[name].origin}'
            )
        found[name] = element
    return found


def _end(joint: Element, role: str) -> str:
    element = joint.first(role)
    if element is None:
        raise joint.error(f"the joint has no {role}")
    return element.word("link")


def _origin(owner: Element) -> Pose:
    element = owner.first("origin")
    if element is None:
        return Pose()
    none = (0.0, 0.0, 0.0)
    place = np.array(element.numbers("xyz", 3, none))
    return Pose(place, turns.of_angles(*element.numbers("rpy", 3, none)))


def _positive(shape: Element, name: str, sizes: Sequence[float]) -> tuple[float, ...]:
    if min(sizes) <= 0.0:
        raise shape.error(f"the {name} of <{shape.tag}> is not above zero")
    return tuple(sizes)


def _freedom(joint: Element) -> tuple[Ranges, Ranges]:
    """Along and about which axes a joint moves, and how far; its axis is X."""
    kind, limit = joint.attributes["type"], joint.first("limit")
    if kind == "fixed":
        return {}, {}
    if kind == "planar":
        return {1: (None, None), 2: (None, None)}, {0: (None, None)}
    if kind == "continuous":
        return {}, {0: (None, None)}
    if limit is None:
        raise joint.error(f"the {kind} joint has no <limit>")
    low, high = limit.number("lower", 0.0), limit.number("upper", 0.0)
    if low > high:
        raise limit.error(f"the lower limit {low:g} is above the upper limit {high:g}")
    return ({0: (low, high)}, {}) if kind == "prismatic" else ({}, {0: (low, high)})


def _damper(joint: Element) -> tuple[JointDrive, ...]:
    """The damping of a joint, as the drive that glTF has for it."""
    dynamics, kind = joint.first("dynamics"), joint.attributes["type"]
    damping = 0.0 if dynamics is None else dynamics.number("damping", 0.0)
    if dynamics is not None and damping < 0.0:
        raise dynamics.error(f"the damping {damping:g} is negative")
    if not damping or kind in ("fixed", "planar"):
        return ()
    way = "linear" if kind == "prismatic" else "angular"
    return (JointDrive(type=way, axis=AxisIndex(0), velocity_target=0.0, damping=damping),)
