"""Names that Godot's editor reads as commands, and files whose nodes have them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

WORDS = [
    "col", "convcol", "colonly", "convcolonly", "rigid", "navmesh", "occ", "occonly", "vehicle",
    "wheel", "noimp",
]  # fmt: skip
LOOPS = [
    "A-loop", "A_LOOP", "A-loop_mode", "A_cycle.001", "A$loops", "A$loop_mode b", "A.loop",
    "A loop", "Loop a", "loop", "Cycle", "Recycle", "A,loop 2",
]  # fmt: skip


def body(name: str, kind: str = "dynamic") -> dict[str, Any]:
    """A node that is a box of 1 m."""
    physics = {"motion": {"type": kind, "mass": 1.0}, "collider": {"shape": 0}}
    return {"name": name, "extensions": {"OMI_physics_body": physics}}


def scene(nodes: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """A parsed glTF with nodes that are all in its scene."""
    shapes = [{"type": "box", "box": {"size": [1.0, 1.0, 1.0]}}]
    return {
        "asset": {"version": "2.0"},
        "extensionsUsed": ["OMI_physics_body", "OMI_physics_shape"],
        "extensions": {"OMI_physics_shape": {"shapes": shapes}},
        "scene": 0,
        "scenes": [{"nodes": list(range(len(nodes)))}],
        "nodes": [dict(node) for node in nodes.values()],
    }
