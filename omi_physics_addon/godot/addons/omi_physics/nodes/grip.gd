# What the wheels of a body do in a step: springs, drive, brakes and grip, all at once.
#
# All forces are found together for the end of the step, so that stiff springs stay calm: each wheel
# in turn corrects what the others leave (Gauss and Seidel's method), on the velocities that the body
# will have. Sideways, tires give way by a slip angle (Pacejka 2012, chapter 1); sideways forces act
# at a tenth of the height between ground and center of mass, so that cars do not roll over.
@tool
extends RefCounted

const Wheel := preload("wheel.gd")
const _ROUNDS := 16
const _SHARE := 0.75  # Of the sliding that a step takes away.
const _CORNERING := 20.0  # 1/rad, sideways force per load and slip angle.
const _ROLL := 0.1
const _LEAST_COSINE := 0.1


# A wheel that stands on something.
class Contact:
	var wheel: Wheel
	var ground: RigidBody3D
	var ground_motion := Vector3.ZERO
	var arm := Vector3.ZERO
	var roll_arm := Vector3.ZERO
	var point := Vector3.ZERO
	var normal := Vector3.ZERO
	var ahead := Vector3.ZERO
	var aside := Vector3.ZERO
	var stiffness := 0.0
	var compression := 0.0
	var rebound := 0.0
	var pressed := 0.0
	var force := Vector3.ZERO  # Along normal, ahead, aside.
	var slide := 0.0  # Sideways speed at the start.
	var give := 0.0


# Acts on a body that other forces push and twist in the same step.
static func act(body: RigidBody3D, wheels: Array, state: PhysicsDirectBodyState3D, delta: float, pushed := Vector3.ZERO, twisted := Vector3.ZERO) -> void:
	var contacts: Array[Contact] = []
	var center := state.transform * state.center_of_mass_local
	for wheel: Wheel in wheels:
		wheel.follow(delta)
		wheel.load = 0.0
		var contact := _contact(body, wheel, state, center)
		if contact != null:
			contacts.append(contact)
		wheel.show_wheel()
	if contacts.is_empty():
		return
	var solver := _Solver.new(state, delta, pushed, twisted)
	solver.carry(contacts)
	solver.hold(contacts)
	for contact in contacts:
		var up := contact.normal * contact.force.x
		var along := contact.ahead * contact.force.y
		var across := contact.aside * contact.force.z
		body.apply_force(up + along, contact.arm + center - body.global_position)
		body.apply_force(across, contact.roll_arm + center - body.global_position)
		if contact.ground != null:
			contact.ground.apply_force(-up - along - across, contact.point - contact.ground.global_position)


static func _contact(body: RigidBody3D, wheel: Wheel, state: PhysicsDirectBodyState3D, center: Vector3) -> Contact:
	var place := Transform3D(state.transform.basis.orthonormalized(), state.transform.origin) * wheel.rest
	var up := place.basis.y
	var start := place.origin + up * wheel.radius
	var reach := wheel.suspension_travel + 2.0 * wheel.radius
	var query := PhysicsRayQueryParameters3D.create(start, start - up * reach, body.collision_mask, [body.get_rid()])
	var hit := body.get_world_3d().direct_space_state.intersect_ray(query)
	if hit.is_empty():
		wheel.length = wheel.suspension_travel
		return null
	var found := Contact.new()
	found.wheel = wheel
	found.point = hit["position"]
	found.normal = hit["normal"]
	wheel.length = clampf(start.distance_to(found.point) - 2.0 * wheel.radius, 0.0, wheel.suspension_travel)
	var left := place.basis.x.rotated(up, wheel.angle)
	found.ahead = left.cross(found.normal).normalized()
	found.aside = found.normal.cross(found.ahead)
	found.arm = found.point - center
	var body_up := state.transform.basis.y.normalized()
	found.roll_arm = found.arm - body_up * (body_up.dot(found.arm) * (1.0 - _ROLL))
	var cosine := maxf(up.dot(found.normal), _LEAST_COSINE)
	# A slanted ground moves the suspension by more than itself, and feels more of its force.
	found.stiffness = wheel.suspension_stiffness / (cosine * cosine)
	found.compression = wheel.suspension_damping_compression / (cosine * cosine)
	found.rebound = wheel.suspension_damping_rebound / (cosine * cosine)
	found.pressed = (wheel.suspension_travel - wheel.length) * cosine
	found.ground = hit["collider"] as RigidBody3D
	if found.ground != null:
		var ground := found.ground
		found.ground_motion = ground.linear_velocity + ground.angular_velocity.cross(found.point - ground.to_global(ground.center_of_mass))
	return found


