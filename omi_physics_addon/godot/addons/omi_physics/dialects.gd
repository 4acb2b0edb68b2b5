# Turns the JSON of all published forms of OMI's and Khronos's physics into one form.
#
# What comes out is a Dictionary: "nodes" has by index what a node has ("motion", "collider",
# "trigger", "joint", "gravity", "vehicle", "wheel", "thruster", "hover", "seat"), with shapes,
# materials, filters and settings in place of their indices. Sizes are those of today's OMI: the
# height of a capsule is the distance between its centers.
@tool
extends RefCounted

const NAMES: Array[String] = [
	"OMI_physics_shape", "OMI_physics_body", "OMI_physics_joint", "OMI_physics_gravity",
	"OMI_vehicle_body", "OMI_vehicle_wheel", "OMI_vehicle_thruster", "OMI_vehicle_hover_thruster",
	"OMI_seat", "OMI_collider", "KHR_physics_rigid_bodies", "KHR_rigid_bodies",
	"MSFT_rigid_bodies", "KHR_implicit_shapes", "KHR_collision_shapes",
	"MSFT_collision_primitives",
]
const _KHR: Array[String] = ["KHR_physics_rigid_bodies", "KHR_rigid_bodies", "MSFT_rigid_bodies"]
const _KHR_SHAPES: Array[String] = [
	"KHR_implicit_shapes", "KHR_collision_shapes", "MSFT_collision_primitives",
]

var _json: Dictionary
var _root: Dictionary
var _family := ""
var _shapes: Array = []
var _materials: Array = []
var _filters: Array = []
var _settings: Array = []


# The physics of a parsed glTF.
func read(json: Dictionary) -> Dictionary:
	_json = json
	_root = dict(json.get("extensions"))
	var nodes := list(json.get("nodes"))
	_family = _found_family(nodes)
	_read_lists()
	var found := {"family": _family, "nodes": {}, "world": null}
	for i in nodes.size():
		var own := dict(dict(nodes[i]).get("extensions"))
		var physics := _node(own)
		if not physics.is_empty():
			found["nodes"][i] = physics
	_take_older_colliders(nodes, found["nodes"])
	var world := dict(_root.get("OMI_physics_gravity"))
	if world.has("gravity"):
		found["world"] = {"gravity": number(world, "gravity", 9.80665), "direction": vector(world, "direction", Vector3.DOWN)}
	return found


# Files of both families say the same twice; OMI's is taken.
func _found_family(nodes: Array) -> String:
	for node in nodes:
		var own := dict(dict(node).get("extensions"))
		if own.has("OMI_physics_body") or own.has("OMI_physics_joint") or own.has("OMI_collider"):
			return "OMI"
	for name in _KHR:
		if _root.has(name):
			return name
		for node in nodes:
			if dict(dict(node).get("extensions")).has(name):
				return name
	return "OMI"


func _read_lists() -> void:
	if _family == "OMI":
		var body := dict(_root.get("OMI_physics_body"))
		_materials = list(body.get("physicsMaterials"))
		_filters = list(body.get("collisionFilters"))
		for shape in list(dict(_root.get("OMI_physics_shape")).get("shapes")):
			_shapes.append(_omi_shape(dict(shape)))
		_settings = list(dict(_root.get("OMI_physics_joint")).get("physicsJoints"))
		return
	var khr := dict(_root.get(_family))
	_materials = list(khr.get("physicsMaterials"))
	_filters = list(khr.get("collisionFilters"))
	_settings = list(khr.get("physicsJoints", khr.get("physicsJointLimits")))
	for name in _KHR_SHAPES:
		if _root.has(name):
			var found := dict(_root[name])
			for shape in list(found.get("shapes", found.get("colliders"))):
				_shapes.append(_khr_shape(dict(shape)))
			break


func _node(own: Dictionary) -> Dictionary:
	var found := {}
	if _family == "OMI":
		_omi_body(own, found)
		_omi_joint(own, found)
	elif own.has(_family):
		_khr_body(dict(own[_family]), found)
	if own.has("OMI_physics_gravity"):
		found["gravity"] = _gravity(dict(own["OMI_physics_gravity"]))
	if own.has("OMI_vehicle_body"):
		found["vehicle"] = dict(own["OMI_vehicle_body"])
	_part(own, "OMI_vehicle_wheel", "wheel", "wheels", found, "wheel")
	_part(own, "OMI_vehicle_thruster", "thruster", "thrusters", found, "thruster")
	_part(own, "OMI_vehicle_hover_thruster", "hoverThruster", "hoverThrusters", found, "hover")
	var seat := dict(own.get("OMI_seat"))
	if list(seat.get("back")).size() == 3 and list(seat.get("foot")).size() == 3 and list(seat.get("knee")).size() == 3:
		found["seat"] = seat
	return found


