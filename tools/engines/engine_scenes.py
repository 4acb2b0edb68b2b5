"""Worker in Blender that plays a file as an engine of others understands it, and exports it so.

From the command line:

    python tools/engines/engine_scenes.py -- JOB.json OUTCOME.json
    blender --background --python tools/engines/engine_scenes.py -- JOB.json OUTCOME.json
"""

from __future__ import annotations

import importlib
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

# Blender does not put a script's own folder on the path.
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import bpy
from mathutils import Vector

from omi_physics_addon.cli import jobs, worker
from omi_physics_addon.cli.inside import addons, opening, writing
from tools.engines.engine_jobs import Rehearse

# What each engine reads of an object, beside bodies, colliders and joints.
_PARTS = ("gravity", "vehicle_body", "wheel", "thruster", "hover_thruster")
_WORDS = {
    "gravity": "gravity volumes",
    "vehicle_body": "vehicles",
    "wheel": "wheels",
    "thruster": "thrusters",
    "hover_thruster": "hover thrusters",
}
_READS = {"babylon": (), "godot": ("vehicle_body", "wheel", "thruster", "hover_thruster")}
# Babylon.js lets every spin decay by 0.1 a second; Bullet's number is the share lost in one.
_DAMPED = {"babylon": 1.0 - math.exp(-0.1), "godot": 0.0}
_WRITTEN_AS = {"babylon": ("KHR", "BABYLON"), "godot": ("OMI", "GODOT_4")}
GRAVITY = 9.81  # m/s², of the engines.
WIDE, THICK = 100.0, 1.0  # m, of the box that stands for an infinite plane.
PLANES = "planes, which are boxes"
_SURFACE = "Engine's Own"
# What Babylon.js takes for surfaces without a material; Godot for all, and the smaller of two.
_FRICTION = {"babylon": 0.5, "godot": 1.0}


def rehearse(job: Rehearse) -> jobs.Outcome:
    """Import a file, leave out what an engine does not read, play it and export it.

    The report tells what was left out, and what the preview does not do exactly.
    """
    module = addons.start_addons()
    opening.open_any(job.source)
    scene = cast("Any", bpy.context).scene
    left_out = list(dict.fromkeys(even_out(scene, job.engine)))
    found = play(scene, job, module)
    settings = scene.omi_physics.export
    family = settings.family
    settings.family, settings.target = _WRITTEN_AS[job.engine]
    writing.allow_errors()
    writing.write_gltf(
        jobs.Export(job.source, job.exported, "glb", None, selected=False, allow_errors=True)
    )
    report = addons.latest_report(module)
    if report is None or report.failed:
        raise addons.JobError("The physics was not written completely.")
    return jobs.Outcome(
        report={
            "family": family,
            "leftOut": left_out,
            "notExact": [limit.text for limit in found],
        }
    )


def play(scene: Any, job: Rehearse, module: str) -> Any:
    """Play a scene and write the poses; what the preview does not do exactly.

    Raises:
        JobError: there is nothing to play, or it failed.
    """
    parts = ("limitations", "player", "recorder")
    limits, player, files = (
        importlib.import_module(f"{module}.blender.preview.{one}") for one in parts
    )
    options = files.options(job.fps, job.substeps, job.seconds)
    found = limits.of_scene(scene, options)
    session: Any = player.start(scene, options)
    try:
        if not session.world.bodies:
            raise addons.JobError("the scene has no bodies to simulate")
        dampen(bpy.data.scenes[session.stage], _DAMPED[job.engine])
        recorder = files.Recorder(session)
        for _ in range(files.frames(options, job.seconds)):
            recorder.step()
        files.write(Path(job.poses), recorder, found)
    except RuntimeError as error:
        raise addons.JobError(addons.plain_message(error)) from error
    finally:
        player.stop()
    return found


def dampen(stage: Any, damping: float) -> None:
    """Let the bodies of a preview lose this share of their spin each second."""
    for obj in stage.rigidbody_world.collection.objects:
        if obj.rigid_body is not None and obj.rigid_body.type == "ACTIVE":
            obj.rigid_body.angular_damping = damping


def even_out(scene: Any, engine: str) -> Iterator[str]:
    """Make a scene say only what an engine reads; tells what that changes."""
    yield from _without_animation()
    for obj in scene.objects:
        physics = obj.omi_physics
        for part in _PARTS:
            if part not in _READS[engine] and getattr(physics, f"use_{part}"):
                setattr(physics, f"use_{part}", False)
                yield _WORDS[part]
    if scene.omi_physics.use_world_gravity:
        scene.omi_physics.use_world_gravity = False
        yield "gravity of the world"
    scene.gravity, scene.use_gravity = (0.0, 0.0, -GRAVITY), True
    if engine == "babylon":
        yield from _as_babylon(scene)
    else:
        yield from _as_godot(scene)
    cast("Any", bpy.context).view_layer.update()


def _without_animation() -> Iterator[str]:
    for obj in bpy.data.objects:
        if obj.animation_data is not None:
            obj.animation_data_clear()
            yield "animation"


def _as_babylon(scene: Any) -> Iterator[str]:
    """Babylon.js has no planes, and holds a joint that is soft along all three axes hard."""
    for settings in scene.omi_physics.joint_settings:
        for limit in settings.limits:
            if limit.use_stiffness and limit.kind == "LINEAR" and all(limit.axes):
                limit.use_stiffness = False
                yield "softness of limits along three axes"
    _add_surface(scene, "babylon")
    for obj in scene.objects:
        collider = obj.omi_physics.collider
        if not obj.omi_physics.use_collider:
            continue
        if not collider.physics_material:
            collider.physics_material = _SURFACE
            yield "friction where there is no material"
        shape = collider.shape
        if shape.type != "PLANE":
            continue
        x = shape.plane.size_x if shape.plane.use_size_x else WIDE
        y = shape.plane.size_z if shape.plane.use_size_z else WIDE
        shape.type, shape.box.size = "BOX", (x, y, THICK)
        shape.location = shape.location + Vector((0.0, 0.0, -THICK / 2.0))
        yield PLANES


def _as_godot(scene: Any) -> Iterator[str]:
    _add_surface(scene, "godot")
    for obj in scene.objects:
        physics = obj.omi_physics
        if physics.use_collider:
            if physics.collider.physics_material:
                yield "materials"
            physics.collider.physics_material = _SURFACE
            if physics.collider.collision_filter:
                yield "filters"
            physics.collider.collision_filter = ""
        if physics.use_motion and physics.motion.gravity_factor != 1.0:
            physics.motion.gravity_factor = 1.0
            yield "factors of gravity"
    for settings in scene.omi_physics.joint_settings:
        for limit in settings.limits:
            if limit.use_stiffness:
                limit.use_stiffness = False
                yield "softness of limits"


def _add_surface(scene: Any, engine: str) -> None:
    surface = scene.omi_physics.physics_materials.add()
    surface.name = _SURFACE
    surface.static_friction = surface.dynamic_friction = _FRICTION[engine]
    surface.restitution = 0.0


if __name__ == "__main__":
    worker.main(sys.argv, {Rehearse: rehearse})
