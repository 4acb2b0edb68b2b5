"""Writes UsdPhysics, by Pixar's own library.

Source: the UsdPhysics schema of OpenUSD, "Rigid Body Physics in USD".
"""

from __future__ import annotations

import math
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from ..files.junit import clean
from ..geometry.arrays import Array
from ..geometry.inertia import principal
from ..geometry.rotations import quaternions
from ..issues import Issues
from ..model.bodies import CollisionFilter, PhysicsMaterial
from ..model.filters import meets
from ..model.joints import JointDrive
from ..model.shapes import Box, Capsule, Cylinder, Plane, Sphere
from ..simulation.world import Mesh
from . import turns, usd_reader
from .robots import EARTH, FRAME, KEPT, Link, Part, Pose, Robot, RobotJoint
from .turns import DEGREES, Freedom
from .writing import WIDE, Files, Teller


def write(robot: Robot, output: Path, issues: Issues) -> tuple[bytes, Files]:
    """The USD of a robot; no files are beside it.

    Raises:
        FormatError: OpenUSD is not installed.
    """
    pxr = usd_reader.library(output)
    stage = _Writer(pxr, robot, issues).stage()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"robot{output.suffix.lower()}"
        stage.GetRootLayer().Export(str(path))
        return path.read_bytes(), {}


