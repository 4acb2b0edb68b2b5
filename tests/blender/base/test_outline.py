"""The rows of the Physics Outliner: a pure function, and what keeps them."""

from __future__ import annotations

import bpy
import pytest

from omi_physics_addon.blender.base import scene_outline
from omi_physics_addon.blender.base.outline import Facts, build, natural, rows
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh
from tests.support import pace


def facts(*lines: str) -> list[Facts]:
    """Objects written as "name above role role"; a dash for nothing above."""
    words = [line.split() for line in lines]
    uids = {name: i + 1 for i, (name, *_) in enumerate(words)}
    return [
        Facts(uids[name], name, uids.get(above, 0), tuple(roles)) for name, above, *roles in words
    ]


def shown(objects: list[Facts], kind: str = "TREE", **options) -> list[str]:
    """The rows as indented names; + for one that is folded."""
    known = build(objects)
    return [
        "." * row.level + objects[row.index].name + ("+" if row.parents and not row.is_open else "")
        for row in rows(known, kind, **options)
    ]


SCENE = facts(
    "crate - DYNAMIC COLLIDER",
    "lid crate COLLIDER",
    "frame - ",
    "hinge crate JOINT",
    "floor - COLLIDER",
    "stone floor COLLIDER COLLISION_ONLY",
    "area - TRIGGER",
    "Car2 - VEHICLE DYNAMIC",
    "Car10 - VEHICLE DYNAMIC",
    "axle Car2 ",
    "wheel axle WHEEL",
    "bell stone TRIGGER",
)


def test_bodies_and_what_belongs_to_them():
    assert shown(SCENE) == [
        "area", "bell", "Car2", ".wheel", "Car10", "crate", ".hinge", ".lid",
    ]  # fmt: skip


def test_loose_colliders_are_a_group_of_their_own():
    assert shown(SCENE, "LEVEL") == ["floor", ".stone"]


def test_objects_without_physics_have_no_row():
    assert shown(facts("a -", "b a")) == shown(facts("a -", "b a"), "LEVEL") == []


def test_a_collider_below_a_body_is_not_loose_however_far():
    objects = facts("body - STATIC", "a body", "b a", "c b COLLIDER")
    assert shown(objects) == ["body", ".c"]
    assert shown(objects, "LEVEL") == []


def test_folded_rows_hide_what_is_below():
    assert shown(SCENE, folded={8, 1}) == ["area", "bell", "Car2+", "Car10", "crate+"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("WHE", ["Car2", ".wheel"]),
        ("i", ["crate", ".hinge", ".lid"]),
        ("nothing", []),
        ("frame", []),
    ],
)
def test_a_search_shows_matches_and_what_is_above_them(text, expected):
    assert shown(SCENE, search=text) == expected
    assert shown(SCENE, search=text.upper()) == expected


def test_sorting():
    objects = facts("b - TRIGGER", "a - DYNAMIC", "c - JOINT")
    orders = {"b": 3, "a": 1, "c": 2}
    objects = [Facts(o.uid, o.name, o.parent, o.roles, orders[o.name]) for o in objects]
    assert shown(objects, sort="NAME") == ["a", "b", "c"]
    assert shown(objects, sort="ROLE") == ["a", "c", "b"]
    assert shown(objects, sort="SCENE") == ["b", "a", "c"]


def test_natural_order():
    assert sorted(["a10", "A2", "a", "2", "b"], key=natural) == ["2", "a", "A2", "a10", "b"]


def test_a_loop_of_parents_does_no_harm():
    build([Facts(1, "a", 2, ()), Facts(2, "b", 1, ("TRIGGER",))])


# What is kept


def names(kind: str = "TREE", **options) -> list[str]:
    bpy.context.view_layer.update()
    layer = bpy.context.view_layer
    return [
        layer.objects[row.index].name
        for row in scene_outline.rows(bpy.context.scene, layer, kind, **options)
    ]


def body(name: str, **options):
    obj = add(name, cube_mesh(), **options)
    add_body(obj)
    add_collider(obj)
    obj.update_tag()
    return obj


