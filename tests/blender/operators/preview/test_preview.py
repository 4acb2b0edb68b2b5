"""The buttons of the preview, and what is told before it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender import registration
from omi_physics_addon.blender.operators.preview import preview
from omi_physics_addon.blender.preview import limitations, player
from omi_physics_addon.blender.preview.stage import stage, windows
from tests.blender.panels.test_panels import context, draw, panel
from tests.blender.support import scenes
from tests.blender.support.preview_scenes import (
    body,
    collision_filter,
    drive,
    floor,
    gravity,
    joint,
    material,
    place,
    play,
    run,
)

pytestmark = pytest.mark.usefixtures("stopped_preview")


@pytest.mark.parametrize("place", ["SCENE", "COPY"])
def test_start_and_stop_by_buttons(place: str) -> None:
    body("box", (0.0, 0.0, 5.0))
    scene: Any = bpy.context.scene
    assert scene.omi_physics.preview.place == "SCENE"
    scene.omi_physics.preview.place = place
    assert not bpy.ops.scene.omi_physics_preview_stop.poll()
    assert bpy.ops.scene.omi_physics_preview_start() == {"FINISHED"}
    assert not bpy.ops.scene.omi_physics_preview_start.poll()
    session = player.running()
    assert session is not None
    assert bpy.context.window.scene == (scene if place == "SCENE" else session.scene)
    session.step(10)
    assert bpy.ops.scene.omi_physics_preview_restart() == {"FINISHED"}
    again = player.running()
    assert again is not None
    assert again is not session
    assert again.time == 0.0
    assert bpy.ops.scene.omi_physics_preview_stop() == {"FINISHED"}
    assert bpy.context.window.scene == scene
    assert not stage.is_left()


def test_pause_and_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a window nothing plays by itself, so only what the button calls is looked at."""
    assert not bpy.ops.scene.omi_physics_preview_pause.poll()
    body("box", (0.0, 0.0, 5.0))
    bpy.ops.scene.omi_physics_preview_start()
    session = player.running()
    asked: list[bool] = []
    monkeypatch.setattr(player, "toggle", lambda: asked.append(True))
    for count in (1, 2):
        assert bpy.ops.scene.omi_physics_preview_pause() == {"FINISHED"}
        assert len(asked) == count
    assert player.running() is session


def test_the_chosen_options_count() -> None:
    body("box", (0.0, 0.0, 5.0))
    group = bpy.context.scene.omi_physics.preview
    group.rate, group.speed, group.seconds, group.substeps = 120, 0.5, 2.0, 7
    bpy.ops.scene.omi_physics_preview_start()
    session = player.running()
    assert session is not None
    assert session.options.step == pytest.approx(0.5 / 120)
    assert session.scene.rigidbody_world.substeps_per_frame == 7
    assert session.scene.frame_end == pytest.approx(480, abs=1)


def test_the_preview_needs_object_mode() -> None:
    box = body("box")
    bpy.context.view_layer.objects.active = box
    bpy.ops.object.mode_set(mode="EDIT")
    assert not bpy.ops.scene.omi_physics_preview_start.poll()
    bpy.ops.object.mode_set(mode="OBJECT")
    assert bpy.ops.scene.omi_physics_preview_start.poll()


def told() -> dict[str, tuple[str, ...]]:
    return {limit.text: limit.objects for limit in limitations.of_scene(bpy.context.scene)}


def test_a_plain_scene_is_exact() -> None:
    ground, box = floor(), body("box", (0.0, 0.0, 5.0))
    material("both", ground, box)
    assert told() == {}
    assert bpy.ops.scene.omi_physics_preview_check() == {"FINISHED"}
    assert player.kept_limitations(bpy.context.scene.name) == []


def test_friction_is_exact_where_only_others_could_spoil_it() -> None:
    """Two lanes, each with a box of its own: what slides on the other lane does not count."""
    for i, (lane, box) in enumerate(((0.5, 0.9), (0.1, 0.2))):
        ground, moved = floor(), body(f"box {i}", (0.0, i * 3.0, 0.5))
        moved.omi_physics.motion.linear_velocity = (4.0, 0.0, 0.0)
        material(f"lane {i}", ground, dynamic_friction=lane, static_friction=lane)
        material(f"box {i}", moved, dynamic_friction=box, static_friction=box)
        only = (f"lane {i}",)
        collision_filter(f"filter {i}", ground, moved, systems=only, mode="ONLY", others=only)
    assert told() == {}
    gravity()
    session = play(show=False)
    run(session, 3.5)
    for i, friction in enumerate((0.7, 0.15)):
        way = 16.0 / 2.0 / 9.81 / friction
        assert place(session, f"box {i}")[0] == pytest.approx(way, rel=0.015)


def test_what_is_not_exact_is_told_with_the_objects() -> None:
    ground = floor()
    moved = body("moved")
    moved.keyframe_insert("location", frame=1)
    moved.location.x = 1.0
    moved.keyframe_insert("location", frame=9)
    mesh = body("mesh", (5.0, 0.0, 0.0), "TRIMESH")
    odd = body("odd", (9.0, 0.0, 0.0), "SPHERE", inertia_mode="VALUE")
    odd.omi_physics.motion.inertia_diagonal = (1.0, 1.0, 9.0)
    odd.scale = (1.0, 1.0, 3.0)
    heavy = body("heavy", (12.0, 0.0, 0.0), "", mass_mode="INFINITE")
    material("bouncy", ground, restitution=0.5, static_friction=0.9)
    material("slick", mesh, dynamic_friction=0.01, friction_combine="MAXIMUM")
    found = told()
    assert found["Keyframes, drivers or constraints move it, and no forces"] == ("moved",)
    assert found["A moving triangle mesh collides as its convex hull"] == ("mesh",)
    assert found["No solid has such moments of inertia; the nearest ones are taken"] == ("odd",)
    assert found["A round shape on an uneven scale gets an even one"] == ("odd",)
    assert found["A body without a collider passes through everything"] == (heavy.name,)
    assert any(text.startswith("An infinite mass") for text in found)
    assert found["Static friction is not simulated separately; dynamic friction is used"] == (
        "mesh",
        "Floor",
    )
    assert any(text.startswith("Bounces are exact for") for text in found)


