"""Hooks in Blender's glTF exporter: read the scenes, encode their physics, attach it.

Order of the host: gather_tree_filter_tag_hook and gather_scene_hook for each scene,
gather_gltf_hook, then it writes buffers and images, gather_gltf_extensions_hook, then the file.
All that can fail happens before anything is written, and whether there are errors is known then;
the last hook only puts results in place, as plain objects on finished nodes, which costs least.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import bpy

from ...axes import Axes
from ...codec.convert import anchors, export_documents, infinite_masses
from ...codec.dialects import Encoded, WriteOptions, Writer
from ...codec.engine import Engine
from ...codec.gltf import animated
from ...codec.khr import khr_physics_rigid_bodies
from ...codec.targets import engines, idle_skins
from ...codec.targets.engines import Written
from ...engines import TARGETS
from ...geometry.mesh_solids import Solids
from ...issue_codes import Code, Severity
from ...issues import Issues, node_of
from ...model.document import PhysicsDocument
from ...model.fields import NodeIndex
from ...model.shapes import Plane
from ...model.targets import SPECIFICATION
from ..base import compat, groups, reports
from ..preview import player
from ..preview.stage import unseen
from ..properties import names
from ..scene import (
    derived_masses,
    newcomers,
    report_age,
    scene_check,
    scene_document,
    scene_rules,
)
from ..scene.mesh_sources import Slots
from ..scene.scene_nodes import SceneNode
from ..scene.scene_reader import SceneReader
from . import (
    engine_nodes,
    engine_skins,
    export_check,
    export_filter,
    hooks,
    host_save,
    mesh_children,
    named_nodes,
    node_transforms,
    parted,
    rest_places,
    shown_instances,
)
from .animated_physics import KeptAnimations
from .engine_names import EngineNames
from .engine_nodes import EngineNodes
from .export_meshes import ExportMeshes
from .export_nodes import ExportNodes

# Where a scene carries the meshes that shapes refer to, so that the host writes each of them
# and turns it into its index; removed before the file is written.
_CARRIER: Final = "omi_physics_addon_meshes"

_KHR: Final = khr_physics_rigid_bodies.NAME
_LAST: Final = ("gather_gltf_hook", "gather_gltf_extensions_hook")  # Those after gathering.
_SAME_UNIT: Final = 1e-5  # Difference of Unit Scale from 1 that needs no word.


class ExportHooks:
    """One export. The host finds the methods by their names and passes its settings last."""

    def __init__(self) -> None:
        player.stop_for("The export ended the preview")  # Before the host looks at any scene.
        hooks.restore_collector()
        compat.hide_from_extras()
        self._late = host_save.Late()
        host_save.prepare_save(self._late, hooks.restore_collector)
        self.report = report_age.start("EXPORT", groups.current_scene())
        # The host shows one scene after the other while it exports; the artist sees this one's
        # settings. By name, because objects of Blender may move in memory.
        self._shown = getattr(groups.current_scene(), "name", "")
        self._collection = ""  # The one that an exporter of its own writes.
        self._nodes = ExportNodes(self.report.issues)
        self._meshes = ExportMeshes({})
        self._reader: SceneReader | None = None
        self._encoded = Encoded()
        self._target, self._options = SPECIFICATION, WriteOptions()
        self._at = ""
        self._written = Written(PhysicsDocument(), None)
        self._mesh_nodes: dict[int, int] = {}  # Identity of a host's mesh → a node that has it.
        self._carrier: Any = None
        self._children: dict[int, int] = {}  # Node with physics → child that shows its mesh.
        self._own: list[SceneNode] = []
        self._own_nodes = 0  # How many there are before conversions and engines add some.
        self._engine: EngineNodes | None = None  # Set where the file is written for an engine.
        self._inside: set[str] = set()  # Extensions of others inside of ours.
        self._kept_animations = KeptAnimations()
        if self._is_on():
            unseen.place_all()
            hooks.ease_collector()  # The host makes its tree next.

    def where(self) -> str:
        """The object whose physics was being read or written."""
        at = (self._reader and self._reader.at) or self._at
        return f"object {at!r}" if at else ""

    def fail(self, hook: str) -> None:
        """End the export where the host has tidied up behind itself and written no file yet.

        Raises:
            ExportStopped: it ends here; before, the host gathers on.
        """
        self._meshes.remove_joined()
        if hook in _LAST:
            raise host_save.ExportStopped

    def _shown_scene(self) -> bpy.types.Scene | None:
        """The scene whose settings the artist sees."""
        return bpy.data.scenes.get(self._shown)

    def _is_on(self) -> bool:
        """Whether physics is to be written."""
        settings = self._settings()
        return settings is not None and settings.enabled

    def _settings(self, scene: bpy.types.Scene | None = None) -> Any:
        """Those of the collection that is written, where it has some, or else of the scene.

        Args:
            scene: in place of the one that is shown, where that is gone; else there are none.
        """
        collection = bpy.data.collections.get(self._collection)
        if collection is not None and groups.of_collection(collection).use_own_export:
            return groups.of_collection(collection).export
        scene = self._shown_scene() or scene
        return None if scene is None else groups.of_scene(scene).export

    @hooks.reported
    def gather_tree_filter_tag_hook(self, tree: Any, settings: dict[str, Any]) -> None:
        """Keep hidden colliders and triggers; tell what physics goes with left out objects."""
        self.report.file = Path(settings["gltf_filepath"]).name
        self._collection = settings.get("gltf_collection", "")
        collection = bpy.data.collections.get(self._collection)
        if collection is not None:
            reports.keep_for(self.report, collection)
        if not self._is_on():
            return
        shown_instances.find(tree, settings, self.report.issues)
        keep_hidden = self._settings().include_hidden
        export_filter.choose(
            tree, settings, self.report.issues, self._deleted, keep_hidden=keep_hidden
        )

    @hooks.reported
    def vtree_after_filter_hook(self, tree: Any, _host_settings: dict[str, Any]) -> None:
        """Put bodies that Blender simulates back to where they start."""
        if not self._is_on():
            return
        hooks.ease_collector()
        scene = groups.current_scene()
        if scene is not None and rest_places.has_simulated(scene):
            rest_places.put_back(tree, self.report.issues)

    @hooks.reported
    def gather_scene_hook(
        self, scene: Any, blender_scene: bpy.types.Scene, settings: dict[str, Any]
    ) -> None:
        """Read the physics of a scene whose nodes have been made, and add the nodes it needs."""
        chosen = self._settings(blender_scene)
        if not chosen.enabled:
            return
        hooks.ease_collector()
        self._carrier = self._carrier or scene
        reader = self._reader or self._start(blender_scene, settings)
        if self._origin == "NONE":
            self._origin = groups.of_scene(blender_scene).origin
        nodes = self._nodes.collect(settings["vtree"], settings)
        added_before = len(reader.added)
        reader.read(blender_scene, nodes, self._nodes.parents)
        for added in reader.added[added_before:]:
            if not all(map(math.isfinite, (*added.translation, *added.rotation))):
                raise ValueError(f"the transform of {added.name} is invalid")
            self._nodes.insert(added)
        self._own += nodes
        if chosen.names == "NONE":  # Else readers make colliders of the meshes.
            self._nodes.drop_meshes()
        if reader.document.nodes:
            pairs = ((node, self._nodes.nodes[node.index]) for node in nodes)
            node_transforms.keep(pairs, Axes(y_up=settings["gltf_yup"]))
        parted.tell(nodes, self._nodes.parents, settings, self.report.issues)
        objects = [node.object for node in nodes]
        scene_rules.check_visible_triggers(((n.object, n.group) for n in nodes), reader.issues)
        scene_rules.check_gravity(blender_scene, reader, objects, self._target)

    def _start(self, scene: bpy.types.Scene, settings: dict[str, Any]) -> SceneReader:
        """Begin to read with the scene that is shown, or where that is gone with another one."""
        chosen, scene = self._settings(scene), self._shown_scene() or scene
        place = Path(settings["gltf_filepath"]).as_posix()
        asking = (row for row in TARGETS.values() if row.blend_imports)
        target = next((row.id for row in asking if row.blend_imports in place), chosen.target)
        families = groups.families_written(chosen, target)
        self._family = groups.family_name(families)
        self._origin = groups.of_scene(scene).origin
        self._target = target
        self._options = scene_document.options_of(chosen, families, target)
        if self._options.form != self._options.geometry and "KHR" in families:
            why = "no engine reads shapes of glTF 2.1, so KHR Geometry is Mesh for the target"
            self.report.issues.add(Code.EXPORT_OPTION_CHANGED, "export", why)
        self._meshes = ExportMeshes(settings)
        newcomers.catch_up()
        self._reader = SceneReader(
            axes=Axes(y_up=settings["gltf_yup"]),
            issues=self.report.issues,
            mesh_of=self._mesh_of,
            repair=chosen.repair,
            apply=settings["gltf_apply"],
        )
        self._reader.read_world(scene)
        return self._reader

    def _mesh_of(self, node: SceneNode, shape: Any, slots: Slots | None) -> int | None:
        """The document's index of the mesh a shape is made of, or of the faces of some slots."""
        if slots is not None:
            return self._meshes.find_part(node.object, shape, slots)
        return self._meshes.find(node.object, shape, self._nodes.nodes[node.index].mesh)

    @functools.cached_property
    def _deleted(self) -> set[Any]:
        return export_filter.deleted_objects()

    @hooks.reported
    def gather_gltf_hook(
        self, _active: int, scenes: Any, animations: list[Any], settings: dict[str, Any]
    ) -> None:
        """Encode everything; what is wrong with the scene is known after this."""
        if self._reader is None:
            return
        hooks.ease_collector()
        self._drop_weights(animations)
        self._own_nodes = len(self._nodes.nodes)
        written = self._written = self._documents(self._reader.document)
        for new in written.first.new_nodes:
            self._nodes.insert_new(new, self._tree)
        engine = self._options.target
        if engine is not None:
            written = self._written = self._repaired(engine, written, scenes, animations)
        named = self._rename()
        if "OMI" in self._options.families:
            written = self._written = self._parted(written, named)
        self._encoded = self._writer().document(written.first, for_khr=written.for_khr)
        self._inside = _inside(self._encoded, written)
        if animated.KEY in self._inside:
            self._inside.discard(animated.KEY)
            self._kept_animations.add(self._encoded, animations, settings)
        scene = self._shown_scene()
        if scene is not None:
            self._tell_gone(scene)
        self._at = ""
        tree = export_check.check(
            written,
            self._options.families,
            self._target,
            self._nodes.nodes,
            self._nodes.parents,
            animations,
            place=self._owner,
            triangles=self._meshes.count,
            issues=self.report.issues,
        )
        if scene is not None:
            objects = (node.object for node in self._own)
            scene_check.tell_scaled_instances(scene, objects, self.report.issues, is_written=True)
        if engine is not None:
            tree.bones = self._tree.bones
            if engine.reset_animation:
                tree.reshaped = engine_nodes.reshaped(
                    self._nodes.nodes, animations, engine.reset_animation
                )
            engine.check(written.of(engine.family), tree, self.report.issues, self._owner)
        else:
            if "KHR" in self._options.families:  # A repair is tried, which moves nodes of the tree.
                tree = export_documents.tree_of(self._nodes.nodes, self._nodes.parents)
            names = self._names(animations)
            engines.tell_everybody(
                (row.load() for row in TARGETS.values()),
                written,
                self._options.families,
                tree,
                lambda engine, taken: names.otherwise(engine, written.first, taken),
                self.report.issues,
                "export",
            )
        if scene is not None:
            self._tell_unused(scene)
            self._tell_unit_scale(scene)
        export_check.excuse_imported(self.report.issues, is_imported=self._origin != "NONE")
        if scene is None or not self._settings().write_anyway:
            why = export_check.why_not(self.report.issues)
            if why:
                hooks.refuse(self.report, settings, why)
                return
        if engine is not None:
            assert self._engine is not None
            self._engine.names = names = self._names(animations)
            names.rename(engine, self.report.issues, self._owner)
        self.report.counts = reports.count(written.first)
        if self._meshes.meshes:
            self._carrier.extensions = {
                **(self._carrier.extensions or {}),
                _CARRIER: list(self._meshes.meshes),
            }
        if settings.get("gltf_gpu_instances") and self._encoded.nodes:
            settings["gltf_gpu_instances"] = False
            why = "GPU instances were turned off, because they would remove nodes with physics"
            self.report.issues.add(Code.EXPORT_OPTION_CHANGED, "export", why)

    def _repaired(
        self, engine: Engine, written: Written, scenes: list[Any], animations: list[Any]
    ) -> Written:
        """What is written so that an engine does what was authored."""
        written = dataclasses.replace(
            written, first=dataclasses.replace(written.first, new_nodes=[])
        )
        self._tree = tree = export_documents.tree_of(self._nodes.nodes, self._nodes.parents)
        self._engine = EngineNodes(engine.target.id, self._nodes.nodes, written)
        tree.bones = engine_skins.bones(self._nodes.nodes)
        moving = {id(c.target.node) for animation in animations for c in animation.channels}
        animated = {i for i, node in enumerate(self._nodes.nodes) if id(node) in moving}
        count = len(self._nodes.nodes)
        # Told by the rules again of what is left; see export_check.
        self.report.issues.drop(Code.ROUND_SHAPE_SCALED_UNEVENLY)
        assert self._reader is not None
        weighing = self._reader.weighing
        if weighing is not None:  # What there is to tell of shapes was told before.
            weighing = dataclasses.replace(weighing, issues=Issues())
        done = engines.repaired(
            engine,
            written,
            tree,
            self.report.issues,
            lambda i: self._nodes.nodes[i].name,
            animated,
            len(self._meshes.meshes),
            None if weighing is None else weighing.whole,
            self._meshes.triangles,
            self._owner,
        )
        self._engine.added_meshes = [
            self._meshes.add(new, self._reader.axes) for new in done.first.new_meshes
        ]
        for new in done.first.new_nodes:
            self._nodes.insert_new(new, tree, scenes)
        self._engine.added = self._nodes.nodes[count:]
        self._engine.move(done.first, tree, scenes)
        for node, parent in done.first.moved_nodes.items():
            self._nodes.parents[node] = parent
        return done

    def _rename(self) -> set[int]:
        """Give nodes names that ask for physics, if they are to; those that keep their meshes."""
        settings = self._settings()
        if settings is None or settings.names == "NONE":
            return set()
        named = named_nodes.rename(self._own, self._nodes.nodes, settings.names)
        engine = self._options.target
        all_stay = engine is None or engine.unseen is None
        return {each.index for each in named if all_stay or each.group.is_collision_only}

    def _parted(self, written: Written, named: set[int]) -> Written:
        """What is written where children show what nodes with physics showed."""
        names = {each.index: name for each in self._own if (name := each.group.mesh_node_name)}
        done, self._children = mesh_children.part(
            written,
            self._nodes,
            named,
            lambda i, word: names.get(i) or f"{self._nodes.nodes[i].name} {word}",
        )
        if self._engine is not None:
            self._engine.note_shown(self._children)
        return done

    def _names(self, animations: list[Any]) -> EngineNames:
        settings = self._settings()
        return EngineNames(
            self._nodes.nodes,
            self._nodes.parents,
            animations,
            self._encoded.nodes,
            self._children,
            "" if settings is None else settings.names,
        )

    def _owner(self, index: int) -> str:
        """The object of a node, or of the node that it was inserted below; for messages."""
        assert self._reader is not None
        at = index
        while at >= self._own_nodes and not self._reader.knows(at):
            at = self._nodes.stand_ins.get(at, self._nodes.parents[at])
        if at < 0 or self._reader.knows(at):
            return self._reader.name_of(at if at >= 0 else index)
        return str(self._nodes.nodes[at].name)

    def _tell_unused(self, scene: bpy.types.Scene) -> None:
        """Say which entries of the lists of the scene are left out."""
        assert self._reader is not None
        scene_rules.check_unused(
            scene, lambda: names.objects_of(scene), self.report.issues, self._reader.used()
        )

    def _tell_gone(self, scene: bpy.types.Scene) -> None:
        """Say which animations of physics were imported and are not written."""
        for words in self._kept_animations.gone(scene):
            why = f"the imported animation of {words} is lost, because its target is not written"
            self.report.issues.add(Code.PHYSICS_ANIMATION_LOST, "export", why, Severity.INFO)

    def _tell_unit_scale(self, scene: bpy.types.Scene) -> None:
        """Say that the file has Blender's units as metres, whatever they are in the scene."""
        scale = scene.unit_settings.scale_length
        if abs(scale - 1.0) > _SAME_UNIT and reports.count(self._written.first):
            why = (
                f"Unit Scale is {scale:g}, and Blender's exporter leaves it out: "
                "1 unit becomes 1 m in the file, for physics as for all else"
            )
            self.report.issues.add(Code.UNIT_SCALE_NOT_EXPORTED, "export", why)

    def _drop_weights(self, animations: list[Any]) -> None:
        """Remove the animated shape keys of meshes that are not exported, as glTF demands."""
        if not self._nodes.meshless:
            return
        for animation in animations.copy():
            kept: list[Any] = []
            for channel in animation.channels:
                target = channel.target
                if target.path == "weights" and id(target.node) in self._nodes.meshless:
                    why = "the mesh is Collision Only, so its shape keys are not animated"
                    self.report.issues.add(Code.EXPORT_OPTION_CHANGED, target.node.name, why)
                else:
                    kept.append(channel)
            animation.channels = kept
            if not kept:
                animations.remove(animation)

    def _documents(self, document: PhysicsDocument) -> Written:
        """What to write, and what KHR says if that is something else."""
        usual = self._family == self._origin or (self._family, self._origin) == ("OMI", "NONE")
        planes = any(isinstance(shape.geometry, Plane) for shape in document.shapes)
        held = self._family != "OMI" and anchors.may_be_in(document)
        if usual and not (planes or held or infinite_masses.is_in(document)):
            return Written(document, None)  # No tree is needed.
        self._tree = export_documents.tree_of(self._nodes.nodes, self._nodes.parents, settled=True)
        solids = Solids(self._meshes.triangles, derived_masses.hull_of)
        issues = Issues()
        first, for_khr = export_documents.for_families(
            document, self._tree, self._origin, self._family, issues, solids.measure
        )
        for issue in issues:
            self.report.issues.take(issue, self._place(issue.pointer))
        return Written(first, for_khr)

    def _place(self, pointer: str) -> str:
        """The object of the node that a pointer leads to; the pointer itself for all else."""
        at = node_of(pointer)
        return pointer if at is None or self._reader is None else self._reader.name_of(at)

    def _writer(self) -> Writer:
        assert self._reader is not None
        name_of, user_of_shape = self._reader.name_of, self._reader.user_of_shape
        return Writer(
            self.report.issues,
            self._options,
            place=lambda i: self._note(name_of(i)),
            place_of_shape=lambda i: self._note(user_of_shape(i)),
            mesh_node=self._mesh_node,
            counts={NodeIndex: len(self._nodes.nodes)},
        )

    def _mesh_node(self, mesh: int) -> int | None:
        """The first node that carries a mesh and nothing more, by indices of the document."""
        if not self._mesh_nodes:
            for i, node in enumerate(self._nodes.nodes):
                if node is not None and node.mesh is not None and node.skin is None:
                    self._mesh_nodes.setdefault(id(node.mesh), self._children.get(i, i))
        return self._mesh_nodes.get(id(self._meshes.meshes[mesh]))

    def _note(self, name: str) -> str:
        """Remember what is being written, in case it fails."""
        self._at = name
        return name

    @hooks.reported
    def gather_gltf_extensions_hook(self, gltf: Any, settings: dict[str, Any]) -> None:
        """Put the results onto the finished nodes and the root."""
        if self._reader is not None:
            hooks.ease_collector()
            self._attach(gltf)
            self._meshes.remove_joined()
            hooks.ease_collector()
        if self.report.counts or len(self.report.issues):
            self.report.point()
            hooks.tell(self.report, settings)

    def _attach(self, gltf: Any) -> None:
        document, for_khr = self._written.first, self._written.for_khr
        meshes: list[int] = []
        if self._meshes.meshes:
            meshes = self._carrier.extensions.pop(_CARRIER)
        mesh_children.attach(gltf, document, self._nodes, self._children)
        indices = {id(node): i for i, node in enumerate(gltf.nodes)}
        final = self._final_writer(indices, meshes)
        final.prepare(document, for_khr=for_khr)
        written = dict(self._encoded.nodes)
        for i in self._encoded.nodes:
            if for_khr is not None or final.has_references(i):
                written[i] = final.node(i)
        root = dict(final.root(document) if meshes else self._encoded.root)
        shapes = final.core_shapes() if meshes else self._encoded.shapes
        if not self._kept_animations.is_empty:
            nodes = {indices[id(self._nodes.nodes[i])]: each for i, each in written.items()}
            self._kept_animations.settle(root, nodes, shapes)
        for i, extensions in written.items():
            node = self._nodes.nodes[i]
            if i in (for_khr or document).anchors:
                node.extras = {**(node.extras or {}), compat.ROLE: anchors.ROLE}
            self._late.nodes[indices[id(node)]] = extensions
        has_khr = any(_KHR in extensions for extensions in self._encoded.nodes.values())
        if has_khr and not root and not gltf.extensions:
            root[_KHR] = {}  # Babylon.js fails on files with physics in nodes and none here.
        self._late.root.update(root)
        self._late.shapes.extend(shapes)
        if self._engine is not None:
            plain = self._as_authored(written, self._engine.written, indices, meshes)
            if not self._kept_animations.is_empty:
                self._kept_animations.refer(plain)
            after = Encoded(root, written)
            self._engine.note(
                gltf,
                plain,
                after,
                lambda i: indices[id(self._nodes.nodes[i])],
                meshes,
                self._idle_skins(gltf, indices),
            )
        _declare(gltf, root, self._encoded.nodes.values(), self._inside)
        self._kept_animations.declare(gltf)

    def _as_authored(
        self,
        said: dict[int, dict[str, Any]],
        authored: Written,
        indices: dict[int, int],
        meshes: list[int],
    ) -> Encoded:
        """What would be written for nobody, where what nodes say is for an engine."""
        alike: dict[int, dict[str, Any]] = {}
        first = authored.first
        if self._options.families == ("OMI",):  # Which says of a node the same to every reader.
            nodes = self._written.first.nodes
            alike = {i: said[i] for i in said if nodes.get(i, said) is first.nodes.get(i)}
            others = {i: each for i, each in first.nodes.items() if i not in alike}
            first = dataclasses.replace(first, nodes=others)
        writer = self._final_writer(indices, meshes, self._options.as_authored())
        plain = writer.document(first, for_khr=authored.for_khr)
        plain.nodes |= alike
        return plain

    def _idle_skins(self, gltf: Any, indices: dict[int, int]) -> dict[str, Any]:
        """Take the skins out of the file whose bones an engine would hold for nothing."""
        if not (self._options.target and self._options.target.has_skeletons):
            return {}
        movers = idle_skins.movers(self._written.first)
        return engine_skins.take(gltf, [indices[id(self._nodes.nodes[i])] for i in movers])

    def _final_writer(
        self, indices: dict[int, int], meshes: list[int], options: WriteOptions | None = None
    ) -> Writer:
        """A writer that knows the indices of the file; what it finds was reported before."""
        return Writer(
            reports.Issues(),
            options or self._options,
            node_ref=lambda i: indices[id(self._nodes.nodes[i])],
            mesh_ref=lambda i: meshes[i],
            mesh_node=self._mesh_node,
            counts={NodeIndex: len(indices)},
        )


