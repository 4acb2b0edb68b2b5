# pyright: reportInvalidTypeForm=false
"""How shapes are fitted: what operators ask for, and what the sidebar keeps for them."""

import bpy

from .choices import FittedPart


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
            ("CHILDREN", "With Children", "The meshes of the object and of all objects below it"),
        ),
        default="WHOLE",
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
        description="Make the hull large enough for all vertices; otherwise some stick out",
        default=True,
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


class AddMissing:
    """What happens to objects without the part."""

    add_missing: bpy.props.BoolProperty(
        name="Add Missing",
        description="Make objects without the collider or trigger one; otherwise they are skipped",
    )


class OMIPHYSICS_PG_fit(FittedPart, FitOptions, FitThreshold, bpy.types.PropertyGroup):
    """How the buttons of the sidebar fit shapes."""


CLASSES = (OMIPHYSICS_PG_fit,)
