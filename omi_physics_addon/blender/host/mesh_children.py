"""Makes and folds the children that show the meshes of nodes with physics in files of OMI.

An object of Blender shows its mesh and has physics. In OMI that is a node and a child; see
`codec.convert.mesh_nodes`. An export parts them, an import folds them before the host makes
objects.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from ...codec import dialects
from ...codec.convert import mesh_nodes
from ...codec.omi import omi_family
from ...codec.targets.engines import Written
from ...model.document import GltfFile, GltfNode, PhysicsDocument
from ..base import compat, groups
from ..scene.scene_nodes import Target
from .export_nodes import ExportNodes

_NAMES = frozenset(omi_family.NAMES)


def part(
    written: Written,
    nodes: ExportNodes,
    kept: Collection[int],
    name_of: Callable[[int, str], str],
) -> tuple[Written, dict[int, int]]:
    """Decide which nodes with physics get a child that shows what they show.

    The host gets to know the children when it has finished its nodes, see `attach`: it would look
    at everything in them many times.

    Args:
        kept: nodes that keep what they show.
        name_of: the name of the child of a node, with the word for what it shows.

    Returns:
        The documents, and for each such node its child.
    """
    seen = mesh_nodes.Nodes(lambda i, name: getattr(nodes.nodes[i], name, None), (), (), ())
    document, children = mesh_nodes.add(
        written.first,
        len(nodes.nodes),
        lambda i: "" if i in kept else seen.word(i),
        name_of,
    )
    if not children:
        return written, children
    for new in document.new_nodes[-len(children) :]:
        nodes.nodes.append(compat.leaf_node(new.name))
        nodes.parents.append(new.parent)
    for_khr = written.for_khr
    other = None if for_khr is None else mesh_nodes.refer(for_khr, children)
    return Written(document, other), children


def attach(
    gltf: Any, document: PhysicsDocument, nodes: ExportNodes, children: Mapping[int, int]
) -> None:
    """Put the children into the host's finished file, and give them what they show.

    Our import is told which children to fold where the tree alone does not say.
    """
    pairs = [(nodes.nodes[node], nodes.nodes[child]) for node, child in children.items()]
    first = len(gltf.nodes)
    indices = {id(node): i for i, node in enumerate((*gltf.nodes, *(c for _, c in pairs)))}
    for at, (node, child) in enumerate(pairs, first):
        _move(node, child)
        node.children = [*(node.children or []), at]
        gltf.nodes.append(child)
    channels = _channels(gltf)
    if channels:
        _retarget(channels, {indices[id(node)]: indices[id(child)] for node, child in pairs})
    known = {i: indices[id(node)] for i, node in enumerate(nodes.nodes) if id(node) in indices}
    taken = {known[at] for each in document.nodes.values() for at in each.referred_to()}
    seen = _of_file(gltf, taken, channels)
    wanted = {known[node]: known[child] for node, child in children.items()}
    # The tree alone says it of an only child, which has nothing but what the node showed.
    doubtful = {at for at in wanted if at in seen.bones or len(seen.children[at]) > 1}
    wanted = {at: child for at, child in wanted.items() if at in doubtful}
    bodies = [
        at
        for i, each in document.nodes.items()
        if mesh_nodes.has_parts(each) and ((at := known[i]) in doubtful or i not in children)
    ]
    for i, role in seen.roles(bodies, wanted).items():
        node = gltf.nodes[i]
        node.extras = {**(node.extras or {}), compat.ROLE: role}


def _channels(gltf: Any) -> list[Any]:
    return [channel for animation in gltf.animations or () for channel in animation.channels]


def _of_file(gltf: Any, referred: Collection[int], channels: Iterable[Any]) -> mesh_nodes.Nodes:
    """The nodes of a file that the host has finished or parsed."""
    nodes: list[Any] = gltf.nodes or []
    targets = [channel.target for channel in channels]
    moved = {mesh_nodes.moved_by(at.path, at.node, at.extensions) for at in targets}
    return mesh_nodes.Nodes(
        lambda i, name: getattr(nodes[i], name, None),
        [node.children or () for node in nodes],
        {joint for skin in gltf.skins or () for joint in skin.joints},
        moved.union(referred),
    )


def _move(node: Any, child: Any) -> None:
    """Take what a host's node shows to another one."""
    for name in mesh_nodes.MEMBERS:
        value = getattr(node, name)
        if value is not None:
            setattr(child, name, value)
            setattr(node, name, None)
    extensions: dict[str, Any] | None = node.extensions
    if not extensions:
        return
    along = {name: value for name, value in extensions.items() if name in mesh_nodes.EXTENSIONS}
    if along:
        child.extensions = {**(child.extensions or {}), **along}
        left = {name: value for name, value in extensions.items() if name not in along}
        node.extensions = left or None


