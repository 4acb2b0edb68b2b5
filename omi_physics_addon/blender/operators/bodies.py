"""Makes objects bodies, colliders and triggers, and takes that from them again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

import bpy

from ..base import groups, roles
from ..base.hierarchy import ancestors
from ..preview import player
from ..properties import choices, part_choices
from .chosen_objects import (
    OnScene,
    OnSelection,
    can_change,
    changed,
    counted,
    finished,
    leave_edit_mode_data,
    made,
    pgettext_rpt,
    refuse,
    report,
    targets,
)

if TYPE_CHECKING:
    from ..authoring.fit_destinations import Outcome


class OMIPHYSICS_OT_take_computed(part_choices.ComputedValue, OnSelection, bpy.types.Operator):
    """Gives the selected bodies the mass properties of their shapes."""

    bl_idname = "object.omi_physics_take_computed"
    bl_label = "Take from Shapes"
    bl_description = (
        "Set the mass, center of mass or inertia of the selected bodies to the values of "
        "their shapes"
    )

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Those without a shape that has a volume stay as they are."""
        from ..authoring.following import body_masses
        from ..base.mesh_arrays import children_of_all

        what = str(getattr(self, "what"))  # noqa: B009 - From a mixin.
        children, count = children_of_all(), 0
        for obj in targets(context):
            if not groups.read(obj).use_motion:
                continue
            found = body_masses.of_body(context.scene, obj, children)
            if found is not None:
                body_masses.take(obj, what, found)
                changed(obj)
                count += 1
        if not count:
            return refuse(self, "The selected objects have no bodies with shapes of some volume")
        return report(
            self, "Set the values of {count} body", "Set the values of {count} bodies", count
        )


class OMIPHYSICS_OT_add_motion(
    choices.BodyType, choices.BodyCollider, OnSelection, bpy.types.Operator
):
    """Makes the selected objects bodies of one type."""

    bl_idname = "object.omi_physics_add_motion"
    bl_label = "Add Body"
    bl_description = (
        "Add a body to the selected objects, and fit the simplest collider to objects "
        "without a shape; children move along"
    )

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Those that are bodies already change their type."""
        from ..authoring.starting_shapes import make_bodies

        chosen: Any = self
        kind: str = chosen.type
        objects = targets(context)
        if chosen.skip_unseen:
            objects = [obj for obj in objects if obj.type not in _UNSEEN] or objects
        leave_edit_mode_data(objects)
        depsgraph = context.evaluated_depsgraph_get()
        outcome = make_bodies(depsgraph, dict.fromkeys(objects, kind), chosen.use_collider)
        return _tell(self, _BODIES[kind], len(objects), outcome)


# Types of objects that are selected with all the others, and are no things that fall.
_UNSEEN: Final = {"CAMERA", "LIGHT", "LIGHT_PROBE", "SPEAKER"}
_BODIES: Final = {
    "STATIC": ("Made {count} static body", "Made {count} static bodies"),
    "KINEMATIC": ("Made {count} kinematic body", "Made {count} kinematic bodies"),
    "DYNAMIC": ("Made {count} dynamic body", "Made {count} dynamic bodies"),
}


def _tell(operator: Any, words: tuple[str, str], count: int, outcome: Outcome) -> set[Any]:
    """Tell how many objects got something, and which shapes came with it."""
    from ..authoring.fit_destinations import Plan
    from .fit import shapes_in_words

    text = pgettext_rpt(words[count != 1]).format(count=count)
    if outcome.kinds:
        text += "; " + shapes_in_words(outcome, Plan.threshold)
    return finished(operator, text, warns=outcome.misses)


class OMIPHYSICS_OT_add_collider(choices.StartingShape, OnSelection, bpy.types.Operator):
    """Makes the selected objects solid."""

    bl_idname = "object.omi_physics_add_collider"
    bl_label = "Add Collider"
    bl_description = "Add a collider to the selected objects, with the simplest fitting shape"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Those that are solid already stay as they are."""
        new = [obj for obj in targets(context) if not groups.read(obj).use_collider]
        if not new:
            return refuse(self, "The selected objects have colliders already")
        chosen: Any = self
        outcome = _start(context, new, "COLLIDER", chosen.shape_type)
        return _tell(self, PARTS["collider"].told("Added"), len(new), outcome)


