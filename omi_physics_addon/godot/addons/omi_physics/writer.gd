# Writes physics when Godot exports glTF: what Godot's own writer leaves out.
#
# Godot writes bodies, masses, shapes and triggers itself, as OMI_physics_body and OMI_physics_shape.
# This adds to them, from the nodes as they are now: gravity factors, centers of mass, velocities,
# surfaces, filters, gravity, vehicles with their parts, seats, and joints between the nodes.
@tool
extends RefCounted

const DynamicBody := preload("nodes/dynamic_body.gd")
const GravityVolume := preload("nodes/gravity_volume.gd")
const HoverThruster := preload("nodes/hover_thruster.gd")
const KinematicMover := preload("nodes/kinematic_mover.gd")
const PhysicsJoint := preload("nodes/physics_joint.gd")
const Seat := preload("nodes/seat.gd")
const Thruster := preload("nodes/thruster.gd")
const Vehicle := preload("nodes/vehicle.gd")
const Wheel := preload("nodes/wheel.gd")
const WorldGravity := preload("nodes/world_gravity.gd")
const SURFACE := &"omi_physics_surface"
const FILTER := &"omi_physics_filter"
const JOINT := &"omi_physics_joint"

var _state: GLTFState
var _json: Array
var _indices := {}  # By node of the scene.


func _init(state: GLTFState) -> void:
	_state = state
	_json = state.json.get("nodes", [])


## Whether a scene has what this writes.
static func has_physics(root: Node) -> bool:
	for node in root.find_children("*", "Node3D", true, false) + [root]:
		if node is CollisionObject3D or node is PhysicsJoint or node is Seat or node is WorldGravity:
			return true
	return false


## Adds physics to the JSON that is about to be written.
func write() -> Error:
	for i in _json.size():
		var node := _state.get_scene_node(i)
		if node != null:
			_indices[node] = i
	for node: Node in _indices:
		_write(node)
	return OK


func _write(node: Node) -> void:
	var i: int = _indices[node]
	if node is DynamicBody:
		_add(i, "OMI_physics_body", {"motion": _motion(node as DynamicBody)})
	elif node is KinematicMover:
		var mover := node as KinematicMover
		_add(i, "OMI_physics_body", {"motion": {
			"type": "kinematic", "linearVelocity": _list(mover.own_linear_velocity),
			"angularVelocity": _list(mover.own_angular_velocity),
		}})
	if node is Vehicle:
		_add(i, "OMI_vehicle_body", _vehicle(node as Vehicle))
	if node is GravityVolume:
		_add(i, "OMI_physics_gravity", _gravity(node as GravityVolume))
	if node is Wheel:
		_add_part(i, "OMI_vehicle_wheel", "wheel", "wheels", _wheel(node as Wheel))
	elif node is HoverThruster:
		_add_part(i, "OMI_vehicle_hover_thruster", "hoverThruster", "hoverThrusters", _thruster(node as Thruster, "maxHoverEnergy", "hoverEnergyChangeRate", "targetHoverRatio"))
	elif node is Thruster:
		_add_part(i, "OMI_vehicle_thruster", "thruster", "thrusters", _thruster(node as Thruster, "maxForce", "forceChangeRate", "targetForceRatio"))
	if node is Seat:
		var seat := node as Seat
		_add(i, "OMI_seat", {"back": _list(seat.back), "foot": _list(seat.foot), "knee": _list(seat.knee), "angle": seat.angle})
	if node is WorldGravity:
		var world := node as WorldGravity
		var root := _root_of("OMI_physics_gravity")
		root["gravity"] = world.gravity
		root["direction"] = _list(world.direction)
		_drop(i)
	if node is CollisionShape3D and node.get_parent() is PhysicsBody3D:
		_write_surface(i, node.get_parent())
	if node is PhysicsJoint:
		_write_joint(i, node as PhysicsJoint)


func _motion(body: DynamicBody) -> Dictionary:
	var found := {"type": "dynamic", "mass": body.mass, "gravityFactor": body.gravity_scale}
	if body.center_of_mass_mode == RigidBody3D.CENTER_OF_MASS_MODE_CUSTOM:
		found["centerOfMass"] = _list(body.center_of_mass)
	if body.inertia != Vector3.ZERO:
		found["inertiaDiagonal"] = _list(body.inertia)
	if body.start_linear_velocity != Vector3.ZERO:
		found["linearVelocity"] = _list(body.start_linear_velocity)
	if body.start_angular_velocity != Vector3.ZERO:
		found["angularVelocity"] = _list(body.start_angular_velocity)
	return found


func _vehicle(vehicle: Vehicle) -> Dictionary:
	var found := {
		"angularActivation": _list(vehicle.angular_activation),
		"linearActivation": _list(vehicle.linear_activation),
		"gyroTorque": _list(vehicle.gyro_torque), "maxSpeed": vehicle.max_speed,
		"angularDampeners": vehicle.angular_dampeners, "linearDampeners": vehicle.linear_dampeners,
		"useThrottle": vehicle.use_throttle,
	}
	var seat := vehicle.get_node_or_null(vehicle.pilot_seat)
	if _indices.has(seat):
		found["pilotSeat"] = _indices[seat]
	return found


func _gravity(volume: GravityVolume) -> Dictionary:
	var own := {}
	if volume.field == "directional":
		own["direction"] = _list(volume.direction)
	else:
		own["unitDistance"] = volume.unit_distance
	if volume.field == "disc" or volume.field == "torus":
		own["radius"] = volume.radius
	if volume.field == "line":
		var points := []
		for point in volume.points:
			points.append_array(_list(point))
		own["points"] = points
	if volume.field == "shaped":
		var said := _shape(volume.surface)
		if said.is_empty():
			push_warning("OMI Physics: the shape of the gravity of '%s' has no words in OMI; it is not written" % volume.name)
			return {}
		own["shape"] = _entry("OMI_physics_shape", "shapes", said)
	return {
		"type": volume.field, "gravity": volume.strength, "priority": volume.priority,
		"replace": volume.replace, "stop": volume.stop, volume.field: own,
	}


