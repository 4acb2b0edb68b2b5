"""Gives what nodes with physics show a node of its own below them, and takes it back.

All published files of OMI have it so, and Godot needs it: its loader lets an extension make the
node, a body, and makes no mesh for it then. Files of KHR have the mesh on the body.
"""

from __future__ import annotations

import dataclasses
import operator
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ...model.document import PARTS, NewNode, NodePhysics, PhysicsDocument
from ...model.fields import NodeIndex
from ...model.shapes import Convex, Shape, Trimesh
from ..values.json_members import as_list, as_object, member
from ..values.node_tree import IDENTITY, PLACE

# Members of a node that show something, and extensions that say more of them.
MEMBERS: Final = ("mesh", "skin", "weights", "camera")
EXTENSIONS: Final = ("KHR_lights_punctual", "EXT_mesh_gpu_instancing")
# What the extras of a child say where the tree alone would have it taken for something else.
ROLE: Final = "mesh"  # It shows what the node above it shows.
OWN_ROLE: Final = "object"  # It is an object of its own.
_parts: Final = operator.attrgetter(*PARTS)
_POINTER: Final = "KHR_animation_pointer"
_POINTED: Final = re.compile("/nodes/(0|[1-9][0-9]{0,11})/([^/]+)", re.ASCII)
ROLE_KEY: Final = "omi_physics_addon"  # In the extras of a node.


def add(
    document: PhysicsDocument,
    count: int,
    shown: Callable[[int], str],
    name_of: Callable[[int, str], str],
) -> tuple[PhysicsDocument, dict[int, int]]:
    """A document in which a new child shows what a node with physics showed.

    Args:
        count: of the nodes that there are, with the new ones of the document.
        shown: the word for what a node shows, empty for nothing.
        name_of: the name of the child, from the node and that word.

    Returns:
        The document, and for each such node its child.
    """
    children: dict[int, int] = {}
    new_nodes = list(document.new_nodes)
    for node, physics in sorted(document.nodes.items()):
        word = shown(node) if has_parts(physics) else ""
        if word:
            children[node] = count + len(children)
            new_nodes.append(NewNode(node, node, name_of(node, word), shows=node))
    if not children:
        return document, children
    return refer(dataclasses.replace(document, new_nodes=new_nodes), children), children


def has_parts(physics: NodePhysics) -> bool:
    """Whether there is a part of physics on a node, and not only what no record knows."""
    return _parts(physics).count(None) < len(PARTS)


def refer(document: PhysicsDocument, nodes: Mapping[int, int]) -> PhysicsDocument:
    """A document whose shapes name other nodes for their meshes."""
    shapes = [_shape_of(shape, nodes) for shape in document.shapes]
    return dataclasses.replace(document, shapes=shapes)


def _shape_of(shape: Shape, nodes: Mapping[int, int]) -> Shape:
    geometry = shape.geometry
    if not isinstance(geometry, (Convex, Trimesh)) or geometry.node is None:
        return shape
    at = NodeIndex(nodes.get(geometry.node, geometry.node))
    return dataclasses.replace(shape, geometry=dataclasses.replace(geometry, node=at))


def move(node: dict[str, Any], child: dict[str, Any]) -> None:
    """Take what a node of a parsed glTF shows to another one; both are changed."""
    for name in MEMBERS:
        if name in node:
            child[name] = node.pop(name)
    extensions = as_object(node.get("extensions"))
    along = {name: value for name, value in extensions.items() if name in EXTENSIONS}
    if along:
        left = {name: value for name, value in extensions.items() if name not in along}
        child["extensions"] = {**as_object(child.get("extensions")), **along}
        node["extensions"] = left
        if not left:
            del node["extensions"]


def retarget(json: dict[str, Any], nodes: Mapping[int, int]) -> None:
    """Let animations of weights move other nodes of a parsed glTF."""
    animations = as_list(json.get("animations"))
    if animations and nodes:
        json["animations"] = [_animation_of(animation, nodes) for animation in animations]


def _animation_of(animation: Any, nodes: Mapping[int, int]) -> Any:
    before = as_list(member(animation, "channels"))
    channels = [channel_of(channel, nodes) for channel in before]
    same = all(one is other for one, other in zip(channels, before, strict=True))
    return animation if same else {**animation, "channels": channels}


def channel_of(channel: Any, nodes: Mapping[int, int]) -> Any:
    """A channel of a parsed glTF that moves the weights of another node, or the same channel."""
    target = as_object(member(channel, "target"))
    if target.get("path") == "weights" and target.get("node") in nodes:
        return {**channel, "target": {**target, "node": nodes[target["node"]]}}
    said = member(target.get("extensions"), _POINTER)
    at = weights_of(member(said, "pointer"))
    if at not in nodes:
        return channel
    pointer = said["pointer"].replace(f"/nodes/{at}/", f"/nodes/{nodes[at]}/", 1)
    extensions = {**target["extensions"], _POINTER: {**said, "pointer": pointer}}
    return {**channel, "target": {**target, "extensions": extensions}}


