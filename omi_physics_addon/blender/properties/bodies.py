# pyright: reportInvalidTypeForm=false
"""Property groups of bodies, colliders, triggers, and of the materials and filters they share."""

import bpy

from ...model.bodies import Motion, PhysicsMaterial
from . import entries, names
from .declare import OVERRIDABLE, kept, made_up_name, name_in_file, number, vector, word
from .shapes import OMIPHYSICS_PG_shape

MOTION_TEXTS = {
    "static": "Does not move",
    "kinematic": "Is moved by animation or code, and pushes others",
    "dynamic": "Is moved by the simulation",
}
_COMBINE = {
    "average": "The mean of both; wins over the other modes",
    "minimum": "The smaller of both",
    "maximum": "The larger of both",
    "multiply": "The product of both",
}


class OMIPHYSICS_PG_motion(bpy.types.PropertyGroup):
    """Shows a `Motion`."""

    type: word(Motion, "type", MOTION_TEXTS)
    mass_mode: bpy.props.EnumProperty(
        name="Mass From",
        description="Where the mass comes from",
        items=(
            ("VALUE", "Value", "The mass is given", 0),
            ("DENSITY", "Density", "Density times the volume of the body's shapes", 1),
            ("ENGINE", "Engine", "No mass is written; OMI engines take 1 kg", 2),
            ("INFINITE", "Infinite", "Nothing can push it; KHR only, OMI gets a large mass", 3),
        ),
        default="VALUE",
    )
    mass: number(Motion, "mass", default=1.0)
    density: bpy.props.FloatProperty(
        name="Density",
        description="Mass per volume, in kg/m³; water has 1000",
        default=1000.0,
        min=0.0,
        soft_max=20000.0,
    )
    center_of_mass_mode: bpy.props.EnumProperty(
        name="Center of Mass From",
        description="Where the center of mass comes from",
        items=(
            ("VALUE", "Value", "The center is given; zero is the origin of the object", 0),
            ("SHAPES", "Shapes", "The common center of the body's shapes", 1),
            ("ENGINE", "Engine", "No center is written; OMI engines take the origin", 2),
        ),
        default="VALUE",
    )
    center_of_mass: vector(Motion, "center_of_mass", default=(0.0, 0.0, 0.0))
    inertia_mode: bpy.props.EnumProperty(
        name="Inertia From",
        description="Where the moments of inertia come from",
        items=(
            ("ENGINE", "Engine", "The engine works them out from the shapes", 0),
            ("VALUE", "Value", "The moments are given", 1),
            (
                "SHAPES",
                "Shapes",
                "Worked out from the body's shapes and written; without a mass, left to the engine",
                2,
            ),
            ("INFINITE", "Infinite", "Nothing can turn it; KHR only, OMI gets large moments", 3),
        ),
        default="ENGINE",
    )
    inertia_diagonal: vector(Motion, "inertia_diagonal", default=(1.0, 1.0, 1.0))
    inertia_orientation: vector(Motion, "inertia_orientation")
    linear_velocity: vector(Motion, "linear_velocity")
    angular_velocity: vector(Motion, "angular_velocity")
    gravity_factor: number(Motion, "gravity_factor", soft_min=-2.0, soft_max=2.0)
    kept: kept()


class OMIPHYSICS_PG_physics_material(bpy.types.PropertyGroup):
    """Shows a `PhysicsMaterial`."""

    name: entries.name("Name of the material, one in the whole file")
    static_friction: number(PhysicsMaterial, "static_friction", soft_max=1.0)
    dynamic_friction: number(PhysicsMaterial, "dynamic_friction", soft_max=1.0)
    restitution: number(PhysicsMaterial, "restitution", soft_max=1.0)
    friction_combine: word(PhysicsMaterial, "friction_combine", _COMBINE)
    restitution_combine: word(PhysicsMaterial, "restitution_combine", _COMBINE)
    made_up_name: made_up_name()
    name_in_file: name_in_file()
    kept: kept()


class OMIPHYSICS_PG_system(bpy.types.PropertyGroup):
    """The name of a collision system."""

    name: bpy.props.StringProperty(
        name="System",
        description="Name of a collision system; those of the scene's other filters are suggested",
        search=names.known_systems,
        search_options={"SUGGESTION"},
    )


