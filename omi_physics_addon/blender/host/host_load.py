"""Wraps what Blender's glTF importer asks of a parsed file before it knows our hooks.

It refuses every version but 2.0, though a minor version adds and changes nothing, and forgets the
members that it does not know.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping
from typing import Any, Final

from ...codec.values import core_shapes
from ...codec.values.json_members import as_list, as_object
from ..base.compat import host_module

_CHECK: Final = "check_version"


class CoreMembers:
    """What a file has in its core that the host forgets.

    Attributes:
        asset: what the file says of itself.
        shapes: of the draft of glTF 2.1.
        bounded: how many nodes have a bounding volume.
    """

    def __init__(self) -> None:
        """Of no file yet."""
        self.asset: Mapping[str, Any] = {}
        self.shapes: list[Any] = []
        self.bounded = 0

    def note(self, json: Mapping[str, Any]) -> None:
        """Note those of a parsed file."""
        self.asset, self.shapes = as_object(json.get("asset")), as_list(json.get("shapes"))
        nodes = map(as_object, as_list(json.get("nodes")))
        self.bounded = sum("boundingVolume" in node for node in nodes)


def prepare_load(members: CoreMembers) -> None:
    """Let the host read files of glTF 2.1, and note of each what it forgets.

    Args:
        members: where that is noted; the host is as before when they are no longer used.
    """
    owner = host_module("io.imp.gltf2_io_gltf").glTFImporter
    known = getattr(owner, _CHECK)
    plain = known.plain if isinstance(known, _Check) else known
    setattr(owner, _CHECK, _Check(weakref.ref(members), plain))
    weakref.finalize(members, _restore, owner, plain).atexit = False


def _restore(owner: Any, plain: Callable[[Any], None]) -> None:
    known = getattr(owner, _CHECK)
    if isinstance(known, _Check) and known.members() is None:
        setattr(owner, _CHECK, staticmethod(plain))


class _Check:
    """Takes the place of the host's check of the version."""

    def __init__(
        self, members: weakref.ReferenceType[CoreMembers], plain: Callable[[Any], None]
    ) -> None:
        self.members, self.plain = members, plain

    def __call__(self, json: Any) -> None:
        members = self.members()
        if members is None or not core_shapes.is_readable(as_object(json).get("asset")):
            self.plain(json)
        if members is not None:
            members.note(as_object(json))
