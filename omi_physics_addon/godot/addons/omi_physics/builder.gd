# Makes bodies, triggers, joints, gravity, vehicles and seats of what a file says.
#
# Nodes that show nothing become them; what shows a mesh, a camera or a light hangs below its body,
# so that it stays visible. No body and no shape keeps a scale: shapes have it in their sizes, and
# what is seen hangs below a node with it.
@tool
extends RefCounted

const Joints := preload("joints.gd")
const Layers := preload("layers.gd")
const Ragdolls := preload("ragdolls.gd")
const Shapes := preload("shapes.gd")
const Surfaces := preload("surfaces.gd")
const Tracks := preload("tracks.gd")
const Writer := preload("writer.gd")
const DynamicBody := preload("nodes/dynamic_body.gd")
const GravityVolume := preload("nodes/gravity_volume.gd")
const HoverThruster := preload("nodes/hover_thruster.gd")
const KinematicMover := preload("nodes/kinematic_mover.gd")
const Seat := preload("nodes/seat.gd")
const Thruster := preload("nodes/thruster.gd")
const Vehicle := preload("nodes/vehicle.gd")
const Wheel := preload("nodes/wheel.gd")
const WorldGravity := preload("nodes/world_gravity.gd")
# What Godot's editor takes for commands at the end of names of nodes.
const _COMMANDS := "(?i)[-_$](?=(?:col|convcol|colonly|convcolonly|rigid|navmesh|occ|occonly|vehicle|wheel|noimp)[\\s\\d]*$)"
const DENSITY := 1000.0  # kg/m³, of what Khronos's files give no mass.
const HEAVY := 1e6  # kg, of an infinite mass.

var _state: GLTFState
var _said: Dictionary
var _physics: Dictionary  # By index of the node.
var _root: Node
var _places := {}  # By index of the node: where the file has it.
var _bodies := {}  # By index: the body, or the lone collider.
var _areas := {}
var _animated := {}  # Indices of nodes that animations move.
var _indices := {}  # Of GLTFNodes, by their ids.
var _bones := {}  # Indices of nodes that are bones.
var _surfaces := Surfaces.new()
var _layers: Layers
var _kinds := {}  # By body: its kind of surface.
var _filters := {}  # By body.
var _pilots := {}  # By vehicle: the node of the pilot's seat.
var _volumes := {}  # By body: m³.


func _init(state: GLTFState, said: Dictionary) -> void:
	_state = state
	_said = said
	_physics = said["nodes"]
	_layers = Layers.new(said["family"])
	var nodes := state.get_nodes()
	for i in nodes.size():
		_indices[nodes[i].get_instance_id()] = i
	for animation: Variant in state.json.get("animations", []):
		for channel: Variant in animation.get("channels", []):
			var node: Variant = channel.get("target", {}).get("node")
			if node != null:
				_animated[int(node)] = true
	for skin: Variant in state.json.get("skins", []):
		for joint: Variant in skin.get("joints", []):
			_bones[int(joint)] = true


## What a node of the file becomes; null for what Godot makes of it.
func node_for(gltf_node: GLTFNode) -> Node3D:
	var at: int = _indices.get(gltf_node.get_instance_id(), -1)
	var shows := gltf_node.mesh >= 0 or gltf_node.camera >= 0 or gltf_node.light >= 0
	if shows or _bones.has(at) or gltf_node.skeleton >= 0:
		return null
	return _new(at)


func _new(at: int) -> Node3D:
	if _is_body(at):
		return _new_body(at)
	if _is_trigger(at):
		return _new_area(at)
	return _new_part(at)


func _of(at: int) -> Dictionary:
	return _physics.get(at, {})


func _parent(at: int) -> int:
	return _state.get_nodes()[at].parent


## The nearest node with motion, the node itself or above it; -1 for none.
func body_of(at: int) -> int:
	while at >= 0:
		if _of(at).has("motion"):
			return at
		at = _parent(at)
	return -1


