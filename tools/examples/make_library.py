"""Makes the sample library: assets with physics for the Asset Browser, with pictures.

From the command line, with the oldest Blender we support, so that all others can open it:

    .venv/bpy-4.2/bin/python tools/examples/make_library.py
    .venv/bpy-4.2/bin/python tools/examples/make_library.py FOLDER

Each asset is a collection in a scene of its own, so that the file shows and plays each alone.
"""

from __future__ import annotations

import math
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import bpy as stubbed_bpy  # noqa: TID251
import numpy as np

from tools.examples import (
    example_assets,
    example_car,
    example_joints,
    example_planet,
    example_rope_bridge,
    example_vehicles,
    make_templates,
)
from tools.examples.example_stage import Stage, add_camera_and_lights, brighten

FOLDER: Final = ROOT / "omi_physics_addon" / "library"
PICTURE: Final = 128  # Edge of a picture, pixels.
SHADES: Final = 63  # Of each color in pictures; fewer make the file smaller.
AUTHOR: Final = "OMI Physics contributors"
LICENCE: Final = "CC0-1.0"
# Catalogs by their paths; an id never changes, as files of artists name it. Blender would make the
# first one itself, and mark it as not saved.
CATALOGS: Final = {
    "OMI Physics": "2642965b-018c-48eb-81b5-6edf57e999e0",
    "OMI Physics/Joints": "6a9904cb-687c-4f27-9447-2d2913639adc",
    "OMI Physics/Vehicles": "e21aa3ae-8c7f-4f56-b989-7968b1a64ce9",
    "OMI Physics/Characters": "c72b5ad0-3a40-43e1-9465-815fca4df14e",
    "OMI Physics/Gravity": "b4daebfd-42aa-43f4-bb18-8286fc5457f6",
    "OMI Physics/Triggers": "3359594b-e094-4d55-9d1c-297a7535b8aa",
}

bpy: Any = stubbed_bpy


class Asset(NamedTuple):
    """One asset.

    Attributes:
        catalog: the last part of its catalog's path.
        text: what the Asset Browser says of it.
        tags: words that it is found by.
        exhibits: what adds its parts, in this order.
        side, height: from where it is seen, degrees; 0 is the front.
    """

    catalog: str
    text: str
    tags: tuple[str, ...]
    exhibits: tuple[Callable[[Stage], None], ...]
    side: float = 28.0
    height: float = 18.0


ASSETS: Final = {
    "Door": Asset(
        "Joints",
        "Turns on a post, and is stopped softly at both ends",
        ("hinge", "limit", "spring"),
        (example_joints.add_settings, example_joints.add_door),
    ),
    "Drawer": Asset(
        "Joints",
        "Slides out of its cabinet, up to a limit",
        ("slider", "limit", "furniture"),
        (example_joints.add_settings, example_joints.add_drawer),
    ),
    "Lamp on a Chain": Asset(
        "Joints",
        "Swings below a beam, on five links with ball joints",
        ("ball joint", "chain", "light"),
        (example_assets.add_lamp,),
    ),
    "Rope Bridge": Asset(
        "Joints",
        "Planks and ropes between two cliffs, strong enough to walk on",
        ("ball joint", "rope"),
        (
            example_rope_bridge.add_settings,
            example_rope_bridge.add_cliffs,
            example_rope_bridge.add_deck,
            example_rope_bridge.add_rails,
        ),
    ),
    "Crane": Asset(
        "Joints",
        "A motor swings the jib, another one moves the trolley; a load hangs on a chain",
        ("motor", "slider", "chain"),
        (example_assets.add_crane,),
    ),
    "Car": Asset(
        "Vehicles",
        "Four sprung wheels, of which two steer and two drive; to be driven with the arrow keys",
        ("vehicle", "wheel", "seat"),
        (example_car.add_surfaces, example_car.add_car),
    ),
    "Hovercraft": Asset(
        "Vehicles",
        "Four hover thrusters carry it, and a fan drives it",
        ("vehicle", "thruster", "seat"),
        (example_vehicles.add_hovercraft,),
    ),
    "Ragdoll": Asset(
        "Characters",
        "A figure whose bones are bodies, with limits as a person has",
        ("armature", "character", "limit"),
        (example_assets.add_ragdoll,),
    ),
    "Planet": Asset(
        "Gravity",
        "Attracts all that is near, from all sides",
        ("gravity", "point", "trimesh"),
        (example_planet.add_surfaces, example_planet.add_planet, example_planet.add_trees),
    ),
    "Pressure Plate": Asset(
        "Triggers",
        "Goes down below what stands on it; a trigger detects that",
        ("trigger", "spring", "slider"),
        (example_assets.add_pressure_plate,),
        height=35.0,
    ),
}


def build(title: str) -> Any:
    """A new scene with an asset, which is a collection; it is the scene that is shown then."""
    scene = bpy.data.scenes.new(title)
    window = bpy.context.window_manager.windows[0]
    window.scene = scene
    collection = bpy.data.collections.new(title)
    scene.collection.children.link(collection)
    layer = scene.view_layers[0]
    layer.active_layer_collection = layer.layer_collection.children[0]
    stage = Stage(bpy, collection)
    for add in ASSETS[title].exhibits:
        add(stage)
    _center(collection)
    _name_entries(title, collection)
    return collection


