"""What every_panel.py pictures: an object for each way that the Physics tab can look."""

from __future__ import annotations

from typing import Any, Final

from tools.examples.example_stage import (
    Stage,
    fill,
    held,
    make_body,
    make_collider,
    make_gravity,
    make_joint,
)

KEPT: Final = '{"OMI_future":{},"note":"kept"}'  # Members of a file that have no field.
GRAVITIES: Final = ("DIRECTIONAL", "POINT", "DISC", "TORUS", "LINE", "SHAPED", "OTHER")
SHAPES: Final = (
    "BOX",
    "SPHERE",
    "CAPSULE",
    "CYLINDER",
    "CONVEX",
    "TRIMESH",
    "PLANE",
    "NONE",
    "OTHER",
)
_KINDS: Final = ("FIXED", "HINGE", "PISTON", "ROPE", "CONE_TWIST", "SIX_DOF", "SERVO", "MOTOR")
_SHOWN: Final = {"use_turn": True, "use_range": True, "is_soft": True}
# Operator and detail, what is selected, and values; their redo panels are looked at.
REDOS: Final[tuple[tuple[str, tuple[str, ...], dict[str, Any]], ...]] = (
    ("fit_shape box", ("Box Collider",), {"type": "BOX"}),
    ("fit_shape capsule", ("Box Collider",), {"type": "CAPSULE"}),
    ("fit_shape convex", ("Box Collider",), {"type": "CONVEX", "use_budget": True}),
    ("fit_simplest", ("Box Collider",), {}),
    ("connect_selected", ("Car", "Static Body"), {"kind": "BALL"}),
    ("connect_row", ("Car", "Static Body"), {"kind": "SLIDER"}),
    ("rope_from_curve", ("Path",), {}),
    *(
        (f"set_joint_kind {kind.lower()}", ("Door Joint",), {"kind": kind, **_SHOWN})
        for kind in _KINDS
    ),
    ("copy_joint_settings", ("New Joint", "Door Joint"), {}),
    ("rig_vehicle", ("Nothing",), {"kind": "SPACESHIP"}),
    ("make_wheels", ("Trigger", "Nothing"), {}),
    ("new", ("Car",), {"kind": "HOVER_THRUSTER"}),
    ("copy_to_selected", ("Nothing", "Car"), {}),
    ("add_gravity", ("Nothing",), {"type": "LINE"}),
    ("add_hover_thruster", ("Nothing",), {}),
    ("add_motion", ("Nothing",), {}),
    ("add_collider", ("Nothing",), {}),
    ("add_seat", ("Nothing",), {}),
    ("select_role", ("Car",), {"role": "WHEEL"}),
)


