"""Hooks in Blender's glTF importer: decode, collect objects, write the scene."""

from __future__ import annotations

import weakref
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

import bpy

from ...codec import dialects
from ...codec.khr import khr_shapes
from ...codec.omi import omi_family, omi_physics_shape
from ...codec.rules import all_rules
from ...codec.rules.subject import Subject
from ...codec.values.json_members import as_list, as_object
from ...codec.values.node_tree import LaterMatrices, Tree, local_matrix
from ...issue_codes import Code
from ...issues import Issues
from ...model.document import GltfFile, GltfNode, PhysicsDocument
from ...model.gravity import ShapedGravity
from ..base import compat, groups, reports
from ..preview import player
from ..scene import imported_faults, migrations, report_age
from ..scene.scene_nodes import Target
from ..scene.scene_writer import SceneWriter
from . import engine_nodes, hooks, host_load, keyed_physics, mesh_children
from .animated_physics import ImportedAnimations
from .imported_nodes import ImportedNodes

_TRIANGLES: Final = (4, 5, 6)  # Modes of primitives: a list, strip or fan of triangles.


class ImportHooks:
    """One import. The host finds the methods by their names and passes its importer last."""

    def __init__(self) -> None:
        player.stop_for("The import ended the preview")  # Before the host makes any object.
        self.extensions = [compat.host_extension(name) for name in dialects.NAMES]
        self._core = host_load.CoreMembers()
        self._begin("")
        if _taking_scene() is not None:
            host_load.prepare_load(self._core)
            hooks.ease_collector()  # The host parses the file next.
            # Where it cannot, no hook is called; the host forgets this object then.
            weakref.finalize(self, hooks.restore_collector).atexit = False

    def _begin(self, file: str) -> None:
        """Start with a file; the host keeps this object for all files of one operator."""
        hooks.restore_collector()
        self.report = report_age.start("IMPORT", groups.current_scene(), file)
        self._writer: SceneWriter | None = None
        self._needless: Collection[int] = ()
        self._folded: mesh_children.Folded | None = None
        self._animations: ImportedAnimations | None = None
        self._to_key: list[Target] = []  # Objects whose animated physics gets keyframes.
        self._gives_family = False  # Whether the scene is exported in the family of the file.

    def where(self) -> str:
        """The node whose physics was being put onto its object."""
        return self._writer.at if self._writer else ""

    def fail(self, hook: str) -> None:
        """Leave the objects without physics; the operator tells the error."""
        hooks.restore_collector()

    def gather_import_gltf_before_hook(self, gltf: Any) -> None:
        """Begin with a file that has been parsed, before objects are made of it.

        That a file before it failed does not matter here.
        """
        self._begin(gltf.filename)
        scene = _taking_scene()
        if scene is not None:
            hooks.ease_collector()
            is_new = groups.of_scene(scene).origin == "NONE"
            self._gives_family = is_new and not any(map(migrations.has_physics, scene.objects))
            added, shown = engine_nodes.restore(gltf, self.report.issues)
            self._folded = mesh_children.Folded(gltf, added, shown)
            self._animations = ImportedAnimations(gltf, self._core.shapes)
            self._core.shapes = self._animations.shapes

    def gather_import_node_before_hook(self, _vnode: Any, _node: Any, gltf: Any) -> None:
        """Take folded children out of the host's tree before the first object is made."""
        if self._folded is not None and not self._folded.is_done:
            self._folded.forget()

    @hooks.reported
    def gather_import_scene_after_animation_hook(
        self, _gltf_scene: Any, _scene: bpy.types.Scene, gltf: Any
    ) -> None:
        """Make keyframes behind those of the host; remove objects of nodes that an export makes."""
        hooks.restore_collector()
        if self._to_key and self._writer is not None and self._animations is not None:
            keyed = keyed_physics.show(self._to_key, self._writer.entries)
            self._animations.leave_out(keyed)
            self._animations.note(self._writer.scene)
        compat.remove_data(gltf.vnodes.pop(index).blender_object for index in self._needless)

    @hooks.reported
    def gather_import_scene_after_nodes_hook(
        self, _gltf_scene: Any, scene: bpy.types.Scene, gltf: Any
    ) -> None:
        """Read the file's physics onto the objects that the importer has made."""
        if not groups.of_scene(scene).import_.enabled:
            return
        hooks.ease_collector()
        file = _file(gltf, self._core)
        document = dialects.read(file, self.report.issues)
        if self._folded is not None:
            document = self._folded.referred(document)
        families = dialects.families(file)
        if families and self._gives_family:
            _note_family(scene, families)
        nodes = ImportedNodes(gltf, scene)
        targets = nodes.targets(document)
        self._needless = nodes.needless(document)
        writer = self._writer = SceneWriter(
            scene=scene,
            targets=targets,
            mesh_data=_Meshes(gltf, self.report.issues),
            issues=self.report.issues,
            axes=nodes.axes,
            pivots=nodes.pivots,
            per_axis="KHR" not in families,
            zero_is_infinite="OMI" not in families,
        )
        writer.write(document)
        if self._folded is not None:
            self._folded.note_names(targets)
        _note_faults(file, document, families, self.report.issues, targets, _sized(gltf))
        self.report.counts = reports.count(document)
        _report_unread(gltf, file, document, families, self.report.issues)
        if self._core.bounded:
            why = (
                f"bounding volumes of {self._core.bounded} nodes are not imported, so an export "
                "has none; use the original file, or the command convert"
            )
            self.report.issues.add(Code.BOUNDING_VOLUMES_LOST, "/nodes", why)
        if self._animations is not None:
            self._animations.check(document, families)
            if groups.of_scene(scene).import_.keyframes:
                self._to_key = [*targets.values()]
            else:
                self._animations.note(scene)
            for where, why in self._animations.lost:
                self.report.issues.add(Code.PHYSICS_ANIMATION_LOST, where, why)
        if groups.of_scene(scene).import_.by_names:
            _tag(scene, gltf, self.report)
        if self.report.counts or len(self.report.issues):
            self.report.point({i: target.object for i, target in targets.items()})
            hooks.tell(self.report, gltf)


