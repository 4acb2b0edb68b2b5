"""Which objects an operator works on, how it shows what it asks, and how it tells what it did."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import bpy

from ..base import groups
from ..base.groups import can_change
from ..preview import player
from ..preview.stage import stage
from ..translations import pgettext_rpt

NOTHING_SELECTED: Final = "Select objects that can be edited"
LINKED_SCENE: Final = "The scene is linked from another file"
PREVIEW_SHOWN: Final = "Stop the preview first"


def targets(context: bpy.types.Context) -> list[Any]:
    """The objects an operator works on, as they are without a preview; see `chosen`."""
    player.hold()
    return chosen(context)


def chosen(context: bpy.types.Context) -> list[Any]:
    """The objects an operator would work on: the selection that can be edited.

    In the Properties editor an object that is shown there but not selected stands alone: a
    button must change what is beside it. In the 3D Viewport it does not count: nothing tells it
    from the others there.
    """
    selected = [obj for obj in context.selected_editable_objects if can_change(obj)]
    shown: Any = context.object
    if shown is None or shown in selected:
        return selected
    area: Any = context.area
    if selected and (area is None or area.type != "PROPERTIES"):
        return selected
    return [shown] if can_change(shown) and not _is_bare_in_view(context, shown) else []


def _is_bare_in_view(context: bpy.types.Context, obj: Any) -> bool:
    """Whether the active object is not selected, in an editor that shows only what is."""
    area: Any = context.area
    if area is None or area.type != "VIEW_3D" or obj.mode != "OBJECT":
        return False
    return not obj.select_get(view_layer=context.view_layer)


def has_targets(context: bpy.types.Context) -> bool:
    """Whether there is any target; asked at every redraw of every button."""
    shown: Any = context.object
    if shown is not None and can_change(shown) and not _is_bare_in_view(context, shown):
        return True
    return any(map(can_change, context.selected_editable_objects))


def active_entry(context: bpy.types.Context, list_name: str) -> Any:
    """The active entry of a list of the scene; None where there is none."""
    settings = groups.of_scene(context.scene)
    entries, index = getattr(settings, list_name), getattr(settings, f"{list_name}_index")
    return entries[index] if 0 <= index < len(entries) else None


def changed(obj: Any) -> None:
    """Let Blender know that physics of an object changed: Python alone does not tell it."""
    obj.update_tag(refresh={"OBJECT", "DATA"})


def lists_changed(context: bpy.types.Context) -> None:
    """Let Blender know that lists of the scene changed, or what else the scene holds."""
    groups.note_physics()
    scene: Any = context.scene
    scene.update_tag()


def leave_edit_mode_data(objects: Sequence[Any]) -> None:
    """Bring what is being edited into the meshes, so that they can be read."""
    for obj in objects:
        if obj.mode == "EDIT":
            obj.update_from_editmode()


def counted(one: str, many: str, count: int, **words: object) -> str:
    """A text about so many things; see `report`."""
    return pgettext_rpt(one if count == 1 else many).format(count=count, **words)


def report(operator: Any, one: str, many: str, count: int, **words: object) -> set[Any]:
    """Tell how many things were done.

    Args:
        one, many: the sentence, in English, with `{count}` and the other words in it.
    """
    return done(operator, one if count == 1 else many, count=count, **words)


def done(operator: Any, text: str, **words: object) -> set[Any]:
    """Tell what was done."""
    return finished(operator, pgettext_rpt(text).format(**words))


def finished(operator: Any, text: str, *, warns: object = False) -> set[Any]:
    """Tell what was done, in a sentence that is translated already.

    Args:
        warns: something is not as it should be.
    """
    operator.report({"WARNING" if warns else "INFO"}, text)
    return {"FINISHED"}


def failed(operator: Any, problem: Exception) -> set[Any]:
    """Tell what went wrong."""
    operator.report({"ERROR"}, str(problem))
    return {"CANCELLED"}


def refuse(operator: Any, text: str, **words: object) -> set[Any]:
    """Tell why nothing was done."""
    operator.report({"WARNING"}, pgettext_rpt(text).format(**words))
    return {"CANCELLED"}


class Undoable:
    """An operator that can be undone, and repeated with other options."""

    bl_options: Any = {"REGISTER", "UNDO"}  # noqa: RUF012 - Blender reads it from the class.


class InScene:
    """An operator that needs a scene."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is one."""
        return context.scene is not None


class OnSelection(Undoable):
    """An operator that needs something selected."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is an object to work on."""
        return has_targets(context) or unavailable(cls, NOTHING_SELECTED)


class OnScene(Undoable):
    """An operator that changes the lists of the scene."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the scene can be changed."""
        return can_edit_scene(cls, context)


def can_edit_scene(operator: Any, context: bpy.types.Context) -> bool:
    """Whether the lists of the scene can be changed; says why not."""
    scene: Any = context.scene
    if scene is not None and scene.get(stage.TAG):
        return unavailable(operator, PREVIEW_SHOWN)  # Its lists go with it.
    if scene is not None and can_change(scene):
        return True
    return unavailable(operator, LINKED_SCENE)


def unavailable(operator: Any, text: str) -> bool:
    """Say in the tooltip of a greyed-out button why it is; False, as its poll() then gives."""
    operator.poll_message_set(text)
    return False


def split(layout: Any) -> Any:
    """A layout with labels beside fields, and without dots for keyframes."""
    layout.use_property_split = True
    layout.use_property_decorate = False
    return layout


def made(
    idname: str, bases: tuple[type, ...], label: str, text: str, **members: Any
) -> type[bpy.types.Operator]:
    """An operator of a table, whose work is done by its bases.

    Args:
        label: what it says in place of its own name.
        text: the tooltip.
        members: what its bases ask for.
    """
    name = idname.partition(".omi_physics_")[2]
    own = {"bl_idname": idname, "bl_label": label or name.replace("_", " ").title()}
    own |= {"bl_description": text, "__doc__": f"{text}.", "__module__": bases[0].__module__}
    return type(f"OMIPHYSICS_OT_{name}", (*bases, bpy.types.Operator), {**own, **members})
