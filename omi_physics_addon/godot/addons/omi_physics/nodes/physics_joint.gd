# A joint between two frames, with soft limits and drives as glTF has them.
#
# Limits are this node's own, and count as Godot counts: angles the other way round than in glTF.
# Springs are the joint's own as well; what these cannot do is done in each step:
# - a motor that yields is a weak spring whose equilibrium is moved ahead of it;
# - a soft limit is a spring that acts beyond its range only;
# - a stiff one with a largest force is a motor, which goes as fast as it would without any;
# - another spring with a largest force is that force, where it would be more;
# - several of them about one axis are forces.
@tool
extends Generic6DOFJoint3D

const _AHEAD := 0.5  # m or rad, of the weak spring.
const _STIFF := 3.0  # Times by which a motor's damping stops a body in a step, from which it is rigid.

## Node whose place is the other end of the joint.
@export_node_path("Node3D") var connected_frame := NodePath()
## Soft limits: axis (0 to 2 along, 3 to 5 about X, Y, Z), min, max, stiffness, damping.
@export var soft_limits: Array[Dictionary] = []
## Drives: axis as above, position, velocity (NAN for none), stiffness, damping, max_force,
## is_acceleration.
@export var drives: Array[Dictionary] = []
## How this node is turned against the joint of the file, for the axes that Godot's joints like.
@export var turn := Basis.IDENTITY

var _frame_a := Transform3D.IDENTITY  # On the first body.
var _frame_b := Transform3D.IDENTITY
var _a: Node3D
var _b: Node3D
var _limited: Array[Dictionary] = []
var _servos: Array[Dictionary] = []
var _yielding: Array[Dictionary] = []
var _soft: Array[Dictionary] = []
var _forces: Array[Dictionary] = []  # By axis: drives and soft limits that are forces.


func _ready() -> void:
	if Engine.is_editor_hint():
		set_physics_process(false)
		return
	_a = get_node_or_null(node_a)
	_b = get_node_or_null(node_b)
	var other := get_node_or_null(connected_frame) as Node3D
	if _a == null or _b == null or other == null:
		set_physics_process(false)
		return
	var mine := _straight(global_transform)
	var theirs := _straight(other.global_transform) * Transform3D(turn, Vector3.ZERO)
	_frame_a = _straight(_a.global_transform).affine_inverse() * mine
	_frame_b = _straight(_b.global_transform).affine_inverse() * theirs
	_sort()
	_make()
	set_physics_process(not (_yielding.is_empty() and _soft.is_empty() and _forces.is_empty() and _limited.is_empty() and _servos.is_empty()))


static func _straight(place: Transform3D) -> Transform3D:
	return Transform3D(place.basis.orthonormalized(), place.origin)


# Makes the joint anew with the two frames, which may be apart.
func _make() -> void:
	if not is_inside_tree() or not _a is CollisionObject3D or not _b is CollisionObject3D:
		return
	var rid := get_rid()
	var bodies: Array[RID] = [(_a as CollisionObject3D).get_rid(), (_b as CollisionObject3D).get_rid()]
	PhysicsServer3D.joint_make_generic_6dof(rid, bodies[0], _frame_a, bodies[1], _frame_b)
	for axis in 3:
		for param in PARAM_MAX:
			PhysicsServer3D.generic_6dof_joint_set_param(rid, axis, param, _param(axis, param))
		for flag in FLAG_MAX:
			PhysicsServer3D.generic_6dof_joint_set_flag(rid, axis, flag, _flag(axis, flag))
	PhysicsServer3D.joint_disable_collisions_between_bodies(rid, exclude_nodes_from_collision)


func _param(axis: int, param: int) -> float:
	match axis:
		0:
			return get_param_x(param)
		1:
			return get_param_y(param)
	return get_param_z(param)


func _flag(axis: int, flag: int) -> bool:
	match axis:
		0:
			return get_flag_x(flag)
		1:
			return get_flag_y(flag)
	return get_flag_z(flag)


## Sets a parameter of an axis.
func set_param(axis: int, param: int, value: float) -> void:
	match axis:
		0:
			set_param_x(param, value)
		1:
			set_param_y(param, value)
		2:
			set_param_z(param, value)


## Sets a flag of an axis.
func set_flag(axis: int, flag: int, value: bool) -> void:
	match axis:
		0:
			set_flag_x(flag, value)
		1:
			set_flag_y(flag, value)
		2:
			set_flag_z(flag, value)


# Finds who does what: the joint's own springs and motors, or forces.
func _sort() -> void:
	for axis in 6:
		var here := drives.filter(func(d: Dictionary) -> bool: return d["axis"] == axis and d["max_force"] != 0.0)
		var soft := soft_limits.filter(func(s: Dictionary) -> bool: return s["axis"] == axis)
		if here.is_empty() and soft.is_empty():
			continue
		if here.size() == 1 and soft.is_empty():
			_drive(axis, here[0])
		elif here.is_empty() and soft.size() == 1:
			_soft.append(soft[0])
			_set_spring(axis, soft[0]["stiffness"], soft[0]["damping"], 0.0)
			_enable_spring(axis, false)
		else:
			_forces.append({"axis": axis, "drives": here, "soft": soft})


