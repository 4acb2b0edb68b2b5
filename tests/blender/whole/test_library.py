"""Every asset of the sample library plays and exports as its source, whatever way it comes."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from omi_physics_addon.blender.operators.presets import sample_library
from omi_physics_addon.blender.preview import player
from tests.blender.support.library_checks import (
    FILE,
    NEAR,
    SECONDS,
    Seen,
    differing,
    exported,
    places,
    played,
    seen,
)
from tests.blender.support.preview_scenes import floor, play, run
from tests.blender.support.scenes import begin_empty
from tools.examples import make_library
from tools.examples.make_library import ASSETS, PICTURE

MOST = 300_000  # Bytes, which all who install the extension download.
BESIDE = 60.0  # From one asset to the next, where they do each other nothing, m.
each_asset = pytest.mark.parametrize("title", ASSETS)


def open_library() -> None:
    bpy.ops.wm.open_mainfile(filepath=str(FILE), use_scripts=False)


@functools.cache
def of_source(title: str, folder: Path) -> Seen:
    """What the scene of an asset exports, and how it plays."""
    open_library()
    bpy.context.window.scene = bpy.data.scenes[title]
    path = str(folder / f"{title}.blend")  # In 4.2 and 4.5, objects have no places until then.
    bpy.ops.wm.save_as_mainfile(filepath=path, copy=True)
    bpy.ops.wm.open_mainfile(filepath=path, use_scripts=False)
    return seen(folder, f"{title}.glb")


def brought(title: str) -> Any:
    """The collection of an asset, which nothing shows yet."""
    with bpy.data.libraries.load(str(FILE), assets_only=True) as (_source, target):
        target.collections = [title]
    return target.collections[0]


def appended(title: str, collection: Any = None) -> Any:
    """Show an asset as a drag without *Instance* does."""
    collection = collection or brought(title)
    bpy.context.scene.collection.children.link(collection)
    return collection


def instanced(title: str, collection: Any = None) -> Any:
    """Show an asset as a drag with *Instance* does; the collection that it is of."""
    collection = collection or brought(title)
    empty = bpy.data.objects.new(title, None)
    empty.instance_type, empty.instance_collection = "COLLECTION", collection
    bpy.context.scene.collection.objects.link(empty)
    return collection


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("library")


@each_asset
@pytest.mark.parametrize("show", [appended, instanced])
def test_it_plays_and_exports_as_its_source(title: str, show: Any, folder: Path) -> None:
    """Once, and beside a second one of the same asset, which shares its entries alone."""
    file, way = of_source(title, folder)
    begin_empty()
    first = show(title)
    bpy.context.view_layer.update()
    assert differing(file, exported(folder)) == []
    trees = len(bpy.data.node_groups)
    second = show(title, first if show is instanced else None)
    for obj in second.objects if show is appended else [bpy.context.scene.objects[-1]]:
        if obj.parent is None:
            obj.location.x += BESIDE
    bpy.context.view_layer.update()
    exported(folder)  # Which takes up what came, in 4.2.
    assert len(bpy.data.node_groups) == trees
    both = played()
    count = way.shape[1]
    assert both.shape[1] == 2 * count
    assert both[:, :count] == pytest.approx(way, abs=NEAR)
    assert both[:, count:] - (BESIDE, 0.0, 0.0) == pytest.approx(way, abs=NEAR)


@each_asset
def test_copies_refer_to_nothing_of_each_other(title: str) -> None:
    begin_empty()
    groups = [set(appended(title).all_objects) for _ in range(2)]
    assert not groups[0] & groups[1]
    for group in groups:
        for obj in group:
            physics = obj.omi_physics
            found = [physics.joint.connected_object, physics.vehicle_body.pilot_seat, obj.parent]
            found += [item.object for item in physics.trigger.nodes]
            assert {other for other in found if other is not None} <= group, obj.name


@pytest.mark.parametrize("title", ["Car", "Hovercraft"])
def test_vehicles_are_driven_one_by_one(title: str) -> None:
    begin_empty()
    for number in range(2):
        for obj in appended(title).objects:
            if obj.parent is None:
                obj.location.x += 6.0 * number
    floor()
    session = play()
    driver = session.driver
    assert list(driver.names) == [title, f"{title}.001"]
    assert bpy.ops.scene.omi_physics_preview_drive(vehicle=1) == {"FINISHED"}
    start = places(session)
    assert driver.key("W", is_down=True)
    run(session, SECONDS)
    far = np.abs(places(session) - start)[:, 1]
    player.stop()
    assert sorted(far > 1.0) == [False, False, True]


def test_the_file_says_what_its_maker_makes() -> None:
    """All that the Asset Browser shows; the oldest Blender opens it."""
    ids = {key: path for path, key in make_library.CATALOGS.items()}
    assert FILE.stat().st_size < MOST
    open_library()
    assert bpy.data.version[:2] == (4, 2)
    assert [scene.name for scene in bpy.data.scenes] == sorted(ASSETS)
    marked = {each.name: each for each in bpy.data.collections if each.asset_data is not None}
    assert marked.keys() == ASSETS.keys()
    for title, asset in ASSETS.items():
        data = marked[title].asset_data
        assert ids[data.catalog_id] == f"OMI Physics/{asset.catalog}"
        assert (data.description, data.author) == (asset.text, make_library.AUTHOR)
        assert data.license == "CC0-1.0"
        assert [tag.name for tag in data.tags] == ["physics", *asset.tags]
        preview = marked[title].preview
        assert tuple(preview.image_size) == (PICTURE, PICTURE)
        pixels = np.empty(4 * PICTURE * PICTURE, dtype=np.float32)
        preview.image_pixels_float.foreach_get(pixels)
        assert 0.05 < pixels[3::4].mean() < 0.6, title  # Something stands before nothing.
        assert len(np.unique(pixels)) > 10, title


def test_names_are_those_of_one_asset() -> None:
    """No drag begins with a number at the end of a name."""
    open_library()
    kinds = ("objects", "meshes", "materials", "collections", "node_groups", "lights", "armatures")
    names = [each.name for kind in kinds for each in getattr(bpy.data, kind)]
    assert [name for name in names if name[-4:-3] == "." and name[-3:-1] == "00"] == []
    for scene in bpy.data.scenes:
        assert [each.name for each in scene.collection.children] == [scene.name]
        assert not scene.collection.objects


def test_the_catalogs_are_those_of_the_maker(tmp_path: Path) -> None:
    make_library.write_catalogs(tmp_path)
    name = "blender_assets.cats.txt"
    assert (tmp_path / name).read_bytes() == (sample_library.FOLDER / name).read_bytes()


@each_asset
def test_the_maker_makes_it_still(title: str, folder: Path) -> None:
    """So that the file follows when an example changes."""
    file, _ = of_source(title, folder)
    begin_empty()
    make_library.build(title)
    assert differing(file, exported(folder)) == []