# Whether a node becomes a body: with motion, or a collider that hangs on no body.
func _is_body(at: int) -> bool:
	var physics := _of(at)
	if physics.has("motion"):
		return true
	return physics.has("collider") and physics["collider"]["shape"] is Dictionary and body_of(at) < 0


func _type(at: int) -> String:
	return _of(at)["motion"]["type"] if _of(at).has("motion") else "static"


func _is_trigger(at: int) -> bool:
	if not _of(at).has("trigger"):
		return false
	return not _trigger_shapes(at).is_empty()


# The nodes whose shapes a trigger has.
func _trigger_shapes(at: int) -> Array:
	var trigger: Dictionary = _of(at)["trigger"]
	if trigger["nodes"] is Array:
		var listed: Array = trigger["nodes"].map(func(i: float) -> int: return int(i))
		return listed.filter(func(i: int) -> bool: return _of(i).get("trigger", {}).get("shape") is Dictionary)
	if trigger["shape"] is Dictionary:
		return [] if _is_listed(at) else [at]
	var below: Array = []
	for i: int in _physics:
		if i != at and _physics[i].has("trigger") and _physics[i]["trigger"]["shape"] is Dictionary and _is_below(i, at):
			below.append(i)
	return below


# Whether a trigger is a part of another one.
func _is_listed(at: int) -> bool:
	for i: int in _physics:
		if i == at or not _physics[i].has("trigger"):
			continue
		var trigger: Dictionary = _physics[i]["trigger"]
		if trigger["nodes"] is Array and float(at) in trigger["nodes"]:
			return true
		if trigger["nodes"] == null and not trigger["shape"] is Dictionary and _is_below(at, i):
			return true
	return false


func _is_below(at: int, above: int) -> bool:
	at = _parent(at)
	while at >= 0:
		if at == above:
			return true
		at = _parent(at)
	return false


func _is_moved(at: int) -> bool:
	while at >= 0:
		if _animated.has(at):
			return true
		at = _parent(at)
	return false


func _new_body(at: int) -> CollisionObject3D:
	var motion: Dictionary = _of(at).get("motion", {})
	if _type(at) == "static":
		return AnimatableBody3D.new() if _is_moved(at) else StaticBody3D.new()
	if _type(at) == "kinematic":
		var has_speed: bool = motion["linear"] != Vector3.ZERO or motion["angular"] != Vector3.ZERO
		return KinematicMover.new() if has_speed and not _is_moved(at) else AnimatableBody3D.new()
	return Vehicle.new() if _of(at).has("vehicle") else DynamicBody.new()


func _new_area(at: int) -> Area3D:
	return GravityVolume.new() if _of(at).has("gravity") else Area3D.new()


func _new_part(at: int) -> Node3D:
	var physics := _of(at)
	if physics.has("wheel"):
		return Wheel.new()
	if physics.has("thruster"):
		return Thruster.new()
	if physics.has("hover"):
		return HoverThruster.new()
	if physics.has("seat"):
		return Seat.new()
	return null


## Builds all physics of the scene.
func build(root: Node) -> void:
	_root = root
	if _physics.is_empty() and _said["world"] == null:
		return
	for i in _state.get_nodes().size():
		var node := _state.get_scene_node(i)
		if is_on_bone(i):
			_places[i] = _placed_by_file(i)
		elif node is Node3D:
			_places[i] = placed(node)
	var tracks := Tracks.new(root)
	var found := _physics.keys()
	found.sort_custom(func(a: int, b: int) -> bool: return _depth(a) < _depth(b))
	found = found.filter(func(i: int) -> bool: return _places.has(i))
	var ragdolls := Ragdolls.new(_state)
	for at: int in found:
		_make(at, tracks, ragdolls)
	for at: int in found:
		_free_from_others(at)
	_add_shapes()
	_solve()
	ragdolls.follow(_places, placed)
	var joints := Joints.new(self, root)
	for at: int in found:
		if _of(at).has("joint"):
			joints.make(at, _of(at)["joint"])
	_add_world_gravity()
	_seat_pilots()
	_own(root)
	tracks.write()


