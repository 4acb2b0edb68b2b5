"""Driving, grabbing and changing what runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from omi_physics_addon.axes import TO_GLTF
from omi_physics_addon.blender.preview import player
from omi_physics_addon.blender.preview.interaction.live_changes import LiveChanges
from tests.blender.support import scenes
from tests.blender.support.preview_scenes import (
    at,
    axes,
    body,
    collision_filter,
    drive,
    floor,
    gravity,
    joint,
    limit,
    place,
    play,
    run,
)

EXAMPLES = Path(__file__).resolve().parents[4] / "examples"


pytestmark = pytest.mark.usefixtures("standard_gravity")


def ship(name: str = "ship", **values: Any) -> Any:
    """A weightless vehicle with one thruster that pushes forward, and gyroscopes."""
    obj = body(name, mass=2.0)
    obj.omi_physics.use_vehicle_body = True
    group = obj.omi_physics.vehicle_body
    group.gyro_torque = (5.0, 5.0, 5.0)
    for key, value in values.items():
        setattr(group, key, value)
    nozzle = scenes.add(f"{name} nozzle", None, parent=obj)
    nozzle.omi_physics.use_thruster = True
    nozzle.omi_physics.thruster.max_force = 8.0
    return obj


def press(session: Any, *names: str) -> None:
    for name in names:
        assert session.driver.key(name, is_down=True)


def let_go(session: Any, *names: str) -> None:
    for name in names:
        assert session.driver.key(name, is_down=False)


def test_keys_drive_and_letting_go_resets() -> None:
    gravity(0.0)
    ship(linear_dampeners=False, angular_dampeners=False)
    session = play()
    run(session, 0.5)
    assert np.linalg.norm(place(session, "ship")) < 1e-4
    press(session, "W")
    run(session, 1.0)
    gone = place(session, "ship")
    assert gone[1] == pytest.approx(-0.5 * 8.0 / 2.0, rel=0.05), "forward is -Y"
    let_go(session, "W")
    speed = session.state.velocity[0].copy()
    run(session, 0.5)
    assert np.abs(session.state.velocity[0] - speed).max() < 0.1
    assert not session.forces.vehicles.vehicles.linear_activation.any()


def test_keys_turn() -> None:
    gravity(0.0)
    ship(linear_dampeners=False, angular_dampeners=False)
    session = play()
    press(session, "J")
    run(session, 0.3)
    front = -axes(session, "ship")[:, 1]
    assert front[0] > 0.05, "yawing left leads from -Y to +X"


def test_the_file_drives_until_the_first_key() -> None:
    gravity(0.0)
    ship(linear_activation=(0.0, -1.0, 0.0), linear_dampeners=False)
    session = play()
    run(session, 0.5)
    assert place(session, "ship")[1] < -0.3
    press(session, "SPACE")
    assert not session.forces.vehicles.vehicles.linear_activation.all()


def test_which_vehicle_is_driven() -> None:
    gravity(0.0)
    ship("a")
    second = ship("b")
    second.location.x = 9.0
    third = ship("c")
    third.location.x = 18.0
    seat = scenes.add("seat", None, parent=second)
    seat.omi_physics.use_seat = True
    second.omi_physics.vehicle_body.pilot_seat = seat
    bpy.context.view_layer.objects.active = None
    driver = play().driver
    assert driver.names[driver.at] == "b"
    player.stop()
    bpy.context.view_layer.objects.active = bpy.data.objects["c nozzle"]
    session = play()
    driver = session.driver
    assert driver.names[driver.at] == "c"
    press(session, "W")
    run(session, 0.2)
    assert bpy.ops.scene.omi_physics_preview_drive(vehicle=0) == {"FINISHED"}
    assert driver.names[driver.at] == "a"
    assert not driver.pressed
    run(session, 0.2)
    assert not session.forces.vehicles.vehicles.linear_activation[2].any()


def test_keys_that_nobody_listens_to_pass() -> None:
    body("box")
    session = play()
    assert session.driver.at == -1
    assert not session.driver.key("W", is_down=True)
    assert session.driver.hints() == ()


def test_the_example_can_be_driven() -> None:
    bpy.ops.wm.open_mainfile(filepath=str(EXAMPLES / "vehicles.blend"))
    session = play()
    driver = session.driver
    assert driver.hints()
    press(session, "W")
    at = int(session.forces.vehicles.vehicles.body[driver.at])
    before = session.poses().position[at].copy()
    run(session, 2.0)
    assert np.linalg.norm(session.poses().position[at] - before) > 0.3


def find(session: Any, origin: Any, direction: Any) -> Any:
    return session.grab.find(origin, direction, session.scene.view_layers[0])


@pytest.mark.parametrize("show", [True, False])
def test_a_ray_finds_the_body_that_is_seen(show: bool) -> None:
    floor()
    body("near", (0.0, 0.0, 3.0))
    body("far", (0.0, 4.0, 3.0))
    session = play(show=show)
    found = find(session, (0.0, -9.0, 3.1), (0.0, 1.0, 0.0))
    assert found is not None
    assert session.names[session.world.bodies[found[0]].node] == "near"
    assert found[1] @ TO_GLTF == pytest.approx([0.0, -0.5, 3.1], abs=0.01)
    assert find(session, (0.0, -9.0, 3.0), (0.0, 0.0, -1.0)) is None, "the floor stands still"
    assert find(session, (0.0, -9.0, 3.0), (0.0, -1.0, 0.0)) is None


@pytest.mark.parametrize("mass", [0.1, 1.0, 500.0])
def test_a_grabbed_body_is_pulled_and_let_go(mass: float) -> None:
    floor()
    body("box", (0.0, 0.0, 0.5), mass=mass)
    session = play()
    run(session, 3.0)  # Until it sleeps.
    grab = session.grab
    grab.take(*find(session, (0.2, -9.0, 0.7), (0.0, 1.0, 0.0)))
    grab.to = TO_GLTF @ np.array([1.0, -1.0, 4.0])
    run(session, 4.0)
    held = grab.point() @ TO_GLTF
    assert np.linalg.norm(held - (1.0, -1.0, 4.0)) < 0.25, "a spring gives way to weight"
    assert held[2] < 4.0
    grab.release()
    run(session, 3.0)
    assert place(session, "box")[2] == pytest.approx(0.5, abs=0.05)
    grab.take(*find(session, (place(session, "box") - (0, 9.0, 0)).tolist(), (0.0, 1.0, 0.0)))
    grab.to = TO_GLTF @ np.array([0.0, 0.0, 2.0])
    run(session, 3.0)
    assert place(session, "box")[2] > 1.0


def test_another_body_is_grabbed_at_once() -> None:
    gravity(0.0)
    body("a")
    body("b", (5.0, 0.0, 0.0))
    session = play()
    session.step(2)
    grab = session.grab
    for name, x in (("a", 0.0), ("b", 5.0)):
        grab.take(at(session, name), TO_GLTF @ np.array([x, 0.0, 0.0]))
        grab.to = TO_GLTF @ np.array([x, 0.0, 3.0])
        if name == "a":
            run(session, 2.0)
    run(session, 2.0)
    assert place(session, "b") == pytest.approx([5.0, 0.0, 3.0], abs=0.05)


def test_stopping_while_something_is_held() -> None:
    body("box")
    session = play()
    session.step(2)
    session.grab.take(0, np.zeros(3))
    session.step(5)
    player.stop()


def hinged(**values: Any) -> Any:
    """A box that turns about the world's Z; its joint settings."""
    gravity(0.0)
    body("box", mass=1.0)
    entry = joint("hinge", None, bpy.data.objects["box"], (0.0, 0.0, 0.0))
    limit(entry, "LINEAR", "XYZ", 0.0, 0.0)
    limit(entry, "ANGULAR", "XY", 0.0, 0.0)
    if values:
        drive(entry, "ANGULAR", "Z", **values)
    return entry