def weights_of(pointer: Any) -> int:
    """The node whose weights a pointer of an animation leads to; -1 for none."""
    node, name = _pointed(pointer)
    return node if name == "weights" else -1


def moved_by(path: Any, node: Any, extensions: Any) -> int:
    """The node that a channel of an animation moves otherwise than by its weights; -1 for none.

    Args:
        path, node, extensions: members of the target of the channel.
    """
    if isinstance(node, int) and path != "weights":
        return node
    at, name = _pointed(member(member(extensions, _POINTER), "pointer"))
    return -1 if name == "weights" else at


def _pointed(pointer: Any) -> tuple[int, str]:
    found = _POINTED.match(pointer) if isinstance(pointer, str) else None
    return (-1, "") if found is None else (int(found[1]), found[2])


@dataclass(frozen=True)
class Nodes:
    """The nodes of a file or of an exporter.

    Attributes:
        get: a member of a node by its name; None for none.
        children: of each node, by index.
        bones: nodes that skins hang on.
        taken: nodes that animations move or that physics refers to.
    """

    get: Callable[[int, str], Any]
    children: Sequence[Sequence[int]]
    bones: Collection[int]
    taken: Collection[int]

    def word(self, node: int) -> str:
        """What a node shows, as a word for the name of a child; empty for nothing."""
        if self.get(node, "mesh") is not None:
            return "Mesh"
        if self.get(node, "camera") is not None:
            return "Camera"
        return "Light" if EXTENSIONS[0] in as_object(self.get(node, "extensions")) else ""

    def folded(self, bodies: Iterable[int]) -> dict[int, int]:
        """The children that show what belongs to the node with physics above them.

        That is the only child that shows something in the place of its node and has nothing else,
        or the one whose extras say so, of a node that shows nothing itself.

        Returns:
            For each child its node.
        """
        found: dict[int, int] = {}
        for node in bodies:
            below = [at for at in self.children[node] if 0 <= at < len(self.children)]
            if not below or node in self.bones or self.word(node):
                continue
            fit = [child for child in below if self._is_plain(child)]
            noted = [child for child in fit if self._role(child) == ROLE]
            alike = noted or [child for child in fit if self._role(child) != OWN_ROLE]
            if len(alike) == 1:
                found[alike[0]] = node
        return found

    def roles(self, bodies: Iterable[int], children: Mapping[int, int]) -> dict[int, str]:
        """The roles to write into extras, so that these children are found, and no others.

        Args:
            children: by the node whose showing they took over, or that they are found below.
        """
        found, wanted = self.folded(bodies), set(children.values())
        return dict.fromkeys(wanted.difference(found), ROLE) | dict.fromkeys(
            found.keys() - wanted, OWN_ROLE
        )

    def _is_plain(self, node: int) -> bool:
        """Whether a node shows something and has nothing else that could get lost."""
        if self.children[node] or node in self.bones or node in self.taken or not self.word(node):
            return False
        if any(_moves(name, self.get(node, name)) for name in PLACE):
            return False
        extras = self.get(node, "extras")
        is_noted = not extras or (isinstance(extras, Mapping) and extras.keys() <= {ROLE_KEY})
        return is_noted and as_object(self.get(node, "extensions")).keys() <= set(EXTENSIONS)

    def _role(self, node: int) -> Any:
        return member(self.get(node, "extras"), ROLE_KEY)


_STILL: Final = {"scale": (1.0, 1.0, 1.0), "rotation": (0.0, 0.0, 0.0, 1.0), "matrix": IDENTITY}


def _moves(name: str, value: Any) -> bool:
    """Whether a member that places a node leaves it anywhere but where the node above it is."""
    return bool(value) and tuple(value) != _STILL.get(name, (0.0, 0.0, 0.0))


_REFERENCES: Final = ("connectedNode", "pilotSeat", "nodes", "nodeA", "nodeB")


def referred(extensions: Any) -> Iterator[int]:
    """The nodes that the physics of a node refers to, but for those that give a shape its mesh."""
    waiting: list[tuple[str, Any]] = [("", extensions)]
    while waiting:
        name, value = waiting.pop()
        if value.__class__ is dict:
            waiting += value.items()
        elif value.__class__ is list:
            waiting += [(name, item) for item in value]
        elif name in _REFERENCES and value.__class__ is int:
            yield value
