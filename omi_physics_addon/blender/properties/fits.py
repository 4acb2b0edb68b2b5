# pyright: reportInvalidTypeForm=false
"""How shapes are fitted: what operators ask for, and what the sidebar keeps for them."""

import bpy

from .choices import FittedPart
from .declare import tick


class FitOptions:
    """What is fitted to, and how freely."""

    source: bpy.props.EnumProperty(
        name="Source",
        description="What the shape is fitted to",
        items=(
            ("WHOLE", "Whole Mesh", "All that the object shows, modifiers included"),
            ("SELECTION", "Selection", "What is selected in Edit Mode, without modifiers"),
            (
                "PARTS",
                "Loose Parts",
                "One shape for each part that hangs together, on objects of their own below",
            ),
            (
                "MATERIALS",
                "Materials",
                "One shape for the faces of each material, on objects of their own below",
            ),
            ("CHILDREN", "With Children", "The meshes of the object and of all objects below it"),
        ),
        default="WHOLE",
    )
    mesh_state: bpy.props.EnumProperty(
        name="Mesh",
        description="Whether modifiers count, such as those that round or copy",
        items=(
            ("EVALUATED", "Evaluated", "The mesh with all of its modifiers"),
            ("BASE", "Base Mesh", "The mesh before its modifiers"),
        ),
        default="EVALUATED",
    )
    one_more: bpy.props.BoolProperty(
        name="One More",
        description="Keep the shapes that the object has: what is selected gets one of its own, on "
        "an object below",
    )
    orientation: bpy.props.EnumProperty(
        name="Orientation",
        description="How the shape may lie",
        items=(
            ("OBJECT", "Object", "Along the axes of the object"),
            ("FREE", "Free", "However it is smallest"),
        ),
        default="OBJECT",
    )
    taper: bpy.props.BoolProperty(
        name="Taper",
        description="Let the two radii of a capsule or cylinder differ where that is smaller",
    )
    margin: bpy.props.FloatProperty(
        name="Margin",
        description="How far the surface is moved outwards, or inwards if negative, in the units "
        "of the object",
        unit="LENGTH",
        subtype="DISTANCE",
        soft_min=-0.1,
        soft_max=0.1,
        step=1,
        precision=4,
    )
    planes: bpy.props.EnumProperty(
        name="Planes",
        description="Which directions the faces of the hull may have",
        items=(
            ("ANY", "Any", "Those of the mesh"),
            ("10", "10", "A box with the edges along one axis cut off"),
            ("18", "18", "A box with all edges cut off"),
            ("26", "26", "A box with all edges and corners cut off"),
        ),
        default="ANY",
    )
    use_budget: bpy.props.BoolProperty(
        name="Simplify",
        description="Make a hull with few vertices, as a mesh of its own",
    )
    budget: bpy.props.IntProperty(
        name="Vertices", description="The most vertices of the hull", min=8, max=256, default=32
    )
    hold_all: bpy.props.BoolProperty(
        name="Hold All",
        description="Make hulls and voxels large enough for all of the mesh; otherwise some of it "
        "sticks out",
        default=True,
    )
    cells: bpy.props.IntProperty(
        name="Cells",
        description="How many voxels along the longest side of the mesh; those beside each other "
        "become one box",
        min=1,
        max=64,
        default=12,
    )
    use_triangles: bpy.props.BoolProperty(
        name="Decimate",
        description="Make a trimesh with few triangles, as a mesh of its own",
    )
    triangles: bpy.props.IntProperty(
        name="Triangles",
        description="The most triangles of the trimesh",
        min=4,
        max=1_000_000,
        soft_max=10_000,
        default=500,
    )


FIT_OPTIONS = tuple(FitOptions.__annotations__)


class Decomposition:
    """How finely meshes are cut into convex hulls."""

    concavity: bpy.props.FloatProperty(
        name="Concavity",
        description="How far hulls may be from the surface inside of them, of the size of the "
        "mesh; less makes more hulls",
        subtype="PERCENTAGE",
        min=1.0,
        max=100.0,
        soft_max=30.0,
        default=5.0,
        precision=1,
    )
    hulls: bpy.props.IntProperty(
        name="Hulls",
        description="The most hulls for a mesh",
        min=0,
        max=500,
        soft_max=64,
        default=32,
    )
    use_hulls: tick(
        "hulls",
        "Limit the hulls; otherwise there are as many as the concavity asks for",
        32,
        default=32,
    )
    hull_vertices: bpy.props.IntProperty(
        name="Vertices",
        description="The most vertices of a hull; engines take up to 255",
        min=8,
        max=255,
        default=64,
    )
    seed: bpy.props.IntProperty(
        name="Seed",
        description="What chance begins with: the same number gives the same hulls",
        min=0,
        default=0,
    )


DECOMPOSITION = tuple(name for name in Decomposition.__annotations__ if not name.startswith("use_"))


class DecompositionOptions(Decomposition):
    """What is cut, and how finely."""

    part: bpy.props.EnumProperty(
        name="Shape Of",
        description="Part that gets the shape",
        items=(
            ("COLLIDER", "Collider", "The shape of the collider"),
            ("TRIGGER", "Trigger", "The shape of the trigger"),
        ),
        default="COLLIDER",
    )
    source: bpy.props.EnumProperty(
        name="Source",
        description="What is cut",
        items=(
            ("WHOLE", "Whole Mesh", "All that the object shows, modifiers included"),
            ("SELECTION", "Selection", "What is selected in Edit Mode, without modifiers"),
            ("PARTS", "Loose Parts", "Each part that hangs together by itself"),
            ("CHILDREN", "With Children", "The meshes of the object and of all objects below it"),
        ),
        default="WHOLE",
    )


class FitThreshold:
    """What is near enough."""

    threshold: bpy.props.FloatProperty(
        name="Tolerance",
        description="How much larger than the mesh a shape may be to be near enough",
        subtype="PERCENTAGE",
        min=0.0,
        soft_max=100.0,
        max=1000.0,
        default=20.0,
        precision=0,
    )


class RefitScope:
    """Which shapes are fitted again."""

    scope: bpy.props.EnumProperty(
        name="Objects",
        description="Objects that shapes are fitted for again",
        items=(
            ("SELECTED", "Selected", "Those of the selected objects"),
            ("ALL", "All", "Those of all objects of the scene"),
        ),
        default="SELECTED",
    )


class AddMissing:
    """What happens to objects without the part."""

    add_missing: bpy.props.BoolProperty(
        name="Add Missing",
        description="Make objects without the collider or trigger one; otherwise they are skipped",
    )


class OMIPHYSICS_PG_fit(
    FittedPart, FitOptions, FitThreshold, Decomposition, bpy.types.PropertyGroup
):
    """How the buttons of the sidebar fit shapes."""

    follow: bpy.props.BoolProperty(
        name="Follow Mesh",
        description="Fit shapes again, as they were fitted, when the mesh or its modifiers have "
        "changed; shapes that were changed by hand stay",
    )


CLASSES = (OMIPHYSICS_PG_fit,)
