"""Bodies with a negative scale: the preview turns them as Blender does, as files have them."""

from __future__ import annotations

import itertools

import bpy
import numpy as np
import pytest
from mathutils import Euler, Matrix

from omi_physics_addon.geometry.rotations import nearest_rotation
from omi_physics_addon.model.shapes import Cylinder
from omi_physics_addon.simulation.body_solids import formed
from tests.blender.support.preview_scenes import body, gravity, joint, limit, place, play, run

SIGNS = list(itertools.product((1.0, -1.0), repeat=3))


@pytest.mark.parametrize("signs", SIGNS)
def test_turns_are_those_of_blender(signs):
    size = np.array((0.5, 1.0, 2.0)) * signs
    matrix = Matrix.LocRotScale(None, Euler((0.3, -0.5, 0.9)), size.tolist())
    turn = np.array(matrix.to_quaternion().to_matrix())
    assert nearest_rotation(np.array(matrix.to_3x3())) == pytest.approx(turn, abs=1e-5)


@pytest.mark.parametrize("signs", SIGNS)
def test_cones_point_where_they_do_in_the_viewport(signs):
    cone = Cylinder(height=1.0, radius_bottom=0.5, radius_top=0.1)
    linear = np.array(Euler((0.3, -0.5, 0.9)).to_matrix()) @ np.diag(signs)
    found = formed(cone, linear, lambda _: None)
    assert found is not None
    form, turn = found
    assert isinstance(form, Cylinder)
    assert form.radius_bottom == pytest.approx(0.5)
    assert turn[:, 1] == pytest.approx(linear[:, 1])


@pytest.mark.usefixtures("stopped_preview")
@pytest.mark.parametrize("signs", SIGNS)
def test_a_joint_on_a_mirrored_body_starts_where_it_is(signs):
    gravity(0.0)
    base, hung = body("Base", mass=3.0), body("Hung", (3.0, 0.0, 0.0))
    base.rotation_euler, base.scale = (0.3, -0.5, 0.9), signs
    bpy.context.view_layer.update()
    _, turn, _ = base.matrix_world.decompose()
    entry = joint("Weld", base, hung, (0.0, 0.0, 0.0), turn.to_euler())
    limit(entry, "LINEAR", "XYZ", 0.0, 0.0)
    limit(entry, "ANGULAR", "XYZ", 0.0, 0.0)
    bpy.data.objects["Weld B"].omi_physics.joint.connected_object = base
    bpy.data.objects.remove(bpy.data.objects["Weld A"])
    bpy.context.view_layer.update()
    session = play()
    run(session, 0.5)
    assert place(session, "Hung") == pytest.approx((3.0, 0.0, 0.0), abs=0.01)
