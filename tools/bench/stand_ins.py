"""What stands in for each part of the preview that can be done without; see `switched_off`."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

PACKAGE: Final = "omi_physics_addon"

Function = Callable[..., Any]


@dataclass(frozen=True)
class Off:
    """A function, and what is called in its place.

    Attributes:
        place: its module below the package and its name there, `simulation.rest:settled`.
        acts: whether what stands in does something, so that it cannot be tried beside the real one.
        wraps: whether it gets the function as its first argument.
    """

    place: str
    instead: Function
    acts: bool = False
    wraps: bool = False


@dataclass(frozen=True)
class Part:
    """A module, or a rule in it, that can be switched off.

    Attributes:
        name: the module below the package, and the rule in it behind a colon if it is one.
        offs: what is called otherwise then.
    """

    name: str
    offs: Sequence[Off]


def module_of(name: str) -> Any:
    """A module of the package, below which it has a name."""
    return importlib.import_module(f"{PACKAGE}.{name}")


def gives(value: Any) -> Function:
    """Gives always the same, anew each time where it could be changed."""

    def given(*_args: Any, **_options: Any) -> Any:
        return value.copy() if hasattr(value, "copy") else value

    return given


def _same(given: Any, *_args: Any) -> Any:
    return given


def _same_to_method(_self: Any, given: Any, *_args: Any) -> Any:
    return given


def _no_heaps(start: Any) -> Any:
    return np.full(len(start._at_rest), -1)


def _zeros(like: Any) -> Any:
    return np.zeros_like(like)


def _no_change(_self: Any, _weights: Any, velocity: Any, *_args: Any) -> Any:
    return np.zeros_like(velocity)


def _nobody(bodies: Sequence[Any]) -> Any:
    return np.zeros(len(bodies), dtype=np.bool_)


def _everybody(bodies: Sequence[Any]) -> Any:
    return np.array([bool(body.is_forced and body.solids) for body in bodies], dtype=np.bool_)


def _no_pull(_self: Any, state: Any, *_args: Any) -> Any:
    return np.zeros_like(state.position)


def _keeps_all(_self: Any, state: Any, *_args: Any) -> Any:
    return np.ones(len(state.position))


def _thrown_once(self: Any, motion: tuple[Any, Any], *_args: Any) -> float:
    """A bounce of the right speed, which nobody puts right."""
    self.left, (_, velocity) = 0, motion
    velocity += self.normal * ((self.ground - velocity) @ self.normal)
    return float(self.speed)


def _as_ball(self: Any, body: int, _state: Any, normal: Any) -> Any:
    return -normal * self.size(body)


def _no_hits(*_args: Any) -> Any:
    return module_of("simulation.bullet.pair_contacts").Contacts.none()


def _one_group(kinds: Sequence[Any], *_args: Any) -> Any:
    groups = module_of("simulation.bullet.collision_groups")
    members = np.zeros((len(kinds), groups.GROUPS), dtype=np.bool_)
    members[:, 0] = True
    return groups.Groups(members, ())


def _own_frictions(kinds: Sequence[Any], _meet: Any) -> Any:
    return np.sqrt([material.dynamic_friction for material, *_ in kinds])


def _all_parts(*_args: Any) -> Function:
    def meet(first: Any, _second: Any) -> Any:
        return np.ones(len(first), dtype=np.bool_)

    return meet


def _all_groups(_self: Any, groups: Any, _filters: Any, columns: Any = None) -> Any:
    return np.ones((len(groups), len(groups if columns is None else columns)), dtype=np.bool_)


def _without_brakes(function: Function, left: Any, _braked: Any = (), **options: Any) -> Any:
    return function(left, (), **options)


def _none_launched(self: Any) -> Any:
    return np.zeros(len(self.start), dtype=np.bool_)


def _told(module: str, **values: Any) -> list[Part]:
    """A part for each function of a module that only tells, and what it gives for nothing."""
    return [
        Part(f"{module}:{name}", (Off(f"{module}:{name}", gives(value)),))
        for name, value in values.items()
    ]


_BULLET: Final = "simulation.bullet"
_JOINTS: Final = "simulation.joints"
_BODIES: Final = "blender.preview.bodies"

PARTS: Final = (
    Part(f"{_BULLET}.bounces", (Off(f"{_BULLET}.liveliness:lively", _nobody),)),
    Part(
        f"{_BULLET}.wall_bounces",
        (Off(f"{_BULLET}.wall_bounces:WallBounce.added", _thrown_once, acts=True),),
    ),
    Part(f"{_BULLET}.undersides", (Off(f"{_BULLET}.undersides:Undersides.arm", _as_ball),)),
    Part(
        f"{_BULLET}.liveliness",
        (
            Off(f"{_BULLET}.liveliness:lively", _everybody),
            Off(f"{_BULLET}.liveliness:lively_pairs", _everybody),
        ),
    ),
    Part(f"{_BULLET}.pair_bounces", (Off(f"{_BULLET}.liveliness:lively_pairs", _nobody),)),
    Part(f"{_BULLET}.pair_hits", (Off(f"{_BULLET}.pair_hits:PairHits.found", _no_hits),)),
    Part(f"{_BULLET}.hit_energy", (Off(f"{_BULLET}.hit_energy:HitEnergy.surplus", _no_change),)),
    Part(f"{_BULLET}.bullet_compounds", (Off(f"{_BULLET}.bullet_compounds:_scale", gives(None)),)),
    Part(
        f"{_BULLET}.bullet_shapes:hulls that are boxes",
        (Off(f"{_BULLET}.bullet_shapes:as_box", _same),),
    ),
    Part(f"{_BULLET}.collision_groups", (Off(f"{_BULLET}.collision_groups:grouped", _one_group),)),
    Part(
        f"{_BULLET}.convergence:iterations",
        (Off(f"{_BULLET}.convergence:needed_iterations", gives(0.0)),),
    ),
    *_told(
        f"{_BULLET}.convergence",
        stretch=dict[int, float](),
        swinging_losses=dict[int, float](),
        rope_losses=dict[int, float](),
        tumbling_losses=dict[int, float](),
        sunk=dict[int, tuple[float, float]](),
        turning_sliders=list[int](),
    ),
    Part(f"{_BULLET}.filled_meshes", (Off(f"{_BULLET}.filled_meshes:filled", list),)),
    Part(f"{_BULLET}.islands", (Off(f"{_BULLET}.islands:links", gives(list[tuple[int, int]]())),)),
    *_told(
        f"{_BULLET}.landings",
        on_edges=list[int](),
        lopsided=list[int](),
        on_levers=list[int](),
        on_triangles=list[int](),
        on_flat_ends=list[int](),
    ),
    Part(f"{_BULLET}.levers", (Off(f"{_BULLET}.levers:gives_way", gives(False)),)),
    Part(
        f"{_BULLET}.materials",
        (
            Off(f"{_BULLET}.materials:fitted", _own_frictions),
            Off(f"{_BULLET}.materials:Frictions.look", gives(False)),
        ),
    ),
    Part(
        f"{_BULLET}.materials:what comes near",
        (Off(f"{_BULLET}.materials:Frictions.look", gives(False)),),
    ),
    Part(
        f"{_BULLET}.meetings",
        (
            Off(f"{_BULLET}.meetings:Meetings.of", gives(True)),
            Off(f"{_BULLET}.meetings:Meetings.of_solid", gives(True)),
            Off(f"{_BULLET}.meetings:Meetings.of_parts", _all_parts, acts=True),
            Off(f"{_BULLET}.meetings:Meetings.of_groups", _all_groups),
        ),
    ),
    Part(f"{_BULLET}.passing", (Off(f"{_BULLET}.passing:Passing.is_open", gives(False)),)),
    Part(
        f"{_BULLET}.proxies:primitives around the center of mass",
        (Off(f"{_BULLET}.proxies:_centered", gives(None)),),
    ),
    Part(f"{_BULLET}.proxies:margins", (Off(f"{_BULLET}.proxies:edges", _zeros),)),
    Part(
        f"{_BULLET}.solid_outlines",
        (Off(f"{_BULLET}.solid_outlines:lines", gives(np.zeros((0, 3)))),),
    ),
    *_told(
        f"{_BULLET}.tunnelling",
        too_fast=list[tuple[int, float]](),
        thrown_back=(set[int](), set[int]()),
    ),
    Part(
        f"{_JOINTS}.mechanism_energy",
        (Off(f"{_JOINTS}.mechanism_energy:MechanismEnergy.damp", _keeps_all),),
    ),
    Part(f"{_JOINTS}.mechanisms", (Off(f"{_JOINTS}.mechanisms:mechanisms", gives(list[Any]())),)),
    Part(f"{_JOINTS}.joint_modes", (Off(f"{_JOINTS}.joint_modes:modes_of", gives(None)),)),
    Part(
        f"{_JOINTS}.joint_forces:the most turn in a step",
        (Off(f"{_JOINTS}.joint_forces:JointForces._tamed", _same_to_method),),
    ),
    Part(
        f"{_JOINTS}.effective_mass:reactions of held axes",
        (Off(f"{_JOINTS}.effective_mass:Mobility.carried", _same_to_method),),
    ),
    Part(
        f"{_JOINTS}.soft_limits:brakes",
        (Off(f"{_JOINTS}.soft_limits:limits_of", _without_brakes, acts=True, wraps=True),),
    ),
    Part(
        f"{_JOINTS}.native_limits:order of axes", (Off(f"{_JOINTS}.native_limits:order", gives(0)),)
    ),
    Part(
        f"{_JOINTS}.native_limits:room along several axes",
        (Off(f"{_JOINTS}.native_limits:_slack", gives(list[Any]())),),
    ),
    Part(
        f"{_JOINTS}.native_limits:frames that rounding parts",
        (Off(f"{_JOINTS}.native_limits:_apart", _same),),
    ),
    Part(
        f"{_JOINTS}.native_limits:simpler kinds of constraints",
        (Off(f"{_JOINTS}.native_limits:kind_of", gives(("GENERIC", 0))),),
    ),
    *_told(f"{_JOINTS}.native_limits", _gains=False),
    *_told(
        f"{_JOINTS}.joint_doubts",
        too_stiff=(list[int](), np.inf),
        on_long_levers=list[int](),
        flipping=list[int](),
        swinging=list[int](),
    ),
    Part(
        "simulation.gravity_guard",
        (Off("simulation.gravity_guard:GravityGuard.given_back", _no_pull),),
    ),
    *_told("simulation.gravity_middles", open_middles=dict[int, float]()),
    Part(
        "simulation.start.soft_start", (Off("simulation.start.soft_start:_Start.heaps", _no_heaps),)
    ),
    Part(
        f"{_BODIES}.bounds",
        (
            Off(f"{_BODIES}.bounds:require_playable", gives(None)),
            Off(f"{_BODIES}.bounds:require_finite", gives(None)),
        ),
    ),
    Part(
        f"{_BODIES}.constraints:the newer kind",
        (Off(f"{_BODIES}.constraints:Constraints._ease", gives(None), acts=True),),
    ),
    Part(f"{_BODIES}.effort:iterations", (Off(f"{_BODIES}.effort:iterations", gives(10)),)),
    *_told(f"{_BODIES}.effort", heaviest_carried=np.inf),
    Part(
        f"{_BODIES}.bodies:frictions again",
        (Off(f"{_BODIES}.bodies:Bodies._rub", gives(None), acts=True),),
    ),
    Part(
        f"{_BODIES}.kinematics:speeds at the start",
        (Off(f"{_BODIES}.kinematics:Kinematics._finds_launched", _none_launched),),
    ),
    Part(
        f"{_BODIES}.push_motors",
        (Off(f"{_BODIES}.push_motors:PushMotors.write", gives(None), acts=True),),
    ),
)
