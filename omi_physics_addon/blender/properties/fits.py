# pyright: reportInvalidTypeForm=false
"""How shapes are fitted: what operators ask for, and what the sidebar keeps for them."""

import bpy

from .choices import SOLID_PARTS, FittedPart
from .declare import use_of


class FitOptions:
    """What is fitted to, and how freely."""

    source: bpy.props.EnumProperty(
        name="Source",
        description="Geometry that the shape is fitted to",
        items=(
            ("WHOLE", "Whole Mesh", "The evaluated mesh, with modifiers"),
            ("SELECTION", "Selection", "The selection in Edit Mode, without modifiers"),
            ("PARTS", "Loose Parts", "One shape for each loose part, on new child objects"),
            (
                "MATERIALS",
                "Materials",
                "One shape for the faces of each material, on new child objects",
            ),
            ("CHILDREN", "With Children", "The meshes of the object and its children"),
        ),
        default="WHOLE",
    )
    mesh_state: bpy.props.EnumProperty(
        name="Mesh",
        description="Whether modifiers count, such as those that round or copy",
        items=(
            ("EVALUATED", "Evaluated", "The mesh with all of its modifiers"),
            ("BASE", "Base Mesh", "The mesh before its modifiers and shape keys"),
        ),
        default="EVALUATED",
    )
    one_more: bpy.props.BoolProperty(
        name="One More",
        description=(
            "Keep existing shapes, and fit the selected geometry with a new shape on a child object"
        ),
    )
    orientation: bpy.props.EnumProperty(
        name="Orientation",
        description="How the shape may be rotated",
        items=(
            ("OBJECT", "Object", "Along the axes of the object"),
            ("FREE", "Free", "In the orientation with the smallest volume"),
        ),
        default="OBJECT",
    )
    taper: bpy.props.BoolProperty(
        name="Taper",
        description="Allow two different radii for a capsule or cylinder where the fit is tighter",
    )
    margin: bpy.props.FloatProperty(
        name="Margin",
        description="Distance to move the surface outward; negative moves it inward",
        unit="LENGTH",
        subtype="DISTANCE",
        soft_min=-0.1,
        soft_max=0.1,
        step=1,
        precision=4,
    )
    planes: bpy.props.EnumProperty(
        name="Planes",
        description="Directions that the faces of the hull may have",
        items=(
            ("ANY", "Any", "The directions of the mesh"),
            ("10", "10", "A box with the edges along one axis cut off"),
            ("18", "18", "A box with all edges cut off"),
            ("26", "26", "A box with all edges and corners cut off"),
        ),
        default="ANY",
    )
    use_budget: bpy.props.BoolProperty(
        name="Simplify", description="Create a hull with few vertices, as a new mesh"
    )
    budget: bpy.props.IntProperty(
        name="Vertices",
        description="Maximum number of vertices of the hull",
        min=8,
        max=256,
        default=32,
    )
    hold_all: bpy.props.BoolProperty(
        name="Hold All",
        description=(
            "Enclose the whole mesh; when off, parts of the mesh may stick out of hulls and voxels"
        ),
        default=True,
    )
    cells: bpy.props.IntProperty(
        name="Cells",
        description=(
            "Number of voxels along the longest side of the mesh; adjacent voxels are merged "
            "into boxes"
        ),
        min=1,
        max=64,
        default=12,
    )
    use_triangles: bpy.props.BoolProperty(
        name="Decimate", description="Create a trimesh with few triangles, as a new mesh"
    )
    triangles: bpy.props.IntProperty(
        name="Triangles",
        description="Maximum number of triangles of the trimesh",
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
        description=(
            "Largest gap between the hulls and the surface, relative to the size of the "
            "mesh; smaller values create more hulls"
        ),
        subtype="PERCENTAGE",
        min=1.0,
        max=100.0,
        soft_max=30.0,
        default=5.0,
        precision=1,
    )
    hulls: bpy.props.IntProperty(
        name="Hulls",
        description="Maximum number of hulls for a mesh",
        min=0,
        max=500,
        soft_max=64,
        default=32,
    )
    use_hulls: use_of(
        "hulls", "Limit the number of hulls; if off, the concavity decides", 32, default=32
    )
    hull_vertices: bpy.props.IntProperty(
        name="Vertices",
        description="Maximum number of vertices of a hull; engines support up to 255",
        min=8,
        max=255,
        default=64,
    )
    seed: bpy.props.IntProperty(
        name="Seed",
        description="Seed of the random generator; the same seed creates the same hulls",
        min=0,
        default=0,
    )


DECOMPOSITION = tuple(name for name in Decomposition.__annotations__ if not name.startswith("use_"))


class DecompositionOptions(Decomposition):
    """What is cut, and how finely."""

    part: bpy.props.EnumProperty(
        name="Shape Of",
        description="Collider or trigger that gets the shape",
        items=SOLID_PARTS,
        default="COLLIDER",
    )
    source: bpy.props.EnumProperty(
        name="Source",
        description="Geometry to decompose",
        items=(
            ("WHOLE", "Whole Mesh", "The evaluated mesh, with modifiers"),
            ("SELECTION", "Selection", "The selection in Edit Mode, without modifiers"),
            ("PARTS", "Loose Parts", "Each loose part separately"),
            ("CHILDREN", "With Children", "The meshes of the object and its children"),
        ),
        default="WHOLE",
    )


class FitThreshold:
    """What is near enough."""

    threshold: bpy.props.FloatProperty(
        name="Tolerance",
        description="How much larger than the mesh a shape may be to count as a close fit",
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
        description="Objects to refit shapes for",
        items=(
            ("SELECTED", "Selected", "Selected objects"),
            ("ALL", "All", "All objects of the scene"),
        ),
        default="SELECTED",
    )


class AddMissing:
    """What happens to objects without the part."""

    add_missing: bpy.props.BoolProperty(
        name="Add Missing",
        description=(
            "Add the collider or trigger to objects without one; when off, they are skipped"
        ),
    )


class OMIPHYSICS_PG_fit(
    FittedPart, FitOptions, FitThreshold, Decomposition, bpy.types.PropertyGroup
):
    """How the buttons of the sidebar fit shapes."""

    follow: bpy.props.BoolProperty(
        name="Follow Mesh",
        description=(
            "Refit shapes when the mesh or its modifiers change; shapes edited by hand are kept"
        ),
    )
