"""Hooks in Blender's glTF exporter: collect nodes, read the scene, encode, attach.

Order of the host: gather_tree_filter_tag_hook and gather_scene_hook for each scene,
gather_gltf_hook, then it writes buffers and images, gather_gltf_extensions_hook, then the file.
All that can fail happens before anything is written; the last hook only puts results in place,
as plain objects on finished nodes, which costs least.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any, Final

import bpy
from mathutils import Matrix

from ...axes import Axes
from ...codec.convert import infinite_masses, scene_families
from ...codec.dialects import Encoded, Options, Writer
from ...codec.gltf import rewriting
from ...codec.khr import khr_physics_rigid_bodies
from ...codec.rules import godot
from ...geometry.mesh_solids import Solids
from ...issues import Issues, node_of
from ...model.document import NewNode, NodePhysics, PhysicsDocument
from ...model.shapes import Plane
from ..base import compat, groups, mesh_arrays, reports
from ..scene import derived_masses, migrations
from ..scene.scene_nodes import AddedNode, SceneNode
from ..scene.scene_reader import SceneReader
from . import hooks, node_transforms

# Where a scene carries the meshes that shapes refer to, so that the host writes each of them
# and turns it into its index; removed before the file is written.
_CARRIER: Final = "omi_physics_addon_meshes"


_KHR: Final = khr_physics_rigid_bodies.NAME
_NOTHING: Final = NodePhysics()
_EPSILON: Final = 1e-5  # Metres, sines or relative size that count as not having moved.


class ExportHooks:
    """One export. The host finds the methods by their names and passes its settings last."""

    def __init__(self) -> None:
        hooks.remove_discarded()
        hooks.restore_collector()
        compat.hide_from_extras()
        self.report = reports.start("EXPORT")
        # The host shows one scene after the other while it exports; the artist sees this one's
        # settings. By name, because objects of Blender may move in memory.
        self._shown = getattr(groups.current_scene(), "name", "")
        self._nodes: list[Any] = []  # The host's node for each index of the document.
        self._parents: list[int] = []  # Index of the node above, -1 for none.
        self._meshes: list[Any] = []  # The host's mesh for each index of the document.
        self._mesh_indices: dict[int, int] = {}
        self._surfaces: list[compat.Surface] = []  # What `_meshes` are made of.
        self._reader: SceneReader | None = None
        self._encoded = Encoded()
        self._options = Options()
        self._at = ""
        self._document = PhysicsDocument()
        self._for_khr: PhysicsDocument | None = None
        self._mesh_nodes: dict[int, int] = {}  # Identity of a host's mesh → a node that has it.
        self._bones: set[int] = set()  # Indices of bones that have a stand-in's physics.
        self._joined: dict[Any, bpy.types.Mesh] = {}  # Meshes made for this export alone.
        self._meshless: set[int] = set()  # Identities of the nodes that lost their meshes.
        self._carrier: Any = None
        self._declared: set[str] = set()

    def where(self) -> str:
        """The object whose physics was being read or written."""
        at = (self._reader and self._reader.at) or self._at
        return f"object {at!r}" if at else ""

    def fail(self, host: dict[str, Any]) -> None:
        """Make sure that no file is touched and nothing stays behind."""
        hooks.discard_output(host)
        self._remove_joined()

    def _shown_scene(self) -> bpy.types.Scene | None:
        """The scene whose settings the artist sees."""
        return bpy.data.scenes.get(self._shown)

    def _remove_joined(self) -> None:
        if self._joined:  # Removing nothing makes Blender evaluate the whole scene again.
            bpy.data.batch_remove(list(self._joined.values()))
            self._joined.clear()

    @hooks.reported
    def gather_tree_filter_tag_hook(self, tree: Any, settings: dict[str, Any]) -> None:
        """Keep hidden colliders and triggers; tell what physics goes with left out objects."""
        scene = self._shown_scene()
        if scene is None or not _settings(scene).enabled:
            return
        keep_hidden = _settings(scene).include_hidden
        for vnode in tree.nodes.values():  # Parents come before their children.
            obj = vnode.blender_object
            if not isinstance(obj, bpy.types.Object) or compat.is_bone(vnode):
                continue
            if obj in self._deleted:  # Only our pointers to it keep it in the file.
                vnode.keep_tag = False
            elif not vnode.keep_tag and migrations.has_physics(obj):
                self._filter_left_out(tree, vnode, settings, keep_hidden)

    def _filter_left_out(
        self, tree: Any, vnode: Any, settings: dict[str, Any], keep_hidden: bool
    ) -> None:
        """Keep an object with physics that the host leaves out, or tell what goes with it."""
        obj = vnode.blender_object
        if not tree.node_filter_not_inheritable_is_kept(vnode.uuid):
            kind = f"{obj.type.title()} objects are not exported"
            self.report.issues.add("X04", obj.name, f"{kind}, and with it goes its physics")
            return
        limited = settings["gltf_visible"] or settings["gltf_renderable"]
        if not limited or not _only_hidden(tree, vnode, settings):
            return  # The artist chose what to export, and this is not in it.
        group = groups.of_object(obj)
        is_part = (group.use_collider or group.use_trigger) and not group.use_motion
        body = _nearest_body(tree, vnode)
        if keep_hidden and is_part and (body is None or body.keep_tag):
            vnode.keep_tag = True
            vnode.omi_physics_hidden = True
        elif not is_part:
            why = "it is hidden and not exported, and with it goes its physics"
            self.report.issues.add("X04", obj.name, why)

    @hooks.reported
    def vtree_after_filter_hook(self, tree: Any, settings: dict[str, Any]) -> None:
        """Put bodies that Blender simulates back to where they start."""
        shown, scene = self._shown_scene(), groups.current_scene()
        if shown is None or not _settings(shown).enabled:
            return
        if scene is None or not _has_simulated(scene):
            return
        moved: dict[str, Matrix] = {}
        for uuid, vnode in tree.nodes.items():  # Parents come before their children.
            obj = vnode.blender_object
            change = moved.get(vnode.parent_uuid) if vnode.parent_uuid else None
            movable = isinstance(obj, bpy.types.Object) and not compat.is_bone(vnode)
            if movable and _is_simulated(obj):
                rest = _rest_matrix(obj)
                if rest is None:
                    why = "a bone or a constraint moves it, so it is exported where it is now"
                    self.report.issues.add("X07", obj.name, why)
                else:  # Of an instance, the world of the object is not that of the node.
                    place = vnode.matrix_world
                    place = place @ obj.matrix_world.inverted_safe() @ rest
                    change = place @ vnode.matrix_world.inverted_safe()
            if change is not None:
                moved[uuid] = change
                vnode.matrix_world = change @ vnode.matrix_world

    @hooks.reported
    def gather_scene_hook(
        self, scene: Any, blender_scene: bpy.types.Scene, settings: dict[str, Any]
    ) -> None:
        """Read the physics of a scene whose nodes have been made."""
        chosen = self._shown_scene() or blender_scene
        if not _settings(chosen).enabled:
            return
        hooks.ease_collector()
        self._carrier = self._carrier or scene
        reader = self._reader or self._start(chosen, settings)
        if self._origin == "NONE":
            self._origin = groups.of_scene(blender_scene).origin
        first = len(self._nodes)
        nodes = self._collect(settings["vtree"], settings)
        added_before = len(reader.added)
        reader.read(blender_scene, nodes, self._parents)
        hidden = [self._nodes[node.index] for node in nodes if _is_mesh_hidden(node.object)]
        hidden += self._hidden_parts
        for added in reader.added[added_before:]:
            self._insert(added)
        for node in hidden:
            node.mesh, node.skin, node.weights = None, None, None
            self._meshless.add(id(node))
        if reader.document.nodes:
            pairs = ((node, self._nodes[node.index]) for node in nodes)
            node_transforms.keep(pairs, Axes(y_up=settings["gltf_yup"]))
        _warn_flat(reader, settings, first)

    def _start(self, scene: bpy.types.Scene, settings: dict[str, Any]) -> SceneReader:
        chosen = _settings(scene)
        self._family = chosen.family
        self._origin = groups.of_scene(scene).origin
        self._options = Options(
            target=chosen.target,
            repair=chosen.repair,
            families=("OMI", "KHR") if chosen.family == "BOTH" else (chosen.family,),
            geometry=chosen.geometry,
            old_vehicle_names=chosen.old_vehicle_names,
        )
        self._host_settings = settings
        self._reader = SceneReader(
            axes=Axes(y_up=settings["gltf_yup"]),
            issues=self.report.issues,
            mesh_of=self._mesh_of,
            repair=chosen.repair,
            apply=settings["gltf_apply"],
        )
        self._reader.read_world(scene)
        return self._reader

    def _collect(self, tree: Any, settings: dict[str, Any]) -> list[SceneNode]:
        """The nodes of the host's tree that stand for objects, parents first."""
        indices: dict[str, int] = {}
        nodes: list[SceneNode] = []
        turned = {"CAMERA": settings["gltf_cameras"], "LIGHT": settings["gltf_lights"]}
        self._hidden_parts: list[Any] = []
        for uuid, vnode in tree.nodes.items():
            if vnode.node is None:
                continue
            index = indices[uuid] = len(self._nodes)
            parent = indices.get(vnode.parent_uuid, -1)
            self._nodes.append(vnode.node)
            self._parents.append(parent)
            obj = vnode.blender_object
            if obj is None or compat.is_collection(vnode) or compat.is_bone(vnode):
                continue
            turn = bool(turned.get(obj.type)) and settings["gltf_yup"]
            if self._stands_for_bone(tree, vnode) and self._can_fold(vnode, parent):
                self._nodes[parent].children.remove(vnode.node)
                self._bones.add(parent)
                index = parent
            nodes.append(SceneNode(index, obj, vnode.matrix_world, turn))
            if getattr(vnode, "omi_physics_hidden", False):
                self._hidden_parts.append(vnode.node)
        return nodes

    @staticmethod
    def _stands_for_bone(tree: Any, vnode: Any) -> bool:
        """Whether the physics of an object is that of the bone it is parented to."""
        above = tree.nodes.get(vnode.parent_uuid)
        if above is None or not compat.is_bone(above):
            return False
        return groups.of_object(vnode.blender_object).is_bone_stand_in

    def _can_fold(self, vnode: Any, bone: int) -> bool:
        """Whether nothing is lost when a stand-in goes and its bone gets what it has."""
        node = vnode.node
        why = ""
        if bone in self._bones:
            why = "another object stands for its bone already"
        elif node.children:
            why = "there are objects below it"
        elif _is_moved(node):
            why = "it is not where its bone is"
        if why:
            why = f"{why}, so its physics goes to a node of its own and not to the bone"
            self.report.issues.add("X07", vnode.blender_object.name, why)
        return not why

    def _mesh_of(self, node: SceneNode, shape: Any) -> int | None:
        """The document's index of the mesh a shape is made of."""
        source = shape.mesh_source
        if source == "OWN" and node.object.type != "META":  # Of which the host makes no mesh.
            return self._mesh_index(self._nodes[node.index].mesh)
        if source == "DATA":
            return None if shape.mesh is None else self._mesh_index(self._export(shape.mesh))
        obj = node.object if source == "OWN" else shape.mesh_object
        if obj is None:
            return None
        if source == "OBJECT" and shape.use_children and obj in self._children:
            return self._mesh_index(self._export_joined(obj))
        return self._mesh_index(self._export_object(obj))

    def _mesh_index(self, mesh: Any) -> int | None:
        if mesh is None:
            return None
        index = self._mesh_indices.get(id(mesh))
        if index is None:
            index = self._mesh_indices[id(mesh)] = len(self._meshes)
            self._meshes.append(mesh)
            self._surfaces.append(compat.surface(mesh))
        return index

    def _export(self, mesh: bpy.types.Mesh) -> Any:
        return compat.export_mesh(mesh, tuple(mesh.materials), None, self._host_settings)

    @functools.cached_property
    def _deleted(self) -> set[Any]:
        return _deleted_objects()

    @functools.cached_property
    def _children(self) -> dict[Any, list[Any]]:
        return mesh_arrays.children_of_all()

    def _export_object(self, obj: bpy.types.Object) -> Any:
        """The mesh of an object, with its modifiers when the export applies them.

        None when the object is of a kind without one.
        """
        apply = self._host_settings["gltf_apply"] and len(obj.modifiers) > 0
        if isinstance(obj.data, bpy.types.Mesh) and not apply:
            materials = tuple(slot.material for slot in obj.material_slots)
            return compat.export_mesh(obj.data, materials, None, self._host_settings)
        depsgraph = bpy.context.evaluated_depsgraph_get() if apply else None
        modifiers = obj.modifiers if apply else None
        with mesh_arrays.temporary_mesh(obj, depsgraph) as mesh:
            if mesh is None:
                return None
            materials = tuple(mesh.materials)
            return compat.export_mesh(mesh, materials, obj.data, self._host_settings, modifiers)

    def _export_joined(self, obj: bpy.types.Object) -> Any:
        """The meshes of an object and of all below it as one, in the space of the object."""
        if obj not in self._joined:
            apply = bool(self._host_settings["gltf_apply"])
            self._joined[obj] = mesh_arrays.joined(obj, self._children, apply)
        return self._export(self._joined[obj])

    def _insert(self, added: AddedNode) -> None:
        """Make the host's node for an inserted node of the document."""
        translation = list(added.translation) if any(added.translation) else None
        rotation = list(added.rotation) if any(added.rotation[:3]) else None
        scale = None if added.scale is None else list(added.scale)
        extras = None if added.role == "shape" else {compat.ROLE: added.role}
        node = compat.host_node(added.name, translation, rotation, scale, extras)
        self._nodes[added.parent].children.append(node)
        while len(self._nodes) <= added.index:
            self._nodes.append(None)
            self._parents.append(-1)
        self._nodes[added.index] = node
        self._parents[added.index] = added.parent

    @hooks.reported
    def gather_gltf_hook(
        self, _active: int, _scenes: Any, animations: list[Any], settings: dict[str, Any]
    ) -> None:
        """Encode everything; what is wrong with the scene is known after this."""
        if self._reader is None:
            return
        hooks.ease_collector()
        self._drop_weights(animations)
        document, for_khr = self._documents(self._reader.document)
        self._document, self._for_khr = document, for_khr
        for new in document.new_nodes:
            self._insert_new(new)
        self._encoded = self._writer().document(document, for_khr=for_khr)
        self._at = ""
        if self._options.target == "GODOT_4" and self._family != "KHR":
            tree = scene_families.tree_of(self._nodes, self._parents)
            godot.check(document, tree, self.report.issues, self._reader.name_of)
        self.report.counts = reports.count(document)
        self._tell_unit_scale()
        if self._meshes:
            self._carrier.extensions = {
                **(self._carrier.extensions or {}),
                _CARRIER: list(self._meshes),
            }
        if settings.get("gltf_gpu_instances") and self._encoded.nodes:
            settings["gltf_gpu_instances"] = False
            why = "GPU instances are off: they would swallow nodes that have physics"
            self.report.issues.add("X07", "export", why)

    def _tell_unit_scale(self) -> None:
        """Say that the file has Blender's units as metres, whatever they are in the scene."""
        scene = self._shown_scene()
        scale = 1.0 if scene is None else scene.unit_settings.scale_length
        if self.report.counts and abs(scale - 1.0) > _EPSILON:
            why = (
                f"Unit Scale is {scale:g}, and Blender's exporter leaves it out: "
                "1 unit becomes 1 m in the file, for physics as for all else"
            )
            self.report.issues.add("X12", "export", why)

    def _drop_weights(self, animations: list[Any]) -> None:
        """Remove the animated shape keys of meshes that are not exported, as glTF demands."""
        if not self._meshless:
            return
        for animation in animations.copy():
            kept: list[Any] = []
            for channel in animation.channels:
                target = channel.target
                if target.path == "weights" and id(target.node) in self._meshless:
                    why = "its mesh is for collisions only, so its shape keys are not animated"
                    self.report.issues.add("X07", target.node.name, why)
                else:
                    kept.append(channel)
            animation.channels = kept
            if not kept:
                animations.remove(animation)

    def _documents(
        self, document: PhysicsDocument
    ) -> tuple[PhysicsDocument, PhysicsDocument | None]:
        """What to write, and what KHR says if that is something else."""
        usual = self._family == self._origin or (self._family, self._origin) == ("OMI", "NONE")
        planes = any(isinstance(shape.geometry, Plane) for shape in document.shapes)
        if usual and not planes and not infinite_masses.is_in(document):
            return document, None  # No tree is needed.
        self._tree = scene_families.tree_of(self._nodes, self._parents)
        solids = Solids(lambda i: compat.triangles(self._surfaces[i]), derived_masses.hull_of)
        issues = Issues()
        documents = scene_families.documents(
            document, self._tree, self._origin, self._family, issues, solids.measure
        )
        for issue in issues:
            self.report.issues.add(
                issue.code, self._place(issue.pointer), issue.message, issue.severity
            )
        return documents

    def _place(self, pointer: str) -> str:
        """The object of the node that a pointer leads to; the pointer itself for all else."""
        at = node_of(pointer)
        return pointer if at is None or self._reader is None else self._reader.name_of(at)

    def _insert_new(self, new: NewNode) -> None:
        """Make the host's node for one that a conversion between families needs."""
        place = rewriting.transform(new, self._tree)
        node = compat.host_node(new.name, place.get("translation"), None, place.get("scale"), None)
        node.matrix = place.get("matrix")
        self._nodes[new.parent].children.append(node)
        self._nodes.append(node)
        self._parents.append(new.parent)

    def _writer(self) -> Writer:
        assert self._reader is not None
        name_of, user_of_shape = self._reader.name_of, self._reader.user_of_shape
        return Writer(
            self.report.issues,
            self._options,
            place=lambda i: self._note(name_of(i)),
            place_of_shape=lambda i: self._note(user_of_shape(i)),
            mesh_node=self._mesh_node,
        )

    def _mesh_node(self, mesh: int) -> int | None:
        """The first node that carries a mesh and nothing more, by indices of the document."""
        if not self._mesh_nodes:
            for i, node in enumerate(self._nodes):
                if node is not None and node.mesh is not None and node.skin is None:
                    self._mesh_nodes.setdefault(id(node.mesh), i)
        return self._mesh_nodes.get(id(self._meshes[mesh]))

    def _note(self, name: str) -> str:
        """Remember what is being written, in case it fails."""
        self._at = name
        return name

    @hooks.reported
    def gather_gltf_extensions_hook(self, gltf: Any, settings: dict[str, Any]) -> None:
        """Put the results onto the finished nodes and the root."""
        if self._reader is not None:
            hooks.ease_collector()
            self._attach(self._document, gltf)
            self._remove_joined()
            hooks.ease_collector()
        if self.report.counts or len(self.report.issues):
            hooks.tell(self.report, settings)

    def _attach(self, document: PhysicsDocument, gltf: Any) -> None:
        meshes: list[int] = []
        if self._meshes:
            meshes = self._carrier.extensions.pop(_CARRIER)
        indices = {id(node): i for i, node in enumerate(gltf.nodes)}
        final = self._final_writer(indices, meshes)
        final.prepare(document, for_khr=self._for_khr)
        for i, extensions in self._encoded.nodes.items():
            physics = document.nodes.get(i, _NOTHING)
            if self._for_khr is not None or final.has_references(physics):
                extensions = final.node(i, physics)
            node = self._nodes[i]
            node.extensions = {**(node.extensions or {}), **_untouched(extensions)}
        root = dict(final.root(document) if meshes else self._encoded.root)
        has_khr = any(_KHR in extensions for extensions in self._encoded.nodes.values())
        if has_khr and not root and not gltf.extensions:
            root[_KHR] = {}  # Babylon.js fails on files with physics in nodes and none here.
        gltf.extensions = {**(gltf.extensions or {}), **_untouched(root)}
        self._declared = _declare(gltf, root, self._encoded.nodes.values())

    def _final_writer(self, indices: dict[int, int], meshes: list[int]) -> Writer:
        """A writer that knows the indices of the file; what it finds was reported before."""
        return Writer(
            reports.Issues(),
            self._options,
            node_ref=lambda i: indices[id(self._nodes[i])],
            mesh_ref=lambda i: meshes[i],
            mesh_node=self._mesh_node,
        )

    def passthrough_extension_data(
        self, names: list[str], _gltf: Any, _settings: dict[str, Any]
    ) -> None:
        """Tell the host to write ours as they are (called since 5.2)."""
        names.extend(self._declared)

    @staticmethod
    def after_encoding() -> None:
        """The host has finished its JSON and is about to write it."""
        hooks.restore_collector()

    def post_export_hook(self, _settings: dict[str, Any]) -> None:
        """Tidy up after a failure (called by the host since 4.3)."""
        hooks.remove_discarded()