# Whether a motor stops a body at once, but for its largest force.
func _is_rigid(drive: Dictionary) -> bool:
	if is_inf(drive["max_force"]) or drive["is_acceleration"]:
		return false
	var step := 1.0 / Engine.physics_ticks_per_second
	return drive["damping"] * step * _inverse_mass(drive["axis"]) > _STIFF


func _drive(axis: int, drive: Dictionary) -> void:
	var share := 1.0
	if drive["is_acceleration"]:
		share = 1.0 / maxf(_inverse_mass(axis), 1e-12)
	var stiffness := _stiffness(drive) * share
	var damping: float = drive["damping"] * share
	var speed := _speed(drive)
	if _is_rigid(drive):
		_set_motor(axis, speed, drive["max_force"])
		if stiffness > 0.0:
			_servos.append({"axis": axis, "pace": stiffness / damping, "rest": drive["position"], "speed": speed})
	elif stiffness > 0.0:
		_set_spring(axis, stiffness, damping, drive["position"] + damping * speed / stiffness)
	elif damping > 0.0:
		var weak := damping * maxf(absf(speed), 1e-3) / _AHEAD
		_set_spring(axis, weak, damping, 0.0)
		_yielding.append({"axis": axis, "ahead": damping * speed / weak})
	if is_finite(drive["max_force"]) and not _is_rigid(drive):
		var rest: float = drive["position"] if stiffness > 0.0 else 0.0
		_limited.append({
			"axis": axis, "stiffness": stiffness, "damping": damping, "rest": rest, "speed": speed,
			"most": drive["max_force"],
		})


static func _stiffness(drive: Dictionary) -> float:
	return 0.0 if is_nan(drive["position"]) else drive["stiffness"]


static func _speed(drive: Dictionary) -> float:
	return 0.0 if is_nan(drive["velocity"]) else drive["velocity"]


func _set_spring(axis: int, stiffness: float, damping: float, rest: float) -> void:
	var turns := axis >= 3
	set_param(axis % 3, PARAM_ANGULAR_SPRING_STIFFNESS if turns else PARAM_LINEAR_SPRING_STIFFNESS, stiffness)
	set_param(axis % 3, PARAM_ANGULAR_SPRING_DAMPING if turns else PARAM_LINEAR_SPRING_DAMPING, damping)
	_set_rest(axis, rest)
	_enable_spring(axis, true)


# Godot counts angles the other way round.
func _set_rest(axis: int, rest: float) -> void:
	if axis >= 3:
		set_param(axis % 3, PARAM_ANGULAR_SPRING_EQUILIBRIUM_POINT, -rest)
	else:
		set_param(axis, PARAM_LINEAR_SPRING_EQUILIBRIUM_POINT, rest)


func _enable_spring(axis: int, enabled: bool) -> void:
	set_flag(axis % 3, FLAG_ENABLE_ANGULAR_SPRING if axis >= 3 else FLAG_ENABLE_LINEAR_SPRING, enabled)


# Godot counts angles the other way round.
func _set_speed(axis: int, speed: float) -> void:
	if axis >= 3:
		set_param(axis % 3, PARAM_ANGULAR_MOTOR_TARGET_VELOCITY, -speed)
	else:
		set_param(axis, PARAM_LINEAR_MOTOR_TARGET_VELOCITY, speed)


func _set_motor(axis: int, speed: float, most: float) -> void:
	_set_speed(axis, speed)
	if axis >= 3:
		set_param(axis % 3, PARAM_ANGULAR_MOTOR_FORCE_LIMIT, most)
		set_flag(axis % 3, FLAG_ENABLE_MOTOR, true)
	else:
		set_param(axis, PARAM_LINEAR_MOTOR_FORCE_LIMIT, most)
		set_flag(axis, FLAG_ENABLE_LINEAR_MOTOR, true)


func _physics_process(delta: float) -> void:
	for each in _yielding:
		_set_rest(each["axis"], position_of(each["axis"]) + each["ahead"])
	for each in _servos:  # The speed at which spring and damper have no force.
		_set_speed(each["axis"], each["speed"] + each["pace"] * (each["rest"] - position_of(each["axis"])))
	for each in _limited:
		var axis: int = each["axis"]
		var force: float = each["stiffness"] * (each["rest"] - position_of(axis))
		force += each["damping"] * (each["speed"] - _velocity_of(axis))
		force /= 1.0 + delta * (each["damping"] + each["stiffness"] * delta) * _inverse_mass(axis)
		var is_more: bool = absf(force) > each["most"]
		_enable_spring(axis, not is_more)
		if is_more:
			_apply(axis, clampf(force, -each["most"], each["most"]))
	for each in _soft:
		var at := position_of(each["axis"])
		var end := clampf(at, each["min"], each["max"])
		_set_rest(each["axis"], end)
		_enable_spring(each["axis"], at != end)
	for each in _forces:
		_push(each, delta)