class OMIPHYSICS_OT_add_trigger(choices.StartingShape, OnSelection, bpy.types.Operator):
    """Makes the selected objects notice bodies that enter them."""

    bl_idname = "object.omi_physics_add_trigger"
    bl_label = "Add Trigger"
    bl_description = (
        "Add a trigger to the selected objects, which detects bodies that enter its shape"
    )

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Those that are triggers already stay as they are."""
        new = [obj for obj in targets(context) if not groups.read(obj).use_trigger]
        if not new:
            return refuse(self, "The selected objects have triggers already")
        chosen: Any = self
        if chosen.shape_type == "NONE":
            for obj in new:
                groups.of_object(obj).trigger.mode = "BELOW"
        outcome = _start(context, new, "TRIGGER", chosen.shape_type)
        return _tell(self, PARTS["trigger"].told("Added"), len(new), outcome)


def _start(context: bpy.types.Context, objects: Sequence[Any], part: str, kind: str) -> Outcome:
    from ..authoring.starting_shapes import start_shapes

    leave_edit_mode_data(objects)
    outcome = start_shapes(context.evaluated_depsgraph_get(), objects, part, kind)
    for obj in objects:
        changed(obj)
    return outcome


class OMIPHYSICS_OT_make_rest_solid(OnScene, bpy.types.Operator):
    """Makes all solid that has no physics."""

    bl_idname = "object.omi_physics_make_rest_solid"
    bl_label = "Make the Rest Solid"
    bl_description = (
        "Add a static collider to every visible mesh without physics: the simplest fitting "
        "shape, or the mesh itself. Meshes that bodies or armatures move are skipped; the "
        "selection is skipped while the scene has no bodies"
    )
    _last: ClassVar[tuple[object, ...]] = ()

    @classmethod
    def is_last(cls, context: bpy.types.Context) -> bool:
        """Whether it ran with what is selected now: its button stays where it was pressed."""
        return cls._last == selection_key(context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """What is hidden stays as it is."""
        from ..authoring.starting_shapes import make_solid

        player.hold()
        OMIPHYSICS_OT_make_rest_solid._last = selection_key(context)
        view_layer: Any = context.view_layer
        is_start = not any(groups.read(obj).use_motion for obj in view_layer.objects)
        kept = set(context.selected_objects) if is_start else set[Any]()
        rest = [obj for obj in view_layer.objects if obj not in kept and _is_bare(obj)]
        leave_edit_mode_data(rest)
        outcome = make_solid(context.evaluated_depsgraph_get(), rest)
        made = [obj for obj in rest if groups.read(obj).use_collider]
        if not made:
            return refuse(self, "No other visible mesh is without physics, or bodies move the mesh")
        for obj in made:
            changed(obj)
        words = ("Made {count} object solid", "Made {count} objects solid")
        return _tell(self, words, len(made), outcome)


def selection_key(context: bpy.types.Context) -> tuple[object, ...]:
    """What tells selections apart, without a look at each object."""
    active: Any = context.object
    scene: Any = context.scene
    return scene.session_uid, active and active.session_uid, len(context.selected_objects)


def _is_bare(obj: Any) -> bool:
    """Whether a mesh is seen, can be changed, and neither has physics nor is moved by it."""
    if obj.type != "MESH" or not can_change(obj) or not obj.visible_get() or roles.roles_of(obj):
        return False
    if any(each.type == "ARMATURE" for each in (*obj.modifiers, *ancestors(obj))):
        return False
    return not any(groups.read(each).use_motion for each in ancestors(obj))


class Part(NamedTuple):
    """What operators say of a part of the physics of objects.

    Attributes:
        one, many: what one is called, and several; the latter with an s unless given.
        lacking: that objects have none.
        added: what was done to objects that have it now.
        kept: what stays when it is removed.
        label: what buttons call it, where that is not what one is called.
    """

    one: str
    lacking: str
    added: str = "Made"
    kept: str = ""
    many: str = ""
    label: str = ""

    def told(self, done: str) -> tuple[str, str]:
        """That something was done to one, and to several."""
        return f"{done} {{count}} {self.one}", f"{done} {{count}} {self.many or self.one + 's'}"


PARTS: Final = {
    "motion": Part("body", "have no body", many="bodies"),
    "collider": Part("collider", "have no colliders", "Added"),
    "trigger": Part("trigger", "have no triggers", "Added"),
    "gravity": Part(
        "gravity volume", "have no gravity volume", "Added", "; triggers are kept", label="Gravity"
    ),
    "joint": Part("joint", "have no joints", "Added", "; shared settings stay"),
    "vehicle_body": Part("vehicle", "are not vehicles", kept="; their bodies are kept"),
    "wheel": Part("wheel", "are not wheels"),
    "thruster": Part("thruster", "are not thrusters"),
    "hover_thruster": Part("hover thruster", "are not hover thrusters"),
    "seat": Part("seat", "are not seats", "Added"),
}


class RemovePart(OnSelection):
    """Takes one part from the selected objects, with all its values."""

    part: str

    def parts(self, obj: Any) -> list[str]:
        """What an object loses."""
        return [self.part] if getattr(groups.of_object(obj), f"use_{self.part}") else []

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Those without the part stay as they are."""
        found = {obj: parts for obj in targets(context) if (parts := self.parts(obj))}
        if not found:
            return refuse(self, f"The selected objects {PARTS[self.part].lacking}")
        for obj, parts in found.items():
            group = groups.of_object(obj)
            for part in parts:
                group.property_unset(part)
                group.property_unset(f"use_{part}")
            changed(obj)
        return self.tell(found)

    def tell(self, found: Mapping[Any, Sequence[str]]) -> set[Any]:
        """Say of how many objects."""
        return report(self, *PARTS[self.part].told("Removed"), len(found))


