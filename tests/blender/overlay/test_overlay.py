from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from omi_physics_addon.blender.overlay import line_cache, overlay
from omi_physics_addon.blender.overlay.line_cache import Style, View
from omi_physics_addon.blender.overlay.shape_marks import Role
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh
from tests.blender.support.viewports import Viewport, about, bounds, touch
from tests.support import pace


@pytest.fixture
def viewport():
    made = Viewport()
    yield made
    made.close()


# Lines


def test_a_box_where_it_is(viewport):
    obj = add("Box", location=(1.0, 2.0, 3.0))
    add_collider(obj).box.size = (2.0, 4.0, 6.0)
    lines = viewport.lines(Role.STATIC)
    assert lines.shape == (24, 3)
    assert bounds(lines) == about((0, 0, 0), (2, 4, 6))


@pytest.mark.parametrize("kind", ["CAPSULE", "CYLINDER"])
def test_round_shapes_stand_along_z(kind, viewport):
    shape = add_collider(add("Round"), kind)
    group = shape.capsule if kind == "CAPSULE" else shape.cylinder
    group.height, group.radius_bottom, group.radius_top = 4.0, 0.5, 0.25
    lines = viewport.lines(Role.STATIC)
    caps = (0.5, 0.25) if kind == "CAPSULE" else (0.0, 0.0)
    assert bounds(lines)[0][2] == pytest.approx(-2.0 - caps[0])
    assert bounds(lines)[1][2] == pytest.approx(2.0 + caps[1])
    low = lines[lines[:, 2] < 0.0]
    assert np.abs(low[:, 0]).max() == pytest.approx(0.5, abs=1e-3)


def test_a_shape_sits_where_its_offset_says_and_scales_with_its_object(viewport):
    obj = add("Tilted", location=(0.0, 0.0, 10.0))
    obj.scale = (2.0, 1.0, 1.0)
    shape = add_collider(obj, "CYLINDER")
    shape.cylinder.height = 2.0
    shape.location, shape.rotation = (1.0, 0.0, 0.0), (0.0, math.pi / 2.0, 0.0)
    assert bounds(viewport.lines(Role.STATIC)) == about((0, -0.5, 9.5), (4, 0.5, 10.5))


def test_the_lines_are_where_the_export_puts_the_shape(viewport):
    parent = add("Parent", location=(3.0, 0.0, 0.0))
    parent.rotation_euler = (0.3, 0.4, 0.5)
    obj = add("Child", parent=parent, location=(0.0, 1.0, 0.0))
    add_collider(obj).location = (0.0, 0.0, 2.0)
    lines = viewport.lines(Role.STATIC)
    corner = obj.matrix_world @ Matrix.Translation((0.0, 0.0, 2.0)).translation
    assert lines.mean(axis=0) == pytest.approx(tuple(corner), abs=1e-5)


def test_mesh_shapes(viewport):
    obj = add("Own", cube_mesh())
    obj.modifiers.new("Array", "ARRAY").count = 2
    shape = add_collider(obj, "TRIMESH")
    assert bounds(viewport.lines(Role.STATIC)) == about((-0.5, -0.5, -0.5), (1.5, 0.5, 0.5))
    shape.type = "CONVEX"
    touch(obj)
    assert len(viewport.lines(Role.STATIC)) == 24
    shape.mesh_source = "DATA"
    touch(obj)
    assert len(viewport.lines(Role.STATIC)) == 0
    shape.mesh = cube_mesh()
    touch(obj)
    assert bounds(viewport.lines(Role.STATIC)) == about((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5))
    other = add("Other", cube_mesh(), location=(9.0, 9.0, 9.0))
    shape.mesh_source, shape.mesh_object = "OBJECT", other
    touch(obj)
    assert bounds(viewport.lines(Role.STATIC)) == about((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5))


@pytest.mark.parametrize("kind", ["CONVEX", "TRIMESH"])
def test_mesh_shapes_without_vertices_draw_nothing(kind, viewport):
    add_collider(add("Empty"), kind)
    add_collider(add("Nothing", bpy.data.meshes.new("Nothing")), kind)
    add_collider(add("Curve", bpy.data.curves.new("Curve", "CURVE")), kind)
    assert len(viewport.lines(Role.STATIC)) == 0


def test_roles_come_from_the_nearest_body_above(viewport):
    top = add("Top")
    motion = add_body(top, "KINEMATIC")
    middle = add("Middle", parent=top)
    solid = add("Solid", parent=middle)
    add_collider(solid)
    free = add("Free")
    add_collider(free)
    assert len(viewport.lines(Role.STATIC)) == 24
    assert len(viewport.lines(Role.KINEMATIC)) > 24
    motion.type = "DYNAMIC"
    touch(top)
    assert len(viewport.lines(Role.KINEMATIC)) == 0
    assert len(viewport.lines(Role.DYNAMIC)) == 24
    add_body(middle, "STATIC")
    touch(middle)
    assert len(viewport.lines(Role.DYNAMIC)) == 0
    assert len(viewport.lines(Role.STATIC)) == 48


