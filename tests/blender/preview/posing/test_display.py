"""A preview that is seen in the artist's own scene, by the evaluated copies of the objects there.

Blender does not promise that such copies may be written to: these tests look in each release.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from omi_physics_addon.blender.preview import player
from omi_physics_addon.blender.preview.posing import display as display_module
from omi_physics_addon.blender.preview.posing import posable
from omi_physics_addon.blender.preview.session import Session
from omi_physics_addon.blender.preview.stage import stage
from tests.blender.preview.stage.test_restores import rich_scene
from tests.blender.support import scenes
from tests.blender.support.preview_scenes import body, fall, gravity, play, run
from tools.random_runs.blender_dump import differences, dump


def placed() -> Session:
    """A preview in which a box with a child has fallen for half a second."""
    gravity()
    box = body("Box", (0.0, 0.0, 5.0))
    scenes.add("Child", scenes.cube_mesh(), location=(1.0, 0.0, 0.0), parent=box)
    scenes.add("Bystander", scenes.cube_mesh(), location=(4.0, 0.0, 0.0))
    session = play(place="SCENE")
    run(session, 0.5)
    return session


def shown(name: str, layer: Any = None) -> Any:
    """Where views show an object."""
    graph = (layer or bpy.context.view_layer).depsgraph
    rows = [
        np.array(each.matrix_world)
        for each in graph.object_instances
        if each.object.original.name == name
    ]
    assert len(rows) == 1
    return rows[0]


def height(name: str, layer: Any = None) -> float:
    return float(shown(name, layer)[2, 3])


FALLEN, FALLEN_ON = 5.0 - fall(0.5), 5.0 - fall(0.5 + 1.0 / 60.0)


def test_the_artists_scene_shows_the_bodies() -> None:
    artist = bpy.context.scene
    session = placed()
    assert bpy.context.scene == artist
    assert bpy.context.window.scene == artist
    assert session.seen == artist.name
    assert height("Box") == pytest.approx(FALLEN, abs=1e-3)
    assert height("Child") == pytest.approx(FALLEN, abs=1e-3)
    assert height("Bystander") == 0.0
    assert bpy.data.objects["Box"].matrix_world.translation.z == 5.0
    assert bpy.data.objects["Box"].location.z == 5.0
    player.stop()
    for name, expected in (("Box", 5.0), ("Child", 5.0), ("Bystander", 0.0)):
        assert height(name) == expected
    assert not stage.is_left()


def test_the_same_is_computed_as_in_a_copy() -> None:
    scene = rich_scene()
    found: list[Any] = []
    for place in ("COPY", "SCENE"):
        session = play(place=place)
        session.step(60)
        assert session.error == ""
        found.append(session.poses().position)
        player.stop()
        assert scene == bpy.context.scene
    assert np.array_equal(*found)


def test_the_file_is_the_same_after_a_preview() -> None:
    rich_scene()
    before = dump()
    play(place="SCENE").step(60)
    bpy.context.view_layer.update()
    player.stop()
    assert differences(before, dump()) == []
    bpy.context.view_layer.update()
    assert differences(before, dump()) == []


def moved() -> None:
    bpy.data.objects["Bystander"].location.x = 9.0


def moved_itself() -> None:
    bpy.data.objects["Box"].location.z = 8.0


def made() -> None:
    bpy.context.collection.objects.link(bpy.data.objects.new("A new one", None))


def removed() -> None:
    bpy.data.objects.remove(bpy.data.objects["Bystander"])


def hidden() -> None:
    bpy.data.objects["Bystander"].hide_set(True)


def orphaned() -> None:
    bpy.data.objects["Child"].parent = None


def scrubbed() -> None:
    bpy.context.scene.frame_set(5)


def test_what_leaves_the_scene_has_its_place_in_others() -> None:
    other: Any = bpy.data.scenes.new("Other")
    placed()
    box = bpy.data.objects["Box"]
    other.collection.objects.link(box)
    bpy.context.view_layer.update()
    bpy.context.scene.collection.objects.unlink(box)
    bpy.context.view_layer.update()
    player.stop()
    assert box.matrix_world.translation.z == 5.0


EDITS = [moved, moved_itself, made, removed, hidden, orphaned, scrubbed]


@pytest.mark.parametrize("edit", EDITS)
def test_edits_disturb_nothing(edit: Callable[[], None]) -> None:
    session = placed()
    edit()
    bpy.context.view_layer.update()
    assert height("Box") == pytest.approx(FALLEN, abs=1e-3)
    assert height("Child") == pytest.approx(FALLEN, abs=1e-3)
    session.step(3)
    assert height("Box") < FALLEN - 0.1
    player.stop()
    expected = {obj.name: np.array(obj.matrix_basis) for obj in bpy.data.objects}
    assert height("Box") == (8.0 if edit is moved_itself else 5.0)
    assert height("Box") == bpy.data.objects["Box"].matrix_world[2][3]
    assert np.array_equal(expected["Box"][:3, 3], shown("Box")[:3, 3])
    if edit is made:
        assert "A new one" in bpy.context.scene.objects
    if edit is moved:
        assert shown("Bystander")[0, 3] == 9.0
    bpy.context.view_layer.update()
    assert height("Box") == bpy.data.objects["Box"].location.z


def test_objects_keep_their_places_for_scripts() -> None:
    """From 4.5 on Blender copies places to the objects; a timer takes them out again."""
    session = placed()
    moved()
    bpy.context.view_layer.update()
    assert session.display is not None
    session.display.hold()
    assert bpy.data.objects["Box"].matrix_world.translation.z == 5.0
    bpy.context.view_layer.update()
    assert bpy.data.objects["Box"].matrix_world.translation.z == 5.0
    session.step()
    assert height("Box") < 4.0


def test_a_pause_gives_blender_nothing_to_do() -> None:
    """What the timer takes out of the objects would else be looked at, drawn, and put there again,
    so that a rendered view begins anew forever."""
    session = placed()
    moved()
    for _ in range(3):
        bpy.context.view_layer.update()
    looks: list[Any] = []

    def looked(_scene: Any, graph: Any) -> None:
        looks.append([update.id.name for update in graph.updates])

    handlers = bpy.app.handlers.depsgraph_update_post
    handlers.append(looked)
    for _ in range(3):
        assert session.display is not None
        session.display._mend()
        assert bpy.data.objects["Box"].matrix_world.translation.z == 5.0
        bpy.context.view_layer.update()
    handlers.remove(looked)
    assert looks == []


def test_while_something_else_listens_objects_are_where_they_are() -> None:
    session = placed()
    display: Any = session.display
    display.wait()
    assert height("Box") == 5.0
    bpy.context.view_layer.update()
    assert height("Box") == 5.0
    assert bpy.data.objects["Box"].matrix_world.translation.z == 5.0
    moved()
    display.go_on()
    assert height("Box") == pytest.approx(FALLEN, abs=1e-3)


def test_operators_work_from_where_objects_are() -> None:
    placed()
    for name in ("Box", "Bystander"):
        bpy.data.objects[name].select_set(True)
    bpy.context.view_layer.objects.active = bpy.data.objects["Box"]
    moved()
    bpy.context.view_layer.update()
    bpy.ops.object.omi_physics_connect_selected()
    player.stop()
    (joint,) = (obj for obj in bpy.data.objects if obj.omi_physics.use_joint)
    assert joint.matrix_world.translation.z == 2.5


def test_a_file_saved_meanwhile_has_the_artists_places(tmp_path: Path) -> None:
    placed()
    path = tmp_path / "played.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    assert player.running() is None
    bpy.ops.wm.open_mainfile(filepath=str(path))
    assert bpy.data.objects["Box"].matrix_world.translation.z == 5.0
    assert not stage.is_left()


def test_a_file_that_a_crash_left_has_the_artists_places(tmp_path: Path) -> None:
    placed()
    path = tmp_path / "crashed.blend"
    handlers = bpy.app.handlers.save_pre
    kept = list(handlers)
    handlers.clear()
    try:
        bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True)
    finally:
        handlers.extend(kept)
    player.stop()
    bpy.ops.wm.open_mainfile(filepath=str(path))
    assert bpy.data.objects["Box"].matrix_world.translation.z == 5.0
    assert height("Box") == 5.0
    assert len(bpy.data.scenes) == 1
    assert not stage.is_left()


def test_an_export_has_the_artists_places(export: Callable[..., dict[str, Any]]) -> None:
    placed()
    moved()
    bpy.context.view_layer.update()
    gltf = export()
    assert scenes.node(gltf, "Box")["translation"] == pytest.approx([0.0, 5.0, 0.0])
    assert [scene["name"] for scene in gltf["scenes"]] == ["Scene"]


def test_undo_ends_it_with_all_in_place() -> None:
    bpy.context.preferences.edit.use_global_undo = True
    gravity()
    body("Box", (0.0, 0.0, 5.0))
    bpy.ops.ed.undo_push(message="made")
    bpy.data.objects["Box"].location.x = 2.0
    bpy.ops.ed.undo_push(message="moved")
    session = play(place="SCENE")
    run(session, 0.2)
    bpy.ops.ed.undo()
    assert player.running() is None
    assert not stage.is_left()
    assert bpy.data.objects["Box"].location.x == 2.0
    assert tuple(shown("Box")[:3, 3]) == (2.0, 0.0, 5.0)
    bpy.ops.ed.undo()
    assert bpy.data.objects["Box"].location.x == 0.0
    bpy.context.view_layer.update()
    assert tuple(shown("Box")[:3, 3]) == (0.0, 0.0, 5.0)


def in_two_layers(monkeypatch: pytest.MonkeyPatch) -> tuple[Session, list[Any]]:
    """A preview in which a box with a child has fallen for half a second, and its view layers."""
    from omi_physics_addon.blender.preview.posing import poser

    scene: Any = bpy.context.scene
    other = scene.view_layers.new("Other")
    layers = [scene.view_layers[0], other]
    monkeypatch.setattr(poser, "layers_of", lambda _scene: layers)
    session = placed()
    other.update()
    session.step()
    return session, layers


def test_two_view_layers_are_posed(monkeypatch: pytest.MonkeyPatch) -> None:
    _, layers = in_two_layers(monkeypatch)
    bpy.data.objects["Box"].location.x = 3.0
    for layer in layers:
        layer.update()
        assert height("Box", layer) == pytest.approx(FALLEN_ON, abs=1e-3)
    player.stop()
    for layer in layers:
        layer.update()
        assert height("Box", layer) == 5.0


@pytest.mark.parametrize("plays_on", [True, False])
@pytest.mark.parametrize("first", [0, 1])
def test_what_is_removed_is_in_two_view_layers(
    first: int, plays_on: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one that is evaluated later knows it up to then, and Blender crashed by looking there."""
    from omi_physics_addon.blender.preview.posing import poser

    session, layers = in_two_layers(monkeypatch)
    read = list[str]()
    reading: Any = poser.Poser._read

    def noting(self: Any, graph: Any, *before: Any, **how: Any) -> Any:
        read.append(graph.view_layer.name)
        return reading(self, graph, *before, **how)

    monkeypatch.setattr(poser.Poser, "_read", noting)
    bpy.data.objects.remove(bpy.data.objects["Bystander"])
    layers[first].update()
    assert set(read) == {layers[first].name}
    assert height("Box", layers[first]) == pytest.approx(FALLEN_ON, abs=1e-3)
    if plays_on:
        layers[1 - first].update()
        session.step()
        for name in ("Box", "Child"):
            assert height(name, layers[0]) == height(name, layers[1]) < FALLEN_ON
    player.stop()
    for layer in layers:
        layer.update()
        assert height("Box", layer) == height("Child", layer) == 5.0


