"""Worker in Blender that exports scenes, says what of them is seen, and pictures it.

From the command line, with a window for pictures, or with the bpy module for the rest:

    blender --factory-startup --python tools/pictures/seen_worker.py -- JOB.json
    python tools/pictures/seen_worker.py -- JOB.json

The job has "scenes", "folder", "pictures" and "seconds". For each scene the folder gets
`NAME.json`, `NAME.TARGET.glb` and pictures as `NAME.start.rgb` and `NAME.later.rgb`, see
`silhouettes.py`.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
# Blender does not put a script's own folder on the path.
sys.path.insert(0, str(ROOT))

import bpy as stubbed_bpy  # noqa: TID251
import numpy as np
from mathutils import Matrix, Vector  # noqa: TID251

from tools.examples import walk_scenes
from tools.pictures import seen_scenes
from tools.pictures.blender_window import (
    AT_ONCE,
    SOON,
    Steps,
    area_of,
    enable_addons,
    override,
    run,
    window,
)
from tools.pictures.silhouettes import SIZE, color_of

bpy: Any = stubbed_bpy
TARGETS: Final = {"GODOT_4": "OMI", "SPECIFICATION": "OMI", "BABYLON": "KHR"}
SOLID: Final = {"MESH", "CURVE", "SURFACE", "FONT", "META"}
ANGLE: Final = math.radians(40.0)  # Of the camera, from top to bottom.
FROM: Final = Vector((0.5, -1.0, 0.6)).normalized()  # Where the camera is.
RATE, SUBSTEPS = 60, 8  # Of the preview.


def main(path: Path) -> None:
    """Do a job."""
    job = json.loads(path.read_text(encoding="utf-8"))
    if job["pictures"]:
        run(lambda: work(job), failed=lambda: tell(path), ended=lambda: None)
        return
    enable_addons()
    for _ in work(job):
        pass


def tell(path: Path) -> None:
    """Write what failed where the other process looks for it."""
    import traceback

    path.with_suffix(".failed").write_text(traceback.format_exc(), encoding="utf-8")


def work(job: dict[str, Any]) -> Steps:
    """Go through the scenes."""
    folder = Path(job["folder"])
    if job["pictures"]:
        enable_addons()
        bpy.context.preferences.system.viewport_aa = "OFF"
        yield SOON
    for name in job["scenes"]:
        make(name)
        yield AT_ONCE
        found: dict[str, Any] = {"names": number(), "seen": list(shown()), "camera": camera(name)}
        found["plays_alike"] = not (bpy.data.actions or by_nodes())
        found["told"] = export(folder / name)
        if job["pictures"]:
            aim(found["camera"])
            picture(folder / f"{name}.blender.start.rgb")
            play(folder / f"{name}.blender.later.rgb", job["seconds"])
        (folder / f"{name}.json").write_text(json.dumps(found), encoding="utf-8")


# --- scenes ---


def pairs() -> dict[str, Callable[[], None]]:
    """The generated scenes by name."""
    generated = {p.name: (lambda p=p: seen_scenes.fill(p)) for p in seen_scenes.choose()}
    walks = {f"walk_{name}": (lambda w=w: _walk(w)) for name, w in walk_scenes.WALKS.items()}
    return {**generated, **walks}


def _walk(walk: walk_scenes.Walk) -> None:
    """What the first steps of the manual lead to."""
    walk_scenes.clear()
    walk.model()
    walk.act()


def make(name: str) -> None:
    """Open an example, or build a generated scene."""
    if name not in pairs():
        path = str(ROOT / "examples" / f"{name}.blend")
        bpy.ops.wm.open_mainfile(filepath=path, load_ui=False, use_scripts=False)
        return
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True, load_ui=False)
    enable_addons()
    with override(area_of("VIEW_3D")):  # Timers have none, and modes need one.
        pairs()[name]()


def shown_instances() -> Iterator[tuple[Any, Any]]:
    """What is seen, and the object that it is: visible ones with faces, and instances of such."""
    graph = bpy.context.evaluated_depsgraph_get()
    for each in graph.object_instances:
        obj = (each.instance_object if each.is_instance else each.object).original
        if obj.type not in SOLID or not each.show_self or obj.omi_physics.is_collision_only:
            continue
        if each.is_instance or obj.visible_get():
            yield each, obj


def number() -> dict[str, int]:
    """Give all that is seen colours; the number of its colour by the name of each object.

    Instances of a collection are drawn in the colour of the object that shows it, in which they
    all are one; what a preview shows instead has that of the member.
    """
    found: dict[str, int] = {}
    for each, obj in shown_instances():
        owners = [obj]
        if each.is_instance and each.parent.instance_collection:
            group = each.parent.instance_collection.original
            owners = [o.original for o in bpy.data.objects if o.instance_collection == group]
            owners += group.all_objects
        names = [owner.name for owner in owners]
        index = next((found[n] for n in names if n in found), len(set(found.values())))
        for owner in owners:
            owner.color = [*map(_linear, color_of(index)), 1.0]
            found[owner.name] = index
    for obj in bpy.data.objects:
        if obj.omi_physics.is_collision_only:
            obj.display_type = "WIRE"
    bpy.context.view_layer.update()
    return found


def _linear(value: int) -> float:
    part = value / 255.0
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def shown() -> Iterator[dict[str, Any]]:
    """Name and box of all that is seen, the box in glTF's axes, m.

    The box is that around the turned box of the mesh, as an engine has it. Blender lists curves and
    texts twice.
    """
    known = set[str]()
    for each, obj in shown_instances():
        mesh = each.object.to_mesh()
        points = np.empty((len(mesh.vertices), 3), np.float32)
        mesh.vertices.foreach_get("co", points.ravel())
        faces = len(mesh.polygons)
        each.object.to_mesh_clear()
        if not faces:
            continue
        ends = points.min(axis=0), points.max(axis=0)
        corners = [[ends[i >> k & 1][k] for k in range(3)] for i in range(8)]
        world = [each.matrix_world @ Vector(c) for c in corners]
        axes = list(zip(*((p.x, p.z, -p.y) for p in world), strict=True))
        box = {"name": obj.name, "min": list(map(min, axes)), "max": list(map(max, axes))}
        if str(box) not in known:
            known.add(str(box))
            yield box


def export(path: Path) -> dict[str, list[tuple[str, str]]]:
    """Export the scene for each target; by target, codes and places of the report."""
    from omi_physics_addon.blender.base import reports

    settings = bpy.context.scene.omi_physics.export
    told: dict[str, list[tuple[str, str]]] = {}
    settings.write_anyway = True
    shaped = any(getattr(obj.data, "shape_keys", None) for obj in bpy.data.objects)
    for target, family in TARGETS.items():
        settings.target, settings.family = target, family
        file = f"{path}.{target}.glb"
        bpy.ops.export_scene.gltf(filepath=file, export_apply=not shaped, export_gn_mesh=by_nodes())
        report = reports.latest("EXPORT")
        assert report is not None
        assert not report.failed, report.failure
        told[target] = [(issue.code, issue.pointer) for issue in report.issues]
    return told


def by_nodes() -> bool:
    """Whether Geometry Nodes show something."""
    return any(m.type == "NODES" for obj in bpy.data.objects for m in obj.modifiers)


# --- pictures ---

# Of examples whose own camera looks elsewhere: from where, and at what.
VIEWS: Final = {"car": ((7.0, 33.0, 5.0), (0.0, 18.0, 0.5))}


def camera(name: str) -> dict[str, Any]:
    """Where a picture is taken from: that of an example's camera, or around all that is seen."""
    scene, width, height = bpy.context.scene, *SIZE
    if name in VIEWS:
        eye, at = VIEWS[name]
        return {"eye": eye, "at": at, "angle": ANGLE}
    if name not in pairs() and scene.camera is not None:
        place, data = scene.camera.matrix_world, scene.camera.data
        eye, ahead = place.translation, -place.col[2].to_3d()
        angle = 2.0 * math.atan(math.tan(data.angle_x / 2.0) * height / width)
        return {"eye": [*eye], "at": [*(eye + ahead)], "angle": angle}
    boxes = list(shown())
    low = [min(b["min"][i] for b in boxes) for i in range(3)]
    high = [max(b["max"][i] for b in boxes) for i in range(3)]
    low, high = Vector((low[0], -low[2], low[1])), Vector((high[0], -high[2], high[1]))
    middle, radius = (low + high) / 2.0, (high - low).length / 2.0
    eye = middle + FROM * radius * 0.75 / math.sin(ANGLE / 2.0)
    return {"eye": [*eye], "at": [*middle], "angle": ANGLE}


