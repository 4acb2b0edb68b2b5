"""Bodies of Blender's own rigid-body worlds, and those of previews, do each other no harm.

What is harmed stops moving at once; Blender crashes later, or not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.preview import player
from omi_physics_addon.blender.preview.stage import removal, windows, worlds
from tests.blender.support import scenes
from tests.blender.support.preview_scenes import body, play

OWN = 6  # Rigid bodies of Blender's own, more than the preview has of its own.
OURS = 4


def own_world() -> Any:
    """A scene with rigid bodies of Blender's own, that fall since three frames."""
    scene: Any = bpy.context.scene
    scene.name = "Scene"
    worlds.add(scene)
    group = bpy.data.collections.new("RigidBodyWorld")
    for i in range(OWN):
        group.objects.link(scenes.add(f"Own {i}", scenes.cube_mesh(), location=(3.0 * i, 20, 5)))
    scene.rigidbody_world.collection = group
    for i in range(OURS):
        body(f"Ours {i}", (3.0 * i, 0.0, 50.0))
    bpy.ops.ed.undo_push(message="Made")
    for frame in (1, 2, 3):
        scene.frame_set(frame)
    bpy.ops.ed.undo_push(message="Played")
    return scene


def heights(scene: Any) -> list[float]:
    graph = scene.view_layers[0].depsgraph
    return [obj.evaluated_get(graph).matrix_world.translation.z for obj in own(scene)]


def own(scene: Any) -> list[Any]:
    return [obj for obj in scene.objects if obj.name.startswith("Own")]


def all_fall(scene: Any) -> bool:
    """Whether each of Blender's own bodies goes on falling, as fast as the others."""
    before = heights(scene)
    scene.frame_set(scene.frame_current + 1)
    scene.frame_set(scene.frame_current + 1)
    fallen = [old - new for old, new in zip(before, heights(scene), strict=True)]
    return min(fallen) > 0.01 and max(fallen) - min(fallen) < 1e-5


def shown() -> str:
    return windows.windows()[0].scene.name


def leave_alone(_scene: Any) -> None:
    """Play only."""


def undo_a_change(scene: Any) -> None:
    """Blender makes the world anew, and keeps the bodies."""
    scene.frame_end = 77
    bpy.ops.ed.undo_push(message="End")
    bpy.ops.ed.undo()


def undo_into_a_preview(scene: Any) -> None:
    """As found by chance: undo ends a preview and takes back what was changed meanwhile."""
    play(place="SCENE").step(3)
    scene.name = "Scene 57"
    bpy.ops.ed.undo_push(message="Name")
    bpy.ops.ed.undo()
    bpy.ops.ed.undo()


def lose_the_scene(scene: Any) -> None:
    """The bodies stay, by another scene."""
    other: Any = bpy.data.scenes.new("Other")
    for obj in scene.objects:
        other.collection.objects.link(obj)
    windows.windows()[0].scene = other
    bpy.data.batch_remove([scene])


BEFORE: list[Callable[[Any], None]] = [
    leave_alone,
    undo_a_change,
    undo_into_a_preview,
    lose_the_scene,
]


@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize("place", ["SCENE", "COPY"])
def test_bodies_of_the_artist_are_deleted_while_a_preview_runs(
    before: Callable[[Any], None], place: str
) -> None:
    before(own_world())
    session = play(place=place)
    session.step(5)
    for obj in own(bpy.data):
        bpy.data.objects.remove(obj)
    there = session.poses().position.copy()
    session.step(5)
    fallen = (there - session.poses().position)[:, 1]
    assert len(fallen) == OURS
    assert min(fallen) > 0.1
    assert max(fallen) - min(fallen) < 1e-5
    player.stop()
    assert [scene.name for scene in bpy.data.scenes] == [shown()]


@pytest.mark.parametrize("name", ["Alpha", "~ H", "Сцена", "\u30b7\u30fc", "😀"])
def test_the_world_of_a_preview_stays_behind_a_scene_that_gets_another_name(name: str) -> None:
    """Else Blender takes bodies of a living world out of that of the preview first."""
    scene = own_world()
    session = play()
    session.step(5)
    scene.name = name
    found = list(bpy.data.scenes)
    assert (found[0], found[-1]) == (scene, session.scene)
    for obj in own(scene)[: OWN // 2]:
        bpy.data.objects.remove(obj)
    session.step(5)
    player.stop()
    assert all_fall(scene)


@pytest.mark.parametrize("place", ["SCENE", "COPY"])
def test_bodies_of_the_artist_move_on_after_a_preview(place: str) -> None:
    scene = own_world()
    play(place=place).step(5)
    player.stop()
    assert all_fall(scene)


def without_its_scene(session: Any) -> None:
    bpy.data.scenes.remove(session.scene)


def without_its_bodies(session: Any) -> None:
    bpy.data.collections.remove(session.scene.rigidbody_world.collection)


@pytest.mark.parametrize("harm", [without_its_scene, without_its_bodies])
def test_and_after_one_that_was_damaged(harm: Callable[[Any], None]) -> None:
    scene = own_world()
    session = play()
    session.step(5)
    harm(session)
    player.stop("it was damaged")
    assert all_fall(scene)
    assert not player.stage.is_left()


def test_and_after_one_in_between(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of objects are removed later, one by one."""
    monkeypatch.setattr(removal, "never_idle", False)
    monkeypatch.setattr(removal, "_FEW", 2)
    scene = own_world()
    play().step(5)
    player.stop()
    assert player.stage.is_left()
    while removal.remove_some() is not None:
        pass
    assert all_fall(scene)


def test_where_the_artist_has_no_rigid_bodies_no_scene_is_made_for_them() -> None:
    body("Ours", (0.0, 0.0, 50.0))
    session = play(place="SCENE")
    assert [scene.name for scene in bpy.data.scenes] == [shown(), session.stage]
