from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.base.roles import PARTS
from omi_physics_addon.blender.operators.joints.joint_set_kind import draw_kind
from omi_physics_addon.blender.panels import tabs
from omi_physics_addon.blender.panels.texts import letters
from omi_physics_addon.blender.properties import declare
from omi_physics_addon.blender.properties.joints import units_of
from omi_physics_addon.model import fields
from omi_physics_addon.model.vehicles import HoverThruster, Thruster, VehicleBody, Wheel
from tests.blender.panels.test_panels import FakeLayout, context, draw, names, panel
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh

OF_PART = {
    "gravity": ("gravity", "gravity_order"),
    "vehicle_body": ("vehicle_body", "vehicle_control"),
    "wheel": ("wheel", "wheel_suspension", "wheel_drive", "wheel_tire"),
    "thruster": ("thruster", "thruster_gimbal"),
    "hover_thruster": ("hover_thruster", "hover_thruster_gimbal"),
    "seat": ("seat",),
}
HIDDEN = {"rna_type", "name", "kept", "part_kept"}
HIDDEN |= {"physics_material_entry", "collision_filter_entry", "settings_entry"}  # Names show them.


def with_part(part: str, **place: Any) -> Any:
    obj = add(part, **place)
    setattr(obj.omi_physics, f"use_{part}", True)
    return obj


def texts(name: str, obj: Any, **more: Any) -> str:
    layout = draw(panel(name), context(obj, **more))
    return "" if layout is None else " ".join(layout.texts)


@pytest.mark.parametrize("part", OF_PART)
def test_panels_are_there_only_with_the_part(part):
    for name in OF_PART[part]:
        assert draw(panel(name), context(add("Empty"))) is None
        assert draw(panel(name), context(None)) is None
        assert draw(panel(name), context(with_part(part))) is not None


def ticks(group: Any) -> list[str]:
    """Those that show whether a number is given that a file says to be none by being negative."""
    return [prop.identifier for prop in group.bl_rna.properties if prop.is_skip_save]


@pytest.mark.parametrize("part", [part for part in OF_PART if part != "gravity"])
def test_every_property_of_a_part_is_shown(part):
    obj = with_part(part)
    shown = set[str]()
    group = getattr(obj.omi_physics, part)
    for tick in ticks(group):
        setattr(group, tick, True)
    for name in OF_PART[part]:
        shown |= names(panel(name), context(obj))
    missing = {p.identifier for p in group.bl_rna.properties} - HIDDEN - shown
    assert not missing, f"no panel of {part} draws {missing}"


GRAVITIES = {
    "DIRECTIONAL": {"direction"},
    "POINT": {"unit_distance"},
    "DISC": {"radius", "unit_distance"},
    "TORUS": {"radius", "unit_distance"},
    "LINE": {"unit_distance", "points", "curve"},
    "SHAPED": {"unit_distance", "use_shape", "size"},
    "OTHER": {"other_type"},
}


@pytest.mark.parametrize("kind", GRAVITIES)
def test_only_the_fields_of_the_type_of_gravity(kind):
    obj = with_part("gravity")
    obj.omi_physics.gravity.type = kind
    obj.omi_physics.gravity.line.points.add()
    ctx = context(obj)
    field = getattr(obj.omi_physics.gravity, kind.lower(), None)
    if "unit_distance" in GRAVITIES[kind]:
        assert "unit_distance" not in names(panel("gravity"), ctx)
        field.use_unit_distance = True
        assert field.unit_distance == 1.0
    shown = set[str]()
    for name in ("gravity", "gravity_line", "gravity_shape"):
        shown |= names(panel(name), ctx)
    if kind == "SHAPED":
        assert "object.omi_physics_fit_shape" in names(panel("gravity_shape"), ctx)
        shown |= header(panel("gravity_shape"), ctx)
    assert shown & set().union(*GRAVITIES.values()) == GRAVITIES[kind]
    assert {"type", "gravity"} <= shown
    assert {"priority", "replace", "stop"} <= names(panel("gravity_order"), ctx)


