"""Copies that the artist's keyframes move, and no body."""

from __future__ import annotations

from typing import Any

from mathutils import Matrix

from ....axes import matrices_to_blender
from ...base.hierarchy import named
from ..input.animation import Samples


class AnimatedCopies:
    """Puts the copies of one preview where the keyframes of their objects say."""

    def __init__(self, samples: Samples) -> None:
        """Take where keyframes put objects, by node."""
        self._samples = samples
        self._column = {node: i for i, node in enumerate(samples.objects)}
        self._copies: list[tuple[int, str]] = []  # Columns of the samples, and names.

    def add(self, node: int, copy: Any) -> None:
        """Take the copy of what a node stands for."""
        if node in self._column:
            self._copies.append((self._column[node], copy.name))

    def place(self, time: float) -> None:
        """Put the copies where they are at a time."""
        if not self._copies:
            return
        matrices = matrices_to_blender(self._samples.at(time))
        there = named([name for _, name in self._copies])
        for column, name in self._copies:
            if name in there:
                there[name].matrix_world = Matrix(matrices[column].tolist())
