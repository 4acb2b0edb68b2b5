"""Handles of shapes: where they sit, what a pull makes of the shape, and when they are shown."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import bpy
import pytest
from mathutils import Euler, Matrix, Vector

from omi_physics_addon.blender.overlay import gizmos, shape_handles
from omi_physics_addon.blender.preview import player
from tests.blender.operators.test_bodies import select
from tests.blender.support.scenes import add, add_collider, cube_mesh

KINDS = {
    "BOX": {"size": (1.0, 2.0, 3.0)},
    "SPHERE": {"radius": 1.5},
    "CAPSULE": {"height": 2.0, "radius_bottom": 0.5, "radius_top": 0.5},
    "CYLINDER": {"height": 2.0, "radius_bottom": 0.5, "radius_top": 0.5},
    "TAPERED_CAPSULE": {"height": 3.0, "radius_bottom": 0.5, "radius_top": 0.25},
    "TAPERED_CYLINDER": {"height": 3.0, "radius_bottom": 0.5, "radius_top": 0.25},
}
every_handle = pytest.mark.parametrize("index", range(shape_handles.COUNT))
every_kind = pytest.mark.parametrize("kind", KINDS)


def shape_of(kind: str) -> Any:
    """A shape that is elsewhere than its object, and turned."""
    shape = add_collider(add("A", cube_mesh()), kind.removeprefix("TAPERED_"))
    for name, value in KINDS[kind].items():
        setattr(getattr(shape, shape.type.lower()), name, value)
    shape.location, shape.rotation = (1.0, 2.0, 3.0), (0.3, 0.4, 0.5)
    return shape


def values(shape: Any) -> tuple[Any, ...]:
    group = getattr(shape, shape.type.lower())
    sizes = [getattr(group, name) for name in KINDS["BOX" if shape.type == "BOX" else shape.type]]
    return (shape.type, *(tuple(s) if hasattr(s, "__len__") else s for s in sizes))


def near(a: Any, b: Any) -> bool:
    return (Vector(a) - Vector(b)).length < 1e-5


@every_kind
def test_handles_are_on_the_surface_and_look_outwards(kind: str):
    shape = shape_of(kind)
    turn, center = Euler(shape.rotation).to_matrix(), Vector(shape.location)
    found = shape_handles.handles(shape)
    assert len(found) == shape_handles.COUNT
    for index, handle in enumerate(found):
        local = turn.transposed() @ (handle.place - center)
        outward = turn.transposed() @ handle.direction
        assert near(outward, [(-1.0) ** (index % 2) * (i == index // 2) for i in range(3)])
        reach = {
            "BOX": [0.5, 1.0, 1.5][index // 2],
            "SPHERE": 1.5,
            "CAPSULE": [0.5, 0.5, 1.5][index // 2],
            "CYLINDER": [0.5, 0.5, 1.0][index // 2],
            "TAPERED_CAPSULE": [0.5, 0.25, 2.0 if index % 2 else 1.75][index // 2],
            "TAPERED_CYLINDER": [0.5, 0.25, 1.5][index // 2],
        }[kind]
        assert local.dot(outward) == pytest.approx(reach)


@every_handle
@every_kind
@pytest.mark.parametrize("by", [0.5, -0.2])
def test_a_handle_follows_and_the_other_side_stays(kind: str, index: int, by: float):
    shape = shape_of(kind)
    before = shape_handles.handles(shape)
    shape_handles.pull(shape, shape_handles.start(shape), index, by)
    after = shape_handles.handles(shape)
    if kind.startswith("TAPERED") and index < 4:
        same = {0: (0, 1), 1: (0, 1)}.get(index, (2, 3))
        assert after[index].value == pytest.approx(before[index].value + by)
        assert near(after[index].place, before[index].place + before[index].direction * by)
        others = [i for i in range(4) if i not in same]
        assert all(near(after[i].place, before[i].place) for i in others)
        return
    assert near(after[index].place, before[index].place + before[index].direction * by)
    opposite = index ^ 1
    is_round = kind == "SPHERE" or (kind != "BOX" and index < 4)
    moved = before[opposite].direction * by if is_round else Vector()
    assert near(after[opposite].place, before[opposite].place + moved)


@every_handle
@every_kind
def test_both_sides_move_when_wanted(kind: str, index: int):
    shape = shape_of(kind)
    before = shape_handles.handles(shape)
    shape_handles.pull(shape, shape_handles.start(shape), index, 0.2, even=True)
    after = shape_handles.handles(shape)
    assert near(shape.location, (1.0, 2.0, 3.0))
    assert near(after[index].place, before[index].place + before[index].direction * 0.2)


@every_handle
@every_kind
def test_nothing_gets_smaller_than_a_little_and_all_can_go_back(kind: str, index: int):
    shape = shape_of(kind)
    begun = shape_handles.start(shape)
    was, place = values(shape), tuple(shape.location)
    for by in (-9.0, 3.0, -2.0):  # A pull that goes on, always from where it began.
        shape_handles.pull(shape, begun, index, by)
        assert all(handle.value >= 0.0 for handle in shape_handles.handles(shape))
        least = 0.0 if kind.startswith("TAPERED") or kind == "CAPSULE" else 9e-4
        assert min(shape_handles.start(shape).sizes) >= least
    assert values(shape) != was
    shape_handles.go_back(shape, begun)
    assert (values(shape), tuple(shape.location)) == (was, place)


def test_no_round_shape_loses_both_radii():
    shape = shape_of("TAPERED_CYLINDER")
    for index in (0, 2):
        shape_handles.pull(shape, shape_handles.start(shape), index, -9.0)
    assert shape.cylinder.radius_bottom == 0.0
    assert shape.cylinder.radius_top > 0.0


def shown(obj: Any) -> list[str]:
    settings = bpy.context.scene.omi_physics.overlay
    return [part for part, _ in shape_handles.shown(obj, settings)]


def test_what_has_handles():
    obj = add("A", cube_mesh())
    group, settings = obj.omi_physics, bpy.context.scene.omi_physics.overlay
    assert shown(obj) == []
    group.use_collider = group.use_trigger = True
    assert shown(obj) == ["COLLIDER", "TRIGGER"]
    group.trigger.mode = "BELOW"
    group.collider.shape.type = "CONVEX"
    assert shown(obj) == []
    group.trigger.mode, group.collider.shape.type = "SHAPE", "SPHERE"
    settings.colliders = False
    assert shown(obj) == ["TRIGGER"]
    settings.triggers = False
    assert shown(obj) == []


def polls(obj: Any, overlays: bool = True) -> bool:
    space = SimpleNamespace(overlay=SimpleNamespace(show_overlays=overlays))
    context: Any = SimpleNamespace(scene=bpy.context.scene, space_data=space, object=obj)
    return gizmos.OMIPHYSICS_GGT_shape.poll(context)


def test_handles_are_shown_with_the_overlay(monkeypatch):
    obj = add("A", cube_mesh())
    add_collider(obj)
    settings = bpy.context.scene.omi_physics.overlay
    select(obj)
    assert polls(obj)
    assert not polls(None)
    assert not polls(obj, overlays=False)
    for name in ("enabled", "handles", "colliders"):
        setattr(settings, name, False)
        assert not polls(obj)
        setattr(settings, name, True)
    monkeypatch.setattr(player, "running", object)  # What plays is not to be pulled.
    assert not polls(obj)
    monkeypatch.undo()
    obj.select_set(False)
    assert not polls(obj)
    select(obj)
    bpy.ops.object.mode_set(mode="EDIT")
    assert not polls(obj)
    bpy.ops.object.mode_set(mode="OBJECT")
    obj.hide_set(True)
    assert not polls(obj)


def test_shapes_of_other_files_have_no_handles(tmp_path):
    add_collider(add("A", cube_mesh()))
    path = tmp_path / "library.blend"
    bpy.data.libraries.write(str(path), {bpy.data.objects["A"]})
    bpy.data.objects.remove(bpy.data.objects["A"])
    with bpy.data.libraries.load(str(path), link=True) as (_there, here):
        here.objects = ["A"]
    obj = bpy.data.objects["A"]
    bpy.context.scene.collection.objects.link(obj)
    bpy.context.view_layer.update()
    bpy.context.view_layer.objects.active = obj
    obj.select_set(True)
    assert not polls(obj)


def test_the_mouse_pulls_in_the_units_of_the_object():
    obj = add("A", cube_mesh())
    shape = add_collider(obj)
    obj.matrix_world = Matrix.LocRotScale((5.0, 0.0, 0.0), Euler((0.0, 0.0, 0.7)), (2.0, 3.0, 4.0))
    bpy.context.view_layer.update()
    for index, handle in enumerate(shape_handles.handles(shape)):
        place, direction, unit = gizmos.line_of(obj, handle)
        assert unit == pytest.approx((2.0, 3.0, 4.0)[index // 2])
        assert near(place, obj.matrix_world @ handle.place)
        target = obj.matrix_world @ (handle.place + handle.direction * 1.5)
        eye = Vector((30.0, -40.0, 20.0))
        ray = (target - eye).normalized()
        found = gizmos.nearest(place, direction, unit, eye, ray)
        assert found == pytest.approx(1.5, abs=1e-4)
        assert gizmos.nearest(place, direction, unit, place + direction, -direction) is None


def test_lengths_are_told_in_the_units_of_the_scene():
    shape = shape_of("BOX")
    handle = shape_handles.handles(shape)[4]
    scene = bpy.context.scene
    assert gizmos.in_words(scene, handle) == "Size Z: 3 m"
    scene.unit_settings.scale_length = 0.01
    assert gizmos.in_words(scene, handle) == "Size Z: 3 cm"


def test_the_forms_are_closed_and_differ():
    for triangles in gizmos._FORMS.values():
        assert len(triangles) % 3 == 0
        corners = {tuple(corner) for corner in triangles}
        assert len(corners) == (8 if len(triangles) == 36 else 6)
        edges = [
            frozenset((triangles[i + a], triangles[i + (a + 1) % 3]))
            for i in range(0, len(triangles), 3)
            for a in range(3)
        ]
        assert all(edges.count(edge) == 2 for edge in edges)
