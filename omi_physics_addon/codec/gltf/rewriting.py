"""Write the physics of a parsed glTF in today's form or another family; all else stays."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from ...issues import Issues
from ...model.document import GltfFile, NewNode, PhysicsDocument
from ...model.fields import MeshIndex, NodeIndex
from .. import dialects
from ..convert import anchors, completing, family_conversion, mesh_nodes, shape_conversion
from ..convert.draft import Draft, ReadMesh
from ..convert.shape_conversion import MeasureMesh
from ..dialects import Encoded, Family, WriteOptions, Writer
from ..khr import khr_legacy
from ..targets import added_meshes, authored, engines, idle_skins, shape_key_starts, written_names
from ..targets.engines import Written
from ..values import core_shapes
from ..values.json_members import animated, as_list, as_object, bones, member, targets
from ..values.node_tree import Tree
from . import moved_channels, node_places

Revise = Callable[[PhysicsDocument, Tree, int], PhysicsDocument]
# What today's files name; the readers' older names go when a file is written.
_OURS: Final = frozenset(dialects.NAMES)


@dataclass(frozen=True)
class Converted:
    """A glTF that was written anew.

    Attributes:
        json: the parsed glTF; it shares unchanged members with the one it was made of.
        document: its physics, of the family that came first.
        families: those that it is written in.
    """

    json: dict[str, Any]
    document: PhysicsDocument
    families: tuple[Family, ...]


def change(
    json: Mapping[str, Any],
    issues: Issues,
    options: WriteOptions,
    families: tuple[Family, ...] = (),
    measure_mesh: MeasureMesh | None = None,
    revise: Revise | None = None,
    read_mesh: ReadMesh | None = None,
) -> Converted:
    """A glTF with the physics of `json` in today's form; `json` itself is left unchanged.

    Args:
        options: its families are not used.
        families: what to write; what the file has when empty. An engine that reads none of
            these gets its own.
        measure_mesh: see `shape_conversion.estimate`.
        revise: what changes a document before it is written; it gets the tree, and how many
            meshes the file has.
        read_mesh: see `engines.repaired`.
    """
    json = authored.restore(json, issues).json
    given = dialects.gltf_file(json)
    # The core's shapes, unless physics alone refers to them; these are written anew.
    kept = core_shapes.of_others(json, _OURS) if dialects.reads_core(given) else given.shapes
    json, moving = moved_channels.noted(json, with_core=not kept)
    file = dialects.gltf_file(json)
    dialects.report_misfits(json, issues)
    engine = options.target
    wanted = families or dialects.families(file) or ("OMI",)
    if engine is not None and engine.family not in wanted:
        wanted = (engine.family,)
    tree = Tree.of(file)
    documents = _documents(file, wanted, issues, measure_mesh, is_asked_for=bool(families))
    if revise is not None:
        first, other = documents.first, documents.for_khr
        other = None if other is None else revise(other, tree, file.mesh_count)
        documents = Written(revise(first, tree, file.mesh_count), other)
    if "KHR" in wanted:
        documents = _anchored(documents, tree)
    before = documents
    if engine is not None:
        tree.bones = set(bones(json))
        names, moving_nodes = _name_finder(json), animated(*as_list(json.get("animations")))
        meshes = file.mesh_count
        draft = Draft(documents.of(engine.family), tree, Issues())
        weigh = functools.partial(shape_conversion.weighed, draft, measure_mesh=measure_mesh)
        documents = engines.repaired(
            engine, documents, tree, issues, names, moving_nodes, meshes, weigh, read_mesh
        )
    shown: dict[int, int] = {}
    if "OMI" in wanted:
        documents, shown = _meshes_apart(documents, json, tree)
    new_nodes = list(documents.first.new_nodes)
    needs_nodes = "KHR" in wanted and options.form in ("MESH_AND_NODE", "NODE")
    carriers = _Carriers(file, new_nodes, shown) if needs_nodes else None
    mesh_node: Callable[[int], int | None] = carriers.find if carriers else lambda _mesh: None
    options = dataclasses.replace(options, families=wanted)
    # Nodes for meshes may come to those that are there now.
    most = len(file.nodes) + len(new_nodes) + (file.mesh_count if needs_nodes else 0)
    counts = {NodeIndex: most, MeshIndex: file.mesh_count + len(documents.first.new_meshes)}
    writer = Writer(
        issues,
        options,
        mesh_node=mesh_node,
        place_of_shape="shape {}".format,
        core=kept,
        counts=counts,
    )
    encoded = writer.document(documents.first, for_khr=documents.for_khr)
    places = moved_channels.take(encoded) if moving else {}
    result = apply(json, encoded, new_nodes, tree, issues)
    core_shapes.put(result, encoded.shapes or kept)
    if "KHR" in wanted:
        _note_anchors(result, documents.of("KHR"))
    node_places.move_nodes(result, documents.first.moved_nodes, tree, issues)
    for node, name in documents.first.renamed_nodes.items():
        result["nodes"][node] = {**result["nodes"][node], "name": name}
    mesh_nodes.retarget(result, shown)
    _note_roles(result, documents.first, shown)
    if engine is None:
        added_meshes.append(result, documents.first.new_meshes)
    else:
        specified = Writer(
            Issues(), options.as_authored(), mesh_node=mesh_node, core=kept, counts=counts
        )
        plain = specified.document(before.first, for_khr=before.for_khr)
        moved_channels.refer(plain, places)
        added = range(
            len(file.nodes) + len(before.first.new_nodes), len(file.nodes) + len(new_nodes)
        )
        moved = node_places.places(json, documents.first, tree)
        movers = idle_skins.movers(documents.first) if engine.has_skeletons else ()
        whole = Tree.of(dialects.gltf_file(result))
        named = written_names.of(result, whole)
        found = engine.rename(named, encoded.nodes, "")
        engine.tell_names(named, found, issues, "/{}/{}".format)
        note = authored.note(
            engine.target.id,
            plain.nodes,
            encoded.nodes,
            (plain.root, encoded.root),
            added=added,
            moved=moved,
            shown={child: node for node, child in shown.items()},
            meshes=added_meshes.append(result, documents.first.new_meshes),
            skins=idle_skins.take(result, movers),
            names=written_names.put(result, found),
        )
        result["asset"] = authored.with_note(result.get("asset"), note)
        whole.bones = set(bones(result))
        if engine.reset_animation:
            whole.reshaped = shape_key_starts.reshaped_in(json, engine.reset_animation)
        engine.check(documents.of(engine.family), whole, issues, "/nodes/{}".format)
    if moving:
        moved_channels.settle(result, moving, places, issues)
    return Converted(result, documents.first, wanted)


def _anchored(documents: Written, tree: Tree) -> Written:
    """The same documents, of which the one for KHR knows what joints hang on."""
    first, for_khr = documents.first, documents.for_khr
    if for_khr is None:
        return Written(anchors.marked(first, tree))
    return Written(first, anchors.marked(for_khr, tree))


def _meshes_apart(
    documents: Written, json: Mapping[str, Any], tree: Tree
) -> tuple[Written, dict[int, int]]:
    """Documents in which children show what nodes with physics showed, and these by their nodes."""
    names, nodes = _name_finder(json), as_list(json.get("nodes"))
    first, shown = mesh_nodes.add(
        documents.first,
        len(nodes) + len(documents.first.new_nodes),
        _seen(json, tree.children).word,
        lambda i, word: f"{names(i)} {word}",
    )
    for i, new in enumerate(first.new_nodes, len(nodes)):
        if new.shows >= 0:
            tree.place_new(i, new)
    other = documents.for_khr
    return Written(first, None if other is None else mesh_nodes.refer(other, shown)), shown


def _seen(json: Mapping[str, Any], children: Sequence[Sequence[int]]) -> mesh_nodes.Nodes:
    nodes = as_list(json.get("nodes"))
    taken = {at for node in nodes for at in mesh_nodes.referred(member(node, "extensions"))}
    for target in targets(*as_list(json.get("animations"))):
        said = (target.get(name) for name in ("path", "node", "extensions"))
        taken.add(mesh_nodes.moved_by(*said))
    return mesh_nodes.Nodes(
        lambda i, name: member(nodes[i], name) if i < len(nodes) else None,
        children,
        frozenset(bones(json)),
        taken,
    )


def _note_roles(json: dict[str, Any], document: PhysicsDocument, shown: dict[int, int]) -> None:
    """Let our import know the children that show something, where the tree alone does not say."""
    nodes = json.get("nodes", [])
    seen = _seen(json, [node.children for node in dialects.gltf_file(json).nodes])
    bodies = [i for i, physics in document.nodes.items() if mesh_nodes.has_parts(physics)]
    known = {node: child for child, node in seen.folded(bodies).items()}
    for i, role in seen.roles(bodies, known | shown).items():
        nodes[i] = {**nodes[i], "extras": {dialects.ROLE_KEY: role}}


def _note_anchors(json: dict[str, Any], document: PhysicsDocument) -> None:
    """Let our import know the bodies that are kinematic for their joints only."""
    for i in document.anchors:
        node = json["nodes"][i]
        extras = {**as_object(node.get("extras")), dialects.ROLE_KEY: anchors.ROLE}
        json["nodes"][i] = {**node, "extras": extras}


def _name_finder(json: Mapping[str, Any]) -> Callable[[int], str]:
    """What finds the name of a node, or words for one without."""
    nodes = as_list(json.get("nodes"))

    def name_of(node: int) -> str:
        name = member(nodes[node], "name") if node < len(nodes) else None
        return name if isinstance(name, str) else f"node {node}"

    return name_of


def _documents(
    file: GltfFile,
    wanted: tuple[Family, ...],
    issues: Issues,
    measure_mesh: MeasureMesh | None,
    *,
    is_asked_for: bool,
) -> Written:
    """The physics of a file, converted to the wanted families.

    Args:
        is_asked_for: both families are to say everything, not only what they say now.
    """
    has = dialects.families(file)
    tree = Tree.of(file)
    if len(has) == 2 and len(wanted) == 2:
        ours, theirs = dialects.read_each(file, issues)
        merged = dialects.merged(ours, theirs, file, issues)
        if not is_asked_for:
            return Written(ours, theirs)
        return Written(*completing.complete(ours, theirs, merged, tree, issues, measure_mesh))
    document = dialects.read(file, issues)
    if set(wanted) == set(has):
        return Written(document)
    if wanted == ("KHR",):
        return Written(family_conversion.to_khr(document, tree, issues))
    if wanted == ("OMI",):
        return Written(family_conversion.to_omi(document, tree, issues, measure_mesh=measure_mesh))
    if has == ("KHR",):
        shared = family_conversion.for_both(document, tree, issues)
        ours = family_conversion.to_omi(shared, tree, issues, measure_mesh=measure_mesh)
        return Written(ours, shared)
    return Written(document, family_conversion.to_khr(document, tree, issues))


class _Carriers:
    """Nodes that have a mesh and no transform, children or deformation; added where none is."""

    def __init__(self, file: GltfFile, new_nodes: list[NewNode], shown: Mapping[int, int]) -> None:
        self._count, self._new_nodes = len(file.nodes), new_nodes
        self._found: dict[int, int] = {}
        for i, node in enumerate(file.nodes):
            has_more = i not in shown and bool(node.children or file.matrix(i))
            if node.mesh >= 0 and not (has_more or node.is_deformed):
                self._found.setdefault(node.mesh, shown.get(i, i))

    def find(self, mesh: int) -> int:
        """The index of a node with this mesh."""
        if mesh not in self._found:
            self._found[mesh] = self._count + len(self._new_nodes)
            self._new_nodes.append(NewNode(-1, -1, f"collision mesh {mesh}", mesh=mesh))
        return self._found[mesh]


def apply(
    json: Mapping[str, Any],
    encoded: Encoded,
    new_nodes: Sequence[NewNode],
    tree: Tree,
    issues: Issues,
) -> dict[str, Any]:
    """A copy of `json` with these extension objects and new nodes.

    Members keep their order; new ones come last.
    """
    out = dict(json)
    nodes = [
        _with_extensions(node, encoded.nodes.get(i, {}))
        for i, node in enumerate(as_list(json.get("nodes")))
    ]
    _append_nodes(nodes, new_nodes, encoded, tree, issues)
    if nodes:
        out["nodes"] = nodes
    if isinstance(json.get("scenes"), list):
        out["scenes"] = [_without_gravity(scene) for scene in json["scenes"]]
    node_places.hang_in_scenes(out, len(tree.children), new_nodes, tree)
    out = _with_extensions(out, encoded.root)
    used = {name for names in (encoded.root, *encoded.nodes.values()) for name in names}
    _declare(out, used)
    return out


def _with_extensions(owner: Any, ours: Mapping[str, Any]) -> Any:
    """A copy of a glTF object whose extensions of physics are replaced by `ours`."""
    if not isinstance(owner, Mapping):
        return owner
    members = dict(cast(Mapping[str, Any], owner))
    old = members.get("extensions")
    if not isinstance(old, Mapping):
        return {**members, "extensions": dict(ours)} if ours else members
    before = cast(Mapping[str, Any], old)
    new = {
        name: ours.get(name, value)
        for name, value in before.items()
        if name not in _OURS or name in ours
    }
    new.update(ours)
    members["extensions"] = new
    if not new and before:
        del members["extensions"]
    return members


def _without_gravity(scene: Any) -> Any:
    """A copy of a scene without the gravity of 2022, which is an extension of the root today."""
    if khr_legacy.NAME in as_object(member(scene, "extensions")):
        return _with_extensions(scene, {})
    return dict(cast(Mapping[str, Any], scene)) if isinstance(scene, Mapping) else scene


def _append_nodes(
    nodes: list[Any], new_nodes: Sequence[NewNode], encoded: Encoded, tree: Tree, issues: Issues
) -> None:
    """Append the new nodes, and list each among the children of its parent."""
    copied: dict[int, list[int]] = {}  # Lists of children that are ours to change.
    for new in new_nodes:
        index = len(nodes)
        place = node_places.transform(new, tree, issues, index)
        node: dict[str, Any] = {"name": new.name, **place}
        if new.mesh >= 0:
            node["mesh"] = new.mesh
        if new.shows >= 0:
            nodes[new.shows] = dict(nodes[new.shows])
            mesh_nodes.move(nodes[new.shows], node)
        if index in encoded.nodes:
            node["extensions"] = encoded.nodes[index]
        nodes.append(node)
        if not (0 <= new.parent < index and isinstance(nodes[new.parent], dict)):
            continue
        if new.parent not in copied:
            parent: dict[str, Any] = dict(nodes[new.parent])
            copied[new.parent] = parent["children"] = list(as_list(parent.get("children")))
            nodes[new.parent] = parent
        copied[new.parent].append(index)


def _declare(json: dict[str, Any], used: set[str]) -> None:
    """Update `extensionsUsed`, and remove ours from `extensionsRequired`."""
    listed = as_list(json.get("extensionsUsed"))
    names = [name for name in listed if not _is_ours(name) or name in used]
    names += [name for name in sorted(used) if name not in names]
    required = [name for name in as_list(json.get("extensionsRequired")) if not _is_ours(name)]
    for key, value in (("extensionsUsed", names), ("extensionsRequired", required)):
        if value:
            json[key] = value
        elif json.get(key):
            del json[key]


def _is_ours(name: Any) -> bool:
    return isinstance(name, str) and name in _OURS


def count(document: PhysicsDocument) -> dict[str, int]:
    """How many of each kind of thing a document has, bodies first; kinds it lacks are absent."""
    counts: dict[str, int] = {}
    for physics in document.nodes.values():
        if physics.motion is not None:
            name = f"{physics.motion.type} body"
            counts[name] = counts.get(name, 0) + 1
    for name, attributes in _COUNTED_PARTS.items():
        counts[name] = sum(
            getattr(physics, attribute) is not None
            for physics in document.nodes.values()
            for attribute in attributes
        )
    counts |= {
        name: len(getattr(document, attribute)) for name, attribute in _COUNTED_LISTS.items()
    }
    return {name: number for name, number in counts.items() if number}


_COUNTED_PARTS: Final[dict[str, tuple[str, ...]]] = {
    "collider": ("collider",),
    "trigger": ("trigger",),
    "joint": ("joint",),
    "gravity volume": ("gravity",),
    "vehicle": ("vehicle_body",),
    "vehicle part": ("wheel", "thruster", "hover_thruster"),
    "seat": ("seat",),
}
_COUNTED_LISTS: Final = {
    "shape": "shapes",
    "physics material": "physics_materials",
    "collision filter": "collision_filters",
}
