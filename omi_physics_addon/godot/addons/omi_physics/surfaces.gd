# Finds the friction and bounce of bodies with which Godot makes of each pair what files say.
#
# A file says of two surfaces how their numbers combine. Godot takes the smaller friction, unless a
# surface is rough, and the sum of the bounces. So each kind of surface gets numbers that give what
# is wanted with all others that it may touch; where no numbers do for all, those that are off least.
# Kinds of bodies that never move do not touch each other.
@tool
extends RefCounted

const DEFAULT := {
	"dynamicFriction": 0.6, "restitution": 0.0, "frictionCombine": "average", "restitutionCombine": "average",
}
const _ORDER: Array[String] = ["average", "minimum", "maximum", "multiply"]
const _ROUNDS := 60

var _kinds: Array = []  # [material, moves]
var _keys := {}


# The number of a kind of surface.
func add(material: Variant, moves: bool) -> int:
	var said: Dictionary = material if material is Dictionary else {}
	var full := DEFAULT.merged(said, true)
	var key := [full["dynamicFriction"], full["restitution"], str(full["frictionCombine"]).to_lower(), str(full["restitutionCombine"]).to_lower(), moves]
	if not _keys.has(key):
		_keys[key] = _kinds.size()
		_kinds.append(key)
	return _keys[key]


# A PhysicsMaterial for each kind.
func solve() -> Array[PhysicsMaterial]:
	var bounces := _bounces()
	var frictions := _frictions()
	var found: Array[PhysicsMaterial] = []
	for i in _kinds.size():
		var made := PhysicsMaterial.new()
		made.friction = frictions[i].x
		made.rough = frictions[i].y > 0.0
		made.bounce = absf(bounces[i])
		made.absorbent = bounces[i] < 0.0
		found.append(made)
	return found


# What two numbers make, by the modes of both surfaces; the first mode in order counts.
static func combined(one: float, other: float, mode: String, other_mode: String) -> float:
	for each in _ORDER:
		if mode == each or other_mode == each:
			match each:
				"minimum":
					return minf(one, other)
				"maximum":
					return maxf(one, other)
				"multiply":
					return one * other
			break
	return (one + other) / 2.0


func _touch(i: int, k: int) -> bool:
	return _kinds[i][4] or _kinds[k][4]


# How much a pair counts where not all can be right: most of what moves touches what does not.
func _counts(i: int, k: int) -> float:
	return 1.0 if _kinds[i][4] != _kinds[k][4] else 0.002


func _wanted(i: int, k: int, number: int) -> float:
	return combined(_kinds[i][number], _kinds[k][number], _kinds[i][number + 2], _kinds[k][number + 2])


# The sums nearest to what is wanted.
func _bounces() -> PackedFloat64Array:
	var count := _kinds.size()
	var found := PackedFloat64Array()
	for i in count:
		found.append(_wanted(i, i, 1) / 2.0)
	for _round in _ROUNDS * 20:
		for i in count:
			var sum := 0.0
			var weight := 0.0
			for k in count:
				if _touch(i, k):
					var share := 2.0 if i == k else 1.0
					var rest := 0.0 if i == k else found[k]
					var counts := _counts(i, k)
					sum += counts * share * (_wanted(i, k, 1) - rest)
					weight += counts * share * share
			if weight > 0.0:
				found[i] = sum / weight
	return found


# Of each kind its friction (x) and whether it is rough (y).
func _frictions() -> PackedVector2Array:
	var count := _kinds.size()
	var found := PackedVector2Array()
	for i in count:
		found.append(Vector2(_kinds[i][0], 1.0 if _kinds[i][4] else 0.0))
	for _round in _ROUNDS:
		var changed := false
		for i in count:
			var best := found[i]
			var least := _error(found, i)
			for k in count:
				if not _touch(i, k):
					continue
				for rough in [0.0, 1.0]:
					var tried := found.duplicate()
					tried[i] = Vector2(_wanted(i, k, 0), rough)
					var error := _error(tried, i)
					if error < least - 1e-12:
						least = error
						best = tried[i]
						changed = true
			found[i] = best
		if not changed:
			break
	return found


func _error(found: PackedVector2Array, i: int) -> float:
	var error := 0.0
	for k in _kinds.size():
		if _touch(i, k):
			var one := -found[i].x if found[i].y > 0.0 else found[i].x
			var other := -found[k].x if found[k].y > 0.0 else found[k].x
			error += _counts(i, k) * pow(absf(minf(one, other)) - _wanted(i, k, 0), 2.0)
	return error
