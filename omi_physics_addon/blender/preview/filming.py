"""Plays a scene with what pilots and joints are told, and keeps all that can be expected of it."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from ...expectations.film import Film, UnmeasurableError, axis_vector
from ...expectations.judging import judge
from ...expectations.reading import near, read
from ...expectations.records import Checks, ExpectationError, Expectations, Input
from ...issues import Issue
from ...model.joints import JointDrive
from ...simulation.joints.drives import drives_of
from ...simulation.world import JointFrames
from ..scene import scene_check
from . import player, recorder
from .session import Session
from .stage import unseen

_FORWARD: Final = 2  # The axis of vehicles that points ahead.
_UP: Final = 1
_STANDING: Final = 0.05  # m/s, below which a brake has nothing to do.


class Inputs:
    """Tells vehicles and drives of joints what a file says."""

    def __init__(self, session: Session, expectations: Expectations) -> None:
        """Take a preview that has not begun yet.

        Raises:
            ExpectationError: there is no such vehicle, joint or drive.
        """
        self._session = session
        self._is_blender = expectations.is_blender
        self._pilots = [
            (one, self._vehicle(one)) for one in expectations.inputs if one.subject == "vehicle"
        ]
        self._drives = [
            (one, *self._drive(one, key), key)
            for one in expectations.inputs
            if one.subject == "joint"
            for key in one.values
        ]
        made = session.forces.vehicles
        self._told = {
            at: (
                made.vehicles.linear_activation[at].copy(),
                made.vehicles.angular_activation[at].copy(),
            )
            for _, at in self._pilots
            if made is not None
        }
        self._set: dict[tuple[int, int], JointDrive] = {}

    def tell(self, time: float) -> None:
        """Set all that is to be told at a time; what nobody tells is as the file has it."""
        self._pilot(time)
        if not self._drives:
            return
        targets: dict[tuple[int, int], JointDrive] = {}
        joints = self._session.world.joints
        for one, joint, at, sign, key in self._drives:
            if _is_on(one, time):
                drive = targets.get((joint, at), joints[joint].drives[at])
                value = sign * one.values[key] * (math.pi / 180.0 if "deg" in key else 1.0)
                name = "velocity_target" if key.endswith("per_s") else "position_target"
                targets[joint, at] = dataclasses.replace(drive, **{name: value})
        if targets != self._set:
            self._set = targets
            drives = [
                (i, targets.get((i, at), drive))
                for i, joint in enumerate(joints)
                for at, drive in enumerate(joint.drives)
            ]
            if not self._session.forces.retarget(drives_of(drives)):
                raise RuntimeError("drives of joints cannot be controlled during the simulation")

    def _pilot(self, time: float) -> None:
        made = self._session.forces.vehicles
        if made is None:
            return
        vehicles = made.vehicles
        for at, (linear, angular) in self._told.items():
            vehicles.linear_activation[at], vehicles.angular_activation[at] = linear, angular
        for one, at in self._pilots:
            if not _is_on(one, time):
                continue
            for key, value in one.values.items():
                if key == "throttle":
                    vehicles.linear_activation[at, _FORWARD] = value
                elif key == "steering":
                    vehicles.angular_activation[at, _UP] = value
                elif key == "brake":
                    vehicles.linear_activation[at, _FORWARD] = self._braked(
                        int(vehicles.body[at]), value
                    )
                elif key.startswith("linear_"):
                    vehicles.linear_activation[at, "xyz".index(key[-1])] = value
                else:
                    vehicles.angular_activation[at, "xyz".index(key[-1])] = value

    def _braked(self, body: int, value: float) -> float:
        """What slows a vehicle down by a share of what it can."""
        state = self._session.state
        speed = float(state.rotation[body][:, _FORWARD] @ state.velocity[body])
        return 0.0 if abs(speed) < _STANDING else -math.copysign(value, speed)

    def _vehicle(self, one: Input) -> int:
        session = self._session
        made = session.forces.vehicles
        bodies: list[int] = [] if made is None else made.vehicles.body.tolist()
        names = [session.names[session.world.bodies[body].node] for body in bodies]
        if one.name not in names:
            raise ExpectationError(_unknown(one, "vehicle", names))
        return names.index(one.name)

    def _drive(self, one: Input, key: str) -> tuple[int, int, float]:
        """Joint and drive that an input tells, and the sign of its numbers there."""
        session = self._session
        joints = session.world.joints
        names = [session.names[joint.node] for joint in joints]
        if one.name not in names:
            raise ExpectationError(_unknown(one, "joint", names))
        at = names.index(one.name)
        kind = "angular" if "deg" in key else "linear"
        drive, axis = self._found_drive(one, joints[at], kind)
        # Files say how the connected part is to be; the numbers here are of the joint's own.
        return at, drive, -float(axis.sum())

    def _found_drive(self, one: Input, joint: JointFrames, kind: str) -> tuple[int, Any]:
        fitting = [i for i, drive in enumerate(joint.drives) if drive.type == kind]
        try:
            if one.axis is None and len(fitting) == 1:
                unit = np.eye(3)[joint.drives[fitting[0]].axis]
                flip = self._is_blender and joint.drives[fitting[0]].axis == 2
                return fitting[0], -unit if flip else unit
            is_turn = kind == "angular"
            axis = axis_vector(
                joint, one.name, one.axis, is_turn=is_turn, is_blender=self._is_blender
            )
        except UnmeasurableError as problem:
            raise ExpectationError(f"{one.place}: {problem}") from problem
        for i in fitting:
            if joint.drives[i].axis == int(np.abs(axis).argmax()):
                return i, axis
        raise ExpectationError(f"{one.place}: the joint {one.name} has no {kind} drive there")


def _is_on(one: Input, time: float) -> bool:
    return one.window.start - 1e-6 <= time < one.window.end - 1e-6


def _unknown(one: Input, what: str, names: Sequence[str]) -> str:
    hint = near(one.name, names) or (f"; there are {', '.join(names[:5])}" if names else "")
    return f"{one.place}: there is no {what} {one.name}{hint}"


def film(scene: Any, expectations: Expectations, issues: Sequence[Issue]) -> Film:
    """Play a scene as a file of expectations wants it, and stop.

    Raises:
        ExpectationError: it tells something that is not there.
        ValueError: there are no bodies.
        RuntimeError: the preview failed.
    """
    chosen = recorder.options(expectations.fps, expectations.substeps, expectations.seconds)
    session = player.start(scene, chosen)
    try:
        if not session.world.bodies:
            raise ValueError("the scene has no bodies to simulate")
        inputs = Inputs(session, expectations)
        made = recorder.Recorder(session)
        for number in range(recorder.frames(chosen, expectations.seconds)):
            inputs.tell(max(number - 1, 0) * chosen.step)
            made.step()
        world, names = session.world, session.names
        return Film(
            recording=made.recording,
            masses=session.forces.masses,
            joints=tuple((names[joint.node], joint) for joint in world.joints),
            triggers=tuple(names[volume.node] for volume in world.volumes),
            passages=made.passages(),
            passed=made.passed_by(),
            gravity=session.bodies.gravity,
            has_volumes=any(volume.gravity for volume in world.volumes),
            issues=issues,
        )
    finally:
        player.stop()


def expect(scene: Any, source: Path, file: str, *, allow_outside: bool) -> dict[str, Any]:
    """Play a scene and tell which expectations of a file it kept.

    Args:
        source: the .blend or glTF file that the scene is of.
        file: path of the file of expectations.

    Raises:
        ValueError: the scene or the file of expectations cannot be used.
        RuntimeError: the preview failed.
        OSError: the file of expectations cannot be read.
    """
    wanted = read(Path(file).read_text(encoding="utf-8"), Path(file).name)
    checks = any(isinstance(one.want, Checks) for one in wanted.expectations)
    issues = _issues(scene, source, allow_outside=allow_outside) if checks else ()
    played = film(scene, wanted, issues)
    verdicts = judge(wanted, played)
    return {"seconds": wanted.seconds, "verdicts": [one.to_json() for one in verdicts]}


def _issues(scene: Any, source: Path, *, allow_outside: bool) -> Sequence[Issue]:
    """What `check` says about a file; of a .blend file, what Check in the scene does."""
    from ...files import checking
    from ...files import source as sources

    if source.suffix.lower() == ".blend":
        unseen.place(scene)
        return scene_check.check(scene).issues.found
    try:
        given = sources.read(source, allow_outside=allow_outside)
    except sources.SourceError as problem:
        raise ValueError(str(problem)) from problem
    return checking.check(given).issues.found
