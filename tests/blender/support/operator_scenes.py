"""The scenes of `operator_rows`: objects A and B are worked on, REST is beside them."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import bpy

from omi_physics_addon.blender.base import selection
from tests.blender.support import rigid_worlds
from tests.blender.support.scenes import add, cube_mesh
from tests.blender.support.skeletons import skeleton
from tests.support.assemblies import ASSEMBLIES

REST = "Rest"
Override = Mapping[str, Any]


def select(objects: str, active: str = "") -> None:
    """Select objects by their names; the first one is active unless said otherwise."""
    wanted = objects.split()
    view_layer = bpy.context.view_layer
    view_layer.update()  # New objects are in its list only after this.
    for obj in view_layer.objects:
        obj.select_set(obj.name in wanted)
    name = active or (wanted[0] if wanted else "")
    view_layer.objects.active = bpy.data.objects.get(name) if name else None
    view_layer.update()


def obj(name: str) -> Any:
    """An object by its name."""
    return bpy.data.objects[name]


def physics(name: str) -> Any:
    """The physics of an object."""
    return obj(name).omi_physics


def scene_lists() -> Any:
    """The lists of the scene."""
    return bpy.context.scene.omi_physics


def cubes(*parts: str, active: str = "A") -> Callable[[], None]:
    """Three cubes; the two that are selected have some parts, with a value that is not usual."""

    def build() -> None:
        for i, name in enumerate(("A", "B", REST)):
            add(name, cube_mesh(name), location=(3.0 * i, 0.5 * i, 0.0))
        for name in ("A", "B"):
            for part in parts:
                setattr(physics(name), f"use_{part}", True)
            physics(name).motion.mass = 7.0
        select("A B" if active == "A" else f"A B {active}", active)

    return build


def chosen(names_of: str, build: Callable[[], Any]) -> Callable[[], None]:
    """A scene in which something else is selected."""

    def again() -> None:
        build()
        select(names_of)

    return again


def bodies() -> None:
    """Two cubes, and a body to copy from."""
    cubes()()
    add("Source", cube_mesh())
    physics("Source").use_motion = physics("Source").use_collider = True
    physics("Source").motion.mass = 3.0
    physics("Source").collider.shape.type = "CAPSULE"
    select("Source A B")


def rigid_bodies() -> None:
    """Two of Blender's rigid bodies, tied to each other."""
    cubes()()
    for name in ("A", "B"):
        rigid_worlds.world().collection.objects.link(obj(name))
    rigid_worlds.constraint("Tie", "HINGE", (obj("A"), obj("B")))
    select("A B")


def tagged_names() -> None:
    """Two cubes whose names ask for physics."""
    cubes()()
    obj("A").name, obj("B").name = "Crate-col", "Floor-rigid"


def scaled() -> None:
    """Two colliders with a scale."""
    cubes("collider")()
    for name in ("A", "B"):
        obj(name).scale = (2.0, 2.0, 2.0)
    select("A B")


def round_colliders() -> None:
    """Two cubes as spheres."""
    cubes("collider")()
    for name in ("A", "B"):
        physics(name).collider.shape.type = "SPHERE"


def outgrown_boxes() -> None:
    """Two cubes whose boxes were fitted before they grew."""
    cubes("collider")()
    bpy.ops.object.omi_physics_fit_shape(type="BOX")
    for name in ("A", "B"):
        bpy.data.objects[name].data.vertices[0].co *= 3.0


def bodies_of_two_boxes() -> None:
    """Two bodies, each with a box as its shape."""
    cubes("motion", "collider")()


def wheels_and_chassis() -> None:
    """Two cubes as wheels, and a chassis that is active."""
    cubes()()
    add("Chassis", cube_mesh(), location=(1.5, 0.0, 1.0))
    select("A B Chassis", "Chassis")


def bolt_in_guide() -> None:
    """Two parts of which one slides in the other."""
    for name, mesh in zip("AB", ASSEMBLIES["bolt in a guide"][:2], strict=True):
        data: Any = bpy.data.meshes.new(name)
        data.from_pydata(mesh[0].tolist(), [], mesh[1].tolist())
        add(name, data)
    select("A B", "A")


