"""What the panels share that stand in one tab."""

from __future__ import annotations

from typing import Any, Final, cast

import bpy

from ..base import groups
from ..operators.chosen_objects import split
from ..preview.stage import stage
from .marked import draw_count, marked
from .texts import draw_lines, letters, pgettext_iface, width_of, wrapped

_UNIT: Final = 2.0  # Width of a unit, in Blender's units of buttons.
_LABEL: Final = 0.33  # Of the letters of a line, how many a label beside a field may have.
_TICKED: Final = 0.6  # Of a line, what a tick and its words take up before a field.


class Closed:
    """A panel that is closed at first."""

    bl_options = {"DEFAULT_CLOSED"}  # noqa: RUF012 - Blender reads it from the class.


class SidebarTab:
    """A section of our tab in the sidebar of 3D Viewports."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "OMI Physics"


class Section(SidebarTab):
    """A section about the scene of the artist, whose physics a running preview does not have."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Not in the scene of a preview."""
        return not is_preview(context)


class SceneTab:
    """A panel in the Scene tab."""

    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "scene"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Not in the scene of a preview."""
        return not is_preview(context)


class PhysicsTab:
    """A panel in the Physics tab of an object."""

    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "physics"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is an object of the artist."""
        return context.object is not None and not is_preview(context)


class Detail(PhysicsTab):
    """A panel below that of a part of physics.

    Attributes:
        part: the property group of the object; the flag that it is there is `use_<part>`.
    """

    part: str

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the object has the part."""
        return super().poll(context) and getattr(group_of(context), f"use_{cls.part}")

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the fields of the part, and mark those with issues."""
        layout = marked(split(cast("Any", self).layout), context, self.part)
        self.draw_fields(context, layout, getattr(group_of(context), self.part))

    def draw_fields(self, context: bpy.types.Context, layout: Any, group: Any, /) -> None:
        """Draw fields.

        Args:
            group: the values of the part.
        """
        raise NotImplementedError


class Part(Detail):
    """The panel of one part of physics.

    Attributes:
        presets: the menu of its presets; empty for none.
    """

    bl_parent_id = "OMIPHYSICS_PT_object"
    presets: str = ""

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """How many issues the part has, where nothing moves when there are other ones."""
        layout: Any = cast("Any", self).layout
        draw_count(layout, context, self.part)
        if self.presets:
            layout.menu(self.presets, text="", icon="PRESET")


class WithPresets:
    """A panel with presets, which their menu in its header lists."""

    presets: str

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """The menu."""
        cast("Any", self).layout.menu(self.presets, text="", icon="PRESET")


class Rows:
    """A list, which needs of what Blender hands it no more than the item of a row."""

    def draw_item(
        self,
        context: bpy.types.Context,
        layout: Any,
        data: Any,
        item: Any,
        icon: Any,
        active_data: Any,
        active_property: Any,
        index: Any = 0,
        flt_flag: Any = 0,
    ) -> None:
        """Draw a row."""
        self.draw_row(context, layout, item)

    def draw_row(self, context: bpy.types.Context, layout: Any, item: Any) -> None:
        """Draw an item."""
        raise NotImplementedError


def is_preview(context: bpy.types.Context) -> bool:
    """Whether the scene is that of a running preview, and not one of the artist."""
    scene: Any = context.scene
    return scene is not None and bool(scene.get(stage.TAG))


def group_of(context: bpy.types.Context) -> Any:
    """What the object that is shown knows of physics."""
    return groups.of_object(context.object)


def hint(layout: Any, *lines: str, icon: str = "INFO") -> Any:
    """Say what is missing, in lines that a narrow editor breaks; returns their column."""
    column = layout.column(align=True)
    shown = (wrapped(bpy.context, pgettext_iface(line), icon) for line in lines)
    draw_lines(column, [each for line in shown for each in line], icon)
    return column


def draw_number(layout: Any, group: Any, name: str, unit: str, **options: Any) -> None:
    """Draw a number with a unit that Blender does not know; angles have their own before it."""
    row = layout.row(align=True)
    row.prop(group, name, **options)
    narrow = row.row()
    narrow.ui_units_x = _UNIT
    narrow.label(text=unit, translate=False)


def draw_optional(
    layout: Any, group: Any, heading: str, name: str, flag: str = "", unit: str = ""
) -> None:
    """Draw a value that need not be given, behind the tick that says whether it is.

    Args:
        unit: one that Blender does not know.
        flag: the property of the tick; where it is left out, the value itself says by being
            negative that it is not given, and is not shown then.
    """
    if width_of(pgettext_iface(heading)) <= _LABEL * letters(bpy.context):
        row = layout.row(heading=heading)
        row.prop(group, flag or f"use_{name}", text="")
    else:  # In a narrow editor the words need the room of the tick's own column, too.
        row = layout.split(factor=_TICKED)
        row.use_property_split = False
        row.prop(group, flag or f"use_{name}", text=heading)
    value = row.row()
    value.active = getattr(group, flag or f"use_{name}")
    if (flag or value.active) and unit:
        draw_number(value, group, name, unit, text="")
    elif flag or value.active:
        value.prop(group, name, text="")
    else:
        value.label()


def draw_choice(layout: Any, data: Any, name: str) -> None:
    """Draw the choices of an enumeration side by side, in the whole width."""
    row = layout.row()
    row.use_property_split = False
    row.prop(data, name, expand=True)