## Whether a node is a bone or hangs on one, which is where the skeleton has it.
func is_on_bone(at: int) -> bool:
	while at >= 0:
		if _bones.has(at):
			return true
		at = _parent(at)
	return false


func _placed_by_file(at: int) -> Transform3D:
	var place := Transform3D.IDENTITY
	while at >= 0:
		place = _state.get_nodes()[at].xform * place
		at = _parent(at)
	return place


## The node to hang something on that belongs to a node of the file.
func holder_of(at: int) -> Node3D:
	if is_on_bone(at):
		var body := body_node(at)
		return body if body != null else _root as Node3D
	return node_of(at)


func _depth(at: int) -> int:
	var depth := 0
	while at >= 0:
		depth += 1
		at = _parent(at)
	return depth


## Where a node of the scene is, by what is above it.
func placed(node: Node) -> Transform3D:
	var place := Transform3D.IDENTITY
	var at := node
	while at != null:
		if at is Node3D:
			place = (at as Node3D).transform * place
		if at == _root:
			break
		at = at.get_parent()
	return place


## Where the file has a node.
func place_of(at: int) -> Transform3D:
	return _places.get(at, Transform3D.IDENTITY)


## The body that a node is or hangs on; null for none.
func body_node(at: int) -> CollisionObject3D:
	while at >= 0:
		if _bodies.has(at):
			return _bodies[at]
		at = _parent(at)
	return null


## The node of the scene that a node of the file has become.
func node_of(at: int) -> Node3D:
	return _bodies.get(at, _areas.get(at, _state.get_scene_node(at)))


func _make(at: int, tracks: Tracks, ragdolls: Ragdolls) -> void:
	var node := _state.get_scene_node(at) as Node3D
	var made := node
	if _is_body(at):
		if _bones.has(at):
			made = ragdolls.body_for(at, _new_body(at))
			if made == null:
				return
		elif not node is CollisionObject3D or node == _root:
			made = _wrap(node, _new_body(at), tracks)
		_bodies[at] = made
		_set_body(at, made)
	if _is_trigger(at):
		if _is_body(at) or (not node is Area3D and node == _root):
			var area := _new_area(at)
			area.name = "%s Trigger" % node.name
			made.add_child(area)
			_areas[at] = area
		elif is_on_bone(at):
			return  # Triggers on bones have no node of their own here.
		else:
			_areas[at] = node if node is Area3D else _wrap(node, _new_area(at), tracks)
			_straighten(at, _areas[at], Quaternion.IDENTITY)
		_set_area(at, _areas[at])
	elif not _is_body(at) and not is_on_bone(at):
		var part := _new_part(at)
		if part != null and node.get_script() == null:
			part.free()
			part = _wrap(node, _new_part(at), tracks)
		elif part != null:
			part.free()
			part = node
		if part != null:
			_set_part(at, part)
			return
	for key in ["wheel", "thruster", "hover", "seat"]:
		if _of(at).has(key) and made is CollisionObject3D:  # Beside a body or a trigger.
			var part := _part_beside(key)
			part.name = "%s %s" % [node.name, key.capitalize()]
			made.add_child(part)
			_set_part(at, part)
	var kept := _areas.get(at, made) as Node
	if kept != null:
		_rename(kept)


func _part_beside(key: String) -> Node3D:
	return {"wheel": Wheel, "thruster": Thruster, "hover": HoverThruster, "seat": Seat}[key].new()


