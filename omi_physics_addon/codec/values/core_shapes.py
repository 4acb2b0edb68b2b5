"""The core of glTF around shapes: versions, and what a whole file has of the draft of glTF 2.1.

Source: glTF 2.0, "Asset"; draft of glTF 2.1; see docs/gltf_2_1.md.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from ...issue_codes import Code
from ...issues import Issues
from .json_members import as_list, as_object, objects
from .json_values import show

RELEASED: Final = "2.0"
DRAFT: Final = "2.1"
_VERSION: Final = re.compile(r"(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})")
_KEYS: Final = ("version", "minVersion")
# Members that the draft adds, of the root and of nodes.
_ROOT: Final = ("shapes", "files", "externalAssets")
_NODE: Final = ("boundingVolume", "externalAsset")
_REFERRING: Final = frozenset(("shape", "boundingVolume"))  # Members that may name a core shape.


def is_readable(asset: Any) -> bool:
    """Whether a program that knows 2.0 and the shapes of 2.1 may read a file.

    A minor version adds and changes nothing; a file that needs a newer one says so.
    """
    version, needed = (as_object(asset).get(key, RELEASED) for key in _KEYS)
    found = _VERSION.fullmatch(version) if isinstance(version, str) else None
    return found is not None and found[1] == "2" and needed in (RELEASED, DRAFT)


def report(asset: Mapping[str, Any], issues: Issues, *, has_core_shapes: bool) -> None:
    """Tell of a version that is a draft, or that nobody knows.

    Args:
        has_core_shapes: physics refers to shapes of the draft, whatever the version is.
    """
    known = (RELEASED, DRAFT)
    for key in _KEYS:
        version = asset.get(key, RELEASED)
        if version not in known:
            why = (
                f"glTF {show(version)} is unknown, so physics may be incomplete; use a file of "
                "glTF 2.0"
            )
            issues.add(Code.GLTF_VERSION_UNKNOWN, f"/asset/{key}", why)
    if has_core_shapes or asset.get("version") == DRAFT:
        why = (
            "the file uses the draft of glTF 2.1, which may change, so few importers find its "
            "shapes; convert the file to the current form"
        )
        issues.add(Code.GLTF_DRAFT, "/shapes" if has_core_shapes else "/asset/version", why)


def of_others(json: Mapping[str, Any], ours: Collection[str]) -> Sequence[Any]:
    """The core's shapes where more than physics may refer to them, or else none.

    Args:
        ours: the names of the extensions of physics.
    """
    shapes = as_list(json.get("shapes"))
    if not shapes:
        return ()
    for owner in (json, *as_list(json.get("nodes"))):
        members = as_object(owner)
        extensions = as_object(members.get("extensions"))
        foreign = [value for name, value in extensions.items() if name not in ours]
        may_refer = any(not _REFERRING.isdisjoint(each) for each in objects(foreign))
        if "boundingVolume" in members or may_refer:
            return shapes
    return ()


def put(json: dict[str, Any], shapes: Sequence[Any]) -> None:
    """Give a whole glTF a list of shapes in its core, or none, and the version that it needs.

    A file that asks for the draft by its `minVersion` stays one.
    """
    had = json.pop("shapes", None)
    if shapes:
        json["shapes"] = list(shapes)
    elif had is not None and not isinstance(had, list):
        json["shapes"] = had
    asset = as_object(json.get("asset"))
    is_draft = any(key in json for key in _ROOT) or any(
        key in as_object(node) for node in as_list(json.get("nodes")) for key in _NODE
    )
    version = asset.get("version", RELEASED)
    if is_draft and version == RELEASED:
        json["asset"] = {**asset, "version": DRAFT}
    elif had and not is_draft and version == DRAFT and "minVersion" not in asset:
        json["asset"] = {**asset, "version": RELEASED}
