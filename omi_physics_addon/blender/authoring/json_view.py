"""The JSON that the sidebar shows: made outside of drawing, and again when something changed."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, cast

import bpy

from ...issues import Issue
from ..base import changes
from ..base.json_text import pretty
from ..base.redraws import redraw

if TYPE_CHECKING:
    from ..scene.object_json import Family, ObjectJson

_SLOW: Final = 0.2  # From which on it is made on request only, s.
_DELAY: Final = 0.05  # Until it is made, so that dragging a value stays smooth, s.


@dataclass(frozen=True)
class Section:
    """A piece with a heading."""

    title: str
    lines: tuple[str, ...]


@dataclass
class View:
    """What is shown of one object.

    Attributes:
        change: number of the change that it knows of.
        seconds: how long it took to make.
        failure: why there is nothing.
    """

    uid: int
    family: str
    change: int
    seconds: float = 0.0
    sections: list[Section] = field(default_factory=list[Section])
    issues: tuple[Issue, ...] = ()
    failure: str = ""

    @property
    def is_current(self) -> bool:
        """Whether nothing has changed since."""
        return self.change == changes.count()

    @property
    def is_slow(self) -> bool:
        """Whether the view is only made again when somebody asks."""
        return self.seconds > _SLOW


_view: View | None = None
_wanted: tuple[str, int, str] | None = None  # Scene, uid, family.


def of(obj: Any, family: str) -> View | None:
    """The view of an object, which may be from before the last change."""
    if _view is not None and (_view.uid, _view.family) == (obj.session_uid, family):
        return _view
    return None


def request(scene: Any, obj: Any, family: str) -> None:
    """Have the view of an object made soon; drawing must not read meshes."""
    global _wanted
    _wanted = (scene.name, obj.session_uid, family)
    if not bpy.app.timers.is_registered(_make):
        bpy.app.timers.register(_make, first_interval=_DELAY)


def _make() -> None:
    """Make the view that was asked for last, and redraw the editors."""
    global _wanted
    wanted, _wanted = _wanted, None
    if wanted is None:
        return
    scene: Any = bpy.data.scenes.get(wanted[0])
    objects: Any = () if scene is None else scene.objects
    obj = next((each for each in objects if each.session_uid == wanted[1]), None)
    if obj is not None:
        update(scene, obj, wanted[2])
        redraw("VIEW_3D")


def update(scene: Any, obj: Any, family: str, width: int = 38) -> View:
    """Make what is shown of an object."""
    from ..scene import object_json  # The whole export, which only those need who look.

    global _view
    start = time.perf_counter()
    view = View(obj.session_uid, family, changes.count())
    try:
        found = object_json.read(scene, obj, cast("Family", family))
    except ValueError as problem:
        view.failure = str(problem)
    else:
        view.sections, view.issues = sections(found, width), found.issues
    view.change, view.seconds = changes.count(), time.perf_counter() - start
    _view = view
    return view


def forget() -> None:
    """Drop what is kept, and what was asked for."""
    global _view, _wanted
    _view = _wanted = None
    if bpy.app.timers.is_registered(_make):
        bpy.app.timers.unregister(_make)


def sections(found: ObjectJson, width: int) -> list[Section]:
    """The pieces of a glTF that people want to see: nodes, then each entry of the lists."""
    pieces: list[Section] = []
    for index, node in enumerate(found.gltf.get("nodes", [])):
        if "extensions" in node:
            members = {key: value for key, value in node.items() if key not in ("name", "children")}
            shown = members["extensions"] if len(members) == 1 else members
            pieces.append(_section(f"Node {index}: {node['name']}", shown, width))
    for name, extension in found.gltf.get("extensions", {}).items():
        for key, entries in extension.items():
            if not isinstance(entries, list):
                continue
            for index, entry in enumerate(cast(list[Any], entries)):
                pieces.append(_section(f"{name} {key} {index}", entry, width))
    stubs = [
        f"node {index}: {node['name']}"
        for index, node in enumerate(found.gltf.get("nodes", []))
        if "extensions" not in node
    ]
    meshes = enumerate(found.gltf.get("meshes", []))
    stubs += [f"mesh {index}: {mesh['name']}" for index, mesh in meshes]
    if stubs:
        pieces.append(Section("Referred To", tuple(stubs)))
    return pieces


def _section(title: str, value: Any, width: int) -> Section:
    return Section(title, tuple(pretty(value, width).split("\n")))