def test_a_hidden_body_counts_and_is_watched(viewport):
    top = add("Top")
    solid = add("Solid", parent=top)
    add_collider(solid)
    top.hide_set(True)
    assert len(viewport.lines(Role.STATIC)) == 24
    add_body(top, "DYNAMIC")
    touch(top)
    assert len(viewport.lines(Role.DYNAMIC)) == 24


def test_triggers_are_dashed_and_groups_are_crosses(viewport):
    area = add("Area")
    area.omi_physics.use_trigger = True
    group = add("Group")
    add_collider(group, "NONE")
    triggers = viewport.lines(Role.TRIGGER)
    assert len(triggers) > 24
    lengths = np.linalg.norm(triggers[1::2] - triggers[::2], axis=1)
    assert lengths.max() < 0.1
    assert lengths.sum() == pytest.approx(6.0, rel=0.05)  # Half of twelve edges.
    assert bounds(viewport.lines(Role.GROUP)) == about((-0.25,) * 3, (0.25,) * 3)
    area.omi_physics.trigger.mode = "LIST"
    touch(area)
    assert bounds(viewport.lines(Role.TRIGGER))[0] == pytest.approx((-0.25,) * 3)


def test_collection_instances(viewport):
    collection = bpy.data.collections.new("Asset")
    collection.instance_offset = (1.0, 0.0, 0.0)
    member = add("Member", collection=collection, location=(2.0, 0.0, 0.0))
    shape = add_collider(member)
    instance = add("Instance", location=(0.0, 0.0, 5.0))
    instance.instance_type, instance.instance_collection = "COLLECTION", collection
    add_body(instance, "DYNAMIC")
    assert bounds(viewport.lines(Role.DYNAMIC)) == about((0.5, -0.5, 4.5), (1.5, 0.5, 5.5))
    shape.box.size = (3.0, 1.0, 1.0)
    touch(member)
    assert bounds(viewport.lines(Role.DYNAMIC)) == about((-0.5, -0.5, 4.5), (2.5, 0.5, 5.5))
    member.location = (12.0, 0.0, 0.0)
    assert bounds(viewport.lines(Role.DYNAMIC)) == about((9.5, -0.5, 4.5), (12.5, 0.5, 5.5))


def test_a_collection_that_instances_itself_ends(viewport):
    collection = bpy.data.collections.new("Asset")
    bpy.context.scene.collection.children.link(collection)
    other = bpy.data.collections.new("Other")
    inner = add("Inner", collection=other)
    add_collider(inner)
    instance = add("Instance", collection=collection)
    instance.instance_type, instance.instance_collection = "COLLECTION", other
    assert len(viewport.lines(Role.STATIC)) == 24


def test_sizes_an_artist_is_still_typing_do_no_harm(viewport):
    for kind in ("BOX", "SPHERE", "CAPSULE", "CYLINDER"):
        obj = add(kind)
        obj.omi_physics.use_trigger = True
        shape = obj.omi_physics.trigger.shape
        shape.type, shape.box.size, shape.sphere.radius = kind, (0.0, 0.0, 0.0), 0.0
        for group in (shape.capsule, shape.cylinder):
            group.height = group.radius_bottom = group.radius_top = 0.0
    assert np.isfinite(viewport.lines(Role.TRIGGER)).all()


# Selection and visibility


def test_selected_objects_have_a_style_of_their_own(viewport):
    a, b = add("A"), add("B")
    add_collider(a)
    add_collider(b)
    viewport.redraw()
    a.select_set(True)
    assert len(viewport.lines(Role.STATIC, selected=True)) == 24
    assert len(viewport.lines(Role.STATIC)) == 24
    a.select_set(False)
    assert len(viewport.lines(Role.STATIC)) == 48


def test_hidden_and_deleted_objects_are_not_drawn(viewport):
    a, b, c = add("A"), add("B"), add("C")
    for obj in (a, b, c):
        add_collider(obj)
    assert len(viewport.lines(Role.STATIC)) == 72
    a.hide_set(True)
    assert len(viewport.lines(Role.STATIC)) == 48
    bpy.data.objects.remove(b)
    assert len(viewport.lines(Role.STATIC)) == 24
    a.hide_set(False)
    assert len(viewport.lines(Role.STATIC)) == 48
    c.hide_viewport = True
    assert len(viewport.lines(Role.STATIC)) == 24


