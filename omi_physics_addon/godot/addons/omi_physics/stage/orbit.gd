# A camera that orbits around a place.
extends Camera3D

const _SPEED := 0.008  # rad per pixel
const _ZOOM := 1.15

var center := Vector3.ZERO
var distance := 8.0
var _yaw := 0.6
var _pitch := -0.4


## Looks at all that a scene shows, with more room for what moves.
func frame(scene: Node) -> void:
	var box := _box_of(scene.find_children("*", "RigidBody3D", true, false))
	if box.size == Vector3.ZERO:
		box = _box_of([scene])
	center = box.get_center()
	distance = clampf(box.size.length() * 0.9 + 1.0, 2.0, 400.0)
	far = distance * 50.0 + 500.0
	_place()


static func _box_of(nodes: Array) -> AABB:
	var box := AABB()
	var is_first := true
	for node: Node in nodes:
		for shown: VisualInstance3D in node.find_children("*", "GeometryInstance3D", true, false):
			var own := shown.global_transform * shown.get_aabb()
			box = own if is_first else box.merge(own)
			is_first = false
		if node is Node3D and node is RigidBody3D and is_first:
			box = AABB((node as Node3D).global_position, Vector3.ONE * 0.01)
			is_first = false
	return box


func _unhandled_input(event: InputEvent) -> void:
	if event is InputEventMouseMotion:
		var motion := event as InputEventMouseMotion
		if motion.button_mask & (MOUSE_BUTTON_MASK_RIGHT | MOUSE_BUTTON_MASK_MIDDLE):
			_yaw -= motion.relative.x * _SPEED
			_pitch = clampf(_pitch - motion.relative.y * _SPEED, -1.5, 1.5)
			_place()
	elif event is InputEventMouseButton and (event as InputEventMouseButton).pressed:
		var button := (event as InputEventMouseButton).button_index
		if button == MOUSE_BUTTON_WHEEL_UP:
			distance /= _ZOOM
			_place()
		elif button == MOUSE_BUTTON_WHEEL_DOWN:
			distance *= _ZOOM
			_place()


func _place() -> void:
	var turn := Basis(Vector3.UP, _yaw) * Basis(Vector3.RIGHT, _pitch)
	global_transform = Transform3D(turn, center + turn * Vector3(0.0, 0.0, distance))
