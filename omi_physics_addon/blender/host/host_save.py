"""Wraps `save` of Blender's glTF exporter, which makes and writes a file, for one export.

A hook can end it, it writes our extension objects last, and it finds the objects in its lists by
their identity.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any, cast

from ...codec.values import core_shapes
from ..base.compat import host_module


class ExportStopped(BaseException):
    """Ends the host's export from inside a hook, where it swallows every `Exception`."""


def prepare_save(late: Late, ended: Callable[[], None]) -> None:
    """Let `ExportStopped` end the export that is about to begin, and what is late be written.

    Args:
        ended: called when the file is written, or is not going to be.

    The operator of the host makes the objects with hooks, then calls `save`, then reports what
    was logged. It ends as cancelled when `save` says so; the host itself never does.

    The module is blender.exp.export since 4.3.
    """
    module = host_module("blender.exp.export", "blender.exp.gltf2_blender_export")
    save = module.save  # That of an export that failed before it began is still there.
    plain = save.plain if isinstance(save, _Save) else save
    module.save = _Save(module, plain, late, ended)


@dataclass(frozen=True)
class _Save:
    """Takes the place of the host's `save` for one export."""

    module: Any
    plain: Callable[[Any, dict[str, Any]], set[str]]
    late: Late
    ended: Callable[[], None]

    def __call__(self, context: Any, settings: dict[str, Any]) -> set[str]:
        self.module.save = self.plain
        frame = context.scene.frame_current
        try:
            with _writing(self.late), _finding():
                return self.plain(context, settings)
        except ExportStopped:
            # What the host does at its own end.
            context.window.cursor_set("DEFAULT")
            if not settings["gltf_current_frame"]:
                context.scene.frame_set(frame)
            return {"CANCELLED"}
        finally:
            self.ended()


class _Declared(str):
    """The name of an extension that an exporter leaves declared, though it did not see its use.

    It looks for names among the keys that it wrote, and "asset" always is one.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return other == "asset" or str.__eq__(self, other)  # pyright: ignore[reportReturnType]

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__


def declared_name(name: str) -> str:
    """The name of an extension that is late, or stands inside of one that is."""
    return _Declared(name)


@dataclass(frozen=True)
class Late:
    """Extension objects that a file gets when the host has finished all else.

    The host goes six times through what it knows of, and drops empty objects and lists.

    Attributes:
        root: of the file.
        nodes: by their index in the file.
        shapes: of the core, which the draft of glTF 2.1 has.
    """

    root: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    nodes: dict[int, dict[str, dict[str, Any]]] = field(
        default_factory=dict[int, dict[str, dict[str, Any]]]
    )

    shapes: list[Any] = field(default_factory=list[Any])

    def shared(self) -> set[int]:
        """The identities of the extension objects that several nodes have."""
        seen, shared = set[int](), set[int]()
        for extensions in self.nodes.values():
            for each in map(id, extensions.values()):
                (shared if each in seen else seen).add(each)
        return shared

    def add_to(self, json: dict[str, Any]) -> None:
        """Put these into a finished glTF, in the order in which the host writes members."""
        nodes = json.get("nodes", [])
        for i, node in enumerate(nodes):
            if not isinstance(node, dict):  # One of ours; see `compat.leaf_node`.
                nodes[i] = node.members()
        for i, extensions in self.nodes.items():
            _extend(nodes[i], extensions, ("camera", "children"))
        if self.root:
            _extend(json, self.root, ("asset", "extensionsUsed", "extensionsRequired"))
        if self.shapes:
            core_shapes.put(json, self.shapes)


def _extend(json: dict[str, Any], extensions: dict[str, Any], first: tuple[str, ...]) -> None:
    """Add extensions to an object, behind the members `first`."""
    known = json.pop("extensions", {})
    after = [(key, json.pop(key)) for key in [*json] if key not in first]
    json["extensions"] = {**known, **extensions}
    json.update(after)


@contextlib.contextmanager
def _writing(late: Late) -> Generator[None, None, None]:
    """Let the encoder of the host write what is late.

    Its module is blender.com.json_util since 4.3.
    """
    from ...codec.gltf import indented_json

    encoder = host_module(
        "blender.com.json_util", "blender.com.gltf2_blender_json"
    ).BlenderJSONEncoder
    plain = encoder.encode

    def encode(self: Any, value: Any) -> str:
        if not isinstance(value, dict) or "asset" not in value:
            return indented_json.encode(self, value)
        late.add_to(cast(dict[str, Any], value))
        return indented_json.encode(self, value, late.shared())

    encoder.encode = encode
    try:
        yield
    finally:
        encoder.encode = plain


def _is_known(items: list[Any], places: dict[int, int]) -> bool:
    """Whether the places of the identities of items are right, by their number and both ends."""
    count = len(items)
    return len(places) == count and (
        not count or (places.get(id(items[0])) == 0 and places.get(id(items[-1])) == count - 1)
    )


@contextlib.contextmanager
def _finding() -> Generator[None, None, None]:
    """Let the host find objects in its lists at once, and not by looking through each list.

    For each node it looks through all before it. That takes a quarter of the time of an export of
    10 000 nodes, and grows with their square.
    """
    module = host_module("blender.exp.exporter", "blender.exp.gltf2_blender_gltf2_exporter")
    owner, name = module.GlTF2Exporter, "_GlTF2Exporter__append_unique_and_get_index"
    plain = getattr(owner, name, None)
    if plain is None:  # A newer host may have another way.
        yield
        return
    known: dict[int, tuple[list[Any], dict[int, int]]] = {}

    def find(target: list[Any], obj: Any) -> int:
        if type(obj).__eq__ is not object.__eq__:  # What is equal may be another object.
            return plain(target, obj)
        _, places = known.setdefault(id(target), (target, {}))
        if not _is_known(target, places):  # Somebody else has changed it.
            places.clear()
            places.update((id(each), i) for i, each in enumerate(target))
        if len(places) != len(target):  # It has one twice.
            return plain(target, obj)
        at = places.setdefault(id(obj), len(target))
        if at == len(target):
            target.append(obj)
        return at if target[at] is obj else plain(target, obj)

    setattr(owner, name, staticmethod(find))
    try:
        yield
    finally:
        setattr(owner, name, staticmethod(plain))
