# Takes bones of the skeleton above it to where their bodies are.
@tool
extends Node3D

## Bones, parents before children.
@export var bones := PackedInt32Array()
## The body of each.
@export var bodies: Array[NodePath] = []
## Where each bone is on its body.
@export var places: Array[Transform3D] = []


func _process(_delta: float) -> void:
	var skeleton := get_parent() as Skeleton3D
	if Engine.is_editor_hint() or skeleton == null:
		return
	var back := skeleton.global_transform.affine_inverse()
	for i in bones.size():
		var body := get_node_or_null(bodies[i]) as Node3D
		if body != null:
			skeleton.set_bone_global_pose(bones[i], back * body.global_transform * places[i])
