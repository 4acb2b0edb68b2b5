# Loads a glTF file the way a game does at run time, or a scene of its project (res://...) that the
# editor has imported, and says as JSON what came of it.
#
#   godot --headless --fixed-fps 60 --path tests/godot --script harness.gd -- FILE OUT.json STEPS
#
# The answer: {"godot": version, "bodies": [...], "animations": {...}, "error": ""}. A body is any
# object that collides; its shapes are those that the physics server was given for it. "end" is
# where it is after STEPS steps of 1/60 s. Of animations it says by name whether they repeat.
extends SceneTree

var answer := {
	"godot": Engine.get_version_info()["string"], "bodies": [], "animations": {}, "error": ""
}


func _initialize() -> void:
	var arguments := OS.get_cmdline_user_args()
	var scene := load_scene(arguments[0])
	if scene != null:
		root.add_child(scene)
		await simulate(scene, int(arguments[2]))
	var file := FileAccess.open(arguments[1], FileAccess.WRITE)
	file.store_string(JSON.stringify(answer, "  ", true, true))
	file.close()
	quit(0 if answer["error"] == "" else 1)


func load_scene(path: String) -> Node:
	if path.begins_with("res://"):
		var packed := load(path) as PackedScene
		if packed == null:
			answer["error"] = "no scene was imported from " + path
			return null
		return packed.instantiate()
	var document := GLTFDocument.new()
	var state := GLTFState.new()
	var problem := document.append_from_file(path, state)
	if problem != OK:
		answer["error"] = "append_from_file: " + error_string(problem)
		return null
	var scene := document.generate_scene(state)
	if scene == null:
		answer["error"] = "generate_scene made nothing"
	return scene


func simulate(scene: Node, steps: int) -> void:
	var found: Array[CollisionObject3D] = []
	collect(scene, found)
	for player: AnimationPlayer in scene.find_children("*", "AnimationPlayer", true, false):
		for name in player.get_animation_list():
			answer["animations"][name] = player.get_animation(name).loop_mode != Animation.LOOP_NONE
	# The signal comes before the step of its frame, and after the nodes were told of the last one.
	await physics_frame
	for object in found:
		answer["bodies"].append(describe(scene, object))
	for step in steps:
		await physics_frame
	for i in found.size():
		answer["bodies"][i]["end"] = numbers(found[i].global_position)
		if found[i] is Area3D:
			var inside := []
			for body in (found[i] as Area3D).get_overlapping_bodies():
				inside.append(str(scene.get_path_to(body)))
			answer["bodies"][i]["inside"] = inside


func collect(node: Node, found: Array[CollisionObject3D]) -> void:
	if node is CollisionObject3D:
		found.append(node)
	for child in node.get_children():
		collect(child, found)


func describe(scene: Node, object: CollisionObject3D) -> Dictionary:
	var row := {
		"name": str(object.name),
		"path": str(scene.get_path_to(object)),
		"class": object.get_class(),
		"position": numbers(object.global_position),
		"rotation": numbers(object.global_basis.get_rotation_quaternion()),
		"shapes": [],
	}
	for owner_id in object.get_shape_owners():
		for i in object.shape_owner_get_shape_count(owner_id):
			row["shapes"].append(describe_shape(scene, object, owner_id, i))
	if object is RigidBody3D:
		var body := object as RigidBody3D
		row["mass"] = body.mass
		row["inertia"] = numbers(body.inertia)
		row["linear_velocity"] = numbers(body.linear_velocity)
		row["angular_velocity"] = numbers(body.angular_velocity)
		row["gravity_scale"] = body.gravity_scale
		if body.center_of_mass_mode == RigidBody3D.CENTER_OF_MASS_MODE_CUSTOM:
			row["center_of_mass"] = numbers(body.center_of_mass)
	return row


func describe_shape(
	scene: Node, object: CollisionObject3D, owner_id: int, index: int
) -> Dictionary:
	var place := object.global_transform * object.shape_owner_get_transform(owner_id)
	var owner := object.shape_owner_get_owner(owner_id)
	var row := {
		"owner": str(scene.get_path_to(owner)) if owner is Node else "",
		"owner_class": owner.get_class() if owner != null else "",
		"position": numbers(place.origin),
		"rotation": numbers(place.basis.get_rotation_quaternion()),
	}
	row.merge(dimensions(object.shape_owner_get_shape(owner_id, index)))
	return row


func dimensions(shape: Shape3D) -> Dictionary:
	var row := {"class": shape.get_class()}
	if shape is BoxShape3D:
		row["size"] = numbers((shape as BoxShape3D).size)
	elif shape is SphereShape3D:
		row["radius"] = (shape as SphereShape3D).radius
	elif shape is CapsuleShape3D or shape is CylinderShape3D:
		row["radius"] = shape.get("radius")
		row["height"] = shape.get("height")
	elif shape is ConvexPolygonShape3D:
		row["bounds"] = bounds((shape as ConvexPolygonShape3D).points)
	elif shape is ConcavePolygonShape3D:
		var faces := (shape as ConcavePolygonShape3D).get_faces()
		row["bounds"] = bounds(faces)
		row["triangles"] = faces.size() / 3
	return row


# Least and greatest coordinates.
func bounds(points: PackedVector3Array) -> Array:
	if points.is_empty():
		return []
	var least := points[0]
	var greatest := points[0]
	for point in points:
		least = least.min(point)
		greatest = greatest.max(point)
	return [numbers(least), numbers(greatest)]


func numbers(value: Variant) -> Array:
	if value is Quaternion:
		return [value.x, value.y, value.z, value.w]
	return [value.x, value.y, value.z]
