"""Reads MJCF, by MuJoCo's own compiler, which knows its defaults, frames and angles.

Source: MuJoCo's XML reference and mjmodel.h, 3.0 and later.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from ..files.beside import is_inside, is_there
from ..geometry.arrays import Array
from ..geometry.inertia import tensor
from ..geometry.rotations import rotation_matrix, rotations_of_vectors
from ..issue_codes import Code
from ..issues import Issues
from ..model.bodies import CollisionFilter, PhysicsMaterial
from ..model.fields import AxisIndex
from ..model.joints import JointDrive, JointLimit, JointSettings
from ..model.shapes import Box, Capsule, Cylinder, Plane, Sphere
from ..simulation.world import Form, Mesh
from . import turns, xml_source
from .robots import EARTH, WORLD, Kept, Link, Part, Pose, Robot, RobotJoint, clamped
from .table import FormatError
from .turns import Ranges
from .writing import hull_of
from .xml_source import Element

_FREE, _BALL, _SLIDE, _HINGE = range(4)  # mjtJoint.
_PLANE, _HEIGHTS, _SPHERE, _CAPSULE, _ELLIPSOID, _CYLINDER, _BOX, _MESH = range(8)  # mjtGeom.
_CONNECT, _WELD = range(2)  # mjtEq.
_ON_BODIES: Final = 1  # mjtObj: what the ends of an equality are.
_AFFINE: Final = 1  # mjtBias.
_ON_JOINT: Final = 0  # mjtTrn.
_SLIDING: Final = 3  # The condim of a contact with sliding friction only.
_NEAR: Final = 1e-6  # Cosine between axes that count as perpendicular.
_FOLDERS: Final = ("meshdir", "texturedir", "assetdir")
# What is told of by name: the kinds of MuJoCo, their counts, and what becomes of them.
_LEFT_OUT: Final = (
    ("tendon", "mjOBJ_TENDON", "ntendon", "it pulls nothing"),
    ("sensor", "mjOBJ_SENSOR", "nsensor", "nothing is measured"),
    ("keyframe", "mjOBJ_KEY", "nkey", "the robot starts in its reference pose"),
    ("flexible body", "mjOBJ_FLEX", "nflex", "it is missing"),
    ("skin", "mjOBJ_SKIN", "nskin", "it is not seen"),
    ("contact pair", "mjOBJ_PAIR", "npair", "contacts follow from the colliders"),
    ("plugin", "mjOBJ_PLUGIN", "nplugin", "it does nothing"),
)
# What is read of a model, and may be what no number is.
_NUMBERS: Final = (
    *("body_pos", "body_ipos", "body_mass", "body_inertia", "body_gravcomp", "geom_pos"),
    *("geom_size", "geom_friction", "geom_rgba", "mesh_vert", "mesh_pos", "jnt_pos", "jnt_axis"),
    *("jnt_range", "jnt_stiffness", "qpos0", "qpos_spring", "dof_damping", "dof_frictionloss"),
    *("dof_armature", "eq_data", "actuator_biasprm", "actuator_gear", "actuator_forcerange"),
)
_NEEDS: Final = (
    "MJCF is read by MuJoCo's compiler, which this Python lacks; convert the file on the command "
    'line after: pip install "omi-physics-addon[mjcf]"'
)


def read(path: Path, issues: Issues, *, allow_outside: bool = False) -> Robot:
    """The robot in a file.

    Raises:
        FormatError: the file cannot be read, or MuJoCo is not installed.
    """
    _check_sources(path, allow_outside=allow_outside)
    try:
        library: Any = importlib.import_module("mujoco")
    except ModuleNotFoundError as problem:
        raise FormatError(f"{path}: {_NEEDS}") from problem
    warnings: list[str] = []
    # Else it writes them to standard output, and into a file in the current folder.
    library.set_mju_user_warning(warnings.append)
    try:
        model = library.MjModel.from_xml_path(str(path))
    except (ValueError, RuntimeError, library.FatalError) as problem:
        why = " ".join(str(problem).split())
        raise FormatError(f"{path.name}: MuJoCo refuses the file: {why}") from problem
    finally:
        library.set_mju_user_warning(None)
    for warning in dict.fromkeys(warnings):
        why = f"MuJoCo warns of the file, so what it read may differ: {' '.join(warning.split())}"
        issues.add(Code.FORMAT_APPROXIMATES, path.name, why)
    for name in _NUMBERS:
        if not (np.abs(getattr(model, name)) < xml_source.LARGEST).all():
            raise FormatError(f"{path.name}: a number of {name} is not one that a file can mean")
    if not (np.linalg.norm(model.jnt_axis, axis=1) > _NEAR).all():
        raise FormatError(f"{path.name}: the axis of a joint is too long to have a direction")
    return _Reader(library, model, path.name, issues).robot()


def _check_sources(path: Path, *, allow_outside: bool) -> None:
    """Look through a file, what it includes and the models that it attaches, as MuJoCo reads all.

    Raises:
        FormatError: one of them is damaged or dangerous, or names what is outside of the folder.
    """
    known: dict[Path, Element] = {}

    def usable(candidates: Iterable[Path]) -> Iterator[Path]:
        for each in candidates:  # Of what is not there, MuJoCo tells.
            if is_there(each) and (allow_outside or is_inside(each, path)):
                yield each.parent.resolve() / each.name

    models = [path]
    for model in models:
        files = [model]
        for file in files:
            if file not in known:
                known[file] = xml_source.read(file)
            names = [e.word("file") for e in known[file].walk() if e.tag == "include"]
            inner = usable(home / name for name in names for home in (model.parent, file.parent))
            files += [each for each in dict.fromkeys(inner) if each not in files]
        elements = [each for file in files for each in known[file].walk()]
        parents = dict.fromkeys(file.parent for file in files)
        folders = [
            each.attributes[name]
            for each in elements
            for name in each.attributes
            if name in _FOLDERS
        ]
        homes = parents | dict.fromkeys(model.parent / folder for folder in folders)
        for element in elements:
            if not allow_outside:
                _check_files(element, path, parents if element.tag == "include" else homes)
            if element.tag == "model":
                named = usable(home / element.attributes.get("file", "") for home in homes)
                models += [each for each in dict.fromkeys(named) if each not in models]


def _check_files(element: Element, source: Path, homes: Iterable[Path]) -> None:
    """Make sure that an element names nothing outside of the folder of its file.

    Args:
        homes: where MuJoCo may look.

    Raises:
        FormatError: it does.
    """
    for name, value in element.attributes.items():
        if name.startswith("file") and any(not is_inside(home / value, source) for home in homes):
            why = f'"{value}" is outside of the folder of {source.name}'
            raise element.error(f"{why}; --allow-outside reads it")


class _Reader:
    """Reads one compiled model."""

    def __init__(self, library: Any, model: Any, file: str, issues: Issues) -> None:
        self._library, self._model, self._issues = library, model, issues
        self._file = file
        self._robot = Robot(bytes(model.names).split(b"\0")[0].decode() or "robot")
        data = library.MjData(model)
        library.mj_kinematics(model, data)
        self._poses = [
            Pose(data.xpos[i].copy(), data.xmat[i].reshape(3, 3).copy()) for i in range(model.nbody)
        ]
        # Each body's link, and where it is in that.
        self._links: dict[int, tuple[int, Pose]] = {}
        self._filters = self._make_filters()
        self._acting: set[int] = set()  # The actuators that are drives.
        self._excluded = {(int(pair) >> 16, int(pair) & 0xFFFF) for pair in model.exclude_signature}

    def robot(self) -> Robot:
        model = self._model
        x, y, z = model.opt.gravity.tolist()
        self._robot.gravity = (x, y, z) if (x, y, z) != EARTH else EARTH
        for body in range(1, model.nbody):
            self._body(body)
        self._geoms(0)
        for number in range(model.neq):
            self._equality(number)
        self._tell_left_out()
        return self._robot

    def _name(self, kind: str, index: int, otherwise: str) -> str:
        found = self._library.mj_id2name(self._model, getattr(self._library.mjtObj, kind), index)
        return found or otherwise

    def _body_name(self, body: int) -> str:
        return self._name("mjOBJ_BODY", body, f"body_{body}")

    def _world(self) -> int:
        """The link of what never moves."""
        if 0 not in self._links:
            taken = {self._body_name(body) for body in range(1, self._model.nbody)}
            name = WORLD if WORLD not in taken else f"{WORLD} of {self._file}"
            self._links[0] = len(self._robot.links), Pose()
            self._robot.links.append(Link(name, Pose(), f"{self._file} worldbody", type="static"))
        return self._links[0][0]

    def _body(self, body: int) -> None:
        model = self._model
        name, parent = self._body_name(body), int(model.body_parentid[body])
        first = int(model.body_jntadr[body])
        joints = range(first, first + int(model.body_jntnum[body]))
        mass = float(model.body_mass[body])
        is_still = int(model.body_weldid[body]) == 0
        if not joints and mass <= 0.0 and not is_still:
            link, inner = self._links[parent]
            inner = inner @ self._poses[parent].inverse() @ self._poses[body]
            self._links[body] = link, inner
            self._robot.links[link].frames.append((name, inner, f"{name}_joint"))
            self._geoms(body)
            return
        link = Link(name, self._poses[body], f'{self._file} body "{name}"')
        if is_still:
            link.type = "kinematic" if model.body_mocapid[body] >= 0 else "static"
        elif mass > 0.0:
            link.mass, link.center = mass, model.body_ipos[body].copy()
            link.tensor = tensor(model.body_inertia[body], _turn(model.body_iquat[body]))
            link.gravity_factor = 1.0 - float(model.body_gravcomp[body])
        self._links[body] = len(self._robot.links), Pose()
        self._robot.links.append(link)
        self._geoms(body)
        if is_still or (joints and model.jnt_type[first] == _FREE):
            self._tell_passive(joints)
            return
        above = self._world() if parent == 0 else self._links[parent][0]
        self._join(body, parent, above, joints)

    def _geoms(self, body: int) -> None:
        """Add the colliders and visuals of a body to its link."""
        model = self._model
        first, count = int(model.body_geomadr[body]), int(model.body_geomnum[body])
        if not count:
            return
        if body == 0:
            self._world()
        at, inner = self._links[body]
        owner = self._robot.links[at].name if body == 0 else self._body_name(body)
        for number, geom in enumerate(range(first, first + count), 1):
            name = self._name("mjOBJ_GEOM", geom, f"{owner}_geom_{number}")
            pose = inner @ Pose(model.geom_pos[geom].copy(), _rotation(model.geom_quat[geom]))
            found = self._form(geom, name)
            if found is None:
                continue
            form, own = found
            meets = int(model.geom_contype[geom]), int(model.geom_conaffinity[geom])
            is_visual = meets == (0, 0)
            self._robot.links[at].parts.append(
                Part(
                    name,
                    form,
                    pose @ own,
                    None if is_visual else self._surface(geom, name),
                    self._filters.get(meets),
                    clamped(model.geom_rgba[geom]),
                    is_visual,
                )
            )

    def _form(self, geom: int, name: str) -> tuple[Form, Pose] | None:
        """The shape of a geom and where it is in it; None where glTF has no such shape."""
        model = self._model
        kind = int(model.geom_type[geom])
        a, b, c = map(float, model.geom_size[geom])
        if kind == _PLANE:
            return Plane(size_x=2 * a or None, size_z=2 * b or None), Pose()
        if kind == _SPHERE:
            return Sphere(radius=a), Pose()
        if kind in (_CAPSULE, _CYLINDER):
            made = Capsule if kind == _CAPSULE else Cylinder
            return made(height=2 * b, radius_bottom=a, radius_top=a), Pose()
        if kind == _BOX:
            return Box(size=(2 * a, 2 * b, 2 * c)), Pose()
        if kind == _MESH:
            return self._mesh(int(model.geom_dataid[geom]))
        what = {_HEIGHTS: "height field", _ELLIPSOID: "ellipsoid"}.get(kind, "shape")
        if kind == _ELLIPSOID:
            why = f'the {what} "{name}" is written as a convex hull, because glTF has none'
            self._issues.add(Code.FORMAT_APPROXIMATES, self._place("geom", name), why)
            ball = hull_of(Capsule(height=1e-9, radius_bottom=1.0, radius_top=1.0))
            return Mesh(ball.corners * (a, b, c), ball.triangles, is_convex=True), Pose()
        self._leave_out("geom", name, f"the {what}", "it is missing")
        return None

    def _mesh(self, mesh: int) -> tuple[Form, Pose]:
        """A mesh as its file has it; MuJoCo has put it into its middle."""
        model = self._model
        first, count = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
        corners = model.mesh_vert[first : first + count].astype(np.float64)
        first, count = int(model.mesh_faceadr[mesh]), int(model.mesh_facenum[mesh])
        triangles = model.mesh_face[first : first + count].astype(np.int64)
        own = Pose(model.mesh_pos[mesh].copy(), _rotation(model.mesh_quat[mesh]))
        points = (corners @ own.rotation.T + own.place).astype(np.float32).astype(np.float64)
        return Mesh(points, triangles, is_convex=True), own.inverse()

    def _surface(self, geom: int, name: str) -> PhysicsMaterial:
        model = self._model
        slide = float(model.geom_friction[geom][0])
        if int(model.geom_condim[geom]) > _SLIDING:
            self._leave_out("geom", name, "the rolling friction", "the geom rolls freely")
        return PhysicsMaterial(
            static_friction=slide, dynamic_friction=slide, friction_combine="maximum"
        )

    def _make_filters(self) -> dict[tuple[int, int], CollisionFilter]:
        """By contype and conaffinity, who meets whom; empty where all do."""
        model = self._model
        masks = zip(model.geom_contype.tolist(), model.geom_conaffinity.tolist(), strict=True)
        kinds = [mask for mask in dict.fromkeys(masks) if mask != (0, 0)]
        names = {kind: f"group {number}" for number, kind in enumerate(kinds, 1)}
        met = {
            one: [other for other in kinds if one[0] & other[1] or other[0] & one[1]]
            for one in kinds
        }
        if all(len(found) == len(kinds) for found in met.values()):
            return {}
        every = tuple(names.values())
        return {
            kind: CollisionFilter(
                collision_systems=(names[kind],),
                collide_with_systems=tuple(names[other] for other in found),
                not_collide_with_systems=() if found else every,
            )
            for kind, found in met.items()
        }

    def _join(self, body: int, parent: int, above: int, joints: Sequence[int]) -> None:
        """Make one joint of those of a body."""
        model = self._model
        name = self._body_name(body)
        names = [self._name("mjOBJ_JOINT", i, f"{name}_joint") for i in joints]
        inner = self._links[parent][1] if parent else Pose()
        moved = inner @ self._poses[parent].inverse() @ self._poses[body]
        kept, at = self._tell_passive(joints), self._links[body][0]
        frame, settings, start = Pose(), turns.settings({}, {}), Pose()
        ball = next((i for i in joints if model.jnt_type[i] == _BALL), None)
        if ball is not None:
            frame, settings = Pose(model.jnt_pos[ball].copy()), self._ball(ball)
            for joint in joints:
                if joint != ball:
                    self._leave_out_joint(joint, name)
        elif joints:
            frame, settings, start = self._chain(joints, name)
        is_near = model.body_weldid[parent] == 0
        meets = is_near and not self._is_excluded(parent, body)
        self._robot.joints.append(
            RobotJoint(
                names[0] if names else f"{name}_joint",
                self._place("body", name),
                above,
                at,
                moved @ frame @ start.inverse(),
                frame,
                settings,
                enable_collision=bool(meets),
                kept=kept,
            )
        )

    def _is_excluded(self, one: int, other: int) -> bool:
        found = {(one, other), (other, one)} & self._excluded
        self._excluded -= found
        return bool(found)

    def _ball(self, joint: int) -> JointSettings:
        model = self._model
        free = turns.settings({}, turns.open_ranges())
        limits = free.limits
        if model.jnt_limited[joint]:
            far = float(model.jnt_range[joint][1])
            limits += (JointLimit(angular_axes=turns.AXES, min=-far, max=far),)
        drives = tuple(
            drive
            for axis in turns.AXES
            for drive in self._passive(joint, "angular", axis, 1.0, is_ball=True)
        )
        return JointSettings(limits=limits, drives=drives)

    def _chain(self, joints: Sequence[int], name: str) -> tuple[Pose, JointSettings, Pose]:
        """Slides and hinges of one body as one joint: its frame, what it does, where it starts."""
        model = self._model
        axes: list[Array] = [turns.towards(model.jnt_axis[joints[0]])[:, 0]]
        for joint in joints[1:]:
            axis = model.jnt_axis[joint]
            if all(abs(float(axis @ each)) < _NEAR for each in axes):
                axes.append(axis)
        frame = turns.towards(axes[0])
        if len(axes) > 1:
            frame = np.column_stack([axes[0], axes[1], np.cross(axes[0], axes[1])])
        pivots = [model.jnt_pos[joint] for joint in joints if model.jnt_type[joint] == _HINGE]
        pivot = pivots[0] if pivots else model.jnt_pos[joints[0]]
        slides, turning, start = Ranges(), Ranges(), Pose()
        drives: list[JointDrive] = []
        for joint in joints:
            is_slide = model.jnt_type[joint] == _SLIDE
            along: Array = model.jnt_axis[joint] @ frame
            index = int(np.argmax(np.abs(along)))
            sign = float(np.sign(along[index]))
            ranges = slides if is_slide else turning
            is_apart = not is_slide and np.abs(model.jnt_pos[joint] - pivot).max() > _NEAR
            if abs(along[index]) < 1.0 - _NEAR or index in ranges or is_apart:
                self._leave_out_joint(joint, name)
                continue
            low, high = (float(end) for end in model.jnt_range[joint])
            if sign < 0.0:
                low, high = 0.0 - high, 0.0 - low
            is_limited = bool(model.jnt_limited[joint])
            ranges[index] = (low, high) if is_limited else (None, None)
            begin = sign * float(model.qpos0[model.jnt_qposadr[joint]])
            unit = np.eye(3)[index]
            if is_slide:
                start = start @ Pose(unit * begin)
            else:
                turn = rotations_of_vectors((unit * begin)[None])[0]
                start = start @ Pose(np.zeros(3), turn)
            kind = "linear" if is_slide else "angular"
            drives += self._passive(joint, kind, AxisIndex(index), sign)
            drives += self._actuators(joint, kind, AxisIndex(index), sign)
        if len(turning) > 1:
            why = f'the hinges of "{name}" are written as one joint, whose ranges differ far from 0'
            self._issues.add(Code.FORMAT_APPROXIMATES, self._place("body", name), why)
        settings = turns.settings(slides, turning, _merged(drives))
        return Pose(pivot.copy(), frame), settings, start

    def _leave_out_joint(self, joint: int, body: str) -> None:
        """Tell of a joint that cannot be said together with those beside it."""
        name = self._name("mjOBJ_JOINT", joint, f"{body}_joint")
        effect = f'"{body}" has another one beside it and stays fixed'
        self._leave_out("joint", name, "the joint", effect)

    def _passive(
        self, joint: int, kind: str, axis: AxisIndex, sign: float, *, is_ball: bool = False
    ) -> Iterator[JointDrive]:
        """The spring and the damper of a joint."""
        model = self._model
        stiffness = float(np.ravel(model.jnt_stiffness[joint])[0])
        damping = float(np.ravel(model.dof_damping[model.jnt_dofadr[joint]])[0])
        if not stiffness and not damping:
            return
        rest = 0.0 if is_ball else sign * float(model.qpos_spring[model.jnt_qposadr[joint]])
        yield JointDrive(
            type=kind,
            axis=axis,
            stiffness=stiffness,
            damping=damping,
            position_target=rest if stiffness else None,
            velocity_target=0.0 if damping else None,
        )

    def _actuators(
        self, joint: int, kind: str, axis: AxisIndex, sign: float
    ) -> Iterator[JointDrive]:
        """The drives that actuators are while nothing controls them."""
        model = self._model
        for number in range(model.nu):
            if (
                model.actuator_trntype[number] != _ON_JOINT
                or model.actuator_trnid[number][0] != joint
            ):
                continue
            if model.actuator_biastype[number] != _AFFINE:
                continue
            ratio = float(model.actuator_gear[number][0])
            base, by_place, by_speed = (float(v) for v in model.actuator_biasprm[number][:3])
            stiffness, damping = -by_place * ratio**2, -by_speed * ratio**2
            if stiffness < 0.0 or damping < 0.0 or not (stiffness or damping):
                continue
            self._acting.add(number)
            target = sign * base * ratio / (stiffness or damping)
            strongest = None
            if model.actuator_forcelimited[number]:
                strongest = float(np.abs(model.actuator_forcerange[number]).min()) * abs(ratio)
            yield JointDrive(
                type=kind,
                axis=axis,
                stiffness=stiffness,
                damping=damping,
                max_force=strongest,
                position_target=target if stiffness else None,
                velocity_target=(0.0 if stiffness else target) if damping else None,
            )

    def _tell_passive(self, joints: Sequence[int]) -> Kept:
        """What joints have that glTF has no words for, told; that of the first is kept."""
        model = self._model
        kept: dict[str, dict[str, str]] = {}
        for joint in joints:
            name = self._name("mjOBJ_JOINT", joint, f"joint {joint}")
            at = int(model.jnt_dofadr[joint])
            for tag, word, value, effect in (
                ("dynamics", "friction", model.dof_frictionloss[at], "has no dry friction"),
                ("mjcf", "armature", model.dof_armature[at], "turns without the motor's inertia"),
            ):
                number = float(np.ravel(value)[0])
                if not number:
                    continue
                kept.setdefault(tag, {}).setdefault(word, f"{number:.12g}")
                why = (
                    f'the {word} of the joint "{name}" has no counterpart in glTF, so the joint '
                    f"{effect}; the value is kept for export"
                )
                self._issues.add(Code.FORMAT_VALUE_KEPT, self._place("joint", name), why)
            if model.jnt_type[joint] == _FREE and np.ravel(model.dof_damping[at])[0]:
                why = "the body keeps its speed"
                self._leave_out("joint", name, "the damping of a free joint", why)
        return kept

    def _equality(self, number: int) -> None:
        """A joint that closes a loop."""
        model = self._model
        kind, name = (
            int(model.eq_type[number]),
            self._name("mjOBJ_EQUALITY", number, f"equality {number}"),
        )
        is_active = bool(model.eq_active0[number])
        if kind not in (_CONNECT, _WELD) or model.eq_objtype[number] != _ON_BODIES or not is_active:
            self._leave_out("equality", name, "the constraint", "it holds nothing")
            return
        ends = int(model.eq_obj1id[number]), int(model.eq_obj2id[number])
        numbers = model.eq_data[number]
        if kind == _CONNECT:
            settings = turns.settings({}, turns.open_ranges())
            frames = [Pose(numbers[:3].copy()), Pose(numbers[3:6].copy())]
        else:
            settings = turns.settings({}, {})
            # The same point in both, and how the second body is turned in the first one.
            point = Pose(numbers[3:6].copy(), _rotation(numbers[6:10]))
            frames = [point, Pose(numbers[:3].copy())]
        links: list[int] = []
        for k, body in enumerate(ends):
            at, inner = (self._world(), Pose()) if body == 0 else self._links[body]
            links.append(at)
            frames[k] = inner @ frames[k]
        if links[0] == links[1]:
            return
        place = self._place("equality", name)
        # MuJoCo lets bodies meet that only a constraint holds, unless they are excluded.
        meets = not self._is_excluded(*ends)
        self._robot.joints.append(
            RobotJoint(name, place, links[0], links[1], frames[0], frames[1], settings, meets)
        )

    def _tell_left_out(self) -> None:
        """Tell of all that no part of glTF's physics can say."""
        model = self._model
        for word, kind, count, effect in _LEFT_OUT:
            for number in range(getattr(model, count)):
                name = self._name(kind, number, f"{word} {number}")
                self._leave_out(word, name, f"the {word}", effect)
        for number in range(model.nu):
            if number not in self._acting:
                name = self._name("mjOBJ_ACTUATOR", number, f"actuator {number}")
                self._leave_out("actuator", name, "the actuator", "nothing moves its joint")
        for one, other in sorted(self._excluded):
            names = f"{self._body_name(one)} and {self._body_name(other)}"
            self._leave_out("exclude", names, "the exclusion", "these bodies collide")
        for word in ("density", "viscosity"):
            if getattr(model.opt, word):
                self._leave_out("option", word, f"the {word} of the air", "nothing slows bodies")

    def _place(self, kind: str, name: str) -> str:
        return f'{self._file} {kind} "{name}"'

    def _leave_out(self, kind: str, name: str, what: str, effect: str) -> None:
        why = f'{what} "{name}" is left out, because glTF has no counterpart, so {effect}'
        if what.startswith(("the rolling", "the damping", "the density", "the viscosity")):
            why = why.replace(f'"{name}"', f'of "{name}"')
        self._issues.add(Code.FORMAT_LEAVES_OUT, self._place(kind, name), why)


