"""Presets of materials, bodies, wheels, vehicles, fits and the overlay, as Blender keeps them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, NamedTuple, cast

import bpy
from bl_operators import presets

from ...base import groups
from ...properties import joint_choices, part_choices
from ..chosen_objects import (
    OnScene,
    active_entry,
    changed,
    done,
    lists_changed,
    refuse,
    targets,
)

_Base: Any = presets.AddPresetBase
_FAULTS: Final = (SyntaxError, NameError, AttributeError, LookupError, TypeError, ValueError)
_SIMPLE: Final = frozenset({"BOOLEAN", "INT", "FLOAT", "ENUM"})
_SCENE: Final = "bpy.context.scene.omi_physics"


class Kind(NamedTuple):
    """What presets are of.

    Attributes:
        folder: below that of Blender's presets.
        path: of the property group, in Python.
        flag: the property of an object that says whether it has the part; empty for the scene.
    """

    folder: str
    path: str
    flag: str = ""


KINDS: Final = {
    "MATERIAL": Kind(
        "omi_physics/materials",
        f"{_SCENE}.physics_materials[{_SCENE}.physics_materials_index]",
    ),
    "BODY": Kind("omi_physics/bodies", "bpy.context.object.omi_physics.motion", "use_motion"),
    "WHEEL": Kind("omi_physics/wheels", "bpy.context.object.omi_physics.wheel", "use_wheel"),
    "VEHICLE": Kind(
        "omi_physics/vehicles", "bpy.context.object.omi_physics.vehicle_body", "use_vehicle_body"
    ),
    "FIT": Kind("omi_physics/fits", f"{_SCENE}.fit"),
    "OVERLAY": Kind("omi_physics/overlay", f"{_SCENE}.overlay"),
}


def is_preset(path: Path, folder: str) -> bool:
    """Whether a file is a preset of a kind: loading one runs what it says, so no other is loaded.

    Args:
        folder: below that of Blender's presets.
    """
    kept = [Path(each).resolve() for each in cast("list[str]", bpy.utils.preset_paths(folder))]
    is_kept = not set(kept).isdisjoint(path.resolve().parents)
    return is_kept and path.suffix == ".py" and path.is_file()


def preset_files(folder: str) -> list[Path]:
    """The files of presets, by name.

    Args:
        folder: below that of Blender's presets.
    """
    folders = cast("list[str]", bpy.utils.preset_paths(folder))
    return sorted(path for folder in folders for path in Path(folder).glob("*.py"))


def shown(context: bpy.types.Context, kind: str) -> Any:
    """The property group that presets of a kind are saved from; None where there is none."""
    scene = groups.of_scene(context.scene)
    if kind == "MATERIAL":
        return active_entry(context, "physics_materials")
    if not KINDS[kind].flag:
        return getattr(scene, kind.lower())
    obj: Any = context.object
    if obj is None or not getattr(groups.of_object(obj), KINDS[kind].flag):
        return None
    return getattr(groups.of_object(obj), KINDS[kind].path.rpartition(".")[2])


def values_of(group: Any) -> list[str]:
    """The names of what a preset keeps of a property group: numbers, switches and choices."""
    return [
        each.identifier
        for each in group.bl_rna.properties
        if each.type in _SIMPLE and not (each.is_hidden or each.is_readonly or each.is_skip_save)
    ]


class OMIPHYSICS_OT_add_preset(part_choices.PresetKind, OnScene, _Base, bpy.types.Operator):
    """Saves what is shown as a preset, or removes one."""

    bl_idname = "scene.omi_physics_add_preset"
    bl_label = "Add Preset"
    bl_description = "Save the shown values as a preset, or remove a preset"

    @property
    def preset_menu(self) -> str:
        """The menu that Blender names after the preset."""
        return f"OMIPHYSICS_MT_{self.kind.lower()}_presets"

    @property
    def preset_subdir(self) -> str:
        """Where Blender keeps it."""
        return KINDS[self.kind].folder

    @property
    def preset_defines(self) -> list[str]:
        """What the file begins with."""
        return [f"group = {KINDS[self.kind].path}"]

    @property
    def preset_values(self) -> list[str]:
        """What the file keeps."""
        chosen: Any = self
        group = shown(bpy.context, chosen.kind)
        return [f"group.{name}" for name in values_of(group)]

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Let the preset be written from what is shown."""
        chosen: Any = self
        is_removal = chosen.remove_name or chosen.remove_active
        if not is_removal and shown(context, chosen.kind) is None:
            return refuse(self, "There is nothing to save")
        base: Any = super()
        return base.execute(context)


class OMIPHYSICS_OT_load_preset(
    part_choices.PresetKind, joint_choices.PresetFile, OnScene, bpy.types.Operator
):
    """Takes the values of a preset."""

    bl_idname = "scene.omi_physics_load_preset"
    bl_label = "Load Preset"
    bl_description = "Load a preset for all selected objects with this kind of physics"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Objects without the part stay as they are."""
        chosen: Any = self
        kind, path = KINDS[chosen.kind], Path(chosen.filepath)
        if not is_preset(path, kind.folder):
            return refuse(self, "The preset is missing from the folder of presets")
        objects: list[Any] = [None]
        if kind.flag:
            objects = [o for o in targets(context) if getattr(groups.of_object(o), kind.flag)]
        elif chosen.kind == "MATERIAL":
            entry = active_entry(context, "physics_materials")
            objects = [None] if entry is not None and entry.id_data.is_editable else []
        if not objects:
            return refuse(self, "No selected object has this kind of physics")
        try:
            for obj in objects:
                _load(context, obj, path)
        except _FAULTS as error:
            return refuse(self, "The preset cannot be read: {why}", why=error)
        lists_changed(context)
        return done(self, "Took {what}", what=bpy.path.display_name(path.name, title_case=False))


def _load(context: bpy.types.Context, obj: Any, path: Path) -> None:
    if obj is None:
        bpy.utils.execfile(str(path))
        return
    with context.temp_override(object=obj, active_object=obj):
        bpy.utils.execfile(str(path))
    changed(obj)
