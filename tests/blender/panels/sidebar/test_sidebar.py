"""The operators and sections of the sidebar that find, show and check."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.authoring import (
    filter_matrix,
    issue_groups,
    joint_making,
    json_view,
)
from omi_physics_addon.blender.authoring.fixes import FIXES
from omi_physics_addon.blender.base import compat, reports, roles, scene_outline
from omi_physics_addon.blender.properties import part_choices
from omi_physics_addon.blender.scene import object_json
from omi_physics_addon.issue_codes import CATALOGUE
from omi_physics_addon.model.joint_kinds import JointKind
from tests.blender.operators.test_bodies import can, run, select
from tests.blender.panels.test_panels import DRAWN, context, draw, panel
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh, write_anyway


def solid(name: str, kind: str = "", **options: Any) -> Any:
    obj = add(name, cube_mesh(name), **options)
    add_collider(obj)
    if kind:
        add_body(obj, kind)
    return obj


def selected() -> set[str]:
    return {obj.name for obj in bpy.context.selected_objects}


def names(objects: Any) -> list[str]:
    return [obj.name for obj in objects]


def undone(name: str, **options: Any) -> None:
    """Run an operator, take it back, and do it again."""
    bpy.ops.ed.undo_push(message="Before")
    assert run(name, **options) == {"FINISHED"}
    bpy.ops.ed.undo_push(message="After")
    bpy.ops.ed.undo()


def settings() -> Any:
    return bpy.context.scene.omi_physics


def obj(name: str) -> Any:
    return bpy.data.objects[name]


# Outliner


def test_parts_that_were_only_looked_at_are_not_offered_to_switch_on():
    crate = solid("Crate", "DYNAMIC")
    group = crate.omi_physics
    assert group.gravity.line.curve is None  # Blender stores groups that are read.
    assert len(group.trigger.nodes) == 0
    assert roles.parts_of(crate) == ["motion", "collider"]
    group.gravity.line.unit_distance = 2.0
    group.trigger.nodes.add()
    assert roles.parts_of(crate) == ["motion", "collider", "trigger", "gravity"]


@pytest.mark.parametrize("part", roles.PARTS)
def test_a_part_has_one_icon_wherever_it_is_shown(part):
    new = {kind: icon for kind, _, _, icon in part_choices.NEW_OBJECTS}
    icon = roles.PARTS[part][1]
    role = {"motion": "DYNAMIC", "vehicle_body": "VEHICLE"}.get(part, part.upper())
    assert roles.ROLES[role].icon == icon
    kind = {"motion": "BODY", "vehicle_body": "VEHICLE"}.get(part, part.upper())
    assert new.get(kind, icon) == icon


def test_a_row_selects_its_object_and_makes_it_active():
    a, b, c = solid("A", "STATIC"), solid("B"), solid("C")
    c.parent = a
    select(b)
    name = "object.omi_physics_outliner_select"
    assert run(name, uid=a.session_uid) == {"FINISHED"}
    assert (selected(), bpy.context.object) == ({"A"}, a)
    assert run(name, uid=a.session_uid) == {"FINISHED"}
    assert run(name, uid=b.session_uid, extend=True) == {"FINISHED"}
    assert (selected(), bpy.context.object) == ({"A", "B"}, b)
    assert run(name, uid=a.session_uid, below=True) == {"FINISHED"}
    assert (selected(), bpy.context.object) == ({"A", "C"}, a)
    assert run(name, uid=0) == {"CANCELLED"}


def test_selecting_a_row_is_undone_and_redone():
    a, b = solid("A"), solid("B")
    select(b)
    undone("object.omi_physics_outliner_select", uid=a.session_uid)
    assert selected() == {"B"}
    bpy.ops.ed.redo()
    assert selected() == {"A"}


def test_a_hidden_object_cannot_be_selected_and_is_told():
    a = solid("A")
    a.hide_set(True)
    assert run("object.omi_physics_outliner_select", uid=a.session_uid) == {"CANCELLED"}


def test_a_row_hides_its_object_and_shows_it_again():
    a = solid("A")
    bpy.context.view_layer.update()
    undone("object.omi_physics_outliner_hide", uid=a.session_uid)
    assert not obj("A").hide_get()
    bpy.ops.ed.redo()
    assert obj("A").hide_get()
    assert run("object.omi_physics_outliner_hide", uid=obj("A").session_uid) == {"FINISHED"}
    assert not obj("A").hide_get()
    assert run("object.omi_physics_show_all") == {"CANCELLED"}


def test_folding_rows():
    a = solid("A", "STATIC")
    solid("B", parent=a)
    bpy.context.view_layer.update()

    def count() -> int:
        return len(scene_outline.rows(bpy.context.scene, bpy.context.view_layer, "TREE"))

    assert count() == 2
    run("object.omi_physics_outliner_fold", uid=a.session_uid)
    assert count() == 1
    run("object.omi_physics_outliner_fold", uid=a.session_uid)
    assert count() == 2
    for fold, expected in ((True, 1), (True, 1), (False, 2)):
        run("object.omi_physics_outliner_fold_all", fold=fold)
        assert count() == expected


def test_rows_need_objects():
    assert not can("object.omi_physics_outliner_select")


# Select and show

EVERY = {
    "STATIC": lambda g: (setattr(g, "use_motion", True), setattr(g.motion, "type", "STATIC")),
    "KINEMATIC": lambda g: (setattr(g, "use_motion", True), setattr(g.motion, "type", "KINEMATIC")),
    "DYNAMIC": lambda g: (setattr(g, "use_motion", True), setattr(g.motion, "type", "DYNAMIC")),
    "COLLIDER": lambda g: setattr(g, "use_collider", True),
    "TRIGGER": lambda g: setattr(g, "use_trigger", True),
    "JOINT": lambda g: setattr(g, "use_joint", True),
    "GRAVITY": lambda g: setattr(g, "use_gravity", True),
    "VEHICLE": lambda g: setattr(g, "use_vehicle_body", True),
    "WHEEL": lambda g: setattr(g, "use_wheel", True),
    "THRUSTER": lambda g: setattr(g, "use_thruster", True),
    "HOVER_THRUSTER": lambda g: setattr(g, "use_hover_thruster", True),
    "SEAT": lambda g: setattr(g, "use_seat", True),
    "COLLISION_ONLY": lambda g: (
        setattr(g, "is_collision_only", True),
        setattr(g, "use_collider", True),
    ),
}


@pytest.fixture
def zoo() -> dict[str, Any]:
    """One object of every role."""
    found = {}
    for name, make in EVERY.items():
        found[name] = add(name, cube_mesh(name))
        make(found[name].omi_physics)
    bpy.context.view_layer.update()
    return found


def test_every_role_has_an_object(zoo):
    assert zoo.keys() == roles.ROLES.keys()


@pytest.mark.parametrize("role", EVERY)
def test_select_by_role(zoo, role):
    expected = {role, *(["COLLISION_ONLY"] if role == "COLLIDER" else [])}
    assert run("object.omi_physics_select_role", role=role) == {"FINISHED"}
    assert selected() == expected
    other = "SEAT" if role != "SEAT" else "JOINT"
    assert run("object.omi_physics_select_role", role=other, extend=True) == {"FINISHED"}
    assert selected() == {*expected, other}


def test_select_by_role_without_any():
    solid("A")
    assert run("object.omi_physics_select_role", role="SEAT") == {"CANCELLED"}


def test_select_by_role_is_undone(zoo):
    select(zoo["SEAT"])
    undone("object.omi_physics_select_role", role="JOINT")
    assert selected() == {"SEAT"}
    bpy.ops.ed.redo()
    assert selected() == {"JOINT"}


def test_hide_by_role_and_show_exactly_that_again(zoo):
    by_hand = solid("Hidden by Hand")
    bpy.context.view_layer.update()
    by_hand.hide_set(True)
    name = "object.omi_physics_hide_role"
    assert run(name, role="COLLIDER") == {"FINISHED"}
    assert run(name, role="COLLIDER") == {"CANCELLED"}
    assert run(name, role="SEAT") == {"FINISHED"}
    hidden = {o.name for o in bpy.context.scene.objects if o.hide_get()}
    assert hidden == {"Hidden by Hand", "COLLIDER", "COLLISION_ONLY", "SEAT"}
    assert run("object.omi_physics_show_all") == {"FINISHED"}
    assert {o.name for o in bpy.context.scene.objects if o.hide_get()} == {"Hidden by Hand"}
    assert run("object.omi_physics_show_all") == {"CANCELLED"}
    assert not any(o.omi_physics.hidden_in for o in bpy.context.scene.objects)


def test_what_was_shown_by_hand_and_hidden_again_stays_hidden(zoo):
    run("object.omi_physics_hide_role", role="SEAT")
    zoo["SEAT"].hide_set(False)
    run("object.omi_physics_hide_role", role="JOINT")
    zoo["SEAT"].hide_set(True)
    run("object.omi_physics_show_all")
    assert zoo["SEAT"].hide_get()
    assert not zoo["JOINT"].hide_get()


def test_hidden_roles_are_known_after_renaming_saving_and_undo(zoo, tmp_path):
    run("object.omi_physics_hide_role", role="SEAT")
    zoo["SEAT"].name = "Chair"
    path = str(tmp_path / "hidden.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert obj("Chair").hide_get()
    undone("object.omi_physics_show_all")
    assert obj("Chair").hide_get()
    bpy.ops.ed.redo()
    assert not obj("Chair").hide_get()


def test_show_by_role_shows_whoever_has_hidden(zoo):
    zoo["SEAT"].hide_set(True)
    assert run("object.omi_physics_show_role", role="SEAT") == {"FINISHED"}
    assert not zoo["SEAT"].hide_get()
    assert run("object.omi_physics_show_role", role="SEAT") == {"CANCELLED"}


def test_select_same():
    a, b, c = solid("A"), solid("B"), solid("C")
    c.omi_physics.collider.shape.type = "SPHERE"
    for o in (a, b):
        o.omi_physics.collider.physics_material = "Ice"
        o.omi_physics.collider.collision_filter = "Props"
    for o in (b, c):
        o.omi_physics.use_joint = True
        o.omi_physics.joint.settings = "Hinge"
    name = "object.omi_physics_select_same"
    expected = {"MATERIAL": "AB", "FILTER": "AB", "JOINT": "BC", "SHAPE": "AB"}
    for what, letters in expected.items():
        select(b)
        assert run(name, what=what) == {"FINISHED"}
        assert selected() == set(letters)
        assert bpy.context.object == b
    select(c)
    assert run(name, what="MATERIAL") == {"CANCELLED"}
    assert run(name, what="SHAPE", extend=True) == {"FINISHED"}
    b.omi_physics.use_collider = False
    select(a)
    run(name, what="MATERIAL")
    assert selected() == {"A"}


def test_a_mode_other_than_object_mode_refuses():
    a = solid("A")
    select(a)
    bpy.ops.object.mode_set(mode="EDIT")
    assert not can("object.omi_physics_select_role")
    assert run("object.omi_physics_outliner_select", uid=a.session_uid) == {"CANCELLED"}
    bpy.ops.object.mode_set(mode="OBJECT")
    assert can("object.omi_physics_select_role")


# Matrix


def systems(*wanted: str) -> None:
    for name in wanted:
        run("scene.omi_physics_new_system")
        run("scene.omi_physics_rename_system", system=settings().sidebar.system, new_name=name)


def meeting(one: str, other: str) -> str:
    return filter_matrix.table(bpy.context.scene)[1][one, other]


def test_systems_come_with_filters():
    systems("Player", "Debris")
    assert filter_matrix.systems(bpy.context.scene) == ["Debris", "Player"]
    assert [[s.name for s in e.collision_systems] for e in settings().collision_filters] == [
        ["Player"],
        ["Debris"],
    ]
    assert meeting("Player", "Debris") == "ALL"


@pytest.mark.parametrize(("one", "other"), [("A", "B"), ("B", "A"), ("A", "A")])
def test_a_pair_is_written_into_both_filters_and_back(one, other):
    systems("A", "B", "C")
    pair = {"one": one, "other": other}
    assert run("scene.omi_physics_set_pair", **pair, hits=False) == {"FINISHED"}
    assert meeting(one, other) == meeting(other, one) == "NONE"
    others = {frozenset(p) for p in (("A", "B"), ("A", "C"), ("B", "C"), ("A",), ("B",), ("C",))}
    for rest in others - {frozenset((one, other))}:
        a, b = (*rest, *rest)[:2]
        assert meeting(a, b) == "ALL"
    assert run("scene.omi_physics_set_pair", **pair, hits=False) == {"FINISHED"}
    assert run("scene.omi_physics_set_pair", **pair, hits=True) == {"FINISHED"}
    assert meeting(one, other) == "ALL"
    assert all(e.mode == "ALL" for e in settings().collision_filters)
    assert run("scene.omi_physics_set_pair", one="A", other="X", hits=True) == {"CANCELLED"}


def test_a_pair_is_undone():
    systems("A", "B")
    undone("scene.omi_physics_set_pair", one="A", other="B", hits=False)
    assert meeting("A", "B") == "ALL"
    bpy.ops.ed.redo()
    assert meeting("A", "B") == "NONE"


def test_a_pair_reaches_the_file(export):
    systems("A", "B")
    for name, letter in (("Crate", "A"), ("Ball", "B")):
        select(solid(name))
        run("object.omi_physics_assign_system", system=letter)
    run("scene.omi_physics_set_pair", one="A", other="B", hits=False)
    rows = export()["extensions"]["OMI_physics_body"]["collisionFilters"]
    found = {row["collisionSystems"][0]: row["notCollideWithSystems"] for row in rows}
    assert found == {"A": ["B"], "B": ["A"]}


def test_renaming_a_system_everywhere():
    systems("A", "B")
    run("scene.omi_physics_set_pair", one="A", other="B", hits=False)
    settings().sidebar.system = "A"
    undone("scene.omi_physics_rename_system", system="A", new_name="Z")
    assert filter_matrix.systems(bpy.context.scene) == ["A", "B"]
    bpy.ops.ed.redo()
    assert filter_matrix.systems(bpy.context.scene) == ["B", "Z"]
    assert meeting("Z", "B") == "NONE"
    assert settings().sidebar.system == "Z"
    for old, new in (("Z", "B"), ("Z", ""), ("Z", "Z"), ("nothing", "C")):
        result = run("scene.omi_physics_rename_system", system=old, new_name=new)
        assert result == {"CANCELLED"}


def test_removing_a_system_keeps_what_the_others_do():
    systems("A", "B", "C")
    run("scene.omi_physics_set_pair", one="A", other="A", hits=False)
    entry = settings().collision_filters[2]
    entry.mode = "ONLY"
    entry.collide_with_systems.add().name = "B"
    crate = solid("Crate")
    crate.omi_physics.collider.collision_filter = settings().collision_filters[1].name
    undone("scene.omi_physics_delete_system", system="B")
    assert filter_matrix.systems(bpy.context.scene) == ["A", "B", "C"]
    bpy.ops.ed.redo()
    assert filter_matrix.systems(bpy.context.scene) == ["A", "C"]
    assert len(settings().collision_filters) == 2
    assert obj("Crate").omi_physics.collider.collision_filter == ""
    assert meeting("A", "A") == "NONE"
    assert meeting("A", "C") == "NONE"  # C met B only.
    assert run("scene.omi_physics_delete_system", system="B") == {"CANCELLED"}


def test_equal_filters_become_one_and_users_follow():
    systems("A", "B")
    again = settings().collision_filters.add()
    again.name = "Again"
    again.collision_systems.add().name = "A"
    crate, ball = solid("Crate"), solid("Ball")
    crate.omi_physics.collider.collision_filter = "Again"
    ball.omi_physics.collider.collision_filter = settings().collision_filters[1].name
    first = settings().collision_filters[0].name
    undone("scene.omi_physics_merge_filters")
    assert len(settings().collision_filters) == 3
    assert obj("Crate").omi_physics.collider.collision_filter == "Again"
    bpy.ops.ed.redo()
    assert len(settings().collision_filters) == 2
    assert obj("Crate").omi_physics.collider.collision_filter == first
    assert obj("Ball").omi_physics.collider.collision_filter != first
    assert run("scene.omi_physics_merge_filters") == {"CANCELLED"}


def test_filters_without_names_in_their_file_merge_and_have_members(import_json):
    filters = [{"collisionSystems": ["A"]}] * 2
    filters.append({"collisionSystems": ["A"], "extras": {"stays": 1}})
    nodes = [
        {"name": f"N{i}", "extensions": {"KHR_physics_rigid_bodies": {"collider": collider}}}
        for i, collider in enumerate(
            [{"geometry": {"shape": 0}, "collisionFilter": i} for i in (0, 1, 2)]
            + [{"geometry": {"shape": 0}}]
        )
    ]
    import_json(
        {
            "asset": {"version": "2.0"},
            "extensionsUsed": ["KHR_implicit_shapes", "KHR_physics_rigid_bodies"],
            "extensions": {
                "KHR_implicit_shapes": {"shapes": [{"type": "box", "box": {}}]},
                "KHR_physics_rigid_bodies": {"collisionFilters": filters},
            },
            "nodes": nodes,
            "scenes": [{"nodes": [0, 1, 2, 3]}],
            "scene": 0,
        }
    )
    copy = settings().collision_filters.add()  # The equal ones of the file are one already.
    copy.name = "Copy"
    copy.collision_systems.add().name = "A"
    collider_of("N1").collision_filter = "Copy"
    named = [collider_of(f"N{i}").collision_filter for i in range(4)]
    assert run("scene.omi_physics_merge_filters") == {"FINISHED"}
    assert len(settings().collision_filters) == 2
    now = [collider_of(f"N{i}").collision_filter for i in range(4)]
    assert now == [named[0], named[0], named[2], ""]  # What had none still has none.
    run("object.omi_physics_select_system", system="A")
    assert selected() == {"N0", "N1", "N2"}


def collider_of(name: str) -> Any:
    return obj(name).omi_physics.collider


def test_assign_and_select_a_system():
    systems("A", "B")
    crate, ball, lamp = solid("Crate"), solid("Ball"), add("Lamp")
    select(crate, ball, lamp)
    undone("object.omi_physics_assign_system", system="B")
    assert not obj("Crate").omi_physics.collider.collision_filter
    bpy.ops.ed.redo()
    assert run("object.omi_physics_assign_system", system="B") == {"FINISHED"}
    select(obj("Lamp"))
    assert run("object.omi_physics_assign_system", system="B") == {"CANCELLED"}
    assert run("object.omi_physics_assign_system", system="X") == {"CANCELLED"}
    assert run("object.omi_physics_select_system", system="B") == {"FINISHED"}
    assert selected() == {"Crate", "Ball"}
    assert run("object.omi_physics_select_system", system="A") == {"CANCELLED"}
    assert run("scene.omi_physics_pick_system", system="A") == {"FINISHED"}
    assert settings().sidebar.system == "A"
    assert run("scene.omi_physics_pick_system", system="X") == {"CANCELLED"}


def test_a_filter_of_an_object_in_two_systems_shows_as_some():
    systems("A", "B")
    both = settings().collision_filters.add()
    both.name, both.mode = "Both", "NOT"
    both.collision_systems.add().name = "A"
    both.collision_systems.add().name = "B"
    both.not_collide_with_systems.add().name = "B"
    assert meeting("A", "B") == "SOME"


# Check


def codes() -> set[str]:
    return set(reports.of_scene("CHECK", bpy.context.scene).issues.codes())


def test_a_scene_without_faults():
    body = solid("Crate", "DYNAMIC")
    select(body)
    assert run("scene.omi_physics_check") == {"FINISHED"}
    assert codes() <= {"J07"}
    assert (
        reports.of_scene("CHECK", bpy.context.scene)
        .headline()
        .startswith("OMI Physics checked 1 dynamic body")
    )


def test_check_changes_nothing_and_can_be_repeated():
    crate = solid("Crate", "DYNAMIC")
    crate.scale = (2.0, 2.0, 2.0)
    bpy.context.view_layer.update()
    before = len(bpy.data.meshes), len(bpy.data.objects)
    for _ in range(2):
        run("scene.omi_physics_check")
        assert codes() == {"B19", "S20"}
    assert (len(bpy.data.meshes), len(bpy.data.objects)) == before


def test_issues_name_objects_and_entries():
    crate = solid("Crate", "DYNAMIC")
    crate.omi_physics.collider.shape.type = "TRIMESH"
    crate.omi_physics.collider.shape.location = (1.0, 0.0, 0.0)
    crate.omi_physics.collider.physics_material = "Nothing"
    run("scene.omi_physics_add_physics_material")
    run("scene.omi_physics_check")
    found = {i.code: i.pointer for i in reports.of_scene("CHECK", bpy.context.scene).issues}
    assert found["S17"] == found["X05"] == "Crate"
    assert found["C13"] == "Physics Material"


def test_messages_name_objects_instead_of_nodes():
    frame, door = solid("Frame", "STATIC"), solid("Door", "DYNAMIC")
    frame.omi_physics.use_joint = True
    frame.omi_physics.joint.connected_object = door
    scene = bpy.context.scene
    frame.omi_physics.joint.settings = scene.omi_physics.joint_settings.add().name = "Hinge"
    scene.omi_physics.origin = "KHR"
    run("scene.omi_physics_check")
    messages = {i.code: (i.pointer, i.message) for i in reports.of_scene("CHECK", scene).issues}
    assert messages["L13"] == (
        "Door",
        "the joint of Frame is written on this node, below the dynamic body",
    )
    assert not any(character.isdigit() for _, text in messages.values() for character in text)


def test_what_is_wrong_stands_above_the_objects():
    crate = solid("Crate", "DYNAMIC")
    crate.omi_physics.collider.shape.type = "TRIMESH"
    run("scene.omi_physics_check")
    for group in issue_groups.groups_of(reports.of_scene("CHECK", bpy.context.scene)):
        lines = texts("check").split("\n")
        wrong = next(i for i, line in enumerate(lines) if line and group.text.startswith(line))
        rest = lines[wrong + 1 :]
        assert rest.index("Where and Why") < rest.index("Crate")
        assert rest.index("Select") < rest.index(", ".join(group.codes)) < rest.index("Crate")


def test_check_looks_at_instanced_collections_and_animations():
    collection = bpy.data.collections.new("Props")
    crate = add("Crate", cube_mesh(), collection=collection)
    add_body(crate)
    add_collider(crate, "TRIMESH")
    add("Instance").instance_collection = collection
    lift = solid("Lift", "DYNAMIC")
    lift.keyframe_insert("location", frame=1)
    pushed = solid("Pushed Down", "DYNAMIC")
    pushed.keyframe_insert("location", frame=1)
    compat.push_down(pushed.animation_data)
    turntable = solid("Colored", "DYNAMIC")
    turntable.keyframe_insert("color", frame=1)
    run("scene.omi_physics_check")
    found = {(i.code, i.pointer) for i in reports.of_scene("CHECK", bpy.context.scene).issues}
    assert ("S17", "Crate") in found
    assert {("B18", "Lift"), ("B18", "Pushed Down")} <= found
    assert ("B18", "Colored") not in found


def test_the_check_of_another_scene_is_not_shown():
    run("scene.omi_physics_check")
    other = bpy.data.scenes.new("Other")
    assert reports.of_scene("CHECK", other) is None


def test_select_the_objects_of_an_issue():
    for name in ("A", "B", "C"):
        solid(name, "DYNAMIC" if name != "C" else "").omi_physics.collider.shape.type = "TRIMESH"
    run("scene.omi_physics_check")
    name = "object.omi_physics_select_issue"
    assert run(name, code="S17") == {"FINISHED"}
    assert selected() == {"A", "B"}
    assert run(name, code="S17", object_name="B") == {"FINISHED"}
    assert selected() == {"B"}
    assert run(name, code="S17", object_name="A", extend=True) == {"FINISHED"}
    assert selected() == {"A", "B"}
    assert run(name, code="S17", object_name="gone") == {"CANCELLED"}
    assert run(name, code="S17", source="IMPORT") == {"CANCELLED"}


def gravity_volume(o: Any) -> Any:
    o.omi_physics.use_gravity = o.omi_physics.use_trigger = True
    o.omi_physics.use_collider = False
    return o.omi_physics.gravity


def vehicle(o: Any) -> Any:
    add_body(o)
    o.omi_physics.use_vehicle_body = True
    o.omi_physics.vehicle_body.gyro_torque = (1.0, 1.0, 1.0)
    return o.omi_physics.vehicle_body


def inertia(o: Any) -> None:
    motion = add_body(o)
    motion.inertia_mode, motion.inertia_diagonal = "VALUE", (1.0, 1.0, 5.0)


def compound(o: Any) -> None:
    o.omi_physics.use_collider = False
    o.omi_physics.use_trigger = True
    o.omi_physics.trigger.mode = "BELOW"
    add("Part", cube_mesh(), parent=o).omi_physics.use_trigger = True
    settings().collision_filters.add().name = "F"
    o.omi_physics.trigger.collision_filter = "F"


def trimesh_trigger(o: Any) -> None:
    o.omi_physics.use_collider = False
    o.omi_physics.use_trigger = True
    o.omi_physics.trigger.shape.type = "TRIMESH"


def visible_trigger(o: Any) -> None:
    o.omi_physics.use_collider = False
    o.omi_physics.use_trigger = True


def without_trigger(o: Any) -> None:
    gravity_volume(o)
    o.omi_physics.use_trigger = False


def without_collider(o: Any) -> None:
    add_body(o)
    o.omi_physics.use_collider = False


def held_to_nothing(o: Any) -> None:
    add_body(o)
    if "Hinge" not in settings().joint_settings:
        settings().joint_settings.add().name = "Hinge"
    o.omi_physics.use_joint = True
    o.omi_physics.joint.settings = "Hinge"
    o.omi_physics.joint.connected_object = add(f"{o.name} Hook")


def outgrown(o: Any) -> None:
    """A mesh of its own, which grows once a box was fitted to it."""
    o.data = o.data.copy()
    o.select_set(True)
    bpy.context.view_layer.objects.active = o
    run("object.omi_physics_fit_shape", type="BOX")
    for vertex in o.data.vertices:
        vertex.co *= 2.0
    o.select_set(False)


def inside_out(o: Any) -> None:
    add_collider(o, "TRIMESH")
    o.data.flip_normals()


FAULTS: dict[str, Any] = {
    "J04": held_to_nothing,
    "B03": without_collider,
    "B19": lambda o: (add_body(o), setattr(o, "scale", (2.0, 2.0, 2.0))),
    "S20": lambda o: setattr(o, "scale", (0.8, 1.6, 0.3)),
    "S21": lambda o: (setattr(o, "scale", (1.0, 2.0, 3.0)), add_collider(o, "SPHERE")),
    "S23": lambda o: setattr(o, "scale", (-1.0, 1.0, 1.0)),
    "B09": inertia,
    "B14": lambda o: setattr(add_body(o, "STATIC"), "linear_velocity", (1.0, 0.0, 0.0)),
    "B18": lambda o: (add_body(o), o.keyframe_insert("location", frame=1)),
    "H01": lambda o: (vehicle(o), setattr(o.omi_physics, "use_motion", False)),
    "H02": lambda o: (vehicle(o), setattr(o.omi_physics.motion, "type", "KINEMATIC")),
    "H07": lambda o: setattr(vehicle(o), "linear_activation", (0.5, 0.0, 0.0)),
    "H08": lambda o: setattr(vehicle(o), "max_speed", 0.0),
    "S17": lambda o: (add_body(o), add_collider(o, "TRIMESH")),
    "S18": trimesh_trigger,
    "S19": lambda o: (add_body(o, "KINEMATIC"), add_collider(o, "TRIMESH")),
    "S36": outgrown,
    "S37": inside_out,
    "T05": compound,
    "T10": visible_trigger,
    "V01": without_trigger,
    "V19": lambda o: (
        setattr(gravity_volume(o), "stop", True),
        setattr(o.omi_physics.gravity, "priority", -1),
    ),
    "V22": lambda o: setattr(gravity_volume(o), "gravity", 0.0),
    "X05": lambda o: setattr(o.omi_physics.collider, "physics_material", "Nothing"),
}


def test_every_fix_has_a_fault():
    of_scene = {"X65"}  # Told once for all bodies; see test_fix_issues.py.
    assert FAULTS.keys() | of_scene <= FIXES.keys() <= CATALOGUE.keys()


@pytest.mark.parametrize("code", FAULTS)
def test_a_fix_sets_it_right_and_is_undone(code):
    for name in ("One", "Two"):
        FAULTS[code](solid(name))
    bpy.context.view_layer.update()
    run("scene.omi_physics_check")
    assert code in codes()
    undone("object.omi_physics_fix_issue", code=code, object_name="One")
    run("scene.omi_physics_check")
    pointers = {
        i.pointer for i in reports.of_scene("CHECK", bpy.context.scene).issues if i.code == code
    }
    assert pointers >= {"One", "Two"}
    assert run("object.omi_physics_fix_issue", code=code) == {"FINISHED"}
    assert code not in codes()
    assert run("object.omi_physics_fix_issue", code=code) == {"CANCELLED"}


def test_what_has_no_fix():
    solid("A").omi_physics.use_joint = True
    run("scene.omi_physics_check")
    assert run("object.omi_physics_fix_issue", code="J07") == {"CANCELLED"}


# JSON


def test_copy_and_open_json():
    crate = solid("Crate", "DYNAMIC")
    select(crate)
    for family in ("OMI", "KHR"):
        assert run("object.omi_physics_copy_json", family=family) == {"FINISHED"}
        for _ in range(2):
            assert run("object.omi_physics_open_json", family=family) == {"FINISHED"}
        text = bpy.data.texts[f"Crate {family}.json"].as_string()
        expected = object_json.read(bpy.context.scene, crate, family)
        assert json.loads(text) == expected.gltf
    assert len(bpy.data.texts) == 2
    select(add("Empty"))
    assert run("object.omi_physics_copy_json") == {"CANCELLED"}
    assert run("object.omi_physics_open_json") == {"CANCELLED"}
    select()
    assert not can("object.omi_physics_copy_json")


def test_the_text_is_undone():
    select(solid("Crate"))
    undone("object.omi_physics_open_json")
    assert not len(bpy.data.texts)
    bpy.ops.ed.redo()
    assert len(bpy.data.texts) == 1


def test_the_view_knows_when_it_is_old():
    crate = solid("Crate")
    bpy.context.view_layer.update()
    view = json_view.update(bpy.context.scene, crate, "OMI")
    assert view.is_current
    assert [s.title for s in view.sections] == ["Node 0: Crate", "OMI_physics_shape shapes 0"]
    assert json_view.of(crate, "OMI") is view
    assert json_view.of(crate, "KHR") is None
    crate.location.x = 3.0
    bpy.context.view_layer.update()
    assert not view.is_current


def test_drawing_asks_for_the_view_and_does_not_make_it(monkeypatch):
    crate = solid("Crate")
    json_view.forget()
    made = []
    monkeypatch.setattr(object_json, "read", lambda *_: made.append(1))
    assert draw(panel("sidebar_json"), context(crate)) is not None
    assert not made
    assert bpy.app.timers.is_registered(json_view._make)
    monkeypatch.undo()
    json_view._make()
    assert json_view.of(crate, "OMI").sections
    json_view.forget()


def test_a_view_of_an_object_that_is_gone():
    crate = solid("Crate")
    json_view.request(bpy.context.scene, crate, "OMI")
    bpy.data.objects.remove(crate)
    json_view._make()
    json_view.forget()


# Drawing

SECTION_CLASSES = [
    cls for cls in DRAWN if getattr(cls, "bl_category", "") == "OMI Physics"
]  # Those of the tab.


def enabled(active: Any = None) -> set[str]:
    """The operators of the tab that can be pressed."""
    found: set[str] = set()
    for cls in SECTION_CLASSES:
        drawn = draw(cls, context(active))
        found |= set() if drawn is None else drawn.enabled_operators
    return found


def test_no_button_is_enabled_that_can_do_nothing():
    """Without anything selected and without physics; then with a plain mesh."""
    always = {"scene.omi_physics_check", "scene.omi_physics_new_system", "export_scene.gltf"}
    always.add("scene.omi_physics_install_importer")  # Into a project, whatever the scene has.
    assert enabled() == always | {"object.omi_physics_make_rest_solid"}
    crate = add("Crate", cube_mesh())
    crate.select_set(True)
    bpy.context.view_layer.objects.active = crate
    found = enabled(crate)
    assert {"object.omi_physics_add_motion", "object.omi_physics_fit_simplest"} <= found
    none = {"settle", "bake_scale", "select_same", "show_all", "swap_joint_ends", "remove_bake"}
    none |= {"connect_selected", "make_ragdoll", "rope_from_curve", "bake"}
    assert {f"object.omi_physics_{name}" for name in none}.isdisjoint(found)
    assert "scene.omi_physics_preview_start" not in found
    crate.omi_physics.use_collider = crate.omi_physics.use_motion = True
    scene_outline.forget()
    more = {"object.omi_physics_settle", "scene.omi_physics_preview_start"}
    assert more | {"object.omi_physics_bake_scale"} <= enabled(crate)


def test_menus_are_gray_where_nothing_can_be_changed(tmp_path):
    path = str(tmp_path / "library.blend")
    bpy.data.libraries.write(path, {add("Linked", cube_mesh())})
    with bpy.data.libraries.load(path, link=True) as (_, here):
        here.objects = ["Linked"]
    crate, linked = add("Crate", cube_mesh()), here.objects[0]
    both = context(crate, selected_objects=[crate, linked], selected_editable_objects=[crate])
    assert draw(panel("sidebar_joints"), both).enabled_menus == set()
    alone = context(linked, selected_editable_objects=[])
    assert draw(panel("sidebar_create"), alone).enabled_menus == {"OMIPHYSICS_MT_new"}


ORDER = ("physics", "create", "shapes", "joints", "preview", "check", "outliner")


def test_sections_follow_the_work():
    orders = [panel(f"sidebar_{name}").bl_order for name in ORDER]
    assert orders == sorted(orders)
    rest = [panel(f"sidebar_{name}") for name in ("show", "matrix", "json")]
    assert all(cls.bl_order > orders[-1] for cls in rest)
    closed = (*rest, panel("sidebar_create"), panel("sidebar_check"), panel("sidebar_outliner"))
    assert all("DEFAULT_CLOSED" in cls.bl_options for cls in closed)


def test_a_joint_tells_its_kind_in_the_outliner():
    joint = add("Joint")
    joint.omi_physics.use_joint = True
    scene_outline.forget()
    assert "Hinge" not in texts("outliner", joint)
    entry = joint_making.entry_of_kind(bpy.context.scene, JointKind(kind="hinge"))
    joint.omi_physics.joint.settings = entry.name
    bpy.context.view_layer.update()
    scene_outline.forget()
    assert "Hinge" in texts("outliner", joint)
    post, door = add("jointSpaceB"), add("Door")
    joint.omi_physics.joint.connected_object = post
    assert "Hinge → jointSpaceB" in texts("outliner", joint)
    post.parent, door.omi_physics.use_motion = door, True  # As importers of KHR make it.
    assert "Hinge → Door" in texts("outliner", joint)


SECTIONS = ("outliner", "show", "matrix", "check", "json")


def texts(name: str, active: Any = None) -> str:
    return "\n".join(draw(panel(f"sidebar_{name}"), context(active)).texts)


@pytest.mark.parametrize("name", SECTIONS)
def test_sections_stand_in_the_sidebar(name):
    cls = panel(f"sidebar_{name}")
    assert (cls.bl_space_type, cls.bl_region_type) == ("VIEW_3D", "UI")
    assert cls.bl_category == "OMI Physics"
    assert cls.bl_order == {"check": 40, "outliner": 50, "show": 55, "matrix": 60, "json": 70}[name]


def test_empty_states_say_what_to_do():
    assert "Select one and add a part" in texts("outliner")
    assert "No object has physics yet" in texts("show")
    assert "All hits all. Add systems to" in texts("matrix")
    assert "Select an object to see it in glTF" in texts("json")


def test_sections_of_a_full_scene(zoo):
    systems("A", "B")
    zoo["DYNAMIC"].omi_physics.collider.shape.type = "TRIMESH"
    zoo["DYNAMIC"].omi_physics.use_collider = True
    bpy.context.view_layer.update()
    run("scene.omi_physics_check")
    assert "Level Geometry" in texts("outliner", zoo["SEAT"])
    assert "Seat" in texts("outliner", zoo["SEAT"])
    assert "Seats (1)" in texts("show")
    shown = texts("matrix")
    assert "A A" in shown
    assert "B B" in shown
    assert "1 moving body is a trimesh" in texts("check")
    assert "Make Convex" in texts("check")
    json_view.update(bpy.context.scene, zoo["SEAT"], "OMI")
    assert '"OMI_seat": {' in texts("json", zoo["SEAT"])
    json_view.forget()


def test_what_is_not_to_be_listed_is_not(zoo):
    run("scene.omi_physics_check")
    assert "V01" in texts("check")
    settings().sidebar.show_errors = False
    assert "V01" not in texts("check")


@pytest.mark.parametrize("source", ["CHECK", "EXPORT", "IMPORT"])
def test_issues_of_exports_and_imports_are_listed_too(source, export, import_json, zoo):
    write_anyway()
    gltf = export()
    import_json({"nodes": [{"name": "x", "extensions": {"OMI_physics_body": {"trigger": {}}}}]})
    run("scene.omi_physics_check")
    settings().sidebar.issues_of = source
    report = reports.of_scene(source, bpy.context.scene)
    for group in issue_groups.groups_of(report):
        assert ", ".join(group.codes) in texts("check")
        assert group.text[:20] in texts("check")
    assert gltf["nodes"]


def test_long_sentences_are_wrapped():
    from omi_physics_addon.blender.panels.texts import draw_text
    from tests.blender.panels.test_panels import FakeLayout

    layout = FakeLayout()
    draw_text(SimpleNamespace(), layout, "word " * 30)
    assert max(map(len, layout.texts)) <= 34
    assert "".join(layout.texts).count("word") == 30