## Where the connected end is along an axis (0 to 2, m) or about it (3 to 5, rad).
func position_of(axis: int) -> float:
	var one := _straight(_a.global_transform) * _frame_a
	var other := _straight(_b.global_transform) * _frame_b
	if axis < 3:
		return (one.affine_inverse() * other.origin)[axis]
	var turn := (one.basis.transposed() * other.basis).get_rotation_quaternion()
	var part: float = [turn.x, turn.y, turn.z][axis - 3]
	return wrapf(2.0 * atan2(part, turn.w), -PI, PI)


func _velocity_of(axis: int) -> float:
	var way := _way(axis)
	if axis >= 3:
		return way.dot(_spin(_b) - _spin(_a))
	var at := (_straight(_b.global_transform) * _frame_b).origin
	return way.dot(_motion(_b, at) - _motion(_a, at))


func _way(axis: int) -> Vector3:
	return (_straight(_a.global_transform) * _frame_a).basis[axis % 3]


static func _spin(body: Node3D) -> Vector3:
	return (body as RigidBody3D).angular_velocity if body is RigidBody3D else Vector3.ZERO


static func _motion(body: Node3D, at: Vector3) -> Vector3:
	if not body is RigidBody3D:
		return Vector3.ZERO
	var rigid := body as RigidBody3D
	return rigid.linear_velocity + rigid.angular_velocity.cross(at - _center(rigid))


static func _center(body: RigidBody3D) -> Vector3:
	return body.global_transform * body.center_of_mass


# What a force, or a torque, along an axis accelerates, in 1/kg or 1/(kg m²).
func _inverse_mass(axis: int) -> float:
	var found := 0.0
	var way := _way(axis)
	for body: Node3D in [_a, _b]:
		var rigid := body as RigidBody3D
		if rigid == null or rigid.freeze:
			continue
		var state := PhysicsServer3D.body_get_direct_state(rigid.get_rid())
		if axis < 3:
			found += state.inverse_mass
			continue
		var inertia := way.dot(_inertia(state) * way)
		if _holds_place():  # It turns about the joint.
			var arm := _center(rigid) - (_straight(_a.global_transform) * _frame_a).origin
			inertia += arm.cross(way).length_squared() / maxf(state.inverse_mass, 1e-12)
		found += 1.0 / maxf(inertia, 1e-12)
	return found


static func _inertia(state: PhysicsDirectBodyState3D) -> Basis:
	var inverse := state.inverse_inertia_tensor
	return inverse.inverse() if absf(inverse.determinant()) > 1e-30 else Basis.IDENTITY


func _holds_place() -> bool:
	for axis in 3:
		if not _flag(axis, FLAG_ENABLE_LINEAR_LIMIT):
			return false
	return true


# The force of springs and dampers as they are at the end of the step, with what else accelerates the
# bodies, of which the last step tells.
func _push(each: Dictionary, delta: float) -> void:
	var axis: int = each["axis"]
	var at := position_of(axis)
	var speed := _velocity_of(axis)
	var inverse := _inverse_mass(axis)
	var load := 0.0
	if each.has("speed"):
		load = (speed - each["speed"]) / delta - each["force"] * inverse
	var next := speed + load * delta
	var whole := 0.0
	for drive: Dictionary in each["drives"]:
		var share := 1.0 / maxf(inverse, 1e-12) if drive["is_acceleration"] else 1.0
		var stiffness := _stiffness(drive) * share
		var damping: float = drive["damping"] * share
		var rest: float = 0.0 if is_nan(drive["position"]) else drive["position"]
		var force := stiffness * (rest - at - next * delta) + damping * (_speed(drive) - next)
		force /= 1.0 + delta * (damping + stiffness * delta) * inverse
		whole += clampf(force, -drive["max_force"], drive["max_force"])
	for soft: Dictionary in each["soft"]:
		var end := clampf(at, soft["min"], soft["max"])
		if at != end:
			var force: float = soft["stiffness"] * (end - at - next * delta) - soft["damping"] * next
			whole += force / (1.0 + delta * (soft["damping"] + soft["stiffness"] * delta) * inverse)
	each["speed"] = speed
	each["force"] = whole
	_apply(axis, whole)


func _apply(axis: int, size: float) -> void:
	var force := _way(axis) * size
	var at := (_straight(_b.global_transform) * _frame_b).origin
	for pair: Array in [[_a, -force], [_b, force]]:
		var rigid := pair[0] as RigidBody3D
		if rigid == null:
			continue
		if axis >= 3:
			rigid.apply_torque(pair[1])
		else:
			rigid.apply_force(pair[1], at - rigid.global_position)
