# Says what is seen of glTF files that Godot's editor has imported, and pictures them.
#
#   godot --headless --path PROJECT --script seen_godot.gd                        boxes alone
#   godot --rendering-driver opengl3 --fixed-fps 60 --path PROJECT --script seen_godot.gd
#
# PROJECT/job.json has "files" (name, target, scene, what Blender says of the scene, "pictures") and
# "steps". For each, the answer in PROJECT/answer.json has the boxes of all that is visible; with
# pictures NAME.TARGET.start.rgb and .later.rgb are written.
extends SceneTree

var job := {}
var answer := {}


func _initialize() -> void:
	job = JSON.parse_string(FileAccess.get_file_as_string("res://job.json"))
	RenderingServer.set_default_clear_color(Color.BLACK)
	root.mesh_lod_threshold = 0.0  # Or small things have fewer faces.
	PhysicsServer3D.set_active(false)
	for file in job["files"]:
		await look(file)
	var out := FileAccess.open("res://answer.json", FileAccess.WRITE)
	out.store_string(JSON.stringify(answer, "", true, true))
	out.close()
	quit()


func look(file: Dictionary) -> void:
	var key: String = file["name"] + "." + file["target"]
	var packed := load(file["scene"]) as PackedScene
	if packed == null:
		answer[key] = null
		return
	var scene := packed.instantiate()
	root.add_child(scene)
	await process_frame
	var boxes := []
	var names: Dictionary = {}
	for name in file["names"]:
		names[str(name).validate_node_name()] = int(file["names"][name])
	for node in scene.find_children("*", "GeometryInstance3D", true, false):
		if node.is_visible_in_tree():
			boxes.append_array(boxes_of(node))
			paint(node, owner_of(node, scene, names), file["colors"])
	answer[key] = boxes
	if file["pictures"]:
		await picture(key, file["camera"])
	scene.free()
	await process_frame
	await process_frame


func boxes_of(node: Node) -> Array:
	var found := []
	var mesh: Mesh = node.mesh if node is MeshInstance3D else null
	if node is MultiMeshInstance3D:
		for i in node.multimesh.instance_count:
			found.append(box(node.name, node.global_transform * node.multimesh.get_instance_transform(i) * node.multimesh.mesh.get_aabb()))
	elif mesh != null:
		found.append(box(node.name, place_of(node) * extent(mesh)))
	return found


# Of a mesh without its shape keys, which begin with 0.
func extent(mesh: Mesh) -> AABB:
	if mesh.get_blend_shape_count() == 0:
		return mesh.get_aabb()
	var points := PackedVector3Array()
	for i in mesh.get_surface_count():
		points.append_array(mesh.surface_get_arrays(i)[Mesh.ARRAY_VERTEX])
	var found := AABB(points[0], Vector3.ZERO)
	for point in points:
		found = found.expand(point)
	return found


# Where a mesh is; bones say it of one that has a skin, here the first.
func place_of(node: MeshInstance3D) -> Transform3D:
	var skeleton := node.get_node_or_null(node.skeleton) as Skeleton3D
	if node.skin == null or skeleton == null:
		return node.global_transform
	var bone := node.skin.get_bind_bone(0)
	if bone < 0:
		bone = skeleton.find_bone(node.skin.get_bind_name(0))
	return skeleton.global_transform * skeleton.get_bone_global_pose(bone) * node.skin.get_bind_pose(0)


func box(name: String, area: AABB) -> Dictionary:
	var low := area.position
	var high := area.end
	return {"name": name, "min": [low.x, low.y, low.z], "max": [high.x, high.y, high.z]}


# The number of the object that a node shows: by its own name, or that of the nearest node above,
# which may have digits behind it where Godot has made names different.
func owner_of(node: Node, scene: Node, names: Dictionary) -> int:
	var at := node
	while at != null and at != scene:
		var name := str(at.name)
		for each in [name, name.rstrip("0123456789"), name.trim_suffix(" Mesh")]:
			if names.has(each):
				return names[each]
		at = at.get_parent()
	return -1


func paint(node: GeometryInstance3D, index: int, colors: Array) -> void:
	var material := StandardMaterial3D.new()
	material.shading_mode = BaseMaterial3D.SHADING_MODE_UNSHADED
	material.cull_mode = BaseMaterial3D.CULL_DISABLED
	material.albedo_color = Color.WHITE
	if index >= 0:
		var color: Array = colors[index]
		material.albedo_color = Color8(int(color[0]), int(color[1]), int(color[2]))
	node.material_override = material


func picture(key: String, from: Dictionary) -> void:
	var camera := Camera3D.new()
	root.add_child(camera)
	camera.fov = rad_to_deg(from["angle"])
	camera.near = 0.1
	camera.far = 1000.0
	camera.look_at_from_position(turned(from["eye"]), turned(from["at"]))
	camera.make_current()
	await shot(key + ".start.rgb")
	RenderingServer.render_loop_enabled = false
	PhysicsServer3D.set_active(true)
	for step in int(job["steps"]) + 1:  # The first signal comes before the first step.
		await physics_frame
	PhysicsServer3D.set_active(false)
	RenderingServer.render_loop_enabled = true
	await shot(key + ".later.rgb")
	camera.free()


func shot(path: String) -> void:
	await process_frame
	await RenderingServer.frame_post_draw
	var image := root.get_texture().get_image()
	image.convert(Image.FORMAT_RGB8)
	var file := FileAccess.open("res://" + path, FileAccess.WRITE)
	file.store_buffer(image.get_data())
	file.close()


# From Blender's axes.
func turned(place: Array) -> Vector3:
	return Vector3(place[0], place[2], -place[1])
