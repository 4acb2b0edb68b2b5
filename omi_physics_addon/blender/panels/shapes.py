"""What the panels of colliders and triggers share: the shape, and what an import left behind."""

from __future__ import annotations

import textwrap
from typing import Any, Final

from .tabs import hint
from .texts import draw_lines, pgettext_iface

_LINE: Final = 44  # Letters of a line in the Properties editor, which may be wider.
_FIT_WIDTH: Final = 2.5  # Of the button, in Blender's units of buttons.

# Type of shape → its property group, and the properties shown of it.
_SIZES: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "BOX": ("box", ("size",)),
    "SPHERE": ("sphere", ("radius",)),
    "CAPSULE": ("capsule", ("height", "radius_bottom", "radius_top")),
    "CYLINDER": ("cylinder", ("height", "radius_bottom", "radius_top")),
}


def draw_shape(layout: Any, shape: Any, part: str) -> None:
    """Draw a shape: its type and a button that fits it, its sizes or mesh.

    Args:
        part: COLLIDER, TRIGGER or GRAVITY, whose shape it is.
    """
    from ..authoring.fitting import MESHES, PRIMITIVES

    row = layout.row(align=True)
    is_fitted = shape.type in PRIMITIVES
    row.use_property_split = not is_fitted  # Beside a label, the button leaves "C…" of a name.
    row.prop(shape, "type", **({"text": ""} if is_fitted else {}))
    if is_fitted:
        narrow = row.row(align=True)
        narrow.ui_units_x = _FIT_WIDTH
        properties = narrow.operator("object.omi_physics_fit_shape", text="Fit")
        properties.type, properties.part = shape.type, part
        _draw_sizes(layout, shape)
    elif shape.type in MESHES:
        _draw_mesh(layout, shape)
    elif shape.type == "PLANE":
        _draw_plane(layout, shape.plane)
    elif shape.type == "OTHER":
        layout.prop(shape, "other_type")
    elif part == "GRAVITY":
        layout.label(text="Choose a shape", icon="INFO")
    else:
        hint(layout, "Groups the colliders", "of the objects below it")
    draw_kept(layout, shape, "kept", "geometry_kept")


def _draw_sizes(layout: Any, shape: Any) -> None:
    name, properties = _SIZES[shape.type]
    group = getattr(shape, name)
    column = layout.column(align=True)
    for each in properties:
        column.prop(group, each)
    draw_kept(layout, group, "kept")


def _draw_plane(layout: Any, plane: Any) -> None:
    for name in ("size_x", "size_z"):
        row = layout.row(heading="Size X" if name == "size_x" else "Size Y")
        row.prop(plane, f"use_{name}", text="")
        value = row.row()
        value.active = getattr(plane, f"use_{name}")
        value.prop(plane, name, text="")
    layout.prop(plane, "double_sided")
    draw_kept(layout, plane, "kept")


def _draw_mesh(layout: Any, shape: Any) -> None:
    layout.prop(shape, "mesh_source")
    if shape.mesh_source == "OBJECT":
        layout.prop(shape, "mesh_object")
        layout.prop(shape, "use_children")
    elif shape.mesh_source == "DATA":
        layout.prop(shape, "mesh")


def draw_place(layout: Any, shape: Any, part: str) -> None:
    """Draw where a shape sits on its object, in a panel of its own."""
    if shape.type == "NONE":
        return
    header, body = layout.panel(f"OMI_PHYSICS_place_{part}", default_closed=True)
    header.label(text="Placement")
    if body:
        body.prop(shape, "location")
        body.prop(shape, "rotation")


def draw_kept(layout: Any, group: Any, *names: str) -> None:
    """Say which members of the imported file are carried without a field that shows them."""
    texts = [getattr(group, name) for name in names]
    members = [key for text in texts for key in _keys(text)]
    if members:
        text = pgettext_iface("Unknown data kept from the file: {members}")
        lines = textwrap.wrap(text.format(members=", ".join(members)), _LINE)
        draw_lines(layout, lines).active = False


def _keys(text: str) -> list[str]:
    """The members a text carries; whatever it is, a panel can be drawn."""
    from ...codec.values import carried

    try:
        return list(carried.unpack(text))
    except ValueError:
        return [text]