def _settings(scene: bpy.types.Scene) -> Any:
    return groups.of_scene(scene).export


def _untouched(extensions: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {
        compat.untouched_name(name, extension): compat.untouched(extension)
        for name, extension in extensions.items()
    }


def _declare(gltf: Any, root: Iterable[str], nodes: Iterable[dict[str, Any]]) -> set[str]:
    """List the extensions that are used, and never require one.

    Returns:
        Their names.
    """
    used = set(root)
    for extensions in nodes:
        used.update(extensions)
    listed: list[str] = gltf.extensions_used or []
    gltf.extensions_used = [*listed, *(name for name in sorted(used) if name not in listed)]
    return used


def _is_mesh_hidden(obj: bpy.types.Object) -> bool:
    return groups.of_object(obj).is_collision_only


def _only_hidden(tree: Any, vnode: Any, settings: dict[str, Any]) -> bool:
    """Whether a node was left out for nothing but not being visible or renderable."""
    visible, renderable = settings["gltf_visible"], settings["gltf_renderable"]
    settings["gltf_visible"] = settings["gltf_renderable"] = False
    try:
        return bool(tree.node_filter_inheritable_is_kept(vnode.uuid))
    finally:
        settings["gltf_visible"], settings["gltf_renderable"] = visible, renderable


def _deleted_objects() -> set[Any]:
    """Objects that an artist has deleted and that only pointers of properties still hold."""
    used: set[Any] = set()
    for collection in bpy.data.collections:
        used.update(collection.objects)
    for scene in bpy.data.scenes:
        used.update(scene.collection.objects)
    return set(bpy.data.objects) - used


def _nearest_body(tree: Any, vnode: Any) -> Any:
    """The node of the host's tree whose body a collider or trigger belongs to; None for none."""
    above = tree.nodes.get(vnode.parent_uuid)
    while above is not None:
        obj = above.blender_object
        if isinstance(obj, bpy.types.Object) and groups.of_object(obj).use_motion:
            return above
        above = tree.nodes.get(above.parent_uuid)
    return None


def _is_moved(node: Any) -> bool:
    """Whether a node of the host is elsewhere than the one above it."""
    return (
        max(map(abs, node.translation or (0.0,))) > _EPSILON
        or max(map(abs, (node.rotation or (0.0,))[:3])) > _EPSILON
        or max(abs(axis - 1.0) for axis in node.scale or (1.0,)) > _EPSILON
    )


def _has_simulated(scene: bpy.types.Scene) -> bool:
    """Whether Blender's simulation may have moved something by now."""
    world = scene.rigidbody_world
    if world is None or not world.enabled:
        return False
    return scene.frame_current > world.point_cache.frame_start


def _is_simulated(obj: bpy.types.Object) -> bool:
    """Whether Blender's own simulation moves an object that we export as a body."""
    body = obj.rigid_body
    if body is None or body.type != "ACTIVE" or body.kinematic or not body.enabled:
        return False
    return groups.of_object(obj).use_motion


def _rest_matrix(obj: bpy.types.Object) -> Matrix | None:
    """Where the transform channels put an object, whatever the simulation did since.

    None where more than the channels and an object above place it.
    """
    if any(not constraint.mute for constraint in obj.constraints):
        return None
    if obj.parent is None:
        return obj.matrix_basis.copy()
    if obj.parent_type != "OBJECT":
        return None
    above = _rest_matrix(obj.parent) if _is_simulated(obj.parent) else obj.parent.matrix_world
    return None if above is None else above @ obj.matrix_parent_inverse @ obj.matrix_basis


def _warn_flat(reader: SceneReader, settings: dict[str, Any], first: int) -> None:
    """Say when the export takes colliders away from their bodies."""
    if not settings.get("gltf_flatten_obj_hierarchy"):
        return
    nodes = {i: p for i, p in reader.document.nodes.items() if i >= first}
    if any(p.motion for p in nodes.values()) and any(
        (p.collider or p.trigger) and not p.motion for p in nodes.values()
    ):
        why = "Flatten Object Hierarchy takes colliders away from the bodies above them"
        reader.issues.add("X07", "export", why)