def aim(found: dict[str, Any]) -> None:
    """Put a camera there, in a viewport that shows nothing but objects in their colours."""
    data = bpy.data.cameras.new("Seen")
    data.sensor_fit, data.angle = "VERTICAL", found["angle"]
    data.clip_start, data.clip_end = 0.1, 1000.0
    obj = bpy.data.objects.new("Seen", data)
    turn = (Vector(found["eye"]) - Vector(found["at"])).to_track_quat("Z", "Y")
    obj.matrix_world = Matrix.LocRotScale(found["eye"], turn, None)
    bpy.context.scene.collection.objects.link(obj)
    bpy.context.scene.camera = obj


def picture(path: Path) -> None:
    """What the 3D Viewport shows, as bytes of red, green and blue, the first row on top."""
    scene, area = window().scene, area_of("VIEW_3D")
    render, space = scene.render, area.spaces.active
    render.resolution_x, render.resolution_y, render.resolution_percentage = *SIZE, 100
    render.dither_intensity, render.filepath = 0.0, str(path.with_suffix(".png"))
    render.image_settings.file_format, render.image_settings.color_mode = "PNG", "RGB"
    scene.view_settings.view_transform = "Standard"
    space.region_3d.view_perspective, space.overlay.show_overlays = "CAMERA", False
    shading = space.shading
    shading.type, shading.light, shading.color_type = "SOLID", "FLAT", "OBJECT"
    shading.background_type, shading.background_color = "VIEWPORT", (0.0, 0.0, 0.0)
    shading.show_cavity = shading.show_object_outline = shading.show_shadows = False
    shading.show_backface_culling = shading.show_xray = False
    with override(area):
        bpy.ops.render.opengl(write_still=True, view_context=True)
    image = bpy.data.images.load(render.filepath)
    pixels = np.empty((SIZE[1], SIZE[0], image.channels), np.float32)
    image.pixels.foreach_get(pixels.ravel())
    bpy.data.images.remove(image)
    path.write_bytes(np.rint(pixels[::-1, :, :3] * 255.0).astype(np.uint8).tobytes())
    path.with_suffix(".png").unlink()


def play(path: Path, seconds: float) -> None:
    """Picture what the preview shows after some seconds."""
    from omi_physics_addon.blender.preview import player
    from omi_physics_addon.blender.preview.stage.options import PreviewOptions

    options = PreviewOptions(
        rate=RATE, substeps=SUBSTEPS, seconds=seconds + 1.0, place="SCENE", show=True
    )
    session = player.start(bpy.context.scene, options)
    try:
        session.step(session.begin - session.frame + round(seconds * RATE))
        if session.error:
            raise RuntimeError(session.error)
        if session.display is None:
            window().scene = bpy.data.scenes[session.stage]
        picture(path)
    finally:
        player.stop()


if __name__ == "__main__":
    main(Path(sys.argv[sys.argv.index("--") + 1]))