def _bounds(objects: Any) -> tuple[Any, Any]:
    """Lowest and highest corner of all meshes, m."""
    from mathutils import Vector  # noqa: TID251

    graph = bpy.context.evaluated_depsgraph_get()
    corners = np.array(
        [
            obj.evaluated_get(graph).matrix_world @ Vector(corner)
            for obj in objects
            if obj.type == "MESH"
            for corner in obj.bound_box
        ]
    )
    return corners.min(axis=0), corners.max(axis=0)


def _center(collection: Any) -> None:
    """Put an asset to the origin, on the ground, where it is dropped."""
    low, high = _bounds(collection.all_objects)
    middle = 0.5 * (low + high)
    for obj in collection.objects:
        if obj.parent is None:
            obj.location.x -= middle[0]
            obj.location.y -= middle[1]
            obj.location.z -= min(low[2], 0.0)


def _name_entries(title: str, collection: Any) -> None:
    """Keep entries that the asset uses, by names that tell whose they are among those of others."""
    from omi_physics_addon.blender.properties import entries

    for list_name in entries.TREES:
        listed = getattr(bpy.context.scene.omi_physics, list_name)
        for index in reversed(range(len(listed))):
            if listed[index].id_data.users == 1:
                listed.remove(index)
            else:
                listed[index].name = f"{title} {listed[index].name}".replace(".00", " ")


def _describe(title: str, collection: Any) -> None:
    asset = ASSETS[title]
    collection.asset_mark()
    data = collection.asset_data
    data.catalog_id = CATALOGS[f"OMI Physics/{asset.catalog}"]
    data.description, data.author, data.license = asset.text, AUTHOR, LICENCE
    for tag in ("physics", *asset.tags):
        data.tags.new(tag)


def _take_picture(title: str, collection: Any) -> None:
    """Give an asset its picture, by a renderer that needs no graphics card."""
    asset, scene = ASSETS[title], bpy.context.scene
    low, high = _bounds(collection.all_objects)
    tilt, heading = math.radians(90.0 - asset.height), math.radians(asset.side)
    shown = bpy.data.collections.new("Picture")
    scene.collection.children.link(shown)
    stage = Stage(bpy, shown)
    add_camera_and_lights(stage, tilt=90.0 - asset.height, heading=asset.side)
    brighten(stage)
    back = np.array(
        [
            math.sin(tilt) * math.sin(heading),
            -math.sin(tilt) * math.cos(heading),
            math.cos(tilt),
        ]
    )
    lens = scene.camera.data
    radius = 0.5 * float(np.linalg.norm(high - low))
    half = 0.5 * lens.sensor_width
    far = radius * math.hypot(lens.lens, half) / half  # Where it just fits into the picture.
    scene.camera.location = 0.5 * (low + high) + back * far
    scene.render.engine, scene.cycles.samples = "CYCLES", 256
    scene.cycles.use_denoising = False
    scene.render.resolution_x = scene.render.resolution_y = PICTURE
    scene.render.film_transparent = True
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "picture.png")
        scene.render.filepath = path
        bpy.ops.render.render(write_still=True)
        image = bpy.data.images.load(path)
        pixels = np.empty(4 * PICTURE * PICTURE, dtype=np.float32)
        image.pixels.foreach_get(pixels)
        bpy.data.images.remove(image)
    pixels = np.round(pixels * SHADES) / SHADES
    preview = collection.preview_ensure()
    preview.image_size = PICTURE, PICTURE
    preview.image_pixels_float.foreach_set(pixels)
    scene.render.filepath = ""
    things = list(shown.objects)
    bpy.data.batch_remove([*things, *(obj.data for obj in things), scene.world, shown])


def write_catalogs(folder: Path) -> None:
    """Write the file that tells Blender the names of catalogs."""
    lines = ["# Catalogs of assets, as Blender reads them.", "", "VERSION 1", ""]
    lines += [f"{key}:{path}:{path.replace('/', '-')}" for path, key in CATALOGS.items()]
    text = "\n".join(lines) + "\n"
    (folder / "blender_assets.cats.txt").write_text(text, encoding="utf-8")


def make(folder: Path) -> Path:
    """Write all of it."""
    folder.mkdir(parents=True, exist_ok=True)
    write_catalogs(folder)
    make_templates.begin()
    first = bpy.context.scene
    for title in ASSETS:
        collection = build(title)
        _take_picture(title, collection)
        _describe(title, collection)
    bpy.context.window_manager.windows[0].scene = bpy.data.scenes[next(iter(ASSETS))]
    bpy.data.scenes.remove(first)
    path = folder / "library.blend"
    make_templates.save(path)
    return path


if __name__ == "__main__":
    print(make(Path(sys.argv[1]).absolute() if len(sys.argv) > 1 else FOLDER))
    os._exit(0)  # The bpy module may crash while it tidies up behind itself.
