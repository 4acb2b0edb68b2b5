"""Rays from wheels and hover thrusters to the solids of bodies."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from mathutils import Vector
from mathutils.bvhtree import BVHTree

from ....geometry.hull import convex_hull
from ....simulation.bullet.bullet_shapes import surface_points
from ....simulation.state import WORLD, Array, Flags, Indices, Masses, State
from ....simulation.sweeps import comes_near, near_pairs
from ....simulation.vehicles.vehicle_frames import Hits
from ....simulation.world import Form, Mesh, World


class Rays:
    """Sends rays into a world, where its bodies are at the moment."""

    def __init__(self, world: World, seen: Flags | None = None) -> None:
        """Take a world.

        Args:
            seen: (n,), the bodies that stop rays; None for all.
        """
        bodies = [(i, b) for i, b in enumerate(world.bodies) if seen is None or seen[i]]
        solids = [(i, solid) for i, body in bodies for solid in body.solids]
        self._body = np.array([i for i, _ in solids], dtype=np.int64)
        self._forms: list[Form] = [solid.form for _, solid in solids]
        count = len(solids)
        self._place = np.array([s.place for _, s in solids]).reshape(count, 3)
        self._axes = np.array([s.rotation for _, s in solids]).reshape(count, 3, 3)
        self._trees: dict[int, Any] = {}
        self._centers = np.zeros((count, 3))
        self._turns = np.zeros((count, 3, 3))

    @cached_property
    def _reach(self) -> Array:
        """Radii (m,) of balls around the solids; most worlds send no rays."""
        return np.array([_reach(form) for form in self._forms]).reshape(len(self._forms))

    def place(self, state: State, masses: Masses) -> None:
        """Take where the bodies are."""
        self._centers = state.points(self._body, self._place, masses)
        self._turns = state.frames(self._body, self._axes)

    def __call__(self, origins: Array, directions: Array, lengths: Array, ignored: Indices) -> Hits:
        """The distance, normal and body of what each ray meets first; see `Cast`."""
        count = len(origins)
        distance = np.full(count, np.inf)
        normal, body = np.zeros((count, 3)), np.full(count, WORLD, dtype=np.int64)
        for ray, solid in self._near(origins, directions, lengths, ignored):
            turn = self._turns[solid]
            start = Vector(((origins[ray] - self._centers[solid]) @ turn).tolist())
            along = Vector((directions[ray] @ turn).tolist())
            most = min(float(lengths[ray]), float(distance[ray]))
            _, up, index, found = self._tree(solid).ray_cast(start, along, most)
            if index is not None:
                upward = turn @ np.array(up)
                side = -np.sign(upward @ directions[ray]) or 1.0
                distance[ray], normal[ray], body[ray] = found, side * upward, self._body[solid]
        return Hits(distance, normal, body)

    def _near(
        self, origins: Array, directions: Array, lengths: Array, ignored: Indices
    ) -> list[list[int]]:
        """Pairs of rays and solids whose balls the rays come through."""
        lengths = np.minimum(lengths, 1e6)
        ways = directions * lengths[:, None]
        rays = (origins, origins + ways, np.zeros(len(origins)))
        ray, solid = near_pairs(rays, (self._centers, self._centers, self._reach))
        near = comes_near(origins[ray] - self._centers[solid], ways[ray], self._reach[solid])
        near &= ignored[ray] != self._body[solid]
        return np.stack([ray[near], solid[near]], axis=1).tolist()

    def _tree(self, solid: int) -> Any:
        tree = self._trees.get(solid)
        if tree is None:
            tree = self._trees[solid] = _tree_of(self._forms[solid])
        return tree


def _tree_of(form: Form) -> Any:
    if isinstance(form, Mesh) and not form.is_convex:
        return BVHTree.FromPolygons(form.corners.tolist(), form.triangles.tolist())
    hull = convex_hull(surface_points(form))
    if hull is None:
        return BVHTree.FromPolygons([], [])
    return BVHTree.FromPolygons(hull[0].tolist(), hull[1].tolist())


def _reach(form: Form) -> float:
    return float(np.linalg.norm(surface_points(form), axis=1).max(initial=0.0))