def test_mixed_colliders_of_a_body_are_told() -> None:
    box = body("box")
    child = scenes.add("child", scenes.cube_mesh(), location=(2.0, 0.0, 0.0), parent=box)
    scenes.add_collider(child)
    material("other", child, dynamic_friction=0.1)
    collision_filter("some", child, systems=["some"])
    (names,) = [names for text, names in told().items() if "weld" in text]
    assert names == ("box",)


def test_unfinished_joints_are_told() -> None:
    box, beside = body("box"), body("beside", (3.0, 0.0, 0.0))
    settings = bpy.context.scene.omi_physics.joint_settings.add()
    settings.name = "Free"
    for name, chosen, other in (("a", "", None), ("b", "Free", None), ("c", "", beside)):
        joint = scenes.add(name, parent=box).omi_physics
        joint.use_joint = True
        joint.joint.settings, joint.joint.connected_object = chosen, other
    text = "A joint without a connected object or without settings holds nothing"
    assert told()[text] == ("a", "b", "c")
    for name in "abc":
        joint = bpy.data.objects[name].omi_physics.joint
        joint.settings, joint.connected_object = "Free", beside
    assert text not in told()


def test_a_running_preview_shows_its_own_panels_only() -> None:
    """Its scene has bodies without physics: other panels would say that there is none."""
    box = body("box", (0.0, 0.0, 5.0))
    box.omi_physics.use_joint = True
    ours = [each for each in registration.CLASSES if issubclass(each, bpy.types.Panel)]
    places = {"VIEW_3D": "UI", "PROPERTIES": "WINDOW"}
    ours = [each for each in ours if places.get(each.bl_space_type) == each.bl_region_type]
    before = {each.__name__ for each in ours if draw(each, context(box)) is not None}
    assert {"OMIPHYSICS_PT_body", "OMIPHYSICS_PT_scene", "OMIPHYSICS_PT_joint"} <= before
    bpy.ops.scene.omi_physics_preview_start()
    session = player.running()
    assert session is not None
    there = SimpleNamespace(
        object=session.scene.objects[0],
        scene=session.scene,
        selected_objects=[],
        view_layer=session.scene.view_layers[0],
        mode="OBJECT",
    )
    shown = {each.__name__ for each in ours if draw(each, there) is not None}
    assert shown == {
        "OMIPHYSICS_PT_sidebar_physics",
        "OMIPHYSICS_PT_sidebar_preview",
        "OMIPHYSICS_PT_object",
    }
    pause = ("operator", "scene.omi_physics_preview_pause")
    for each in ("sidebar_physics", "object"):
        layout = draw(panel(each), there)
        assert layout is not None
        assert pause in layout.shown
        assert "Choose what the object is in glTF:" not in layout.texts


def test_the_drives_of_a_preview_say_what_they_turn_and_push() -> None:
    base = body("base", (0.0, 0.0, 5.0))
    arm = body("arm", (1.5, 0.0, 5.0))
    entry = joint("elbow", arm, base, (0.75, 0.0, 5.0))
    drive(entry, "ANGULAR", "Z", velocity=1.0, damping=5.0)
    drive(entry, "LINEAR", "X", position=0.2, stiffness=50.0)
    entry.drives.add()  # Without a target it does nothing.
    bpy.ops.scene.omi_physics_preview_start()
    layout = draw(panel("sidebar_preview_drives"), context())
    assert layout is not None
    titles = [text for text in layout.texts if "elbow" in text]
    assert titles == ["elbow, about Z", "elbow, along X"]
    fields = [name for _, name in layout.shown]
    targets = ["velocity_angle", "position_distance"]
    assert [name for name in fields if name.startswith(("velocity", "position"))] == targets


def test_a_trigger_and_who_enters_it_stand_below_each_other() -> None:
    """Both names side by side would be cut off in a sidebar of the usual width."""
    body("Heavy Wooden Crate", (0.0, 0.0, 1.0))
    zone = scenes.add("Finish of the Race", None)
    zone.omi_physics.use_trigger = True
    bpy.ops.scene.omi_physics_preview_start()
    session = player.running()
    assert session is not None
    name = "sidebar_preview_triggers"
    layout = draw(panel(name), context())
    assert layout is not None
    assert "No trigger events yet" in layout.texts
    session.step(60)
    layout = draw(panel(name), context())
    assert layout is not None
    texts = [text for text in layout.texts if text]
    assert texts[-2:] == ["Heavy Wooden Crate", "Finish of the Race"]


def test_nobody_listens_in_the_screen_of_a_render(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blender refuses to act there, which ended the listening of all windows."""
    render = SimpleNamespace(screen=SimpleNamespace(is_temporary=True), modal_operators=[])
    monkeypatch.setattr(windows, "windows", lambda: [render])
    preview.listen_elsewhere(bpy.context)
    assert not player.is_playing()
