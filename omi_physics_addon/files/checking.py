"""All checks of a file: what reading finds, the rules, and how its bodies begin."""

from __future__ import annotations

from dataclasses import dataclass

from ..codec import dialects
from ..codec.dialects import Family
from ..codec.rules import file_check
from ..codec.values.node_tree import Tree
from ..engines import engine_of
from ..issues import Issues
from ..model.document import GltfFile, PhysicsDocument
from ..model.targets import SPECIFICATION
from .source import Source


@dataclass(frozen=True)
class Checked:
    """What a file says about physics, and what is wrong with it.

    Attributes:
        document: its physics, read as well as possible.
        families: those that it is written in.
    """

    file: GltfFile
    tree: Tree
    document: PhysicsDocument
    families: tuple[Family, ...]
    issues: Issues


def check(source: Source, target: str = SPECIFICATION) -> Checked:
    """Check a file.

    Args:
        target: one of `engines.TARGETS`, whose habits are told, too.

    Raises:
        KeyError: there is no such target.
    """
    from ..simulation import file_world
    from ..simulation.start import start_check

    issues = Issues()
    file, tree = known = file_check.known_of(source.json)
    document = file_check.check_file(
        source.json, issues, source.triangles, source.buffer, target=target, known=known
    )
    families = dialects.families(file)
    engine = "KHR" if families == ("KHR",) else "OMI"
    if any(node.motion or node.gravity for node in document.nodes.values()):
        world = file_world.world_of(document, tree, source.triangles, engine=engine)
        start_check.check(world, document, "/nodes/{}".format, issues)
    asked = engine_of(target)
    if asked is not None:
        from ..codec.gltf.target_check import check_target  # And all that is written for engines.

        check_target(source.json, document, asked, issues, source.triangles)
    return Checked(file, tree, document, families, issues)
