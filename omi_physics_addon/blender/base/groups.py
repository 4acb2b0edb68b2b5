"""The property groups that hang on Blender's objects and scenes, past what the stubs know."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final, cast

import bpy
from mathutils import Vector

from ...engines import families_for
from .compat import TELLS_IMPORTS

if TYPE_CHECKING:
    from ...model.targets import Family

_NAME: Final = "omi_physics"
_IS_APART: Final = bpy.app.version >= (5, 0, 0)  # What is registered, from custom properties.
_has_any = False  # Whether the file is known to have physics.
_looked_at = -1  # How many objects there were when none had.


def of_object(obj: Any) -> Any:
    """The `OMIPHYSICS_PG_object` of an object; Blender makes one where there is none."""
    return obj.omi_physics


def is_stored(obj: Any) -> bool:
    """Whether an object has a group, without making one."""
    stored = obj.bl_system_properties_get() if _IS_APART else obj
    if stored is None or _NAME not in stored:
        return False
    note_physics()
    return True


def file_has_physics() -> bool:
    """Whether anything in the file has, or had since it was opened, physics.

    Where nothing has, handlers need not look at what an update is about: Blender goes through all
    objects for that.
    """
    global _looked_at
    if _has_any or (TELLS_IMPORTS and _looked_at >= 0):
        return _has_any
    # In 4.2 nothing else tells what was appended. Blender counts objects one by one.
    count = len(bpy.data.objects)
    if count != _looked_at:
        _looked_at = -1 if any(map(is_stored, bpy.data.objects)) else count
    return _has_any


def note_physics() -> None:
    """Note that the file has physics."""
    global _has_any
    _has_any = True


def forget_file() -> None:
    """Look again whether the file has physics, as objects came or another file was opened."""
    global _has_any, _looked_at
    _has_any, _looked_at = False, -1


def read(obj: Any) -> Any:
    """The `OMIPHYSICS_PG_object` of an object, to be read only; all defaults where there is none.

    A group that is made by looking at it is saved, and copied in each undo step. What goes
    through many objects, of which few have physics, therefore reads by this.
    """
    return obj.omi_physics if is_stored(obj) else _defaults()


class Defaults:
    """The values of a property group that nobody has set; they cannot be."""

    def __init__(self, struct: Any) -> None:
        for prop in struct.properties:
            if prop.identifier not in {"rna_type", "name"}:
                self.__dict__[prop.identifier] = _default(prop)

    def __getattr__(self, name: str) -> Any:
        """What the group has no property for."""
        raise AttributeError(f"the property group has no {name!r}")

    def __setattr__(self, name: str, value: Any) -> None:
        """Refuse: use `of_object` to set something."""
        raise AttributeError(f"{name!r} of an object without physics is only read")

    def is_property_set(self, _name: str) -> bool:
        """Nothing is."""
        return False


@cache
def _defaults() -> Defaults:
    pointer: Any = bpy.types.Object.bl_rna.properties[_NAME]
    return Defaults(pointer.fixed_type)


def _default(prop: Any) -> Any:
    if prop.type == "COLLECTION":
        return ()
    if prop.type == "POINTER":
        above = prop.fixed_type.base
        is_group = above is not None and above.identifier == "PropertyGroup"
        return Defaults(prop.fixed_type) if is_group else None
    if prop.type == "ENUM" and prop.is_enum_flag:
        return set(prop.default_flag)
    return tuple(prop.default_array) if getattr(prop, "is_array", False) else prop.default


def of_scene(scene: Any) -> Any:
    """The `OMIPHYSICS_PG_scene` of a scene."""
    return scene.omi_physics


def scene_gravity(scene: Any) -> Vector:
    """The gravity of Blender's scene, m/s²; zero where it is switched off."""
    return Vector(scene.gravity) if scene.use_gravity else Vector()


def of_collection(collection: Any) -> Any:
    """The `OMIPHYSICS_PG_collection` of a collection."""
    return collection.omi_physics


def families_written(export: Any, target: str = "") -> tuple[Family, ...]:
    """The families that an export writes: those chosen, or the one that its engine reads.

    Args:
        export: the settings of an export.
        target: what is written for, in place of what the settings say.
    """
    chosen: tuple[Family, ...] = ("OMI", "KHR") if export.family == "BOTH" else (export.family,)
    return families_for(target or export.target, chosen)


def family_name(families: tuple[Family, ...]) -> str:
    """OMI, KHR or BOTH."""
    return families[0] if len(families) == 1 else "BOTH"


def current_scene() -> bpy.types.Scene | None:
    """The scene that Blender shows, for hooks, which get no context; the stubs misname it."""
    return cast(Any, bpy.context).scene


def current_view_layer() -> bpy.types.ViewLayer | None:
    """The view layer that Blender shows, for callbacks of properties, which get no context."""
    return cast(Any, bpy.context).view_layer


def can_change(obj: Any) -> bool:
    """Whether what is set on an object stays; Blender forgets it on a library override."""
    return bool(obj.is_editable) and obj.override_library is None


def is_bone_proxy(obj: Any) -> bool:
    """Whether an object holds the physics of the bone that it is parented to."""
    parent = obj.parent
    return (
        obj.parent_type == "BONE"
        and parent is not None
        and parent.type == "ARMATURE"
        and read(obj).is_bone_stand_in
    )


def copy_group(source: Any, target: Any) -> None:
    """Make a property group the same as another of its class, with all that is in it."""
    for prop in source.bl_rna.properties:
        name = prop.identifier
        if name == "rna_type":
            continue
        if prop.type == "COLLECTION":
            _copy_collection(getattr(source, name), getattr(target, name))
        elif prop.type == "POINTER" and issubclass(
            type(getattr(source, name)), bpy.types.PropertyGroup
        ):
            copy_group(getattr(source, name), getattr(target, name))
        elif prop.is_readonly:
            continue
        elif source.is_property_set(name):
            setattr(target, name, getattr(source, name))
        else:
            target.property_unset(name)


def _copy_collection(source: Any, target: Any) -> None:
    target.clear()
    for item in source:
        copy_group(item, target.add())
