# Loads many glTF files at run time, or scenes of its project (res://...) that the editor has
# imported, one after the other, steps the physics of each, and writes where the bodies went. Run by
# engine_batches.py in a project that may have the OMI add-on:
#
#     godot --headless --path PROJECT -s batch_godot.gd --fixed-fps HZ -- JOB.json
#
# The job has "files", "seconds", "hz", "every" (steps between two places), and whether files are read
# at run time by the "omi" add-on or by our own "reader".
extends SceneTree

var job := {}
var answers := []
var scene_root: Node = null
var bodies: Array[Node3D] = []
var tracks := []
var at := -1
var step := 0
var wait := 0


func _initialize() -> void:
	job = JSON.parse_string(FileAccess.get_file_as_string(OS.get_cmdline_user_args()[0]))
	Engine.physics_ticks_per_second = int(job["hz"])
	var space := root.world_3d.space
	PhysicsServer3D.area_set_param(space, PhysicsServer3D.AREA_PARAM_GRAVITY, 9.81)
	PhysicsServer3D.area_set_param(space, PhysicsServer3D.AREA_PARAM_GRAVITY_VECTOR, Vector3.DOWN)
	PhysicsServer3D.area_set_param(space, PhysicsServer3D.AREA_PARAM_LINEAR_DAMP, 0.0)
	PhysicsServer3D.area_set_param(space, PhysicsServer3D.AREA_PARAM_ANGULAR_DAMP, 0.0)
	if job["reader"]:
		load("res://addons/omi_physics/reader.gd").register()
	if job["omi"]:
		var folder := "res://addons/omi_extensions/"
		for row in [["seat/omi_seat_doc_ext.gd", true], ["physics_joint/omi_physics_joint_doc_ext.gd", false], ["vehicle/omi_vehicle_doc_ext.gd", true]]:
			GLTFDocument.register_gltf_document_extension(load(folder + row[0]).new(), row[1])


func _physics_process(_delta: float) -> bool:
	if scene_root == null:
		# A frame for what was freed to leave the space.
		wait -= 1
		if wait > 0:
			return false
		return not _next()
	step += 1
	if step % int(job["every"]) == 0:
		_note()
	if step >= int(round(job["seconds"] * job["hz"])):
		_finish("")
	return false


func _next() -> bool:
	at += 1
	if at >= job["files"].size():
		_write()
		return false
	var error := _load(job["files"][at])
	if error != "":
		answers.append({"error": error, "bodies": []})
		return true
	root.add_child(scene_root)
	bodies = []
	tracks = []
	step = 0
	_find(scene_root)
	return true


# Makes the scene of a file; says why where there is none.
func _load(path: String) -> String:
	if path.begins_with("res://"):
		var packed := ResourceLoader.load(path) as PackedScene if ResourceLoader.exists(path) else null
		if packed == null:
			return "the editor imported no scene"
		scene_root = packed.instantiate()
		return ""
	var doc := GLTFDocument.new()
	var state := GLTFState.new()
	var err := doc.append_from_file(path, state)
	if err != OK:
		return error_string(err)
	scene_root = doc.generate_scene(state)
	return "" if scene_root != null else "no scene was made"


func _find(node: Node) -> void:
	if node is PhysicsBody3D:
		bodies.append(node)
		tracks.append([])
		tracks[-1].append(_pose(node))
	for child in node.get_children():
		_find(child)


func _pose(node: Node3D) -> Array:
	var p := node.global_position
	if not p.is_finite() or is_zero_approx(node.global_basis.determinant()):
		return ["nan", "nan", "nan", "nan", "nan", "nan", "nan"]
	var q := node.global_basis.get_rotation_quaternion()
	return [p.x, p.y, p.z, q.x, q.y, q.z, q.w]


func _note() -> void:
	for i in bodies.size():
		tracks[i].append(_pose(bodies[i]))


func _finish(error: String) -> void:
	var found := []
	for i in bodies.size():
		found.append({"name": str(bodies[i].name), "class": bodies[i].get_class(), "track": tracks[i]})
	answers.append({"error": error, "bodies": found})
	scene_root.free()
	scene_root = null
	bodies = []
	wait = 2


func _write() -> void:
	var file := FileAccess.open(job["out"], FileAccess.WRITE)
	file.store_string(JSON.stringify(answers, "", false, true))
	file.close()
	quit(0)
