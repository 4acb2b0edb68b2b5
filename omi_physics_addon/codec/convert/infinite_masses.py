"""Infinite masses and moments, as each family writes them.

In records they are `math.inf`, or 0.0 where the document came from KHR, which writes them so.
OMI has no word for them.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Final

from ...issue_codes import Code
from ...issues import Issues
from ...model.bodies import Motion
from ...model.document import PhysicsDocument
from ..values.node_tree import Tree
from .draft import Draft

LARGE: Final = 1e6  # How many times the largest finite value stands for an infinite one.
_MASS: Final = 1.0  # kg, where there is no finite one.
_INFINITE: Final = frozenset((0.0, math.inf))


def is_in(document: PhysicsDocument) -> bool:
    """Whether a mass or moment of a document is `math.inf`."""
    return any(_is_infinite(p.motion) for p in document.nodes.values() if p.motion is not None)


def as_zeros(document: PhysicsDocument) -> PhysicsDocument:
    """A document in which infinite masses and moments are 0, as KHR has them."""
    nodes = {
        index: dataclasses.replace(physics, motion=_with_zeros(physics.motion))
        if physics.motion is not None
        else physics
        for index, physics in document.nodes.items()
    }
    return dataclasses.replace(document, nodes=nodes)


def as_large(document: PhysicsDocument, tree: Tree, issues: Issues) -> PhysicsDocument:
    """A document for OMI, where bodies with `math.inf` are kinematic or very heavy; reported."""
    draft = Draft(document, tree, issues)
    large = large_mass(draft)
    for node, physics in draft.nodes():
        motion = physics.motion
        if motion is None or not _is_infinite(motion):
            continue
        if motion.type == "dynamic":
            motion = finite_mass(draft, node, _with_zeros(motion), large)
        else:
            motion = dataclasses.replace(motion, mass=None)  # What kinematic means anyway.
        if motion.inertia_diagonal and not _INFINITE.isdisjoint(motion.inertia_diagonal):
            motion = finite_moments(draft, node, motion)
        draft.change(node, motion=motion)
    return draft.document


def large_mass(draft: Draft) -> float:
    """The finite mass that is written for an infinite one in a document, kg."""
    masses = [physics.motion.mass or 0.0 for _, physics in draft.nodes() if physics.motion]
    return (max(filter(math.isfinite, masses), default=0.0) or _MASS) * LARGE


def finite_mass(draft: Draft, node: int, motion: Motion, large: float) -> Motion:
    """A dynamic motion with a mass that OMI knows, where KHR's is infinite."""
    if motion.mass not in _INFINITE:
        return motion
    if motion.inertia_diagonal is not None and _INFINITE.issuperset(motion.inertia_diagonal):
        why = "the mass and inertia are infinite, so the body is written as kinematic"
        draft.report(Code.INFINITE_MASS_REPLACED, node, why)
        return dataclasses.replace(motion, type="kinematic", mass=None, inertia_diagonal=None)
    why = f"the mass is infinite, which OMI lacks; {large:g} kg is written instead"
    draft.report(Code.INFINITE_MASS_REPLACED, node, why)
    return dataclasses.replace(motion, mass=large)


def finite_moments(draft: Draft, node: int, motion: Motion) -> Motion:
    """A motion with large moments where KHR's are infinite.

    Raises:
        ValueError: the motion has no moments.
    """
    if motion.inertia_diagonal is None:
        raise ValueError("there are no moments to make finite")
    finite = [value for value in motion.inertia_diagonal if value not in _INFINITE]
    large = (max(finite, default=0.0) or motion.mass or _MASS) * LARGE
    x, y, z = (large if value in _INFINITE else value for value in motion.inertia_diagonal)
    why = (
        f"the moments of inertia are infinite, which OMI lacks; {large:g} kg m² is written instead"
    )
    draft.report(Code.INFINITE_MOMENT_REPLACED, node, why)
    return dataclasses.replace(motion, inertia_diagonal=(x, y, z))


def _is_infinite(motion: Motion) -> bool:
    diagonal = motion.inertia_diagonal
    return motion.mass == math.inf or (diagonal is not None and math.inf in diagonal)


def _with_zeros(motion: Motion) -> Motion:
    if not _is_infinite(motion):
        return motion
    mass = 0.0 if motion.mass == math.inf else motion.mass
    diagonal = motion.inertia_diagonal
    if diagonal is not None:
        x, y, z = (0.0 if value == math.inf else value for value in diagonal)
        diagonal = (x, y, z)
    return dataclasses.replace(motion, mass=mass, inertia_diagonal=diagonal)
