# A volume with gravity. Godot's Area3D knows directions and points; other fields are forces.
#
# Priority, "replace" and "stop" are Area3D's own: they say what becomes of other gravity, whoever
# makes it.
@tool
extends Area3D

const GROUP := &"omi_physics_gravity"

## directional, point, disc, torus, line or shaped.
@export var field := "directional"
## Strength, in m/s²; negative pushes away.
@export var strength := 9.8
## Where directional gravity pulls, in the volume's axes.
@export var direction := Vector3.DOWN
## Distance, in m, at which it has its strength; 0 for the same strength everywhere.
@export var unit_distance := 0.0
## Radius of a disc or a torus around the volume's Y axis, in m.
@export var radius := 1.0
## Corners of a line, in the volume's axes.
@export var points := PackedVector3Array()
## Shape of shaped gravity.
@export var surface: Shape3D
## Where that shape is, in the volume's axes.
@export var surface_place := Transform3D.IDENTITY
@export var replace := false
@export var stop := false

const _UNKNOWN := 8  # Steps after the start in which a body that is new was there from the start.

var _steps := 0
var _seen := {}
var _triangles := PackedVector3Array()


func _init() -> void:
	add_to_group(GROUP)


func _ready() -> void:
	if replace and stop:
		gravity_space_override = SPACE_OVERRIDE_REPLACE
	elif replace:
		gravity_space_override = SPACE_OVERRIDE_REPLACE_COMBINE
	elif stop:
		gravity_space_override = SPACE_OVERRIDE_COMBINE_REPLACE
	else:
		gravity_space_override = SPACE_OVERRIDE_COMBINE
	gravity = strength if is_native() else 0.0
	gravity_point = field == "point"
	gravity_point_center = Vector3.ZERO
	gravity_point_unit_distance = unit_distance
	if field == "directional":
		_turn()
		set_notify_transform(true)
	set_physics_process(not is_native() and not Engine.is_editor_hint())
	if surface is ConvexPolygonShape3D or surface is ConcavePolygonShape3D:
		_triangles = surface.get_debug_mesh().get_faces()
		if surface is ConcavePolygonShape3D:
			_triangles = (surface as ConcavePolygonShape3D).get_faces()


# Whether Godot makes the field itself.
func is_native() -> bool:
	return field == "directional" or field == "point"


func _notification(what: int) -> void:
	if what == NOTIFICATION_TRANSFORM_CHANGED and field == "directional":
		_turn()


func _turn() -> void:
	gravity_direction = (global_basis * direction).normalized() if is_inside_tree() else direction


func _physics_process(_delta: float) -> void:
	_steps += 1
	for body in get_overlapping_bodies():
		var rigid := body as RigidBody3D
		if rigid == null or rigid.freeze or not _counts_for(rigid):
			continue
		var steps := 1
		if _steps <= _UNKNOWN and not _seen.has(rigid.get_instance_id()):
			_seen[rigid.get_instance_id()] = true
			steps = _steps  # Godot has found it only now.
		var scale: float = rigid.call(&"own_gravity_scale") if rigid.has_method(&"own_gravity_scale") else rigid.gravity_scale
		var center := rigid.to_global(rigid.center_of_mass)
		rigid.apply_central_force(acceleration(center) * (rigid.mass * scale * steps))


# Whether no other volume takes this one's gravity from a body.
func _counts_for(body: RigidBody3D) -> bool:
	for node in get_tree().get_nodes_in_group(GROUP):
		var other := node as Area3D
		if other == self or not other.overlaps_body(body):
			continue
		if other.get("stop") and other.priority > priority:
			return false
		if other.get("replace") and other.priority < priority:
			return false
	return true


## The acceleration at a place of the world, in m/s².
func acceleration(at: Vector3) -> Vector3:
	var local := to_local(at)
	if field == "directional":
		return (global_basis * direction).normalized() * strength
	var way := _nearest(local) - local
	var distance := way.length()
	if distance < 1e-6:
		return Vector3.ZERO
	var size := strength
	if unit_distance > 0.0:
		size *= pow(unit_distance / distance, 2.0)
	return (global_basis * way).normalized() * size


