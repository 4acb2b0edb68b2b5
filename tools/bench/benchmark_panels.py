"""Measures what our panels cost in a redraw, and what is made for them: all of its Python.

Run by `benchmark.py --panels`. Panels need a window, so they draw into a stand-in that does of a
layout what costs time: it polls the operators of buttons, and filters and draws rows of lists.
"""

from __future__ import annotations

import itertools
import time
from types import FunctionType, MethodType, SimpleNamespace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

COUNTS: Final = (1000, 10_000)
ROUNDS: Final = 5  # Of which the fastest counts.
# What may take how long, in ms, with 10 000 objects; of panels each, of the rest in all.
BOUNDS: Final = {"again": 4.0, "changed": 60.0, "selected": 25.0, "made": 3000.0}
_PREFIX: Final = "OMIPHYSICS_PT_"
_ROWS: Final = 10  # Of a list that can be seen.


class Cost(NamedTuple):
    """What one panel costs, or something that is made for one, ms.

    Attributes:
        again: a redraw after which nothing changed; zero for what is made on request.
        changed: a redraw after the physics of an object changed.
        selected: one with all objects selected.
        made: what is made on request; zero for panels.
    """

    number: int
    name: str
    again: float = 0.0
    changed: float = 0.0
    selected: float = 0.0
    made: float = 0.0


class _Layout:
    """Stands for a layout in which everything is open."""

    def __init__(self, bpy: Any) -> None:
        self._bpy = bpy

    def __getattr__(self, name: str) -> Any:
        return self

    def __call__(self, *_args: object, **_options: object) -> _Layout:
        """Be what any method gives."""
        return self

    def panel(self, *_args: object, **_options: object) -> tuple[_Layout, _Layout]:
        """Head and body of a section."""
        return self, self

    panel_prop = panel

    def operator(self, name: str, **_options: object) -> SimpleNamespace:
        """Ask whether the button is greyed out."""
        space, _, operator = name.partition(".")
        getattr(getattr(self._bpy.ops, space), operator).poll()
        return SimpleNamespace()

    def prop(self, data: Any, name: str, **_options: object) -> None:
        """Read the value."""
        getattr(data, name)

    def template_list(
        self, kind: str, _id: str, data: Any, name: str, active: Any, index: str, **_: object
    ) -> None:
        """Sort the rows, and draw those that can be seen."""
        cls: Any = getattr(self._bpy.types, kind)
        items = getattr(data, name)
        getattr(active, index)
        me = Instance(cls, layout=self, filter_name="")
        context = self._bpy.context
        shown = range(min(len(items), _ROWS))
        if "filter_items" in dir(cls):
            flags, _order = cls.filter_items(me, context, data, name)
            shown = itertools.islice((i for i, flag in enumerate(flags) if flag), _ROWS)
        for i in shown:
            cls.draw_item(me, context, self, data, items[i], 0, active, index, i, 0)


class Instance:
    """Stands for an instance of a panel or a list, which only Blender makes."""

    def __init__(self, cls: Any, **attributes: Any) -> None:
        self._cls = cls
        vars(self).update(attributes)

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._cls, name)
        return MethodType(value, self) if isinstance(value, FunctionType) else value


def _panels(bpy: Any) -> list[Any]:
    found = [cls for cls in bpy.types.Panel.__subclasses__() if cls.__name__.startswith(_PREFIX)]
    return sorted((cls for cls in found if cls.is_registered), key=lambda cls: cls.__name__)


class _Context:
    """The context of Blender, with a viewport."""

    space_data = SimpleNamespace(overlay=SimpleNamespace(show_overlays=True))
    region = None

    def __init__(self, context: Any) -> None:
        self._context = context

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)


def _redraw(bpy: Any, panel: Any) -> None:
    context = _Context(bpy.context)
    if not hasattr(panel, "poll") or panel.poll(context):
        panel.draw(Instance(panel, layout=_Layout(bpy)), context)


