"""3D Viewport > sidebar > OMI Physics > Physics: what most need, on one screen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import bpy

from ....issue_codes import Severity
from ...base import groups, reports, roles, scene_outline
from ...base.mesh_arrays import MESHLIKE
from ...operators.bodies import OMIPHYSICS_OT_make_rest_solid as MakeRestSolid
from ...operators.bodies import selection_key
from ...preview import player
from ...properties.shapes import TYPES
from ..part_buttons import draw_states, state_rows
from ..tabs import SidebarTab, is_preview
from ..texts import pgettext_iface

_SHAPES: Final = {item[0]: item[1] for item in TYPES}
_BODIES: Final = ("VEHICLE", "STATIC", "KINEMATIC", "DYNAMIC")
_ADD_BODY: Final = "OBJECT_OT_omi_physics_add_motion"
_SHAPED: Final = (*_BODIES, "COLLIDER", "TRIGGER")


@dataclass(frozen=True)
class Chosen:
    """What is selected.

    Attributes:
        shown: the object whose physics buttons show; None for none.
        count: how many objects there are.
        roles: how many of them have a role; "LOOSE" counts colliders that belong to no body, "BARE"
            objects without physics.
        first: how many have which role as the most telling one.
    """

    shown: Any
    count: int
    roles: Counter[str]
    first: Counter[str]

    def are(self, role: str) -> bool:
        """Whether all have a role; colliders that belong to no body are static."""
        found = self.roles[role] + (self.roles["LOOSE"] if role == "STATIC" else 0)
        return 0 < self.count == found

    def are_only(self, role: str) -> bool:
        """Whether all have a role and no other one."""
        return set(self.roles) == {role}


class OMIPHYSICS_PT_sidebar_physics(SidebarTab, bpy.types.Panel):
    """Plays, says what is selected and what to do next, checks and exports."""

    bl_label = "Physics"
    bl_order = 0
    began: ClassVar[tuple[object, ...]] = ()  # What was selected while there was no physics.

    def draw(self, context: bpy.types.Context) -> None:
        """As many rows of the same height whatever is selected: no button moves."""
        layout: Any = self.layout
        if is_preview(context):
            draw_play(layout)
            return
        chosen = chosen_of(context)
        outline = scene_outline.get(context.scene, context.view_layer)
        draw_play(layout, is_enabled=bool(outline.roles))
        column = layout.column(align=True)
        icon = "NONE" if chosen.shown is None else "OBJECT_DATA"
        column.label(text=words(chosen), icon=icon, translate=False)
        last = _last_operator(context)
        section = OMIPHYSICS_PT_sidebar_physics
        if not outline.roles:
            section.began = selection_key(context)
        if not outline.roles or (last == _ADD_BODY and section.began == selection_key(context)):
            _draw_start(column, rows=state_rows())
        else:
            draw_states(column, context, chosen.are, is_enabled=not chosen.are_only("JOINT"))
        _draw_steps(layout.column(align=True), context, chosen, outline, last)
        _draw_ends(layout, context)


def shown_object(context: bpy.types.Context) -> Any:
    """The object whose physics buttons show: operators change what is selected."""
    active: Any = context.object
    selected: Sequence[Any] = context.selected_objects
    if active is None or not (selected or active.mode != "OBJECT"):
        return None
    return active if active in selected or not selected else selected[0]


def chosen_of(context: bpy.types.Context) -> Chosen:
    """What is selected, by the kept outline: thousands of objects may be."""
    outline = scene_outline.get(context.scene, context.view_layer)
    shown = shown_object(context)
    objects = context.selected_objects or [shown]
    uids = [] if shown is None else [obj.session_uid for obj in objects]
    known = outline.facts
    kinds = Counter((known[uid].roles, uid in outline.loose) for uid in uids if uid in known)
    found, first = Counter[str](), Counter[str]()
    for (has, is_loose), count in kinds.items():
        for role in (*has, *(["LOOSE"] if is_loose else [])) or ("BARE",):
            found[role] += count
        first[has[0] if has else "BARE"] += count
    return Chosen(shown, len(uids), found, first)


def words(chosen: Chosen) -> str:
    """What is selected, in one line."""
    if chosen.shown is None:
        return pgettext_iface("Nothing is selected")
    if chosen.count == 1:
        return f"{chosen.shown.name}: {_words_of_one(chosen)}"
    if chosen.first["BARE"] == chosen.count:
        parts = pgettext_iface("no physics")
        return pgettext_iface("{count} objects: {parts}").format(count=chosen.count, parts=parts)
    told: list[str] = []
    if bodies := sum(chosen.first[role] for role in _BODIES):
        text = pgettext_iface("{count} body" if bodies == 1 else "{count} bodies")
        told.append(text.format(count=bodies))
    for role, count in chosen.first.items():
        if role not in (*_BODIES, "BARE"):
            known = roles.ROLES[role]
            told.append(f"{count} {_within(known.label if count == 1 else known.plural)}")
    if bare := chosen.first["BARE"]:
        told.append(f"{bare} {pgettext_iface('without physics')}")
    parts = ", ".join(told)
    return pgettext_iface("{count} objects: {parts}").format(count=chosen.count, parts=parts)


def _within(title: str) -> str:
    """A title as it is within a sentence; other languages write nouns their own way."""
    text = pgettext_iface(title)
    return title.lower() if text == title else text


def _words_of_one(chosen: Chosen) -> str:
    group = groups.of_object(chosen.shown)
    told: list[str] = []
    for role in chosen.roles:
        if role == "COLLIDER":
            text = "static {shape} collider" if chosen.roles["LOOSE"] else "{shape} collider"
            shape = _within(_SHAPES[group.collider.shape.type])
            told.append(pgettext_iface(text).format(shape=shape))
        elif role == "DYNAMIC" and group.use_vehicle_body:
            continue  # The line is short, and vehicles move.
        elif role in roles.ROLES and role != "COLLISION_ONLY":
            told.append(_within(roles.ROLES[role].label))
    if not told and chosen.shown.type == "ARMATURE" and (count := _bodies_on_bones(chosen.shown)):
        text = "{count} body on bones" if count == 1 else "{count} bodies on bones"
        told.append(pgettext_iface(text).format(count=count))
    return ", ".join(told) or pgettext_iface("no physics")


def _bodies_on_bones(armature: Any) -> int:
    """How many bodies hold the physics of bones, as those of a ragdoll."""
    found = filter(groups.is_bone_proxy, armature.children)
    return sum(groups.read(child).use_motion for child in found)


def _last_operator(context: Any) -> str:
    """What ran last: its button stays where it was pressed."""
    ran = context.window_manager.operators
    return ran[-1].bl_idname if len(ran) else ""


def _draw_start(layout: Any, rows: int) -> None:
    """The first step of a scene without physics, as high as the states that come in its place."""
    name = "object.omi_physics_add_motion"
    button = layout.operator(name, text="Make the Selection Fall", icon="RIGID_BODY")
    button.type, button.skip_unseen = "DYNAMIC", True
    for _ in range(1, rows):
        layout.label()


def _draw_steps(layout: Any, context: Any, chosen: Chosen, outline: Any, last: str) -> None:
    """Two rows for what is likely next, which may be empty."""
    _draw_thing(layout.row(align=True), chosen, last)
    row = layout.row(align=True)
    is_solid = outline.loose or outline.roles["STATIC"] or outline.roles["KINEMATIC"]
    is_start = not outline.roles and chosen.count < 2
    # Several that have no physics yet are to be joined; bodies that fall ask for a ground.
    may_join = chosen.count > 1 and (is_solid or chosen.roles["BARE"])
    may_rest = outline.roles["DYNAMIC"] and outline.has_rest and not may_join
    is_connected = last == "OBJECT_OT_omi_physics_connect_selected"
    if not is_connected and (is_start or may_rest or MakeRestSolid.is_last(context)):
        row.operator(MakeRestSolid.bl_idname, icon="MESH_GRID")
    elif is_connected or (chosen.count > 1 and not chosen.are_only("JOINT")):
        row.operator_context = "INVOKE_DEFAULT"
        row.operator("object.omi_physics_connect_selected", icon="RIGID_BODY_CONSTRAINT")
        row.menu("OMIPHYSICS_MT_connect", text="", icon="DOWNARROW_HLT")
    else:
        row.label()


def _draw_thing(row: Any, chosen: Chosen, last: str) -> None:
    """A ragdoll, a vehicle or a shape, by what is selected."""
    kind, has = chosen.shown and chosen.shown.type, chosen.roles
    if kind == "ARMATURE" or last == "OBJECT_OT_omi_physics_make_ragdoll":
        row.operator("object.omi_physics_make_ragdoll", icon="ARMATURE_DATA")
    elif kind in (*MESHLIKE, "EMPTY") and (has["VEHICLE"] or has["BARE"]):
        row.operator("object.omi_physics_rig_vehicle", icon="AUTO")
        row.menu("OMIPHYSICS_MT_rig_vehicle", text="", icon="DOWNARROW_HLT")
    elif kind in MESHLIKE and any(has[role] for role in _SHAPED):
        name = "object.omi_physics_fit_simplest"
        button = row.operator(name, text="Fit Simplest", icon="SHADERFX")
        button.part = "COLLIDER" if has["COLLIDER"] or not has["TRIGGER"] else "TRIGGER"
        button.add_missing = True
    else:
        row.label()


def _draw_ends(layout: Any, context: Any) -> None:
    """Check, with what is wrong, and export."""
    row = layout.row(align=True)
    report = reports.of_scene("CHECK", context.scene)
    text = pgettext_iface("Check")
    if report is not None and not report.is_partial and report.is_followed:
        count = sum(report.issues.count(each) for each in (Severity.ERROR, Severity.WARNING))
        text += f" ({count})"
    row.operator("scene.omi_physics_check", text=text, translate=False).show = True
    if hasattr(bpy.types, "EXPORT_SCENE_OT_gltf"):  # Of an add-on that can be switched off.
        text = pgettext_iface("Export glTF…")  # Of an operator that has no words of ours.
        row.operator("export_scene.gltf", text=text, translate=False)


def draw_play(layout: Any, *, is_enabled: bool = True) -> None:
    """Play, or what can be done with what plays; gray where there is nothing to play yet."""
    row = layout.row(align=True)
    row.enabled = is_enabled
    if player.running() is None:
        row.operator("scene.omi_physics_preview_start", icon="PLAY")
        return
    playing = player.is_playing()
    row.operator(
        "scene.omi_physics_preview_pause",
        text="Pause" if playing else "Resume",
        icon="PAUSE" if playing else "PLAY",
    )
    row.operator("scene.omi_physics_preview_restart", text="", icon="FILE_REFRESH")
    row.operator("scene.omi_physics_preview_stop", text="", icon="SNAP_FACE")
