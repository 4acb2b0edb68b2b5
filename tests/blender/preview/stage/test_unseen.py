"""What is disabled in viewports or excluded is where it belongs, also after a file was opened."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import pytest

from omi_physics_addon import api
from omi_physics_addon.blender.preview import player, recorder
from omi_physics_addon.blender.preview.stage import unseen
from omi_physics_addon.blender.preview.stage.options import PreviewOptions
from tests.blender.support import scenes

KINDS = ("object", "collection", "excluded", "hidden")
PLACE = (1.0, 2.0, 3.0)


def disable(kind: str, *objects: Any) -> None:
    """Disable objects as an artist does who wants colliders out of sight."""
    layer: Any = bpy.context.view_layer
    if kind == "hidden":
        for obj in objects:
            obj.hide_set(True)
    elif kind == "object":
        for obj in objects:
            obj.hide_viewport = True
    else:
        group = bpy.data.collections.new("Collision")
        bpy.context.scene.collection.children.link(group)
        for obj in objects:
            for each in obj.users_collection:
                each.objects.unlink(obj)
            group.objects.link(obj)
        if kind == "collection":
            group.hide_viewport = True
        else:
            layer.layer_collection.children["Collision"].exclude = True


def opened(kind: str, tmp_path: Path) -> Any:
    """The scene of a file with a wall, a part below it and a mesh below that, out of sight."""
    bpy.ops.wm.read_homefile(use_empty=True)
    wall = scenes.add("Wall", scenes.cube_mesh(), location=PLACE)
    scenes.add_collider(wall)
    part = scenes.add("Part", scenes.cube_mesh(), location=(0.0, 0.0, 1.0), parent=wall)
    scenes.add_collider(part)
    shown = scenes.add("Shown", scenes.cube_mesh(), location=(0.0, 1.0, 0.0), parent=wall)
    plain = scenes.add("Plain", scenes.cube_mesh(), location=PLACE)
    scenes.add_body(scenes.add("Ball", scenes.cube_mesh()))
    disable(kind, wall, part, shown, plain)
    path = str(tmp_path / "disabled.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    return bpy.context.scene


def states() -> Any:
    """What of the file a moment of showing could change."""
    layer: Any = bpy.context.view_layer
    return (
        {o.name: (o.hide_viewport, o.hide_get(), o.select_get()) for o in layer.objects},
        {o.name: [c.name for c in o.users_collection] for o in bpy.data.objects},
        {c.name: (c.hide_viewport, [*c.children.keys()]) for c in bpy.data.collections},
        [(each.name, each.exclude) for each in layer.layer_collection.children],
    )


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_exported_where_it_belongs(
    kind: str, tmp_path: Path, export: Callable[..., dict[str, Any]]
) -> None:
    opened(kind, tmp_path)
    before = states()
    nodes = {node["name"]: node.get("translation") for node in export()["nodes"]}
    assert nodes["Wall"] == [1, 3, -2]
    assert nodes["Part"] == [0, 1, 0]
    assert nodes["Shown"] == [0, 0, -1]
    assert states() == before


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_played_where_it_belongs(kind: str, tmp_path: Path) -> None:
    scene = opened(kind, tmp_path)
    before = states()
    played = recorder.record(scene, PreviewOptions(seconds=1.0, show=False), 0.1).recording
    assert played.places[0][played.names.index("Wall")] == pytest.approx((1, 3, -2))
    player.stop()
    assert states() == before


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_checked_where_it_belongs(kind: str, tmp_path: Path) -> None:
    """The ball begins at the origin, where the wall would be."""
    scene = opened(kind, tmp_path)
    scenes.add_collider(bpy.data.objects["Ball"])
    assert not [issue for issue in api.check_scene(scene).issues if "overlap" in issue.message]
    assert tuple(bpy.data.objects["Wall"].matrix_world.translation) == PLACE


def test_other_scenes_are_exported_where_they_belong(
    tmp_path: Path, export: Callable[..., dict[str, Any]]
) -> None:
    scene = opened("hidden", tmp_path)
    other = bpy.data.scenes.new("Other")
    wall = bpy.data.objects["Wall"]
    scene.collection.objects.unlink(wall)
    other.collection.objects.link(wall)
    disabled = scenes.add("Disabled", scenes.cube_mesh(), location=PLACE)
    scenes.add_collider(disabled)
    scene.collection.objects.unlink(disabled)
    other.collection.objects.link(disabled)
    disabled.hide_viewport = True
    path = str(tmp_path / "other.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    nodes = {node["name"]: node.get("translation") for node in export()["nodes"]}
    assert nodes["Wall"] == nodes["Disabled"] == [1, 3, -2]
    assert bpy.context.window.scene.name == "Scene"


def test_what_moved_since_is_where_it_is_now(tmp_path: Path) -> None:
    opened("object", tmp_path)
    wall = bpy.data.objects["Wall"]
    wall.hide_viewport = False
    bpy.context.view_layer.update()
    wall.location = (5.0, 0.0, 0.0)
    bpy.context.view_layer.update()
    unseen.place(bpy.context.scene)
    assert tuple(bpy.data.objects["Part"].matrix_world.translation) == (5.0, 0.0, 1.0)


def test_values_without_keys_are_kept(tmp_path: Path) -> None:
    opened("object", tmp_path)
    wall = bpy.data.objects["Wall"]
    wall.keyframe_insert("location", frame=1)
    wall.location = (5.0, 0.0, 0.0)
    unseen.place(bpy.context.scene)
    assert tuple(wall.location) == (5.0, 0.0, 0.0)


def test_files_without_physics_are_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And so are objects that Blender evaluates."""
    scene = opened("hidden", tmp_path)
    monkeypatch.setattr(
        unseen.UnkeyedValues, "take", lambda: pytest.fail("objects are shown for a moment")
    )
    unseen.place(scene)
    bpy.ops.wm.read_homefile(use_empty=True)
    scenes.add("Plain", scenes.cube_mesh()).hide_viewport = True
    unseen.place(bpy.context.scene)
