"""Measures what the overlay costs in a redraw: all of its Python, with drawing that does nothing.

A viewport needs a window, so the calls to the graphics card end in a stand-in.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

COUNTS: Final = (100, 1000, 5000)
ROUNDS: Final = 5  # Of which the fastest counts.
# What may take how long, in ms, whatever the scene.
BOUNDS: Final = {"unchanged": 4.0, "register": 60.0}


class Cost(NamedTuple):
    """What a scene costs, ms.

    Attributes:
        first: the first redraw, which reads everything.
        unchanged: one after which nothing changed.
        moved: one after an object moved.
        edited: one after the physics of an object was edited.
        selected: one after everything was selected.
        register: to register the add-on; the scene does not matter.
    """

    number: int
    scene: str
    first: float
    unchanged: float
    moved: float
    edited: float
    selected: float
    register: float


class _Nothing:
    """Takes every call, and can be entered as a context."""

    def __getattr__(self, name: str) -> _Nothing:
        return self

    def __call__(self, *args: object, **options: object) -> _Nothing:
        return self

    def __getitem__(self, key: object) -> _Nothing:
        return self

    def __enter__(self) -> _Nothing:
        return self

    def __exit__(self, *args: object) -> None:
        return None


class _Matrices(_Nothing):
    """What knows the projection."""

    def __init__(self, identity: Any) -> None:
        self._identity = identity

    def get_projection_matrix(self) -> Any:
        """A matrix that can be worked with."""
        return self._identity


class _Graphics(_Nothing):
    """Stands for the module `gpu`."""

    def __init__(self, identity: Any) -> None:
        self.matrix = _Matrices(identity)


def measure(bpy: Any, scene: str, build: Callable[[Any, int], None], number: int) -> Cost:
    """Build a scene in an empty file, with the add-on enabled, and redraw it in every way."""
    from omi_physics_addon.blender import registration
    from omi_physics_addon.blender.overlay import line_cache, overlay

    register = _best(lambda: (registration.unregister(), registration.register()))
    build(bpy, number)
    module: Any = overlay
    module.gpu, module.gpu_batch = _Graphics(bpy.context.scene.cursor.matrix), _Nothing()
    cache = line_cache.LineCache()

    def note(_scene: Any, depsgraph: Any) -> None:
        cache.note(depsgraph)

    handlers = bpy.app.handlers.depsgraph_update_post
    handlers.append(note)
    context, settings = bpy.context, bpy.context.scene.omi_physics.overlay

    def redraw() -> None:
        visible, selected = context.visible_objects, context.selected_objects
        depsgraph = context.view_layer.depsgraph
        view = cache.refresh(0, visible, selected, depsgraph, settings.symbol_size)
        module._draw_view(view, settings, context.preferences)

    def after(change: Callable[[int], object]) -> float:
        times: list[float] = []
        for step in range(ROUNDS):
            change(step)
            context.view_layer.update()
            times.append(_best(redraw, 1))
        return min(times)

    first = _best(redraw, 1)
    unchanged = _best(redraw)
    objects = list(context.scene.objects)
    middle = objects[len(objects) // 2]
    moved = after(lambda step: setattr(middle, "location", (0.0, float(step), 0.0)))
    edited = after(lambda _step: middle.update_tag(refresh={"OBJECT", "DATA"}))
    selected = after(lambda step: [obj.select_set(step % 2 == 0) for obj in objects])
    handlers.remove(note)
    return Cost(number, scene, first, unchanged, moved, edited, selected, register)


def _best(function: Callable[[], object], rounds: int = ROUNDS) -> float:
    """The shortest of some runs, ms of CPU time."""
    times: list[float] = []
    for _ in range(rounds):
        start = time.thread_time()
        function()
        times.append((time.thread_time() - start) * 1000.0)
    return min(times)


def table(costs: Sequence[Cost]) -> list[str]:
    """The lines of the table, in ms."""
    lines = ["  number  scene      first  unchanged   moved  edited  selected  register"]
    lines += [
        f"{c.number:>8}  {c.scene:8} {c.first:>7.1f}  {c.unchanged:>9.2f}  {c.moved:>6.2f}"
        f"  {c.edited:>6.2f}  {c.selected:>8.2f}  {c.register:>8.1f}"
        for c in costs
    ]
    return lines


def exceeded(costs: Sequence[Cost]) -> list[str]:
    """What is slower than it may be, in words."""
    return [
        f"overlay of {cost.number} {cost.scene}: {name} takes {getattr(cost, name):.1f} ms, "
        f"{bound:.0f} are allowed"
        for cost in costs
        for name, bound in BOUNDS.items()
        if getattr(cost, name) > bound
    ]