def header(cls: Any, ctx: Any) -> set[str]:
    layout = FakeLayout()
    cls.draw_header(SimpleNamespace(layout=layout), ctx)
    return {name for _, name in layout.shown}


def test_a_gravity_volume_without_trigger_offers_one():
    obj = with_part("gravity")
    assert "Needs a trigger" in texts("gravity", obj)
    assert "object.omi_physics_add_trigger" in names(panel("gravity"), context(obj))
    obj.omi_physics.use_trigger = True
    assert "Needs a trigger" not in texts("gravity", obj)


def test_a_gravity_volume_is_no_body_and_no_collider():
    obj = with_part("gravity")
    assert "Cannot be a body" not in texts("gravity", obj)
    add_collider(obj)
    assert "Cannot be a body" in texts("gravity", obj)


def test_a_line_with_a_curve_shows_no_list():
    obj = with_part("gravity")
    line = obj.omi_physics.gravity.line
    obj.omi_physics.gravity.type = "LINE"
    assert "A line needs two points or more" in texts("gravity_line", obj)
    assert "location" not in names(panel("gravity_line"), context(obj))
    line.points.add().location = (1.5, -2.0, 0.0)
    line.points.add()
    assert "1.5, -2, 0" in texts("gravity_line", obj)
    assert "location" in names(panel("gravity_line"), context(obj))
    assert "A line needs two points or more" not in texts("gravity_line", obj)
    line.curve = add("Path", bpy.data.curves.new("Path", "CURVE"))
    shown = names(panel("gravity_line"), context(obj))
    assert "object.omi_physics_line_from_curve" in shown
    assert "points" not in shown


@pytest.mark.parametrize("part", ["wheel", "thruster", "hover_thruster"])
def test_a_part_without_a_vehicle_is_told_to_be_parented(part):
    obj = with_part(part)
    assert "No vehicle above" in texts(part, obj)
    assert "object.omi_physics_parent_to_vehicle" in names(panel(part), context(obj))
    obj.parent = with_part("vehicle_body")
    assert "No vehicle above" not in texts(part, obj)
    obj.omi_physics.use_vehicle_body = True
    assert "A vehicle cannot be its own part" in texts(part, obj)


def test_a_vehicle_needs_a_dynamic_body():
    obj = with_part("vehicle_body")
    assert "Needs a dynamic body" in texts("vehicle_body", obj)
    add_body(obj, "KINEMATIC")
    assert "Needs a dynamic body" in texts("vehicle_body", obj)
    add_body(obj)
    assert "Needs a dynamic body" not in texts("vehicle_body", obj)


def test_the_pilot_seat_of_a_vehicle():
    obj = with_part("vehicle_body")
    find = "object.omi_physics_find_pilot_seat"
    assert find in names(panel("vehicle_body"), context(obj))
    seat = add("Seat")
    obj.omi_physics.vehicle_body.pilot_seat = seat
    assert find not in names(panel("vehicle_body"), context(obj))
    assert "This object is not a seat" in texts("vehicle_body", obj)
    seat.omi_physics.use_seat = True
    assert "This object is not a seat" not in texts("vehicle_body", obj)


def test_a_hover_thruster_that_does_not_push_up_is_told():
    obj = with_part("hover_thruster")
    assert "which should point up" in texts("hover_thruster", obj)
    obj.rotation_euler = (-1.5708, 0.0, 0.0)
    bpy.context.view_layer.update()
    assert "which should point up" not in texts("hover_thruster", obj)


def test_the_tire_of_a_wheel():
    obj = with_part("wheel")
    bpy.ops.scene.omi_physics_add_physics_material()
    assert "static_friction" not in names(panel("wheel_tire"), context(obj))
    obj.omi_physics.wheel.physics_material = "Physics Material"
    assert "static_friction" in names(panel("wheel_tire"), context(obj))


def test_world_gravity():
    ctx = context()
    scene = ctx.scene
    assert header(panel("world_gravity"), ctx) == {"use_world_gravity"}
    assert "as on Earth" in texts("world_gravity", None)
    assert "direction" not in names(panel("world_gravity"), ctx)
    scene.omi_physics.world_gravity.source = "VALUE"
    scene.omi_physics.world_gravity.gravity = 0.0
    assert "Weightless" in texts("world_gravity", None)
    shown = names(panel("world_gravity"), ctx)
    assert {"gravity", "direction"} <= shown
    for way in ("take", "give"):
        assert f"scene.omi_physics_{way}_scene_gravity" in shown


