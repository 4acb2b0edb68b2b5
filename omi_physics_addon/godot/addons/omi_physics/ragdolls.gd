# Has the bones of skeletons follow bodies.
#
# Godot makes bones of nodes that skins name. A body of such a node hangs beside the skeleton, and a
# script takes the bone to where it is.
@tool
extends RefCounted

const Follower := preload("nodes/bone_follower.gd")

var _state: GLTFState
var _found := {}  # By skeleton: Dictionaries of bone, body and node.


func _init(state: GLTFState) -> void:
	_state = state


## Hangs a new body beside the skeleton of a bone; null where there is none.
func body_for(at: int, body: CollisionObject3D) -> CollisionObject3D:
	var gltf_node := _state.get_nodes()[at]
	if gltf_node.skeleton < 0:
		return null
	var skeleton := _state.get_skeletons()[gltf_node.skeleton].get_godot_skeleton()
	var bone := skeleton.find_bone(gltf_node.resource_name)
	if bone < 0:
		return null
	body.name = gltf_node.resource_name
	var above := skeleton.get_parent()
	(above if above != null else skeleton).add_child(body)
	var rows: Array = _found.get_or_add(skeleton, [])
	rows.append({"bone": bone, "body": body, "node": at})
	return body


## Gives each skeleton what takes its bones along; `places` are those of the file, by node.
func follow(places: Dictionary, placed: Callable) -> void:
	for skeleton: Skeleton3D in _found:
		var follower := Follower.new()
		follower.name = "Bones Follow Bodies"
		skeleton.add_child(follower)
		var rows: Array = _found[skeleton]
		rows.sort_custom(func(a: Dictionary, b: Dictionary) -> bool: return a["bone"] < b["bone"])
		var bones := PackedInt32Array()
		var bodies: Array[NodePath] = []
		var on_bodies: Array[Transform3D] = []
		for row: Dictionary in rows:
			var body: Node3D = row["body"]
			bones.append(row["bone"])
			bodies.append(follower.get_path_to(body))
			on_bodies.append((placed.call(body) as Transform3D).affine_inverse() * (places[row["node"]] as Transform3D))
		follower.bones = bones
		follower.bodies = bodies
		follower.places = on_bodies
