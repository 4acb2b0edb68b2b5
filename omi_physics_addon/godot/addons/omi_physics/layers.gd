# Turns the collision filters of a file into layers and masks of Godot.
#
# Filters that meet the same others share a layer, which is named after their systems in the project
# settings (by the editor). What has no filter stays on layer 1.
@tool
extends RefCounted

const COUNT := 32
const _SETTING := "layer_names/3d_physics/layer_%d"

var _khr := false
var _filters: Array = [null]
var _layers := PackedInt32Array()
var _masks := PackedInt64Array()


func _init(family: String) -> void:
	_khr = family != "OMI"


# Takes a filter note of; null for none.
func add(filter: Variant) -> void:
	if not filter in _filters:
		_filters.append(filter)


# Finds a layer for each filter; says what did not find one.
func solve() -> void:
	var count := _filters.size()
	var rows: Array = []
	for i in count:
		var row := PackedByteArray()
		for k in count:
			row.append(1 if _meets(_filters[i], _filters[k]) else 0)
		rows.append(row)
	var taken := {}
	var by_row := {}
	_layers.resize(count)
	for i in count:
		if not by_row.has(rows[i]):
			by_row[rows[i]] = _layer(i, taken)
		_layers[i] = by_row[rows[i]]
	for i in count:
		var mask := 0
		if _filters[i] == null:  # Meets what other files and scenes of the game have, too.
			mask = 0xFFFFFFFF
			for k in count:
				if not rows[i][k]:
					mask &= ~(1 << (_layers[k] - 1))
		for k in count:
			if rows[i][k]:
				mask |= 1 << (_layers[k] - 1)
		_masks.append(mask)


# Puts a body or a trigger on its layer.
func put(on: CollisionObject3D, filter: Variant) -> void:
	var at := _filters.find(filter)
	on.collision_layer = 1 << (_layers[at] - 1)
	on.collision_mask = _masks[at]


func _layer(i: int, taken: Dictionary) -> int:
	if _filters[i] == null:
		taken[1] = true
		return 1
	var name := "+".join(PackedStringArray(_systems(_filters[i])))
	if name == "":
		name = "no system"
	for pass_of in 2:  # First a layer of that name, then the first without one.
		for layer in range(2, COUNT + 1):
			var setting := _SETTING % layer
			var named := str(ProjectSettings.get_setting(setting, ""))
			if taken.has(layer) or named != (name if pass_of == 0 else ""):
				continue
			taken[layer] = true
			if pass_of == 1 and Engine.is_editor_hint():
				ProjectSettings.set_setting(setting, name)
				ProjectSettings.save()
			return layer
	push_warning("OMI Physics: the collision filter of '%s' finds no layer; it shares the last one" % name)
	return COUNT


static func _systems(filter: Dictionary) -> Array:
	return filter.get("collisionSystems", [])


func _meets(one: Variant, other: Variant) -> bool:
	return _allows(one, other) and _allows(other, one)


# Of an object in several systems OMI asks whether any is listed, Khronos's text whether all are.
func _allows(row: Variant, other: Variant) -> bool:
	if row == null:
		return true
	var systems: Array = [] if other == null else _systems(other)
	var only: Array = row.get("collideWithSystems", [])
	var all_but: Array = row.get("notCollideWithSystems", [])
	if not only.is_empty():
		if _khr:
			return systems.all(func(name: String) -> bool: return name in only)
		return systems.any(func(name: String) -> bool: return name in only)
	return not systems.any(func(name: String) -> bool: return name in all_but)
