"""Checks a whole glTF: what reading it finds, what it declares, and the rules over all of it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, cast

from ...issue_codes import Code, Severity
from ...issues import Issues
from ...model.document import GltfFile, PhysicsDocument, entry
from ...model.shapes import Convex, Trimesh
from ...model.targets import SPECIFICATION
from .. import dialects
from ..omi import omi_family
from ..omi.omi_vehicle import PARTS
from ..values.carried import escape
from ..values.json_members import as_list, as_object, bones, member, targets, words
from ..values.json_values import show
from ..values.node_tree import Tree
from . import mesh_rules
from .all_rules import check
from .mesh_rules import Buffer
from .subject import Solids, Subject

if TYPE_CHECKING:
    from ...geometry.mesh_solids import Triangles

    ReadMesh = Callable[[int], Triangles | None]

_TRIANGLES: Final = 4  # Mode of primitives; the one that is meant where none is named.
# Name of a list of the document → where each family writes it.
_OMI_LISTS: Final = {
    "physics_materials": "OMI_physics_body/physicsMaterials",
    "collision_filters": "OMI_physics_body/collisionFilters",
    "joint_settings": "OMI_physics_joint/physicsJoints",
    "shapes": "OMI_physics_shape/shapes",
}
_KHR: Final = "KHR_physics_rigid_bodies"
_KHR_LISTS: Final = {
    "physics_materials": f"{_KHR}/physicsMaterials",
    "collision_filters": f"{_KHR}/collisionFilters",
    "joint_settings": f"{_KHR}/physicsJoints",
    "shapes": "KHR_implicit_shapes/shapes",
}
_PHYSICAL: Final = ("physics", "rigid", "collider", "collision", "vehicle")  # In names.
_FILTERED: Final = ("OMI_physics_body", _KHR)
_WHEELS: Final = "/extensions/OMI_vehicle_wheel/wheels"
_MAY_BE_EMPTY: Final = ("OMI_physics_body",)  # Whose schema does not ask for one item.


def check_file(
    json: Mapping[str, Any],
    issues: Issues,
    read_mesh: ReadMesh | None = None,
    buffer: Buffer | None = None,
    *,
    target: str = SPECIFICATION,
    known: tuple[GltfFile, Tree] | None = None,
) -> PhysicsDocument:
    """Add all that is wrong with the physics of a parsed glTF to `issues`.

    Args:
        read_mesh: the corners (n, 3) and triangles (m, 3) of a mesh; hulls are not looked at
            without it.
        buffer: see `mesh_rules.check`.
        target: see `Subject`.
        known: what the codecs need of it, and its tree, where somebody has them already.

    Returns:
        Its physics, read as well as possible.
    """
    file, tree = known or known_of(json)
    document = dialects.read(file, issues)
    _check_names(json, file, issues)
    for name, extension in file.extensions.items():
        if name in dialects.NAMES and name not in _MAY_BE_EMPTY and isinstance(extension, Mapping):
            _check_empty(name, cast(Mapping[str, Any], extension), issues)
    families = dialects.families(file)
    _check_unread(json, issues)
    _check_filters(json, issues)
    _check_wheels(json, document, issues)
    _check_old_keys(json, issues)
    _check_meshes(json, document, issues)
    tree.bones = frozenset(bones(json))
    # The pointers of the lists of the family that comes first.
    lists = _OMI_LISTS if omi_family.is_used(file) else _KHR_LISTS
    check(
        Subject(
            document,
            tree,
            issues,
            entry=lambda name, index: f"/extensions/{lists[name]}/{index}",
            families=families,
            target=target,
            animated=_animated(json),
            laden=_laden(json),
            triangles=functools.partial(_triangles, json),
            listed_shapes=_listed_shapes(json, families),
            solids=Solids(read_mesh),
        )
    )
    mesh_rules.check(json, document, issues, buffer)
    return document


def known_of(json: Mapping[str, Any]) -> tuple[GltfFile, Tree]:
    """What the codecs need of a parsed glTF, and the tree of its nodes."""
    file = dialects.gltf_file(json)
    return file, Tree.of(file)


def _check_names(json: Mapping[str, Any], file: GltfFile, issues: Issues) -> None:
    """Compare the extensions that are used with those that are listed."""
    _check_lists(json, issues)
    places = {name: f"/extensions/{name}" for name in file.extensions}
    for i, node in enumerate(file.nodes):
        for name in node.extensions:
            places.setdefault(name, f"/nodes/{i}/extensions/{name}")
    ours = set(dialects.NAMES)
    listed = [name for name in words(json.get("extensionsUsed")) if name in ours]
    for name, place in places.items():
        if name in ours and name not in listed:
            why = (
                f"{name} is used but not in extensionsUsed, so importers may skip it; add it "
                "to the list"
            )
            issues.add(Code.EXTENSION_NOT_LISTED, place, why)
    old_scenes = {name for scene in file.scenes for name in scene}
    for name in listed:
        if name not in places and name not in old_scenes:
            why = f"{name} is listed, but nothing in the file uses it; it can be removed"
            issues.add(Code.EXTENSION_NOT_USED, "/extensionsUsed", why)
    for name in words(json.get("extensionsRequired")):
        if name in ours:
            why = f"{name} is in extensionsRequired, so importers without it refuse the whole file"
            issues.add(Code.EXTENSION_REQUIRED, "/extensionsRequired", why)


def _check_lists(json: Mapping[str, Any], issues: Issues) -> None:
    """Look whether the names of extensions are names, and extensions are objects."""
    dialects.report_misfits(json, issues)
    for key in ("extensionsUsed", "extensionsRequired"):
        value = json.get(key, [])
        if not isinstance(value, list):
            issues.add(Code.TYPE_WRONG, f"/{key}", f"{show(value)} is not a list, so it is ignored")
        for i, name in enumerate(as_list(value)):
            if not isinstance(name, str):
                why = f"{show(name)} is not a string, so it is ignored"
                issues.add(Code.TYPE_WRONG, f"/{key}/{i}", why)


def _check_empty(name: str, extension: Mapping[str, Any], issues: Issues) -> None:
    for key, value in extension.items():
        if value == []:
            why = f"{key} is an empty list, which glTF forbids; leave the key out"
            issues.add(Code.LIST_EMPTY, f"/extensions/{name}/{key}", why)


def _check_filters(json: Mapping[str, Any], issues: Issues) -> None:
    """Look for lists of systems that are written and empty."""
    for name in _FILTERED:
        rows = as_list(member(member(json.get("extensions"), name), "collisionFilters"))
        for k, row in enumerate(rows):
            for key, value in as_object(row).items():
                if value == []:
                    where = f"/extensions/{name}/collisionFilters/{k}/{escape(key)}"
                    why = "the list of systems is empty and has no effect; leave the key out"
                    issues.add(Code.FILTER_LIST_EMPTY, where, why)


def _check_wheels(json: Mapping[str, Any], document: PhysicsDocument, issues: Issues) -> None:
    """Look for materials of wheels that both families have, and have different ones."""
    extensions = json.get("extensions")
    ours, theirs = (
        as_list(member(member(extensions, name), "physicsMaterials")) for name in _FILTERED
    )
    if not ours or not theirs:
        return
    for k, wheel in enumerate(document.wheels):
        at = wheel.physics_material
        if at is not None and ours[at : at + 1] != theirs[at : at + 1]:
            why = (
                f"material {at} differs between the OMI and KHR lists, so the wheel's tire is "
                "unclear; use one order in both"
            )
            issues.add(Code.WHEEL_MATERIAL_AMBIGUOUS, f"{_WHEELS}/{k}/physicsMaterial", why)


def _check_old_keys(json: Mapping[str, Any], issues: Issues) -> None:
    """Look for keys of 2025 that stand beside those of today; reading tells of those alone."""
    for kind in PARTS:
        rows = as_list(member(member(json.get("extensions"), kind.name), kind.array))
        for k, row in enumerate(rows):
            old = [key for key in kind.old_keys if member(row, key) is not None]
            if old and all(kind.old_keys[key] in row for key in old):
                where = f"/extensions/{kind.name}/{kind.array}/{k}"
                why = (
                    "the part has 2025 property names beside the current ones, which "
                    f"importers ignore: {', '.join(old)}"
                )
                issues.add(Code.VEHICLE_PART_OLD_KEYS, where, why, Severity.INFO)


def _check_meshes(json: Mapping[str, Any], document: PhysicsDocument, issues: Issues) -> None:
    """Look at the meshes that shapes are made of."""
    meshes = as_list(json.get("meshes"))
    chosen: set[int] = set()
    for shape in document.shapes:
        geometry = shape.geometry
        if isinstance(geometry, (Convex, Trimesh)) and geometry.mesh is not None:
            chosen.add(geometry.mesh)
    for mesh in sorted(chosen):
        primitives = as_list(member(meshes[mesh], "primitives"))
        if len(primitives) > 1:
            why = (
                f"the collision mesh has {len(primitives)} primitives, and some importers use "
                "only one; join the primitives"
            )
            issues.add(Code.COLLISION_MESH_OF_PARTS, f"/meshes/{mesh}", why)


def _check_unread(json: Mapping[str, Any], issues: Issues) -> None:
    """Name the extensions that seem to be about physics and are not read."""
    for name in words(json.get("extensionsUsed")):
        is_read = name in dialects.NAMES
        if not is_read and any(word in name.lower() for word in _PHYSICAL):
            why = f"{show(name)} seems to be physics, but is not read, so that physics is missing"
            issues.add(Code.EXTENSION_NOT_READ, "/extensionsUsed", why)


def _listed_shapes(json: Mapping[str, Any], families: tuple[dialects.Family, ...]) -> int:
    """How many shapes of the document are those of the one list in the file."""
    if len(families) != 1:
        return 0
    name = "OMI_physics_shape" if families == ("OMI",) else "KHR_implicit_shapes"
    return len(as_list(member(member(json.get("extensions"), name), "shapes")))


def _animated(json: Mapping[str, Any]) -> set[int]:
    """The nodes whose place an animation changes."""
    found = targets(*as_list(json.get("animations")))
    nodes = (
        at.get("node") for at in found if at.get("path") in ("translation", "rotation", "scale")
    )
    return {node for node in nodes if isinstance(node, int)}


def _laden(json: Mapping[str, Any]) -> set[int]:
    """The nodes with a mesh, camera or light."""
    return {
        i
        for i, node in enumerate(as_list(json.get("nodes")))
        if member(node, "mesh") is not None
        or member(node, "camera") is not None
        or member(member(node, "extensions"), "KHR_lights_punctual") is not None
    }


def _triangles(json: Mapping[str, Any], mesh: int) -> int:
    """How many triangles a mesh has; -1 for unknown."""
    meshes, accessors = as_list(json.get("meshes")), as_list(json.get("accessors"))
    if not 0 <= mesh < len(meshes):
        return -1
    total = 0
    for primitive in as_list(member(meshes[mesh], "primitives")):
        index = member(primitive, "indices")
        if index is None:
            index = member(member(primitive, "attributes"), "POSITION")
        accessor = entry(accessors, index) if isinstance(index, int) else None
        count = member(accessor, "count")
        is_known = isinstance(count, int) and count >= 0
        if not is_known or member(primitive, "mode") not in (None, _TRIANGLES):
            return -1
        total += count // 3
    return total
