"""Meshes that are mirror images of each other are known by their shape."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import pytest

from omi_physics_addon.blender.authoring.mirror.mirrored_objects import _is_image

CORNERS = np.random.default_rng(2).uniform(-1.0, 1.0, (12, 3))
ORDER = np.random.default_rng(3).permutation(12)


def mesh(corners: Any, order: Any) -> Any:
    """Four triangles of corners, which are named in another order."""
    made = bpy.data.meshes.new("Mesh")
    place = np.argsort(order)
    faces = place[np.arange(12)].reshape(4, 3)
    made.from_pydata(corners[order].tolist(), [], faces.tolist())
    return made


@pytest.mark.parametrize("axis", range(3))
def test_the_order_of_vertices_does_not_matter(axis):
    mirrored = CORNERS.copy()
    mirrored[:, axis] *= -1.0
    one, image = mesh(CORNERS, np.arange(12)), mesh(mirrored, ORDER)
    assert _is_image(one, image, axis)
    assert not _is_image(one, image, (axis + 1) % 3)
    image.vertices[0].co.x += 0.01
    image.update()
    assert not _is_image(one, image, axis)
