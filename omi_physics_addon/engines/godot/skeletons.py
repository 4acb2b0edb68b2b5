"""Reports skeletons whose bones stay where they are in Godot while the bodies on them move.

Godot makes one skeleton of all bones that a skin names, and hangs each body on a bone below a node
that follows this bone. Nothing in a file lets a bone follow its body: not bones below bodies, not
bodies beside the armature (seen with Godot 4.6, imported by its editor).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from ...codec.targets.idle_skins import movers
from ...codec.values.node_tree import Tree
from ...issues import Issues
from ...model.document import PhysicsDocument
from .codes import GodotCode


def check(
    document: PhysicsDocument, tree: Tree, issues: Issues, place: Callable[[int], str]
) -> None:
    """Report each armature of whose bones some are dynamic bodies, once.

    Args:
        place: words for messages about a node.
    """
    armatures: dict[int, int] = {}  # The node above the topmost bone above each node.
    counts: Counter[int] = Counter()
    for node in movers(document) if tree.bones else ():
        if node in tree.bones:
            above = tree.from_above(
                node, armatures, -1, lambda at, found: found if at in tree.bones else at
            )
            counts[above] += 1
    for armature, count in counts.items():
        bodies = "the body" if count == 1 else f"the {count} bodies"
        why = (
            f"Godot moves {bodies} but not the bones, so meshes stand still; attach the "
            "script from docs/rigging.md, Ragdolls in Godot"
        )
        issues.add(GodotCode.LEAVES_BONES, place(armature) if armature >= 0 else "scene", why)