def angle(session: Any) -> float:
    turn = axes(session, "box")
    return float(np.arctan2(turn[1, 0], turn[0, 0]))


def test_a_target_that_is_changed_counts_at_once() -> None:
    entry = hinged(position=0.5, stiffness=40.0, damping=8.0)
    session = play()
    run(session, 2.0)
    assert angle(session) == pytest.approx(0.5, abs=0.02)
    entry.drives[0].position_angle = -0.7
    run(session, 2.0)
    assert angle(session) == pytest.approx(-0.7, abs=0.02)
    assert not session.changes.is_outdated
    entry.drives[0].axis = "X"
    session.step()
    assert session.changes.is_outdated


def test_a_limit_that_is_changed_in_a_pause_counts_when_it_goes_on() -> None:
    entry = hinged(velocity=3.0, damping=8.0)
    stop = limit(entry, "ANGULAR", "Z", -1.0, 0.4)
    session = play()
    run(session, 2.0)
    assert angle(session) == pytest.approx(0.4, abs=0.05)
    stop.max_angle = 0.9
    session.changes.resume()
    assert not session.changes.is_outdated
    run(session, 2.0)
    assert angle(session) == pytest.approx(0.9, abs=0.05)


def test_a_soft_limit_that_is_changed_in_a_pause_counts() -> None:
    entry = hinged(velocity=3.0, damping=2.0)
    stop = limit(entry, "ANGULAR", "Z", -1.0, 0.4)
    stop.use_stiffness, stop.stiffness, stop.damping = True, 1000.0, 50.0
    session = play()
    run(session, 2.0)
    assert angle(session) == pytest.approx(0.4, abs=0.05)
    stop.max_angle = 0.9
    session.changes.resume()
    run(session, 2.0)
    assert angle(session) == pytest.approx(0.9, abs=0.05)