class Cases:
    """Objects in a row, each with a part that is named after what its panels show."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.names: list[str] = []

    def add(self, name: str, *parts: str, data: Any = None, below: Any = None) -> Any:
        """A new object with parts of physics; returns its physics."""
        place = (0.0, 0.0, 0.0) if below else (3.0 * len(self.names), 0.0, 4.0)
        obj = self.stage.place(name, data, place, below=below)
        obj.empty_display_size = 0.3
        for part in parts:
            setattr(obj.omi_physics, f"use_{part}", True)
        self.names.append(name)
        return obj.omi_physics


def build(bpy: Any) -> list[str]:
    """Fill an empty scene; returns the names of the objects to look at, in order."""
    cases = Cases(Stage(bpy))
    mesh = bpy.data.meshes.new("Form")
    mesh.from_pydata([(-0.5, -0.5, 0.0), (0.5, -0.5, 0.0), (0.0, 0.5, 1.0)], [], [(0, 1, 2)])
    add_lists(cases.stage)
    cases.add("Nothing")
    add_bodies(cases, mesh)
    add_shapes(cases, mesh)
    add_triggers(cases)
    add_joints(cases)
    add_gravity(cases)
    add_vehicles(cases)
    return cases.names


def add_lists(stage: Stage) -> None:
    """Materials, filters with systems of long names, and joint settings with rows of each kind."""
    stage.surface("Rubber", static_friction=0.9, dynamic_friction=0.8, kept=KEPT)
    stage.surface("Polished Marble Floor", restitution=0.2)
    stage.filter("Players", "Players", but="Debris")
    stage.filter("Pushable Furniture", "Pushable Furniture", only="Players")
    stage.filter("Debris", "Debris")
    stage.settings("Free")
    stage.settings(
        "Door",
        held("LINEAR"),
        held("ANGULAR", "XY"),
        held("ANGULAR", "Z", max_angle=1.92, use_stiffness=True, stiffness=500.0, damping=20.0),
        {"kind": "LINEAR", "axes": (True, False, False), "use_min": True, "min_distance": -0.125},
        {"kind": "ANGULAR"},
        {"kind": "LINEAR", "axes": (False, True, True)},
        held("ANGULAR", "X", min_angle=1.0, max_angle=-1.0),
        drives=(
            {
                "type": "ANGULAR",
                "axis": "Z",
                "use_position_target": True,
                "position_angle": 1.5708,
                "stiffness": 250.0,
                "damping": 30.0,
                "use_max_force": True,
            },
            {"type": "LINEAR", "use_velocity_target": True, "velocity_distance": -2.5},
            {"type": "ANGULAR", "axis": "Y", "mode": "ACCELERATION"},
            {"type": "OTHER", "other_type": "screw", "mode": "OTHER", "other_mode": "spring"},
        ),
    )
    stage.scene.omi_physics.joint_settings["Door"].kept = KEPT


def add_bodies(cases: Cases, mesh: Any) -> None:
    """The types of bodies, with values instead of guesses."""
    cases.add("Static Body", "motion", data=mesh).motion.type = "STATIC"
    cases.add("Kinematic Body", "motion", data=mesh).motion.type = "KINEMATIC"
    group = cases.add("Dynamic Body", "motion", data=mesh)
    fill(group.motion, {"type": "DYNAMIC", "mass_mode": "DENSITY", "density": 600.0})
    group.motion.center_of_mass_mode = group.motion.inertia_mode = "VALUE"
    group = cases.add("Imported Body", "motion")
    fill(group.motion, {"type": "DYNAMIC", "mass_mode": "VALUE", "mass": 1234.5, "kept": KEPT})


def add_shapes(cases: Cases, mesh: Any) -> None:
    """A collider of each type of shape."""
    for kind in SHAPES:
        group = cases.add(f"{kind.title()} Collider", "collider", data=mesh)
        group.collider.shape.type = kind
    group = cases.stage.data.objects["Other Collider"].omi_physics
    group.collider.shape.other_type = "heightfield"
    group.collider.shape.kept = KEPT
    fill(group.collider, {"physics_material": "Missing", "collision_filter": "Missing"})
    shape = cases.add("Mesh of Another", "collider", data=mesh).collider.shape
    fill(shape, {"type": "CONVEX", "mesh_source": "OBJECT"})
    shape.mesh_object = cases.stage.data.objects["Box Collider"]
    group = cases.add("Mesh of Data", "collider", data=mesh)
    fill(group.collider.shape, {"type": "TRIMESH", "mesh_source": "DATA", "mesh": mesh})
    fill(group.collider, {"physics_material": "Rubber", "collision_filter": "Players"})


def add_triggers(cases: Cases) -> None:
    """A shape, all below, and lists."""
    cases.add("Trigger", "trigger")
    cases.add("All Below", "trigger").trigger.mode = "BELOW"
    cases.add("Empty List", "trigger").trigger.mode = "LIST"
    listed = cases.add("Full List", "trigger")
    listed.trigger.mode = "LIST"
    for side in ("Left Half of the Gate", "Right Half of the Gate"):
        cases.add(side, "trigger", below=listed.id_data)
        listed.trigger.nodes.add().object = cases.stage.data.objects[side]


def add_joints(cases: Cases) -> None:
    """A new one, one with everything, and those with faults."""
    objects = cases.stage.data.objects
    cases.add("New Joint", "joint")
    for name in ("Door Joint", "Second Door Joint"):
        cases.add(name, "joint", below=objects["Dynamic Body"])
        make_joint(objects[name], "Door", objects["Static Body"], pivot_at_joint=True)
    cases.add("Joint to Itself", "joint", below=objects["Dynamic Body"])
    make_joint(objects["Joint to Itself"], "Free", objects["Dynamic Body"])
    cases.add("Lost Joint", "joint")
    make_joint(objects["Lost Joint"], "Missing", objects["Static Body"])
    cases.add("Joint the Wrong Way", "joint", below=objects["Static Body"])
    make_joint(objects["Joint the Wrong Way"], "Free", objects["Dynamic Body"])


def add_gravity(cases: Cases) -> None:
    """A volume of each type, one without a trigger, one on a body, one along a curve."""
    for kind in GRAVITIES:
        cases.add(f"{kind.title()} Gravity", "trigger", "gravity").gravity.type = kind
    objects = cases.stage.data.objects
    line = objects["Line Gravity"].omi_physics.gravity.line
    for place in ((0.0, 0.0, 0.0), (1.2345678, -123.456, 0.001)):
        line.points.add().location = place
    curve = cases.stage.data.curves.new("Path", "CURVE")
    points = curve.splines.new("POLY").points
    points.add(2)
    for i, point in enumerate(points):
        point.co.x = 0.5 * i
    cases.add("Path", data=curve)
    gravity = cases.add("Curve Gravity", "trigger", "gravity").gravity
    gravity.type, gravity.line.curve = "LINE", objects["Path"]
    cases.add("Gravity Alone", "gravity")
    group = cases.add("Gravity of a Body", "motion", "collider", "trigger")
    make_gravity(group.id_data, "POINT", kept=KEPT)


def add_vehicles(cases: Cases) -> None:
    """Vehicles, and their parts on and off one."""
    car = cases.add("Car", "motion", "collider", "vehicle_body")
    car.motion.type = "DYNAMIC"
    car.vehicle_body.max_speed = 50.0
    cases.add("Vehicle Alone", "vehicle_body")
    for label in ("Wheel", "Thruster", "Hover Thruster", "Seat"):
        part = label.lower().replace(" ", "_")
        group = cases.add(f"{label} of Car", part, below=car.id_data)
        if part == "wheel":
            wheel = {"max_steering_angle": 0.6, "max_propulsion_force": 900.0}
            fill(group.wheel, {**wheel, "physics_material": "Rubber", "part_kept": KEPT})
        cases.add(f"{label} Alone", part)
    car.vehicle_body.pilot_seat = cases.stage.data.objects["Seat of Car"]


def build_play(bpy: Any) -> None:
    """Something to play: a car to drive, a door with drives, a gate, and what is not exact."""
    stage = Stage(bpy)
    add_lists(stage)
    stage.ground((30.0, 30.0, 0.2))
    car = stage.block("Red Racing Car", (1.8, 3.6, 0.5), (0.0, 0.0, 0.8), "Red", "DYNAMIC")
    car.omi_physics.use_vehicle_body = car.omi_physics.vehicle_body.use_throttle = True
    for x in (-0.9, 0.9):
        for y in (-1.4, 1.4):
            wheel = stage.empty("Wheel", (x, y, -0.2), below=car).omi_physics
            wheel.use_wheel = True
            fill(wheel.wheel, {"radius": 0.4, "max_propulsion_force": 900.0})
    post = stage.block("Gate Post", (0.1, 0.1, 2.0), (3.0, 0.0, 1.0), "Steel", "STATIC")
    door = stage.block("Gate Wing", (1.0, 0.1, 2.0), (3.6, 0.0, 1.0), "Wood", "DYNAMIC")
    hinge = stage.empty("Gate Hinge", (-0.55, 0.0, 0.0), below=door)
    make_joint(hinge, "Door", post, pivot_at_joint=True)
    for index, height in enumerate((0.6, 3.0)):
        place = (-3.0, 3.0, height)
        crate = stage.block(f"Crate {index}", (0.8, 0.8, 0.8), place, "Orange", "DYNAMIC")
        crate.omi_physics.motion.center_of_mass_mode = "VALUE"
        crate.omi_physics.motion.center_of_mass = (0.2, 0.0, 0.0)
    hill = stage.place("Hill", stage.data.meshes["Ground"], (8.0, 8.0, 0.0))
    make_body(hill, "KINEMATIC")
    make_collider(hill, "TRIMESH")
    zone = stage.empty("Finish Line", (-3.0, 3.0, 1.0)).omi_physics
    zone.use_trigger = True