func _nearest(at: Vector3) -> Vector3:
	match field:
		"disc":
			var flat := Vector3(at.x, 0.0, at.z)
			return flat.limit_length(radius)
		"torus":
			var flat := Vector3(at.x, 0.0, at.z)
			return flat.normalized() * radius if flat.length() > 0.0 else Vector3(radius, 0.0, 0.0)
		"line":
			return _on_line(at)
		"shaped":
			return surface_place * _on_surface(surface_place.affine_inverse() * at)
	return Vector3.ZERO


func _on_line(at: Vector3) -> Vector3:
	var best := at
	var least := INF
	for i in points.size() - 1:
		var found := Geometry3D.get_closest_point_to_segment(at, points[i], points[i + 1])
		if found.distance_to(at) < least:
			least = found.distance_to(at)
			best = found
	return best


func _on_surface(at: Vector3) -> Vector3:
	if surface is SphereShape3D:
		var way := at.normalized() if at.length() > 0.0 else Vector3.UP
		return way * (surface as SphereShape3D).radius
	if surface is BoxShape3D:
		return _on_box(at, (surface as BoxShape3D).size / 2.0)
	if surface is CapsuleShape3D:
		var capsule := surface as CapsuleShape3D
		var half := capsule.height / 2.0 - capsule.radius
		var middle := Vector3(0.0, clampf(at.y, -half, half), 0.0)
		var out := (at - middle).normalized() if at != middle else Vector3.RIGHT
		return middle + out * capsule.radius
	if surface is CylinderShape3D:
		return _on_cylinder(at, (surface as CylinderShape3D).radius, (surface as CylinderShape3D).height / 2.0)
	if surface is WorldBoundaryShape3D:
		return Vector3(at.x, 0.0, at.z)
	var best := at
	var least := INF
	for i in range(0, _triangles.size() - 2, 3):
		var found := on_triangle(at, _triangles[i], _triangles[i + 1], _triangles[i + 2])
		var far := found.distance_squared_to(at)
		if far < least:
			least = far
			best = found
	return best


func _on_box(at: Vector3, half: Vector3) -> Vector3:
	var found := at.clamp(-half, half)
	if found != at:
		return found
	var gaps := half - at.abs()
	var axis := gaps.min_axis_index()
	found[axis] = half[axis] * (1.0 if at[axis] >= 0.0 else -1.0)
	return found


func _on_cylinder(at: Vector3, wide: float, half: float) -> Vector3:
	var flat := Vector2(at.x, at.z)
	var out := flat.normalized() if flat.length() > 0.0 else Vector2.RIGHT
	var inside := flat.length() <= wide and absf(at.y) <= half
	if inside and half - absf(at.y) < wide - flat.length():
		return Vector3(at.x, half * (1.0 if at.y >= 0.0 else -1.0), at.z)
	var rim := out * (wide if inside else minf(flat.length(), wide))
	return Vector3(rim.x, clampf(at.y, -half, half), rim.y)


## The point of a triangle that is nearest to another point.
static func on_triangle(at: Vector3, a: Vector3, b: Vector3, c: Vector3) -> Vector3:
	var normal := (b - a).cross(c - a)
	if normal.length_squared() > 1e-20:
		var flat := at - normal * (normal.dot(at - a) / normal.length_squared())
		var is_inside := true
		for pair: Array in [[a, b], [b, c], [c, a]]:
			if normal.dot((pair[1] - pair[0]).cross(flat - pair[0])) < 0.0:
				is_inside = false
		if is_inside:
			return flat
	var best := a
	for pair: Array in [[a, b], [b, c], [c, a]]:
		var found := Geometry3D.get_closest_point_to_segment(at, pair[0], pair[1])
		if found.distance_squared_to(at) < best.distance_squared_to(at):
			best = found
	return best