def ragdoll() -> None:
    """An armature that is active."""
    cubes()()
    skeleton("animal")
    select("Rig", "Rig")


def vehicle_and_parts() -> None:
    """Two wheels that no vehicle has, and a vehicle that is active."""
    cubes("wheel")()
    add("V", cube_mesh(), location=(0.0, 2.0, 1.0))
    physics("V").use_vehicle_body = physics("V").use_motion = True
    select("A B V", "V")


def two_vehicles(part: str, mass: float = 1.0) -> Callable[[], None]:
    """Two vehicles that are selected, with a part each."""

    def build() -> None:
        cubes(part)()
        for name, below in (("V", "A"), ("W", "B")):
            add(name, cube_mesh())
            physics(name).use_vehicle_body = physics(name).use_motion = True
            physics(name).motion.mass = mass
            obj(below).parent = obj(name)
        select("V W")

    return build


def line() -> None:
    """Gravity along a line of four points, of which the second is active."""
    cubes()()
    group = physics("A")
    group.use_gravity, group.gravity.type = True, "LINE"
    for i in range(4):
        group.gravity.line.points.add().location = (float(i), float(i * i), 0.0)
    group.gravity.line.points_index = 1
    select("A")


def line_curves() -> None:
    """Two lines of gravity that have their points from a curve."""
    cubes()()
    curve = _curve("Path")
    for name in ("A", "B"):
        group = physics(name)
        group.use_gravity, group.gravity.type = True, "LINE"
        group.gravity.line.curve = curve
    select("A B")


