# Drives a vehicle by the keys that the preview in Blender has.
extends Node

const Vehicle := preload("../nodes/vehicle.gd")
const Wheel := preload("../nodes/wheel.gd")
const Seat := preload("../nodes/seat.gd")
const _THROTTLE := 0.5  # 1/s
# For each scheme: angular X, Y, Z and linear X, Y, Z as the keys that lower and those that raise.
const _CAR: Array = [[KEY_I, KEY_K], [KEY_D, KEY_A], [KEY_J, KEY_L], [KEY_E, KEY_Q], [KEY_F, KEY_R], [KEY_S, KEY_W]]
const _FREE: Array = [[KEY_I, KEY_K], [KEY_L, KEY_J], [KEY_Q, KEY_E], [KEY_D, KEY_A], [KEY_F, KEY_R], [KEY_S, KEY_W]]
const _THROTTLED: Array = [[KEY_W, KEY_S], [KEY_D, KEY_A], [KEY_Q, KEY_E], [KEY_L, KEY_J], [KEY_K, KEY_I], [KEY_CTRL, KEY_SHIFT]]

var vehicle: Vehicle
var _is_driven := false  # Until a key is pressed, it does as the file says.


## Takes the first vehicle with a pilot's seat, else the first.
func choose(scene: Node) -> void:
	vehicle = null
	_is_driven = false
	for body in scene.find_children("*", "RigidBody3D", true, false):
		var found := body as Vehicle
		if found == null:
			continue
		if vehicle == null or (vehicle.pilot_seat.is_empty() and not found.pilot_seat.is_empty()):
			vehicle = found


func words() -> String:
	if vehicle.use_throttle:
		return "W S pitch, A D yaw, Q E roll, Shift Ctrl throttle, Space stop"
	if _has_wheels():
		return "W S drive, A D steer, Space coast"
	return "W S forward, back, A D left, right, R F rise, sink, Q E roll, I K pitch, J L yaw"


func _has_wheels() -> bool:
	return vehicle.parts.any(func(part: Node) -> bool: return part is Wheel)


func _physics_process(delta: float) -> void:
	if vehicle == null or not is_instance_valid(vehicle) or get_tree().paused:
		return
	var keys := _FREE
	if vehicle.use_throttle:
		keys = _THROTTLED
	elif _has_wheels():
		keys = _CAR
	var told := PackedFloat32Array()
	var any := Input.is_physical_key_pressed(KEY_SPACE)
	for pair: Array in keys:
		var value := float(Input.is_physical_key_pressed(pair[1])) - float(Input.is_physical_key_pressed(pair[0]))
		any = any or value != 0.0
		told.append(value)
	_is_driven = _is_driven or any
	if not _is_driven:
		return
	vehicle.sleeping = false
	var linear := Vector3(told[3], told[4], told[5])
	if vehicle.use_throttle:
		linear = (vehicle.linear_activation + linear * _THROTTLE * delta).clampf(-1.0, 1.0)
	elif vehicle.has_hover:
		linear = _leveled(linear)
	if Input.is_physical_key_pressed(KEY_SPACE):
		linear = Vector3.ZERO
		told.fill(0.0)
	vehicle.angular_activation = Vector3(told[0], told[1], told[2])
	vehicle.linear_activation = linear


# The same movement along a vehicle that heads the same way, but is not tilted.
func _leveled(told: Vector3) -> Vector3:
	var turn := vehicle.global_basis.orthonormalized()
	var ahead := turn.z * Vector3(1.0, 0.0, 1.0)
	if ahead.length() < 1e-6:
		return told
	ahead = ahead.normalized()
	var heading := Basis(Vector3.UP.cross(ahead), Vector3.UP, ahead)
	return turn.transposed() * (heading * told)
