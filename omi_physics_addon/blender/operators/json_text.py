"""Copies, opens or pastes what an object will be in glTF."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy

from ..properties import choices
from .chosen_objects import (
    OnSelection,
    Undoable,
    can_edit_scene,
    done,
    lists_changed,
    refuse,
    report,
    targets,
    unavailable,
)

if TYPE_CHECKING:
    from ..scene.object_json import ObjectJson


class _OnActive:
    """An operator on the active object."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is an active object."""
        return context.object is not None or unavailable(cls, "There is no active object")


def _read(context: bpy.types.Context, family: Any) -> ObjectJson:
    from ..scene import object_json

    scene: Any = context.scene
    obj: Any = context.object
    return object_json.read(scene, obj, family)


class OMIPHYSICS_OT_copy_json(choices.JsonFamily, _OnActive, bpy.types.Operator):
    """Copies the JSON of the active object."""

    bl_idname = "object.omi_physics_copy_json"
    bl_label = "Copy JSON"
    bl_description = "Copy the glTF JSON of the active object to the clipboard"
    bl_options: Any = {"REGISTER"}  # noqa: RUF012 - Blender reads it from the class.

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Copy a whole glTF, with what the object refers to."""
        chosen: Any = self
        found = _read(context, chosen.family)
        if not found.gltf:
            return refuse(self, "The active object has no physics in {name}", name=chosen.family)
        manager: Any = context.window_manager
        manager.clipboard = found.text
        return done(self, "Copied {count} lines", count=found.text.count("\n") + 1)


class OMIPHYSICS_OT_paste_json(choices.PastedText, OnSelection, bpy.types.Operator):
    """Makes the selected objects what the JSON in the clipboard says."""

    bl_idname = "object.omi_physics_paste_json"
    bl_label = "Paste JSON"
    bl_description = (
        "Replace the physics of the selected objects with that of the first node of the glTF "
        "JSON in the clipboard"
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is an object to paste onto, and lists that can get what it refers to."""
        return super().poll(context) and can_edit_scene(cls, context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """All of it, or nothing where the text is wrong."""
        from ..authoring import json_paste

        manager: Any = context.window_manager
        chosen: Any = self
        try:
            pasted = json_paste.read(chosen.text or manager.clipboard)
            objects = targets(context)
            issues = json_paste.paste(pasted, context.scene, objects)
        except json_paste.PasteError as problem:
            return refuse(self, "Nothing pasted: {why}", why=problem)
        lists_changed(context)
        for issue in issues:
            chosen.report({"WARNING"}, f"{issue.pointer}: {issue.message}")
        one, many = "Pasted onto {count} object", "Pasted onto {count} objects"
        return report(self, one, many, len(objects))


class OMIPHYSICS_OT_open_json(choices.JsonFamily, _OnActive, Undoable, bpy.types.Operator):
    """Puts the JSON of the active object into a text."""

    bl_idname = "object.omi_physics_open_json"
    bl_label = "JSON as Text"
    bl_description = "Write the glTF JSON of the active object to a text for the Text Editor"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Use the text of before again, and show it where a Text Editor is open."""
        chosen: Any = self
        obj: Any = context.object
        found = _read(context, chosen.family)
        if not found.gltf:
            return refuse(self, "The active object has no physics in {name}", name=chosen.family)
        name = f"{obj.name} {chosen.family}.json"
        text = bpy.data.texts.get(name) or bpy.data.texts.new(name)
        text.clear()
        text.write(found.text + "\n")
        screen: Any = context.screen
        for area in screen.areas if screen is not None else ():
            space: Any = area.spaces.active
            if area.type == "TEXT_EDITOR":
                space.text = text
                space.top = 0
        return done(self, "Wrote the text {name}", name=text.name)


class OMIPHYSICS_OT_update_json(choices.JsonFamily, _OnActive, bpy.types.Operator):
    """Makes the JSON that is shown anew."""

    bl_idname = "object.omi_physics_update_json"
    bl_label = "Update"
    bl_description = "Update the glTF JSON of the active object"
    bl_options: Any = {"INTERNAL"}  # noqa: RUF012 - Blender reads it from the class.

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """For objects of scenes so large that it is not done at every change."""
        from ..authoring import json_view

        chosen: Any = self
        json_view.update(context.scene, context.object, chosen.family)
        return {"FINISHED"}