def _taking_scene() -> bpy.types.Scene | None:
    """The scene that Blender shows, if it takes the physics of files."""
    scene = groups.current_scene()
    return scene if scene is not None and groups.of_scene(scene).import_.enabled else None


def _tag(scene: bpy.types.Scene, gltf: Any, report: reports.Report) -> None:
    """Give the objects of a file the physics that their names ask for."""
    from ..authoring.names import tagging

    made = {node.blender_object for node in gltf.vnodes.values()} - {None}
    depsgraph = bpy.context.evaluated_depsgraph_get()
    depsgraph.update()
    found = tagging.tag(scene, sorted(made, key=lambda obj: obj.name), depsgraph)
    report.counts["object by its name"] += len(found.objects)
    report.counts += type(report.counts)()  # Leaves out what there is none of.
    report.issues.found += found.issues.found


def _note_faults(
    file: GltfFile,
    document: PhysicsDocument,
    families: Sequence[str],
    told: Issues,
    targets: Mapping[int, Target],
    sized: Collection[int],
) -> None:
    """Remember the errors of the file, those of rules over all of it, too."""
    found = Issues()
    tree = Tree.of(file)
    tree.sized = sized
    all_rules.check(Subject(document, tree, found, families=families))
    imported_faults.note((*told, *found), targets)


def _file(gltf: Any, core: host_load.CoreMembers) -> GltfFile:
    data = gltf.data
    made: list[Any] = data.nodes or []
    scenes: list[Any] = data.scenes or []
    return GltfFile(
        data.extensions or {},
        [_gltf_node(node) for node in made],
        len(data.meshes or []),
        [scene.extensions or {} for scene in scenes],
        LaterMatrices(len(made), lambda i: local_matrix(made[i].__dict__)),
        core.asset,
        core.shapes,
    )


def _sized(gltf: Any) -> Collection[int]:
    """The nodes whose own place may scale."""
    made: list[Any] = gltf.data.nodes or []
    return {i for i, node in enumerate(made) if node.scale is not None or node.matrix is not None}


def _gltf_node(node: Any) -> GltfNode:
    return GltfNode(
        node.extensions or {},
        node.children or [],
        -1 if node.mesh is None else node.mesh,
        node.skin is not None or node.weights is not None,
        dialects.role_of(node.extras),
    )


def _note_family(scene: bpy.types.Scene, families: Sequence[str]) -> None:
    """Let a scene that had no physics of its own be exported in the family it came in."""
    settings = groups.of_scene(scene)
    settings.origin = "BOTH" if len(families) > 1 else families[0]
    settings.export.family = settings.origin


