# Reads the physics of a glTF file when Godot loads it, in the editor's import and at run time.
#
# Games that load files themselves call this once, before the first file:
#
#     preload("res://addons/omi_physics/reader.gd").register()
#
# Godot's own reader of OMI_physics_body and readers of other add-ons are asked after this one, and
# find no physics any more.
@tool
extends GLTFDocumentExtension

const Builder := preload("builder.gd")
const Dialects := preload("dialects.gd")
const Writer := preload("writer.gd")
const KEY := &"omi_physics"

static var _registered: GLTFDocumentExtension = null


# Has every GLTFDocument read physics from now on.
static func register() -> void:
	if _registered == null:
		_registered = new()
		GLTFDocument.register_gltf_document_extension(_registered, true)


# Takes that back.
static func unregister() -> void:
	if _registered != null:
		GLTFDocument.unregister_gltf_document_extension(_registered)
		_registered = null


func _import_preflight(state: GLTFState, extensions: PackedStringArray) -> Error:
	var kept: Array = []
	for extension in extensions:
		if not extension in Dialects.NAMES:
			kept.append(extension)
	if kept.size() == extensions.size():
		return ERR_SKIP
	# What is asked next sees a file without physics.
	state.json["extensionsUsed"] = kept
	return OK


func _get_supported_extensions() -> PackedStringArray:
	return PackedStringArray(Dialects.NAMES)


func _import_post_parse(state: GLTFState) -> Error:
	state.set_additional_data(KEY, Builder.new(state, Dialects.new().read(state.json)))
	return OK


func _generate_scene_node(state: GLTFState, gltf_node: GLTFNode, _parent: Node) -> Node3D:
	var builder: Builder = state.get_additional_data(KEY)
	return builder.node_for(gltf_node)


func _import_post(state: GLTFState, root: Node) -> Error:
	var builder: Builder = state.get_additional_data(KEY)
	builder.build(root)
	# The scene holds all that was made; the state of a file may be kept for long.
	state.set_additional_data(KEY, null)
	return OK


func _export_preflight(_state: GLTFState, root: Node) -> Error:
	return OK if Writer.has_physics(root) else ERR_SKIP


func _export_post(state: GLTFState) -> Error:
	return Writer.new(state).write()