func _part(own: Dictionary, extension: String, key: String, plural: String, found: Dictionary, part: String) -> void:
	if not own.has(extension):
		return
	var said := dict(own[extension])
	var items := list(dict(_root.get(extension)).get(plural))
	var at := index(said, key)
	# Before 2025 the numbers stood on the node itself.
	found[part] = dict(items[at]).duplicate(true) if at >= 0 and at < items.size() else said.duplicate(true)
	if part == "wheel":
		found[part]["material"] = _item(_materials, index(found[part], "physicsMaterial"))


# OMI


func _omi_body(own: Dictionary, found: Dictionary) -> void:
	var body := dict(own.get("OMI_physics_body"))
	if body.has("type"):  # Until September 2023.
		var kind := str(body["type"])
		if kind == "trigger":
			found["trigger"] = {"shape": null, "nodes": null, "filter": null}
		else:
			var type: String = {"rigid": "dynamic", "vehicle": "dynamic", "character": "kinematic"}.get(kind, kind)
			found["motion"] = _motion(body, type)
	if body.has("motion"):
		var motion := dict(body["motion"])
		found["motion"] = _motion(motion, str(motion.get("type", "dynamic")))
	if body.has("collider"):
		var collider := dict(body["collider"])
		found["collider"] = {
			"shape": _item(_shapes, index(collider, "shape")),
			"material": _item(_materials, index(collider, "physicsMaterial")),
			"filter": _item(_filters, index(collider, "collisionFilter")),
		}
	if body.has("trigger"):
		var trigger := dict(body["trigger"])
		found["trigger"] = {
			"shape": _item(_shapes, index(trigger, "shape")),
			"nodes": trigger.get("nodes"),
			"filter": _item(_filters, index(trigger, "collisionFilter")),
		}
	if own.has("OMI_physics_shape"):  # Until September 2023.
		found["collider"] = {
			"shape": _item(_shapes, index(dict(own["OMI_physics_shape"]), "shape")), "material": null, "filter": null,
		}


# OMI_collider, archived in June 2023.
func _take_older_colliders(nodes: Array, found: Dictionary) -> void:
	var older := list(dict(_root.get("OMI_collider")).get("colliders"))
	for i in nodes.size():
		var own := dict(dict(nodes[i]).get("extensions"))
		if not own.has("OMI_collider"):
			continue
		var said := dict(own["OMI_collider"])
		var at := index(said, "collider")
		var flat := dict(older[at]) if at >= 0 and at < older.size() else said
		var part := "trigger" if flat.get("isTrigger", false) else "collider"
		var physics: Dictionary = found.get_or_add(i, {})
		physics[part] = {"shape": _omi_shape(flat), "material": null, "filter": null, "nodes": null}


func _motion(said: Dictionary, type: String) -> Dictionary:
	var found := {
		"type": type if type in ["static", "kinematic", "dynamic"] else "dynamic",
		"mass": number(said, "mass", 1.0),
		"center": vector(said, "centerOfMass", Vector3.ZERO),
		"inertia": vector(said, "inertiaDiagonal", Vector3.ZERO),
		"orientation": quaternion(said, "inertiaOrientation"),
		"linear": vector(said, "linearVelocity", Vector3.ZERO),
		"angular": vector(said, "angularVelocity", Vector3.ZERO),
		"gravity_factor": number(said, "gravityFactor", 1.0),
	}
	if found["mass"] <= 0.0:
		found["mass"] = INF if found["mass"] == 0.0 else 1.0
	return found


func _omi_shape(said: Dictionary) -> Dictionary:
	var type := str(said.get("type", ""))
	var sizes := dict(said.get(type)) if said.get(type) is Dictionary else said  # Flat until June 2023.
	match type:
		"box":
			return {"type": "box", "size": vector(sizes, "size", Vector3.ONE)}
		"sphere":
			return {"type": "sphere", "radius": number(sizes, "radius", 0.5)}
		"capsule", "cylinder":
			# With "radius", which is the form until 2025, the height is that of the whole capsule.
			var older := sizes.has("radius") and not (sizes.has("radiusBottom") or sizes.has("radiusTop"))
			if older:
				var radius := number(sizes, "radius", 0.5)
				var whole := number(sizes, "height", 2.0)
				var between := maxf(whole - 2.0 * radius, 0.0) if type == "capsule" else whole
				return _round(type, between, radius, radius)
			var height := number(sizes, "height", 1.0 if type == "capsule" else 2.0)
			return _round(type, height, number(sizes, "radiusBottom", 0.5), number(sizes, "radiusTop", 0.5))
		"convex", "hull", "trimesh":
			return {"type": "mesh", "mesh": index(sizes, "mesh"), "hull": type != "trimesh"}
	push_warning("OMI Physics: the shape type '%s' is not known; the collider has no shape" % type)
	return {}


