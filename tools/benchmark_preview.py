"""Measures the preview: how long it takes to start, and what a frame costs.

From the command line, with a Python that has bpy:

    .venv/bpy-5.0/bin/python tools/benchmark_preview.py

A frame is compared with one of Blender's own rigid-body world with the same bodies.
Without a window nobody reads Blender's notes of changes, and each removal searches all of them: a
stop takes far longer here than in a window.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

# bpy first: it makes addon_utils known.
import bpy as stubbed_bpy  # noqa: E402, TID251, I001
import addon_utils as stubbed_addon_utils  # noqa: E402

bpy: Any = stubbed_bpy
addon_utils: Any = stubbed_addon_utils
FRAMES = 60
SIDE = 40  # Bodies in a row.


def cube() -> Any:
    """Mesh data that all bodies share."""
    mesh = bpy.data.meshes.new("Cube")
    corners = [(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    mesh.from_pydata(corners, [], faces)
    return mesh


def scene_of(count: int, *, in_volume: bool = False) -> Any:
    """An empty file with bodies over a floor, or inside a gravity volume."""
    bpy.ops.wm.read_homefile(use_empty=True)
    scene, mesh = bpy.context.scene, cube()
    group = bpy.data.collections.new("Bodies")
    for i in range(count):
        obj = bpy.data.objects.new("Body", mesh)
        obj.location = (1.5 * (i % SIDE), 1.5 * (i // SIDE % SIDE), 1.0 + 1.5 * (i // SIDE**2))
        obj.omi_physics.use_motion = obj.omi_physics.use_collider = True
        obj.omi_physics.collider.shape.type = "BOX"
        group.objects.link(obj)
    other = bpy.data.objects.new("Other", None)
    other.location = (30.0, 30.0, -0.5)
    if in_volume:
        scene.gravity = (0.0, 0.0, 0.0)
        other.omi_physics.use_trigger = other.omi_physics.use_gravity = True
        other.omi_physics.trigger.shape.type = "SPHERE"
        other.omi_physics.trigger.shape.sphere.radius = 500.0
        other.omi_physics.gravity.type = "POINT"
    else:
        other.omi_physics.use_collider = True
        other.omi_physics.collider.shape.type = "BOX"
        other.omi_physics.collider.shape.box.size = (200.0, 200.0, 1.0)
    group.objects.link(other)
    scene.collection.children.link(group)
    bpy.context.view_layer.update()
    return scene


def raw_world(count: int) -> Any:
    """The same bodies in Blender's own rigid-body world."""
    scene = scene_of(count)
    bpy.ops.rigidbody.world_add()
    group = bpy.data.collections["Bodies"]
    floor = bpy.data.objects["Other"]
    group.objects.unlink(floor)
    ground = bpy.data.objects.new("Ground", cube())
    ground.location, ground.scale = floor.location, (200.0, 200.0, 1.0)
    group.objects.link(ground)
    scene.rigidbody_world.collection = group
    scene.rigidbody_world.substeps_per_frame = 4
    scene.render.fps = 60
    for obj in group.objects:
        obj.rigid_body.collision_shape = "BOX"
        obj.rigid_body.use_margin, obj.rigid_body.collision_margin = True, 0.0
    ground.rigid_body.type = "PASSIVE"
    return scene


def timed(work: Callable[[], object]) -> float:
    """Seconds that something takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def frames(scene: Any, first: int) -> float:
    """Seconds that a frame takes, on average."""

    def run() -> None:
        for frame in range(first, first + FRAMES):
            scene.frame_set(frame)

    return timed(run) / FRAMES


def measure(count: int, *, show: bool) -> None:
    """Print the figures for some number of bodies."""
    from omi_physics_addon.blender.preview import player
    from omi_physics_addon.blender.preview.options import Options

    options = Options(show=show)
    scene = raw_world(count)
    scene.frame_set(1)
    scene.frame_set(2)
    raw = frames(scene, 3)
    found: dict[str, float] = {}
    for name, in_volume in (("plain", False), ("in a gravity volume", True)):
        scene = scene_of(count, in_volume=in_volume)
        found[f"start, {name}"] = timed(lambda s=scene: player.start(s, options))
        session: Any = player.running()
        session.step(1)
        found[f"frame, {name}"] = frames(session.scene, session.frame + 1)
        found[f"stop, {name}"] = timed(player.stop)
    print(f"{count} bodies, {'with' if show else 'without'} copies of what is seen")
    print(f"  frame, Blender alone: {1e3 * raw:.1f} ms")
    for name, seconds in found.items():
        ratio = f" ({seconds / raw:.2f} times Blender's)" if name == "frame, plain" else ""
        rate = f" ({1 / seconds:.0f} in a second)" if name.startswith("frame") else ""
        print(f"  {name}: {1e3 * seconds:.1f} ms{ratio}{rate}")


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("counts", nargs="*", type=int, default=[1000, 5000])
    parser.add_argument("--bare", action="store_true", help="leave out copies of what is seen")
    chosen = parser.parse_args()
    addon_utils.enable("omi_physics_addon", default_set=True)
    for count in chosen.counts:
        measure(count, show=not chosen.bare)
    addon_utils.disable("omi_physics_addon", default_set=True)


if __name__ == "__main__":
    main()
