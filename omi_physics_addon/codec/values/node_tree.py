"""The tree of a file's nodes: who is above whom, and where everything stands.

Matrices are 16 numbers, column by column, as glTF writes them.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any, Final, TypeVar, cast, overload

from ...model.document import GltfFile, NewNode, NodePhysics
from ...model.fields import Vector3

Matrix = tuple[float, ...]
T = TypeVar("T")

PLACE: Final = ("matrix", "translation", "rotation", "scale")  # Members of a node that place it.
IDENTITY: Final[Matrix] = tuple(float(i % 5 == 0) for i in range(16))
_LARGEST: Final = 1e100  # Larger numbers count as faulty members.
_SMALLEST: Final = 1e-30  # Determinant of a matrix that has an inverse.
_SHEAR_TOLERANCE: Final = 1e-4  # Cosine between axes that count as perpendicular.


class LaterMatrices(Sequence[Matrix | None]):
    """The local matrices of nodes that nobody moves any more, made when they are asked for."""

    def __init__(self, count: int, make: Callable[[int], Matrix | None]) -> None:
        self._make = functools.cache(make)
        self._all = range(count)

    def __len__(self) -> int:
        return len(self._all)

    @overload
    def __getitem__(self, index: int) -> Matrix | None: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Matrix | None]: ...
    def __getitem__(self, index: int | slice) -> Matrix | Sequence[Matrix | None] | None:
        if isinstance(index, slice):
            return [self._make(i) for i in self._all[index]]
        return self._make(self._all[index])


@dataclass
class Tree:
    """The nodes of a file.

    Attributes:
        children: of each node.
        matrices: local matrix of each node; None for no change.
        meshes: index of the mesh of each node; -1 for none.
        bones: nodes that carry a skin along.
        reshaped: nodes whose shape keys an engine starts at 0, see `targets.shape_key_starts`.
        sized: nodes whose own matrix may scale, if that is known without looking at matrices.
    """

    children: Sequence[Sequence[int]]
    matrices: Sequence[Matrix | None]
    meshes: Sequence[int] = ()
    sized: Collection[int] | None = None
    bones: AbstractSet[int] = frozenset[int]()
    reshaped: AbstractSet[int] = frozenset[int]()
    parents: dict[int, int] = dataclass_field(init=False)

    def __post_init__(self) -> None:
        self.parents = {
            child: i
            for i, below in enumerate(self.children)
            for child in below
            if 0 <= child < len(self.children)
        }
        self._world: dict[int, Matrix] = {}
        self._may_be_scaled: dict[int, bool] = {}
        self._spans: dict[int, tuple[int, int]] | None = None

    @classmethod
    def of(cls, file: GltfFile) -> Tree:
        """The tree of a file."""
        return cls(
            [node.children for node in file.nodes],
            file.matrices,
            [node.mesh for node in file.nodes],
        )

    def upward(self, node: int) -> Iterator[int]:
        """A node and its ancestors, nearest first."""
        seen: set[int] = set()
        at: int | None = node
        while at is not None and at not in seen:
            yield at
            seen.add(at)
            at = self.parents.get(at)

    def may_be_scaled(self, node: int) -> bool:
        """Whether a node may be scaled in the world; quick, as `world` is not."""
        if self.sized is None:
            return True
        sized = self.sized
        return bool(sized) and self.from_above(
            node, self._may_be_scaled, False, lambda at, above: above or at in sized
        )

    def from_above(
        self, node: int, known: dict[int, T], start: T, step: Callable[[int, T], T]
    ) -> T:
        """What nodes hand down to a node; see `from_above`."""
        if node in known:
            return known[node]
        if node not in self.parents:
            value = known[node] = step(node, start)
            return value
        return from_above(node, known, lambda at: self.parents.get(at, -1), start, step)

    def nearest(self, nodes: Mapping[int, NodePhysics], part: str) -> Callable[[int], int | None]:
        """What finds the nearest node that has a part of physics, at or above a node."""
        known: dict[int, int | None] = {}

        def step(node: int, above: int | None) -> int | None:
            return node if node in nodes and getattr(nodes[node], part) is not None else above

        return lambda node: self.from_above(node, known, None, step)

    def is_below(self, node: int, above: int) -> bool:
        """Whether a node is another one's descendant."""
        if self._spans is None:
            self._spans = self._measure_spans()
        if node not in self._spans or above not in self._spans:  # In a circle, or not there.
            return node != above and above in self.upward(node)
        first, last = self._spans[above]
        return first < self._spans[node][0] <= last

    def _measure_spans(self) -> dict[int, tuple[int, int]]:
        """The numbers of a node and of its last descendant, counted depth first."""
        spans: dict[int, tuple[int, int]] = {}
        parents, children = self.parents, self.children
        waiting = [i for i in range(len(children) - 1, -1, -1) if i not in parents]
        while waiting:
            node = waiting.pop()
            if node < 0:
                spans[~node] = (spans[~node][0], len(spans) - 1)
                continue
            spans[node] = (len(spans), 0)
            waiting.append(~node)
            waiting += [at for at in dict.fromkeys(children[node]) if parents.get(at) == node]
        return spans

    def world(self, node: int) -> Matrix:
        """The matrix from a node's frame to that of the scene."""
        return self.from_above(node, self._world, (), self._placed)

    def _placed(self, node: int, above: Matrix) -> Matrix:
        local = self.matrices[node] if node < len(self.matrices) else None
        if local is None or not above:
            return local or above or IDENTITY
        return multiply(above, local)

    def place_new(self, index: int, new: NewNode) -> None:
        """Let `world` know a node that is added to the file."""
        local = compose(new.translation, new.rotation, new.scale)
        above = self.world(new.place) if new.place >= 0 else IDENTITY
        self._world[index] = multiply(above, local)


