"""One row for every operator: a scene that it works in, and what it changes there."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import bpy

from tests.blender.support.operator_scenes import (
    anywhere_linked,
    bare,
    bodies,
    bodies_of_two_boxes,
    bolt_in_guide,
    chosen,
    cubes,
    empty,
    filters,
    found_issues,
    hidden,
    in_edit_mode,
    joined,
    joint_list,
    line,
    line_curves,
    listed,
    load_options,
    nothing_active,
    outgrown_boxes,
    ragdoll,
    rigid_bodies,
    rope,
    round_colliders,
    scaled,
    scene_gravity,
    swappable,
    tagged_names,
    text_options,
    trigger_list,
    triggers,
    two_bodies_and_a_file,
    two_vehicles,
    uid_of_a,
    vehicle_and_parts,
    wheels_and_chassis,
)

Options = Mapping[str, Any]


@dataclass(frozen=True)
class Row:
    """What is expected of one operator.

    Attributes:
        build: makes the scene and selects in it; the object REST is never to change.
        options: of the call, or what gives them once the scene is there.
        changes: names of the objects whose data change, and "Scene" for the lists of the scene.
        adds: how many objects there are more afterwards.
        twice: "same" as once, "again" the same on top of it, "other" something else.
        not_where: makes a scene where it does not apply, and gives what to override in the context.
        kind: "data"; else what it changes instead: "view", "text", "nothing".
    """

    build: Callable[[], Any]
    changes: str = "A B"
    options: Options | Callable[[], Options] = field(default_factory=dict[str, Any])
    adds: int = 0
    twice: str = "same"
    not_where: Callable[[], Mapping[str, Any]] | None = nothing_active
    kind: str = "data"

    def call_options(self) -> dict[str, Any]:
        """The options, for the scene that is there."""
        return dict(self.options() if callable(self.options) else self.options)


PASTED = json.dumps(
    {
        "asset": {"version": "2.0"},
        "nodes": [{"extensions": {"OMI_physics_body": {"motion": {"type": "static"}}}}],
    }
)
PARTS = (
    "motion",
    "collider",
    "trigger",
    "joint",
    "vehicle_body",
    "wheel",
    "thruster",
    "hover_thruster",
    "seat",
    "gravity",
)


def _view(build: Callable[[], Any], options: Any = None, **more: Any) -> Row:
    more = {"not_where": in_edit_mode, **more}
    return Row(build, "", options or {}, kind="view", **more)


def _rows_of_list(what: str, list_name: str, part: str) -> dict[str, Row]:
    """The five operators on one of the lists of the scene."""
    return {
        f"scene.omi_physics_add_{what}": Row(
            listed(list_name, part, used=False),
            "Scene A B",
            {"assign": True},
            twice="again",
            not_where=anywhere_linked,
        ),
        f"scene.omi_physics_remove_{what}": Row(
            listed(list_name, part), "Scene A B", twice="other", not_where=empty
        ),
        f"scene.omi_physics_move_{what}": Row(listed(list_name, part), "Scene", not_where=empty),
        f"object.omi_physics_assign_{what}": Row(
            listed(list_name, part, used=False), not_where=empty
        ),
        f"object.omi_physics_select_{what}": _view(
            chosen("Rest", listed(list_name, part)), not_where=empty
        ),
    }


_KIND = {"kind": "SLIDER"}

ROWS: dict[str, Row] = {
    **{f"object.omi_physics_add_{part}": Row(cubes()) for part in PARTS},
    **{f"object.omi_physics_remove_{part}": Row(cubes(part)) for part in PARTS},
    "object.omi_physics_make_rest_solid": Row(bare, not_where=anywhere_linked),
    "object.omi_physics_make_wheels": Row(wheels_and_chassis, "A B Chassis"),
    "object.omi_physics_rig_vehicle": Row(chosen("A", cubes()), "A", {"kind": "SPACESHIP"}, adds=6),
    "object.omi_physics_make_ragdoll": Row(ragdoll, "Scene", adds=35, not_where=in_edit_mode),
    "object.omi_physics_fit_suspension": Row(two_vehicles("wheel", 50.0)),
    "object.omi_physics_parent_to_vehicle": Row(vehicle_and_parts),
    "object.omi_physics_find_pilot_seat": Row(two_vehicles("seat"), "V W"),
    "object.omi_physics_line_add": Row(line, "A", twice="again"),
    "object.omi_physics_line_duplicate": Row(line, "A", twice="again"),
    "object.omi_physics_line_remove": Row(line, "A", twice="again"),
    "object.omi_physics_line_move": Row(line, "A"),
    "object.omi_physics_line_from_curve": Row(line_curves),
    "scene.omi_physics_take_scene_gravity": Row(scene_gravity, "Scene", not_where=anywhere_linked),
    "scene.omi_physics_give_scene_gravity": Row(scene_gravity, "Scene", not_where=anywhere_linked),
    "object.omi_physics_new": Row(
        cubes(), "", {"kind": "BODY"}, adds=1, twice="again", not_where=in_edit_mode
    ),
    "object.omi_physics_fit_shape": Row(cubes("collider"), options={"type": "SPHERE"}),
    "object.omi_physics_fit_simplest": Row(round_colliders),
    "object.omi_physics_refit": Row(outgrown_boxes, not_where=empty),
    "object.omi_physics_take_computed": Row(bodies_of_two_boxes),
    "object.omi_physics_find_joints": Row(bolt_in_guide, "Scene A B", adds=1, twice="other"),
    "object.omi_physics_decompose": Row(cubes("collider")),
    "object.omi_physics_bake_scale": Row(scaled),
    "object.omi_physics_copy_to_selected": Row(bodies, not_where=nothing_active),
    **_rows_of_list("physics_material", "physics_materials", "collider"),
    **_rows_of_list("collision_filter", "collision_filters", "trigger"),
    **_rows_of_list("joint_settings", "joint_settings", "joint"),
    "scene.omi_physics_add_system": Row(filters, "Scene", twice="again", not_where=empty),
    "scene.omi_physics_remove_system": Row(filters, "Scene", twice="again", not_where=empty),
    "object.omi_physics_trigger_add_selected": Row(triggers, "Owner"),
    "object.omi_physics_trigger_remove": Row(trigger_list, "Owner", twice="again"),
    "object.omi_physics_trigger_clear": Row(trigger_list, "Owner"),
    "object.omi_physics_set_joint_kind": Row(cubes("joint"), "Scene A B", _KIND),
    "scene.omi_physics_set_joint_settings_kind": Row(
        joint_list, "Scene", _KIND, not_where=anywhere_linked
    ),
    "object.omi_physics_single_user_joint_settings": Row(joined(shared=True), "Scene A B"),
    "object.omi_physics_unlink_joint_settings": Row(joined()),
    "scene.omi_physics_duplicate_joint_settings": Row(
        joined(), "Scene A B", {"assign": True}, twice="again", not_where=empty
    ),
    "object.omi_physics_copy_joint_settings": Row(joined(only_active=True)),
    "object.omi_physics_select_same_joint_settings": _view(
        chosen("B", joined()), not_where=nothing_active
    ),
    "scene.omi_physics_add_joint_item": Row(joint_list, "Scene", twice="again", not_where=empty),
    "scene.omi_physics_remove_joint_item": Row(joint_list, "Scene", twice="again", not_where=empty),
    "scene.omi_physics_duplicate_joint_item": Row(
        joint_list, "Scene", twice="again", not_where=empty
    ),
    "scene.omi_physics_move_joint_item": Row(joint_list, "Scene", not_where=empty),
    "object.omi_physics_connect_selected": Row(
        cubes(active="Rest"), "Scene A B Rest", adds=2, twice="again"
    ),
    "object.omi_physics_connect_row": Row(
        cubes(active="Rest"), "Scene A B Rest", adds=2, twice="again"
    ),
    "object.omi_physics_rope_from_curve": Row(rope, "Scene", {"count": 3}, adds=7, twice="again"),
    "object.omi_physics_swap_joint_ends": Row(swappable, "Scene A B", adds=1, twice="other"),
    "scene.omi_physics_add_joint_preset": Row(
        joint_list, "", {"name": "Mine"}, not_where=anywhere_linked, kind="nothing"
    ),
    "scene.omi_physics_add_preset": Row(
        bodies_of_two_boxes,
        "",
        {"kind": "BODY", "name": "Own"},
        not_where=anywhere_linked,
        kind="nothing",
    ),
    "scene.omi_physics_load_preset": Row(
        bodies_of_two_boxes, options=two_bodies_and_a_file, not_where=anywhere_linked
    ),
    "scene.omi_physics_load_joint_preset": Row(
        joint_list, "Scene", load_options, not_where=anywhere_linked
    ),
    "object.omi_physics_outliner_select": _view(chosen("B", cubes()), uid_of_a, not_where=empty),
    "object.omi_physics_outliner_hide": _view(cubes(), uid_of_a, twice="other", not_where=empty),
    "object.omi_physics_outliner_fold": Row(cubes(), "", uid_of_a, not_where=empty, kind="nothing"),
    "object.omi_physics_outliner_fold_all": Row(
        cubes(), "", {"fold": False}, not_where=empty, kind="nothing"
    ),
    "object.omi_physics_select_role": _view(chosen("Rest", cubes("trigger")), {"role": "TRIGGER"}),
    "object.omi_physics_select_same": _view(
        chosen("B", cubes("collider")), {"what": "SHAPE"}, not_where=nothing_active
    ),
    "object.omi_physics_hide_role": Row(
        cubes("trigger"), options={"role": "TRIGGER"}, not_where=in_edit_mode
    ),
    "object.omi_physics_show_role": Row(
        hidden, options={"role": "TRIGGER"}, not_where=in_edit_mode
    ),
    "object.omi_physics_show_all": Row(hidden, not_where=in_edit_mode),
    "scene.omi_physics_set_pair": Row(
        filters,
        "Scene",
        {"one": "One", "other": "Two", "hits": False},
        not_where=anywhere_linked,
    ),
    "scene.omi_physics_new_system": Row(filters, "Scene", twice="again", not_where=anywhere_linked),
    "scene.omi_physics_rename_system": Row(
        filters, "Scene", {"system": "One", "new_name": "Three"}, not_where=anywhere_linked
    ),
    "scene.omi_physics_delete_system": Row(
        filters, "Scene A B", {"system": "One"}, not_where=anywhere_linked
    ),
    "scene.omi_physics_pick_system": Row(
        filters, "Scene", {"system": "One"}, not_where=anywhere_linked
    ),
    "scene.omi_physics_merge_filters": Row(filters, "Scene A B", not_where=anywhere_linked),
    "object.omi_physics_assign_system": Row(filters, "Scene A B", {"system": "Third"}),
    "object.omi_physics_select_system": _view(
        chosen("Rest", filters), {"system": "One"}, not_where=anywhere_linked
    ),
    "object.omi_physics_physics_by_names": Row(
        tagged_names, "Crate-col Floor-rigid Scene", not_where=anywhere_linked
    ),
    "object.omi_physics_known_material": Row(
        cubes("motion", "collider"), "A B Scene", {"material": "ICE"}
    ),
    "object.omi_physics_mirror": Row(cubes("motion", "collider"), "", adds=2),
    "object.omi_physics_from_rigid_bodies": Row(
        rigid_bodies, "A B Tie Scene", {"scope": "SELECTED"}, not_where=anywhere_linked
    ),
    "object.omi_physics_to_rigid_bodies": Row(
        cubes("motion", "collider"), "A B Scene", not_where=anywhere_linked
    ),
    "object.omi_physics_copy_json": Row(cubes("collider"), "", kind="nothing"),
    "object.omi_physics_paste_json": Row(
        cubes("collider"), options={"text": PASTED}, not_where=anywhere_linked
    ),
    "object.omi_physics_open_json": Row(cubes("collider"), "", text_options, kind="text"),
    "object.omi_physics_update_json": Row(cubes("collider"), "", kind="nothing"),
    "scene.omi_physics_check": Row(cubes("motion"), "", not_where=None, kind="nothing"),
    "object.omi_physics_select_issue": _view(chosen("Rest", found_issues), {"code": "S17"}),
    "object.omi_physics_fix_issue": Row(
        found_issues, options={"code": "S17"}, not_where=in_edit_mode
    ),
    "object.omi_physics_fix_all": Row(found_issues, not_where=in_edit_mode),
    "object.omi_physics_about_issue": Row(
        found_issues, "", {"code": "S17", "object_name": "A"}, not_where=None, kind="nothing"
    ),
    "object.omi_physics_ignore_issue": Row(
        found_issues, options={"code": "S17"}, not_where=in_edit_mode
    ),
}


def operators() -> dict[str, Any]:
    """Every operator of ours that is registered, by the name it is called by."""
    found: dict[str, Any] = {}
    for cls in bpy.types.Operator.__subclasses__():
        idname: str = getattr(cls, "bl_idname", "")
        if "omi_physics" in idname and getattr(cls, "is_registered", False):
            found[idname] = cls
    return found
