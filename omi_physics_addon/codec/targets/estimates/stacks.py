"""Which stacks are so high that engines shift them at their usual steps.

Measured with towers of boxes that fall by 2 mm: in Godot with Jolt and in Babylon.js with Havok, at
60 steps a second, eight of 0.5 m end within 3 cm, ten within 7 cm, fourteen up to 1.1 m aside; at
480 steps all stay. Looked at are bodies of boxes and cylinders without joints, which stand on each
other at the start.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from ....issue_codes import Code
from ....model.gravity import DOWN
from ....model.shapes import Box, Cylinder, Geometry
from ...convert.draft import Draft

if TYPE_CHECKING:
    from ....geometry.arrays import Array, Indices
    from ...values.node_tree import Matrix

Half = tuple[float, float, float]
HIGHEST: Final = 9  # Bodies above each other that stay within centimeters.
_GAP: Final = 0.1  # Share of its height by which a body is above what it comes to rest on.


def tell(draft: Draft, engine: str, place: Callable[[int], str]) -> None:
    """Report the highest stack of bodies, if an engine shifts it.

    Args:
        engine: its name.
        place: words for messages about a node.
    """
    parts = _parts(draft)
    bodies = [body for body, _, _ in parts]
    if len({*bodies}) <= HIGHEST:
        return
    import numpy as np

    nodes, whose = np.unique(bodies, return_inverse=True)
    matrices = np.array([matrix for _, matrix, _ in parts]).reshape(-1, 4, 4)
    half = np.array([each for _, _, each in parts])[:, None] @ np.abs(matrices[:, :3, :3])
    low, high = np.full((len(nodes), 3), np.inf), np.full((len(nodes), 3), -np.inf)
    np.minimum.at(low, whose, matrices[:, 3, :3] - half[:, 0])
    np.maximum.at(high, whose, matrices[:, 3, :3] + half[:, 0])
    levels = stacked(low, high)
    top = int(levels.argmax())
    if levels[top] > HIGHEST:
        why = (
            f"at 60 steps a second {engine} shifts a stack of {levels[top]} bodies by centimeters "
            "or more, and it may fall; use more physics steps per second there"
        )
        draft.issues.add(Code.ENGINE_SHIFTS_STACKS, place(int(nodes[top])), why)


def stacked(low: Array, high: Array) -> Indices:
    """How many bodies stand on each other up to each one, itself included.

    Args:
        low, high: (n, 3), m, the corners of what bounds them, along axes of which the second is up.

    Returns:
        (n,), integers.
    """
    import numpy as np

    half = (high - low) / 2.0
    middle, gaps = low + half, _GAP * 2.0 * half[:, 1]
    most = half.max(axis=0, initial=0.0)
    # Those that one may stand on, in the order of the axis that leaves the fewest to look at.
    order, first, last = min(
        (
            _within(high[:, 1], low[:, 1], gaps),
            *(_within(middle[:, x], middle[:, x], half[:, x] + most[x]) for x in (0, 2)),
        ),
        key=lambda found: int((found[2] - found[1]).sum()),
    )
    levels = np.ones(len(low), dtype=np.int64)
    for body in np.argsort(low[:, 1]):
        below = order[first[body] : last[body]]
        meets = (low[below] < high[body]) & (high[below] > low[body])
        holds = np.abs(high[below, 1] - low[body, 1]) <= gaps[body]
        levels[body] += levels[below[holds & meets[:, 0] & meets[:, 2]]].max(initial=0)
    return levels


def _within(places: Array, wanted: Array, reach: Array) -> tuple[Indices, Indices, Indices]:
    """The order of places, and from where to where in it they are in reach of what is wanted."""
    import numpy as np

    order = np.argsort(places)
    ends = places[order]
    return (
        order,
        np.searchsorted(ends, wanted - reach),
        np.searchsorted(ends, wanted + reach, side="right"),
    )


def _parts(draft: Draft) -> list[tuple[int, Matrix, Half]]:
    """The boxes and cylinders of bodies that fall and are free: body, matrix, half the lengths."""
    gravity = draft.document.world_gravity
    if gravity is not None and not (gravity.gravity and tuple(gravity.direction) == DOWN):
        return []
    held: set[int] = set()
    found: list[tuple[int, Matrix, Half]] = []
    for node, physics in draft.nodes():
        if physics.joint is not None:
            held.update(draft.joined(node, physics.joint))
        collider = physics.collider
        half = None if collider is None else _half(draft.document.geometry(collider.shape))
        if half is None:
            continue
        body = draft.body_of(node)
        if body is not None and body[1].type == "dynamic" and body[1].gravity_factor:
            found.append((body[0], draft.world(node), half))
    return [part for part in found if part[0] not in held]


def _half(shape: Geometry | None) -> Half | None:
    """Half the lengths of a box or a cylinder, m."""
    if isinstance(shape, Box):
        x, y, z = shape.size
        return x / 2.0, y / 2.0, z / 2.0
    if isinstance(shape, Cylinder):
        radius = max(shape.radius_bottom, shape.radius_top)
        return radius, shape.height / 2.0, radius
    return None
