# A kinematic body that moves with the velocities of the file.
@tool
extends AnimatableBody3D

## Velocity along the body's own axes, in m/s.
@export var own_linear_velocity := Vector3.ZERO
## Angular velocity about the body's own axes, in rad/s.
@export var own_angular_velocity := Vector3.ZERO

var _linear := Vector3.ZERO
var _angular := Vector3.ZERO


func _ready() -> void:
	set_physics_process(not Engine.is_editor_hint())
	var turn := global_basis.orthonormalized()
	_linear = turn * own_linear_velocity
	_angular = turn * own_angular_velocity


func _physics_process(delta: float) -> void:
	var place := global_transform
	place.origin += _linear * delta
	var spin := _angular.length()
	if spin > 0.0:
		place.basis = Basis(_angular / spin, spin * delta) * place.basis
	global_transform = place