# Puts a new node in the place of one that shows something, which hangs below it then.
func _wrap(node: Node3D, made: Node3D, tracks: Tracks) -> Node3D:
	var name := node.name
	if node == _root:
		made.name = "%s Body" % name
		for child in node.get_children():
			move(child, made)
		node.add_child(made)
		return made
	var parent := node.get_parent()
	var at := node.get_index()
	_disown(node)
	parent.remove_child(node)
	parent.add_child(made)
	parent.move_child(made, at)
	made.transform = node.transform
	made.name = name
	for child in node.get_children():
		move(child, made)
	node.transform = Transform3D.IDENTITY
	node.name = "%s Mesh" % name
	made.add_child(node)
	tracks.moves_instead(node, made)
	return made


## Hangs a node below another one; `_own` gives all nodes their owner in the end.
static func move(node: Node, to: Node) -> void:
	_disown(node)
	node.get_parent().remove_child(node)
	to.add_child(node)


static func _disown(node: Node) -> void:
	node.owner = null
	for child in node.get_children():
		_disown(child)


# Takes the scale off a body; what hangs on it gets a node with it.
func _straighten(at: int, body: Node3D, turn: Quaternion) -> void:
	var place := place_of(at)
	var straight := Transform3D(Shapes.turned(place.basis) * Basis(turn), place.origin)
	if _animated.has(at) or body == _root:
		return
	var above := placed(body.get_parent()) if body != _root else Transform3D.IDENTITY
	body.transform = above.affine_inverse() * straight
	var rest := straight.affine_inverse() * place
	if rest.is_equal_approx(Transform3D.IDENTITY):
		return
	var held := body.get_children()
	if held.is_empty():
		return
	var holder := Node3D.new()
	holder.name = "%s Scaled" % body.name
	holder.transform = rest
	for child in held:
		move(child, holder)
	body.add_child(holder)


func _set_body(at: int, body: CollisionObject3D) -> void:
	var motion: Dictionary = _of(at).get("motion", {})
	var turn := Quaternion.IDENTITY
	if not motion.is_empty() and _type(at) == "dynamic" and not _animated.has(at):
		var inertia: Vector3 = motion["inertia"]
		if inertia != Vector3.ZERO and not (inertia.x == inertia.y and inertia.y == inertia.z):
			turn = motion["orientation"]
	_straighten(at, body, turn)
	if body is AnimatableBody3D:
		(body as AnimatableBody3D).sync_to_physics = false
	if body is KinematicMover:
		var mover := body as KinematicMover
		mover.own_linear_velocity = motion["linear"]
		mover.own_angular_velocity = motion["angular"]
	if body is DynamicBody:
		_set_dynamic(at, body as DynamicBody, motion, turn)
	if body is Vehicle:
		_set_vehicle(at, body as Vehicle)


func _set_dynamic(at: int, body: DynamicBody, motion: Dictionary, turn: Quaternion) -> void:
	body.linear_damp_mode = RigidBody3D.DAMP_MODE_REPLACE
	body.angular_damp_mode = RigidBody3D.DAMP_MODE_REPLACE
	body.linear_damp = 0.0
	body.angular_damp = 0.0
	body.gravity_scale = motion["gravity_factor"]
	body.begins_in_volumes = _physics.values().any(func(each: Dictionary) -> bool: return each.has("gravity"))
	body.start_linear_velocity = turn.inverse() * (motion["linear"] as Vector3)
	body.start_angular_velocity = turn.inverse() * (motion["angular"] as Vector3)
	if motion["mass"] != null:
		body.mass = clampf(motion["mass"], 0.001, HEAVY)
	var inertia: Vector3 = motion["inertia"]
	if inertia != Vector3.ZERO:
		body.inertia = inertia.min(Vector3.ONE * 1e9)
	if motion["center"] != null:
		body.center_of_mass_mode = RigidBody3D.CENTER_OF_MASS_MODE_CUSTOM
		var center: Vector3 = motion["center"]
		body.center_of_mass = placed(body).affine_inverse() * (place_of(at) * center)