def test_buttons_add_what_is_not_there_and_remove_what_is():
    obj = add("Object")
    shown = names(panel("object"), context(obj))
    assert "OMIPHYSICS_MT_add_gravity" in shown
    for part in PARTS:
        if part != "gravity":
            assert f"object.omi_physics_add_{part}" in shown
        setattr(obj.omi_physics, f"use_{part}", True)
    shown = names(panel("object"), context(obj))
    for part in PARTS:
        assert f"object.omi_physics_remove_{part}" in shown
        if part != "motion":  # Which is changed to another type.
            assert f"object.omi_physics_add_{part}" not in shown


def test_parts_of_vehicles_are_for_vehicles():
    car, wheel = add("Car"), add("Wheel")
    wheel.parent = car
    wheels = {"object.omi_physics_add_wheel", "object.omi_physics_add_seat"}
    common = {"object.omi_physics_add_collider", "object.omi_physics_add_joint"}
    shown = names(panel("sidebar_create"), context(wheel))
    assert common <= shown
    assert not wheels & shown
    car.omi_physics.use_vehicle_body = True
    assert wheels | common <= names(panel("sidebar_create"), context(wheel))


def test_the_sidebar_without_a_selection_says_so():
    obj = add("Object")
    obj.select_set(False)
    for ctx in (context(), context(obj, selected_objects=[])):
        layout = draw(panel("sidebar_create"), ctx)
        assert ("menu", "OMIPHYSICS_MT_new") in layout.shown


def test_buttons_stay_where_they_are_whatever_is_selected():
    one, two, joint = add("One", cube_mesh()), add("Two", cube_mesh()), add("Joint")
    joint.omi_physics.use_joint = True
    contexts = [
        context(),
        context(one, selected_objects=[]),
        context(one, selected_objects=[one]),
        context(one, selected_objects=[one, two]),
        context(joint, selected_objects=[joint]),
    ]
    for name in ("joints", "change_joints", "shapes"):
        for ctx in contexts:
            ctx.objects_in_mode = ()
        drawn = [draw(panel(f"sidebar_{name}"), ctx) for ctx in contexts]
        rows = [
            [text.replace("remove", "add") for kind, text in layout.shown if kind != "prop"]
            for layout in drawn
        ]
        assert rows[0]
        assert all(row == rows[0] for row in rows), name
        assert len({len(layout.texts) for layout in drawn}) == 1, name


def test_the_sidebar_with_several_objects():
    objects = [add("A"), add("B")]
    copy = "object.omi_physics_copy_to_selected"
    assert copy in names(panel("sidebar_create"), context(objects[0], selected_objects=objects))
    assert copy not in names(panel("sidebar_create"), context(objects[0]))


def test_the_sidebar_shows_what_is_selected_where_that_is_not_the_active_object():
    active, other = add("Active"), add("Other")
    active.omi_physics.use_joint = True
    shown = names(panel("sidebar_create"), context(active, selected_objects=[other]))
    assert "object.omi_physics_add_joint" in shown


@pytest.mark.parametrize(
    ("part", "name", "first"),
    [
        ("vehicle_body", "max_speed", 30.0),
        ("wheel", "braking_force", 400.0),
        ("wheel", "propulsion_force_change_rate", 400.0),
        ("wheel", "steering_change_rate", 1.0),
        ("thruster", "force_change_rate", 20.0),
        ("thruster", "gimbal_change_rate", 1.0),
        ("hover_thruster", "gimbal_change_rate", 1.0),
        ("hover_thruster", "hover_energy_change_rate", 1.0),
    ],
)
def test_a_number_that_is_negative_for_none_is_behind_a_tick(part, name, first):
    obj = with_part(part)
    group, tick = getattr(obj.omi_physics, part), f"use_{name}"
    if part == "wheel":
        group.max_propulsion_force = 400.0
    elif part == "thruster":
        group.max_force = 20.0
    assert getattr(group, tick) == (getattr(group, name) >= 0.0)
    setattr(group, tick, False)
    assert getattr(group, name) == -1.0
    drawn = set.union(*(names(panel(each), context(obj)) for each in OF_PART[part]))
    assert tick in drawn
    assert name not in drawn
    setattr(group, tick, True)
    assert getattr(group, name) == first
    drawn = set.union(*(names(panel(each), context(obj)) for each in OF_PART[part]))
    assert name in drawn
    setattr(group, name, 0.0)
    setattr(group, tick, True)  # It is given, and stays.
    assert getattr(group, name) == 0.0


