"""Physics comes along with the objects of every example, whatever way they go to another file.

What an export says of each node is compared with the export of the example itself. World gravity
and entries that no object uses are the scene's, and stay with it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.base import reports
from omi_physics_addon.blender.host import export_check
from omi_physics_addon.blender.scene import newcomers, older_lists
from tests.blender.support.gltf_files import physics_by_name, read_glb

EXAMPLES = sorted((Path(__file__).resolve().parents[3] / "examples").glob("*.blend"))
# What is beside physics takes most of the time of an export.
BARE: dict[str, Any] = {
    **{f"export_{name}": False for name in ("animations", "normals", "skins", "texcoords")},
    "export_materials": "NONE",
}
OLDER = Path(__file__).resolve().parents[2] / "data" / "blend_before_layout"


@pytest.fixture(autouse=True)
def _errors_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    """An example may have them."""
    monkeypatch.setattr(export_check, "why_not", lambda _issues: "")


def physics(path: Path) -> dict[str, Any]:
    """What an export of the scene says of each node, by family, and the codes of lost names."""
    bpy.ops.export_scene.gltf(filepath=str(path), use_active_scene=True, **BARE)
    found = physics_by_name(read_glb(path)[0])
    lost = [i.message for i in reports.latest("EXPORT").issues if i.code == "X05"]
    assert lost == []
    return {family: found[family]["nodes"] for family in ("OMI", "KHR")}


def open_file(path: Path) -> None:
    bpy.ops.wm.open_mainfile(filepath=str(path), use_scripts=False)


def empty_file() -> Any:
    """An empty scene that exports as the example does."""
    export = bpy.context.scene.omi_physics.export
    family = export.family
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.context.scene.omi_physics.export.family = family
    return bpy.context.scene


def ways(function: Callable[..., Any]) -> Callable[..., Any]:
    WAYS[function.__name__] = function
    return function


WAYS: dict[str, Callable[..., Any]] = {}


@ways
def objects(path: Path) -> None:
    with bpy.data.libraries.load(str(path)) as (source, target):
        target.objects = source.objects
    into = bpy.context.scene.collection.objects
    for obj in target.objects:
        into.link(obj)


@ways
def collection(path: Path) -> None:
    with bpy.data.libraries.load(str(path)) as (_source, target):
        target.collections = ["Parts"]
    bpy.context.scene.collection.children.link(target.collections[0])


@ways
def linked(path: Path) -> None:
    with bpy.data.libraries.load(str(path), link=True) as (_source, target):
        target.collections = ["Parts"]
    bpy.context.scene.collection.children.link(target.collections[0])


@ways
def linked_and_opened_again(path: Path) -> None:
    linked(path)
    open_again(path.with_name("user.blend"))


def open_again(path: Path) -> None:
    """Save the open file and open it."""
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    open_file(path)


@ways
def overridden(path: Path) -> None:
    linked(path)
    parts = bpy.context.scene.collection.children[0]
    parts.override_hierarchy_create(bpy.context.scene, bpy.context.view_layer)
    if parts.name in bpy.context.scene.collection.children:
        bpy.context.scene.collection.children.unlink(parts)


@ways
def overridden_and_opened_again(path: Path) -> None:
    """A file has only what overrides say otherwise, such as that a door hangs on another post."""
    overridden(path)
    open_again(path.with_name("user.blend"))


@ways
def local(path: Path) -> None:
    linked(path)
    make_local()


def make_local() -> None:
    """Make all of the scene local."""
    bpy.context.view_layer.update()
    for obj in bpy.context.scene.objects:
        obj.select_set(True)
    bpy.ops.object.make_local(type="ALL")
    assert all(obj.library is None for obj in bpy.context.scene.objects)


@ways
def written(path: Path) -> None:
    objects(path)
    other = path.with_name("written.blend")
    bpy.data.libraries.write(str(other), set(bpy.context.scene.objects))
    empty_file()
    objects(other)


@ways
def pasted(path: Path) -> None:
    open_file(path)
    for obj in bpy.context.scene.objects:
        obj.select_set(True)
    bpy.ops.view3d.copybuffer()
    empty_file()
    bpy.ops.view3d.pastebuffer(autoselect=True, active_collection=True)


@ways
def scene_with_the_same_objects(path: Path) -> None:
    open_file(path)
    copy_scene("LINK_COPY")


@ways
def full_copy_of_the_scene(path: Path) -> None:
    open_file(path)
    copy_scene("FULL_COPY")


def copy_scene(kind: str) -> None:
    """Copy the scene and remove the one it is a copy of; what was copied gets back its name."""
    first = bpy.context.scene
    every = (bpy.data.objects, bpy.data.meshes)
    for block in (each for blocks in every for each in blocks):
        block["was"] = block.name
    bpy.ops.scene.new(type=kind)
    if kind == "FULL_COPY":
        for blocks in every:
            gone = {each for each in blocks if each["was"] == each.name}
            bpy.data.batch_remove(gone)
            for block in blocks:
                block.name = block["was"]
    bpy.data.scenes.remove(first)


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], tuple[Path, Any]]:
    """An example as it is saved now, all in one collection, and what its export says."""
    made: dict[Path, tuple[Path, Any]] = {}

    def get(path: Path) -> tuple[Path, Any]:
        if path not in made:
            folder = tmp_path_factory.mktemp(path.stem)
            open_file(path)
            parts = bpy.data.collections.new("Parts")
            scene = bpy.context.scene
            for obj in list(scene.objects):
                for holder in obj.users_collection:
                    holder.objects.unlink(obj)
                parts.objects.link(obj)
            scene.collection.children.link(parts)
            saved = folder / path.name
            said = physics(folder / "as_it_was.glb")
            bpy.ops.wm.save_as_mainfile(filepath=str(saved))
            made[path] = saved, said
        return made[path]

    return get


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_objects_keep_their_physics(path, way, example, tmp_path: Path) -> None:
    saved, expected = example(path)
    open_file(saved)
    empty_file()
    way(saved)
    assert physics(tmp_path / "out.glb") == expected


def as_older(path: Path, way: str) -> None:
    """Take the objects of a file that has its entries in lists of its scene."""
    with bpy.data.libraries.load(str(path), link=way != "append") as (source, target):
        target.objects = source.objects
    found = {obj: obj.override_create() if way == "override" else obj for obj in target.objects}
    for obj in found.values():
        bpy.context.scene.collection.objects.link(obj)
        if obj.parent in found and obj.parent != found[obj.parent]:
            obj.parent = found[obj.parent]
    if way == "local":
        make_local()


def shared(found: dict[str, Any]) -> dict[Any, list[Any]]:
    """What nodes share with others, by family and name: joint settings, materials, filters."""
    keys = ("joint", "physics_material", "collision_filter")
    out: dict[Any, list[Any]] = {}
    for family, nodes in found.items():
        for name, node in nodes.items():
            parts = [part for part in node.values() if isinstance(part, dict)]
            out[family, name] = [part.get(key) for part in parts for key in keys]
    return out


# Overrides of single objects are connected to linked ones, so nothing would be left of `joints`.
OLDER_WAYS = [
    (name, way)
    for name in ("everything", "joints", "vehicles", "khr")
    for way in ("append", "link", "override", "local")
    if (name, way) != ("joints", "override")
]


@pytest.mark.parametrize(("name", "way"), OLDER_WAYS)
def test_objects_of_older_files_do_too(name, way, tmp_path: Path) -> None:
    path = OLDER / f"{name}.blend"
    open_file(path)
    expected = physics(tmp_path / "as_it_was.glb")
    empty_file()
    as_older(path, way)
    same(physics(tmp_path / "out.glb"), expected, way)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "user.blend"))
    open_file(tmp_path / "user.blend")
    same(physics(tmp_path / "again.glb"), expected, way)


def test_objects_of_older_files_do_where_the_same_file_is_linked(tmp_path: Path) -> None:
    """Blender 4.2 does not tell what comes, and knows no new file then."""
    path = OLDER / "everything.blend"
    open_file(path)
    expected = physics(tmp_path / "as_it_was.glb")
    empty_file()
    as_older(path, "link")
    newcomers.catch_up()
    into = bpy.context.scene.collection.objects
    for obj in list(into):
        into.unlink(obj)
    as_older(path, "append")
    same(physics(tmp_path / "out.glb"), expected, "append")


def same(found: dict[str, Any], expected: dict[str, Any], way: str) -> None:
    if way != "override":
        assert found == expected
        return
    ours, theirs = shared(found), shared(expected)
    together = [key for key in ours if len(ours[key]) == len(theirs[key])]
    assert any(value for key in together for value in ours[key])
    assert [ours[key] for key in together] == [theirs[key] for key in together]


def test_a_linked_older_file_is_opened_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bpy.ops.wm.read_homefile(use_empty=True)
    as_older(OLDER / "everything.blend", "link")
    older_lists._of_files.clear()
    asked: list[str] = []
    plain = older_lists.opened

    def counted(path: str) -> Any:
        asked.append(path)
        return plain(path)

    monkeypatch.setattr(older_lists, "opened", counted)
    first = physics(tmp_path / "first.glb")
    often = len(asked)
    assert 0 < often <= 3  # Once along each kind of axes.
    assert physics(tmp_path / "second.glb") == first
    assert len(asked) == often
