"""Adds new objects with physics, as the Add menu of the 3D Viewport offers them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import bmesh
import bpy
import numpy as np
from mathutils import Euler, Matrix, Quaternion, Vector

from ...model.vehicles import Wheel
from ..base import groups
from ..base.mesh_arrays import children_of_all, points
from ..preview import player
from ..properties import part_choices
from .chosen_objects import Undoable, can_change, done, pgettext_rpt, split, unavailable
from .joints.joint_connect import select_only
from .vehicle_parts import share

Vector3 = tuple[float, float, float]

_VEHICLE_PARTS: Final = frozenset({"WHEEL", "THRUSTER", "HOVER_THRUSTER", "SEAT"})
_UPWARD: Final = Euler((-np.pi / 2.0, 0.0, 0.0)).to_quaternion()  # Turns -Y up.
_LABELS: Final = {word: label for word, label, _, _ in part_choices.NEW_OBJECTS}


class _Form(NamedTuple):
    """What a new object is at its usual size.

    Attributes:
        mesh: lengths of a box that it shows, m; None for an empty.
        display, size: how an empty is shown.
    """

    mesh: Vector3 | None = None
    display: str = "PLAIN_AXES"
    size: float = 0.5


_FORMS: Final = {
    "BODY": _Form(mesh=(1.0, 1.0, 1.0)),
    "COLLIDER": _Form(mesh=(1.0, 1.0, 1.0)),
    "VEHICLE": _Form(mesh=(1.8, 4.0, 0.6)),
    "TRIGGER": _Form(display="CUBE", size=1.0),
    "JOINT": _Form(display="ARROWS", size=0.5),
    "WHEEL": _Form(size=Wheel.radius),
    "THRUSTER": _Form(display="CONE", size=0.25),
    "HOVER_THRUSTER": _Form(display="CONE", size=0.25),
    "SEAT": _Form(size=0.25),
    "POINT_GRAVITY": _Form(display="SPHERE", size=0.5),
}
_GRAVITY: Final = _Form(size=1.0)


class OMIPHYSICS_OT_new(part_choices.NewObject, Undoable, bpy.types.Operator):
    """Adds a new object that has a part of physics."""

    bl_idname = "object.omi_physics_new"
    bl_label = "Add Physics Object"
    bl_description = "Add a new object with physics at the 3D cursor"

    @classmethod
    def description(cls, context: bpy.types.Context, properties: Any) -> str:
        """What the new object is."""
        return pgettext_rpt(part_choices.NEW_TEXTS[properties.kind])

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether an object can be added: as Blender's own, in Object Mode."""
        if context.mode != "OBJECT":
            return unavailable(cls, "Switch to Object Mode to add objects")
        collection: Any = context.collection
        if collection is not None and collection.is_editable:
            return True
        return unavailable(cls, "The active collection is linked from another file")

    def draw(self, context: bpy.types.Context) -> None:
        """As Blender's own; the vehicle only where there can be one."""
        chosen = self._chosen
        layout = split(self.layout)
        layout.prop(self, "factor")
        if chosen.kind in _VEHICLE_PARTS:
            layout.prop(self, "use_vehicle")
        layout.prop(self, "align")
        layout.prop(self, "location")
        layout.prop(self, "rotation")

    @property
    def _chosen(self) -> Any:
        return self

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Make it, place it, select it."""
        from ..authoring.wheel_makers import keep_place

        player.hold()
        chosen = self._chosen
        vehicle = _vehicle(context) if chosen.kind in _VEHICLE_PARTS else None
        if not chosen.use_vehicle:
            vehicle = None
        obj = _make(chosen.kind, chosen.factor)
        collection: Any = context.collection
        collection.objects.link(obj)
        place = self._place(context, vehicle)
        if vehicle is None:
            obj.matrix_world = place
        else:
            keep_place(obj, vehicle, vehicle.matrix_world, place)
        _start(context, obj, chosen.kind, chosen.factor)
        _select(context, obj)
        return done(self, "Added {name}", name=obj.name)

    def _place(self, context: bpy.types.Context, vehicle: Any) -> Matrix:
        """Where the object goes; remembers it, so that the redo panel shows it."""
        chosen = self._chosen
        scene: Any = context.scene
        if not self.properties.is_property_set("location"):
            chosen.location = scene.cursor.location
        given: Any = self.properties
        if not given.is_property_set("rotation") and not given.is_property_set("align"):
            preferences: Any = context.preferences
            chosen.align = preferences.edit.object_align
        if chosen.align == "WORLD":
            turn: Any = Euler(chosen.rotation).to_quaternion()
        else:
            turn = _aligned(context, chosen.align)
            chosen.rotation = turn.to_euler()
        if vehicle is not None and chosen.align == "WORLD":
            turn = vehicle.matrix_world.to_quaternion() @ turn
        if chosen.kind == "HOVER_THRUSTER":
            turn = turn @ _UPWARD
        return Matrix.LocRotScale(Vector(chosen.location), turn, None)


def _aligned(context: bpy.types.Context, align: str) -> Quaternion:
    """The rotation that a choice of alignment gives; that of the world without a viewport."""
    scene: Any = context.scene
    space: Any = context.space_data
    if align == "CURSOR":
        return scene.cursor.matrix.to_quaternion()
    if align == "VIEW" and space is not None and space.type == "VIEW_3D":
        return space.region_3d.view_rotation.copy()
    return Quaternion()


def _vehicle(context: bpy.types.Context) -> Any:
    """The vehicle that is active, or above what is."""
    from ..authoring.starting_values import vehicle_above

    view_layer: Any = context.view_layer
    active = view_layer.objects.active
    if active is None:
        return None
    vehicle = active if groups.read(active).use_vehicle_body else vehicle_above(active)
    return vehicle if vehicle is not None and can_change(vehicle) else None


def _label(kind: str) -> str:
    return _LABELS.get(kind) or kind.replace("_", " ").title()


def _make(kind: str, factor: float) -> Any:
    """An object without physics that nothing shows yet."""
    form = _FORMS.get(kind, _GRAVITY)
    mesh = None if form.mesh is None else _box(_label(kind), form.mesh, factor)
    obj: Any = bpy.data.objects.new(_label(kind), mesh)
    if mesh is None:
        obj.empty_display_type = form.display
        obj.empty_display_size = form.size * factor
    return obj


def _box(name: str, size: Vector3, factor: float) -> bpy.types.Mesh:
    mesh = bpy.data.meshes.new(name)
    work: Any = bmesh.new()
    try:
        bmesh.ops.create_cube(work, size=factor)
        bmesh.ops.scale(work, vec=size, verts=work.verts)
        work.to_mesh(mesh)
    finally:
        work.free()
    return mesh


def _select(context: bpy.types.Context, obj: Any) -> None:
    select_only(context, [obj])
    space: Any = context.space_data
    if space is not None and space.type == "VIEW_3D" and space.local_view:
        obj.local_view_set(space, True)


def _start(context: bpy.types.Context, obj: Any, kind: str, factor: float) -> None:
    """Give a new object its physics."""
    group = groups.of_object(obj)
    if kind.endswith("_GRAVITY"):
        _start_gravity(obj, kind.removesuffix("_GRAVITY"), factor)
    elif kind in _STARTS:
        _STARTS[kind](obj, group, factor)
    else:
        _start_part(context, obj, kind.lower(), factor)


def _start_solid(obj: Any, group: Any, _factor: float) -> None:
    from ..authoring.fitting import fit_shape

    group.use_collider = True
    fit_shape(group.collider.shape, "BOX", points(obj.data))


def _start_body(obj: Any, group: Any, factor: float) -> None:
    _start_solid(obj, group, factor)
    group.use_motion = True
    group.motion.type = "DYNAMIC"


def _start_vehicle(obj: Any, group: Any, factor: float) -> None:
    from ..authoring import starting_values

    _start_body(obj, group, factor)
    group.use_vehicle_body = True
    group.motion.mass = starting_values.guess_mass(obj)


def _start_trigger(_obj: Any, group: Any, factor: float) -> None:
    group.use_trigger = True
    group.trigger.shape.box.size = [2.0 * factor] * 3


def _start_joint(_obj: Any, group: Any, _factor: float) -> None:
    group.use_joint = True


_STARTS: Final[dict[str, Callable[[Any, Any, float], None]]] = {
    "BODY": _start_body,
    "COLLIDER": _start_solid,
    "TRIGGER": _start_trigger,
    "JOINT": _start_joint,
    "VEHICLE": _start_vehicle,
}


def _start_gravity(obj: Any, kind: str, factor: float) -> None:
    from ..authoring.gravity_forms import start_gravity

    groups.of_object(obj).use_gravity = True
    start_gravity(obj, kind, np.zeros((0, 3), dtype=np.float32), factor)


def _start_part(context: bpy.types.Context, obj: Any, part: str, factor: float) -> None:
    """A part of a vehicle, with what carries or moves the vehicle above it."""
    from ..authoring import starting_values
    from ..authoring.rigging.vehicle_body import take_pilot_seat
    from ..authoring.starting_values import vehicle_above

    group = groups.of_object(obj)
    setattr(group, f"use_{part}", True)
    if part == "seat":
        starting_values.set_seat(obj, factor)
    if part == "wheel" and factor != 1.0:
        size = starting_values.WheelSize(radius=Wheel.radius * factor, width=Wheel.width * factor)
        starting_values.set_wheel_size(group.wheel, size)
    children = children_of_all()
    vehicle = vehicle_above(obj)
    if part == "seat" and vehicle is not None:
        take_pilot_seat(vehicle, children)
    if part in starting_values.PARTS:
        share(context, part, [obj], vehicle, children)