func _omi_joint(own: Dictionary, found: Dictionary) -> void:
	if not own.has("OMI_physics_joint"):
		return
	var said := dict(own["OMI_physics_joint"])
	if said.has("constraints"):  # Until November 2024.
		var older := list(dict(_root.get("OMI_physics_joint")).get("constraints"))
		var limits: Array = []
		for at in list(said["constraints"]):
			var each := dict(_item(older, int(at)))
			var limit := {"min": number(each, "lowerLimit", 0.0), "max": number(each, "upperLimit", 0.0), "damping": number(each, "damping", 1.0)}
			if each.has("stiffness"):
				limit["stiffness"] = each["stiffness"]
			limits.append(limit.merged({"linearAxes": each.get("linearAxes", [])}))
			limits.append(limit.merged({"angularAxes": each.get("angularAxes", [])}))
		found["joint"] = {
			"settings": _joint_settings({"limits": limits}), "of": index(said, "nodeA"),
			"connected": index(said, "nodeB"), "collide": false,
		}
		return
	found["joint"] = {
		"settings": _joint_settings(dict(_item(_settings, index(said, "joint")))), "of": -1,
		"connected": index(said, "connectedNode"), "collide": bool(said.get("enableCollision", false)),
	}


# KHR


func _khr_body(said: Dictionary, found: Dictionary) -> void:
	if said.has("motion"):
		var motion := dict(said["motion"])
		var made := _motion(motion, "kinematic" if motion.get("isKinematic", false) else "dynamic")
		if not motion.has("mass"):
			made["mass"] = null  # By its shapes.
		if not motion.has("centerOfMass"):
			made["center"] = null
		if motion.has("inertiaDiagonal"):  # 0 is without an end.
			var inertia: Vector3 = made["inertia"]
			for axis in 3:
				if inertia[axis] == 0.0:
					inertia[axis] = INF
			made["inertia"] = inertia
		found["motion"] = made
	if said.has("collider"):
		var collider := dict(said["collider"])
		found["collider"] = {
			"shape": _khr_geometry(collider),
			"material": _item(_materials, index(collider, "physicsMaterial")),
			"filter": _item(_filters, index(collider, "collisionFilter")),
		}
	if said.has("trigger"):
		var trigger := dict(said["trigger"])
		found["trigger"] = {
			"shape": _khr_geometry(trigger), "nodes": trigger.get("nodes"),
			"filter": _item(_filters, index(trigger, "collisionFilter")),
		}
	if said.has("joint"):
		var joint := dict(said["joint"])
		found["joint"] = {
			"settings": _joint_settings(dict(_item(_settings, index(joint, "joint" if joint.has("joint") else "jointLimits")))),
			"of": -1, "connected": index(joint, "connectedNode"), "collide": bool(joint.get("enableCollision", false)),
		}


func _khr_geometry(user: Dictionary) -> Variant:
	var geometry := dict(user.get("geometry"))
	var at := index(geometry, "shape")
	if at < 0:
		at = index(user, "shape" if user.has("shape") else "collider")
	if at >= 0:
		var shape: Variant = _item(_shapes, at)
		return shape
	var hull := bool(geometry.get("convexHull", false))
	if geometry.has("mesh"):
		return {"type": "mesh", "mesh": index(geometry, "mesh"), "hull": hull}
	if geometry.has("node"):
		return {"type": "mesh", "node": index(geometry, "node"), "mesh": -1, "hull": hull}
	return null


func _khr_shape(said: Dictionary) -> Dictionary:
	var type := str(said.get("type", ""))
	var sizes := dict(said.get(type))
	match type:
		"box":
			return {"type": "box", "size": vector(sizes, "size", Vector3.ONE)}
		"sphere":
			return {"type": "sphere", "radius": number(sizes, "radius", 0.5)}
		"capsule", "cylinder":
			return _round(type, number(sizes, "height", 0.5), number(sizes, "radiusBottom", 0.25), number(sizes, "radiusTop", 0.25))
		"plane":
			return {
				"type": "plane", "x": number(sizes, "sizeX", INF), "z": number(sizes, "sizeZ", INF),
				"double": bool(sizes.get("doubleSided", false)),
			}
		"convex", "trimesh", "mesh":
			var own := dict(dict(said.get("extensions")).get("KHR_physics_rigid_bodies"))
			var hull := type == "convex" or bool(sizes.get("convexHull", own.get("convexHull", false)))
			return {"type": "mesh", "mesh": index(sizes, "mesh"), "hull": hull}
	push_warning("OMI Physics: the shape type '%s' is not known; the collider has no shape" % type)
	return {}