def _retarget(channels: Iterable[Any], nodes: Mapping[int, int]) -> None:
    """Let animations of weights move other nodes of the host, which it may name by pointers."""
    for channel in channels if nodes else ():
        target = channel.target
        if target.path == "weights":
            target.node = nodes.get(target.node, target.node)
        elif target.path == "pointer":
            plain = {"target": {"extensions": target.extensions}}
            target.extensions = mesh_nodes.channel_of(plain, nodes)["target"]["extensions"]


class Folded:
    """The children of one file that no object is to be made of.

    Attributes:
        nodes: for each its node, which shows what it showed.
        names: of each, where it is not the one that an export gives it.
    """

    def __init__(self, gltf: Any, added: Collection[int], restored: Mapping[int, int]) -> None:
        """Fold the children of a parsed file, before the host looks at its nodes.

        Args:
            added: nodes that were made for an engine, of which no object is to be made either.
            restored: those that were folded already, as the file says how it was authored.
        """
        self._gltf, self._added = gltf, added
        self._nodes: list[Any] = gltf.data.nodes or []
        self.is_done = False
        self.nodes: dict[int, int] = {}
        self._words: dict[int, str] = {}
        self.names: dict[int, str] = {}
        channels = _channels(gltf.data)
        _retarget(channels, restored)
        if not _is_omi(gltf):
            return
        bodies = [i for i, n in enumerate(self._nodes) if _NAMES.intersection(n.extensions or ())]
        referred = {at for n in self._nodes for at in mesh_nodes.referred(n.extensions)}
        seen = _of_file(gltf.data, referred, channels)
        self.nodes = seen.folded(bodies)
        for child, node in self.nodes.items():
            self._words[node] = seen.word(child)
            self._fold(child, node)
        _retarget(channels, self.nodes)
        self._drop_roles()

    def _fold(self, child: int, node: int) -> None:
        name = self._nodes[child].name
        _move(self._nodes[child], self._nodes[node])
        if name:
            self.names[node] = name

    def _drop_roles(self) -> None:
        """Take out of extras what only this import needs, as the host makes properties of them."""
        for node in self._nodes:
            role = dialects.role_of(node.extras)
            if role in (mesh_nodes.ROLE, mesh_nodes.OWN_ROLE):
                node.extras = {k: v for k, v in node.extras.items() if k != compat.ROLE} or None

    def forget(self) -> None:
        """Take the children out of the host's tree, which it has just made."""
        self.is_done = True
        vnodes = self._gltf.vnodes
        gone = {*self.nodes, *self._added}
        for above in {vnodes.pop(child).parent for child in gone}:
            vnodes[above].children = [at for at in vnodes[above].children if at not in gone]

    def referred(self, document: PhysicsDocument) -> PhysicsDocument:
        """A document whose shapes find their meshes where they are shown now."""
        return mesh_nodes.refer(document, self.nodes) if self.nodes else document

    def note_names(self, targets: Mapping[int, Target]) -> None:
        """Let objects remember the names of children that an export would call otherwise."""
        for node, name in self.names.items():
            if node in targets and name != f"{self._nodes[node].name} {self._words[node]}":
                groups.of_object(targets[node].object).mesh_node_name = name


def _is_omi(gltf: Any) -> bool:
    nodes: list[Any] = gltf.data.nodes or []
    file = GltfFile(
        gltf.data.extensions or {}, [GltfNode(n.extensions or {}, ()) for n in nodes], 0
    )
    return "OMI" in dialects.families(file)