def test_a_move_beside_a_removal_stays() -> None:
    session = placed()
    assert session.display is not None
    session.display._poser.rest()
    bpy.data.objects["Box"].location.x = 3.0
    bpy.data.objects.remove(bpy.data.objects["Bystander"])
    bpy.context.view_layer.update()
    assert shown("Box")[0, 3] == pytest.approx(0.0, abs=1e-6)
    player.stop()
    assert shown("Box")[0, 3] == 3.0


def test_linked_objects_are_posed_among_others(tmp_path: Path) -> None:
    gravity()
    for name, x in (("Box", 0.0), ("Far", 9.0)):
        body(name, (x, 0.0, 5.0))
    path = tmp_path / "library.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=False)
    with bpy.data.libraries.load(str(path), link=True) as (_, wanted):
        wanted.objects = ["Box", "Far"]
    expected = {"Box": (0.0, 5.0), "Far": (9.0, 5.0), "Own": (3.0, 5.0)}
    bpy.context.collection.objects.link(wanted.objects[0])
    body("Own", (3.0, 0.0, 5.0))
    scenes.add("Still", None, location=(1.0, 1.0, 1.0))
    bpy.context.collection.objects.link(wanted.objects[1])
    bpy.context.view_layer.update()
    gravity()
    session = play(place="SCENE")
    run(session, 0.5)
    for name, (x, _) in expected.items():
        assert tuple(shown(name)[:3, 3]) == pytest.approx((x, 0.0, FALLEN), abs=1e-3)
    assert tuple(shown("Still")[:3, 3]) == (1.0, 1.0, 1.0)
    player.stop()
    for _ in range(2):
        for name, (x, z) in expected.items():
            assert tuple(shown(name)[:3, 3]) == (x, 0.0, z)
        bpy.context.view_layer.update()


