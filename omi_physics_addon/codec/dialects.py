"""Which codecs make up a family of extensions, and the way from a whole file to a document."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any, Final, cast

from ..issues import Issues
from ..model.document import GltfFile, GltfNode, NodePhysics, PhysicsDocument
from ..model.fields import INDEX_TYPES, MeshIndex, NodeIndex
from . import omi
from .omi_physics_shape import Target
from .records import Writing

# Names of every extension that the readers below know, old ones too.
NAMES: Final = omi.NAMES


def gltf_file(json: Mapping[str, Any]) -> GltfFile:
    """What the codecs need of a parsed glTF; members of a wrong type count as absent."""
    nodes = [
        GltfNode(_object(_object(node).get("extensions")), _indices(_object(node).get("children")))
        for node in _list(json.get("nodes"))
    ]
    return GltfFile(_object(json.get("extensions")), nodes, len(_list(json.get("meshes"))))


def _object(value: Any) -> Mapping[str, Any]:
    return cast(Mapping[str, Any], value) if isinstance(value, Mapping) else {}


def _list(value: Any) -> Sequence[Any]:
    return cast(list[Any], value) if isinstance(value, list) else []


def _indices(value: Any) -> Sequence[int]:
    return [v for v in _list(value) if isinstance(v, int) and not isinstance(v, bool)]


def read(file: GltfFile, issues: Issues) -> PhysicsDocument:
    """The document of a file written in any dialect, old or new.

    Never raises for a fault of the file: it is reported and the rest is read.
    """
    return omi.FamilyReader(file, issues).read()


@dataclass(frozen=True)
class Options:
    """How to write.

    Attributes:
        target: for which reader capsules are written.
        repair: write repaired values where an imported fault is still unchanged.
    """

    target: Target = "SPECIFICATION"
    repair: bool = False


@dataclass
class Encoded:
    """The extension objects of a document: of the root by name, of nodes by index and name."""

    root: dict[str, dict[str, Any]] = dataclass_field(default_factory=dict[str, dict[str, Any]])
    nodes: dict[int, dict[str, dict[str, Any]]] = dataclass_field(
        default_factory=dict[int, dict[str, dict[str, Any]]]
    )


def _same(index: int) -> int:
    return index


class Writer:
    """Writes documents in today's OMI form.

    Args:
        node_ref, mesh_ref: what to write for an index of a node or mesh.
        place, place_of_shape: words for messages about a node or a shape.
    """

    def __init__(
        self,
        issues: Issues,
        options: Options,
        *,
        node_ref: Callable[[int], Any] = _same,
        mesh_ref: Callable[[int], Any] = _same,
        place: Callable[[int], str] = "/nodes/{}".format,
        place_of_shape: Callable[[int], str] = "/extensions/OMI_physics_shape/shapes/{}".format,
    ) -> None:
        refs: dict[Any, Callable[[int], Any]] = {
            NodeIndex: node_ref,
            MeshIndex: mesh_ref,
            **dict.fromkeys(INDEX_TYPES - {NodeIndex, MeshIndex}, _same),
        }
        self._family = omi.FamilyWriter(
            Writing(issues, refs, options.repair), place, place_of_shape, options.target
        )

    def document(self, document: PhysicsDocument) -> Encoded:
        """Everything of `document`; empty lists and objects of nothing are left out."""
        encoded = Encoded(root=self.root(document))
        for i, physics in document.nodes.items():
            extensions = self.node(i, physics)
            if extensions:
                encoded.nodes[i] = extensions
        return encoded

    def root(self, document: PhysicsDocument) -> dict[str, dict[str, Any]]:
        """The extension objects of the root."""
        return self._family.root(document)

    def node(self, i: int, physics: NodePhysics) -> dict[str, dict[str, Any]]:
        """The extension objects of node `i`."""
        return self._family.node(i, physics)