def test_rows_follow_what_the_artist_does():
    a = body("A")
    assert names() == ["A"]
    b = body("B")
    assert names() == ["A", "B"]
    a.name = "Z"
    assert names() == ["B", "Z"]
    b.parent = a
    assert names() == ["Z", "B"]
    a.omi_physics.use_motion = False
    b.omi_physics.use_motion = False
    a.update_tag()
    b.update_tag()
    assert names() == []
    assert names("LEVEL") == ["Z", "B"]
    bpy.data.objects.remove(b)
    assert names("LEVEL") == ["Z"]


def test_another_order_of_objects_in_the_scene():
    a, _ = body("A"), body("B")
    assert names(sort="SCENE") == ["A", "B"]
    bpy.context.scene.collection.objects.unlink(a)
    bpy.context.view_layer.update()
    bpy.context.scene.collection.objects.link(a)
    found = names(sort="SCENE")
    expected = [o.name for o in bpy.context.view_layer.objects]
    assert found == expected == ["B", "A"]


def test_undo_and_redo_leave_no_dangling_rows():
    body("A")
    bpy.ops.ed.undo_push(message="first")
    body("B")
    assert names() == ["A", "B"]
    bpy.ops.ed.undo_push(message="second")
    bpy.ops.ed.undo()
    assert names() == ["A"]
    bpy.ops.ed.redo()
    assert names() == ["A", "B"]


def test_moving_an_object_keeps_the_rows(monkeypatch):
    objects = [body(f"Body {i}") for i in range(5)]
    assert len(names()) == 5
    calls = []
    monkeypatch.setattr(scene_outline.outline, "build", lambda _: calls.append(1))
    for step in range(5):
        objects[2].location.x = step
        bpy.context.view_layer.update()
        assert len(names()) == 5
    objects[1].select_set(True)
    assert len(names()) == 5
    assert not calls


def test_folding():
    a = body("A")
    body("B", parent=a)
    assert names() == ["A", "B"]
    scene_outline.fold({a.session_uid}, True)
    assert names() == ["A"]
    assert scene_outline.is_folded(a.session_uid)
    scene_outline.fold({a.session_uid}, False)
    assert names() == ["A", "B"]


def test_the_arrangement_of_the_list():
    add("Nothing")
    b, a = body("B"), body("A")
    bpy.context.view_layer.update()
    layer = bpy.context.view_layer
    flags, order = scene_outline.arrangement(bpy.context.scene, layer, "TREE", "", "NAME")
    objects = list(layer.objects)
    assert [bool(flag) for flag in flags] == [o in (a, b) for o in objects]
    assert flags[objects.index(a)] == 1 << 30
    assert sorted(order) == list(range(len(objects)))
    assert order[objects.index(a)] == 0
    assert order[objects.index(b)] == 1


def test_the_active_row_is_the_active_object():
    a, b = body("A"), body("B")
    bpy.context.view_layer.update()
    sidebar = bpy.context.scene.omi_physics.sidebar
    layer = bpy.context.view_layer
    layer.objects.active = b
    assert layer.objects[sidebar.outliner_index] == b
    sidebar.outliner_index = list(layer.objects).index(a)
    assert layer.objects.active == a
    assert a.select_get()
    assert not b.select_get()
    layer.objects.active = None
    assert sidebar.outliner_index == -1


@pytest.mark.parametrize("count", [1_000, 10_000])
def test_a_redraw_of_a_large_scene_walks_no_objects(count):
    for i in range(count):
        obj = bpy.data.objects.new(f"Object {i}", None)
        obj.omi_physics.use_motion = i % 2 == 0
        obj.omi_physics.use_collider = True
        bpy.context.scene.collection.objects.link(obj)
    bpy.context.view_layer.update()
    layer, scene = bpy.context.view_layer, bpy.context.scene

    def redraw():
        scene_outline.arrangement(scene, layer, "TREE", "", "NAME")
        assert scene_outline.get(scene, layer).roles["COLLIDER"] == count

    first = pace.fastest(redraw, 1)
    pace.check_takes(redraw, min(first / 5, 0.01))
