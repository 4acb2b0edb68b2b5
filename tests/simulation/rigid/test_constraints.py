"""Constraints of Blender's and joint settings, in plain values."""

from __future__ import annotations

import random

import pytest

from omi_physics_addon.model.joint_kinds import KINDS, JointKind, make, recognize
from omi_physics_addon.model.joints import JointDrive, JointLimit, JointSettings
from omi_physics_addon.simulation.rigid.constraints import plans_of, settings_of
from omi_physics_addon.simulation.rigid.values import CONSTRAINT, completed, residue

STEP, ITERATIONS = 1.0 / 240.0, 10


def settings(**values):
    return settings_of({**CONSTRAINT, **values}, STEP, ITERATIONS)


def limits(kind, low, high, *axes):
    found = {}
    for axis in axes:
        found[f"use_limit_{kind}_{axis}"] = True
        found[f"limit_{kind}_{axis}_lower"], found[f"limit_{kind}_{axis}_upper"] = low, high
    return found


def by_axis(record):
    """The ends of each degree of freedom."""
    return {
        (name, axis, limit.min, limit.max)
        for limit in record.limits
        for name in ("linear_axes", "angular_axes")
        for axis in getattr(limit, name)
    }


class TestSettings:
    def test_ways_are_those_of_the_first_object(self):
        kind = recognize(settings(type="SLIDER", **limits("lin", -0.1, 0.3, "x")))
        assert (kind.kind, kind.min, kind.max) == ("slider", -0.3, 0.1)

    def test_turns_of_hinges_are_as_they_are_and_those_of_pistons_turned_round(self):
        hinge = recognize(settings(type="HINGE", **limits("ang", -0.1, 0.3, "z")))
        assert (hinge.axis, hinge.turn_min, hinge.turn_max) == (2, -0.1, 0.3)
        piston = recognize(settings(type="PISTON", **limits("ang", -0.1, 0.3, "x")))
        assert (piston.axis, piston.turn_min, piston.turn_max) == (0, -0.3, 0.1)

    def test_crossed_ends_leave_it_free(self):
        assert settings(type="GENERIC", **limits("lin", 1.0, -1.0, "x")).limits == ()

    def test_newer_springs_have_their_damping_and_older_ones_creep(self):
        spring = {"type": "GENERIC_SPRING", "use_spring_z": True, "spring_damping_z": 0.5}
        (newer,) = settings(**spring).drives
        (older,) = settings(**spring, spring_type="SPRING1").drives
        assert (newer.axis, newer.stiffness, newer.damping) == (2, 10.0, 0.5)
        assert older.damping == pytest.approx(10 / 240 / 0.5, rel=1e-5)

    def test_a_spring_on_a_held_axis_does_nothing(self):
        held = limits("lin", 0.0, 0.0, "z")
        assert settings(type="GENERIC_SPRING", use_spring_z=True, **held).drives == ()

    def test_motor(self):
        drives = settings(type="MOTOR", use_motor_lin=True, use_motor_ang=True).drives
        assert [(d.type, d.axis, d.velocity_target, d.max_force) for d in drives] == [
            ("linear", 0, 1.0, 1.0),
            ("angular", 0, 1.0, 1.0),
        ]


class TestPlans:
    @pytest.mark.parametrize(
        ("kind", "wanted"),
        [("fixed", "FIXED"), ("ball", "POINT"), ("hinge", "HINGE"), ("slider", "SLIDER")]
        + [("piston", "PISTON"), ("rope", "GENERIC")],
    )
    @pytest.mark.parametrize("axis", [0, 1, 2])
    def test_type_with_the_axis_in_its_place(self, kind, wanted, axis):
        values = {"max": 2.0} if kind == "rope" else {}
        (plan,), _ = plans_of(make(JointKind(kind=kind, axis=axis, **values)))
        assert plan.values["type"] == wanted
        if kind in ("hinge", "slider", "piston"):
            assert ((2 if kind == "hinge" else 0) + plan.shift) % 3 == axis

    def test_motors_are_constraints_of_their_own(self):
        drive = JointDrive(type="angular", velocity_target=2.0, damping=5.0, max_force=3.0)
        plans, losses = plans_of(make(JointKind(kind="motor", axis=1, drive=drive)))
        assert [(plan.values["type"], plan.shift) for plan in plans] == [("HINGE", 2), ("MOTOR", 1)]
        assert plans[1].values["motor_ang_max_impulse"] == 3.0
        assert losses == []

    def test_losses_are_named(self):
        soft = JointLimit(linear_axes=(0,), min=-1.0, max=1.0, stiffness=5.0)
        cone = JointLimit(angular_axes=(0, 1), min=-0.3, max=0.3)
        servo = JointDrive(mode="acceleration", position_target=1.0, stiffness=2.0, max_force=1.0)
        other = JointDrive(type="odd")
        _, losses = plans_of(JointSettings(limits=(soft, cone), drives=(servo, other)))
        words = ("softness", "cone", "mode", "target", "maximum force", "type odd")
        assert all(any(word in loss for loss in losses) for word in words)
        assert len(losses) == len(words)

    def test_settings_and_constraints_agree(self):
        """What a constraint becomes is said by the same constraint again."""
        chance = random.Random(1)
        kinds = ("HINGE", "SLIDER", "PISTON", "GENERIC", "GENERIC_SPRING")
        for kind in kinds * 40:
            values = {"type": kind}
            for group in ("lin", "ang"):
                for axis in "xyz":
                    if chance.random() < 0.6:
                        low = chance.choice([0.0, -0.5, -1.5])
                        values |= limits(group, low, chance.choice([0.0, 0.5, 1.5]), axis)
            for axis in ("x", "ang_z"):
                values[f"use_spring_{axis}"] = chance.random() < 0.5
            wanted = settings(**values)
            plans, losses = plans_of(wanted)
            assert not losses
            back = settings_of(plans[0].values, STEP, ITERATIONS)
            if plans[0].shift == 0:
                assert by_axis(back) == by_axis(wanted)
                assert back.drives == wanted.drives

    def test_every_kind_of_joint_has_a_plan(self):
        for kind in KINDS:
            assert plans_of(make(JointKind(kind=kind, max=1.0)))[0]


class TestResidue:
    def test_comes_back_where_ours_says_the_same_still(self):
        kept = residue({"a": 1, "b": 2}, {"a": 1, "b": 3})
        assert kept == {"b": [2, 3]}
        assert completed({"a": 5, "b": 2}, kept) == {"a": 5, "b": 3}
        assert completed({"a": 1, "b": 9}, kept) == {"a": 1, "b": 9}

    @pytest.mark.parametrize("kept", [{"b": 3}, {"b": [2]}, {"c": [1, 2]}, {"b": None}])
    def test_what_others_wrote_there_is_left_out(self, kept):
        assert completed({"b": 2}, kept) == {"b": 2}
