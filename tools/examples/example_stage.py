"""What the example scenes are set up with: objects, materials, light, and physics."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from tools.examples.example_forms import box

if TYPE_CHECKING:
    from collections.abc import Callable

    from tools.examples.example_forms import Form

Vector = tuple[float, float, float]
HERE: Vector = (0.0, 0.0, 0.0)
COLORS = {
    "Plaster": (0.46, 0.43, 0.38),
    "Stone": (0.35, 0.36, 0.38),
    "Grass": (0.22, 0.42, 0.14),
    "Wood": (0.50, 0.28, 0.11),
    "Steel": (0.30, 0.42, 0.55),
    "Red": (0.75, 0.08, 0.06),
    "Orange": (0.90, 0.33, 0.03),
    "Yellow": (0.90, 0.62, 0.06),
    "Blue": (0.07, 0.25, 0.65),
    "White": (0.90, 0.92, 0.95),
    "Meadow": (0.30, 0.46, 0.16),
    "Leaves": (0.09, 0.27, 0.10),
    "Rubber": (0.04, 0.04, 0.05),
    "Sea": (0.05, 0.20, 0.42),
    "Earth": (0.36, 0.24, 0.13),
    "Glass": (0.05, 0.09, 0.13),
}


def fill(group: Any, values: dict[str, Any]) -> None:
    """Set the named properties of a property group."""
    for name, value in values.items():
        setattr(group, name, value)


def set_shape(shape: Any, kind: str, sizes: dict[str, Any], **values: Any) -> None:
    """Set up a shape.

    Args:
        sizes: properties of the group that belongs to the kind.
        values: properties of the shape itself, such as where it sits.
    """
    shape.type = kind
    if sizes:
        fill(getattr(shape, kind.lower()), sizes)
    fill(shape, values)


def make_body(obj: Any, kind: str, **values: Any) -> None:
    """Make a body of an object."""
    obj.omi_physics.use_motion = True
    obj.omi_physics.motion.type = kind
    fill(obj.omi_physics.motion, values)


def make_collider(
    obj: Any,
    kind: str,
    *,
    surface: str = "",
    filtered: str = "",
    sizes: dict[str, Any] | None = None,
    **values: Any,
) -> None:
    """Make an object solid.

    Args:
        surface: name of the physics material.
        filtered: name of the collision filter.
    """
    obj.omi_physics.use_collider = True
    collider = obj.omi_physics.collider
    set_shape(collider.shape, kind, sizes or {}, **values)
    fill(collider, {"physics_material": surface, "collision_filter": filtered})


def make_trigger(
    obj: Any, kind: str, *, sizes: dict[str, Any] | None = None, filtered: str = "", **values: Any
) -> None:
    """Make a trigger with a shape of its own of an object."""
    obj.omi_physics.use_trigger = True
    set_shape(obj.omi_physics.trigger.shape, kind, sizes or {}, **values)
    obj.omi_physics.trigger.collision_filter = filtered


def make_gravity(obj: Any, kind: str, *, sizes: dict[str, Any] | None = None, **values: Any) -> Any:
    """Let a trigger have its own gravity; returns the group that belongs to the kind."""
    obj.omi_physics.use_gravity = True
    gravity = obj.omi_physics.gravity
    fill(gravity, {"type": kind, **values})
    group = getattr(gravity, kind.lower())
    fill(group, sizes or {})
    return group


def make_joint(obj: Any, settings: str, connected: Any, **values: Any) -> None:
    """Hold the body above an object to another one, by the name of the settings."""
    obj.omi_physics.use_joint = True
    joint = obj.omi_physics.joint
    fill(joint, {"settings": settings, "connected_object": connected, **values})


def held(kind: str, axes: str = "XYZ", **values: Any) -> dict[str, Any]:
    """A limit of joint settings that lets nothing move, unless `values` say a range."""
    which = [axis in axes for axis in "XYZ"]
    return {"kind": kind, "axes": which, "use_min": True, "use_max": True, **values}


def hide_mesh(obj: Any) -> None:
    """Keep a mesh for collisions only."""
    obj.omi_physics.is_collision_only = True
    obj.display_type, obj.hide_render = "WIRE", True


def use_nodes(owner: Any) -> None:
    """Give a material or world nodes, which they have from the start since Blender 5.0."""
    if owner.node_tree is None:
        owner.use_nodes = True


class Stage:
    """The scene while it is set up."""

    def __init__(self, bpy: Any, collection: Any = None) -> None:
        """Take the scene that is shown; all goes into the collection, or into one per group."""
        self.bpy = bpy
        self.data = bpy.data
        self.scene = bpy.context.scene
        self._collection = collection
        self._groups: dict[str, Any] = {}

    def place(
        self,
        name: str,
        data: Any,
        location: Vector,
        *,
        group: str = "",
        rotation: Vector = HERE,
        below: Any = None,
    ) -> Any:
        """A new object; the one `below` which it hangs also says its collection."""
        obj = self.data.objects.new(name, data)
        obj.location, obj.rotation_euler = location, rotation
        obj.parent = below
        for collection in below.users_collection if below else (self._group(group),):
            collection.objects.link(obj)
        return obj

    def mesh(self, name: str, form: Form, color: str, *, flat: bool = False) -> Any:
        """A new mesh of one colour, with soft edges where it is round and not to look flat."""
        mesh = self.data.meshes.new(name)
        mesh.from_pydata(form.vertices, [], form.faces)
        mesh.validate()
        mesh.polygons.foreach_set("use_smooth", [not flat] * len(mesh.polygons))
        if not flat:
            mesh.set_sharp_from_angle(angle=math.radians(40.0))
        mesh.materials.append(self._material(color))
        return mesh

    def paint(self, mesh: Any, color: str, where: Callable[[Vector], bool]) -> None:
        """Give the faces of a mesh another colour whose middles are somewhere."""
        mesh.materials.append(self._material(color))
        last = len(mesh.materials) - 1
        for face in mesh.polygons:
            if where(tuple(face.center)):
                face.material_index = last

    def empty(self, name: str, location: Vector, **options: Any) -> Any:
        """A new object without a mesh, drawn small."""
        obj = self.place(name, None, location, **options)
        obj.empty_display_type, obj.empty_display_size = "PLAIN_AXES", 0.25
        return obj

    def settings(
        self, name: str, *limits: dict[str, Any], drives: tuple[dict[str, Any], ...] = ()
    ) -> None:
        """New joint settings of the scene."""
        entry = self.scene.omi_physics.joint_settings.add()
        entry.name = name
        for values in limits:
            fill(entry.limits.add(), values)
        for values in drives:
            fill(entry.drives.add(), values)

    def surface(self, name: str, **values: Any) -> None:
        """A new physics material of the scene."""
        fill(self.scene.omi_physics.physics_materials.add(), {"name": name, **values})

    def filter(self, name: str, system: str, **lists: str) -> None:
        """A new collision filter of the scene for one system, with `only` or `but` another."""
        entry = self.scene.omi_physics.collision_filters.add()
        entry.name = name
        entry.collision_systems.add().name = system
        if "only" in lists:
            entry.mode = "ONLY"
            entry.collide_with_systems.add().name = lists["only"]
        if "but" in lists:
            entry.mode = "NOT"
            entry.not_collide_with_systems.add().name = lists["but"]

    def ground(self, size: Vector, **options: Any) -> Any:
        """A static floor, whose upper side is at height zero."""
        center = (0.0, 0.0, -0.5 * size[2])
        floor = self.place(
            "Ground", self.mesh("Ground", box(size, center), "Plaster"), HERE, group="Static"
        )
        make_body(floor, "STATIC")
        make_collider(floor, "BOX", sizes={"size": size}, location=center, **options)
        return floor

    def block(
        self, name: str, size: Vector, location: Vector, color: str, kind: str, **options: Any
    ) -> Any:
        """A body of type `kind` with a box for mesh and shape; options of `place`."""
        mass = options.pop("mass", None)
        center = options.pop("center", HERE)
        group = "" if options.get("below") else kind.title()
        mesh = self.mesh(name, box(size, center), color)
        obj = self.place(name, mesh, location, group=group, **options)
        make_body(obj, kind, **({} if mass is None else {"mass": mass}))
        make_collider(obj, "BOX", sizes={"size": size}, location=center)
        return obj

    def _group(self, name: str) -> Any:
        if self._collection is not None:
            return self._collection
        if name not in self._groups:
            self._groups[name] = self.data.collections.new(name)
            self.scene.collection.children.link(self._groups[name])
        return self._groups[name]

    def _material(self, color: str) -> Any:
        material = self.data.materials.get(color)
        if material is None:
            material = self.data.materials.new(color)
            use_nodes(material)
            material.diffuse_color = (*COLORS[color], 1.0)
            surface = material.node_tree.nodes["Principled BSDF"]
            surface.inputs["Base Color"].default_value = (*COLORS[color], 1.0)
            surface.inputs["Roughness"].default_value = 0.6
        return material


def add_camera_and_lights(
    stage: Stage,
    location: Vector = (0.2, -12.6, 6.9),
    tilt: float = 64.0,
    heading: float = 0.0,
) -> None:
    """What makes a pleasant picture.

    Args:
        tilt: 0 degrees for straight down, 90 for level.
        heading: degrees from +Y toward -X.
    """
    camera = stage.data.cameras.new("Camera")
    camera.lens = 38.0
    turn = (math.radians(tilt), 0.0, math.radians(heading))
    stage.scene.camera = stage.place(
        "Camera", camera, location, rotation=turn, group="Camera and Lights"
    )
    sun = stage.data.lights.new("Sun", "SUN")
    sun.energy, sun.angle = 2.5, math.radians(6.0)
    turn = (math.radians(40.0), math.radians(-24.0), 0.0)
    stage.place("Sun", sun, (-4.0, -4.0, 8.0), rotation=turn, group="Camera and Lights")
    world = stage.scene.world = stage.data.worlds.new("Sky")
    use_nodes(world)
    background = world.node_tree.nodes["Background"].inputs
    background["Color"].default_value = (0.45, 0.58, 0.75, 1.0)
    background["Strength"].default_value = 0.5


def brighten(
    stage: Stage, sky: Vector = (0.42, 0.66, 0.95), strength: float = 0.75, sun: float = 3.3
) -> None:
    """Let the picture be as bright and colourful as on a sunny day, or as far out in space."""
    stage.scene.view_settings.view_transform = "Standard"
    stage.data.lights["Sun"].energy = sun
    background = stage.scene.world.node_tree.nodes["Background"].inputs
    background["Color"].default_value = (*sky, 1.0)
    background["Strength"].default_value = strength


def set_up_screens(stage: Stage) -> None:
    """Let the file open on the picture, and tell nothing about our folders."""
    for screen in stage.data.screens:
        for area in screen.areas:
            space = area.spaces.active
            if area.type == "VIEW_3D":
                space.shading.color_type = "MATERIAL"
                space.region_3d.view_perspective = "CAMERA"
                space.region_3d.view_camera_zoom = 20.0
            elif area.type == "FILE_BROWSER" and space.params:
                space.params.directory = b"//"
