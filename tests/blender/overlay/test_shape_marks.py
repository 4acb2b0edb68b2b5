"""Marks of what is shown on vertices, faces and particles, and by Geometry Nodes."""

from __future__ import annotations

import time
from typing import Any

import bpy
import numpy as np
import pytest

from omi_physics_addon.blender.base import instances
from omi_physics_addon.blender.overlay.marks import Role
from tests.blender.support.instancers import by_faces, by_nodes, by_particles, by_vertices
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh
from tests.blender.support.viewports import Viewport, about, bounds, touch


@pytest.fixture
def viewport():
    made = Viewport()
    yield made
    made.close()


def test_instances_of_every_kind_show_shapes_at_their_places(viewport):
    stone = add("Stone", cube_mesh(), location=(0.0, 50.0, 0.0))
    add_collider(stone)
    add_body(stone, "KINEMATIC")
    own = len(viewport.lines(Role.KINEMATIC))
    stone.hide_viewport = True
    assert len(viewport.lines(Role.KINEMATIC)) == 0
    scatter = by_nodes("Scatter", stone, 3, location=(0.0, 0.0, 7.0))
    scatter.scale = (-1.0, 1.0, 2.0)
    lines = viewport.lines(Role.KINEMATIC)
    assert len(lines) == 3 * own
    assert bounds(lines) == about((-6.5, -0.5, 6.0), (0.5, 0.5, 8.0))
    scatter.location.z = 0.0
    assert bounds(viewport.lines(Role.KINEMATIC)) == about((-6.5, -0.5, -1.0), (0.5, 0.5, 1.0))
    line = scatter.modifiers[0].node_group.nodes["Mesh Line"]
    line.inputs["Count"].default_value = 5
    assert len(viewport.lines(Role.KINEMATIC)) == 5 * own
    stone.omi_physics.collider.shape.box.size = (1.0, 4.0, 1.0)
    touch(stone)
    assert bounds(viewport.lines(Role.KINEMATIC))[1][1] == pytest.approx(2.0)
    stone.omi_physics.collider.shape.box.size = (1.0, 1.0, 1.0)
    touch(stone)
    scatter.hide_viewport = True
    by_particles("Hairs", stone, cube_mesh(), 4)
    assert len(viewport.lines(Role.KINEMATIC)) == 4 * own


def test_collision_only_meshes_are_crossed_out(viewport):
    obj = add("Ghost", cube_mesh())
    add_collider(obj)
    plain = len(viewport.lines(Role.STATIC))
    obj.omi_physics.is_collision_only = True
    touch(obj)
    crosses = viewport.lines(Role.STATIC)[plain:]
    assert len(crosses) == 2 * 12
    lengths = np.linalg.norm(crosses[::2] - crosses[1::2], axis=1)
    assert lengths == pytest.approx(2.0**0.5)  # All are diagonals of faces.
    middles = np.unique(np.round((crosses[::2] + crosses[1::2]) / 2.0, 3) + 0.0, axis=0)
    assert len(middles) == 6


def test_instances_on_vertices_and_faces_show_shapes(viewport):
    first, second = add("On Vertices", cube_mesh()), add("On Faces", cube_mesh())
    add_collider(first)
    add_collider(second)
    by_vertices("Vertices", first, 3)
    assert len(viewport.lines(Role.STATIC)) == 24 * (2 + 3)
    by_faces("Faces", second, cube_mesh())
    assert len(viewport.lines(Role.STATIC)) == 24 * (2 + 3 + 6)


def test_shapes_shown_inside_of_an_instance_are_those_of_its_body(viewport):
    inner = bpy.data.collections.new("Inner")
    stone = add("Stone", cube_mesh(), collection=inner)
    add_collider(stone)
    by_nodes("Scatter", stone, 3, collection=inner)
    outer = add("Outer", location=(0.0, 0.0, 5.0))
    outer.instance_type, outer.instance_collection = "COLLECTION", inner
    add_body(outer)
    lines = viewport.lines(Role.DYNAMIC)
    assert len(lines) == 24 * 4
    assert bounds(lines) == about((-0.5, -0.5, 4.5), (6.5, 0.5, 5.5))


def test_instances_are_read_once_and_in_proportion_to_their_number(viewport, monkeypatch):
    stone, spent = add("Stone", cube_mesh()), dict[int, float]()
    add_collider(stone)
    scatters = [by_nodes(f"Scatter {i}", stone, 100) for i in range(10)]
    asked = list[Any]()
    shown = instances.shown
    monkeypatch.setattr(instances, "shown", lambda dg: asked.append(dg) or shown(dg))
    for count in (100, 400) * 3:
        for scatter in scatters:
            line = scatter.modifiers[0].node_group.nodes["Mesh Line"]
            line.inputs["Count"].default_value = count
        bpy.context.view_layer.update()
        asked.clear()
        start = time.thread_time()
        viewport.redraw()
        spent[count] = min(spent.get(count, 9.0), time.thread_time() - start)
        assert len(asked) == 1
        assert len(viewport.lines(Role.STATIC)) == 24 * (10 * count + 1)
    assert spent[400] < 8.0 * spent[100]