def from_above(
    node: int,
    known: dict[int, T],
    parent_of: Callable[[int], int],
    start: T,
    step: Callable[[int, T], T],
) -> T:
    """What the nodes above a node hand down to it, each asked once however many are below.

    Args:
        known: what was found before; what is found is added.
        parent_of: the node above a node, -1 for none.
        start: what nodes at the top get.
        step: from a node and what it gets to what it has.
    """
    waiting: dict[int, None] = {}
    while node >= 0 and node not in known and node not in waiting:
        waiting[node] = None
        node = parent_of(node)
    value = known.get(node, start)
    for at in reversed(waiting):
        value = known[at] = step(at, value)
    return value


def multiply(a: Matrix, b: Matrix) -> Matrix:
    """The product `a` `b`, which applies `b` first."""
    out: list[float] = []
    for column in (0, 4, 8, 12):
        p, q, r, s = b[column : column + 4]
        # The zero first, so that no sum is -0.
        out += [0.0 + a[i] * p + a[4 + i] * q + a[8 + i] * r + a[12 + i] * s for i in range(4)]
    return tuple(out)


def scale_of(matrix: Matrix) -> Vector3 | None:
    """How a matrix scales along its own axes, x negative for a mirror; None when it shears.

    An axis that is scaled to nothing has scale 0.
    """
    a, b, c, _, d, e, f, _, g, h, k, *_ = matrix
    if not (b or c or d or f or g or h):  # Most nodes are not turned.
        return (math.copysign(a, a * e * k), abs(e), abs(k))
    x, y, z = math.hypot(a, b, c), math.hypot(d, e, f), math.hypot(g, h, k)
    if (
        abs(a * d + b * e + c * f) > _SHEAR_TOLERANCE * x * y
        or abs(d * g + e * h + f * k) > _SHEAR_TOLERANCE * y * z
        or abs(g * a + h * b + k * c) > _SHEAR_TOLERANCE * z * x
    ):
        return None
    turned = a * (e * k - f * h) - b * (d * k - f * g) + c * (d * h - e * g)
    return (math.copysign(x, turned), y, z)


def local_matrix(node: Mapping[str, Any]) -> Matrix | None:
    """The local matrix of a node of a parsed glTF; faulty members count as absent."""
    whole = _numbers(node.get("matrix"), 16)
    if whole is not None:
        return None if whole == IDENTITY else whole
    translation = _numbers(node.get("translation"), 3)
    rotation = _numbers(node.get("rotation"), 4)
    scale = _numbers(node.get("scale"), 3)
    if translation is None and rotation is None and scale is None:
        return None
    matrix = compose(translation, rotation, scale)
    return None if matrix == IDENTITY else matrix


def compose(
    translation: Sequence[float] | None,
    rotation: Sequence[float] | None,
    scale: Sequence[float] | None,
) -> Matrix:
    """The matrix that scales, then turns, then moves."""
    if rotation is None and scale is None:  # Most nodes are only somewhere.
        return (*IDENTITY[:12], *(translation or (0.0, 0.0, 0.0)), 1.0)
    x, y, z, w = rotation or (0.0, 0.0, 0.0, 1.0)
    length = math.hypot(x, y, z, w)
    if length > 0.0:
        x, y, z, w = x / length, y / length, z / length, w / length
    else:
        w = 1.0
    columns = (
        (1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)),
        (2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)),
        (2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)),
    )
    sizes = scale or (1.0, 1.0, 1.0)
    turned = [
        number
        for column, size in zip(columns, sizes, strict=True)
        for number in (*(size * part for part in column), 0.0)
    ]
    return (*turned, *(translation or (0.0, 0.0, 0.0)), 1.0)


def _numbers(value: Any, count: int) -> tuple[float, ...] | None:
    if not isinstance(value, list):
        return None
    items = cast(list[Any], value)
    if len(items) != count or not all(_is_number(item) for item in items):
        return None
    return tuple(float(item) for item in items)


def _is_number(item: Any) -> bool:
    return isinstance(item, (int, float)) and not isinstance(item, bool) and abs(item) < _LARGEST


def inverse(matrix: Matrix) -> Matrix | None:
    """The inverse of a local or world matrix; None where it has none."""
    (a, b, c), (d, e, f), (g, h, k) = (matrix[i : i + 3] for i in (0, 4, 8))
    determinant = a * (e * k - f * h) - d * (b * k - c * h) + g * (b * f - c * e)
    if abs(determinant) < _SMALLEST:
        return None
    rows = (
        ((e * k - f * h), (f * g - d * k), (d * h - e * g)),
        ((c * h - b * k), (a * k - c * g), (b * g - a * h)),
        ((b * f - c * e), (c * d - a * f), (a * e - b * d)),
    )
    # The cofactors, transposed twice: once for the inverse, once for writing by columns.
    columns = [tuple(rows[row][column] / determinant for row in range(3)) for column in range(3)]
    move = matrix[12:15]
    back = tuple(-sum(columns[k][row] * move[k] for k in range(3)) for row in range(3))
    return tuple(
        number
        for column in (*((*column, 0.0) for column in columns), (*back, 1.0))
        for number in column
    )
