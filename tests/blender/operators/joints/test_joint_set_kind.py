"""What joints do: kinds, shared settings, lists of limits and drives, presets, words."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.authoring import joint_making, joint_texts
from omi_physics_addon.blender.operators.joints.joint_presets import SUBDIR
from omi_physics_addon.blender.properties.names import written
from omi_physics_addon.blender.scene import joint_settings
from omi_physics_addon.model import joint_kinds, joint_words
from omi_physics_addon.model.joint_kinds import JointKind, make, recognize
from omi_physics_addon.model.joints import JointDrive, JointLimit, JointSettings
from tests.blender.operators.test_bodies import can, run, select
from tests.blender.panels.test_panels import context, draw, names, panel
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh, node

SOFT = {"is_soft": True, "stiffness": 60.0, "damping": 6.0}
TURN = {"use_turn": True, "min_angle": -0.5, "max_angle": 2.0}
WAY = {"use_range": True, "min_distance": -0.25, "max_distance": 1.0}

# Properties of operators, and the kind of joint they ask for.
ASKED: list[tuple[dict[str, Any], JointKind]] = [
    ({"kind": "FIXED"}, JointKind(kind="fixed")),
    ({"kind": "BALL", **SOFT}, JointKind(kind="ball", stiffness=60.0, damping=6.0)),
    ({"kind": "HINGE", "axis": "Y"}, JointKind(kind="hinge", axis=1)),
    (
        {"kind": "HINGE", **TURN, **SOFT},
        JointKind(kind="hinge", axis=2, turn_min=-0.5, turn_max=2.0, stiffness=60.0, damping=6.0),
    ),
    (
        {"kind": "HINGE", "axis": "Y", **TURN},
        JointKind(kind="hinge", axis=1, turn_min=-0.5, turn_max=2.0),
    ),
    (
        {"kind": "SLIDER", "axis": "Y", **WAY},
        JointKind(kind="slider", axis=1, min=-0.25, max=1.0),
    ),
    ({"kind": "SLIDER", "axis": "X", **TURN}, JointKind(kind="slider", axis=0)),
    (
        {"kind": "PISTON", **WAY, **TURN},
        JointKind(kind="piston", axis=2, min=-0.25, max=1.0, turn_min=-0.5, turn_max=2.0),
    ),
    ({"kind": "ROPE", "length": 1.5}, JointKind(kind="rope", max=1.5)),
    (
        {"kind": "CONE_TWIST", "swing": 0.5, **TURN},
        JointKind(kind="cone_twist", axis=2, swing=0.5, turn_min=-0.5, turn_max=2.0),
    ),
    (
        {"kind": "SIX_DOF", "reach": 0.25, "tilt": 0.5},
        JointKind(kind="six_dof", min=-0.25, max=0.25, turn_min=-0.5, turn_max=0.5),
    ),
    (
        {"kind": "SERVO", "target_angle": 0.5, "use_max_force": True, "max_force": 50.0},
        JointKind(
            kind="servo",
            axis=2,
            drive=JointDrive(
                type="angular",
                axis=2,
                position_target=0.5,
                stiffness=100.0,
                damping=10.0,
                max_force=50.0,
            ),
        ),
    ),
    (
        {
            "kind": "MOTOR",
            "axis": "Y",
            "drive_type": "LINEAR",
            "drive_mode": "ACCELERATION",
            "speed_distance": 2.0,
            **WAY,
        },
        JointKind(
            kind="motor",
            axis=1,
            min=-0.25,
            max=1.0,
            drive=JointDrive(mode="acceleration", axis=1, velocity_target=2.0, damping=10.0),
        ),
    ),
]
KIND_IDS = [f"{i}-{each[1].kind}" for i, each in enumerate(ASKED)]


def scene() -> Any:
    return bpy.context.scene


def entries() -> list[str]:
    return [entry.name for entry in scene().omi_physics.joint_settings]


def add_joint(name: str = "Joint", settings: str = "", to: Any = None, parent: Any = None) -> Any:
    obj = add(name, parent=parent)
    obj.omi_physics.use_joint = True
    obj.omi_physics.joint.settings = settings
    obj.omi_physics.joint.connected_object = to
    return obj


def used(obj: Any) -> str:
    return obj.omi_physics.joint.settings


def kind_of(name: str) -> JointKind | None:
    return recognize(joint_settings.read_in_blender(scene().omi_physics.joint_settings[name]))


def add_settings(name: str, kind: JointKind | None = None) -> Any:
    settings = make(kind) if kind else JointSettings()
    return joint_making.new_entry(scene(), settings, name)


def jointed() -> Any:
    """A door in a frame, joined by an empty."""
    frame, door = add("Frame", cube_mesh(), location=(2.0, 0.0, 0.0)), add("Door", cube_mesh())
    add_body(frame, "STATIC")
    add_body(door)
    add_collider(frame)
    add_collider(door)
    bpy.context.view_layer.update()
    joint = add_joint(to=frame, parent=door)
    joint.omi_physics.joint.pivot_at_joint = True
    return joint


# Kinds


@pytest.mark.parametrize(("asked", "kind"), ASKED, ids=KIND_IDS)
def test_kinds_by_name(asked, kind):
    joint = add_joint()
    select(joint)
    assert run("object.omi_physics_set_joint_kind", **asked) == {"FINISHED"}
    assert entries() == [joint_words.NAMES[kind.kind]]
    assert kind_of(used(joint)) == kind
    assert run("object.omi_physics_set_joint_kind", **asked) == {"FINISHED"}
    assert entries() == [joint_words.NAMES[kind.kind]]
    assert kind_of(used(joint)) == kind


def test_every_kind_is_tried():
    assert {kind.kind for _, kind in ASKED} == set(joint_kinds.KINDS)


@pytest.mark.parametrize("y_up", [True, False])
@pytest.mark.parametrize("family", ["OMI", "KHR"])
@pytest.mark.parametrize(("asked", "kind"), ASKED, ids=KIND_IDS)
def test_kinds_go_out_and_come_back(asked, kind, family, y_up, export, tmp_path):
    joint = jointed()
    select(joint)
    run("object.omi_physics_set_joint_kind", **asked)
    name = used(joint)
    scene().omi_physics.export.family = family
    gltf = export(export_yup=y_up)
    extension = "OMI_physics_joint" if family == "OMI" else "KHR_physics_rigid_bodies"
    (written,) = gltf["extensions"][extension]["physicsJoints"]
    assert len(written["limits"]) == len(make(kind).limits)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=False)
    bpy.ops.import_scene.gltf(filepath=str(tmp_path / "scene.gltf"))
    back = kind_of(name)
    expected = kind if y_up else _unturned(kind)
    assert back is not None
    assert dataclasses.replace(back, drive=None) == dataclasses.replace(expected, drive=None)
    assert (back.drive is None) == (kind.drive is None)
    if back.drive is not None and kind.drive is not None and y_up:
        # KHR wants a speed beside every damping, and gets one of zero.
        speed = kind.drive.velocity_target
        assert back.drive in (
            kind.drive,
            dataclasses.replace(kind.drive, velocity_target=speed or 0.0),
        )


def _unturned(kind: JointKind) -> JointKind:
    """A joint of a file with Z up, as an import takes it, which knows Y up only."""
    from omi_physics_addon.axes import Axes

    settings = make(kind)
    limits = tuple(
        part for limit in settings.limits for part in Axes().limit_to_blender(limit, per_axis=False)
    )
    drives = tuple(Axes().drive_to_blender(drive) for drive in settings.drives)
    found = recognize(JointSettings(limits=limits, drives=drives))
    assert found is not None
    return found


def test_a_kind_changes_shared_settings_or_makes_new_ones():
    add_settings("Shared")
    joints = [add_joint(str(i), "Shared") for i in range(3)]
    select(joints[0])
    run("object.omi_physics_set_joint_kind", kind="BALL")
    assert kind_of("Shared") == JointKind(kind="ball")
    run("object.omi_physics_set_joint_kind", kind="FIXED", make_new=True)
    assert [used(joint) for joint in joints] == ["Fixed", "Shared", "Shared"]
    assert kind_of("Shared") == JointKind(kind="ball")


def test_a_kind_for_joints_with_different_missing_and_no_settings():
    add_settings("One")
    add_settings("Two")
    joints = [add_joint(str(i), name) for i, name in enumerate(("One", "Two", "Gone", ""))]
    other = add("Other")
    select(*joints, other)
    run("object.omi_physics_set_joint_kind", kind="HINGE", axis="X")
    assert [used(joint) for joint in joints] == ["One", "Two", "Hinge", "Hinge"]
    assert {kind_of(name) for name in entries()} == {JointKind(kind="hinge")}
    assert not other.omi_physics.use_joint


def test_the_kind_of_the_active_entry_of_the_scene():
    select()
    assert run("scene.omi_physics_set_joint_settings_kind", kind="ROPE") == {"FINISHED"}
    assert entries() == ["Rope"]
    add_settings("More")
    scene().omi_physics.joint_settings_index = 0
    run("scene.omi_physics_set_joint_settings_kind", kind="BALL")
    assert entries() == ["Rope", "More"]
    assert kind_of("Rope") == JointKind(kind="ball")


# Words


def test_words_follow_the_units_of_the_scene():
    entry = add_settings("S", JointKind(kind="piston", axis=0, max=0.5, turn_max=math.pi))
    assert joint_texts.name_of_kind(entry, scene()).endswith("up to 0.5 m, turning up to 180°")
    units = scene().unit_settings
    units.length_unit = "CENTIMETERS"
    units.system_rotation = "RADIANS"
    told = joint_texts.name_of_kind(entry, scene())
    assert told == "Piston along X, up to 50 cm, turning up to 3.142 rad"
    units.system = "IMPERIAL"
    units.length_unit = "INCHES"
    assert 'up to 19.69"' in joint_texts.name_of_kind(entry, scene())
    units.length_unit = "ADAPTIVE"
    assert "'" in joint_texts.name_of_kind(entry, scene())
    units.system = "NONE"
    assert "up to 0.5," in joint_texts.name_of_kind(entry, scene())


def test_the_unit_scale_counts():
    entry = add_settings("S", JointKind(kind="rope", max=2.0))
    scene().unit_settings.scale_length = 0.5
    scene().unit_settings.length_unit = "METERS"
    assert joint_texts.name_of_kind(entry, scene()) == "Rope, up to 1 m"
    motor = JointDrive(velocity_target=2.0, damping=1.0)
    entry = add_settings("M", JointKind(kind="motor", drive=motor))
    assert joint_texts.name_of_kind(entry, scene()) == "Motor along X, 1 m/s"


def test_a_limit_that_an_import_split_has_its_name_again(import_json):
    limit = {"linearAxes": [0, 1, 2], "min": 0.5, "max": 1.5}
    import_json(
        {
            "scene": 0,
            "scenes": [{"nodes": [0]}],
            "nodes": [{"name": "A"}],
            "extensionsUsed": ["OMI_physics_joint"],
            "extensions": {
                "OMI_physics_joint": {"physicsJoints": [{"name": "Far", "limits": [limit]}]}
            },
        }
    )
    entry = scene().omi_physics.joint_settings["Far"]
    assert len(entry.limits) == 3
    assert joint_texts.name_of_kind(entry, scene()) == "Rope, 0.5 … 1.5 m"


# Sharing


def test_single_user():
    add_settings("Shared", JointKind(kind="ball"))
    joints = [add_joint(str(i), "Shared") for i in range(3)]
    select(*joints[:2])
    assert run("object.omi_physics_single_user_joint_settings") == {"FINISHED"}
    assert [used(joint) for joint in joints] == ["Shared.001", "Shared.002", "Shared"]
    assert {kind_of(name) for name in entries()} == {JointKind(kind="ball")}
    in_files = [written(entry) for entry in scene().omi_physics.joint_settings]
    assert in_files == ["Shared", "Shared.001", "Shared.002"]
    assert run("object.omi_physics_single_user_joint_settings") == {"CANCELLED"}
    select(*joints)
    assert run("object.omi_physics_single_user_joint_settings") == {"CANCELLED"}


def test_one_of_two_keeps_the_original():
    add_settings("Shared")
    joints = [add_joint(str(i), "Shared") for i in range(2)]
    select(*joints)
    run("object.omi_physics_single_user_joint_settings")
    assert [used(joint) for joint in joints] == ["Shared.001", "Shared"]
    scene().omi_physics.joint_settings["Shared"].name = "Renamed"
    assert [used(joint) for joint in joints] == ["Shared.001", "Renamed"]


def test_unlink():
    add_settings("Shared")
    joints = [add_joint(str(i), "Shared") for i in range(2)]
    select(joints[0])
    assert run("object.omi_physics_unlink_joint_settings") == {"FINISHED"}
    assert [used(joint) for joint in joints] == ["", "Shared"]
    assert run("object.omi_physics_unlink_joint_settings") == {"CANCELLED"}


def test_duplicate_for_the_joint_or_for_the_list():
    assert not can("scene.omi_physics_duplicate_joint_settings")
    add_settings("One", JointKind(kind="ball"))
    add_settings("Two", JointKind(kind="fixed"))
    joint = add_joint(settings="One")
    select(joint)
    run("scene.omi_physics_duplicate_joint_settings", settings="One", assign=True)
    assert used(joint) == "One.001"
    assert kind_of("One.001") == JointKind(kind="ball")
    scene().omi_physics.joint_settings_index = 1
    run("scene.omi_physics_duplicate_joint_settings")
    assert used(joint) == "One.001"
    assert kind_of("Two.001") == JointKind(kind="fixed")
    nothing = run("scene.omi_physics_duplicate_joint_settings", settings="Nothing")
    assert nothing == {"CANCELLED"}


@pytest.mark.parametrize("make_copy", [False, True])
def test_copy_to_selected(make_copy):
    add_settings("Mine", JointKind(kind="ball"))
    add_settings("Other", JointKind(kind="fixed"))
    joints = [add_joint("A", "Mine"), add_joint("B", "Other"), add_joint("C")]
    plain = add("Plain")
    select(joints[0], plain)
    assert not can("object.omi_physics_copy_joint_settings")
    select(*joints, plain)
    assert run("object.omi_physics_copy_joint_settings", make_copy=make_copy) == {"FINISHED"}
    expected = ["Mine", "Mine.001", "Mine.002"] if make_copy else ["Mine"] * 3
    assert [used(joint) for joint in joints] == expected
    assert {kind_of(used(joint)) for joint in joints} == {JointKind(kind="ball")}
    assert not plain.omi_physics.use_joint
    select(joints[0], active=plain)
    assert not can("object.omi_physics_copy_joint_settings")


def test_copying_missing_settings_is_refused():
    joints = [add_joint("A", "Gone"), add_joint("B")]
    select(*joints)
    assert run("object.omi_physics_copy_joint_settings") == {"CANCELLED"}
    assert used(joints[1]) == ""


def test_select_those_with_the_same_settings():
    joints = [add_joint(str(i), "Same") for i in range(3)]
    other = add_joint("Other", "Different")
    joints[2].hide_set(True)
    select(joints[0])
    run("object.omi_physics_select_same_joint_settings")
    assert set(bpy.context.selected_objects) == set(joints[:2])
    select(add("Plain"))
    assert not can("object.omi_physics_select_same_joint_settings")
    assert not other.select_get()


def test_the_list_of_the_scene():
    select()
    for _ in range(3):
        run("scene.omi_physics_add_joint_settings")
    assert entries() == ["Joint Settings", "Joint Settings.001", "Joint Settings.002"]
    run("scene.omi_physics_move_joint_settings", direction="UP")
    assert entries()[1] == "Joint Settings.002"
    joints, plain = [add_joint(str(i)) for i in range(2)], add("Plain")
    select(*joints, plain)
    assert run("object.omi_physics_assign_joint_settings") == {"FINISHED"}
    assert [used(joint) for joint in joints] == ["Joint Settings.002"] * 2
    select(plain)
    assert run("object.omi_physics_assign_joint_settings") == {"CANCELLED"}
    run("object.omi_physics_select_joint_settings")
    assert set(bpy.context.selected_objects) == set(joints)
    run("scene.omi_physics_remove_joint_settings")
    assert [used(joint) for joint in joints] == ["", ""]
    assert entries() == ["Joint Settings", "Joint Settings.001"]


# Limits and drives


@pytest.mark.parametrize("part", ["limits", "drives"])
def test_edit_limits_and_drives(part):
    assert not can("scene.omi_physics_add_joint_item")
    add_settings("Shown")
    add_settings("Active")
    shown = scene().omi_physics.joint_settings["Shown"]
    items, which = getattr(shown, part), {"settings": "Shown", "part": part}
    for _ in range(3):
        assert run("scene.omi_physics_add_joint_item", **which) == {"FINISHED"}
    for i, item in enumerate(items):
        item.damping = float(i)
    assert (len(items), getattr(shown, f"{part}_index")) == (3, 2)
    assert run("scene.omi_physics_move_joint_item", direction="DOWN", **which) == {"CANCELLED"}
    run("scene.omi_physics_move_joint_item", direction="UP", **which)
    assert [item.damping for item in items] == [0.0, 2.0, 1.0]
    run("scene.omi_physics_duplicate_joint_item", **which)
    assert [item.damping for item in items] == [0.0, 2.0, 2.0, 1.0]
    assert getattr(shown, f"{part}_index") == 2
    run("scene.omi_physics_remove_joint_item", **which)
    assert [item.damping for item in items] == [0.0, 2.0, 1.0]
    for _ in range(3):
        assert run("scene.omi_physics_remove_joint_item", **which) == {"FINISHED"}
    for verb in ("remove", "duplicate", "move"):
        assert run(f"scene.omi_physics_{verb}_joint_item", **which) == {"CANCELLED"}
    run("scene.omi_physics_add_joint_item", part=part)
    assert len(getattr(scene().omi_physics.joint_settings["Active"], part)) == 1
    assert run("scene.omi_physics_add_joint_item", settings="No", part=part) == {"CANCELLED"}


def test_new_limits_and_drives_do_something():
    entry = add_settings("S")
    run("scene.omi_physics_add_joint_item", settings="S", part="limits")
    run("scene.omi_physics_add_joint_item", settings="S", part="drives")
    assert joint_texts.text_of_limit(entry.limits[0], scene()) == "Distance XYZ fixed"
    assert joint_texts.text_of_drive(entry.drives[0], scene()) == "Motor about Z 0°/s"


def test_rows_of_drives_are_short_enough_for_the_list():
    entry = add_settings("S")
    run("scene.omi_physics_add_joint_item", settings="S", part="drives")
    drive = entry.drives[0]
    drive.use_max_force, drive.max_force = True, 123456.0
    drive.velocity_angle = 3.0
    assert joint_texts.text_of_drive(drive, scene()) == "Motor about Z 171.9°/s"
    drive.use_position_target, drive.position_angle = True, 0.6
    assert joint_texts.text_of_drive(drive, scene()) == "Spring about Z to 34.38°"


# Presets of the user


@pytest.fixture
def preset_folder(tmp_path, monkeypatch):
    folder = tmp_path / "presets" / SUBDIR
    monkeypatch.setattr(bpy.utils, "user_resource", lambda *_args, **_options: _made(folder))
    monkeypatch.setattr(bpy.utils, "preset_paths", lambda subdir: [str(folder)])
    return folder


def save_preset(**options: Any) -> set[str]:
    return bpy.ops.scene.omi_physics_add_joint_preset(**options)


def _made(folder) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    return str(folder)


@pytest.mark.parametrize(("asked", "kind"), ASKED, ids=KIND_IDS)
def test_presets_are_saved_and_loaded(asked, kind, preset_folder):
    source = add_joint("Source")
    select(source)
    run("object.omi_physics_set_joint_kind", **asked)
    add_settings("Other", JointKind(kind="fixed"))
    assert save_preset(name="My Joint") == {"FINISHED"}
    (path,) = preset_folder.glob("*.py")
    assert path.stem == "My_Joint"
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=False)
    joint = add_joint("Target")
    select(joint)
    load = {"filepath": str(path), "menu_idname": "OMIPHYSICS_MT_joint_presets"}
    assert run("scene.omi_physics_load_joint_preset", **load) == {"FINISHED"}
    assert used(joint) == "My Joint"
    assert kind_of("My Joint") == kind
    add_settings("Active")
    run("scene.omi_physics_load_joint_preset", **load)
    assert entries() == ["My Joint", "Active"]
    select(add("Plain"))
    scene().omi_physics.joint_settings_index = 1
    run("scene.omi_physics_load_joint_preset", **load)
    assert kind_of("Active") == kind


def test_presets_of_older_versions_measured_the_other_way(preset_folder):
    add_settings("Mine", JointKind(kind="hinge", axis=2, turn_min=-0.5, turn_max=1.0))
    select()
    save_preset(name="Mine")
    (path,) = preset_folder.glob("*.py")
    lines = path.read_text(encoding="utf-8").splitlines()
    older = [line for line in lines if "settings.version" not in line]
    assert len(older) == len(lines) - 1
    path.write_text("\n".join(older), encoding="utf-8")
    run("scene.omi_physics_load_joint_preset", filepath=str(path))
    assert kind_of("Mine") == JointKind(kind="hinge", axis=2, turn_min=-1.0, turn_max=0.5)


def test_presets_are_listed_and_removed(preset_folder):
    menu = bpy.types.OMIPHYSICS_MT_joint_presets
    assert "No presets yet" in draw(menu, context()).texts
    select()
    assert save_preset(name="Nothing to save") == {"CANCELLED"}
    add_settings("S", JointKind(kind="ball"))
    save_preset(name="Mine")
    assert "Mine" in draw(menu, context()).texts
    run("scene.omi_physics_remove_joint_settings")
    assert save_preset(name="Mine", remove_name=True) == {"FINISHED"}
    assert not list(preset_folder.glob("*.py"))


@pytest.mark.parametrize("text", ["not Python", "settings.limits.add()", "import bpy\n1 / 'x'"])
def test_a_broken_preset_is_told(preset_folder, tmp_path, text):
    path = Path(_made(preset_folder)) / "broken.py"
    path.write_text(text)
    add_settings("S")
    select()
    load = "scene.omi_physics_load_joint_preset"
    assert run(load, filepath=str(path)) == {"CANCELLED"}
    path.unlink()
    assert run(load, filepath=str(tmp_path / "none.py")) == {"CANCELLED"}
    assert run(load, filepath=str(tmp_path)) == {"CANCELLED"}


@pytest.mark.parametrize("is_link", [False, True])
def test_a_script_that_is_no_preset_of_joints_does_not_run(preset_folder, tmp_path, is_link):
    ran, path = tmp_path / "ran", tmp_path / "some.py"
    path.write_text(f"open({str(ran)!r}, 'w').close()\n")
    if is_link:
        link = Path(_made(preset_folder)) / "link.py"
        link.symlink_to(path)
        path = link
    add_settings("S")
    select()
    load = run("scene.omi_physics_load_joint_preset", filepath=str(path))
    assert load == {"CANCELLED"}
    assert not ran.exists()


# Panels


def test_a_joint_without_settings_is_told_what_to_do():
    obj = add_joint()
    shown = names(panel("joint"), context(obj))
    assert {"connected_object", "pivot_at_joint", "enable_collision", "settings"} <= shown
    assert "limits" not in shown
    assert "OMIPHYSICS_MT_joint_kinds" in shown
    assert "Choose settings, or add new" in draw(panel("joint"), context(obj)).texts
    add_settings("Empty")
    obj.omi_physics.joint.settings = "Empty"
    assert "No limits set; choose a kind" in draw(panel("joint"), context(obj)).texts
    assert draw(panel("joint"), context(add("Plain"))) is None


def test_the_joint_panel_names_and_edits_shared_settings():
    joint = jointed()
    entry = add_settings("Door", JointKind(kind="hinge", axis=2, turn_max=math.pi / 2.0))
    joint.omi_physics.joint.settings = "Door"
    layout = draw(panel("joint"), context(joint))
    assert "turns up to 90° about Z against Frame" in " ".join(layout.texts)
    assert "Angle Z up to 90°" in layout.texts
    assert "Limits (3)" in layout.texts
    single = "object.omi_physics_single_user_joint_settings"
    assert single not in {name for _, name in layout.shown}
    add_joint("Second", "Door")
    bpy.context.view_layer.update()  # Which tells the panel that there is something new.
    layout = draw(panel("joint"), context(joint))
    assert "2 Joints" in layout.texts
    assert single in {name for _, name in layout.shown}
    entry.kept = '{"color": "red"}'
    assert "Unknown data kept from the file: color" in draw(panel("joint"), context(joint)).texts


def test_only_what_applies_to_a_limit():
    joint = jointed()
    entry = add_settings("S")
    joint.omi_physics.joint.settings = "S"
    limit = entry.limits.add()
    ctx = context(joint)
    assert "Choose the axes to limit" in draw(panel("joint"), ctx).texts
    limit.axes = (True, False, False)
    assert "Without min and max, no effect" in draw(panel("joint"), ctx).texts
    shown = names(panel("joint"), ctx)
    assert "min_distance" in shown
    assert not {"min_angle", "stiffness", "damping"} & shown
    limit.kind, limit.use_stiffness = "ANGULAR", True
    shown = names(panel("joint"), ctx)
    assert {"min_angle", "stiffness", "damping"} <= shown
    assert "min_distance" not in shown
    limit.use_min = limit.use_max = True
    limit.min_angle, limit.max_angle = 1.0, 0.0
    assert "The min is above the max" in draw(panel("joint"), ctx).texts


def test_only_what_applies_to_a_drive():
    joint = jointed()
    entry = add_settings("S")
    joint.omi_physics.joint.settings = "S"
    drive = entry.drives.add()
    ctx = context(joint)
    assert "Choose a position, a speed or both" in draw(panel("joint"), ctx).texts
    drive.use_position_target = True
    layout = draw(panel("joint"), ctx)
    assert "Without stiffness, no effect" in layout.texts
    assert ("OMIPHYSICS_PG_joint_drive", "position_distance") in layout.shown
    drive.use_position_target, drive.use_velocity_target = False, True
    drive.type = "ANGULAR"
    layout = draw(panel("joint"), ctx)
    assert "Without damping, no effect" in layout.texts
    assert ("OMIPHYSICS_PG_joint_drive", "stiffness") not in layout.shown
    assert ("OMIPHYSICS_PG_joint_drive", "velocity_angle") in layout.shown
    drive.type, drive.mode = "OTHER", "OTHER"
    assert {"other_type", "other_mode"} <= names(panel("joint"), ctx)


def test_the_list_of_joint_settings_says_what_they_are():
    assert "limits" not in names(panel("joint_settings"), context())
    add_settings("Door", JointKind(kind="hinge", axis=2))
    layout = draw(panel("joint_settings"), context())
    assert {"Hinge", "Hinge about Z"} <= set(layout.texts)
    assert ("menu", "OMIPHYSICS_MT_joint_settings_kinds") in layout.shown


def test_the_sidebar():
    plain = add("Plain")
    layout = draw(panel("sidebar_joints"), context(plain))
    assert "Plain" not in layout.texts
    assert "object.omi_physics_connect_selected" in {name for _, name in layout.shown}
    joint = jointed()
    add_settings("Door", JointKind(kind="hinge", axis=2, turn_max=math.pi / 2.0))
    joint.omi_physics.joint.settings = "Door"
    layout = draw(panel("sidebar_outliner"), context(joint, selected_objects=[plain]))
    assert "Joint" in layout.texts
    assert "turns up to 90° about Z against Frame" in " ".join(layout.texts)
    layout = draw(panel("sidebar_change_joints"), context(joint, selected_objects=[plain]))
    assert "object.omi_physics_swap_joint_ends" in {name for _, name in layout.shown}


# In files and previews


def test_the_pivot_of_an_exported_joint_stands_below_the_connected_object(export):
    joint = jointed()
    select(joint)
    run("object.omi_physics_set_joint_kind", kind="HINGE")
    gltf = export()
    written = node(gltf, "Joint")["extensions"]["OMI_physics_joint"]
    pivot = gltf["nodes"][written["connectedNode"]]
    assert pivot["translation"] == pytest.approx([-2.0, 0.0, 0.0])
    assert written["connectedNode"] in node(gltf, "Frame")["children"]


@pytest.mark.parametrize("mass", [1.0, 4.0])
def test_a_soft_joint_of_an_operator_comes_to_rest(mass):
    """At its end, a body of a kilogram does not overshoot, a heavier one by less than a half."""
    select(add_joint("Joint", ""))
    run("object.omi_physics_set_joint_kind", kind="HINGE", use_turn=True, is_soft=True)
    (entry,) = scene().omi_physics.joint_settings
    (soft,) = (limit for limit in entry.limits if limit.use_stiffness)
    share = soft.damping / (2.0 * math.sqrt(soft.stiffness * mass))  # Of critical damping.
    overshoot = 0.0 if share >= 1.0 else math.exp(-math.pi * share / math.sqrt(1.0 - share**2))
    assert overshoot < (1e-6 if mass == 1.0 else 0.5)


def test_other_soft_limits_have_the_damping_of_the_specification():
    joint = jointed()
    joint.omi_physics.joint.settings = "New"
    entry = add_settings("New")
    entry.limits.add().use_stiffness = True
    assert entry.limits[0].damping == 0.0 == JointLimit.damping
    drawn = draw(panel("joint"), context(joint)).texts
    assert "Without damping, swings forever" in drawn
    entry.limits[0].damping = 1.0
    drawn = draw(panel("joint"), context(joint)).texts
    assert "Without damping, swings forever" not in drawn
