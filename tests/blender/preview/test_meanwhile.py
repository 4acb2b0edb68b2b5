"""What the artist does to a file while a preview runs reaches the artist's scene."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

import bpy
import pytest

from omi_physics_addon.blender.preview import player
from omi_physics_addon.blender.preview.stage import stage
from tests.blender.support import gltf_files, scenes
from tests.blender.support.preview_scenes import body, floor, gravity, play

ADDS = [
    "omi_physics_add_physics_material",
    "omi_physics_add_joint_settings",
    "omi_physics_add_collision_filter",
    "omi_physics_new_system",
]
Place = Literal["COPY", "SCENE"]
PLACES: tuple[Place, ...] = ("COPY", "SCENE")
LISTS = ("physics_materials", "joint_settings", "collision_filters")


@pytest.fixture(autouse=True)
def _ready(stopped_preview: None) -> None:
    gravity()


def names(scene: Any) -> list[list[str]]:
    return [[entry.name for entry in getattr(scene.omi_physics, each)] for each in LISTS]


@pytest.mark.parametrize("place", PLACES)
def test_an_export_writes_the_artists_scene_and_no_other(place: Place, tmp_path: Path) -> None:
    body("Box", (0.0, 0.0, 3.0))
    floor()
    artist: Any = bpy.context.scene
    session = play(place=place)
    session.step(20)
    path = tmp_path / "played.glb"
    bpy.ops.export_scene.gltf(filepath=str(path))
    assert bpy.context.scene == artist
    assert player.running() is None
    assert not stage.is_left()
    assert player.message == "The export ended the preview"
    gltf, _ = gltf_files.read_glb(path)
    assert [scene["name"] for scene in gltf["scenes"]] == [artist.name]
    nodes = gltf_files.folded(gltf)["nodes"]
    assert sorted(node["name"] for node in nodes) == ["Box", "Floor"]
    assert scenes.node(gltf, "Box")["translation"] == pytest.approx([0.0, 3.0, 0.0])
    assert "OMI_physics_body" in scenes.node(gltf, "Box")["extensions"]


@pytest.mark.parametrize("place", PLACES)
def test_an_import_fills_the_artists_lists(place: Place, tmp_path: Path) -> None:
    path = Path(__file__).parents[3] / "examples" / "joints.glb"
    body("Box")
    artist: Any = bpy.context.scene
    session = play(place=place)
    session.step(5)
    bpy.ops.import_scene.gltf(filepath=str(path))
    player.stop()
    assert bpy.context.scene == artist
    assert len(artist.omi_physics.joint_settings) == 4
    assert len(artist.objects) > 5
    assert not stage.is_left()
    out = tmp_path / "again.gltf"
    bpy.ops.export_scene.gltf(filepath=str(out), export_format="GLTF_SEPARATE")
    assert "OMI_physics_joint" in json.loads(out.read_text(encoding="utf-8"))["extensions"]


@pytest.mark.parametrize("name", ADDS)
def test_entries_go_into_the_artists_lists(name: str) -> None:
    body("Box")
    artist: Any = bpy.context.scene
    play(place="SCENE").step(3)
    before = names(artist)
    assert getattr(bpy.ops.scene, name)() == {"FINISHED"}
    kept = names(artist)
    assert kept != before
    assert player.running() is not None
    player.stop()
    assert names(artist) == kept


@pytest.mark.parametrize("name", ADDS)
def test_no_entry_goes_into_the_lists_of_a_copy(name: str) -> None:
    body("Box")
    artist: Any = bpy.context.scene
    play(place="COPY").step(3)
    operator: Any = getattr(bpy.ops.scene, name)
    assert not operator.poll()
    player.stop()
    assert operator.poll()
    assert names(artist) == [[], [], []]


@pytest.mark.parametrize("is_gravity", [False, True])
def test_triggers_alone_play(*, is_gravity: bool) -> None:
    zone = scenes.add("Zone", None)
    zone.omi_physics.use_trigger = True
    zone.omi_physics.trigger.shape.kind = "BOX"
    zone.omi_physics.use_gravity = is_gravity
    session = play()
    session.step(10)
    assert session.error == ""
    assert session.events == []


def test_what_stands_in_a_trigger_has_not_entered_it() -> None:
    zone = scenes.add("Zone", None)
    zone.omi_physics.use_trigger = True
    zone.omi_physics.trigger.shape.kind = "BOX"
    body("Falls", kind="SPHERE")
    session = play()
    session.step(1)
    triggers = session.forces.triggers
    assert triggers is not None
    assert triggers.inside.any()
    session.step(60)
    assert [event.entered for _, event in session.events] == [False]


@pytest.mark.parametrize("place", PLACES)
def test_meshes_that_a_script_removes_take_no_body_along(place: Place) -> None:
    """Bodies with a constraint that are gone when the preview stops are a crash of Blender."""
    path = Path(__file__).parents[3] / "examples" / "joints.glb"
    bpy.ops.import_scene.gltf(filepath=str(path))
    artists = set(bpy.data.meshes)
    session = play(place=place)
    session.step(3)
    bodies = [obj for scene in bpy.data.scenes if scene.rigidbody_world for obj in scene.objects]
    solid = [obj for obj in bodies if obj.rigid_body is not None]
    assert len(solid) > 5
    assert artists.isdisjoint(obj.data for obj in solid)
    bpy.data.batch_remove(artists)
    player.stop()
    assert not stage.is_left()
