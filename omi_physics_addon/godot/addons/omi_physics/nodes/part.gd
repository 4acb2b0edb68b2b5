# A part of a vehicle, or of another body, that pushes it. Source: OMI_vehicle_*.
@tool
extends Node3D

const Vehicle := preload("vehicle_base.gd")

var body: RigidBody3D  # The one that it pushes.
var vehicle: Vehicle  # The same, where it is a vehicle.
var rest := Transform3D.IDENTITY  # Where it is on its body, before it steers or turns.
var _local := Transform3D.IDENTITY


func _ready() -> void:
	if Engine.is_editor_hint():
		set_physics_process(false)
		return
	_local = transform
	var above := get_parent()
	while above != null and not above is RigidBody3D:
		above = above.get_parent()
	body = above as RigidBody3D
	vehicle = above as Vehicle
	if body == null:
		set_physics_process(false)
		return
	var place := body.global_transform.affine_inverse() * global_transform
	rest = Transform3D(place.basis.orthonormalized(), place.origin)
	if vehicle != null:
		vehicle.parts.append(self)
		set_physics_process(false)  # The vehicle tells it when to act.


## Shows the part moved and turned against its place on the body.
func show_moved(by: Transform3D) -> void:
	transform = _local * by


## The parameters of a file, by its names or those of 2025.
static func number(said: Dictionary, names: Array, otherwise: float) -> float:
	for name: String in names:
		if said.get(name) is float or said.get(name) is int:
			return float(said[name])
	return otherwise


static func pair(said: Dictionary, names: Array) -> Vector2:
	for name: String in names:
		var found: Variant = said.get(name)
		if found is Array and found.size() == 2:
			return Vector2(found[0], found[1])
	return Vector2.ZERO


## A number one step nearer to its target; a negative rate is for at once.
static func approach(now: float, target: float, rate: float, delta: float) -> float:
	return target if rate < 0.0 else move_toward(now, target, rate * delta)
