"""Fixes of files that change objects and entries of a scene."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.authoring.fixes.document_fixes import fix_objects
from omi_physics_addon.blender.base import reports
from omi_physics_addon.issue_codes import Severity
from tests.blender.operators.test_bodies import run
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh


def solid(name: str, **options: Any) -> Any:
    obj = add(name, cube_mesh(name), **options)
    add_collider(obj)
    return obj


def body(name: str, kind: str = "DYNAMIC", **options: Any) -> Any:
    obj = solid(name, **options)
    add_body(obj, kind)
    return obj


def on(name: str, part: str, kind: str = "DYNAMIC") -> Any:
    """The group of a part on a body."""
    group = body(name, kind).omi_physics
    setattr(group, f"use_{part}", True)
    return getattr(group, part)


def lists() -> Any:
    return bpy.context.scene.omi_physics


def static_mass() -> None:
    motion = body("One", "STATIC").omi_physics.motion
    motion.mass_mode, motion.mass = "VALUE", 5.0


def below_body() -> None:
    body("Two", parent=body("One"))


def flat_capsule() -> None:
    shape = solid("One").omi_physics.collider.shape
    shape.type, shape.capsule.height = "CAPSULE", 0.5
    shape.capsule.radius_top, shape.capsule.radius_bottom = 1.0, 0.1


def collider_and_trigger() -> None:
    group = solid("One").omi_physics
    group.use_trigger, group.trigger.shape.type = True, "BOX"
    group.is_collision_only = True


def gravity_on_solid() -> None:
    on("One", "gravity", "STATIC")


def odd_seat() -> None:
    seat = on("One", "seat")
    seat.back, seat.knee, seat.foot = (0, 0.3, 0), (0, -0.3, 0), (0, -0.3, -0.5)
    seat.angle = 3.5


def bare_seat() -> None:
    seat = add("One").omi_physics
    seat.use_seat = True
    seat.seat.back, seat.seat.knee, seat.seat.foot = (0, 0.3, 0), (0, -0.3, 0), (0, -0.3, -0.5)


def plane_on_body() -> None:
    body("One").omi_physics.collider.shape.type = "PLANE"


def wheel_on_vehicle() -> None:
    group = body("One").omi_physics
    group.use_vehicle_body = group.use_wheel = True


def scaled_wheel() -> None:
    car = body("Car")
    car.omi_physics.use_vehicle_body = True
    wheel = add("One", parent=car)
    wheel.scale, wheel.omi_physics.use_wheel = (2.0, 2.0, 2.0), True


def line() -> None:
    zone = add("One", cube_mesh()).omi_physics
    zone.use_gravity = zone.use_trigger = True
    zone.trigger.shape.type, zone.is_collision_only = "BOX", True
    zone.gravity.type = "LINE"
    for x in (0.0, 0.0, 1.0):
        zone.gravity.line.points.add().location = (x, 0.0, 0.0)


FAULTS: dict[str, Callable[[], None]] = {
    "B04": below_body,
    "B06": static_mass,
    "C03": collider_and_trigger,
    "E04": odd_seat,
    "E05": bare_seat,
    "S10": flat_capsule,
    "S33": plane_on_body,
    "V02": gravity_on_solid,
    "V12": line,
    "W02": wheel_on_vehicle,
    "W09": scaled_wheel,
}


def entry(list_name: str, name: str) -> Any:
    found = getattr(lists(), list_name).add()
    found.name = name
    return found


def used(fill: Callable[[Any], None]) -> None:
    """Joint settings with a fault, and a joint that has them."""
    one, other = body("One"), body("Two", location=(3.0, 0.0, 0.0))
    joint = add("Joint", parent=one).omi_physics
    fill(entry("joint_settings", "Settings"))
    joint.use_joint, joint.joint.settings, joint.joint.connected_object = True, "Settings", other


def drive(settings: Any, **values: Any) -> None:
    row = settings.drives.add()
    for name, value in values.items():
        setattr(row, name, value)


def limit(settings: Any, low: float, high: float, **values: Any) -> None:
    row = settings.limits.add()
    row.axes, row.use_min, row.use_max = (True, False, False), True, True
    row.min_distance, row.max_distance = low, high
    for name, value in values.items():
        setattr(row, name, value)


def material() -> None:
    row = entry("physics_materials", "Ice")
    row.static_friction, row.dynamic_friction = 0.1, 0.9
    solid("One").omi_physics.collider.physics_material = "Ice"


def empty_filter() -> None:
    entry("collision_filters", "Empty")
    solid("One").omi_physics.collider.collision_filter = "Empty"


def names_alike() -> None:
    for k, system in enumerate(("Wall", "wall")):
        row = entry("collision_filters", f"Filter {k}")
        row.collision_systems.add().name = system
        solid(
            f"Solid {k}", location=(3.0 * k, 0, 0)
        ).omi_physics.collider.collision_filter = row.name


ENTRIES: dict[str, Callable[[], None]] = {
    "C07": material,
    "C09": empty_filter,
    "C11": names_alike,
    "C13": lambda: entry("physics_materials", "Unused"),
    "J21": lambda: used(lambda s: (limit(s, -1, 1), limit(s, -2, 0.5))),
    "J25": lambda: used(lambda s: drive(s, use_position_target=True, position_distance=1.0)),
    "J26": lambda: used(lambda s: drive(s, stiffness=5.0)),
    "J27": lambda: used(
        lambda s: drive(s, use_velocity_target=True, velocity_distance=2.0, stiffness=0.0)
    ),
    "J28": lambda: used(
        lambda s: (
            limit(s, -1, 1),
            drive(s, use_position_target=True, position_distance=4.0, stiffness=5.0),
        )
    ),
    "J29": lambda: used(lambda s: (limit(s, 0, 0), drive(s, use_velocity_target=True, damping=1))),
    "J30": lambda: used(
        lambda s: [drive(s, use_velocity_target=True, damping=1.0) for _ in range(2)]
    ),
    "J36": lambda: entry("joint_settings", "Unused"),
}


def found() -> dict[str, Severity]:
    bpy.context.view_layer.update()
    run("scene.omi_physics_check")
    return {
        issue.code: issue.severity for issue in reports.of_scene("CHECK", bpy.context.scene).issues
    }


@pytest.mark.parametrize("code", [*FAULTS, *ENTRIES])
def test_a_click_fixes_it_and_nothing_worse_comes(code: str):
    (FAULTS | ENTRIES)[code]()
    before = found()
    assert code in before
    assert run("object.omi_physics_fix_issue", code=code) == {"FINISHED"}
    after = found()
    assert code not in after
    assert {c for c, severity in after.items() if severity is not Severity.INFO} <= before.keys()
    assert run("object.omi_physics_fix_issue", code=code) == {"CANCELLED"}


def test_other_objects_stay_as_they_are():
    static_mass()
    other = body("Two", "STATIC", location=(5.0, 0.0, 0.0))
    other.omi_physics.motion.mass_mode, other.omi_physics.motion.mass = "VALUE", 7.0
    (one,) = fix_objects("B06", [bpy.data.objects["One"]], bpy.context.scene)
    assert one.omi_physics.motion.mass_mode == "ENGINE"
    assert (other.omi_physics.motion.mass_mode, other.omi_physics.motion.mass) == ("VALUE", 7.0)
    assert one.omi_physics.collider.shape.type == "BOX"


def test_a_part_that_moves_to_its_own_node_gets_an_object_there():
    gravity_on_solid()
    bpy.data.objects["One"].location = (1.0, 2.0, 3.0)
    bpy.context.view_layer.update()
    assert found()
    run("object.omi_physics_fix_issue", code="V02")
    one = bpy.data.objects["One"]
    (new,) = one.children
    bpy.context.view_layer.update()
    assert tuple(new.matrix_world.translation) == pytest.approx((1.0, 2.0, 3.0))
    assert (one.omi_physics.use_gravity, new.omi_physics.use_gravity) == (False, True)
