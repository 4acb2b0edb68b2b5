"""Writes MJCF, with its meshes in the text.

Source: MuJoCo's XML reference, 3.0 and later.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final
from xml.etree import ElementTree
from xml.etree.ElementTree import SubElement

import numpy as np

from ..geometry.arrays import Array
from ..geometry.rotations import quaternions
from ..issue_codes import Code
from ..issues import Issues
from ..model.bodies import CollisionFilter, PhysicsMaterial
from ..model.filters import meets
from ..model.joints import JointDrive
from ..model.shapes import Box, Capsule, Plane, Sphere
from ..simulation.world import Mesh
from . import turns
from .robots import EARTH, WORLD, Link, Names, Part, Pose, Robot, RobotJoint, tree_of
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

_MOST_FILTERS: Final = 31  # Bits of a contype.
_EQUAL: Final = 1e-9  # By which one moment may be larger than the others allow.


def write(robot: Robot, _output: Path, issues: Issues) -> tuple[bytes, Files]:
    """The MJCF of a robot; no files are beside it."""
    return _Writer(robot, issues).text(), {}


class _Writer:
    """Writes one file."""

    def __init__(self, robot: Robot, issues: Issues) -> None:
        self._robot, self._issues, self._teller = robot, issues, Teller("MJCF", issues)
        self._root = ElementTree.Element("mujoco", model=robot.name)
        self._compiler = SubElement(self._root, "compiler", angle="radian", autolimits="true")
        if robot.gravity != EARTH:
            SubElement(self._root, "option", gravity=words(*robot.gravity))
        self._assets = SubElement(self._root, "asset")
        self._bodies = SubElement(self._root, "worldbody")
        self._contacts = SubElement(self._root, "contact")
        self._equalities = SubElement(self._root, "equality")
        self._actuators = SubElement(self._root, "actuator")
        self._names: dict[str, Names] = {"body": Names([WORLD])}
        self._body_names = [
            WORLD if _is_world(link) else self._unique("body", link.name) for link in robot.links
        ]
        self._mesh_names: dict[tuple[bytes, bytes], str] = {}
        self._masks = self._make_masks()

    def text(self) -> bytes:
        """All of it."""
        robot, said = self._robot, list[RobotJoint]()
        for joint in robot.joints:
            free = turns.freedom(joint.settings)
            if free is None or (free.turns and free.slides and len(free.turns) == 3):
                why = "has no soft limits, distances or cones; its link moves freely"
                self._teller.leave_out(joint.origin, f'the joint "{joint.name}"', why)
            else:
                said.append(joint)
        tree = tree_of(replace(robot, joints=said))
        elements: dict[int, ElementTree.Element] = {}
        for at in tree.roots:
            elements[at] = self._root_body(at)
        for at, joint in tree.joints.items():
            above = robot.links[joint.parent]
            pose = above.pose.inverse() @ robot.links[at].pose
            elements[at] = self._body(elements[joint.parent], at, pose)
            self._joint(elements[at], at, joint)
            self._fill(elements[at], at)
        for joint in tree.loops:
            self._loop(joint)
        for owner in (self._assets, self._contacts, self._equalities, self._actuators):
            if not len(owner):
                self._root.remove(owner)
        ElementTree.indent(self._root)
        return ElementTree.tostring(self._root, encoding="utf-8") + b"\n"

    def _unique(self, kind: str, name: str) -> str:
        """A name that nothing of a kind has, as MuJoCo demands."""
        return self._names.setdefault(kind, Names()).take(name)

    def _root_body(self, at: int) -> ElementTree.Element:
        link = self._robot.links[at]
        if _is_world(link):
            self._fill(self._bodies, at)
            return self._bodies
        element = self._body(self._bodies, at, link.pose)
        if link.type == "kinematic":
            element.set("mocap", "true")
        elif link.type == "dynamic":
            SubElement(element, "freejoint", name=self._unique("joint", f"{link.name}_free"))
        self._fill(element, at)
        return element

    def _body(self, above: ElementTree.Element, at: int, pose: Pose) -> ElementTree.Element:
        link = self._robot.links[at]
        element = SubElement(above, "body", {"name": self._body_names[at], **_placed(pose)})
        if link.gravity_factor != 1.0:
            element.set("gravcomp", words(1.0 - link.gravity_factor))
        return element

    def _fill(self, element: ElementTree.Element, at: int) -> None:
        """Add the mass, colliders and visuals of a link."""
        link = self._robot.links[at]
        if link.mass is not None and link.type == "dynamic":
            tensor = np.zeros((3, 3)) if link.tensor is None else link.tensor
            moments = np.linalg.eigvalsh(tensor)
            if moments[2] > (moments[0] + moments[1]) * (1.0 + _EQUAL):
                self._compiler.set("balanceinertia", "true")
                why = f'"{link.name}" is written with equal moments, because MuJoCo refuses its own'
                self._issues.add(Code.MOMENT_TOO_LARGE, link.origin, why)
            order = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
            numbers = without_noise(np.array([tensor[k] for k in order]))
            inertial = {"pos": words(*without_noise(link.center)), "mass": words(link.mass)}
            element.insert(
                0, ElementTree.Element("inertial", inertial, fullinertia=words(*numbers))
            )
        for part in link.parts:
            self._part(element, part, link)
        for name, pose, _joint in link.frames:
            SubElement(element, "body", {"name": self._unique("body", name), **_placed(pose)})

    def _part(self, element: ElementTree.Element, part: Part, link: Link) -> None:
        form, pose = part.form, part.pose
        if is_tapered(form):
            form = self._teller.tapered_as_hull(part, link.origin).form
        if isinstance(form, Mesh) and not (form.is_convex or part.is_visual):
            self._teller.approximate(link.origin, f'the trimesh "{part.name}"', "its convex hull")
        if isinstance(form, Plane) and link.type != "static":
            box = self._teller.plane_as_box(part, link.origin)
            form, pose = box.form, box.pose
        found = {"name": self._unique("geom", part.name)}
        if isinstance(form, Box):
            found |= {"type": "box", "size": words(*(size / 2.0 for size in form.size))}
        elif isinstance(form, Sphere):
            found |= {"type": "sphere", "size": words(form.radius)}
        elif isinstance(form, Plane):
            sizes = ((form.size_x or 0.0) / 2.0, (form.size_z or 0.0) / 2.0, 1.0)
            found |= {"type": "plane", "size": words(*sizes)}
        elif isinstance(form, Mesh):
            found |= {"type": "mesh", "mesh": self._mesh(part.name, form)}
        else:
            kind = "capsule" if isinstance(form, Capsule) else "cylinder"
            found |= {"type": kind, "size": words(form.radius_top, form.height / 2.0)}
        found |= _placed(pose)
        if part.is_visual:
            found |= {"contype": "0", "conaffinity": "0", "group": "2"}
        else:
            found |= self._surface(part, link)
        if part.color is not None:
            found["rgba"] = words(*part.color)
        SubElement(element, "geom", found)

    def _mesh(self, name: str, form: Mesh) -> str:
        key = form.corners.tobytes(), form.triangles.tobytes()
        if key not in self._mesh_names:
            found = self._mesh_names[key] = self._unique("mesh", name)
            SubElement(
                self._assets,
                "mesh",
                name=found,
                inertia="convex" if form.is_convex else "shell",
                vertex=" ".join(f"{v:.9g}" for v in form.corners.astype(np.float32).ravel()),
                face=" ".join(map(str, form.triangles.ravel().tolist())),
            )
        return self._mesh_names[key]

    def _surface(self, part: Part, link: Link) -> dict[str, str]:
        """Friction and collision masks of a collider."""
        found: dict[str, str] = {}
        material = part.material
        if material is not None:
            found["friction"] = words(material.dynamic_friction)
            if self._teller.is_new(material):
                self._tell_surface(material, part.name, link)
        mask = self._masks.get(part.filter)
        if mask is not None:
            found |= {"contype": str(mask[0]), "conaffinity": str(mask[1])}
        return found

    def _tell_surface(self, material: PhysicsMaterial, part: str, link: Link) -> None:
        lost = {
            "restitution": material.restitution > 0.0,
            "static friction": material.static_friction != material.dynamic_friction,
            "combine mode": material.friction_combine != "maximum",
        }
        for what, is_lost in lost.items():
            if is_lost:
                name = f' "{material.name}"' if material.name else ""
                why = "has no place for it"
                self._teller.leave_out(
                    link.origin, f'the {what} of the physics material{name} of "{part}"', why
                )

    def _make_masks(self) -> dict[CollisionFilter | None, tuple[int, int]]:
        """By filter, the contype and conaffinity that say it; empty where all meet all."""
        parts = [part for link in self._robot.links for part in link.parts if not part.is_visual]
        kinds = list(dict.fromkeys(part.filter for part in parts))
        met = {one: [meets(one, other) for other in kinds] for one in kinds}
        if all(map(all, met.values())):
            return {}
        if len(kinds) > _MOST_FILTERS:
            self._teller.leave_out("/extensions", "all filters", f"has {_MOST_FILTERS} at most")
            return {}
        return {
            kind: (1 << at, sum(1 << k for k, hits in enumerate(met[kind]) if hits))
            for at, kind in enumerate(kinds)
        }

    def _joint(self, element: ElementTree.Element, at: int, joint: RobotJoint) -> None:
        robot = self._robot
        parent, child = robot.links[joint.parent], robot.links[at]
        free = turns.freedom(joint.settings) or Freedom({}, {})
        self._contact(joint, parent)
        start = start_of(joint, parent, child)
        is_ball = len(free.turns) == 3
        made: dict[tuple[str, int], ElementTree.Element] = {}
        number = 0
        place = words(*without_noise(joint.child_frame.place))
        for kind, ranges in (("linear", free.slides), ("angular", {} if is_ball else free.turns)):
            for axis, (low, high) in ranges.items():
                number += 1
                name = joint.name if number == 1 else f"{joint.name}_{number}"
                way = without_noise(joint.child_frame.rotation[:, axis])
                found = {"name": self._unique("joint", name), "axis": words(*way), "pos": place}
                found["type"] = "slide" if kind == "linear" else "hinge"
                far = 1e6  # MuJoCo has no range with one end.
                if (low, high) != (None, None):
                    ends_of = (-far if low is None else low, far if high is None else high)
                    found["range"] = words(*ends_of)
                begin = float(start[axis + (3 if kind == "angular" else 0)])
                if abs(begin) > STILL:
                    found["ref"] = words(begin)
                made[kind, axis] = SubElement(element, "joint", found)
        if is_ball:
            found = {"name": self._unique("joint", joint.name), "type": "ball", "pos": place}
            if free.whole_turn is not None:
                found["range"] = words(0.0, free.whole_turn)
            made["angular", 0] = SubElement(element, "joint", found)
        for each in made.values():
            for tag, word, name in (
                ("dynamics", "friction", "frictionloss"),
                ("mjcf", "armature", "armature"),
            ):
                if word in joint.kept.get(tag, {}):
                    each.set(name, words(float(joint.kept[tag][word])))
        self._tell_kept(joint)
        self._drive(joint, made, is_ball=is_ball)

    def _tell_kept(self, joint: RobotJoint) -> None:
        for tag, found in joint.kept.items():
            lost = [tag] if tag in ("mimic", "calibration", "safety_controller") else []
            lost += [word for word in found if tag == "limit"]
            for word in lost:
                what = f'the {word.replace("_", " ")} of the joint "{joint.name}"'
                self._teller.leave_out(joint.origin, what, "has no place for it")

    def _contact(self, joint: RobotJoint, parent: Link) -> None:
        """Say whether two links that a joint connects collide."""
        is_near = parent.type == "dynamic"
        if not is_near and not joint.enable_collision:
            SubElement(self._contacts, "exclude", self._ends(joint))
        elif is_near and joint.enable_collision:
            what = f'the collision between the ends of "{joint.name}"'
            self._teller.leave_out(joint.origin, what, "has no place for it")

    def _ends(self, joint: RobotJoint) -> dict[str, str]:
        """The attributes that name the bodies of a joint."""
        return {"body1": self._body_names[joint.parent], "body2": self._body_names[joint.child]}

    def _drive(
        self, joint: RobotJoint, made: dict[tuple[str, int], ElementTree.Element], *, is_ball: bool
    ) -> None:
        drives = list(joint.settings.drives)
        if is_ball and drives and all(_as_seen(d) == _as_seen(drives[0]) for d in drives):
            drives = drives[:1] if len(drives) == 3 else drives
        for drive in drives:
            element = made.get((drive.type, drive.axis))
            is_plain = drive.max_force is None and not drive.velocity_target
            if element is None or drive.mode != "force" or (is_ball and not is_plain):
                what = f'a drive of the joint "{joint.name}"'
                self._teller.leave_out(joint.origin, what, "has no actuator for it")
            elif is_plain and "damping" not in element.attrib and "stiffness" not in element.attrib:
                if drive.stiffness:
                    element.set("stiffness", words(drive.stiffness))
                    element.set("springref", words(drive.position_target or 0.0))
                if drive.damping:
                    element.set("damping", words(drive.damping))
            else:
                self._actuator(element, drive)

    def _actuator(self, element: ElementTree.Element, drive: JointDrive) -> None:
        """A drive as an actuator that pushes without a control signal."""
        base = drive.stiffness * (drive.position_target or 0.0)
        base += drive.damping * (drive.velocity_target or 0.0)
        joint = element.attrib["name"]
        found = {
            "name": self._unique("actuator", f"{joint}_drive"),
            "joint": joint,
            "biastype": "affine",
            "gainprm": "0",
            "biasprm": words(base, -drive.stiffness, -drive.damping),
        }
        if drive.max_force is not None:
            found["forcerange"] = words(-drive.max_force, drive.max_force)
        SubElement(self._actuators, "general", found)

    def _loop(self, joint: RobotJoint) -> None:
        """A joint that closes a loop, as constraints."""
        free = turns.freedom(joint.settings) or Freedom({}, {})
        names = self._ends(joint)
        if not joint.enable_collision:
            SubElement(self._contacts, "exclude", names)
        place, turn = joint.frame.place, joint.frame.rotation
        name = self._unique("equality", joint.name)
        if not free.slides and not free.turns:
            inner = joint.frame @ joint.child_frame.inverse()
            pose = [*inner.place, *_w_first(inner.rotation)]
            SubElement(
                self._equalities,
                "weld",
                names,
                name=name,
                relpose=words(*without_noise(np.array(pose))),
            )
            return
        if free.slides or len(free.turns) not in (1, 3):
            why = "has no constraint for the loop that it closes, which is open in the output"
            self._teller.leave_out(joint.origin, f'the joint "{joint.name}"', why)
            return
        points = [place]
        if len(free.turns) == 1:  # A second point on its axis holds the other two turns.
            ((axis, ends),) = free.turns.items()
            points.append(place + turn[:, axis])
            if ends != (None, None) or joint.settings.drives:
                what = f'the range or drive of the joint "{joint.name}"'
                why = "closes loops by constraints without them"
                self._teller.leave_out(joint.origin, what, why)
        for k, point in enumerate(points):
            own = name if not k else self._unique("equality", f"{joint.name}_axis")
            SubElement(
                self._equalities, "connect", names, name=own, anchor=words(*without_noise(point))
            )


def _is_world(link: Link) -> bool:
    """Whether a link is what MuJoCo calls the world."""
    return link.name == WORLD and link.type != "dynamic" and is_still(link.pose)


def _as_seen(drive: JointDrive) -> JointDrive:
    return replace(drive, axis=turns.AXES[0])


def _placed(pose: Pose) -> dict[str, str]:
    """The attributes that place something, unless it is at the origin."""
    found: dict[str, str] = {}
    place, turn = without_noise(pose.place), without_noise(np.array(_w_first(pose.rotation)))
    if place.any():
        found["pos"] = words(*place)
    if turn[1:].any():
        found["quat"] = words(*turn)
    return found


def _w_first(rotation: Array) -> Sequence[float]:
    return np.roll(quaternions(rotation[None])[0], 1).tolist()
