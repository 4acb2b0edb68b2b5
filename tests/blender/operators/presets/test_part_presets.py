"""Presets: saved, loaded into several objects, removed, and those that cannot be read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender import registration
from omi_physics_addon.blender.base import groups
from omi_physics_addon.blender.operators.presets import part_presets
from omi_physics_addon.blender.panels import menus
from tests.blender.operators.test_bodies import select
from tests.blender.support.scenes import add, add_body, cube_mesh


def add_preset(**options: Any) -> Any:
    return bpy.ops.scene.omi_physics_add_preset(**options)


def files(kind: str) -> list[Path]:
    return part_presets.preset_files(part_presets.KINDS[kind].folder)


def load_preset(**options: Any) -> Any:
    return bpy.ops.scene.omi_physics_load_preset(**options)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Presets of these tests alone."""
    utils = {
        "user_resource": lambda _type, path="", create=False: _made(tmp_path / path),
        "preset_paths": lambda subdir: [str(tmp_path / "presets" / subdir)],
        "preset_find": lambda name, subdir, **_options: _find(tmp_path, name, subdir),
    }
    for name, function in utils.items():
        monkeypatch.setattr(bpy.utils, name, function)
    return tmp_path


def _made(path: Path) -> str:
    path.mkdir(parents=True, exist_ok=True)
    return str(path)


def _find(root: Path, name: str, subdir: str) -> str | None:
    path = root / "presets" / subdir / f"{name.replace(' ', '_')}.py"
    return str(path) if path.exists() else None


def scene_with(kind: str) -> Any:
    """Objects A and B with the part, and the group of A."""
    objects = [add(name, cube_mesh()) for name in "AB"]
    settings = groups.of_scene(bpy.context.scene)
    if kind == "MATERIAL":
        settings.physics_materials.add("Mine")
        settings.physics_materials_index = 0
    for obj in objects:
        add_body(obj)
        if part_presets.KINDS[kind].flag:
            setattr(groups.of_object(obj), part_presets.KINDS[kind].flag, True)
    select(*objects)
    return part_presets.shown(bpy.context, kind)


def changes_of(group: Any) -> dict[str, Any]:
    """Another value for each number and switch."""
    found: dict[str, Any] = {}
    for name in part_presets.values_of(group):
        prop, value = group.bl_rna.properties[name], getattr(group, name)
        if prop.type == "BOOLEAN":
            found[name] = not value
        elif prop.type == "ENUM":
            found[name] = prop.enum_items[-1].identifier
        elif not getattr(prop, "is_array", False):
            kind = int if prop.type == "INT" else float
            found[name] = kind(min(max(value * 0.5 + 1, prop.hard_min), prop.hard_max))
    return found


def state(group: Any) -> dict[str, Any]:
    values = {name: getattr(group, name) for name in part_presets.values_of(group)}
    return {name: v if isinstance(v, (str, int, float)) else tuple(v) for name, v in values.items()}


@pytest.mark.parametrize("kind", list(part_presets.KINDS))
def test_a_preset_brings_all_values_back(kind):
    group = scene_with(kind)
    for name, value in changes_of(group).items():
        setattr(group, name, value)
    saved = state(group)
    assert add_preset(kind=kind, name="My Preset") == {"FINISHED"}
    (path,) = files(kind)
    for name in part_presets.values_of(group):
        group.property_unset(name)
    assert state(group) != saved
    assert load_preset(kind=kind, filepath=str(path)) == {"FINISHED"}
    assert state(group) == saved
    assert add_preset(kind=kind, name="My Preset", remove_name=True) == {"FINISHED"}
    assert files(kind) == []


@pytest.mark.parametrize("kind", ["BODY", "WHEEL", "VEHICLE"])
def test_all_selected_objects_with_the_part_take_it(kind):
    group = scene_with(kind)
    name = next(iter(changes_of(group)))
    setattr(group, name, changes_of(group)[name])
    add_preset(kind=kind, name="Both")
    other = add("C")
    select(*(bpy.data.objects[each] for each in "ABC"))
    load_preset(kind=kind, filepath=str(files(kind)[0]))
    path = part_presets.KINDS[kind].path.rpartition(".")[2]
    a, b = (getattr(groups.of_object(bpy.data.objects[each]), path) for each in "AB")
    assert state(a) == state(b)
    assert not getattr(groups.of_object(other), part_presets.KINDS[kind].flag)


def test_what_cannot_be_loaded_or_saved_is_refused(tmp_path):
    assert add_preset(kind="BODY", name="None") == {"CANCELLED"}
    assert add_preset(kind="MATERIAL", name="None") == {"CANCELLED"}
    assert load_preset(kind="FIT", filepath=str(tmp_path / "none.py")) == {"CANCELLED"}
    for kind in ("FIT", "BODY"):
        path = tmp_path / "presets" / part_presets.KINDS[kind].folder / "bad.py"
        path.parent.mkdir(parents=True)
        path.write_text("import bpy\nbpy.context.scene.omi_physics.fit.cells = 'many'\n")
        assert load_preset(kind=kind, filepath=str(path)) == {"CANCELLED"}


@pytest.mark.parametrize("way", ["elsewhere", "other kind", "link"])
def test_what_is_in_no_folder_of_presets_does_not_run(tmp_path, way):
    """A preset is a script, so files of others are none before they are put there."""
    ran, kept = tmp_path / "ran", tmp_path / "presets" / part_presets.KINDS["FIT"].folder
    kept.mkdir(parents=True)
    path = (kept if way == "other kind" else tmp_path) / "some.py"
    path.write_text(f"open({str(ran)!r}, 'w').close()\n")
    kind = "OVERLAY" if way == "other kind" else "FIT"
    if way == "link":
        (kept / "link.py").symlink_to(path)
        path = kept / "link.py"
    assert load_preset(kind=kind, filepath=str(path)) == {"CANCELLED"}
    assert not ran.exists()


def test_each_kind_has_a_menu():
    names = {cls.__name__ for cls in registration.classes_of(menus)}
    assert {f"OMIPHYSICS_MT_{kind.lower()}_presets" for kind in part_presets.KINDS} <= names
