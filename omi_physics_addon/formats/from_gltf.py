"""Finds the robot in a glTF: its bodies with their colliders and meshes, and the joints between."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..axes import Axes, matrices_to_blender, points_to_blender
from ..codec import dialects
from ..codec.values.json_members import as_list, as_object, member
from ..codec.values.node_tree import Tree
from ..files.junit import clean
from ..files.source import Source
from ..geometry.arrays import Array, Indices
from ..geometry.rotations import nearest_rotation
from ..issue_codes import Code
from ..issues import Issues
from ..model.document import PART_WORDS, NodePhysics, PhysicsDocument
from ..model.gravity import WorldGravity
from ..model.joints import JointDrive, JointLimit, JointSettings
from ..model.shapes import Box
from ..simulation.file_world import world_of
from ..simulation.state import WORLD as NO_BODY
from ..simulation.world import HUGE, Body, Form, Frame, JointFrames, Mesh, World
from .robots import (
    EARTH,
    FRAME,
    KEPT,
    WORLD,
    Kept,
    Link,
    Names,
    Part,
    Pose,
    Robot,
    RobotJoint,
    kept_of,
)

_AXES: Final = Axes()
# Parts of nodes that no format of robots has.
_LEFT_OUT: Final = [part for part in PART_WORDS if part not in ("collider", "joint")]


def robot_of(source: Source, name: str, issues: Issues) -> Robot:
    """The robot in a file of any form of OMI or KHR.

    Args:
        name: of the robot, where no node is above all of its links.

    Raises:
        SourceError: its meshes are too large.
    """
    return _Finder(source, issues).robot(name)


class _Finder:
    """Finds the robot of one file."""

    def __init__(self, source: Source, issues: Issues) -> None:
        self._source, self._issues = source, issues
        file = dialects.gltf_file(source.json)
        self._document: PhysicsDocument = dialects.read(file, issues)
        self._tree = Tree.of(file)
        self._engine: Any = "KHR" if dialects.families(file) == ("KHR",) else "OMI"
        self._world: World = world_of(
            self._document, self._tree, source.triangles, engine=self._engine
        )
        self._nodes = as_list(source.json.get("nodes"))
        self._link_names, self._joint_names = Names(), Names()

    def robot(self, name: str) -> Robot:
        bodies = self._world.bodies
        robot = Robot(self._common_name([body.node for body in bodies]) or clean(name))
        for body in bodies:
            robot.links.append(self._link(body))
        for node, physics in self._document.nodes.items():
            self._tell_left_out(node, physics)
        self._add_visuals(robot)
        self._add_frames(robot)
        for joint in self._world.joints:
            robot.joints.append(self._joint(joint, robot))
        if self._world.gravity is not None:
            robot.gravity = _pull(self._world.gravity)
        return robot

    def _common_name(self, nodes: list[int]) -> str:
        """The name of the node that all bodies are directly below."""
        above = {self._tree.parents.get(node, -1) for node in nodes}
        return self._name(above.pop()) if len(above) == 1 and -1 not in above else ""

    def _name(self, node: int) -> str:
        name = member(self._nodes[node], "name") if node < len(self._nodes) else None
        return clean(name) if isinstance(name, str) and name.strip() else f"node {node}"

    def _link(self, body: Body) -> Link:
        pointer = f"/nodes/{body.node}"
        name = self._link_names.take(self._name(body.node))
        link = Link(name, _pose(body.rotation, body.place), pointer, type=body.type)
        for solid in body.solids:
            link.parts.append(
                Part(
                    self._name(solid.node),
                    _form(solid.form),
                    _pose(solid.rotation, solid.place),
                    solid.material,
                    solid.filter,
                )
            )
        motion = body.motion
        if body.type != "dynamic" or motion is None:
            return link
        if not np.isfinite(body.mass):
            why = f'"{name}" has an infinite mass, so it is written as a static one'
            self._issues.add(Code.FORMAT_APPROXIMATES, pointer, why)
            link.type = "static"
            return link
        if motion.mass is None:
            why = f'"{name}" leaves its mass to the engine; {body.mass:g} kg is written'
            self._issues.add(Code.MASS_ESTIMATED, pointer, why)
        if any(motion.linear_velocity) or any(motion.angular_velocity):
            self._leave_out(body.node, "its velocity at the start", "starts at rest")
        link.mass, link.center = body.mass, points_to_blender(body.center)
        axes = body.principal_axes
        tensor: Array = axes * np.minimum(body.moments, HUGE) @ axes.T
        link.tensor, link.gravity_factor = matrices_to_blender(tensor), body.gravity_factor
        return link

    def _tell_left_out(self, node: int, physics: NodePhysics) -> None:
        for part in _LEFT_OUT:
            if getattr(physics, part) is not None:
                self._leave_out(node, f"its {PART_WORDS[part]}", "has no such part")

    def _leave_out(self, node: int, what: str, effect: str) -> None:
        why = f'"{self._name(node)}" {effect} in the output: {what} is left out'
        why = f"{why}, because the format has none"
        self._issues.add(Code.FORMAT_LEAVES_OUT, f"/nodes/{node}", why)

    def _add_visuals(self, robot: Robot) -> None:
        """Add the meshes of nodes that a body moves."""
        at_node = {body.node: i for i, body in enumerate(self._world.bodies)}
        for node in range(len(self._nodes)):
            mesh = self._tree.meshes[node]
            owner = next((i for i in self._tree.upward(node) if i in at_node), None)
            found = None if mesh < 0 or owner is None else self._source.triangles(mesh)
            if found is None or owner is None or not len(found[1]):
                continue
            body = self._world.bodies[at_node[owner]]
            matrix = np.array(self._tree.world(node)).reshape(4, 4).T
            linear = body.rotation.T @ matrix[:3, :3]
            pose, corners, triangles = _unscaled(linear, found[0], found[1])
            place = body.rotation.T @ (matrix[:3, 3] - body.place)
            robot.links[at_node[owner]].parts.append(
                Part(
                    self._name(node),
                    Mesh(points_to_blender(corners), triangles, is_convex=False),
                    _pose(pose, place),
                    color=self._color(mesh),
                    is_visual=True,
                )
            )

    def _add_frames(self, robot: Robot) -> None:
        """Add the links without mass that a body once had."""
        at_node = {body.node: i for i, body in enumerate(self._world.bodies)}
        for node in range(len(self._nodes)):
            owner = self._tree.parents.get(node, -1)
            kept = self._kept(node).get(FRAME)
            if kept is None or owner not in at_node:
                continue
            name = self._link_names.take(self._name(node))
            body = self._world.bodies[at_node[owner]]
            matrix = np.array(self._tree.world(node)).reshape(4, 4).T
            inner = _pose(
                nearest_rotation(body.rotation.T @ matrix[:3, :3]),
                body.rotation.T @ (matrix[:3, 3] - body.place),
            )
            robot.links[at_node[owner]].frames.append((name, inner, kept.get("joint") or name))

    def _color(self, mesh: int) -> tuple[float, ...] | None:
        meshes, materials = (as_list(self._source.json.get(k)) for k in ("meshes", "materials"))
        first = next(iter(as_list(member(meshes[mesh], "primitives"))), None)
        index = member(first, "material")
        if not isinstance(index, int) or not 0 <= index < len(materials):
            return None
        surface = as_object(member(materials[index], "pbrMetallicRoughness"))
        color = as_list(surface.get("baseColorFactor", [1.0, 1.0, 1.0, 1.0]))
        is_color = len(color) == 4 and all(
            isinstance(part, (int, float)) and 0.0 <= part <= 1.0 for part in color
        )
        return tuple(map(float, color)) if is_color else None

    def _joint(self, joint: JointFrames, robot: Robot) -> RobotJoint:
        name = self._joint_names.take(self._name(joint.node))
        first, second = (self._end(frame, robot) for frame in (joint.first, joint.second))
        per_axis = self._engine == "OMI"
        limits: tuple[JointLimit, ...] = tuple(
            each
            for limit in joint.limits
            for each in _AXES.limit_to_blender(limit, per_axis=per_axis)
        )
        drives: tuple[JointDrive, ...] = tuple(map(_AXES.drive_to_blender, joint.drives))
        return RobotJoint(
            name,
            f"/nodes/{joint.node}",
            first[0],
            second[0],
            first[1],
            second[1],
            JointSettings(limits=limits, drives=drives),
            joint.enable_collision,
            self._kept(joint.node),
        ).turned()

    def _end(self, frame: Frame, robot: Robot) -> tuple[int, Pose]:
        """The link and the frame of one end; the world is a link as well."""
        pose = _pose(frame.axes, frame.place)
        if frame.body != NO_BODY:
            return frame.body, pose
        if len(robot.links) == len(self._world.bodies):
            name = self._link_names.take(WORLD)
            robot.links.append(Link(name, Pose(), "/nodes", type="static"))
        return len(robot.links) - 1, pose

    def _kept(self, node: int) -> Kept:
        return kept_of(member(member(self._nodes[node], "extras"), KEPT))


def _pose(rotation: Array, place: Array) -> Pose:
    return Pose(points_to_blender(place), matrices_to_blender(rotation))


def _form(form: Form) -> Form:
    if isinstance(form, Box):
        return Box(size=_AXES.size_to_blender(form.size))
    if isinstance(form, Mesh):
        return Mesh(points_to_blender(form.corners), form.triangles, form.is_convex)
    return form


def _unscaled(linear: Array, corners: Array, triangles: Indices) -> tuple[Array, Array, Indices]:
    """The rotation of a mesh, and the mesh in the size that it has there."""
    turn = nearest_rotation(linear)
    stretch = turn.T @ linear
    if np.linalg.det(linear) < 0.0:
        triangles = triangles[:, ::-1]
    is_plain = np.abs(stretch - np.eye(3)).max() < 1e-6
    return turn, corners if is_plain else corners @ stretch.T, triangles


def _pull(gravity: WorldGravity) -> tuple[float, float, float]:
    x, y, z = _AXES.point_to_blender(gravity.direction)
    strength = gravity.gravity
    pull = (x * strength, y * strength, z * strength)
    return EARTH if np.allclose(pull, EARTH) else pull
