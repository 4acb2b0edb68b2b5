# Makes joints between bodies.
@tool
extends RefCounted

const PhysicsJoint := preload("nodes/physics_joint.gd")
const Shapes := preload("shapes.gd")
const FAR := 1e6  # m, of a limit with one end.

# The axes of the joint that X, Y and Z of Godot's frame are. Godot's joints turn best about X.
const _TURNS: Array = [[0, 1, 2], [1, 2, 0], [2, 0, 1]]

var _builder: RefCounted  # Builder, which preloads this.
var _root: Node


func _init(builder: RefCounted, root: Node) -> void:
	_builder = builder
	_root = root


## Makes the joint of a node of the file.
func make(at: int, said: Dictionary) -> void:
	var first: int = said["of"] if said["of"] >= 0 else at
	var other: int = said["connected"]
	var other_node: Node3D = _builder.holder_of(other) if other >= 0 else null
	var node: Node3D = _builder.holder_of(at)
	if other_node == null:
		push_warning("OMI Physics: the joint '%s' is connected to nothing and is left out" % node.name)
		return
	var one := _body(first)
	var two := _body(other)
	if one == two or not (one is RigidBody3D or two is RigidBody3D):
		push_warning("OMI Physics: the joint '%s' has no two bodies that move against each other and is left out" % node.name)
		return
	var settings: Dictionary = said["settings"]
	var axes := _order(settings)
	var joint := PhysicsJoint.new()
	joint.name = "%s Joint" % node.name
	node.add_child(joint)
	var turn := _basis(axes)
	var place: Transform3D = _builder.place_of(at)
	var straight := Transform3D(Shapes.turned(place.basis) * turn, place.origin)
	joint.transform = (_builder.placed(node) as Transform3D).affine_inverse() * straight
	joint.turn = turn
	joint.node_a = joint.get_path_to(one)
	joint.node_b = joint.get_path_to(two)
	joint.connected_frame = joint.get_path_to(_end(other, other_node))
	joint.set_meta(&"omi_physics_joint", settings["said"])  # For an export.
	joint.exclude_nodes_from_collision = not said["collide"]
	_limit(joint, settings, axes)


# The body of an end; a static one where there is none.
func _body(at: int) -> CollisionObject3D:
	var found: CollisionObject3D = _builder.body_node(at)
	if found != null:
		return found
	var node: Node3D = _builder.holder_of(at)
	var name := "%s Anchor" % node.name
	if node.has_node(name):
		return node.get_node(name)
	var anchor := StaticBody3D.new()
	anchor.name = name
	anchor.collision_layer = 0
	anchor.collision_mask = 0
	node.add_child(anchor)
	return anchor


# A node where the file has the other end: bodies may be turned against it.
func _end(at: int, node: Node3D) -> Node3D:
	var place: Transform3D = _builder.place_of(at)
	var straight := Transform3D(Shapes.turned(place.basis), place.origin)
	var there: Transform3D = _builder.placed(node)
	if Transform3D(Shapes.turned(there.basis), there.origin).is_equal_approx(straight):
		return node
	var end := Marker3D.new()
	end.name = "%s End" % node.name
	node.add_child(end)
	end.transform = there.affine_inverse() * straight
	return end


# Which axes of the joint are X, Y and Z: X is the one that turns, if it is alone.
func _order(settings: Dictionary) -> Array:
	var turning: Array = []
	for axis in 3:
		var range_of: Dictionary = settings["axes"][axis + 3]
		if range_of["min"] != 0.0 or range_of["max"] != 0.0:
			turning.append(axis)
	return _TURNS[turning[0]] if turning.size() == 1 else _TURNS[0]


static func _basis(axes: Array) -> Basis:
	var found: Array[Vector3] = []
	for axis: int in axes:
		var way := Vector3.ZERO
		way[axis] = 1.0
		found.append(way)
	return Basis(found[0], found[1], found[2])


func _limit(joint: PhysicsJoint, settings: Dictionary, axes: Array) -> void:
	for at in 3:
		var along: Dictionary = settings["axes"][axes[at]]
		joint.set_flag(at, Generic6DOFJoint3D.FLAG_ENABLE_LINEAR_LIMIT, is_finite(along["min"]) or is_finite(along["max"]))
		joint.set_param(at, Generic6DOFJoint3D.PARAM_LINEAR_LOWER_LIMIT, maxf(along["min"], -FAR))
		joint.set_param(at, Generic6DOFJoint3D.PARAM_LINEAR_UPPER_LIMIT, minf(along["max"], FAR))
		var about: Dictionary = settings["axes"][axes[at] + 3]
		joint.set_flag(at, Generic6DOFJoint3D.FLAG_ENABLE_ANGULAR_LIMIT, is_finite(about["min"]) or is_finite(about["max"]))
		# Godot counts angles the other way round.
		joint.set_param(at, Generic6DOFJoint3D.PARAM_ANGULAR_LOWER_LIMIT, maxf(-about["max"], -PI))
		joint.set_param(at, Generic6DOFJoint3D.PARAM_ANGULAR_UPPER_LIMIT, minf(-about["min"], PI))
	var soft: Array[Dictionary] = []
	for each: Dictionary in settings["soft"]:
		soft.append(each.merged({"axis": _renumbered(each["axis"], axes)}, true))
	joint.soft_limits = soft
	var drives: Array[Dictionary] = []
	for each: Dictionary in settings["drives"]:
		drives.append(each.merged({"axis": _renumbered(each["axis"], axes)}, true))
	joint.drives = drives


static func _renumbered(axis: int, axes: Array) -> int:
	return axes.find(axis % 3) + (3 if axis >= 3 else 0)
