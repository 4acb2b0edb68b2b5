# Pulls a body by the mouse, with a spring to where the pointer is at the distance of the start.
extends Node3D

const _REACH := 10000.0  # m
const _PACE := 8.0  # rad/s, with which the place follows the pointer.

var camera: Camera3D
var body: RigidBody3D
var _place := Vector3.ZERO  # On the body.
var _depth := 0.0


func release() -> void:
	body = null


func _unhandled_input(event: InputEvent) -> void:
	var button := event as InputEventMouseButton
	if button == null or button.button_index != MOUSE_BUTTON_LEFT:
		return
	release()
	if button.pressed:
		_take(button.position)


func _take(at: Vector2) -> void:
	var start := camera.project_ray_origin(at)
	var way := camera.project_ray_normal(at)
	var query := PhysicsRayQueryParameters3D.create(start, start + way * _REACH)
	var hit := get_world_3d().direct_space_state.intersect_ray(query)
	if hit.is_empty() or not hit["collider"] is RigidBody3D:
		return
	body = hit["collider"]
	_place = body.global_transform.affine_inverse() * (hit["position"] as Vector3)
	_depth = (hit["position"] - start).dot(-camera.global_basis.z)


func _physics_process(_delta: float) -> void:
	if body == null or get_tree().paused:
		return
	if not is_instance_valid(body):
		release()
		return
	var wanted := camera.project_position(get_viewport().get_mouse_position(), _depth)
	var at := body.global_transform * _place
	var arm := at - body.global_position
	var speed := body.linear_velocity + body.angular_velocity.cross(at - body.to_global(body.center_of_mass))
	body.sleeping = false
	body.apply_force(body.mass * _PACE * (_PACE * (wanted - at) - 2.0 * speed), arm)