def test_instances_follow() -> None:
    """Those of collections, as those of geometry nodes, go where the object goes."""
    gravity()
    box = body("Box", (0.0, 0.0, 5.0))
    sign = scenes.add("Sign", None, parent=box)
    group = bpy.data.collections.new("Group")
    part = bpy.data.objects.new("Part", scenes.cube_mesh())
    group.objects.link(part)
    sign.instance_type, sign.instance_collection = "COLLECTION", group
    session = play(place="SCENE")
    assert session.why_copies == ""
    run(session, 0.5)
    assert height("Part") == pytest.approx(FALLEN, abs=1e-3)


def test_keyframes_play_on() -> None:
    gravity()
    lift = scenes.add("Lift", scenes.cube_mesh())
    scenes.add_collider(lift)
    scenes.add_body(lift, "KINEMATIC")
    scenes.add("On it", scenes.cube_mesh(), parent=lift)
    flag = scenes.add("Flag", scenes.cube_mesh())
    for obj in (lift, flag):
        for frame, x in ((1, 0.0), (25, 2.4)):
            obj.location.x = x
            obj.keyframe_insert("location", frame=frame)
    bpy.context.scene.frame_set(1)
    session = play(place="SCENE")
    run(session, 0.5)
    expected = shown("Lift")[0, 3]
    assert expected == pytest.approx(1.2, abs=0.2)
    assert shown("On it")[0, 3] == pytest.approx(expected)
    assert shown("Flag")[0, 3] == pytest.approx(expected, abs=0.05)
    player.stop()
    assert shown("Flag")[0, 3] == 0.0