TOGGLES = {
    "colliders": {Role.STATIC, Role.KINEMATIC, Role.DYNAMIC, Role.GROUP},
    "triggers": {Role.TRIGGER},
    "joints": {Role.JOINT, Role.LIMIT, Role.DRIVE},
    "velocities": {Role.VELOCITY},
    "mass": {Role.MASS},
    "gravity": {Role.GRAVITY},
    "vehicles": {Role.VEHICLE},
    "seats": {Role.SEAT},
}


def test_every_role_has_a_toggle_and_only_masses_are_off_at_first():
    settings = bpy.context.scene.omi_physics.overlay
    assert {style.role for style in overlay.styles(settings)} == set(Role) - {Role.MASS}
    for name, roles in TOGGLES.items():
        for other in TOGGLES:
            setattr(settings, other, other == name)
        assert {style.role for style in overlay.styles(settings)} == roles
    settings.selected_only = True
    assert overlay.styles(settings) == [Style(Role.SEAT, True)]


def test_joints_and_masses_that_are_selected_show_through_meshes():
    settings = bpy.context.scene.omi_physics.overlay
    roles = {Role.JOINT, Role.LIMIT, Role.DRIVE}
    assert set(overlay.seen_through(settings)) == {Style(role, True) for role in roles}
    settings.mass = True
    assert set(overlay.seen_through(settings)) == {Style(r, True) for r in roles | {Role.MASS}}
    settings.joints = False
    assert overlay.seen_through(settings) == [Style(Role.MASS, True)]
    settings.in_front = True
    assert overlay.seen_through(settings) == []


def test_every_role_can_be_told_from_the_others():
    for background in (0.0, DARK_THEME, LIGHT_THEME, 0.8):
        colors = {
            overlay.color(Style(role, selected), background)
            for role in Role
            for selected in (False, True)
        }
        assert len(colors) == 2 * len(Role)


DARK_THEME, LIGHT_THEME = 0.24, 0.40  # Brightness of Blender's backgrounds.


@pytest.mark.parametrize("background", [DARK_THEME, LIGHT_THEME, 0.8])
@pytest.mark.parametrize("selected", [False, True])
@pytest.mark.parametrize("role", Role)
def test_lines_stand_out_from_the_background_of_the_theme(role, selected, background):
    """By the contrast ratio of WCAG 2.2, which asks for 3 of what is not text."""
    *rgb, opacity = overlay.color(Style(role, selected), background)
    seen = [opacity * part + (1.0 - opacity) * background for part in rgb]
    bright, dark = sorted((luminance(seen), luminance([background] * 3)), reverse=True)
    assert (bright + 0.05) / (dark + 0.05) > 2.9


def luminance(color: list[float]) -> float:
    """Of an sRGB colour, as WCAG defines it."""
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in color)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


# Cache


def arrays(view: View) -> dict[int, Any]:
    return {id(a): a for chunk in view.chunks for a in chunk.arrays.values()}


@pytest.fixture
def crowd(monkeypatch):
    monkeypatch.setattr(line_cache, "CHUNK", 10)
    objects = [add(f"O{i}", location=(float(i), 0.0, 0.0)) for i in range(50)]
    for obj in objects:
        add_collider(obj)
    return objects


def test_an_unchanged_scene_is_not_touched(viewport, crowd, monkeypatch):
    before = arrays(viewport.redraw())
    assert len(before) == 5
    reads = viewport.count_reads(monkeypatch)
    assert arrays(viewport.redraw()).keys() == before.keys()
    assert not reads


@pytest.mark.parametrize(
    ("change", "reads"),
    [
        (lambda obj: setattr(obj, "location", (0.0, 5.0, 0.0)), []),
        (lambda obj: obj.select_set(True), []),
        (lambda obj: (setattr(obj.omi_physics, "use_trigger", True), touch(obj)), ["O25"]),
    ],
    ids=["moved", "selected", "edited"],
)
def test_a_change_of_one_object_rebuilds_its_chunk_only(
    viewport, crowd, monkeypatch, change: Callable[[Any], None], reads
):
    before = arrays(viewport.redraw())
    found = viewport.count_reads(monkeypatch)
    change(crowd[25])
    after = arrays(viewport.redraw())
    assert len(before.keys() & after.keys()) == 4
    assert found == reads


def test_a_rebuilt_chunk_forgets_its_batches(viewport, crowd):
    view = viewport.redraw()
    for chunk in view.chunks:
        chunk.batches[Style(Role.STATIC, False)] = "drawn"
    crowd[25].location = (0.0, 5.0, 0.0)
    assert sum(bool(chunk.batches) for chunk in viewport.redraw().chunks) == 4