class OMIPHYSICS_PG_collision_filter(bpy.types.PropertyGroup):
    """Shows a `CollisionFilter`."""

    name: entries.name("Name of the filter, one in the whole file")
    collision_systems: bpy.props.CollectionProperty(
        name="Member Of",
        description="Names of the systems the object is part of",
        type=OMIPHYSICS_PG_system,
    )
    mode: bpy.props.EnumProperty(
        name="Collide With",
        description="Which systems are met",
        items=(
            ("ALL", "All", "Everything", 0),
            ("ONLY", "Only", "Only objects of the listed systems", 1),
            ("NOT", "All But", "All but objects of the listed systems", 2),
            ("BOTH", "Both", "Both lists at once, as a faulty file had it", 3),
        ),
        default="ALL",
    )
    collide_with_systems: bpy.props.CollectionProperty(
        name="Only", description="Only objects of these systems are met", type=OMIPHYSICS_PG_system
    )
    not_collide_with_systems: bpy.props.CollectionProperty(
        name="All But",
        description="All but objects of these systems are met",
        type=OMIPHYSICS_PG_system,
    )
    made_up_name: made_up_name()
    name_in_file: name_in_file()
    kept: kept()


class OMIPHYSICS_NT_physics_material(entries.Holder, bpy.types.NodeTree):
    """Holds an entry of the list of its name."""

    bl_idname = "OMIPHYSICS_NT_physics_material"
    bl_label = entries.LABELS["physics_materials"]
    bl_icon = "MATERIAL"
    data: entries.of_type(OMIPHYSICS_PG_physics_material)


class OMIPHYSICS_NT_collision_filter(entries.Holder, bpy.types.NodeTree):
    """Holds an entry of the list of its name."""

    bl_idname = "OMIPHYSICS_NT_collision_filter"
    bl_label = entries.LABELS["collision_filters"]
    bl_icon = "FILTER"
    data: entries.of_type(OMIPHYSICS_PG_collision_filter)


class OMIPHYSICS_PG_collider(bpy.types.PropertyGroup):
    """Shows a `Collider`."""

    shape: bpy.props.PointerProperty(type=OMIPHYSICS_PG_shape, override=OVERRIDABLE)
    physics_material_entry: entries.pointer(OMIPHYSICS_NT_physics_material)
    physics_material: entries.reference(
        "physics_materials",
        "physics_material",
        "Physics Material",
        "Friction and bounce of the surface, from the list of the scene",
    )
    collision_filter_entry: entries.pointer(OMIPHYSICS_NT_collision_filter)
    collision_filter: entries.reference(
        "collision_filters",
        "collision_filter",
        "Collision Filter",
        "What the collider collides with, from the list of the scene",
    )
    kept: kept()


class OMIPHYSICS_PG_material(bpy.types.PropertyGroup):
    """What a Blender material says of the surface of what shows it."""

    physics_material_entry: entries.pointer(OMIPHYSICS_NT_physics_material)
    physics_material: entries.reference(
        "physics_materials",
        "physics_material",
        "Physics Material",
        "Friction and bounce of the faces with this material, from the list of the scene",
    )


class OMIPHYSICS_PG_object_reference(bpy.types.PropertyGroup):
    """Points at an object."""

    object: bpy.props.PointerProperty(
        name="Object",
        description="A trigger below this one",
        type=bpy.types.Object,
        override=OVERRIDABLE,
    )


class OMIPHYSICS_PG_trigger(bpy.types.PropertyGroup):
    """Shows a `Trigger`."""

    mode: bpy.props.EnumProperty(
        name="Volume",
        description="What makes up the volume",
        items=(
            ("SHAPE", "Shape", "A shape of its own", 0),
            ("BELOW", "All Below", "All triggers among its children and theirs", 1),
            ("LIST", "List", "The listed triggers among its children and theirs", 2),
        ),
        default="SHAPE",
    )
    shape: bpy.props.PointerProperty(type=OMIPHYSICS_PG_shape, override=OVERRIDABLE)
    nodes: bpy.props.CollectionProperty(
        name="Triggers",
        description="Triggers below that make up this one",
        type=OMIPHYSICS_PG_object_reference,
        override=OVERRIDABLE,
    )
    nodes_index: bpy.props.IntProperty(name="Active Trigger", options={"HIDDEN"})
    unlisted: bpy.props.BoolProperty(
        name="Unlisted",
        description="Write no list, as the imported file did; Godot reads it as all triggers below",
    )
    collision_filter_entry: entries.pointer(OMIPHYSICS_NT_collision_filter)
    collision_filter: entries.reference(
        "collision_filters",
        "collision_filter",
        "Collision Filter",
        "What the trigger takes notice of, from the list of the scene",
    )
    kept: kept()


CLASSES = (
    OMIPHYSICS_PG_motion,
    OMIPHYSICS_PG_physics_material,
    OMIPHYSICS_PG_system,
    OMIPHYSICS_PG_collision_filter,
    OMIPHYSICS_NT_physics_material,
    OMIPHYSICS_NT_collision_filter,
    OMIPHYSICS_PG_collider,
    OMIPHYSICS_PG_material,
    OMIPHYSICS_PG_object_reference,
    OMIPHYSICS_PG_trigger,
)