def test_a_mass_that_is_changed_in_a_pause_counts() -> None:
    gravity(0.0)
    box = ship(linear_dampeners=False, angular_dampeners=False)
    session = play()
    session.step(2)
    box.omi_physics.motion.mass = 8.0
    session.changes.resume()
    assert not session.changes.is_outdated
    press(session, "W")
    run(session, 1.0)
    assert place(session, "ship")[1] == pytest.approx(-0.5 * 8.0 / 8.0, rel=0.05)


@pytest.mark.parametrize("change", ["size", "place", "new", "filter", "gravity"])
def test_other_changes_ask_for_a_restart(change: str) -> None:
    box = body("box", (0.0, 0.0, 9.0))
    session = play()
    session.step(3)
    session.changes.resume()
    assert not session.changes.is_outdated, "nothing has changed"
    if change == "size":
        box.omi_physics.collider.shape.box.size = (2.0, 1.0, 1.0)
    elif change == "place":
        box.location.x = 4.0
    elif change == "new":
        other = body("other", (5.0, 0.0, 0.0))
        bpy.data.scenes[session.artist].collection.objects.link(other)
    elif change == "gravity":
        bpy.data.scenes[session.artist].gravity = (0.0, 0.0, -1.6)
    else:
        collision_filter("some", box, systems=["some"])
    session.changes.resume()
    assert session.changes.is_outdated


def test_names_of_driven_joints_are_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not in every frame, nor whenever the panel is drawn."""
    asked: list[int] = []
    original = LiveChanges._settings_of

    def counted(changes: LiveChanges, node: int) -> str:
        asked.append(node)
        return original(changes, node)

    monkeypatch.setattr(LiveChanges, "_settings_of", counted)
    for i in range(3):
        door = body(f"door {i}", (3.0 * i, 0.0, 0.0))
        entry = joint(f"hinge {i}", None, door, door.location)
        drive(entry, "ANGULAR", "Z", velocity=1.0, damping=1.0)
    bpy.data.objects["hinge 2 B"].omi_physics.joint.settings = "hinge 0"
    session = play()
    count = len(asked)
    assert count == 3
    session.step(20)
    assert [entry.name for entry in session.changes.driven()] == ["hinge 0", "hinge 1"]
    assert len(asked) == count