static func _shape(shape: Shape3D) -> Dictionary:
	if shape is BoxShape3D:
		return {"type": "box", "box": {"size": _list((shape as BoxShape3D).size)}}
	if shape is SphereShape3D:
		return {"type": "sphere", "sphere": {"radius": (shape as SphereShape3D).radius}}
	if shape is CapsuleShape3D or shape is CylinderShape3D:
		var type := "capsule" if shape is CapsuleShape3D else "cylinder"
		var radius: float = shape.get("radius")
		var height: float = shape.get("height") - (2.0 * radius if type == "capsule" else 0.0)
		return {"type": type, type: {"height": height, "radiusBottom": radius, "radiusTop": radius}}
	return {}


func _wheel(wheel: Wheel) -> Dictionary:
	var material := {"staticFriction": wheel.static_friction, "dynamicFriction": wheel.dynamic_friction}
	return {
		"radius": wheel.radius, "width": wheel.width, "suspensionTravel": wheel.suspension_travel,
		"suspensionStiffness": wheel.suspension_stiffness,
		"suspensionDampingCompression": wheel.suspension_damping_compression,
		"suspensionDampingRebound": wheel.suspension_damping_rebound,
		"maxPropulsionForce": wheel.max_propulsion_force, "brakingForce": wheel.braking_force,
		"maxSteeringAngle": wheel.max_steering_angle, "steeringChangeRate": wheel.steering_change_rate,
		"propulsionForceChangeRate": wheel.propulsion_force_change_rate,
		"targetSteeringRatio": wheel.target_steering_ratio,
		"targetPropulsionForceRatio": wheel.target_propulsion_force_ratio,
		"physicsMaterial": _entry("OMI_physics_body", "physicsMaterials", material),
	}


func _thruster(part: Thruster, most: String, rate: String, ratio: String) -> Dictionary:
	return {
		most: part.most, rate: part.change_rate, ratio: part.target_ratio, "maxGimbal": part.max_gimbal,
		"gimbalChangeRate": part.gimbal_change_rate,
		"linearGimbalAdjustRatio": part.linear_gimbal_adjust_ratio,
		"targetGimbalRatio": [part.target_gimbal_ratio.x, part.target_gimbal_ratio.y],
	}


# What the file said of the surface and the filter of a body; Godot's numbers are fitted to it.
func _write_surface(i: int, body: Node) -> void:
	var more := {}
	if body.get_meta(SURFACE, null) is Dictionary:
		more["physicsMaterial"] = _entry("OMI_physics_body", "physicsMaterials", body.get_meta(SURFACE))
	if body.get_meta(FILTER, null) is Dictionary:
		more["collisionFilter"] = _entry("OMI_physics_body", "collisionFilters", body.get_meta(FILTER))
	if not more.is_empty():
		_add(i, "OMI_physics_body", {"collider": more})


# The joint stands on the node that it was made for; the node that Godot joins bodies with goes.
func _write_joint(i: int, joint: PhysicsJoint) -> void:
	var other := joint.get_node_or_null(joint.connected_frame)
	var holder := joint.get_parent()
	if not _indices.has(other) or not _indices.has(holder) or not joint.has_meta(JOINT):
		return
	_drop(i)
	_add(_indices[holder], "OMI_physics_joint", {
		"joint": _entry("OMI_physics_joint", "physicsJoints", joint.get_meta(JOINT)),
		"connectedNode": _indices[other], "enableCollision": not joint.exclude_nodes_from_collision,
	})


# Takes a node out of the scene; its index stays, as others have theirs.
func _drop(i: int) -> void:
	for holder: Dictionary in _json + _state.json.get("scenes", []):
		for key: String in ["children", "nodes"]:
			if holder.get(key) is Array:
				holder[key] = holder[key].filter(func(at: float) -> bool: return int(at) != i)
				if holder[key].is_empty():
					holder.erase(key)


func _add(i: int, extension: String, more: Dictionary) -> void:
	if more.is_empty():
		return
	var all := _extensions(i)
	var own: Dictionary = all.get_or_add(extension, {})
	for key: String in more:
		if more[key] is Dictionary and own.get(key) is Dictionary:
			(own[key] as Dictionary).merge(more[key], true)
		else:
			own[key] = more[key]
	_use(extension)


func _add_part(i: int, extension: String, key: String, plural: String, said: Dictionary) -> void:
	_add(i, extension, {key: _entry(extension, plural, said)})


func _extensions(i: int) -> Dictionary:
	return (_json[i] as Dictionary).get_or_add("extensions", {})


func _root_of(extension: String) -> Dictionary:
	var all: Dictionary = _state.json.get_or_add("extensions", {})
	_use(extension)
	return all.get_or_add(extension, {})


# The index of an entry of a list of the file; equal ones are one.
func _entry(extension: String, plural: String, said: Dictionary) -> int:
	var items: Array = _root_of(extension).get_or_add(plural, [])
	if not said in items:
		items.append(said)
	return items.find(said)


func _use(extension: String) -> void:
	var used: Array = _state.json.get_or_add("extensionsUsed", [])
	if not extension in used:
		used.append(extension)


static func _list(vector: Vector3) -> Array:
	return [vector.x, vector.y, vector.z]