def test_ticks_of_every_part_are_tried():
    found = {
        (part, tick) for part in OF_PART for tick in ticks(getattr(add(part).omi_physics, part))
    }
    assert len(found) == 8


def test_a_body_without_a_collider_says_so_and_offers_one():
    obj, empty = add("Crate", cube_mesh()), add("Empty")
    for body in (obj, empty):
        add_body(body)
        body.update_tag()
    bpy.context.view_layer.update()
    assert "No collider" in texts("body", obj)
    assert "No collider" in texts("body", empty)
    assert "object.omi_physics_add_collider" in names(panel("body"), context(obj))
    assert "object.omi_physics_add_collider" not in names(panel("body"), context(empty))
    obj.omi_physics.use_collider = True
    assert "No collider" not in texts("body", obj)


# What Blender shows no unit of, by the record that tells it.
OF_RECORDS = {
    "wheel": Wheel,
    "vehicle_body": VehicleBody,
    "thruster": Thruster,
    "hover_thruster": HoverThruster,
}
UNITS = {"kg/s²": "N/m", "kg/s": "N s/m", "rad/s": "/s", "N m/rad": "N m"}  # As panels have them.


@pytest.mark.parametrize("part", OF_RECORDS)
def test_every_number_has_its_unit(part):
    """Blender knows those of lengths, angles, speeds and masses."""
    obj = with_part(part)
    for name in ticks(getattr(obj.omi_physics, part)):
        setattr(getattr(obj.omi_physics, part), name, True)
    told = [text for name in OF_PART[part] for text in draw(panel(name), context(obj)).texts]
    for info in fields.table(OF_RECORDS[part]):
        unit = info.field.unit
        if unit and (unit == "rad/s" or unit not in declare._UNITS):  # pyright: ignore
            shown = UNITS.get(unit, unit)
            assert any(text == shown or text.endswith(f"({shown})") for text in told), info.name


def test_a_density_has_its_unit():
    obj = add("Body", cube_mesh())
    add_body(obj).mass_mode = "DENSITY"
    assert "kg/m³" in texts("body", obj)


def test_words_of_the_buttons_fit_a_new_window_of_768_lines():
    """Where Properties has two of them side by side in 207 pixels, looked at in Blender 5.2."""
    grids = list[int]()
    narrow = SimpleNamespace(width=207)
    preferences = SimpleNamespace(system=SimpleNamespace(ui_scale=1.0))
    ctx = context(with_part("vehicle_body"), region=narrow, preferences=preferences)

    class Grids(FakeLayout):
        def _do_grid_flow(self, **options: Any) -> FakeLayout:
            grids.append(options["columns"])
            return FakeLayout(self.root, self)

    layout = Grids()
    panel("object").draw(SimpleNamespace(layout=layout), ctx)
    assert set(grids) == {2}
    words = [text for text in layout.texts if text and text != "Play Physics"]
    assert {"Kinematic", "Thruster", "Hover"} <= set(words)
    assert max(map(len, words)) <= 9


@pytest.mark.parametrize("part", OF_PART)
def test_no_two_fields_of_a_panel_have_one_label(part, monkeypatch):
    labels = list[tuple[str, str]]()

    def noted(_layout: FakeLayout, data: Any, name: str, **options: Any) -> None:
        labels.append((options.get("text", data.bl_rna.properties[name].name), name))

    monkeypatch.setattr(FakeLayout, "_do_prop", noted)
    obj = with_part(part)
    for name in ticks(getattr(obj.omi_physics, part)):
        setattr(getattr(obj.omi_physics, part), name, True)
    for name in OF_PART[part]:
        labels.clear()
        draw(panel(name), context(obj))
        shown = [label for label, _ in dict.fromkeys(labels) if label]
        assert shown
        assert len(shown) == len(set(shown)), shown


