"""Reads UsdPhysics, by Pixar's own library, which Blender may bring along.

Source: the UsdPhysics schema of OpenUSD, "Rigid Body Physics in USD".
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np

from ..axes import TO_GLTF, Axes
from ..files.beside import is_inside, is_there
from ..geometry.arrays import Array, Indices
from ..geometry.inertia import tensor
from ..geometry.rotations import nearest_rotation, rotation_matrix
from ..geometry.scaled_shapes import of_same_volume
from ..issue_codes import Code
from ..issues import Issues
from ..model.bodies import CollisionFilter, PhysicsMaterial
from ..model.fields import AxisIndex
from ..model.joints import JointDrive, JointLimit, JointSettings
from ..model.shapes import Box, Capsule, Cylinder, Plane, Sphere
from ..simulation.world import Form, Mesh
from . import turns
from .masses import weigh
from .mesh_files import MeshFileError, checked
from .robots import (
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
    clamped,
    kept_of,
)
from .table import FormatError
from .turns import DEGREES, Ranges
from .xml_source import LARGEST

_WATER: Final = 1000.0  # kg/m³, the density of UsdPhysics where none is given.
_EARTH: Final = 9.81  # m/s²
_UNEVEN: Final = 1e-4  # Relative difference of scales that counts as an uneven one.
_Y_UP: Final = TO_GLTF.T
# From Z to the axis that a round shape is along.
_ALONG: Final = {
    "X": np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]]),
    "Y": TO_GLTF,
    "Z": np.eye(3),
}
_DEGREES_OF_FREEDOM: Final = ("transX", "transY", "transZ", "rotX", "rotY", "rotZ")
_HULLS: Final = ("convexHull", "convexDecomposition", "boundingCube", "boundingSphere")
_SIZES: Final = ("size", "radius", "height", "width", "length", "radiusTop", "radiusBottom")
_NEEDS: Final = (
    "USD is read and written by the library of OpenUSD, which this Python lacks; convert the file "
    'on the command line after: pip install "omi-physics-addon[usd]"'
)


def library(path: Path) -> Any:
    """The modules of OpenUSD.

    Raises:
        FormatError: they are not installed.
    """
    try:
        found = importlib.import_module("pxr")
        for name in ("Gf", "Sdf", "Tf", "Usd", "UsdGeom", "UsdPhysics", "UsdShade", "Vt"):
            importlib.import_module(f"pxr.{name}")
    except ImportError as problem:
        raise FormatError(f"{path}: {_NEEDS}") from problem
    return found


def read(path: Path, issues: Issues, *, allow_outside: bool = False) -> Robot:
    """The robot in a file.

    Raises:
        FormatError: the file cannot be read, or OpenUSD is not installed.
    """
    pxr = library(path)
    if not is_there(path):
        raise FormatError(f"there is no file {path}")
    try:
        stage = pxr.Usd.Stage.Open(str(path))
        for layer in stage.GetUsedLayers():
            real = layer.realPath
            if real and not allow_outside and not is_inside(Path(real), path):
                why = f'the layer "{real}" is outside of the folder of {path.name}'
                raise FormatError(f"{path.name}: {why}; --allow-outside reads it")
        return _Reader(pxr, stage, path, issues).robot()
    except pxr.Tf.ErrorException as problem:
        raise FormatError(f"{path.name}: OpenUSD refuses the file: {_why(problem)}") from problem


class _Reader:
    """Reads one stage."""

    def __init__(self, pxr: Any, stage: Any, path: Path, issues: Issues) -> None:
        self._pxr, self._stage, self._issues = pxr, stage, issues
        self._file = path.name
        root = stage.GetDefaultPrim()
        self._robot = Robot(_name(root) if root else path.stem)
        self._unit = float(pxr.UsdGeom.GetStageMetersPerUnit(stage))
        self._kilo = float(pxr.UsdPhysics.GetStageKilogramsPerUnit(stage))
        if not all(1.0 / LARGEST < unit < LARGEST for unit in (self._unit, self._kilo)):
            raise FormatError(f"{path.name}: its units of length and mass are not above zero")
        is_y = pxr.UsdGeom.GetStageUpAxis(stage) == pxr.UsdGeom.Tokens.y
        self._up = Pose(np.zeros(3), _Y_UP if is_y else np.eye(3))
        self._cache = pxr.UsdGeom.XformCache()
        self._links: dict[str, int] = {}  # By path; the world has none.
        self._link_names, self._joint_names = Names(), Names()
        self._densities: dict[int, list[tuple[Part, float]]] = {}
        self._filters = self._read_filters()

    def robot(self) -> Robot:
        physics = self._pxr.UsdPhysics
        prims = list(
            self._pxr.Usd.PrimRange(
                self._stage.GetPseudoRoot(), self._pxr.Usd.TraverseInstanceProxies()
            )
        )
        for prim in prims:
            if prim.HasAPI(physics.RigidBodyAPI):
                self._body(prim)
        for prim in prims:
            if prim.IsA(physics.Scene):
                self._gravity(physics.Scene(prim))
            elif prim.IsA(self._pxr.UsdGeom.Gprim):
                self._shape(prim)
            self._keep_frame(prim)
            self._tell_left_out(prim)
        for path, at in self._links.items():
            self._weigh(self._stage.GetPrimAtPath(path), self._robot.links[at], at)
        for prim in prims:
            if prim.IsA(physics.Joint):
                self._joint(prim)
        return self._robot

    def _place(self, prim: Any) -> str:
        return f"{self._file} {prim.GetPath()}"

    def _leave_out(self, prim: Any, what: str, effect: str) -> None:
        why = f'{what} of "{_name(prim)}" is left out, because glTF has no counterpart, so {effect}'
        self._issues.add(Code.FORMAT_LEAVES_OUT, self._place(prim), why)

    def _approximate(self, prim: Any, what: str, as_what: str) -> None:
        why = f'{what} of "{_name(prim)}" is read as {as_what}, because glTF has none'
        self._issues.add(Code.FORMAT_APPROXIMATES, self._place(prim), why)

    def _matrix(self, prim: Any) -> tuple[Array, Array]:
        """Linear part (3, 3) and place (3,) of a prim in the world, m.

        Raises:
            FormatError: a number is not finite.
        """
        matrix = np.array(self._cache.GetLocalToWorldTransform(prim), dtype=np.float64).T
        if not (np.abs(matrix) < LARGEST).all():
            raise FormatError(f"{self._place(prim)}: its place is not one that a file can mean")
        up = self._up.rotation
        return up @ matrix[:3, :3] * self._unit, up @ matrix[:3, 3] * self._unit

    def _pose(self, prim: Any) -> Pose:
        linear, place = self._matrix(prim)
        return Pose(place, nearest_rotation(linear))

    def _body(self, prim: Any) -> None:
        api = self._pxr.UsdPhysics.RigidBodyAPI(prim)
        name = self._link_names.take(_name(prim))
        link = Link(name, self._pose(prim), self._place(prim))
        if not api.GetRigidBodyEnabledAttr().Get():
            link.type = "static"
        elif api.GetKinematicEnabledAttr().Get():
            link.type = "kinematic"
        self._links[str(prim.GetPath())] = len(self._robot.links)
        self._robot.links.append(link)
        speeds = (api.GetVelocityAttr(), api.GetAngularVelocityAttr())
        if any(_vector(attr, 0.0).any() for attr in speeds):
            self._leave_out(prim, "the velocity at the start", "it starts at rest")

    def _owner(self, prim: Any) -> int:
        """The link that moves a prim; the world's where none does."""
        while prim and not prim.IsPseudoRoot():
            if str(prim.GetPath()) in self._links:
                return self._links[str(prim.GetPath())]
            prim = prim.GetParent()
        if "" not in self._links:
            name = self._link_names.take(WORLD)
            self._links[""] = len(self._robot.links)
            self._robot.links.append(Link(name, Pose(), self._file, type="static"))
        return self._links[""]

    def _is_on_body(self, prim: Any) -> bool:
        path = prim.GetPath()
        return any(str(each) in self._links for each in path.GetPrefixes())

    def _shape(self, prim: Any) -> None:
        """A collider, or what is seen of a body."""
        collision = self._pxr.UsdPhysics.CollisionAPI
        is_solid = prim.HasAPI(collision) and collision(prim).GetCollisionEnabledAttr().Get()
        if not is_solid and not self._is_on_body(prim):
            return
        at = self._owner(prim)
        link = self._robot.links[at]
        linear, place = self._matrix(prim)
        back = link.pose.rotation.T
        found = self._form(prim, back @ linear, is_solid=is_solid)
        if found is None:
            return
        form, turn = found
        pose = Pose(back @ (place - link.pose.place), turn)
        material, density = self._surface(prim) if is_solid else (None, 0.0)
        part = Part(
            _name(prim),
            form,
            pose,
            material,
            self._filters.get(str(prim.GetPath())) if is_solid else None,
            None if is_solid else self._color(prim),
            not is_solid,
        )
        link.parts.append(part)
        if is_solid:
            self._densities.setdefault(at, []).append((part, density))

    def _color(self, prim: Any) -> tuple[float, ...] | None:
        shown = self._pxr.UsdGeom.Gprim(prim)
        colors, alphas = shown.GetDisplayColorAttr().Get(), shown.GetDisplayOpacityAttr().Get()
        if not colors:
            return None
        return clamped((*colors[0], alphas[0] if alphas else 1.0))

    def _form(self, prim: Any, linear: Array, *, is_solid: bool) -> tuple[Form, Array] | None:
        """A shape in its final size, and its rotation in the link."""
        kind = prim.GetTypeName()

        def number(name: str) -> float:
            return _number(prim.GetAttribute(name), 0.0)

        if kind == "Mesh":
            mesh = self._mesh(prim, linear, is_solid=is_solid)
            return None if mesh is None else (mesh, np.eye(3))
        linear = linear @ _ALONG["XYZ"[_axis(prim, "axis", "Z")]]
        turn = nearest_rotation(linear)
        x, y, z = map(float, np.linalg.norm(linear, axis=0))
        if not (LARGEST > x * y * z > 0.0):
            self._leave_out(prim, "the shape", "it has no size")
            return None
        sizes = [attr for attr in _SIZES if prim.HasAttribute(attr)]
        if not all(0.0 < number(attr) * max(x, y, z, 1.0) < LARGEST for attr in sizes):
            self._leave_out(prim, "the shape", "it has no size, or one that is too large")
            return None
        if kind == "Cube":
            return Box(size=(number("size") * x, number("size") * y, number("size") * z)), turn
        if kind == "Plane":
            wide, long = number("width"), number("length")
            return Plane(size_x=wide * x, size_z=long * y), turn
        if kind == "Sphere":
            form: Any = Sphere(radius=number("radius"))
        elif kind == "Cone":
            form = Cylinder(height=number("height"), radius_bottom=number("radius"), radius_top=0.0)
        elif kind in ("Capsule", "Cylinder", "Capsule_1", "Cylinder_1"):
            ends = ("radiusBottom", "radiusTop") if kind.endswith("_1") else ("radius", "radius")
            made = Capsule if kind.startswith("Capsule") else Cylinder
            bottom, top = map(number, ends)
            form = made(height=number("height"), radius_bottom=bottom, radius_top=top)
        else:
            self._leave_out(prim, f"the {kind}", "it is missing")
            return None
        if max(x, y, z) > min(x, y, z) * (1.0 + _UNEVEN) and (kind == "Sphere" or abs(x - y) > 0):
            self._approximate(prim, "the uneven scale", "an even one of the same volume")
        return of_same_volume(form, Axes().size_to_gltf((x, y, z))), turn

    def _mesh(self, prim: Any, linear: Array, *, is_solid: bool) -> Mesh | None:
        mesh = self._pxr.UsdGeom.Mesh(prim)
        points = np.array(mesh.GetPointsAttr().Get() or (), dtype=np.float64).reshape(-1, 3)
        counts = np.array(mesh.GetFaceVertexCountsAttr().Get() or (), dtype=np.int64)
        order = np.array(mesh.GetFaceVertexIndicesAttr().Get() or (), dtype=np.int64)
        is_whole = len(order) == counts.sum() and (not len(counts) or counts.min() >= 0)
        is_inside_points = len(order) and order.min() >= 0 and order.max() < len(points)
        try:
            if not (is_whole and is_inside_points and (np.abs(points) < LARGEST).all()):
                raise MeshFileError("its points or faces do not fit together")
            points, faces = checked(points @ linear.T, _fans(counts, order))
        except MeshFileError as problem:
            why = f'"{_name(prim)}" is left out, because {problem}'
            self._issues.add(Code.MESH_FILE_NOT_READ, self._place(prim), why)
            return None
        is_left = mesh.GetOrientationAttr().Get() == self._pxr.UsdGeom.Tokens.leftHanded
        if is_left != (np.linalg.det(linear) < 0.0):
            faces = faces[:, ::-1]
        word = ""
        if prim.HasAPI(self._pxr.UsdPhysics.MeshCollisionAPI):
            word = self._pxr.UsdPhysics.MeshCollisionAPI(prim).GetApproximationAttr().Get()
        if is_solid and word in _HULLS[1:]:
            self._approximate(prim, f"the approximation {word}", "its convex hull")
        return Mesh(points, faces, is_convex=is_solid and word in _HULLS)

    def _surface(self, prim: Any) -> tuple[PhysicsMaterial | None, float]:
        """The physics material of a collider, and its density; 0 for none given."""
        shade, physics = self._pxr.UsdShade, self._pxr.UsdPhysics
        bound, _ = shade.MaterialBindingAPI(prim).ComputeBoundMaterial("physics")
        density = 0.0
        if prim.HasAPI(physics.MassAPI):
            density = _number(physics.MassAPI(prim).GetDensityAttr(), 0.0)
        if not bound or not bound.GetPrim().HasAPI(physics.MaterialAPI):
            return None, density
        api = physics.MaterialAPI(bound.GetPrim())
        material = PhysicsMaterial(
            static_friction=max(_number(api.GetStaticFrictionAttr(), 0.0), 0.0),
            dynamic_friction=max(_number(api.GetDynamicFrictionAttr(), 0.0), 0.0),
            restitution=max(_number(api.GetRestitutionAttr(), 0.0), 0.0),
            name=_name(bound.GetPrim()),
        )
        return material, density or _number(api.GetDensityAttr(), 0.0)

    def _weigh(self, prim: Any, link: Link, at: int) -> None:
        """Mass, center and inertia, as far as they are given, else of the colliders."""
        if link.type != "dynamic":
            return
        api = self._pxr.UsdPhysics.MassAPI(prim)
        mass = _number(api.GetMassAttr(), 0.0) * self._kilo
        density = _number(api.GetDensityAttr(), 0.0)
        heavy = self._kilo / self._unit**3
        parts = [
            (part, (density or own) * heavy or _WATER) for part, own in self._densities.get(at, [])
        ]
        weigh(link, parts, mass if mass > 0.0 else None)
        if link.mass is None:
            why = f'the link "{link.name}" moves and has no mass; each engine assumes another one'
            self._issues.add(Code.LINK_WITHOUT_MASS, link.origin, f"{why}; add a mass")
            return
        linear, _ = self._matrix(prim)
        center = _vector(api.GetCenterOfMassAttr(), -np.inf)
        if (np.abs(center) < LARGEST).all():
            link.center = link.pose.rotation.T @ linear @ center
        moments = _vector(api.GetDiagonalInertiaAttr(), 0.0)
        if (moments > 0.0).all() and (moments < LARGEST).all():
            axes = _turn(api.GetPrincipalAxesAttr().Get())
            link.tensor = tensor(moments * self._kilo * self._unit**2, axes)

    def _gravity(self, scene: Any) -> None:
        way = _vector(scene.GetGravityDirectionAttr(), 0.0)
        pull = _number(scene.GetGravityMagnitudeAttr(), -1.0)
        size = _EARTH if pull < 0.0 or not math.isfinite(pull) else pull * self._unit
        length = float(np.linalg.norm(way))
        down = self._up.rotation @ way / length if length else np.array([0.0, 0.0, -1.0])
        x, y, z = (down * size).tolist()
        self._robot.gravity = (x, y, z)

    def _read_filters(self) -> dict[str, CollisionFilter]:
        """By path of a collider, which groups it is in, and which it does not meet."""
        physics, usd = self._pxr.UsdPhysics, self._pxr.Usd
        groups = [prim for prim in self._stage.Traverse() if prim.IsA(physics.CollisionGroup)]
        apart: dict[str, set[str]] = {str(prim.GetPath()): set() for prim in groups}
        for prim in groups:
            group, own = physics.CollisionGroup(prim), str(prim.GetPath())
            named = {str(each) for each in group.GetFilteredGroupsRel().GetTargets()} & apart.keys()
            if group.GetInvertFilteredGroupsAttr().Get():
                named = apart.keys() - named
            for other in named:
                apart[own].add(other)
                apart[other].add(own)
        names = {str(prim.GetPath()): _name(prim) for prim in groups}
        found: dict[str, CollisionFilter] = {}
        for prim in groups:
            own = str(prim.GetPath())
            query = usd.CollectionAPI(prim, "colliders").ComputeMembershipQuery()
            meets = CollisionFilter(
                collision_systems=(names[own],),
                not_collide_with_systems=tuple(sorted(names[other] for other in apart[own])),
            )
            for path in usd.CollectionAPI.ComputeIncludedPaths(query, self._stage):
                found.setdefault(str(path), meets)
        return found

    def _keep_frame(self, prim: Any) -> None:
        """A link without mass, as our own files mark it."""
        kept = self._kept(prim).get(FRAME)
        if kept is not None and self._is_on_body(prim):
            link = self._robot.links[self._owner(prim)]
            inner = link.pose.inverse() @ self._pose(prim)
            link.frames.append((_name(prim), inner, kept.get("joint") or _name(prim)))

    def _kept(self, prim: Any) -> Kept:
        return kept_of(prim.GetCustomDataByKey(KEPT))

    def _tell_left_out(self, prim: Any) -> None:
        physics = self._pxr.UsdPhysics
        for word in prim.GetPrimTypeInfo().GetAppliedAPISchemas():  # Unknown ones as well.
            if word.startswith(("Physx", "Newton", "Mjc")):
                self._leave_out(prim, f"the schema {word}", "it has no effect")
        if prim.HasAPI(physics.FilteredPairsAPI):
            self._leave_out(prim, "the filtered pairs", "they collide")

    def _joint(self, prim: Any) -> None:
        joint = self._pxr.UsdPhysics.Joint(prim)
        if not joint.GetJointEnabledAttr().Get():
            self._leave_out(prim, "the joint", "it is switched off and holds nothing")
            return
        breaks = (joint.GetBreakForceAttr(), joint.GetBreakTorqueAttr())
        if any(math.isfinite(_number(attr, math.inf)) for attr in breaks):
            self._leave_out(prim, "the force that breaks the joint", "it never breaks")
        ends = [self._end(joint, side) for side in (0, 1)]
        if ends[0][0] == ends[1][0]:
            self._leave_out(prim, "the joint", "it connects a body to itself")
            return
        name = self._joint_names.take(_name(prim))
        self._robot.joints.append(
            RobotJoint(
                name,
                self._place(prim),
                ends[0][0],
                ends[1][0],
                ends[0][1],
                ends[1][1],
                self._settings(prim),
                bool(joint.GetCollisionEnabledAttr().Get()),
                {tag: values for tag, values in self._kept(prim).items() if tag != FRAME},
            )
        )

    def _end(self, joint: Any, side: int) -> tuple[int, Pose]:
        """The link and the frame of an end of a joint."""
        rel = (joint.GetBody0Rel, joint.GetBody1Rel)[side]()
        pos = (joint.GetLocalPos0Attr, joint.GetLocalPos1Attr)[side]()
        rot = (joint.GetLocalRot0Attr, joint.GetLocalRot1Attr)[side]().Get()
        paths = rel.GetTargets()
        prim = self._stage.GetPrimAtPath(paths[0]) if paths else self._stage.GetPseudoRoot()
        if not prim:
            prim = self._stage.GetPseudoRoot()
        at = self._owner(prim)
        place, turn = _vector(pos, 0.0), rotation_matrix(_turn(rot))
        if prim.IsPseudoRoot():
            inner = self._up @ Pose(place * self._unit, turn)
        else:
            linear, origin = self._matrix(prim)
            inner = Pose(linear @ place + origin, nearest_rotation(linear) @ turn)
        return at, self._robot.links[at].pose.inverse() @ inner

    def _settings(self, prim: Any) -> JointSettings:
        """What a joint leaves free, and its drives."""
        kind = prim.GetTypeName()
        slides, turning = Ranges(), Ranges()
        more: tuple[JointLimit, ...] = ()
        if kind in ("PhysicsRevoluteJoint", "PhysicsPrismaticJoint"):
            axis = _axis(prim, "physics:axis", "X")
            low, high = (
                _number(prim.GetAttribute(f"physics:{end}Limit"), default)
                for end, default in (("lower", -math.inf), ("upper", math.inf))
            )
            is_slide = kind == "PhysicsPrismaticJoint"
            ranges = slides if is_slide else turning
            ranges[axis] = self._range(low, high, is_slide=is_slide)
        elif kind == "PhysicsSphericalJoint":
            turning, more = turns.open_ranges(), self._cone(prim)
        elif kind == "PhysicsDistanceJoint":
            slides, turning, more = turns.open_ranges(), turns.open_ranges(), self._rope(prim)
        elif kind != "PhysicsFixedJoint":
            slides, turning = turns.open_ranges(), turns.open_ranges()
            for word in _DEGREES_OF_FREEDOM:
                if prim.HasAPI(self._pxr.UsdPhysics.LimitAPI, word):
                    limit = self._pxr.UsdPhysics.LimitAPI(prim, word)
                    low = _number(limit.GetLowAttr(), -math.inf)
                    high = _number(limit.GetHighAttr(), math.inf)
                    axis, is_slide = "XYZ".index(word[-1]), word.startswith("trans")
                    ranges = slides if is_slide else turning
                    if low > high:
                        del ranges[axis]
                    else:
                        ranges[axis] = self._range(low, high, is_slide=is_slide)
        plain = turns.settings(slides, turning, tuple(self._drives(prim)))
        return JointSettings(limits=plain.limits + more, drives=plain.drives)

    def _range(
        self, low: float, high: float, *, is_slide: bool
    ) -> tuple[float | None, float | None]:
        factor = self._unit if is_slide else 1.0 / DEGREES
        ends = [end * factor if math.isfinite(end) else None for end in (low, high)]
        return ends[0], ends[1]

    def _cone(self, prim: Any) -> tuple[JointLimit, ...]:
        """How far a ball joint tilts; both angles are those of a cone where they are the same."""
        axis = _axis(prim, "physics:axis", "X")
        angles = [
            _number(prim.GetAttribute(f"physics:coneAngle{k}Limit"), -1.0) / DEGREES for k in (0, 1)
        ]
        others = tuple(each for each in turns.AXES if each != axis)
        if angles[0] == angles[1] and angles[0] >= 0.0:
            return (JointLimit(angular_axes=others, min=-angles[0], max=angles[0]),)
        return tuple(
            JointLimit(angular_axes=(each,), min=-angle, max=angle)
            for each, angle in zip(others, angles, strict=True)
            if angle >= 0.0
        )

    def _rope(self, prim: Any) -> tuple[JointLimit, ...]:
        low, high = (
            _number(prim.GetAttribute(f"physics:{end}Distance"), -1.0) * self._unit
            for end in ("min", "max")
        )
        ends = (low if low >= 0.0 else None, high if high >= 0.0 else None)
        if ends == (None, None):
            return ()
        if ends[0] is None and ends[1] is not None:
            ends = (-ends[1], ends[1])
        return (JointLimit(linear_axes=turns.AXES, min=ends[0], max=ends[1]),)

    def _drives(self, prim: Any) -> Iterator[JointDrive]:
        api = self._pxr.UsdPhysics.DriveAPI
        axis = _axis(prim, "physics:axis", "X")
        for word in ("linear", "angular", *_DEGREES_OF_FREEDOM):
            if not prim.HasAPI(api, word):
                continue
            drive = api(prim, word)
            is_slide = word.startswith(("linear", "trans"))
            along = axis if word in ("linear", "angular") else "XYZ".index(word[-1])
            mode = str(drive.GetTypeAttr().Get())
            strength = self._kilo * (1.0 if is_slide else self._unit**2 * DEGREES)
            if mode == "acceleration":
                strength = 1.0 if is_slide else DEGREES
            stiffness, damping = (
                max(_number(attr, 0.0), 0.0) * strength
                for attr in (drive.GetStiffnessAttr(), drive.GetDampingAttr())
            )
            most = _number(drive.GetMaxForceAttr(), math.inf)
            size = self._unit if is_slide else 1.0 / DEGREES
            force = self._kilo * self._unit ** (1 if is_slide else 2)
            if not (stiffness or damping):
                continue
            yield JointDrive(
                type="linear" if is_slide else "angular",
                mode="acceleration" if mode == "acceleration" else "force",
                axis=AxisIndex(along),
                max_force=most * force if math.isfinite(most) and most >= 0.0 else None,
                position_target=_number(drive.GetTargetPositionAttr(), 0.0) * size
                if stiffness
                else None,
                velocity_target=_number(drive.GetTargetVelocityAttr(), 0.0) * size
                if damping
                else None,
                stiffness=stiffness,
                damping=damping,
            )


