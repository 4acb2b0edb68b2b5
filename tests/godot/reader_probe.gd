# Loads scenes of its project that the editor has imported, or files as a game does, with our reader,
# and says as JSON what nodes came of them.
#
#   godot --headless --path PROJECT --script reader_probe.gd -- JOB.json
#
# The job has "files" (res:// for imported ones), "steps" to simulate, "export" (a file to write the
# first scene to; empty for none) and "out". Of each node: name, path, class, script, place, and what
# it stores; of colliders also the shapes.
extends SceneTree


func _initialize() -> void:
	var job: Dictionary = JSON.parse_string(FileAccess.get_file_as_string(OS.get_cmdline_user_args()[0]))
	load("res://addons/omi_physics/reader.gd").register()
	var answers := []
	for path: String in job["files"]:
		var scene := load_scene(path)
		if scene == null:
			answers.append({})
			continue
		root.add_child(scene)
		await physics_frame
		var rows := {}
		describe(scene, scene, rows)
		if job["export"] != "" and answers.is_empty():
			export_scene(scene, job["export"])
		for step in int(job["steps"]):
			await physics_frame
		for row: Dictionary in rows.values():
			row["end"] = plain((scene.get_node(NodePath(row["path"])) as Node3D).global_transform) if row["is_3d"] else null
		answers.append(rows)
		scene.free()
		await physics_frame
	var file := FileAccess.open(job["out"], FileAccess.WRITE)
	file.store_string(JSON.stringify(answers, "", true, true))
	file.close()
	quit(0)


func load_scene(path: String) -> Node:
	if path.begins_with("res://"):
		var packed := load(path) as PackedScene
		return null if packed == null else packed.instantiate()
	var document := GLTFDocument.new()
	var state := GLTFState.new()
	return document.generate_scene(state) if document.append_from_file(path, state) == OK else null


func export_scene(scene: Node, path: String) -> void:
	var document := GLTFDocument.new()
	var state := GLTFState.new()
	if document.append_from_scene(scene, state) == OK:
		document.write_to_filesystem(state, path)


func describe(scene: Node, node: Node, rows: Dictionary) -> void:
	var script := node.get_script() as Script
	var row := {
		"path": str(scene.get_path_to(node)), "class": node.get_class(), "is_3d": node is Node3D,
		"script": "" if script == null else script.resource_path.get_file(), "parent": str(node.get_parent().name),
	}
	for property in node.get_property_list():
		if property["usage"] & PROPERTY_USAGE_STORAGE and property["name"] != "script":
			row[property["name"]] = plain(node.get(property["name"]))
	if node is Node3D:
		row["place"] = plain((node as Node3D).global_transform)
	if node is MeshInstance3D or node.get_class() == "ImporterMeshInstance3D":
		row["is_shown"] = (node as Node3D).is_visible_in_tree()
	rows[str(node.name)] = row
	for child in node.get_children():
		describe(scene, child, rows)


# A value as JSON has it; resources as their class and what they store.
func plain(value: Variant) -> Variant:
	if value is Vector3:
		return [value.x, value.y, value.z]
	if value is Basis:
		return [plain(value.x), plain(value.y), plain(value.z)]
	if value is Transform3D:
		return {"origin": plain(value.origin), "basis": plain(value.basis)}
	if value is PackedVector3Array or value is Array:
		return Array(value).map(plain)
	if value is float and not is_finite(value):
		return str(value)
	if value is Dictionary:
		var found := {}
		for key: Variant in value:
			found[str(key)] = plain(value[key])
		return found
	if value is Shape3D or value is PhysicsMaterial:
		var found := {"class": value.get_class()}
		for property in (value as Resource).get_property_list():
			if property["usage"] & PROPERTY_USAGE_STORAGE and not property["name"].begins_with("resource"):
				found[property["name"]] = plain(value.get(property["name"]))
		return found
	return value if value is bool or value is int or value is float else str(value)