def _curve(name: str) -> Any:
    data = bpy.data.curves.new(name, "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new("POLY")
    spline.points.add(2)
    for i, point in enumerate(spline.points):
        point.co = (float(i), 0.0, 0.0, 1.0)
    return add(name, data)


def rope() -> None:
    """A curve that is active."""
    cubes()()
    _curve("Path")
    select("Path")


def scene_gravity() -> None:
    """Gravity of the scene that differs from the one that is exported."""
    cubes()()
    bpy.context.scene.gravity = (0.0, 3.0, -4.0)
    scene_lists().world_gravity.gravity = 2.5


REFERRERS = {"physics_materials": "physics_material", "collision_filters": "collision_filter"}


def listed(list_name: str, part: str, *, used: bool = True) -> Callable[[], None]:
    """Three entries of a list, of which the second is active, and may be used."""

    def build() -> None:
        cubes(part)()
        entries = getattr(scene_lists(), list_name)
        for name in ("First", "Second", "Third"):
            entries.add(name)
        setattr(scene_lists(), f"{list_name}_index", 1)
        if used:
            for name in ("A", "B"):
                group = getattr(physics(name), part)
                setattr(group, REFERRERS.get(list_name, "settings"), "Second")
        bpy.context.view_layer.update()

    return build


def joint_list() -> None:
    """Joint settings with three limits, of which the second is active."""
    cubes()()
    entry = scene_lists().joint_settings.add("Settings")
    for i in range(3):
        limit = entry.limits.add()
        limit.axes, limit.use_min, limit.min_distance = (True,) * 3, True, -1.0 - i
    entry.limits_index = 1


def joined(*, shared: bool = False, only_active: bool = False) -> Callable[[], None]:
    """Two joints with the same settings, maybe shared with a third one; or that alone has any."""

    def build() -> None:
        cubes("joint")()
        joint_list_entry = scene_lists().joint_settings.add("Settings")
        joint_list_entry.limits.add().use_min = True
        users = ("A", "B", REST) if shared else (REST,) if only_active else ("A", "B")
        physics(REST).use_joint = shared or only_active
        for name in users:
            physics(name).joint.settings = "Settings"
        select(f"A B {REST}" if only_active else "A B", REST if only_active else "A")

    return build


def swappable() -> None:
    """Two joints below bodies, each connected to a third one."""
    cubes("joint")()
    entry = scene_lists().joint_settings.add("Settings")
    limit = entry.limits.add()
    limit.axes = (True, False, False)
    limit.use_min = limit.use_max = True
    limit.min_distance, limit.max_distance = -1.0, 3.0
    add("To")
    physics("To").use_motion = True
    for name in ("A", "B"):
        body = add(f"Body {name}")
        body.omi_physics.use_motion = True
        obj(name).parent = body
        physics(name).joint.connected_object = obj("To")
        physics(name).joint.settings = "Settings"
    select("A B")


def filters() -> None:
    """Two filters that mean the same, used by two triggers, and one of another system."""
    cubes("trigger")()
    for name, systems in (("F", "One"), ("G", "One"), ("H", "Two Third Fourth")):
        entry = scene_lists().collision_filters.add(name)
        for system in systems.split():
            entry.collision_systems.add().name = system
    scene_lists().collision_filters_index = 2
    for name in ("A", "B"):
        physics(name).trigger.collision_filter = "G"
    bpy.context.view_layer.update()


def triggers() -> None:
    """Two triggers below one that is active."""
    cubes("trigger")()
    owner = add("Owner")
    owner.omi_physics.use_trigger = True
    for name in ("A", "B"):
        obj(name).parent = owner
    select("A B Owner", "Owner")


def trigger_list() -> None:
    """A trigger that lists three others."""
    triggers()
    trigger = physics("Owner").trigger
    trigger.mode = "LIST"
    for name in ("A", "B", REST):
        trigger.nodes.add().object = obj(name)


def hidden() -> None:
    """Two triggers that were hidden by their role."""
    cubes("trigger")()
    selection.hide(bpy.context.view_layer, [obj("A"), obj("B")])


def bare() -> None:
    """Two cubes without physics, of which none is selected, and a static body."""
    cubes()()
    physics(REST).use_motion = physics(REST).use_collider = True
    select("")


def found_issues() -> None:
    """Two dynamic bodies with triangle meshes, which the scene has been checked for."""
    cubes("motion", "collider")()
    for name in ("A", "B"):
        physics(name).motion.type = "DYNAMIC"
        physics(name).collider.shape.type = "TRIMESH"
    select("A B")
    bpy.ops.scene.omi_physics_check()


# Options that depend on the scene.


def uid_of_a() -> dict[str, Any]:
    """The row of A."""
    return {"uid": obj("A").session_uid}


def two_bodies_and_a_file() -> dict[str, Any]:
    """A file that says another mass."""
    text = "import bpy\ngroup = bpy.context.object.omi_physics.motion\ngroup.mass = 9.0\n"
    return {"kind": "BODY", "filepath": _preset("bodies", text)}


def load_options() -> dict[str, Any]:
    """A file that says something else than the settings."""
    text = (
        "import bpy\n"
        "settings = bpy.context.scene.omi_physics.joint_settings[0]\n"
        "settings.limits.clear()\n"
    )
    return {"filepath": _preset("joints", text), "menu_idname": "OMIPHYSICS_MT_joint_presets"}


def _preset(folder: str, text: str) -> str:
    """A file where Blender looks for presets, which tests of operators say."""
    (kept, *_) = bpy.utils.preset_paths(f"omi_physics/{folder}")
    path = Path(kept) / "some.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return str(path)


def text_options() -> dict[str, Any]:
    """The family that is written."""
    return {"family": "KHR"}


# Where an operator does not apply; what each gives is to be overridden in the context.


def nothing_active() -> Override:
    """Objects of which none is selected or active."""
    cubes()()
    select("")
    return {}


def empty() -> Override:
    """No object, no entry in any list."""
    bpy.context.view_layer.update()
    return {}


def in_edit_mode() -> Override:
    """A mesh that is being edited."""
    cubes("trigger", "collider")()
    bpy.ops.object.mode_set(mode="EDIT")
    return {}


def anywhere_linked() -> Override:
    """A scene of another file."""
    cubes("joint", "collider")()
    return linked_scene()


def linked_scene() -> Override:
    """The scene once more, linked from a file."""
    path = Path(tempfile.mkdtemp(dir=bpy.app.tempdir)) / "library.blend"
    bpy.data.libraries.write(str(path), {bpy.context.scene})
    with bpy.data.libraries.load(str(path), link=True) as (there, here):
        here.scenes = there.scenes
    (scene,) = here.scenes
    return {"scene": scene, "view_layer": scene.view_layers[0]}