def _why(problem: Exception) -> str:
    """What OpenUSD says of a file."""
    try:
        found = [line for line in str(problem).splitlines() if line.strip()]
    except UnicodeDecodeError:
        return "it is no text of UTF-8"
    return found[0].rpartition(" : ")[2].strip("' ") if found else "it does not say why"


def _number(attribute: Any, default: float) -> float:
    """A number, which may be infinite; a default where there is none.

    Raises:
        FormatError: it is too large for any file.
    """
    value: Any = attribute.Get() if attribute else None
    if not isinstance(value, (int, float)) or math.isnan(value):
        return default
    if LARGEST <= abs(value) < math.inf:
        raise FormatError(f"{attribute.GetPath()}: {value:g} is not one that a file can mean")
    return float(value)


def _vector(attribute: Any, default: float) -> Array:
    """Three numbers (3,); three times a default where there are none, or one of them is none."""
    value: Any = attribute.Get() if attribute else None
    try:
        found = np.array(tuple(value), dtype=np.float64)
    except (TypeError, ValueError):  # None, or of another type.
        return np.full(3, default)
    is_usable = found.shape == (3,) and (np.abs(found) < LARGEST).all()
    return found if is_usable else np.full(3, default)


def _axis(prim: Any, name: str, default: str) -> int:
    """The index of an axis that a prim names."""
    attribute = prim.GetAttribute(name)
    value = str(attribute.Get()) if attribute else default
    return "XYZ".index(value if value in ("X", "Y", "Z") else default)


def _name(prim: Any) -> str:
    shown: str = prim.GetMetadata("displayName") or prim.GetName()
    return shown


def _turn(quaternion: Any) -> tuple[float, float, float, float]:
    """A quaternion as x, y, z, w; that of no turn where there is none."""
    try:
        x, y, z = map(float, quaternion.GetImaginary())
        w = float(quaternion.GetReal())
    except AttributeError:  # None, or of another type.
        return 0.0, 0.0, 0.0, 1.0
    is_turn = 0.0 < math.hypot(x, y, z, w) < LARGEST
    return (x, y, z, w) if is_turn else (0.0, 0.0, 0.0, 1.0)


def _fans(counts: Indices, order: Indices) -> Indices:
    """The triangles (m, 3) of faces with any number of corners."""
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.int64)
    found: list[tuple[int, int, int]] = []
    for first, count in zip(starts.tolist(), counts.tolist(), strict=True):
        face = order[first : first + count].tolist()
        found += [(face[0], face[i], face[i + 1]) for i in range(1, count - 1)]
    return np.array(found, dtype=np.int64).reshape(-1, 3)