# Both


func _round(type: String, height: float, bottom: float, top: float) -> Dictionary:
	return {"type": type, "height": height, "bottom": maxf(bottom, 0.0), "top": maxf(top, 0.0)}


# Limits by axis, which is what OMI's text says of a range over several; L0 L1 L2 A0 A1 A2.
func _joint_settings(said: Dictionary) -> Dictionary:
	var axes: Array = []
	for i in 6:
		axes.append({"min": -INF, "max": INF})
	var soft: Array = []
	for each in list(said.get("limits")):
		var limit := dict(each)
		var low := number(limit, "min", -INF)
		var high := number(limit, "max", INF)
		var stiffness := number(limit, "stiffness" if limit.has("stiffness") else "springConstant", INF)
		var damping := number(limit, "damping" if limit.has("damping") else "springDamping", 0.0)
		for kind in [["linearAxes", 0], ["angularAxes", 3]]:
			for axis in list(limit.get(kind[0])):
				var at: int = kind[1] + clampi(int(axis), 0, 2)
				if is_finite(stiffness) and stiffness >= 0.0:
					soft.append({"axis": at, "min": low, "max": high, "stiffness": stiffness, "damping": damping})
				else:
					axes[at]["min"] = maxf(axes[at]["min"], low)
					axes[at]["max"] = minf(axes[at]["max"], high)
	var drives: Array = []
	for each in list(said.get("drives")):
		var drive := dict(each)
		drives.append({
			"axis": clampi(index(drive, "axis"), 0, 2) + (3 if drive.get("type") == "angular" else 0),
			"is_acceleration": drive.get("mode") == "acceleration",
			"max_force": number(drive, "maxForce", INF) if number(drive, "maxForce", INF) >= 0.0 else INF,
			"position": number(drive, "positionTarget", NAN),
			"velocity": number(drive, "velocityTarget", NAN),
			"stiffness": number(drive, "stiffness", 0.0),
			"damping": number(drive, "damping", 0.0),
		})
	return {"axes": axes, "soft": soft, "drives": drives, "said": said}


func _gravity(said: Dictionary) -> Dictionary:
	var type := str(said.get("type", ""))
	var own := dict(said.get(type))
	var points := PackedVector3Array()
	var numbers := list(own.get("points"))
	for i in range(0, numbers.size() - 2, 3):
		points.append(Vector3(numbers[i], numbers[i + 1], numbers[i + 2]))
	return {
		"type": type, "gravity": number(said, "gravity", 9.80665),
		"priority": int(number(said, "priority", 0.0)),
		"replace": bool(said.get("replace", false)), "stop": bool(said.get("stop", false)),
		"direction": vector(own, "direction", Vector3.DOWN),
		"unit": number(own, "unitDistance", 0.0), "radius": number(own, "radius", 1.0),
		"points": points, "shape": _item(_shapes, index(own, "shape")),
	}


func _item(items: Array, at: int) -> Variant:
	return items[at] if at >= 0 and at < items.size() else null


# Values of JSON, which may be anything


static func dict(value: Variant) -> Dictionary:
	return value if value is Dictionary else {}


static func list(value: Variant) -> Array:
	return value if value is Array else []


static func index(of: Dictionary, key: String) -> int:
	var value: Variant = of.get(key)
	return int(value) if value is float or value is int else -1


static func number(of: Dictionary, key: String, otherwise: float) -> float:
	var value: Variant = of.get(key)
	return float(value) if value is float or value is int else otherwise


static func vector(of: Dictionary, key: String, otherwise: Vector3) -> Vector3:
	var value := list(of.get(key))
	return Vector3(value[0], value[1], value[2]) if value.size() == 3 else otherwise


static func quaternion(of: Dictionary, key: String) -> Quaternion:
	var value := list(of.get(key))
	if value.size() != 4:
		return Quaternion.IDENTITY
	var found := Quaternion(value[0], value[1], value[2], value[3])
	return found.normalized() if found.length() > 1e-6 else Quaternion.IDENTITY