def _inside(encoded: Encoded, written: Written) -> set[str]:
    """The names of the extensions that stand inside of ours.

    Of nodes that share their physics one is looked at: what is inside of ours comes with that.
    """
    first, other = written.first.nodes, written.of("KHR").nodes
    nodes = {(id(first.get(i)), id(other.get(i))): node for i, node in encoded.nodes.items()}
    names = set[str]()
    waiting: list[Any] = [encoded.root, encoded.shapes, *nodes.values()]
    for value in waiting:  # It grows.
        items: Iterable[Any] = value
        if value.__class__ is dict:
            if value.get("extensions").__class__ is dict:
                names.update(value["extensions"])
            items = value.values()
        for item in items:
            if item.__class__ is dict or item.__class__ is list:
                waiting.append(item)
    return names


def _declare(
    gltf: Any, root: dict[str, Any], nodes: Iterable[dict[str, Any]], inside: set[str]
) -> None:
    """List the extensions that are used, and never require one.

    Args:
        inside: those of others inside of ours.
    """
    used = set(root).union(*nodes)
    listed: list[str] = gltf.extensions_used or []
    names = [*sorted(used.difference(listed)), *sorted(inside.difference(used, listed))]
    # Those that others declare for what they write are kept for that alone.
    kept = [host_save.declared_name(name) if name in used else name for name in listed]
    gltf.extensions_used = [*kept, *map(host_save.declared_name, names)]