func _set_area(at: int, area: Area3D) -> void:
	if not area is GravityVolume:
		return
	var said: Dictionary = _of(at)["gravity"]
	var volume := area as GravityVolume
	# The scale of the node scales distances.
	var scale := pow(absf(place_of(at).basis.determinant()), 1.0 / 3.0)
	volume.field = said["type"]
	volume.strength = said["gravity"]
	volume.priority = clampi(said["priority"], 0, 100000) if said["priority"] >= 0 else 0
	volume.replace = said["replace"]
	volume.stop = said["stop"]
	volume.direction = said["direction"]
	volume.unit_distance = said["unit"] * scale
	volume.radius = said["radius"] * scale
	var points := PackedVector3Array()
	for point: Vector3 in said["points"]:
		points.append(point * scale)
	volume.points = points
	if said["shape"] is Dictionary:
		var rest := Transform3D(Basis.IDENTITY.scaled(place_of(at).basis.get_scale().abs()), Vector3.ZERO)
		var made := Shapes.make(said["shape"], rest, faces_of, false)
		volume.surface = made.get("shape")
		volume.surface_place = made.get("at", Transform3D.IDENTITY)


func _set_vehicle(at: int, vehicle: Vehicle) -> void:
	var said: Dictionary = _of(at)["vehicle"]
	vehicle.read(said)
	var seat := int(said.get("pilotSeat", -1))
	if _places.has(seat):
		_pilots[vehicle] = seat


func _set_part(at: int, part: Node3D) -> void:
	var physics := _of(at)
	if part is Wheel:
		(part as Wheel).read(physics["wheel"])
	elif part is Thruster:
		(part as Thruster).read(physics["hover"] if part is HoverThruster else physics["thruster"])
	elif part is Seat:
		var said: Dictionary = physics["seat"]
		var seat := part as Seat
		seat.back = _said_vector(said["back"])
		seat.foot = _said_vector(said["foot"])
		seat.knee = _said_vector(said["knee"])
		seat.angle = said.get("angle", PI / 2.0)
	_rename(part)


# Keeps the editor from taking the end of the name of a node with physics for a command.
static func _rename(node: Node) -> void:
	var found := RegEx.create_from_string(_COMMANDS).search(node.name)
	if found != null:
		node.name = node.name.erase(found.get_start()).insert(found.get_start(), " ")


static func _said_vector(numbers: Array) -> Vector3:
	return Vector3(numbers[0], numbers[1], numbers[2])


# Hangs a body that moves beside those that it is below, which would take it along.
func _free_from_others(at: int) -> void:
	if not _bodies.has(at) or _type(at) == "static":
		return
	var body: Node3D = _bodies[at]
	var outmost: Node = null
	var above := body.get_parent()
	while above != null and body != _root:
		if above is RigidBody3D or above is AnimatableBody3D:
			outmost = above
		if above == _root:
			break
		above = above.get_parent()
	if outmost == null or outmost == _root:
		return
	var place := placed(body)
	move(body, outmost.get_parent())
	body.transform = placed(outmost.get_parent()).affine_inverse() * place


func _add_shapes() -> void:
	for at: int in _physics:
		if not _places.has(at):
			continue
		var physics := _of(at)
		if physics.has("collider") and physics["collider"]["shape"] is Dictionary:
			var body := body_node(at)
			if body != null:
				_add_shape(at, physics["collider"]["shape"], body)
				_note_surface(at, body, physics["collider"])
		if _areas.has(at):
			for of: int in _trigger_shapes(at):
				if _places.has(of):
					_add_shape(of, _of(of)["trigger"]["shape"], _areas[at])
			_layers.add(physics["trigger"]["filter"])
	for body: Variant in _bodies.values():
		if not body in _kinds:
			_note_surface(-1, body, {"material": null, "filter": null})