class _Writer:
    """Writes one stage."""

    def __init__(self, pxr: Any, robot: Robot, issues: Issues) -> None:
        self._pxr, self._robot, self._teller = pxr, robot, Teller("USD", issues)
        self._stage = pxr.Usd.Stage.CreateInMemory()
        pxr.UsdGeom.SetStageUpAxis(self._stage, pxr.UsdGeom.Tokens.z)
        pxr.UsdGeom.SetStageMetersPerUnit(self._stage, 1.0)
        pxr.UsdPhysics.SetStageKilogramsPerUnit(self._stage, 1.0)
        self._root = self._define("/", robot.name, "Xform")
        self._stage.SetDefaultPrim(self._root)
        self._links: list[Any] = []
        self._materials: dict[PhysicsMaterial, Any] = {}
        self._members: dict[CollisionFilter, list[Any]] = {}

    def stage(self) -> Any:
        """All of it."""
        self._gravity()
        for link in self._robot.links:
            self._link(link)
        for joint in self._robot.joints:
            self._joint(joint)
        self._groups()
        return self._stage

    def _define(self, above: str, name: str, kind: str) -> Any:
        """A new prim with the name, or one like it that is free and shows the name."""
        name = clean(name)
        word = self._pxr.Tf.MakeValidIdentifier(name)
        base, number = above.rstrip("/"), 1
        path = f"{base}/{word}"
        while self._stage.GetPrimAtPath(path):
            number += 1
            path = f"{base}/{word}_{number}"
        prim = self._stage.DefinePrim(path, kind)
        if prim.GetName() != name:
            prim.SetMetadata("displayName", name)
        return prim

    def _gravity(self) -> None:
        scene = self._define(str(self._root.GetPath()), "PhysicsScene", "PhysicsScene")
        if self._robot.gravity == EARTH:
            return
        pull = np.array(self._robot.gravity)
        size = float(np.linalg.norm(pull))
        api = self._pxr.UsdPhysics.Scene(scene)
        api.CreateGravityMagnitudeAttr(size)
        if size:
            api.CreateGravityDirectionAttr(self._vector(pull / size))

    def _vector(self, numbers: Array) -> Any:
        return self._pxr.Gf.Vec3f(*map(float, numbers))

    def _quaternion(self, rotation: Array) -> Any:
        x, y, z, w = map(float, quaternions(rotation[None])[0])
        return self._pxr.Gf.Quatf(w, x, y, z)

    def _put(self, prim: Any, pose: Pose, scale: Array | None = None) -> None:
        """Place a prim in the one above it, with all digits."""
        shown, double = self._pxr.UsdGeom.Xformable(prim), self._pxr.UsdGeom.XformOp
        x, y, z, w = map(float, quaternions(pose.rotation[None])[0])
        shown.AddTranslateOp().Set(self._pxr.Gf.Vec3d(*map(float, pose.place)))
        turn = shown.AddOrientOp(double.PrecisionDouble)
        turn.Set(self._pxr.Gf.Quatd(w, x, y, z))
        if scale is not None:
            shown.AddScaleOp(double.PrecisionDouble).Set(self._pxr.Gf.Vec3d(*map(float, scale)))

    def _link(self, link: Link) -> None:
        physics = self._pxr.UsdPhysics
        prim = self._define(str(self._root.GetPath()), link.name, "Xform")
        self._put(prim, link.pose)
        self._links.append(prim)
        body = physics.RigidBodyAPI.Apply(prim)
        if link.type == "static":
            body.CreateRigidBodyEnabledAttr(False)
        elif link.type == "kinematic":
            body.CreateKinematicEnabledAttr(True)
        if link.gravity_factor != 1.0:
            what = f'the gravity factor of "{link.name}"'
            self._teller.leave_out(link.origin, what, "lets all bodies fall alike")
        if link.mass is not None and link.type == "dynamic":
            api = physics.MassAPI.Apply(prim)
            api.CreateMassAttr(float(link.mass))
            api.CreateCenterOfMassAttr(self._vector(link.center))
            if link.tensor is not None:
                moments, turn = principal(link.tensor)
                api.CreateDiagonalInertiaAttr(self._vector(moments))
                x, y, z, w = map(float, turn)
                api.CreatePrincipalAxesAttr(self._pxr.Gf.Quatf(w, x, y, z))
        is_seen = any(part.is_visual for part in link.parts)
        for part in link.parts:
            self._part(part, prim, link, is_seen=is_seen)
        for name, pose, joint in link.frames:
            frame = self._define(str(prim.GetPath()), name, "Xform")
            self._put(frame, pose)
            frame.SetCustomDataByKey(KEPT, {FRAME: {"joint": joint}})

    def _part(self, part: Part, above: Any, link: Link, *, is_seen: bool) -> None:
        form, scale, values = part.form, None, dict[str, float]()
        if isinstance(form, Box):
            kind, scale, values = "Cube", np.array(form.size), {"size": 1.0}
        elif isinstance(form, Sphere):
            kind, values = "Sphere", {"radius": form.radius}
        elif isinstance(form, Plane):
            kind = "Plane"
            values = {"width": form.size_x or WIDE, "length": form.size_z or WIDE}
        elif isinstance(form, (Capsule, Cylinder)):
            kind = "Capsule" if isinstance(form, Capsule) else "Cylinder"
            values = {"height": form.height, "radius": form.radius_top}
            if form.radius_bottom != form.radius_top:
                kind += "_1"
                values = {
                    "height": form.height,
                    "radiusBottom": form.radius_bottom,
                    "radiusTop": form.radius_top,
                }
        else:
            kind = "Mesh"
        prim = self._define(str(above.GetPath()), part.name, kind)
        self._put(prim, part.pose, scale)
        for name, value in values.items():
            prim.GetAttribute(name).Set(float(value))
        if kind not in ("Cube", "Sphere", "Mesh"):
            prim.GetAttribute("axis").Set("Z")
        if isinstance(form, Mesh):
            self._mesh(prim, form)
        if part.color is not None:
            shown = self._pxr.UsdGeom.Gprim(prim)
            shown.CreateDisplayColorAttr([self._vector(np.array(part.color[:3]))])
            shown.CreateDisplayOpacityAttr([float(part.color[3])])
        if not part.is_visual:
            self._solid(prim, part, link, is_seen=is_seen)

    def _mesh(self, prim: Any, form: Mesh) -> None:
        mesh, vt = self._pxr.UsdGeom.Mesh(prim), self._pxr.Vt
        mesh.CreatePointsAttr(vt.Vec3fArray.FromNumpy(form.corners.astype(np.float32)))
        mesh.CreateFaceVertexCountsAttr([3] * len(form.triangles))
        mesh.CreateFaceVertexIndicesAttr(form.triangles.ravel().tolist())
        mesh.CreateSubdivisionSchemeAttr(self._pxr.UsdGeom.Tokens.none)

    def _solid(self, prim: Any, part: Part, link: Link, *, is_seen: bool) -> None:
        """Make a collider of a shape."""
        physics = self._pxr.UsdPhysics
        physics.CollisionAPI.Apply(prim)
        if is_seen:  # What is seen is there as well.
            self._pxr.UsdGeom.Imageable(prim).CreatePurposeAttr(self._pxr.UsdGeom.Tokens.guide)
        if isinstance(part.form, Mesh):
            api = physics.MeshCollisionAPI.Apply(prim)
            api.CreateApproximationAttr("convexHull" if part.form.is_convex else "none")
        if part.material is not None:
            shade = self._pxr.UsdShade
            binding = shade.MaterialBindingAPI.Apply(prim)
            strength = shade.Tokens.weakerThanDescendants
            binding.Bind(self._material(part.material, link), strength, "physics")
        if part.filter is not None:
            self._members.setdefault(part.filter, []).append(prim)

    def _material(self, material: PhysicsMaterial, link: Link) -> Any:
        if material not in self._materials:
            name = material.name or "physics_material"
            prim = self._define(str(self._root.GetPath()), name, "Material")
            api = self._pxr.UsdPhysics.MaterialAPI.Apply(prim)
            api.CreateStaticFrictionAttr(material.static_friction)
            api.CreateDynamicFrictionAttr(material.dynamic_friction)
            api.CreateRestitutionAttr(material.restitution)
            self._materials[material] = self._pxr.UsdShade.Material(prim)
            for word in ("friction", "restitution"):
                if getattr(material, f"{word}_combine") != "average":
                    what = f'the combine mode of the {word} of "{name}"'
                    self._teller.leave_out(link.origin, what, "has no place for it")
        return self._materials[material]

    def _groups(self) -> None:
        """A collision group for each filter."""
        made: dict[CollisionFilter, Any] = {}
        for number, (meeting, prims) in enumerate(self._members.items(), 1):
            systems = meeting.collision_systems
            name = systems[0] if len(systems) == 1 else meeting.name or f"group {number}"
            prim = self._define(str(self._root.GetPath()), name, "PhysicsCollisionGroup")
            made[meeting] = self._pxr.UsdPhysics.CollisionGroup(prim)
            rel = made[meeting].GetCollidersCollectionAPI().CreateIncludesRel()
            for each in prims:
                rel.AddTarget(each.GetPath())
        for one, group in made.items():
            for other, beside in made.items():
                if not meets(one, other):
                    group.CreateFilteredGroupsRel().AddTarget(beside.GetPath())

    def _joint(self, joint: RobotJoint) -> None:
        free = turns.freedom(joint.settings)
        if free is None:
            what = f'the joint "{joint.name}"'
            why = "has no soft limits, and cones and distances of other kinds; its ends are free"
            self._teller.leave_out(joint.origin, what, why)
            return
        kind, axis = _kind_of(free)
        prim = self._define(str(self._root.GetPath()), joint.name, kind)
        found = self._pxr.UsdPhysics.Joint(prim)
        found.CreateBody0Rel().SetTargets([self._links[joint.parent].GetPath()])
        found.CreateBody1Rel().SetTargets([self._links[joint.child].GetPath()])
        found.CreateLocalPos0Attr(self._vector(joint.frame.place))
        found.CreateLocalRot0Attr(self._quaternion(joint.frame.rotation))
        found.CreateLocalPos1Attr(self._vector(joint.child_frame.place))
        found.CreateLocalRot1Attr(self._quaternion(joint.child_frame.rotation))
        found.CreateCollisionEnabledAttr(joint.enable_collision)
        if joint.kept:
            prim.SetCustomDataByKey(KEPT, {tag: dict(each) for tag, each in joint.kept.items()})
        if axis is not None and kind != "PhysicsSphericalJoint":
            prim.GetAttribute("physics:axis").Set("XYZ"[axis])
        self._limits(prim, kind, free)
        if free.whole_turn is not None:
            what = f'the limit of all turns of "{joint.name}"'
            self._teller.leave_out(joint.origin, what, "limits turns about one axis, or of a cone")
        for drive in joint.settings.drives:
            self._drive(prim, kind, drive, axis, joint.origin, joint.name)

    def _limits(self, prim: Any, kind: str, free: Freedom) -> None:
        if kind in ("PhysicsRevoluteJoint", "PhysicsPrismaticJoint"):
            is_slide = kind == "PhysicsPrismaticJoint"
            ((low, high),) = (free.slides if is_slide else free.turns).values()
            factor = 1.0 if is_slide else DEGREES
            for end, value, open_end in (("lower", low, -math.inf), ("upper", high, math.inf)):
                number = open_end if value is None else value * factor
                prim.GetAttribute(f"physics:{end}Limit").Set(number)
        elif kind == "PhysicsJoint":
            for ranges, word, factor in ((free.slides, "trans", 1.0), (free.turns, "rot", DEGREES)):
                for axis in turns.AXES:
                    low, high = ranges.get(axis, (1.0, -1.0))
                    if (low, high) == (None, None):
                        continue
                    api = self._pxr.UsdPhysics.LimitAPI.Apply(prim, f"{word}{'XYZ'[axis]}")
                    api.CreateLowAttr(-math.inf if low is None else low * factor)
                    api.CreateHighAttr(math.inf if high is None else high * factor)

    def _drive(
        self, prim: Any, kind: str, drive: JointDrive, axis: int | None, origin: str, name: str
    ) -> None:
        is_slide = drive.type == "linear"
        word = f"{'trans' if is_slide else 'rot'}{'XYZ'[drive.axis]}"
        if kind != "PhysicsJoint" and drive.axis == axis:
            word = drive.type
        if prim.HasAPI(self._pxr.UsdPhysics.DriveAPI, word):
            what = f'a second drive of the joint "{name}"'
            self._teller.leave_out(origin, what, "has one drive for each axis")
            return
        size = 1.0 if is_slide else DEGREES
        api = self._pxr.UsdPhysics.DriveAPI.Apply(prim, word)
        api.CreateTypeAttr(drive.mode)
        api.CreateStiffnessAttr(drive.stiffness / size)
        api.CreateDampingAttr(drive.damping / size)
        api.CreateTargetPositionAttr((drive.position_target or 0.0) * size)
        api.CreateTargetVelocityAttr((drive.velocity_target or 0.0) * size)
        if drive.max_force is not None:
            api.CreateMaxForceAttr(drive.max_force)


def _kind_of(free: Freedom) -> tuple[str, int | None]:
    """The kind of joint, and its axis."""
    counts = len(free.slides), len(free.turns)
    if counts == (0, 0):
        return "PhysicsFixedJoint", None
    if counts == (0, 1):
        return "PhysicsRevoluteJoint", next(iter(free.turns))
    if counts == (1, 0):
        return "PhysicsPrismaticJoint", next(iter(free.slides))
    if counts == (0, 3) and {*free.turns.values()} == {(None, None)}:
        return "PhysicsSphericalJoint", None
    return "PhysicsJoint", None
