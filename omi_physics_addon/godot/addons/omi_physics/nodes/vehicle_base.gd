# What a pilot tells a vehicle, and what it tells its parts. Source: OMI_vehicle_body.
#
# A vehicle faces +Z, with +X to its left. Where the specification leaves the way open: dampeners ask
# for as much as the speed is, 1 for every m/s and 4 for every rad/s; hovercraft with linear dampeners
# hold themselves up, at three quarters of their energy while nothing is told; vehicles with wheels
# or hover thrusters right themselves with what can turn them.
@tool
extends "dynamic_body.gd"

const _LINEAR_RATE := 1.0
const _ANGULAR_RATE := 4.0
const _IDLE_HOVER := 0.75
const _FADE := 0.02  # Share of the largest speed over which the drive is given up.
const _NOTHING := 1e-5
const _STANDING := 0.01  # m/s

## What the pilot wants to turn: +X pitches down, +Y yaws left, +Z rolls clockwise; -1 to 1.
@export var angular_activation := Vector3.ZERO
## Where the pilot wants to go: +X left, +Y up, +Z ahead; -1 to 1.
@export var linear_activation := Vector3.ZERO
## The largest torque of the gyroscopes about each axis, in N m.
@export var gyro_torque := Vector3.ZERO
## In m/s; negative for any.
@export var max_speed := -1.0
@export var angular_dampeners := true
@export var linear_dampeners := true
@export var use_throttle := false
## Seat of the pilot.
@export_node_path("Node3D") var pilot_seat := NodePath()

var parts: Array[Node3D] = []
# What parts are told, along the vehicle's axes.
var angular := Vector3.ZERO
var linear := Vector3.ZERO
var steering := 0.0
var driving := 0.0
var braking := false
# What gyroscopes and thrusters do in this step, which Godot does not tell: N and N m, world axes.
var pushed := Vector3.ZERO
var twisted := Vector3.ZERO
var has_wheels := false
var has_hover := false


## Takes the parameters of a file.
func read(said: Dictionary) -> void:
	angular_activation = _vector(said, "angularActivation")
	linear_activation = _vector(said, "linearActivation")
	gyro_torque = _vector(said, "gyroTorque")
	max_speed = said.get("maxSpeed", -1.0)
	angular_dampeners = said.get("angularDampeners", true)
	linear_dampeners = said.get("linearDampeners", true)
	use_throttle = said.get("useThrottle", false)


static func _vector(said: Dictionary, name: String) -> Vector3:
	var found: Variant = said.get(name)
	return Vector3(found[0], found[1], found[2]) if found is Array and found.size() == 3 else Vector3.ZERO


# Pushes at a place, from the body's origin on, in the axes of the world, and remembers it.
func push(force: Vector3, at: Vector3) -> void:
	apply_force(force, at)
	pushed += force
	twisted += (at + global_position - to_global(center_of_mass)).cross(force)


# Finds what parts are told now; `thrust` is what thrusters push at most to the negative and to the
# positive sides of the axes.
func command(state: PhysicsDirectBodyState3D, thrust: Array[Vector3]) -> void:
	var back := state.transform.basis.orthonormalized().transposed()
	var velocity := back * state.linear_velocity
	var spin := back * state.angular_velocity
	var down := back * state.total_gravity
	var up := -down.normalized()
	var told_angular := angular_activation.clampf(-1.0, 1.0)
	var told_linear := linear_activation.clampf(-1.0, 1.0)
	var driven := _driven(told_linear, velocity)
	var backwards := -signf(driven.z) * velocity.z > _STANDING
	angular = _turned(told_angular, spin, up, state)
	linear = _moved(told_linear, driven, velocity, up, thrust, state)
	steering = told_angular.y
	driving = driven.z
	braking = linear_dampeners and (absf(driven.z) <= _NOTHING or backwards)


# With a throttle and a largest speed, the throttle is a share of that speed and the thrust is what
# is missing of it. Else thrust along the motion ends at the largest speed.
func _driven(told: Vector3, velocity: Vector3) -> Vector3:
	if max_speed < 0.0:
		return told
	if use_throttle:
		return (told - velocity / max_speed).clampf(-1.0, 1.0) if max_speed > 0.0 else Vector3.ZERO
	var speed := velocity.length()
	if speed <= 1e-9:
		return told
	var way := velocity / speed
	var left := clampf((max_speed - speed) / maxf(_FADE * max_speed, 1e-6), 0.0, 1.0)
	return (told - way * maxf(told.dot(way), 0.0) * (1.0 - left)).clampf(-1.0, 1.0)


func _moved(told: Vector3, driven: Vector3, velocity: Vector3, up: Vector3, thrust: Array[Vector3], state: PhysicsDirectBodyState3D) -> Vector3:
	var found := driven
	if not linear_dampeners or (use_throttle and max_speed >= 0.0):
		return found.clampf(-1.0, 1.0)
	for axis in 3:
		if absf(told[axis]) <= _NOTHING:
			var opposite := thrust[0][axis] if velocity[axis] > 0.0 else thrust[1][axis]
			var pace := _LINEAR_RATE * opposite * state.inverse_mass * state.step
			found[axis] = -_LINEAR_RATE * velocity[axis] * _held_back(pace)
	if has_hover:
		found += up * (_IDLE_HOVER if told.abs().max(Vector3.ZERO) <= Vector3.ONE * _NOTHING and told.length() <= _NOTHING else 1.0)
	return found.clampf(-1.0, 1.0)


func _turned(told: Vector3, spin: Vector3, up: Vector3, state: PhysicsDirectBodyState3D) -> Vector3:
	var found := told
	if not angular_dampeners:
		return found.clampf(-1.0, 1.0)
	var rise := _to_upright(up) if has_wheels or has_hover else Vector3.ZERO
	for axis in 3:
		if absf(told[axis]) <= _NOTHING:
			var way := state.transform.basis[axis].normalized()
			var pace := _ANGULAR_RATE * gyro_torque[axis] * way.dot(state.inverse_inertia_tensor * way) * state.step
			found[axis] = -_ANGULAR_RATE * spin[axis] * _held_back(pace)
			if axis != 1:
				found[axis] += rise[axis]
	return found.clampf(-1.0, 1.0)


# The mean of exp(-t) over a step of a decay, so that none overshoots.
static func _held_back(pace: float) -> float:
	return 1.0 if pace < 1e-9 else (1.0 - exp(-pace)) / pace


# The vector of the quaternion that turns the vehicle's Y to its local up.
static func _to_upright(up: Vector3) -> Vector3:
	if up == Vector3.ZERO:
		return Vector3.ZERO
	if up.y < -1.0 + 1e-6:
		return Vector3(0.0, 0.0, 1.0)
	return Vector3.UP.cross(up) / sqrt(maxf(2.0 * (1.0 + up.y), 1e-6))
