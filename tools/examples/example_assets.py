"""What of the sample library no example has: a lamp, a crane, a ragdoll and a pressure plate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tools.examples import example_forms as forms
from tools.examples import walk_scenes
from tools.examples.example_joints import hang_links
from tools.examples.example_stage import (
    HERE,
    held,
    make_body,
    make_collider,
    make_joint,
    make_trigger,
)

if TYPE_CHECKING:
    from tools.examples.example_stage import Stage, Vector

_LINKS, _LINK, _WIRE = 5, 0.28, 0.04  # Of the chain of the lamp, m.
_JIB, _TROLLEY = 4.0, 2.6  # Height, and how far out the trolley is, m.
_ROPE = 0.35  # From one joint of the crane's rope to the next, m.
# Half the width of a figure's limbs, m.
_WIDTHS: Final = {"Hips": 0.15, "Spine": 0.15, "Head": 0.1, "Arm": 0.05, "Leg": 0.07}


def add_lamp(stage: Stage) -> None:
    """Dynamic, with a light, on a chain below a static beam."""
    stage.settings("Ball", held("LINEAR"))
    beam = stage.block("Lamp Beam", (1.0, 0.16, 0.16), (0.0, 0.0, 2.6), "Wood", "STATIC")
    top = 2.52
    last = hang_links(stage, "Lamp", beam, (0.0, 0.0, top), _LINK, _WIRE, _LINKS)
    shade = forms.frustum((0.5, 0.5), (0.16, 0.16), 0.26)
    place = (0.0, 0.0, top - _LINKS * _LINK - 0.28)
    lamp = stage.place("Lamp", stage.mesh("Lamp Shade", shade, "Red", flat=True), place)
    make_body(lamp, "DYNAMIC", mass=2.0, center_of_mass=(0.0, 0.0, 0.1))
    make_collider(lamp, "CONVEX")
    bulb = stage.mesh("Lamp Bulb", forms.globe(0.11, 2), "Yellow")
    stage.place("Lamp Bulb", bulb, (0.0, 0.0, -0.03), below=lamp)
    light = stage.data.lights.new("Lamp Light", "POINT")
    light.energy = 40.0
    stage.place("Lamp Light", light, (0.0, 0.0, -0.2), below=lamp)
    ball = stage.empty("Lamp Joint", (0.0, 0.0, 0.28), below=lamp)
    make_joint(ball, "Ball", last, pivot_at_joint=True)


def add_crane(stage: Stage) -> None:
    """A motor swings the jib, another one drives the trolley out, and a load hangs on its rope."""
    swing = {
        "type": "ANGULAR",
        "axis": "Z",
        "use_velocity_target": True,
        "velocity_angle": 0.3,
        "damping": 3000.0,
    }
    drive = {
        "type": "LINEAR",
        "axis": "X",
        "use_position_target": True,
        "use_velocity_target": True,
        "position_distance": 0.6,
        "stiffness": 2000.0,
        "damping": 1500.0,
        "use_max_force": True,
        "max_force": 600.0,
    }
    still = held("LINEAR")
    rail = held("LINEAR", "X", min_distance=-1.4, max_distance=1.0)
    stage.settings("Ball", still)
    stage.settings("Swing", still, held("ANGULAR", "XY"), drives=(swing,))
    stage.settings("Trolley", held("LINEAR", "YZ"), rail, held("ANGULAR"), drives=(drive,))
    foot = stage.block("Crane Foot", (1.4, 1.4, 0.3), (0.0, 0.0, 0.15), "Stone", "STATIC")
    size = (0.4, 0.4, _JIB - 0.3)
    place = (0.0, 0.0, 0.5 * size[2] + 0.15)
    mesh = stage.mesh("Crane Tower", forms.box(size), "Yellow")
    tower = stage.place("Crane Tower", mesh, place, below=foot)
    make_collider(tower, "BOX", sizes={"size": size})
    size = (4.6, 0.3, 0.3)
    jib = stage.block(
        "Crane Jib",
        size,
        (0.0, 0.0, _JIB + 0.2),
        "Yellow",
        "DYNAMIC",
        mass=120.0,
        center=(1.3, 0, 0),
    )
    weight = stage.mesh("Crane Weight", forms.box((0.7, 0.7, 0.6)), "Stone")
    counter = stage.place("Crane Weight", weight, (-0.8, 0.0, 0.0), below=jib)
    make_collider(counter, "BOX", sizes={"size": (0.7, 0.7, 0.6)})
    jib.omi_physics.motion.center_of_mass_mode = "SHAPES"
    make_joint(stage.empty("Crane Swing", HERE, below=jib), "Swing", foot, pivot_at_joint=True)
    place = (_TROLLEY, 0.0, _JIB - 0.05)
    trolley = stage.block("Crane Trolley", (0.4, 0.4, 0.14), place, "Steel", "DYNAMIC", mass=30.0)
    rail_joint = stage.empty("Crane Rail", HERE, below=trolley)
    make_joint(rail_joint, "Trolley", jib, pivot_at_joint=True)
    top = place[2] - 0.09
    last = hang_links(stage, "Crane", trolley, (_TROLLEY, 0.0, top), _ROPE, 0.04, 4)
    edge = 0.5
    place = (_TROLLEY, 0.0, top - 4 * _ROPE - 0.5 * edge - 0.02)
    load = stage.block("Crane Load", (edge, edge, edge), place, "Orange", "DYNAMIC", mass=10.0)
    hook = stage.empty("Crane Hook", (0.0, 0.0, 0.5 * edge + 0.02), below=load)
    make_joint(hook, "Ball", last, pivot_at_joint=True)


def add_pressure_plate(stage: Stage) -> None:
    """Dynamic, on a spring; a trigger above it detects what stands on it."""
    spring = {
        "type": "LINEAR",
        "axis": "Z",
        "use_position_target": True,
        "use_velocity_target": True,
        "stiffness": 2500.0,
        "damping": 150.0,
    }
    stage.settings(
        "Spring",
        held("LINEAR", "XY"),
        held("LINEAR", "Z", min_distance=-0.06, max_distance=0.0),
        held("ANGULAR"),
        drives=(spring,),
    )
    frame = stage.block("Plate Frame", (1.5, 1.5, 0.05), (0.0, 0.0, 0.025), "Stone", "STATIC")
    plate = stage.block(
        "Pressure Plate", (1.2, 1.2, 0.08), (0.0, 0.0, 0.16), "Red", "DYNAMIC", mass=5.0
    )
    slide = stage.empty("Plate Spring", HERE, below=plate)
    make_joint(slide, "Spring", frame, pivot_at_joint=True)
    trigger = stage.empty("Plate Trigger", (0.0, 0.0, 0.335), below=frame)
    make_trigger(trigger, "BOX", sizes={"size": (1.2, 1.2, 0.3)})


def add_ragdoll(stage: Stage) -> None:
    """A figure whose bones are bodies."""
    walk_scenes.model_ragdoll()
    skeleton = walk_scenes.named("Skeleton")
    skeleton.name = skeleton.data.name = "Ragdoll"
    vertices: list[Vector] = []
    faces: list[Any] = []
    owners: list[tuple[str, range]] = []
    for bone in skeleton.data.bones:
        form = _limb(tuple(bone.head_local), tuple(bone.tail_local), _width(bone.name))
        start = len(vertices)
        vertices += form.vertices
        faces += [tuple(start + at for at in face) for face in form.faces]
        owners.append((bone.name, range(start, len(vertices))))
    mesh = stage.mesh("Figure", forms.Form(vertices, faces), "Orange", flat=True)
    figure = stage.place("Figure", mesh, HERE, below=skeleton)
    for name, points in owners:
        figure.vertex_groups.new(name=name).add(list(points), 1.0, "REPLACE")
    figure.modifiers.new("Armature", "ARMATURE").object = skeleton
    walk_scenes.select(skeleton.name)
    stage.bpy.ops.object.omi_physics_make_ragdoll()
    skeleton.show_in_front = False


def _width(bone: str) -> float:
    return next(width for part, width in _WIDTHS.items() if bone.endswith(part))


def _limb(head: Vector, tail: Vector, width: float) -> forms.Form:
    """A box along a bone."""
    ends = zip(head, tail, strict=True)
    spans = [(min(a, b), max(a, b)) for a, b in ends]
    wide = [(low, high) if high - low > 0.1 else (low - width, high + width) for low, high in spans]
    x, y, z = (high - low for low, high in wide)
    a, b, c = (0.5 * (low + high) for low, high in wide)
    return forms.box((x, y, z), (a, b, c))