func _add_shape(at: int, said: Dictionary, to: CollisionObject3D) -> void:
	var of := said.get("node", -1) as int
	var place := placed(to).affine_inverse() * place_of(at)
	var made := Shapes.make(said, place, faces_of, to is RigidBody3D)
	if made.is_empty():
		push_warning("OMI Physics: '%s' has no shape, because its mesh has too few points" % to.name)
		return
	var shape := CollisionShape3D.new()
	shape.name = "%s Shape" % _state.get_nodes()[at].resource_name
	shape.shape = made["shape"]
	shape.transform = made["at"]
	to.add_child(shape)
	_volumes[to] = _volumes.get(to, 0.0) + made["volume"]


func _note_surface(at: int, body: CollisionObject3D, collider: Dictionary) -> void:
	if body in _kinds and at >= 0 and not _of(at).has("motion"):
		return  # A body of Godot has one surface and one filter: those of its first collider.
	_kinds[body] = _surfaces.add(collider["material"], body is RigidBody3D)
	_layers.add(collider["filter"])
	_filters[body] = collider["filter"]
	body.set_meta(Writer.SURFACE, collider["material"])  # For an export; null is for none.
	body.set_meta(Writer.FILTER, collider["filter"])


# Gives bodies their surfaces, layers and masses.
func _solve() -> void:
	var materials := _surfaces.solve()
	_layers.solve()
	for body: CollisionObject3D in _kinds:
		body.set("physics_material_override", materials[_kinds[body]])
		_layers.put(body, _filters[body])
	for at: int in _areas:
		_layers.put(_areas[at], _of(at)["trigger"]["filter"])
	for at: int in _bodies:
		var motion: Dictionary = _of(at).get("motion", {})
		if _bodies[at] is RigidBody3D and motion["mass"] == null:
			_bodies[at].mass = clampf(_volumes.get(_bodies[at], 0.0) * DENSITY, 0.001, HEAVY)
			if _volumes.get(_bodies[at], 0.0) == 0.0:
				_bodies[at].mass = 1.0


## The corners of the triangles of the mesh of a shape, in the space of its node.
func faces_of(said: Dictionary) -> PackedVector3Array:
	if said.has("node"):
		return _faces_below(said["node"], Transform3D(place_of(said["node"]).affine_inverse()))
	return _mesh_faces(said["mesh"])


func _faces_below(at: int, back: Transform3D) -> PackedVector3Array:
	var nodes := _state.get_nodes()
	if at < 0 or at >= nodes.size():
		return PackedVector3Array()
	var found := _mesh_faces(nodes[at].mesh)
	for child in nodes[at].children:
		found.append_array(nodes[child].xform * _faces_below(child, back))
	return found


func _mesh_faces(at: int) -> PackedVector3Array:
	var meshes := _state.get_meshes()
	var faces := PackedVector3Array()
	if at < 0 or at >= meshes.size() or meshes[at].mesh == null:
		return faces
	var mesh := meshes[at].mesh
	for i in mesh.get_surface_count():
		if mesh.get_surface_primitive_type(i) != Mesh.PRIMITIVE_TRIANGLES:
			continue
		var arrays := mesh.get_surface_arrays(i)
		var points: PackedVector3Array = arrays[Mesh.ARRAY_VERTEX]
		var corners: Variant = arrays[Mesh.ARRAY_INDEX]
		if corners == null or (corners as PackedInt32Array).is_empty():
			faces.append_array(points)
			continue
		for corner: int in corners:
			faces.append(points[corner])
	return faces


func _seat_pilots() -> void:
	for vehicle: Vehicle in _pilots:
		vehicle.pilot_seat = vehicle.get_path_to(node_of(_pilots[vehicle]))


func _add_world_gravity() -> void:
	var said: Variant = _said["world"]
	if said == null:
		return
	var world := WorldGravity.new()
	world.name = "World Gravity"
	world.gravity = said["gravity"]
	world.direction = said["direction"]
	_root.add_child(world)


# Everything belongs to the scene, so that it is saved with it.
func _own(node: Node) -> void:
	for child in node.get_children():
		if child.owner == null:
			child.owner = _root
		_own(child)
