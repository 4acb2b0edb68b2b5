"""Whether a preview can be seen in the artist's own scene, or needs copies."""

from __future__ import annotations

from typing import Any

from ....simulation.world import World
from ..copies.armatures import Armatures
from ..input.scene_input import SceneReading
from ..stage.clock import is_on_clock
from ..stage.windows import views_of

INSTANCES = "A copy plays, as bodies are in instances, and a view is in local view"
BONES = "A copy plays, as bones follow bodies or keyframes, and a view is in local view"
KEYS = "A copy plays, as keyframes change lights, materials, worlds or shape keys"


def why_not(scene: Any, read: SceneReading, world: World, armatures: Armatures) -> str:
    """What of a scene has no evaluated copy of its own that could be posed; empty for nothing."""
    if any(view.local_view is not None for view in views_of(scene)):  # Which has no background.
        if any(body.node in read.instanced and body.type != "static" for body in world.bodies):
            return INSTANCES
        if armatures.are_any:
            return BONES
    blocks = {scene.world} | {obj.data for obj in read.objects[: read.own]}
    blocks |= {slot.material for obj in read.objects[: read.own] for slot in obj.material_slots}
    return KEYS if any(block is not None and is_on_clock(block) for block in blocks) else ""
