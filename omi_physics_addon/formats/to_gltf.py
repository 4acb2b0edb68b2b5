"""Makes a glTF of a robot: a node for each link, and below it its colliders, meshes and joints."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..axes import Axes, matrices_to_gltf, points_to_gltf
from ..codec.dialects import WriteOptions, Writer
from ..codec.gltf import containers
from ..codec.gltf.containers import Container
from ..codec.gltf.rewriting import apply
from ..codec.targets import added_meshes
from ..codec.values.node_tree import Tree
from ..geometry.arrays import Array, Indices
from ..geometry.hull import convex_hull
from ..geometry.inertia import principal
from ..geometry.rotations import quaternions
from ..geometry.round_hulls import round_mesh
from ..issues import Issues
from ..model.bodies import Collider, Motion
from ..model.document import InternedLists, NewMesh, NodePhysics, PhysicsDocument
from ..model.fields import FilterIndex, JointIndex, MaterialIndex, MeshIndex, NodeIndex, ShapeIndex
from ..model.gravity import WorldGravity
from ..model.joints import Joint, JointSettings, mirrored
from ..model.shapes import Box, Capsule, Convex, Geometry, Plane, Shape, Sphere, Trimesh
from ..simulation.world import Form, Mesh
from .robots import EARTH, FRAME, KEPT, Link, Part, Pose, Robot, RobotJoint
from .writing import Teller, without_noise

_AXES: Final = Axes()
_BOX_CORNERS: Final = np.array(np.meshgrid((-0.5, 0.5), (-0.5, 0.5), (-0.5, 0.5))).T.reshape(-1, 3)
_FLAT: Final = 1e-9  # Height of the capsule that stands for a sphere, as a share of its radius.


def container_of(robot: Robot, issues: Issues, *, is_text: bool = False) -> Container:
    """The glTF of a robot, in the current form of OMI.

    Args:
        is_text: make a .gltf, whose meshes are in its text.
    """
    plain = _Maker(robot, issues).gltf()
    if is_text:
        return Container(plain, indent="  ", is_spaced=True)
    return containers.with_binary_buffer(plain)


class _Maker:
    """Makes one glTF."""

    def __init__(self, robot: Robot, issues: Issues) -> None:
        self._robot, self._issues = robot, issues
        self._nodes: list[dict[str, Any]] = []
        self._document = PhysicsDocument()
        self._lists = InternedLists(self._document)
        self._meshes: list[NewMesh] = []
        self._mesh_colors: list[tuple[float, ...] | None] = []
        self._mesh_of: dict[tuple[bytes, bytes, tuple[float, ...] | None], int] = {}

    def gltf(self) -> dict[str, Any]:
        """The parsed glTF."""
        root = self._node(self._robot.name, None, Pose())
        links = [self._link(link, root) for link in self._robot.links]
        for joint in self._robot.joints:
            self._join(joint, links[joint.parent], links[joint.child])
        if self._robot.gravity != EARTH:
            self._document.world_gravity = _gravity(self._robot.gravity)
        plain: dict[str, Any] = {
            "asset": {"version": "2.0", "generator": "OMI Physics"},
            "scene": 0,
            "scenes": [{"nodes": [root]}],
            "nodes": self._nodes,
        }
        added_meshes.append(plain, self._meshes)
        self._paint(plain)
        encoded = Writer(self._issues, WriteOptions()).document(self._document)
        tree = Tree([node.get("children", ()) for node in self._nodes], [])
        return apply(plain, encoded, (), tree, self._issues)

    def _node(self, name: str, parent: int | None, pose: Pose) -> int:
        """Add a node; returns its index."""
        node: dict[str, Any] = {"name": name, **_placed(pose)}
        self._nodes.append(node)
        at = len(self._nodes) - 1
        if parent is not None:
            self._nodes[parent].setdefault("children", []).append(at)
        return at

    def _link(self, link: Link, root: int) -> int:
        at = self._node(link.name, root, link.pose)
        self._document.nodes[at] = NodePhysics(motion=_motion(link))
        for name, pose, joint in link.frames:
            frame = self._node(name, at, pose)
            self._nodes[frame]["extras"] = {KEPT: {FRAME: {"joint": joint}}}
        for part in link.parts:
            self._part(part, at)
        return at

    def _part(self, part: Part, link: int) -> None:
        at = self._node(part.name, link, part.pose)
        if part.is_visual:
            self._nodes[at]["mesh"] = self._mesh(part.name, *_seen(part.form), part.color)
            return
        if isinstance(part.form, Plane):
            part = Teller("OMI", self._issues).plane_as_box(part, part.name)
            self._nodes[at] |= _placed(part.pose)
        shape = ShapeIndex(self._lists.shapes.index(Shape(geometry=self._geometry(part))))
        material, meets = part.material, part.filter
        surfaces, filters = self._lists.physics_materials, self._lists.collision_filters
        collider = Collider(
            shape=shape,
            physics_material=None if material is None else MaterialIndex(surfaces.index(material)),
            collision_filter=None if meets is None else FilterIndex(filters.index(meets)),
        )
        self._document.nodes[at] = NodePhysics(collider=collider)

    def _geometry(self, part: Part) -> Geometry:
        form = part.form
        if isinstance(form, Mesh):
            at = MeshIndex(self._mesh(part.name, *_seen(form), None))
            return Convex(mesh=at) if form.is_convex else Trimesh(mesh=at)
        return Box(size=_AXES.size_to_gltf(form.size)) if isinstance(form, Box) else form

    def _mesh(
        self, name: str, corners: Array, triangles: Indices, color: tuple[float, ...] | None
    ) -> int:
        """The index of a mesh, in glTF's axes."""
        key = (corners.tobytes(), triangles.tobytes(), color)
        if key not in self._mesh_of:
            self._mesh_of[key] = len(self._meshes)
            points, faces = corners.tolist(), triangles.tolist()
            self._meshes.append(NewMesh(name, tuple(map(tuple, points)), tuple(map(tuple, faces))))
            self._mesh_colors.append(color)
        return self._mesh_of[key]

    def _paint(self, plain: dict[str, Any]) -> None:
        """Give meshes the colors that their parts have."""
        colors = list(dict.fromkeys(color for color in self._mesh_colors if color is not None))
        if not colors:
            return
        plain["materials"] = [
            {
                "pbrMetallicRoughness": {"baseColorFactor": list(color), "metallicFactor": 0.0},
                **({"alphaMode": "BLEND"} if color[3] < 1.0 else {}),
            }
            for color in colors
        ]
        for mesh, color in zip(plain["meshes"], self._mesh_colors, strict=True):
            if color is not None:
                mesh["primitives"][0]["material"] = colors.index(color)

    def _join(self, joint: RobotJoint, parent: int, child: int) -> None:
        """Put a joint on the child, whose other end is on the parent."""
        connected = self._node(f"{joint.name}_parent", parent, joint.frame)
        at = self._node(joint.name, child, joint.child_frame)
        if joint.kept:
            self._nodes[at]["extras"] = {KEPT: {tag: dict(v) for tag, v in joint.kept.items()}}
        settings = _settings_to_gltf(mirrored(joint.settings))
        self._document.nodes[at] = NodePhysics(
            joint=Joint(
                joint=JointIndex(self._lists.joint_settings.index(settings)),
                connected_node=NodeIndex(connected),
                enable_collision=joint.enable_collision,
            )
        )


