"""What keyframes change beside places goes on in a preview at its own speed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.base import compat
from omi_physics_addon.blender.preview import limitations, player
from omi_physics_addon.blender.preview.stage.options import PreviewOptions
from tests.blender.support import scenes
from tests.blender.support.preview_scenes import body
from tools.random_runs.blender_dump import differences, dump

FPS, RATE = 24, 60
SHOWN = 7  # The frame that the artist looks at.
FIRST, LAST = 1, 49  # With keys of 0 and 1, a line between them.


@pytest.fixture(autouse=True)
def _begin() -> None:
    bpy.context.scene.render.fps = FPS


def key(owner: Any, path: str) -> None:
    """Let a number rise from 0 at the first frame to 1 at the last one."""
    for frame, value in ((FIRST, 0.0), (LAST, 1.0)):
        setattr(owner, path, value)
        owner.keyframe_insert(path, frame=frame)
    for curve in compat.curves(owner.id_data.animation_data):
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"


def add_lamp() -> Any:
    lamp: Any = bpy.data.lights.new("lamp", "SUN")
    scenes.add("lamp", lamp)
    return lamp


def add_keyed_mesh() -> Any:
    obj: Any = scenes.add("waving", scenes.cube_mesh())
    obj.shape_key_add(name="Basis")
    return obj.shape_key_add(name="Up")


def add_material(of: Any) -> Any:
    material: Any = bpy.data.materials.new("glow")
    of.data.materials.append(material)
    return material


def add_box_material() -> Any:
    return add_material(body("glowing", (0.0, 0.0, 9.0)))


def add_node() -> Any:
    material = add_box_material()
    if not material.node_tree:
        material.use_nodes = True
    return material.node_tree.nodes.new("ShaderNodeValue").outputs[0]


def add_world() -> Any:
    world: Any = bpy.data.worlds.new("sky")
    bpy.context.scene.world = world
    return world.mist_settings


def add_camera() -> Any:
    camera: Any = bpy.data.cameras.new("eye")
    bpy.context.scene.camera = scenes.add("eye", camera)
    return camera


def shown(kind: str) -> Any:
    """What the preview shows of a kind of data, evaluated."""
    session = player.running()
    assert session is not None
    graph = session.scene.view_layers[0].depsgraph
    objects = [obj for obj in graph.objects if obj.original in session.scene.objects.values()]
    found = {
        "lamp": lambda: next(o.data for o in objects if o.type == "LIGHT"),
        "eye": lambda: session.scene.camera.evaluated_get(graph).data,
        "sky": lambda: session.scene.world.evaluated_get(graph),
        "glow": lambda: next(
            slot.material
            for o in objects
            for slot in o.material_slots
            if slot.material and slot.material.name.startswith("glow")
        ),
        "waving": lambda: next(o.data.shape_keys for o in objects if _has_keys(o)),
    }
    return found[kind]()


def _has_keys(obj: Any) -> bool:
    return obj.type == "MESH" and obj.data.shape_keys is not None


def value_node(tree: Any) -> float:
    return float(next(n for n in tree.nodes if n.type == "VALUE").outputs[0].default_value)


CASES: dict[str, tuple[Callable[[], Any], str, str, Callable[[Any], float]]] = {
    "light": (add_lamp, "energy", "lamp", lambda lamp: lamp.energy),
    "shape key": (add_keyed_mesh, "value", "waving", lambda k: k.key_blocks["Up"].value),
    "material": (add_box_material, "metallic", "glow", lambda m: m.metallic),
    "node": (add_node, "default_value", "glow", lambda m: value_node(m.node_tree)),
    "world": (add_world, "start", "sky", lambda world: world.mist_settings.start),
    "camera": (add_camera, "passepartout_alpha", "eye", lambda c: c.passepartout_alpha),
}


def in_track(owner: Any) -> None:
    """Put the action of what an owner is in into a strip."""
    compat.push_down(owner.id_data.animation_data)


@pytest.mark.parametrize("which", CASES)
@pytest.mark.parametrize("is_track", [False, True])
@pytest.mark.parametrize("spin", [0.0, 1.0])
def test_keyframes_go_on_from_the_frame_that_is_shown(
    which: str, spin: float, *, is_track: bool
) -> None:
    if which == "node" and not compat.can_copy_animated_nodes():
        pytest.skip("this Blender counts users of copied nodes wrongly, so they are not copied")
    make, path, kind, value = CASES[which]
    body("box", (0.0, 0.0, 20.0)).omi_physics.motion.angular_velocity = (0.0, 0.0, spin)
    owner = make()
    key(owner, path)
    if is_track:
        in_track(owner)
    bpy.context.scene.frame_set(SHOWN)
    before = dump()
    session = player.start(bpy.context.scene, PreviewOptions(rate=RATE, seconds=5.0))
    for _ in range(2):
        session.step(15)
        frame = SHOWN + session.time * FPS
        assert value(shown(kind)) == pytest.approx((frame - FIRST) / (LAST - FIRST), abs=1e-4)
    player.stop()
    assert differences(before, dump()) == []


def test_modifiers_of_curves_are_on_the_clock_too() -> None:
    body("box", (0.0, 0.0, 20.0))
    lamp = add_lamp()
    key(lamp, "energy")
    (curve,) = compat.curves(lamp.animation_data)
    noise = curve.modifiers.new("NOISE")
    noise.scale, noise.strength, noise.offset, noise.phase = 5.0, 3.0, 2.0, 0.7
    if not hasattr(noise, "use_legacy_noise"):
        curve.modifiers.remove(noise)  # The older noise is another one for each scale.
    steps = curve.modifiers.new("STEPPED")
    steps.frame_step, steps.frame_offset = 3.0, 1.0
    steps.use_restricted_range = True
    steps.frame_start, steps.frame_end = 12.0, 20.0
    bpy.context.scene.frame_set(SHOWN)
    session = player.start(bpy.context.scene, PreviewOptions(rate=2 * FPS, seconds=5.0))
    for _ in range(20):
        session.step(2)
        frame = SHOWN + session.time * FPS
        assert shown("lamp").energy == pytest.approx(curve.evaluate(frame), abs=1e-3)


def test_animated_nodes_leave_no_trace() -> None:
    key(add_node(), "default_value")
    bpy.context.scene.frame_set(SHOWN)
    before = dump()
    player.start(bpy.context.scene, PreviewOptions(seconds=5.0)).step(5)
    player.stop()
    assert differences(before, dump()) == []


def test_tweaked_strips_do_no_harm() -> None:
    """Nobody can give another action to data whose strip is being edited."""
    lamp = add_lamp()
    key(lamp, "energy")
    in_track(lamp)
    data = lamp.animation_data
    data.nla_tracks.active = data.nla_tracks[0]
    data.nla_tracks[0].select = data.nla_tracks[0].strips[0].select = True
    data.use_tweak_mode = True
    assert data.use_tweak_mode
    body("box", (0.0, 0.0, 20.0))
    bpy.context.scene.frame_set(SHOWN)
    before = dump()
    session = player.start(bpy.context.scene, PreviewOptions(rate=RATE, seconds=5.0))
    session.step(30)
    frame = SHOWN + session.time * FPS
    assert shown("lamp").energy == pytest.approx((frame - FIRST) / (LAST - FIRST), abs=1e-4)
    player.stop()
    assert differences(before, dump()) == []


def test_plain_data_is_not_copied() -> None:
    box = body("box", (0.0, 0.0, 20.0))
    add_material(box)
    add_lamp()
    counts = (len(bpy.data.materials), len(bpy.data.lights), len(bpy.data.actions))
    player.start(bpy.context.scene, PreviewOptions(seconds=5.0))
    assert (len(bpy.data.materials), len(bpy.data.lights), len(bpy.data.actions)) == counts


def test_one_action_of_many_is_copied_once() -> None:
    for _ in range(3):
        lamp = add_lamp()
        if bpy.data.actions:
            data = lamp.animation_data_create()
            data.action = bpy.data.actions[0]
        else:
            key(lamp, "energy")
    player.start(bpy.context.scene, PreviewOptions(seconds=5.0))
    assert len(bpy.data.actions) == 2


def test_shapes_that_rest_are_told() -> None:
    def told() -> list[tuple[str, ...]]:
        found = limitations.of_scene(bpy.context.scene)
        return [limit.objects for limit in found if "keeps the shape" in limit.text]

    waving = add_keyed_mesh()
    key(waving, "value")
    assert told() == []
    obj = bpy.data.objects["waving"]
    obj.keyframe_insert("color", frame=1)
    modifier = obj.modifiers.new("Smooth", "SUBSURF")
    assert told() == [("waving",)]
    waving.id_data.animation_data_clear()
    assert told() == []
    modifier.levels = 1
    modifier.keyframe_insert("levels", frame=1)
    assert told() == [("waving",)]