class _RemoveMotion(choices.WithCollider, RemovePart):
    """Takes the body from the selected objects, with the collider that came with it."""

    def parts(self, obj: Any) -> list[str]:
        """A collider that the artist made or changed stays, unless it is all that is solid."""
        from ..authoring.starting_shapes import came_with_body

        found, group = super().parts(obj), groups.of_object(obj)
        is_wanted: bool = getattr(self, "use_collider")  # noqa: B009 - From a mixin.
        if is_wanted and group.use_collider and (not found or came_with_body(obj)):
            found.append("collider")
        return found

    def tell(self, found: Mapping[Any, Sequence[str]]) -> set[Any]:
        """Say which colliders stay."""
        bodies = sum("motion" in parts for parts in found.values())
        if not bodies:
            return report(self, *PARTS["collider"].told("Removed"), len(found))
        stay = sum(groups.of_object(obj).use_collider for obj in found)
        if not (stay and getattr(self, "use_collider")):  # noqa: B009 - From a mixin.
            return report(self, *PARTS[self.part].told("Removed"), bodies)
        one = "{count} collider stays, made or changed by hand"
        many = "{count} colliders stay, made or changed by hand"
        told = counted(*PARTS[self.part].told("Removed"), bodies)
        return finished(self, f"{told}; {counted(one, many, stay)}")


MADE = tuple(
    made(
        f"object.omi_physics_remove_{part}",
        (_RemoveMotion if part == "motion" else RemovePart,),
        f"Remove {words.label or words.one.title()}",
        f"Remove the {words.one} from the selected objects{words.kept}",
        part=part,
    )
    for part, words in PARTS.items()
)
