# Gives the world the gravity of the file while its scene is in the tree.
@tool
extends Node3D

## Acceleration, in m/s².
@export var gravity := 9.80665
## Where it pulls, in the axes of the scene.
@export var direction := Vector3.DOWN

var _before := [9.8, Vector3.DOWN]


func _enter_tree() -> void:
	if Engine.is_editor_hint():
		return
	var space := get_world_3d().space
	_before = [
		PhysicsServer3D.area_get_param(space, PhysicsServer3D.AREA_PARAM_GRAVITY),
		PhysicsServer3D.area_get_param(space, PhysicsServer3D.AREA_PARAM_GRAVITY_VECTOR),
	]
	_give(gravity, (global_basis * direction).normalized())


func _exit_tree() -> void:
	if not Engine.is_editor_hint():
		_give(_before[0], _before[1])


func _give(strength: float, way: Vector3) -> void:
	var space := get_world_3d().space
	PhysicsServer3D.area_set_param(space, PhysicsServer3D.AREA_PARAM_GRAVITY, strength)
	PhysicsServer3D.area_set_param(space, PhysicsServer3D.AREA_PARAM_GRAVITY_VECTOR, way)
