"""Meshes as geometry: read once for all nodes, and only where they are the same."""

from __future__ import annotations

from typing import Any

import pytest

from tests.codec.khr.test_khr_family import node
from tests.support.documents import found, gltf, read


@pytest.mark.parametrize(
    "geometry",
    [{"mesh": 1, "convexHull": 1}, {"mesh": True, "convexHull": True}, {"mesh": 1.5}],
)
def test_what_is_no_plain_mesh_is_reported_behind_one_that_is_equal(geometry: dict[str, Any]):
    """`True` and 1 are equal in Python, and not in JSON."""
    plain = {"mesh": 1, "convexHull": True}
    nodes = [node(collider={"geometry": each}) for each in (plain, plain, geometry)]
    document, issues = read(gltf(*nodes, mesh_count=2))
    assert "F01" in issues.codes()
    assert all(at.startswith("/nodes/2/") for _, at in found(issues))
    first, second, _ = (document.nodes[i].collider for i in range(3))
    assert first is not None
    assert first == second


def test_a_mesh_of_the_node_itself_is_that_of_another_node_elsewhere():
    """Its own transform counts for others only, though both say the same."""
    own = node(collider={"geometry": {"mesh": 0, "node": 0}})
    document, _ = read(gltf(own | {"mesh": 0, "translation": [1, 2, 3]}, own, mesh_count=1))
    meshes = [
        document.shapes[part.shape].geometry
        for part in (document.nodes[i].collider for i in range(2))
        if part is not None and part.shape is not None
    ]
    assert [(each.mesh, each.node) for each in meshes] == [(0, None), (0, 0)]