def test_drives_and_limits_have_the_units_of_what_they_move():
    assert units_of(False) == ("N/m", "N s/m", "N")
    assert units_of(True) == ("N m", "N m s", "N m")
    assert units_of(True, "ACCELERATION") == ("/s²", "/s", "N m")


@pytest.mark.parametrize(
    ("kind", "stiffness", "damping"),
    [
        ("HINGE", "N m", "N m s"),
        ("SLIDER", "N/m", "N s/m"),
        ("PISTON", "N/m, N m", "N s/m, N m s"),
        ("SIX_DOF", "N/m, N m", "N s/m, N m s"),
    ],
)
def test_soft_ends_of_every_kind_have_units(kind, stiffness, damping):
    """Of both kinds where one number is for springs along axes and about them."""
    manager: Any = bpy.context.window_manager
    chosen = manager.operator_properties_last("object.omi_physics_set_joint_kind")
    chosen.kind, chosen.is_soft = kind, True
    layout = FakeLayout()
    draw_kind(layout, chosen)
    assert {f"Stiffness ({stiffness})", f"Damping ({damping})"} <= set(layout.texts)


@pytest.mark.parametrize("kind", ["HINGE", "PISTON", "CONE_TWIST", "SERVO", "MOTOR"])
def test_a_tick_of_a_joint_moves_no_row(kind):
    """A redo panel grows upward: what was pressed would be another field."""
    manager: Any = bpy.context.window_manager
    chosen = manager.operator_properties_last("object.omi_physics_connect_selected")
    chosen.kind = kind
    shown = []
    for is_on in (False, True):
        chosen.use_turn = chosen.use_range = chosen.is_soft = chosen.use_max_force = is_on
        layout = FakeLayout()
        draw_kind(layout, chosen)
        shown.append(layout.shown)
    assert shown[0] == shown[1]


class _Headings(FakeLayout):
    """Remembers the headings of rows, which Blender cuts where they are longer than a label."""

    def _do_row(self, heading: str = "", **_options: Any) -> FakeLayout:
        self.root.texts.append(f"heading {heading}")
        return FakeLayout(self.root, self)


@pytest.mark.parametrize(("width", "is_heading"), [(236, False), (400, True)])
def test_words_of_a_tick_are_whole_in_a_narrow_editor(monkeypatch, width, is_heading):
    """The Properties editor of a new window of 1366 pixels leaves a label eight letters."""
    found = letters(
        SimpleNamespace(
            region=SimpleNamespace(width=width),
            preferences=SimpleNamespace(system=SimpleNamespace(ui_scale=1.0)),
        )
    )
    monkeypatch.setattr(tabs, "letters", lambda _context: found)
    field = with_part("gravity").omi_physics.gravity.point
    layout = _Headings()
    tabs.draw_optional(layout, field, "Unit Distance", "unit_distance")
    assert ("heading Unit Distance" in layout.texts) is is_heading
    assert ("Unit Distance" in layout.texts) is not is_heading
    layout = _Headings()
    tabs.draw_optional(layout, field, "Speed", "unit_distance")
    assert "heading Speed" in layout.texts  # Short words stay in line with other labels.


def test_a_number_that_means_none_is_a_tick():
    field = with_part("gravity").omi_physics.gravity.point
    assert not field.use_unit_distance
    field.use_unit_distance = True
    field.unit_distance = 3.0
    field.use_unit_distance = True
    assert field.unit_distance == 3.0
    field.use_unit_distance = False
    assert field.unit_distance == 0.0
    fit: Any = bpy.context.scene.omi_physics.fit
    assert fit.use_hulls
    fit.use_hulls = False
    assert fit.hulls == 0
    fit.use_hulls = True
    assert fit.hulls == 32