def _merged(drives: Sequence[JointDrive]) -> tuple[JointDrive, ...]:
    """Drives, of which those of one axis that nothing limits are one."""
    found: list[JointDrive] = []
    for drive in drives:
        same = [
            each
            for each in found
            if (each.type, each.axis, each.max_force) == (drive.type, drive.axis, None)
        ]
        if drive.max_force is not None or not same:
            found.append(drive)
            continue
        found[found.index(same[0])] = _sum(same[0], drive)
    return tuple(found)


def _sum(one: JointDrive, other: JointDrive) -> JointDrive:
    """The drive that pushes as two do together."""
    stiffness, damping = one.stiffness + other.stiffness, one.damping + other.damping
    pulls = sum(each.stiffness * (each.position_target or 0.0) for each in (one, other))
    speeds = sum(each.damping * (each.velocity_target or 0.0) for each in (one, other))
    return JointDrive(
        type=one.type,
        axis=one.axis,
        stiffness=stiffness,
        damping=damping,
        position_target=pulls / stiffness if stiffness else None,
        velocity_target=speeds / damping if damping else None,
    )


def _turn(quaternion: Array) -> Array:
    """MuJoCo's quaternion, w first, as x, y, z, w."""
    return np.roll(quaternion, -1)


def _rotation(quaternion: Array) -> Array:
    return rotation_matrix(_turn(quaternion))