def test_wheels_roll() -> None:
    path = Path(__file__).parents[4] / "examples" / "vehicles.blend"
    found: list[Any] = []
    for place in ("COPY", "SCENE"):
        bpy.ops.wm.open_mainfile(filepath=str(path))
        session = play(place=place)
        session.step(90)
        assert session.why_copies == ""
        wheels = [obj for obj in bpy.data.objects if obj.omi_physics.use_wheel]
        names = [obj.name for obj in wheels if not obj.name.startswith("~")]
        if place == "SCENE":
            found.append([shown(name) for name in names])
        else:
            made = {obj.name.partition(" ")[2]: obj for obj in session.scene.objects}
            found.append([np.array(made[name].matrix_world) for name in names if name in made])
        player.stop()
    assert len(found[1])
    if len(found[0]) == len(found[1]):
        assert np.abs(np.array(found[0]) - np.array(found[1])).max() < 1e-3


def test_a_ray_finds_the_body_where_it_is_seen() -> None:
    session = placed()
    layer = bpy.context.view_layer
    found = session.grab.find((0.0, -9.0, FALLEN), (0.0, 1.0, 0.0), layer)
    assert found is not None
    assert found[0] == 0
    assert session.grab.find((0.0, -9.0, 7.5), (0.0, 1.0, 0.0), layer) is None


