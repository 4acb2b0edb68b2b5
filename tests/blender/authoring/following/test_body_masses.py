"""What the shapes of a body weigh, against closed formulas, and taken by a button."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Quaternion

from omi_physics_addon.blender.authoring.following import body_masses
from omi_physics_addon.blender.overlay import overlay
from omi_physics_addon.blender.scene import scene_document
from tests.blender.operators.test_bodies import run, select
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh

TAKE = "object.omi_physics_take_computed"


def crate(name: str = "A", **values: Any) -> Any:
    """A body of 2 by 1 by 4 m whose shape is off its origin."""
    obj = add(name, cube_mesh(), location=(5.0, 6.0, 7.0))
    shape = add_collider(obj)
    shape.box.size, shape.location = (2.0, 1.0, 4.0), (1.0, 0.0, 0.5)
    motion = add_body(obj)
    motion.density = 500.0
    for key, value in values.items():
        setattr(motion, key, value)
    return obj


def computed(obj: Any) -> body_masses.Computed:
    found = body_masses.of_body(bpy.context.scene, obj)
    assert found is not None
    return found


def moments(mass: float) -> Any:
    return pytest.approx([mass * each / 12.0 for each in (17.0, 20.0, 5.0)], rel=1e-5)


def test_a_box_weighs_what_the_formula_says():
    obj = crate(mass=12.0)
    found = computed(obj)
    assert found.mass == pytest.approx(4000.0)
    assert found.center == pytest.approx((1.0, 0.0, 0.5))
    turn = np.array(Quaternion(found.orientation).to_matrix())
    tensor = turn @ np.diag(found.diagonal(obj.omi_physics.motion)) @ turn.T
    assert np.diag(tensor) == moments(12.0)


def test_parts_below_and_scale_count():
    obj = crate()
    part = add("Part", parent=obj, location=(-4.0, 0.0, 0.0))
    add_collider(part).box.size = (2.0, 1.0, 4.0)
    other = add("Own Body", parent=obj)
    add_collider(other)
    add_body(other)
    bpy.context.view_layer.update()
    assert computed(obj).mass == pytest.approx(8000.0)
    assert computed(obj).center == pytest.approx((-1.5, 0.0, 0.25))


@pytest.mark.parametrize("what", ["MASS", "CENTER", "INERTIA", "ALL"])
def test_a_button_takes_what_the_shapes_say(what):
    objects = [crate("A", mass=12.0), crate("B", mass_mode="DENSITY")]
    add("Empty")
    select(*objects)
    assert run(TAKE, what=what) == {"FINISHED"}
    for obj in objects:
        motion = obj.omi_physics.motion
        is_by_value = motion.mass_mode == "VALUE"
        assert is_by_value == (obj.name == "A" or what in ("MASS", "ALL"))
        mass = 4000.0 if what in ("MASS", "ALL") or not is_by_value else 12.0
        if is_by_value:
            assert motion.mass == pytest.approx(mass)
        assert tuple(motion.center_of_mass) == (
            (1.0, 0.0, 0.5) if what in ("CENTER", "ALL") else (0, 0, 0)
        )
        assert (motion.inertia_mode == "VALUE") == (what in ("INERTIA", "ALL"))
        if motion.inertia_mode == "VALUE":
            assert sorted(motion.inertia_diagonal) == pytest.approx(
                sorted(mass * each / 12.0 for each in (17.0, 20.0, 5.0)), rel=1e-5
            )


def test_taken_values_are_what_an_export_would_work_out():
    obj = crate(mass_mode="DENSITY", center_of_mass_mode="SHAPES", inertia_mode="SHAPES")

    def motion() -> Any:
        return scene_document.read(bpy.context.scene, [obj]).document.nodes[0].motion

    by_shapes = motion()
    select(obj)
    run(TAKE, what="ALL")
    taken = motion()
    assert taken.mass == by_shapes.mass
    assert taken.center_of_mass == pytest.approx(by_shapes.center_of_mass)
    assert taken.inertia_diagonal == pytest.approx(by_shapes.inertia_diagonal, rel=1e-6)
    assert taken.inertia_orientation == pytest.approx(by_shapes.inertia_orientation, abs=1e-6)


def test_nothing_to_weigh_is_told_and_changes_nothing():
    obj = add("A", cube_mesh())
    add_body(obj)
    select(obj)
    assert run(TAKE) == {"CANCELLED"}
    assert body_masses.shown(bpy.context.scene, obj) is None


def test_it_is_weighed_again_only_after_a_change(monkeypatch):
    obj, calls = crate(), list[int]()
    work = body_masses.of_body
    monkeypatch.setattr(body_masses, "of_body", lambda *args: (calls.append(1), work(*args))[1])
    scene = bpy.context.scene
    bpy.context.view_layer.update()
    for _ in range(3):
        first = body_masses.shown(scene, obj)
    obj.omi_physics.collider.shape.box.size = (4.0, 1.0, 4.0)
    obj.update_tag()
    bpy.context.view_layer.update()
    second = body_masses.shown(scene, obj)
    assert (len(calls), first.mass, second.mass) == (2, 4000.0, 8000.0)


def test_large_meshes_are_not_weighed_in_redraws(monkeypatch):
    obj = add("A", cube_mesh())
    add_collider(obj, "CONVEX")
    add_body(obj)
    assert body_masses.of_body(bpy.context.scene, obj, None, 12) is not None
    assert body_masses.of_body(bpy.context.scene, obj, None, 11) is None


def test_the_overlay_draws_where_the_mass_is():
    obj = crate()
    bpy.context.view_layer.update()
    lines = overlay.computed_lines(bpy.context.scene, obj, 1.0)
    assert lines is not None
    assert lines.min(axis=0)[2] == pytest.approx(7.0 + 0.5 - 2.0, abs=1e-5)
    assert (lines.min(axis=0) + lines.max(axis=0))[2] / 2.0 == pytest.approx(7.5, abs=1e-5)
    assert any(np.allclose(line, (5.0, 6.0, 7.0)) for line in lines)
    assert overlay.computed_lines(bpy.context.scene, add("Empty"), 1.0) is None
