"""Masses and moments without an end: zero in KHR, something large or kinematic in OMI."""

from __future__ import annotations

import math
from typing import Any

import pytest

from omi_physics_addon.codec.convert import infinite_masses
from omi_physics_addon.codec.convert.draft import Draft
from omi_physics_addon.codec.dialects import gltf_file
from omi_physics_addon.codec.values.node_tree import Tree
from omi_physics_addon.issues import Issues
from omi_physics_addon.model.bodies import Motion
from omi_physics_addon.model.document import NodePhysics, PhysicsDocument

INF = math.inf


def document(*motions: Motion) -> PhysicsDocument:
    return PhysicsDocument(nodes={i: NodePhysics(motion=m) for i, m in enumerate(motions)})


def as_large(*motions: Motion) -> tuple[list[Any], dict[str, int]]:
    issues = Issues()
    tree = Tree.of(gltf_file({"nodes": [{} for _ in motions]}))
    before = document(*motions)
    result = infinite_masses.as_large(before, tree, issues)
    assert before == document(*motions)
    return [result.nodes[i].motion for i in range(len(motions))], issues.codes()


@pytest.mark.parametrize(
    ("motion", "expected"),
    [
        (Motion(mass=INF), True),
        (Motion(mass=1.0, inertia_diagonal=(1.0, INF, 1.0)), True),
        (Motion(mass=0.0), False),
        (Motion(), False),
    ],
)
def test_what_is_infinite(motion, expected):
    assert infinite_masses.is_in(document(motion)) is expected


def test_zeros_of_khr():
    result = infinite_masses.as_zeros(
        document(Motion(mass=INF, inertia_diagonal=(INF, 2.0, INF)), Motion(mass=3.0))
    )
    assert result.nodes[0].motion == Motion(mass=0.0, inertia_diagonal=(0.0, 2.0, 0.0))
    assert result.nodes[1].motion == Motion(mass=3.0)


def test_infinite_mass_is_large_beside_the_heaviest():
    (large, heavy), codes = as_large(Motion(mass=INF), Motion(mass=3.0))
    assert (large.mass, heavy.mass) == (3e6, 3.0)
    assert codes == {"L06": 1}


def test_nothing_moves_what_has_infinite_mass_and_inertia():
    (motion,), codes = as_large(Motion(mass=INF, inertia_diagonal=(INF, INF, INF)))
    assert motion == Motion(type="kinematic")
    assert codes == {"L06": 1}


def test_infinite_moments_are_large_beside_the_finite_one():
    (motion,), codes = as_large(Motion(mass=3.0, inertia_diagonal=(INF, 2.0, 1.0)))
    assert motion.inertia_diagonal == (2e6, 2.0, 1.0)
    assert codes == {"L07": 1}


def test_kinematic_bodies_need_no_mass():
    (motion,), codes = as_large(Motion(type="kinematic", mass=INF))
    assert (motion.mass, codes) == (None, {})


def test_no_moments_to_make_finite():
    draft = Draft(document(Motion()), Tree.of(gltf_file({"nodes": [{}]})), Issues())
    with pytest.raises(ValueError, match="no moments"):
        infinite_masses.finite_moments(draft, 0, Motion())