def test_the_overlay_is_told_what_moved() -> None:
    player.take_moved()
    placed()
    box, child = (bpy.data.objects[name].session_uid for name in ("Box", "Child"))
    assert player.take_moved() == {box, child}
    assert player.take_moved() == set()
    player.stop()
    assert player.take_moved() == {box, child}


def test_instances_of_geometry_nodes_follow() -> None:
    gravity()
    box = body("Box", (0.0, 0.0, 5.0))
    tree: Any = bpy.data.node_groups.new("Instances", "GeometryNodeTree")
    for way in ("INPUT", "OUTPUT"):
        tree.interface.new_socket("Geometry", in_out=way, socket_type="NodeSocketGeometry")
    kinds = ("NodeGroupInput", "GeometryNodeInstanceOnPoints", "NodeGroupOutput")
    first, put, last = (tree.nodes.new(kind) for kind in kinds)
    ball = tree.nodes.new("GeometryNodeMeshIcoSphere")
    tree.links.new(first.outputs[0], put.inputs["Points"])
    tree.links.new(ball.outputs[0], put.inputs["Instance"])
    tree.links.new(put.outputs[0], last.inputs[0])
    box.modifiers.new("Instances", "NODES").node_group = tree
    session = play(place="SCENE")
    run(session, 0.5)
    found = [
        each.matrix_world.translation.z
        for each in bpy.context.view_layer.depsgraph.object_instances
        if each.is_instance
    ]
    assert len(found) == 8
    assert np.mean(found) == pytest.approx(FALLEN, abs=1e-3)


def test_keyframes_of_lights_need_copies() -> None:
    gravity()
    body("Box")
    light: Any = bpy.data.lights.new("Lamp", "POINT")
    bpy.context.collection.objects.link(bpy.data.objects.new("Lamp", light))
    assert play(place="SCENE").why_copies == ""
    player.stop()
    light.keyframe_insert("energy", frame=1)
    assert play(place="SCENE").why_copies == posable.KEYS


def test_shadows_are_told_of_what_has_no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only in views that EEVEE draws, and for so many objects in a frame."""
    rich_scene()
    gravity()
    own = bpy.data.objects["Own"]
    scenes.add_collider(own)
    scenes.add_body(own)
    session = play(place="SCENE")
    display: Any = session.display
    tagged: list[int] = []
    monkeypatch.setattr(display, "_tag", lambda _scene, _most: tagged.extend(display._waiting))
    session.step(5)
    assert tagged == []
    (view,) = (each for each in bpy.context.window.screen.areas if each.type == "VIEW_3D")
    view.spaces.active.shading.type = "MATERIAL"
    session.step(5)
    assert bpy.data.objects["Box"].session_uid in tagged
    assert bpy.data.objects["Child"].session_uid in tagged
    assert own.session_uid not in tagged


def test_tags_of_shadows_move_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(display_module, "_TAGGED", 1)
    session = placed()
    for area in bpy.context.window.screen.areas:
        if area.type == "VIEW_3D":
            area.spaces.active.shading.type = "MATERIAL"
    session.step(3)
    bpy.context.view_layer.update()
    for name in ("Box", "Child"):
        assert height(name) < FALLEN - 0.1
    player.stop()
    bpy.context.view_layer.update()
    assert height("Box") == 5.0


def test_what_changes_in_a_pause_is_compared_with_the_start() -> None:
    session = placed()
    bpy.context.view_layer.update()
    player.toggle()
    assert not session.changes.is_outdated, "nothing has changed"
    session.step(3)
    assert height("Box") < FALLEN
    bpy.data.objects["Box"].location.x = 4.0
    player.toggle()
    assert session.changes.is_outdated