class _Solver:
	var _delta: float
	var _velocity: Vector3
	var _spin: Vector3
	var _inverse_mass: float
	var _inverse_inertia: Basis

	func _init(state: PhysicsDirectBodyState3D, delta: float, pushed: Vector3, twisted: Vector3) -> void:
		_delta = delta
		_inverse_mass = state.inverse_mass
		_inverse_inertia = state.inverse_inertia_tensor
		_spin = state.angular_velocity + _inverse_inertia * twisted * delta
		_velocity = state.linear_velocity + (state.total_gravity + pushed * _inverse_mass) * delta

	func _speed(way: Vector3, arm: Vector3, contact: Contact) -> float:
		return way.dot(_velocity + _spin.cross(arm) - contact.ground_motion)

	func _inverse(way: Vector3, arm: Vector3) -> float:
		var lever := arm.cross(way)
		return _inverse_mass + lever.dot(_inverse_inertia * lever)

	func _push(way: Vector3, arm: Vector3, force: float) -> void:
		_velocity += way * (force * _delta * _inverse_mass)
		_spin += _inverse_inertia * arm.cross(way) * (force * _delta)

	# The springs of the suspensions, along the ground's normal.
	func carry(contacts: Array[Contact]) -> void:
		for _round in _ROUNDS:
			for each in contacts:
				var speed := _speed(each.normal, each.arm, each)
				var damping := each.compression if speed < 0.0 else each.rebound
				var wanted := each.stiffness * (each.pressed - _delta * speed) - damping * speed
				var inverse := _inverse(each.normal, each.arm)
				var soft := 1.0 + (each.stiffness * _delta + damping) * _delta * inverse
				var force := maxf(each.force.x + (wanted - each.force.x) / soft, 0.0)
				_push(each.normal, each.arm, force - each.force.x)
				each.force.x = force
		for each in contacts:
			each.wheel.load = each.force.x

	# Drive and brakes, and what keeps wheels from sliding, with no more than the friction.
	func hold(contacts: Array[Contact]) -> void:
		for each in contacts:
			each.slide = _speed(each.aside, each.roll_arm, each)
			var along := absf(_speed(each.ahead, each.arm, each))
			each.give = _SHARE / _delta * along / (_CORNERING * maxf(each.wheel.load, 1e-9))
			each.wheel.roll = fmod(each.wheel.roll + _speed(each.ahead, each.arm, each) * _delta / each.wheel.radius, TAU)
		for _round in _ROUNDS:
			for each in contacts:
				_grip(each)
		for each in contacts:
			var grip := each.wheel.static_friction * each.wheel.load
			if Vector2(each.force.y, each.force.z).length() >= grip * (1.0 - 1e-4) and grip > 0.0:
				var share := minf(each.wheel.dynamic_friction / each.wheel.static_friction, 1.0)
				each.force.y *= share
				each.force.z *= share

	func _grip(each: Contact) -> void:
		var wheel := each.wheel
		var held := 0.0
		if wheel.brake > 0.0:
			var step := -_speed(each.ahead, each.arm, each) / (_delta * _inverse(each.ahead, each.arm))
			held = clampf(each.force.y - wheel.drive + step, -wheel.brake, wheel.brake)
		var inverse := _inverse(each.aside, each.roll_arm)
		var rest := _speed(each.aside, each.roll_arm, each) - (1.0 - _SHARE) * each.slide + _delta * each.give * each.force.z
		var wanted := Vector2(wheel.drive + held, each.force.z - rest / (_delta * (inverse + each.give)))
		wanted = wanted.limit_length(wheel.static_friction * wheel.load)
		_push(each.ahead, each.arm, wanted.x - each.force.y)
		_push(each.aside, each.roll_arm, wanted.y - each.force.z)
		each.force.y = wanted.x
		each.force.z = wanted.y
