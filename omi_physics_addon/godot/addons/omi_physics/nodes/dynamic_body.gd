# A body that begins with a velocity of its own axes, and that keeps its angular momentum.
#
# Godot leaves gyroscopic torques out, so that what has unequal moments of inertia turns wrongly.
@tool
extends RigidBody3D

## Velocity at the start along the body's own axes, in m/s.
@export var start_linear_velocity := Vector3.ZERO
## Angular velocity at the start about the body's own axes, in rad/s.
@export var start_angular_velocity := Vector3.ZERO
## Whether gyroscopic torques act.
@export var gyroscopic := true
## Whether it may begin inside of volumes with gravity, which Godot finds after its first steps only.
@export var begins_in_volumes := false

const _UNKNOWN := 2  # Steps until volumes are known.

var _gravity_scale := 1.0
var _steps := 0
var _place_before := Basis.IDENTITY
var _tensor_before := Basis.IDENTITY  # Of inertia, in the axes of the world.
var _has_before := false


func _ready() -> void:
	if Engine.is_editor_hint():
		return
	if begins_in_volumes:
		_gravity_scale = gravity_scale
		gravity_scale = 0.0
	var turn := global_basis.orthonormalized()
	if start_linear_velocity != Vector3.ZERO:
		linear_velocity = turn * start_linear_velocity
	if start_angular_velocity != Vector3.ZERO:
		angular_velocity = turn * start_angular_velocity


func _integrate_forces(state: PhysicsDirectBodyState3D) -> void:
	if begins_in_volumes and _steps <= _UNKNOWN:
		_fall_behind(state)
	if gyroscopic:
		_keep_momentum(state)


## The gravity scale that it has once Godot knows the volumes that it is in.
func own_gravity_scale() -> float:
	return _gravity_scale if begins_in_volumes else gravity_scale


# Gives it the fall of the first steps, in which nobody knew where it is, as soon as that is known.
func _fall_behind(state: PhysicsDirectBodyState3D) -> void:
	_steps += 1
	if _steps == _UNKNOWN:
		gravity_scale = _gravity_scale
	elif _steps > _UNKNOWN:
		state.linear_velocity += state.total_gravity * (state.step * _UNKNOWN)


# What the last step turned has the angular momentum from before, with its new moments of inertia.
func _keep_momentum(state: PhysicsDirectBodyState3D) -> void:
	var inverse := state.inverse_inertia_tensor
	var place := state.transform.basis.orthonormalized()
	var is_known := _has_before
	var before := _tensor_before
	var angle := (place * _place_before.transposed()).get_rotation_quaternion().get_angle()
	_has_before = absf(inverse.determinant()) > 1e-30
	_place_before = place
	_tensor_before = inverse.inverse() if _has_before else Basis.IDENTITY
	var spin := state.angular_velocity
	if not is_known or not _has_before or angle > spin.length() * state.step * 1.5 + 0.01:
		return  # It has no moments of inertia, or somebody has placed it anew.
	state.angular_velocity = inverse * (before * spin)