class _Meshes:
    """Mesh data by index of the mesh in the file."""

    def __init__(self, gltf: Any, issues: Issues) -> None:
        self._gltf, self._issues = gltf, issues
        self._made: dict[int, bpy.types.Mesh | None] = {}

    def __call__(self, index: int) -> bpy.types.Mesh | None:
        if index not in self._made:
            self._made[index] = self._make(index)
        return self._made[index]

    def _make(self, index: int) -> bpy.types.Mesh | None:
        pointer = f"/meshes/{index}"
        fault = _mesh_fault(self._gltf.data, index)
        if fault:
            self._issues.add(*fault)
            return None
        try:
            return compat.import_mesh(self._gltf, index)
        except (ValueError, IndexError, KeyError, TypeError, RuntimeError) as error:
            # The host trusts the buffers of a file; what it stumbles over is told here.
            why = f"the mesh could not be read ({type(error).__name__}: {error})"
            self._issues.add(Code.COLLISION_MESH_EMPTY, pointer, why)
            return None


def _mesh_fault(data: Any, index: int) -> tuple[Code, str, str] | None:
    """Code, pointer and message of what makes a mesh no collision mesh, if anything does.

    The host crashes on some of these, so they are never given to it.
    """
    primitives: list[Any] = data.meshes[index].primitives or []
    accessors: list[Any] = data.accessors or []
    if not primitives:
        return Code.COLLISION_MESH_EMPTY, f"/meshes/{index}", "the mesh has no primitives"
    for i, primitive in enumerate(primitives):
        pointer = f"/meshes/{index}/primitives/{i}"
        used = [primitive.attributes.get("POSITION"), primitive.indices]
        if used[0] is None:
            return Code.COLLISION_MESH_EMPTY, pointer, "the primitive has no positions"
        for accessor in used:
            if accessor is not None and not 0 <= accessor < len(accessors):
                return (
                    Code.INDEX_BEYOND_ARRAY,
                    pointer,
                    f"accessor {accessor} points beyond a list of {len(accessors)}",
                )
        mode = 4 if primitive.mode is None else primitive.mode
        if mode not in _TRIANGLES:
            return (
                Code.COLLISION_MESH_NOT_TRIANGLES,
                pointer,
                "the primitive is not made of triangles",
            )
        last = used[0] if used[1] is None else used[1]
        count = accessors[last].count
        if count < 3 or (mode == _TRIANGLES[0] and count % 3):
            return Code.COLLISION_MESH_EMPTY, pointer, f"{count} indices make no triangles"
    return None


def _report_unread(
    gltf: Any, file: GltfFile, document: PhysicsDocument, families: Sequence[str], issues: Issues
) -> None:
    """Name the extensions and the shapes that nothing was made of."""
    listed: list[str] = gltf.data.extensions_used or []
    for name in listed:
        if name not in gltf.extensions_managed:
            issues.add(Code.EXTENSION_NOT_READ, "/extensionsUsed", f"{name} was not read")
    used: set[int | None] = set()
    for physics in document.nodes.values():
        used.add(physics.collider.shape if physics.collider else None)
        used.add(physics.trigger.shape if physics.trigger else None)
        if physics.gravity is not None and isinstance(physics.gravity.field, ShapedGravity):
            used.add(physics.gravity.field.shape)
    for index in range(len(document.shapes)):
        if index not in used:
            where = _place_of_shape(file, families, index)
            issues.add(Code.SHAPE_UNUSED, where, "the shape is unused and was left out")


def _place_of_shape(file: GltfFile, families: Sequence[str], index: int) -> str:
    """The JSON pointer of a shape; of the list where it is not known which one of KHR it was."""
    extensions = file.extensions
    if omi_family.reads_core(file) and index < len(file.shapes):
        return f"/shapes/{index}"
    if "OMI" not in families:
        lists = [name for name in khr_shapes.ARRAYS if name in extensions]
    elif index < len(as_list(as_object(extensions.get(omi_physics_shape.NAME)).get("shapes"))):
        return f"/extensions/{omi_physics_shape.NAME}/shapes/{index}"
    else:
        return f"/extensions/{khr_shapes.IMPLICIT}"
    for name in lists:
        key = khr_shapes.ARRAYS[name]
        count = len(as_list(as_object(extensions[name]).get(key)))
        if index < count:
            return f"/extensions/{name}/{key}/{index}"
        index -= count
    return "/extensions"
