"""What is shown of an entry of a scene's list, in the scene's panel and in those of objects."""

from __future__ import annotations

from typing import Any, Final

from ..properties import entries, names
from .shapes import draw_kept
from .texts import pgettext_iface

# Mode of a filter → the lists of systems that count in it.
_COUNTING: Final[dict[str, tuple[str, ...]]] = {
    "ALL": (),
    "ONLY": ("collide_with_systems",),
    "NOT": ("not_collide_with_systems",),
    "BOTH": ("collide_with_systems", "not_collide_with_systems"),
}


def draw_material(layout: Any, material: Any) -> None:
    """Draw friction and bounce, and how they meet those of the other surface."""
    draw_written_name(layout, material)
    column = layout.column(align=True)
    column.prop(material, "static_friction")
    column.prop(material, "dynamic_friction", text="Dynamic")
    column.prop(material, "friction_combine", text="Combine")
    column = layout.column(align=True)
    column.prop(material, "restitution")
    column.prop(material, "restitution_combine", text="Combine")
    draw_kept(layout, material, "kept")


def draw_shared_material(layout: Any, group: Any, idname: str, title: str) -> None:
    """Draw the material that a part of an object uses, if any, in a panel that is closed at first.

    Args:
        idname: of the panel.
    """
    material = entries.named("physics_materials", group.physics_material)
    if material is None:
        return
    header, body = layout.panel(idname, default_closed=True)
    header.label(text=title)
    if body:
        body.label(text="Shared by all its users", icon="INFO")
        draw_material(body, material)


def draw_listed(layout: Any, slot: Any, icon: str) -> Any:
    """The name of a listed entry, which can be changed in place; returns the entry.

    An entry of another file is greyed, with that file in its name. None where it was removed.
    """
    tree = slot.tree
    entry = getattr(tree, "data", None)
    if entry is None:
        layout.label(text="" if tree is None else tree.name_full, icon="ERROR", translate=False)
        return None
    row = layout.row()
    row.enabled = tree.is_editable
    row.prop(entry, "name", text="", emboss=False, icon=icon)
    return entry


def draw_name(
    layout: Any, group: Any, name: str, lists: Any, list_name: str, label: str | None = None
) -> None:
    """A field for the name of an entry of the scene's list, and a button for a new one."""
    row = layout.row(align=True)
    value = getattr(group, name)
    row.alert = bool(value) and getattr(lists, list_name).get(value) is None
    texts = {} if label is None else {"text": label}
    draw_chosen(row, group, name, **texts)
    row.operator(f"scene.omi_physics_add_{name}", text="", icon="ADD").assign = True


def draw_chosen(row: Any, group: Any, name: str, **texts: str) -> None:
    """A field for the entry that a part of an object uses.

    On a library override Blender lets the data-block be chosen, but no name be typed.
    """
    if group.id_data.override_library is None:
        row.prop(group, name, **texts)
    else:
        row.template_ID(group, entries.POINTER.format(name), **texts)


def draw_filter(layout: Any, collision_filter: Any) -> None:
    """Draw which systems an object is part of, and which ones it meets."""
    draw_written_name(layout, collision_filter)
    _draw_systems(layout, collision_filter, "collision_systems", "Member Of")
    layout.prop(collision_filter, "mode")
    for name in _COUNTING[collision_filter.mode]:
        label = "Only" if name == "collide_with_systems" else "All But"
        _draw_systems(layout, collision_filter, name, label)
    draw_kept(layout, collision_filter, "kept")


def draw_written_name(layout: Any, entry: Any) -> None:
    """Say so where a file gets another name for an entry than Blender has."""
    name = names.written(entry)
    if name == entry.name:
        return
    row = layout.row()
    row.active = False
    text = pgettext_iface("Exported as {name}" if name else "Exported without a name")
    row.label(text=text.format(name=name), translate=False)


def _draw_systems(layout: Any, collision_filter: Any, name: str, heading: str) -> None:
    """One field per system with a button that removes it, and one that adds another."""
    systems = getattr(collision_filter, name)
    column = layout.column(align=True)
    for index, system in enumerate(systems):
        row = column.row(align=True)
        row.prop(system, "name", text=heading if index == 0 else " ")
        properties = row.operator("scene.omi_physics_remove_system", text="", icon="REMOVE")
        properties.systems, properties.index = name, index
    split = column.split(factor=0.4)
    split.alignment = "RIGHT"
    split.label(text="" if systems else heading)
    split.operator("scene.omi_physics_add_system", text="Add System", icon="ADD").systems = name
