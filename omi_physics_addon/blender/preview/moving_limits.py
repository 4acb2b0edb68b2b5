"""What of the motion of bodies a preview does not do exactly: speed, landings, losses."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ...model.tolerance import SECONDS
from ...simulation.bullet import convergence, landings
from ...simulation.bullet.convergence import Hanging
from ...simulation.bullet.meetings import Meetings
from ...simulation.bullet.tunnelling import thrown_back, too_fast
from ...simulation.world import World
from ..translations import pgettext_rpt
from .bodies.constraints import Constraints
from .bodies.effort import joint_iterations
from .stage.options import PreviewOptions

_MOST_SUBSTEPS: Final = 50  # That the panel offers.
_LOSS_TOLERANCE: Final = 0.01  # Of lengths and energies.
_HALF: Final = 0.5
_SUNK_POWER: Final = 1.5  # Of the substeps by how much less what spins on a joint sinks.


def tell_fast(world: World, pull: Any, options: PreviewOptions, tell: Any) -> None:
    """Name what hits throw back, what may pass through thin things, and the substeps for it."""
    step = options.step / options.substeps
    meets = Meetings(world).of
    text = (
        "Hits something without a bounce, and may be thrown back by up to a fifth of its speed, as "
        "steps find hits late; a Restitution of 0.01 in the material of both helps, unless joints "
        "hold them"
    )
    thrown, reached = thrown_back(world.bodies, pull, step, meets)
    tell(text, [world.bodies[i].node for i in sorted(thrown)])
    text = (
        "May be hit by a body that is thrown back, or by one that falls over; its path changes "
        "with the substeps"
    )
    tell(text, [world.bodies[i].node for i in sorted(reached)])
    found = too_fast(world.bodies, pull, step, meets)
    if not found:
        return
    needed = math.ceil(options.step / max(min(step for _, step in found), 1e-9))
    helps = needed <= _MOST_SUBSTEPS
    cure = pgettext_rpt("{count} substeps stop it" if helps else "thicker things stop it")
    text = pgettext_rpt("Fast enough to pass through something thin; {cure}")
    text = text.format(cure=cure.format(count=needed))
    tell(text, [world.bodies[i].node for i, _ in found], needed if helps else 0)


def _joined(world: World) -> set[int]:
    """The bodies that joints hold."""
    return {body for joint in world.joints for body in joint.bodies}


def tell_landings(world: World, hung: Sequence[Hanging], pull: Any, tell: Any) -> None:
    """Name what lands, rolls, is carried or slides in a way that Bullet plays otherwise."""
    joined = _joined(world)
    free = [
        i
        for i, body in enumerate(world.bodies)
        if body.is_forced and body.solids and i not in joined
    ]
    text = (
        "Lands on an edge or a corner, where friction brakes along one direction only; it may come "
        "to rest half its size away"
    )
    if len(world.bodies) < 2:
        return
    tell(text, [world.bodies[i].node for i in landings.on_edges(world.bodies, free, pull)])
    text = (
        "The center of mass is not at the sphere's center, so the body rolls unevenly and "
        "may slip; its path may differ by a tenth"
    )
    tell(text, [world.bodies[i].node for i in landings.lopsided(world.bodies, free, pull)])
    text = (
        "Rests on a part that swings, from which it slides or is thrown; its path changes with the "
        "substeps"
    )
    carried = landings.on_levers(world, free, hung, pull)
    tell(text, [world.bodies[i].node for i in carried])
    thrown = landings.on_triangles(world.bodies, free, pull)
    text = "Lands flat on triangles, which may throw it aside; boxes or hulls for the ground help"
    tell(text, [world.bodies[i].node for i in thrown])
    slid = landings.on_flat_ends(world.bodies, free, pull)
    text = (
        "Slides on its own flat side, as a cylinder or a hull; friction may brake it up to a tenth "
        "too much"
    )
    tell(text, [world.bodies[i].node for i in slid])


def tell_losses(
    world: World,
    hung: Sequence[Hanging],
    gravity: Any,
    held: Constraints,
    options: PreviewOptions,
    tell: Any,
) -> None:
    """Name what gives way, or loses energy, by more than a hundredth, and the substeps it needs."""
    step = options.step / options.substeps
    tell(
        "Slides along a part that turns, and turns on it or begins aside of it; it may gain energy "
        "by that",
        [
            world.joints[i].node
            for i in convergence.turning_sliders(world, hung)
            if i not in held.sliding
        ],
    )
    strength = float(np.linalg.norm(gravity))
    count = joint_iterations(world, gravity, step)
    joined = _joined(world)
    spinning = [
        i
        for i, body in enumerate(world.bodies)
        if body.is_forced and i not in joined and body.spin.any() and np.ptp(body.moments) > 0.0
    ]
    _tell_spun(world, hung, gravity, options, tell)
    if not world.per_axis:  # Else ropes are boxes.
        _tell_ropes(world, convergence.rope_losses(world, gravity, options.step), options, tell)
    for text, found, power in (
        (
            "What hangs on it is heavy: joints give way by {share} of the length; {cure}",
            convergence.stretch(world, hung, strength, step, count),
            2.0,
        ),
        (
            "Swings so fast that it loses {share} of its energy in 10 s; {cure}",
            convergence.swinging_losses(world, hung, gravity, step),
            3.0,
        ),
        (
            "Tumbles so fast that it loses {share} of its energy in 10 s; {cure}",
            convergence.tumbling_losses(world.bodies, spinning, step),
            1.0,
        ),
    ):
        over = {i: loss for i, loss in found.items() if loss > _LOSS_TOLERANCE}
        if not over:
            continue
        worst = max(over.values())
        needed = math.ceil(options.substeps * (worst / _LOSS_TOLERANCE) ** (1.0 / power))
        helps = needed <= _MOST_SUBSTEPS
        cure = (
            "{count} substeps hold it within 1 %" if helps else "{count} substeps bring it nearer"
        )
        chosen = min(needed, _MOST_SUBSTEPS)
        cure = pgettext_rpt(cure).format(count=chosen)
        nodes = [world.bodies[i].node for i in over]
        tell(pgettext_rpt(text).format(share=_share(worst), cure=cure), nodes, chosen)


def _share(loss: float) -> str:
    return "more than half" if loss > _HALF else f"about {100.0 * loss:.0f} %"


def _tell_ropes(world: World, losses: dict[int, float], options: PreviewOptions, tell: Any) -> None:
    """Name ropes that are so short that what swings on them loses energy, and the rate for them."""
    over = {i: loss for i, loss in losses.items() if loss > _LOSS_TOLERANCE}
    if not over:
        return
    worst = max(over.values())
    rate = math.ceil(options.rate * (worst / _LOSS_TOLERANCE) ** (1.0 / 3.0))
    text = (
        f"What swings on so short a rope loses {_share(worst)} of its energy in 10 s; a rate of "
        f"{rate} holds it within 1 %"
    )
    tell(text, [world.joints[i].node for i in over])


def _tell_spun(world: World, hung: Any, gravity: Any, options: PreviewOptions, tell: Any) -> None:
    """Name what spins on a pin and sinks, and the substeps that hold it up."""
    step = options.step / options.substeps
    found = convergence.sunk(world, convergence.spun(world, hung), gravity, step)
    if not found:
        return
    worst = max(far / allowed for far, allowed in found.values())
    needed = min(math.ceil(options.substeps * worst**_SUNK_POWER), _MOST_SUBSTEPS)
    text = (
        f"Spins on a joint, and is up to {max(far for far, _ in found.values()):.2g} m elsewhere "
        f"in {SECONDS:g} s; {needed} substeps bring it nearer"
    )
    tell(text, [world.bodies[i].node for i in found], needed)
