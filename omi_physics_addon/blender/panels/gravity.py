"""Panels of gravity: volumes in Properties > Physics, the world in Properties > Scene."""

from __future__ import annotations

from typing import Any, Final

import bpy

from ..base import groups
from ..operators.chosen_objects import split
from .shapes import draw_kept, draw_place, draw_shape
from .tabs import Closed, Detail, Part, Rows, SceneTab, draw_choice, draw_optional, group_of, hint

# Type → its property group, and the properties shown of it.
_FIELDS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "DIRECTIONAL": ("directional", ("direction",)),
    "POINT": ("point", ("unit_distance",)),
    "DISC": ("disc", ("radius", "unit_distance")),
    "TORUS": ("torus", ("radius", "unit_distance")),
    "LINE": ("line", ("unit_distance",)),
    "SHAPED": ("shaped", ("unit_distance",)),
}
# Type → the shape that a trigger for it starts with; a box for the others.
_TRIGGERS: Final = {"POINT": "SPHERE", "DISC": "CYLINDER", "TORUS": "CYLINDER"}


class OMIPHYSICS_PT_gravity(Part, bpy.types.Panel):
    """Where things fall inside the trigger of the object."""

    bl_label = "Gravity"
    bl_order = 20
    part = "gravity"

    def draw_fields(self, context: bpy.types.Context, layout: Any, gravity: Any) -> None:
        """Only the fields of the type."""
        _draw_needs(layout, group_of(context))
        layout.prop(gravity, "type")
        if gravity.type == "OTHER":
            layout.prop(gravity, "other_type")
        layout.prop(gravity, "gravity", text="Strength")
        if gravity.type in _FIELDS:
            name, properties = _FIELDS[gravity.type]
            field = getattr(gravity, name)
            column = layout.column()
            for each in properties:
                if each == "unit_distance":
                    draw_optional(column, field, "Unit Distance", each)
                else:
                    column.prop(field, each)
            draw_kept(layout, field, "kept")
        draw_kept(layout, gravity, "kept")


def _draw_needs(layout: Any, group: Any) -> None:
    """What a volume must have, and must not be."""
    if not group.use_trigger:
        column = hint(layout, "Needs a trigger as its bounds")
        properties = column.operator("object.omi_physics_add_trigger")
        properties.shape_type = _TRIGGERS.get(group.gravity.type, "BOX")
    if group.use_motion or group.use_collider:
        text = "Cannot be a body or a collider:"
        hint(layout, text, "move it to a child object", icon="ERROR")


class _OfType(Detail):
    """A panel that only one type of gravity has."""

    bl_parent_id = "OMIPHYSICS_PT_gravity"
    part = "gravity"
    type: str

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the gravity has the type."""
        return bool(super().poll(context) and group_of(context).gravity.type == cls.type)


class OMIPHYSICS_UL_line_points(Rows, bpy.types.UIList):
    """The points of a line."""

    def draw_row(self, context: bpy.types.Context, layout: Any, item: Any) -> None:
        """The place, as short as a narrow editor needs it."""
        layout.label(text="{:.4g}, {:.4g}, {:.4g}".format(*item.location), translate=False)


class OMIPHYSICS_PT_gravity_line(_OfType, bpy.types.Panel):
    """The points that the line goes through."""

    bl_label = "Line"
    type = "LINE"

    def draw_fields(self, context: bpy.types.Context, layout: Any, gravity: Any) -> None:
        """A curve, or the list."""
        line = gravity.line
        layout.prop(line, "curve", text="From Curve")
        if line.curve is not None:
            layout.operator("object.omi_physics_line_from_curve", icon="CURVE_DATA")
            return
        if len(line.points) < 2:
            hint(layout, "A line needs two points or more", icon="ERROR")
        row = layout.row()
        row.template_list(
            "OMIPHYSICS_UL_line_points", "", line, "points", line, "points_index", rows=4
        )
        column = row.column(align=True)
        column.operator("object.omi_physics_line_add", text="", icon="ADD")
        column.operator("object.omi_physics_line_remove", text="", icon="REMOVE")
        column.operator("object.omi_physics_line_duplicate", text="", icon="DUPLICATE")
        column.separator()
        move = "object.omi_physics_line_move"
        column.operator(move, text="", icon="TRIA_UP").direction = "UP"
        column.operator(move, text="", icon="TRIA_DOWN").direction = "DOWN"
        if 0 <= line.points_index < len(line.points):
            layout.column().prop(line.points[line.points_index], "location")


class OMIPHYSICS_PT_gravity_shape(_OfType, bpy.types.Panel):
    """The shape whose surface attracts."""

    bl_label = "Shape"
    type = "SHAPED"

    def draw_header(self, context: bpy.types.Context) -> None:
        """Whether there is a shape."""
        layout: Any = self.layout
        layout.prop(group_of(context).gravity.shaped, "use_shape", text="")

    def draw_fields(self, context: bpy.types.Context, layout: Any, gravity: Any) -> None:
        """As colliders have it."""
        shaped = gravity.shaped
        layout.active = shaped.use_shape
        draw_shape(layout, shaped.shape, "GRAVITY")
        draw_place(layout, shaped.shape, "GRAVITY")


class OMIPHYSICS_PT_gravity_order(Closed, Detail, bpy.types.Panel):
    """How a volume meets others."""

    bl_parent_id = "OMIPHYSICS_PT_gravity"
    bl_label = "Overlap"
    part = "gravity"

    def draw_fields(self, context: bpy.types.Context, layout: Any, gravity: Any) -> None:
        """Priority, and what it does to others."""
        layout.prop(gravity, "priority")
        column = layout.column()
        column.use_property_split = False  # A label beside them leaves too little of their names.
        column.prop(gravity, "replace", text="Override Higher Priority")
        column.prop(gravity, "stop", text="Ignore Lower Priority")


class OMIPHYSICS_PT_world_gravity(SceneTab, bpy.types.Panel):
    """Gravity wherever no volume says otherwise."""

    bl_label = "World Gravity"
    bl_parent_id = "OMIPHYSICS_PT_scene"

    def draw_header(self, context: bpy.types.Context) -> None:
        """Whether it is written."""
        layout: Any = self.layout
        layout.prop(groups.of_scene(context.scene), "use_world_gravity", text="")

    def draw(self, context: bpy.types.Context) -> None:
        """Where it comes from, and what comes of it."""
        from ..authoring.gravity_forms import in_words, world_gravity

        scene: Any = context.scene
        world = groups.of_scene(scene).world_gravity
        layout = split(self.layout)
        layout.active = groups.of_scene(scene).use_world_gravity
        draw_choice(layout, world, "source")
        if world.source == "VALUE":
            layout.prop(world, "gravity", text="Strength")
            layout.prop(world, "direction")
            layout.operator("scene.omi_physics_give_scene_gravity", icon="SCENE_DATA")
        layout.operator("scene.omi_physics_take_scene_gravity", icon="IMPORT")
        hint(layout, *(line for line in in_words(*world_gravity(scene)) if line))
        draw_kept(layout, world, "kept")
