# Keeps the tracks of animations on their nodes while these get other places in the tree.
@tool
extends RefCounted

var _root: Node
var _found: Array = []  # [animation, track, node, player's root]
var _instead := {}


func _init(root: Node) -> void:
	_root = root
	for player: AnimationPlayer in root.find_children("*", "AnimationPlayer", true, false):
		var base := player.get_node_or_null(player.root_node)
		for name in player.get_animation_list():
			var animation := player.get_animation(name)
			for track in animation.get_track_count():
				var node := base.get_node_or_null(NodePath(animation.track_get_path(track).get_concatenated_names()))
				if node != null:
					_found.append([animation, track, node, base])


## Has tracks that place one node place another; weights of its mesh stay.
func moves_instead(node: Node, other: Node) -> void:
	_instead[node] = other


## Writes the paths to where the nodes are now.
func write() -> void:
	for each: Array in _found:
		var animation: Animation = each[0]
		var node: Node = each[2]
		if animation.track_get_type(each[1]) != Animation.TYPE_BLEND_SHAPE:
			node = _instead.get(node, node)
		var more := animation.track_get_path(each[1]).get_concatenated_subnames()
		var path := str((each[3] as Node).get_path_to(node))
		animation.track_set_path(each[1], NodePath(path + (":" + more if more != "" else "")))