def _kinds(bpy: Any) -> list[Any]:
    """One object of each kind that the scene has."""
    found: dict[tuple[str, ...], Any] = {}
    for obj in bpy.context.scene.objects:
        group = obj.omi_physics
        flags = [name for name in dir(group) if name.startswith("use_")]
        found.setdefault(tuple(name for name in flags if getattr(group, name)), obj)
    return list(found.values())


def _measure_panels(bpy: Any, number: int) -> list[Cost]:
    """Each panel, at the object that it takes longest for."""
    worst = {panel: Cost(number, panel.__name__[len(_PREFIX) :]) for panel in _panels(bpy)}
    objects = list(bpy.context.scene.objects)
    for active in _kinds(bpy):
        bpy.context.view_layer.objects.active = active
        for share in ("some", "selected"):
            for obj in objects:
                obj.select_set(share == "selected" or obj == active)
            bpy.context.view_layer.update()
            for panel, cost in worst.items():
                worst[panel] = _worse(cost, _times(bpy, panel, active, share))
    return list(worst.values())


def _times(bpy: Any, panel: Any, active: Any, share: str) -> dict[str, float]:
    def redraw() -> None:
        _redraw(bpy, panel)

    redraw()
    if share == "selected":
        return {share: _best(redraw)}
    changed = _best(redraw, before=lambda: _touch(bpy, active))
    return {"again": _best(redraw), "changed": changed}


def _worse(cost: Cost, times: dict[str, float]) -> Cost:
    return cost._replace(**{name: max(ms, getattr(cost, name)) for name, ms in times.items()})


def _touch(bpy: Any, obj: Any) -> None:
    """Let Blender tell that an object changed, as when a value is edited in a panel."""
    obj.update_tag(refresh={"OBJECT"})
    bpy.context.view_layer.update()


def _best(
    function: Callable[[], object], rounds: int = ROUNDS, before: Callable[[], object] | None = None
) -> float:
    """The shortest of some runs, ms of CPU time."""
    times: list[float] = []
    for _ in range(rounds):
        if before is not None:
            before()
        start = time.thread_time()
        function()
        times.append((time.thread_time() - start) * 1000.0)
    return min(times)


def measure(bpy: Any, build: Callable[[Any, int], None], number: int) -> list[Cost]:
    """Build a scene in an empty file, with the add-on enabled, and draw each of our panels."""
    from omi_physics_addon.blender.authoring import json_view
    from omi_physics_addon.blender.base import scene_outline
    from omi_physics_addon.blender.scene import scene_check

    build(bpy, number)
    scene, view_layer = bpy.context.scene, bpy.context.view_layer
    first = scene.objects[0]

    def rows() -> None:
        scene_outline.forget()
        scene_outline.arrangement(scene, view_layer, "TREE", "", "NAME")

    costs = [
        Cost(number, "Check Scene", made=_best(lambda: scene_check.check(scene), 2)),
        Cost(number, "outliner", made=_best(rows, 3)),
    ]
    costs += [
        Cost(number, f"JSON in {family}", made=_best(read, 3))
        for family in ("OMI", "KHR")
        for read in [lambda family=family: json_view.update(scene, first, family)]
    ]
    return [*costs, *_measure_panels(bpy, number)]


def table(costs: Sequence[Cost]) -> list[str]:
    """The lines of the table, in ms."""
    lines = [f"  number  {'panel':28}   again  changed  selected      made"]
    lines += [
        f"{c.number:>8}  {c.name:28}  {c.again:>6.2f}  {c.changed:>7.2f}  {c.selected:>8.2f}"
        f"  {c.made:>8.1f}"
        for c in costs
    ]
    return lines


def exceeded(costs: Sequence[Cost]) -> list[str]:
    """What is slower than it may be, in words."""
    return [
        f"{cost.name} with {cost.number} objects: {name} takes {getattr(cost, name):.1f} ms, "
        f"{bound:.0f} are allowed"
        for cost in costs
        for name, bound in BOUNDS.items()
        if getattr(cost, name) > bound
    ]