def test_children_of_what_moves_move(viewport):
    parent = add("Parent")
    add_collider(add("Child", parent=parent))
    viewport.redraw()
    parent.location = (5.0, 0.0, 0.0)
    assert viewport.lines(Role.STATIC).mean(axis=0) == pytest.approx((5.0, 0.0, 0.0))


def test_animation_moves_lines(viewport):
    obj = add("Animated")
    add_collider(obj)
    for frame, x in ((1, 0.0), (11, 10.0)):
        obj.location = (x, 0.0, 0.0)
        obj.keyframe_insert("location", frame=frame)
    bpy.context.scene.frame_set(1)
    viewport.redraw()
    bpy.context.scene.frame_set(11)
    assert viewport.lines(Role.STATIC).mean(axis=0) == pytest.approx((10.0, 0.0, 0.0))


def test_an_edited_mesh_is_read_again_by_all_who_use_it(viewport):
    mesh = cube_mesh()
    for name in "AB":
        add_collider(add(name, mesh), "TRIMESH")
    third = add_collider(add("C"), "CONVEX")
    third.mesh_source, third.mesh = "DATA", mesh
    assert len(viewport.lines(Role.STATIC)) == 72
    mesh.clear_geometry()
    mesh.from_pydata([(0, 0, 0), (1, 0, 0)], [(0, 1)], [])
    mesh.update()
    assert len(viewport.lines(Role.STATIC)) == 4


def test_viewports_do_not_disturb_each_other(viewport, crowd):
    first = viewport.redraw(1)
    kept = arrays(first)
    context = bpy.context
    some = viewport.cache.refresh(2, crowd[:5], [], context.view_layer.depsgraph)
    assert sum(len(a) for a in arrays(some).values()) == 5 * 24
    assert arrays(viewport.redraw(1)).keys() == kept.keys()
    crowd[0].location = (0.0, 5.0, 0.0)
    moved = viewport.lines(Role.STATIC, number=1)
    assert moved[:, 1].max() == pytest.approx(5.5)
    some = viewport.cache.refresh(2, crowd[:5], [], context.view_layer.depsgraph)
    assert max(a[:, 1].max() for a in arrays(some).values()) == pytest.approx(5.5)


def test_clear_reads_everything_again(viewport, crowd, monkeypatch):
    viewport.redraw()
    reads = viewport.count_reads(monkeypatch)
    viewport.cache.clear()
    viewport.redraw()
    assert len(reads) == 50


def test_a_hidden_overlay_costs_nothing(viewport, crowd, monkeypatch):
    monkeypatch.setattr(overlay, "_cache", viewport.cache)
    viewport.redraw()
    scene, depsgraph = bpy.context.scene, bpy.context.view_layer.depsgraph
    scene.omi_physics.overlay.enabled = False
    overlay._after_change(scene, depsgraph)
    reads = viewport.count_reads(monkeypatch)
    scene.omi_physics.overlay.enabled = True
    viewport.redraw()
    assert len(reads) == 50


def test_nothing_is_registered_without_a_window():
    assert bpy.app.background
    handlers: Any = bpy.app.handlers
    assert overlay._after_change not in handlers.depsgraph_update_post
    assert overlay._start_again not in handlers.undo_post


# Time


def best(function: Callable[[], object], rounds: int = 5) -> float:
    """The shortest of some runs, ms of CPU time."""
    return pace.fastest(function, rounds) * 1000.0


def test_five_thousand_shapes(viewport, record_property):
    kinds = ("BOX", "SPHERE", "CAPSULE", "CYLINDER")
    objects = [add(f"O{i}", location=(float(i), 0.0, 0.0)) for i in range(5000)]
    for i, obj in enumerate(objects):
        add_collider(obj, kinds[i % 4]).box.size = (1.0 + i / 5000.0, 1.0, 1.0)
        if i % 3 == 0:
            add_body(obj, "DYNAMIC")
    first = best(viewport.redraw, 1)
    context = bpy.context

    def redraw() -> View:
        return viewport.cache.refresh(
            0, context.visible_objects, context.selected_objects, context.view_layer.depsgraph
        )

    unchanged = best(redraw, 25)
    moved: list[float] = []
    for step in range(5):
        objects[2500].location = (0.0, float(step), 0.0)
        context.view_layer.update()
        moved.append(best(redraw, 1))
    for obj in objects:
        obj.select_set(True)
    context.view_layer.update()
    selected = best(redraw, 1)
    for name, value in {
        "first": first,
        "unchanged": unchanged,
        "one moved": min(moved),
        "all selected": selected,
    }.items():
        record_property(name, round(value, 2))
    assert unchanged < 8.0
    assert min(moved) < 20.0