def _placed(pose: Pose) -> dict[str, list[float]]:
    """The members of a node that place it."""
    found: dict[str, list[float]] = {}
    place = without_noise(points_to_gltf(pose.place))
    turn = without_noise(quaternions(matrices_to_gltf(pose.rotation)[None])[0])
    if place.any():
        found["translation"] = place.tolist()
    if turn[:3].any():
        found["rotation"] = turn.tolist()
    return found


def _motion(link: Link) -> Motion:
    if link.type != "dynamic":
        return Motion(type=link.type)
    moving: dict[str, Any] = {}
    if link.mass is not None:
        x, y, z = without_noise(link.center).tolist()
        moving |= {"mass": link.mass, "center_of_mass": _AXES.point_to_gltf((x, y, z))}
    if link.tensor is not None:
        moments, turn = principal(link.tensor)
        moving["inertia_diagonal"] = _AXES.size_to_gltf(moments.tolist())
        moving["inertia_orientation"] = _AXES.turn_to_gltf(turn.tolist())
    return Motion(type="dynamic", gravity_factor=link.gravity_factor, **moving)


def _gravity(pull: tuple[float, float, float]) -> WorldGravity:
    size = float(np.linalg.norm(pull))
    if not size:
        return WorldGravity(gravity=0.0)
    x, y, z = without_noise(np.array(pull) / size).tolist()
    return WorldGravity(gravity=size, direction=_AXES.point_to_gltf((x, y, z)))


def _settings_to_gltf(settings: JointSettings) -> JointSettings:
    return JointSettings(
        limits=tuple(map(_AXES.limit_to_gltf, settings.limits)),
        drives=tuple(map(_AXES.drive_to_gltf, settings.drives)),
    )


def _seen(form: Form) -> tuple[Array, Indices]:
    """The corners and triangles of a shape in glTF's axes."""
    if isinstance(form, Mesh):
        return points_to_gltf(form.corners), form.triangles
    if isinstance(form, Box):
        return _box(np.array(_AXES.size_to_gltf(form.size)))
    if isinstance(form, Plane):
        sizes = (form.size_x or 100.0, 0.0, form.size_z or 100.0)
        corners, triangles = _box(np.array(sizes))
        a, b, c = np.moveaxis(corners[triangles], 1, 0)
        return corners, triangles[np.cross(b - a, c - a) @ [0.0, 1.0, 0.0] > 0.0]
    if isinstance(form, Sphere):
        height = form.radius * _FLAT
        form = Capsule(height=height, radius_bottom=form.radius, radius_top=form.radius)
    corners, triangles = round_mesh(form)
    return np.array(corners), np.array(triangles)


def _box(size: Array) -> tuple[Array, Indices]:
    found = convex_hull(_BOX_CORNERS)
    if found is None:  # Never, as a cube has a hull.
        raise ValueError("a box has no hull")
    corners, triangles = found
    return corners * size, triangles
