# pyright: reportInvalidTypeForm=false
"""Property groups of bodies, colliders, triggers, and of the materials and filters they share."""

import bpy

from ...model.bodies import Motion, PhysicsMaterial
from . import entries, names
from .declare import OVERRIDABLE, kept, made_up_name, name_in_file, number, to_object, vector, word
from .shapes import OMIPHYSICS_PG_shape

MOTION_TEXTS = {
    "static": "Does not move",
    "kinematic": "Moved by animation or code, and pushes other bodies",
    "dynamic": "Moved by the simulation",
}
MOTION_TYPES = [(word.upper(), word.title(), text) for word, text in MOTION_TEXTS.items()]
_COMBINE = {
    "average": "The average of both values; takes precedence over the other modes",
    "minimum": "The smaller of both values",
    "maximum": "The larger of both values",
    "multiply": "The product of both values",
}


class OMIPHYSICS_PG_motion(bpy.types.PropertyGroup):
    """Shows a `Motion`."""

    type: word(Motion, "type", MOTION_TEXTS)
    mass_mode: bpy.props.EnumProperty(
        name="Mass From",
        description="Where the mass comes from",
        items=(
            ("VALUE", "Value", "Set the mass by hand", 0),
            ("DENSITY", "Density", "Density times the volume of the body's shapes", 1),
            ("ENGINE", "Engine", "Write no mass; OMI engines use 1 kg", 2),
            (
                "INFINITE",
                "Infinite",
                "Infinite mass that nothing can push; KHR only, a large mass is written for OMI",
                3,
            ),
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
            ("VALUE", "Value", "Set the center by hand; zero is the origin of the object", 0),
            ("SHAPES", "Shapes", "The combined center of the body's shapes", 1),
            ("ENGINE", "Engine", "Write no center of mass; OMI engines use the origin", 2),
        ),
        default="VALUE",
    )
    center_of_mass: vector(Motion, "center_of_mass", default=(0.0, 0.0, 0.0))
    inertia_mode: bpy.props.EnumProperty(
        name="Inertia From",
        description="Where the moments of inertia come from",
        items=(
            ("ENGINE", "Engine", "The engine computes the moments from the shapes", 0),
            ("VALUE", "Value", "Set the moments of inertia by hand", 1),
            (
                "SHAPES",
                "Shapes",
                "Compute the moments from the body's shapes; without a mass, the engine "
                "computes them",
                2,
            ),
            (
                "INFINITE",
                "Infinite",
                "Infinite inertia that nothing can rotate; KHR only, large moments are "
                "written for OMI",
                3,
            ),
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
        description="Name of a collision system; those of other filters and the layers of the "
        "project that the preview plays in are suggested",
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
        description="Collision systems to collide with",
        items=(
            ("ALL", "All", "Everything", 0),
            ("ONLY", "Only", "Collide only with objects in the listed systems", 1),
            ("NOT", "All But", "Collide with everything except objects in the listed systems", 2),
            ("BOTH", "Both", "Both lists, as an invalid file had them", 3),
        ),
        default="ALL",
    )
    collide_with_systems: bpy.props.CollectionProperty(
        name="Only",
        description="Collide only with objects in these systems",
        type=OMIPHYSICS_PG_system,
    )
    not_collide_with_systems: bpy.props.CollectionProperty(
        name="All But",
        description="Collide with everything except objects in these systems",
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
        "Physics material with the friction and bounce of the surface",
    )
    collision_filter_entry: entries.pointer(OMIPHYSICS_NT_collision_filter)
    collision_filter: entries.reference(
        "collision_filters",
        "collision_filter",
        "Collision Filter",
        "Collision filter that chooses what the collider collides with",
    )
    kept: kept()


class OMIPHYSICS_PG_material(bpy.types.PropertyGroup):
    """What a Blender material says of the surface of what shows it."""

    physics_material_entry: entries.pointer(OMIPHYSICS_NT_physics_material)
    physics_material: entries.reference(
        "physics_materials",
        "physics_material",
        "Physics Material",
        "Physics material for the faces with this material",
    )


class OMIPHYSICS_PG_object_reference(bpy.types.PropertyGroup):
    """Points at an object."""

    object: to_object("Object", "A trigger below this one")


class OMIPHYSICS_PG_trigger(bpy.types.PropertyGroup):
    """Shows a `Trigger`."""

    mode: bpy.props.EnumProperty(
        name="Volume",
        description="Which shapes form the volume of the trigger",
        items=(
            ("SHAPE", "Shape", "One shape on the object", 0),
            ("BELOW", "All Below", "All triggers below the object", 1),
            ("LIST", "List", "The listed triggers below the object", 2),
        ),
        default="SHAPE",
    )
    shape: bpy.props.PointerProperty(type=OMIPHYSICS_PG_shape, override=OVERRIDABLE)
    nodes: bpy.props.CollectionProperty(
        name="Triggers",
        description="Child triggers that form this compound trigger",
        type=OMIPHYSICS_PG_object_reference,
        override=OVERRIDABLE,
    )
    nodes_index: bpy.props.IntProperty(name="Active Trigger", options={"HIDDEN"})
    unlisted: bpy.props.BoolProperty(
        name="Unlisted",
        description=(
            "Write no list of triggers, as in the imported file; engines may use all triggers below"
        ),
    )
    collision_filter_entry: entries.pointer(OMIPHYSICS_NT_collision_filter)
    collision_filter: entries.reference(
        "collision_filters",
        "collision_filter",
        "Collision Filter",
        "Collision filter that chooses what the trigger detects",
    )
    kept: kept()
