"""The preferences of the add-on, in Blender's preferences."""

from __future__ import annotations

from typing import Any, Final

import bpy
import rna_keymap_ui

from ..engines import PLAYER
from .base import keymap
from .base.preferences import ADDON, BEGINNINGS, COLOR
from .overlay.marks import Role
from .overlay.overlay import COLORS
from .properties import scenes

_LABELS: Final = {
    Role.STATIC: "Static",
    Role.KINEMATIC: "Kinematic",
    Role.DYNAMIC: "Dynamic",
    Role.TRIGGER: "Triggers",
    Role.GROUP: "Groups",
    Role.GRAVITY: "Gravity",
    Role.SEAT: "Seats",
    Role.VEHICLE: "Vehicles",
    Role.MASS: "Mass",
    Role.VELOCITY: "Velocities",
    Role.JOINT: "Joints",
    Role.LIMIT: "Limits",
    Role.DRIVE: "Drives",
}
_PARTS: Final = {
    "export": scenes.OMIPHYSICS_PG_export,
    "overlay": scenes.OMIPHYSICS_PG_overlay,
}


class OMIPHYSICS_AP_preferences(bpy.types.AddonPreferences):
    """What all files share."""

    bl_idname = ADDON

    def draw(self, context: bpy.types.Context) -> None:
        """Beginnings, colours and the folder side by side, keys below."""
        layout: Any = self.layout
        layout.use_property_split = True
        row = layout.row()
        left, right = row.column(), row.column()
        left.label(text="New Files Begin With")
        for name in BEGINNINGS:
            left.prop(self, name)
        left.separator()
        left.prop(self, "pages_folder")
        left.prop(self, "engine_program")
        left.prop(self, "manual_site")
        left.separator()
        row = left.row(align=True)
        row.operator("scene.omi_physics_add_sample_library", icon="ASSET_MANAGER")
        row.operator("scene.omi_physics_remove_sample_library", text="", icon="REMOVE")
        right.label(text="Overlay")
        for role in Role:
            right.prop(self, COLOR.format(role.value.lower()))
        layout.label(text="Keymap")
        _draw_keys(context, layout.column())


def _draw_keys(context: Any, layout: Any) -> None:
    layout.use_property_split = False
    configuration = context.window_manager.keyconfigs.user
    keys = None if configuration is None else configuration.keymaps.get(keymap.PLACE)
    items: Any = () if keys is None else keys.keymap_items
    for item in items:
        if item.idname in keymap.OPERATORS:
            rna_keymap_ui.draw_kmi([], configuration, keys, item, layout, 0)


def _color(role: Role) -> Any:
    return bpy.props.FloatVectorProperty(
        name=_LABELS[role],
        description="Color of lines in the 3D Viewport, before a dark background",
        default=COLORS[role],
        min=0.0,
        max=1.0,
        subtype="COLOR_GAMMA",
    )


OMIPHYSICS_AP_preferences.__annotations__ = {
    **{name: _PARTS[part].__annotations__[name] for name, part in BEGINNINGS.items()},
    "pages_folder": bpy.props.StringProperty(
        name="Folder of Pages",
        description="Where Inspect glTF Physics writes its pages; when empty, among the "
        "temporary files of Blender, which go when it ends",
        subtype="DIR_PATH",
    ),
    "engine_program": bpy.props.StringProperty(
        name=PLAYER.name,
        description=PLAYER.program_text,
        subtype="FILE_PATH",
    ),
    "manual_site": bpy.props.StringProperty(
        name="Manual Site",
        description="Address of the manual on a server, which F1 opens; when empty, F1 opens "
        "the pages of the extension",
    ),
    **{COLOR.format(role.value.lower()): _color(role) for role in Role},
}
