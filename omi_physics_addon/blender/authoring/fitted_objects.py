"""What fits made, and how: objects for the parts of a mesh, and what an artist changed of it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

import bpy

from ..base import compat, groups
from ..base.hierarchy import Children
from ..base.mesh_arrays import children_of_all
from ..scene.migrations import PARTS
from . import fitting

_DIGITS: Final = 4
_COPY: Final = re.compile(r"\.\d{3,}$")  # What Blender puts behind names of copies.


def shape_of(obj: Any, part: str) -> Any:
    """The property group of the shape of a collider, of a trigger, or of gravity."""
    group = groups.of_object(obj)
    holder = group.gravity.shaped if part == "GRAVITY" else getattr(group, part.lower())
    return holder.shape


def has_part(obj: Any, part: str) -> bool:
    """Whether an object is a collider or a trigger, or has gravity that a shape may have."""
    group = groups.of_object(obj)
    is_there = bool(getattr(group, f"use_{part.lower()}"))
    return is_there and (part != "GRAVITY" or group.gravity.type == "SHAPED")


def below(obj: Any, part: str, children: Children) -> list[Any]:
    """The objects that an earlier fit made for the loose parts of an object, in their order."""
    if part == "GRAVITY":  # It has one shape, whatever the mesh.
        return []
    found = [
        child
        for child in children.get(obj, ())
        if groups.read(child).is_fitted_part
        and getattr(groups.of_object(child), f"use_{part.lower()}")
    ]
    return sorted(found, key=lambda child: (_stored(child).get("number", 0), child.name))


def types_of(objects: Sequence[Any], part: str) -> dict[str, list[str]]:
    """The types of the shapes of fitted objects or their parts, in small letters, by names."""
    children = children_of_all()
    found: dict[str, list[str]] = {}
    for obj in objects:
        own = getattr(groups.of_object(obj), f"use_{part.lower()}")
        parts = [obj] if own else below(obj, part, children)
        found[obj.name_full] = [shape_of(each, part).type.lower() for each in parts]
    return found


def part_of(obj: Any) -> str:
    """Whether a part is one of a COLLIDER or of a TRIGGER."""
    return "COLLIDER" if groups.read(obj).use_collider else "TRIGGER"


def note(obj: Any, part: str, number: int | None = None, is_renamed: bool = False) -> None:
    """Remember what a part is, to know later whether an artist changed it.

    Args:
        part: COLLIDER or TRIGGER.
        number: of the piece that it was fitted to; that from before for none.
        is_renamed: whether it has its name from us, and not from an artist.
    """
    old = _stored(obj)
    bare = _bare(obj.name)
    state = {
        "number": old.get("number", 0) if number is None else number,
        "name": bare if is_renamed else old.get("name", bare),
        "form": _form(obj, part),
    }
    groups.of_object(obj).fitted_state = json.dumps(state)


def remove_unchanged(parts: Sequence[Any], part: str) -> int:
    """Remove parts, but for those of the artist; how many stay."""
    others = release_changed(parts, part)
    compat.remove_data(others)
    return len(parts) - len(others)


def release_changed(parts: Sequence[Any], part: str) -> list[Any]:
    """Keep parts that an artist changed or uses as objects of his own; returns the other parts.

    Blender looks through all of its data once for what refers to them.
    """
    if not parts:
        return []
    data: Any = bpy.data
    users = data.user_map(subset=set(parts), value_types={"OBJECT"})
    others: list[Any] = []
    for obj in parts:
        if users[obj] or _is_changed(obj, part):
            groups.of_object(obj).is_fitted_part = False
            groups.of_object(obj).fitted_state = ""
        else:
            others.append(obj)
    return others


def _is_changed(obj: Any, part: str) -> bool:
    group, old = groups.of_object(obj), _stored(obj)
    if any(getattr(group, flag) for flag in PARTS if flag != f"use_{part.lower()}"):
        return True
    if obj.constraints or obj.animation_data or _has_custom_property(obj):
        return True
    return bool(old) and (old["name"] != _bare(obj.name) or is_reshaped(obj, part))


def is_reshaped(obj: Any, part: str) -> bool:
    """Whether an artist changed the shape or the place of a part."""
    old = _stored(obj)
    return bool(old) and old["form"] != _form(obj, part)


def _has_custom_property(obj: Any) -> bool:
    names: list[str] = list(obj.keys())
    return any(name not in obj.bl_rna.properties for name in names)


def _stored(obj: Any) -> dict[str, Any]:
    text = groups.read(obj).fitted_state
    return cast(dict[str, Any], json.loads(text)) if text else {}


def _bare(name: str) -> str:
    return _COPY.sub("", name)


def remember(obj: Any, part: str, plan: Mapping[str, Any] | None, mesh: str, is_own: bool) -> None:
    """Remember how a shape of an object was fitted, and to what.

    Args:
        plan: what was asked for, as JSON has it; None for what cannot be found again.
        mesh: the fingerprint of what it was fitted to.
        is_own: whether the object itself has the shape, not what is below it.
    """
    known = recipes(obj)
    known.pop(part, None)
    if plan is not None:
        known[part] = {
            "plan": dict(plan),
            "mesh": mesh,
            "form": own_form(obj, part) if is_own else None,
        }
    text = json.dumps(known) if known else ""
    if groups.read(obj).fit_recipe != text:
        groups.of_object(obj).fit_recipe = text


def recipes(obj: Any) -> dict[str, Any]:
    """How the shapes of an object were fitted, by part."""
    text = groups.read(obj).fit_recipe
    return cast("dict[str, Any]", json.loads(text)) if text else {}


def own_form(obj: Any, part: str) -> list[Any]:
    """Place, type and size of a shape on its object, as JSON has them."""
    return _form_with(obj, part, ())


def _form(obj: Any, part: str) -> list[Any]:
    """Place of an object, and place, type and size of its shape, as JSON has them."""
    return _form_with(obj, part, obj.matrix_basis)


def _form_with(obj: Any, part: str, rows: Sequence[Sequence[float]]) -> list[Any]:
    shape = shape_of(obj, part)
    mesh = shape.mesh.name if shape.type in fitting.MESHES and shape.mesh else ""
    places = (shape.location, shape.rotation, *rows, _sizes(shape))
    numbers = (round(float(number), _DIGITS) + 0.0 for place in places for number in place)
    return [shape.type, mesh, *numbers]


def _sizes(shape: Any) -> Sequence[float]:
    if shape.type not in fitting.PRIMITIVES:
        return ()
    group = getattr(shape, shape.type.lower())
    if shape.type == "BOX":
        return group.size
    return [getattr(group, name) for name in fitting.SIZES[shape.type]]
