"""What windows show while a preview runs, and afterwards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.preview import player
from omi_physics_addon.blender.preview.session import Session
from omi_physics_addon.blender.preview.stage.options import PreviewOptions
from tests.blender.support import scenes
from tests.blender.support.preview_scenes import body, floor, of, play


def window() -> Any:
    return bpy.context.window


def test_the_view_layer_of_a_window_comes_back() -> None:
    body("box")
    scene: Any = bpy.context.scene
    window().view_layer = scene.view_layers.new("Second")
    play()
    assert window().scene != scene
    player.stop()
    assert (window().scene, window().view_layer.name) == (scene, "Second")


def test_what_is_hidden_in_the_view_layer_of_the_window_is_left_out() -> None:
    scene: Any = bpy.context.scene
    for name in ("seen", "hidden"):
        scenes.add(name, scenes.cube_mesh())
    first = scene.view_layers[0]
    window().view_layer = second = scene.view_layers.new("Second")
    bpy.data.objects["hidden"].hide_set(True, view_layer=second)
    bpy.data.objects["seen"].hide_set(True, view_layer=first)
    assert copies(play()) == {"seen"}


def copies(session: Session) -> set[str]:
    """The names of what a preview shows, without numbers."""
    groups = session.scene.view_layers[0].layer_collection.children
    seen = [group.collection for group in groups if not group.hide_viewport]
    return {of(obj) for group in seen for obj in group.objects}


def test_a_renamed_scene_is_shown_again() -> None:
    body("box")
    scene: Any = bpy.context.scene
    bpy.data.scenes.new("A First One")
    session = play()
    scene.name = "Renamed"
    assert session.artist == "Renamed"
    player.restart()
    player.stop()
    assert window().scene == scene


def test_a_linked_scene_is_shown_again(tmp_path: Path) -> None:
    """There may be one of the same name in the file itself."""
    body("box", (0.0, 0.0, 5.0))
    path = str(tmp_path / "library.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_empty=True)
    name = bpy.context.scene.name
    with bpy.data.libraries.load(path, link=True) as (_, wanted):
        wanted.scenes = [name]
    linked = wanted.scenes[0]
    assert linked.name == name
    assert linked.library is not None
    window().scene = linked
    session = player.start(linked, PreviewOptions())
    session.step(10)
    assert session.error == ""
    assert len(session.world.bodies) == 1
    player.restart()
    player.stop()
    assert window().scene == linked


def test_copies_show_what_modifiers_make() -> None:
    obj = scenes.add("smooth", scenes.cube_mesh())
    obj.modifiers.new("Smooth", "SUBSURF").levels = 3
    session = play()
    (copy,) = (each for each in session.scene.objects if of(each) == "smooth")
    assert len(copy.data.vertices) == 386


def test_nothing_of_a_preview_can_be_selected() -> None:
    floor()
    body("box")
    body("hull", (0.0, 0.0, 4.0), "CONVEX")
    scenes.add("lamp", bpy.data.lights.new("lamp", "POINT"))
    session = play()
    assert {"box", "hull", "lamp"} <= {obj.name for obj in bpy.data.objects}
    bpy.ops.object.select_all(action="SELECT")
    assert [obj.name for obj in session.scene.view_layers[0].objects if obj.select_get()] == []


def test_a_preview_cannot_be_rendered() -> None:
    """Blender would wait for ever when the preview stops meanwhile; windows refuse it so."""
    floor()
    layers = play().scene.view_layers
    assert [layer.use for layer in layers] == [False]


def test_the_view_through_the_camera_stays() -> None:
    scene: Any = bpy.context.scene
    scene.render.resolution_x, scene.render.resolution_y = 500, 700
    scene.render.resolution_percentage = 50
    scene.render.pixel_aspect_x = 2.0
    scene.camera = scenes.add("eye", bpy.data.cameras.new("eye"), location=(1.0, 2.0, 3.0))
    scenes.add("other", bpy.data.cameras.new("other"))
    scene.camera.hide_set(True)
    body("box")
    session = play()
    camera = session.scene.camera
    assert camera.data == scene.camera.data
    assert tuple(camera.matrix_world.translation) == (1.0, 2.0, 3.0)
    assert not camera.visible_get()
    render = session.scene.render
    assert (render.resolution_x, render.resolution_y) == (500, 700)
    assert (render.resolution_percentage, render.pixel_aspect_x) == (50, 2.0)


def test_every_display_device_can_be_copied() -> None:
    scene: Any = bpy.context.scene
    tried: set[str] = set()
    for device in ("sRGB", "Display P3", "Rec.1886", "Rec.2020"):
        scene.display_settings.display_device = device
        for view in ("Standard", "AgX", "Raw"):
            try:
                scene.view_settings.view_transform = view
            except TypeError:
                continue  # Not for this device.
            made = play().scene
            assert made.display_settings.display_device == device
            assert made.view_settings.view_transform == view
            player.stop()
            tried.add(device)
    assert len(tried) == 4


def test_what_is_added_meanwhile_is_kept_in_the_artists_scene() -> None:
    body("box")
    scene: Any = bpy.context.scene
    session = play()
    made = bpy.data.objects.new("made", None)
    session.scene.collection.objects.link(made)
    player.stop()
    assert bpy.data.objects["made"].name in scene.collection.objects


@pytest.mark.parametrize("what", ["body", "group", "scene"])
def test_a_preview_that_was_damaged_ends_and_says_so(
    what: str, caplog: pytest.LogCaptureFixture
) -> None:
    body("box")
    body("other", (3.0, 0.0, 0.0)).omi_physics.motion.gravity_factor = 0.5
    scene: Any = bpy.context.scene
    session = play()
    session.step(3)
    shown = session.scene
    if what == "body":
        bpy.data.objects.remove(shown.rigidbody_world.collection.objects[0])
    elif what == "group":
        bpy.data.collections.remove(shown.rigidbody_world.collection)
    if what == "scene":
        bpy.data.scenes.remove(shown)
    else:
        shown.frame_set(session.frame + 1)
        assert "removed" in session.error
        assert player.message == session.error
    assert caplog.records == []
    assert not session.is_whole
    player.stop()
    assert window().scene == scene


@pytest.mark.parametrize("is_shown", [True, False])
def test_relationship_lines_are_hidden_meanwhile(is_shown: bool) -> None:
    screens: Any = bpy.data.screens
    areas = [area for screen in screens for area in screen.areas if area.type == "VIEW_3D"]
    overlays = [area.spaces.active.overlay for area in areas]
    assert overlays
    for overlay in overlays:
        overlay.show_relationship_lines = is_shown
    body("box")
    play()
    player.restart()
    assert not any(overlay.show_relationship_lines for overlay in overlays)
    player.stop()
    assert all(overlay.show_relationship_lines == is_shown for overlay in overlays)
