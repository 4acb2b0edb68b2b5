"""Where Babylon.js with its loader does otherwise than a file of KHR says, however it is written.

Only what was seen to go wrong is told: with Babylon.js 9.34 with Havok and commit a920d07 of the
loader.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from ...codec.targets import joint_ranges
from ...codec.values.node_tree import Tree, scale_of
from ...issue_codes import IssueCode
from ...issues import Issues
from ...model.bodies import CombineMode
from ...model.document import PhysicsDocument, entry
from ...model.joints import JointSettings
from ...model.shapes import Capsule
from . import rolling
from .codes import BabylonCode
from .rolling import DAMPING

_SYSTEMS: Final = 32  # Collision systems that the loader tells apart.
# The first mode that either surface has is taken.
_ORDER: Final[tuple[CombineMode, ...]] = ("average", "minimum", "maximum", "multiply")
_THEIR_ORDER: Final[tuple[CombineMode, ...]] = ("multiply", "average", "maximum", "minimum")
_COMBINED: Final = (
    ("friction", "dynamic_friction", "friction_combine"),
    ("bounce", "restitution", "restitution_combine"),
)


def check(
    document: PhysicsDocument, tree: Tree, issues: Issues, place: Callable[[int], str]
) -> None:
    """Tell what Babylon.js does otherwise with a document as it is written for it.

    Args:
        tree: all nodes of the document, new ones too.
        place: words for messages about a node.
    """
    for node, physics in sorted(document.nodes.items()):
        if physics.trigger is not None:
            issues.add(
                BabylonCode.IGNORES_TRIGGER,
                place(node),
                "Babylon.js does not import KHR triggers, so nothing is reported there; add "
                "the trigger by code",
            )
        motion = physics.motion
        if motion is not None and motion.type == "dynamic" and any(motion.angular_velocity):
            why = (
                f"Babylon.js has an angular damping of {DAMPING:g} per second, so bodies spin "
                "more slowly with time"
            )
            issues.add(BabylonCode.SLOWS_SPIN, place(node), why)
        if motion is not None and motion.inertia_diagonal is not None and not motion.mass:
            why = (
                "Babylon.js multiplies moments of inertia by the mass, and the body has "
                "none; set a mass"
            )
            issues.add(BabylonCode.MULTIPLIES_INERTIA, place(node), why)
        settings = document.settings_of(physics)
        for code, why in () if settings is None else _joint(settings):
            issues.add(code, place(node), why)
        _tapered(document, node, issues, place)
        if _is_sheared_part(document, tree, node):
            why = (
                "Babylon.js drops the shape, because it is rotated below an uneven scale; "
                "apply the scale of the body"
            )
            issues.add(BabylonCode.LOSES_SHEARED, place(node), why)
    rolling.tell(document, tree, issues, place)
    _surfaces(document, issues, place)
    _world(document, issues)


def _is_sheared_part(document: PhysicsDocument, tree: Tree, node: int) -> bool:
    """Whether a node has a sheared collider that belongs to a body above it."""
    physics = document.nodes[node]
    if physics.motion is not None or physics.collider is None or physics.collider.shape is None:
        return False
    above = (document.nodes.get(at) for at in tree.upward(node))
    is_part = any(each is not None and each.motion is not None for each in above)
    return is_part and scale_of(tree.world(node)) is None


def _joint(settings: JointSettings) -> Iterator[tuple[IssueCode, str]]:
    if any(drive.velocity_target for drive in settings.drives):
        why = (
            "Babylon.js runs motors about 2.5 times too fast; lower the velocity target for "
            "Babylon.js"
        )
        yield BabylonCode.SPEEDS_MOTOR, why
    if any(drive.mode == "acceleration" and drive.stiffness for drive in settings.drives):
        why = (
            "Babylon.js treats a drive in acceleration mode as if the body were light, so it "
            "is weak; use force mode"
        )
        yield BabylonCode.WEAKENS_DRIVE, why
    if joint_ranges.turning(settings):
        why = (
            f"Babylon.js has an angular damping of {DAMPING:g} per second, so bodies that "
            "turn on the joint slow down"
        )
        yield BabylonCode.SLOWS_SPIN, why
    if joint_ranges.mixes(settings):
        why = (
            "Babylon.js measures angles about several axes as swing, then twist about X, so "
            "limits differ; limit one axis"
        )
        yield BabylonCode.MIXES_ANGLES, why


def _surfaces(document: PhysicsDocument, issues: Issues, place: Callable[[int], str]) -> None:
    """Tell of surfaces whose mode goes before that of others, or after it, in the engine alone."""
    used = {
        node: material
        for node, physics in sorted(document.nodes.items())
        if physics.collider is not None
        and (material := entry(document.physics_materials, physics.collider.physics_material))
    }
    for word, value, mode in _COMBINED:
        # Where nothing rubs or bounces, all modes are the same.
        most: dict[CombineMode, float] = {}
        for material in used.values():
            own: CombineMode = getattr(material, mode)
            most[own] = max(most.get(own, 0.0), getattr(material, value))
        for node, material in used.items():
            own = getattr(material, mode)
            others = [
                each
                for each in most
                if max(most[each], most[own]) > 0.0
                and min(own, each, key=_ORDER.index) != min(own, each, key=_THEIR_ORDER.index)
            ]
            if others:
                names = " or ".join(f"'{each}'" for each in sorted(others))
                why = (
                    f"where the {word} '{own}' meets {names}, Babylon.js uses the other of "
                    "the two modes; use one mode for both surfaces"
                )
                issues.add(BabylonCode.COMBINES_OTHERWISE, place(node), why)


def _world(document: PhysicsDocument, issues: Issues) -> None:
    """Tell of what belongs to no node."""
    gravity = document.world_gravity
    if gravity is not None and not gravity.is_usual:
        why = "Babylon.js ignores world gravity in glTF; set it in the scene of Babylon.js"
        issues.add(BabylonCode.IGNORES_GRAVITY, "world gravity", why)
    systems = {
        system
        for row in document.collision_filters
        for name in ("collision_systems", "collide_with_systems", "not_collide_with_systems")
        for system in getattr(row, name) or ()
    }
    if len(systems) > _SYSTEMS:
        why = (
            f"Babylon.js supports {_SYSTEMS} collision systems, and there are {len(systems)}, "
            "so some objects collide wrongly; merge some"
        )
        issues.add(BabylonCode.CONFUSES_SYSTEMS, "collision filters", why)


def _tapered(
    document: PhysicsDocument, node: int, issues: Issues, place: Callable[[int], str]
) -> None:
    collider = document.nodes[node].collider
    geometry = None if collider is None else document.geometry(collider.shape)
    if isinstance(geometry, Capsule) and geometry.radius_top != geometry.radius_bottom:
        why = (
            "Babylon.js replaces the tapered capsule with a coarse hull; use equal radii for "
            "an exact capsule"
        )
        issues.add(BabylonCode.CHANGES_TAPER, place(node), why)
