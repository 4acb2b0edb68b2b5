# Makes collision shapes of Godot from shapes of files, without any scale left on them.
@tool
extends RefCounted

const _AROUND := 20  # Corners of a ring; whole hulls stay below the 256 that Jolt takes.
const _STEP := 0.35  # rad between two rings, at most.
const _MOST := 240  # Corners of a hull.
const _EVEN := 1e-4


# What a shape is below a body: "shape", "at" (its place, without scale) and "volume", m³.
#
# `place` leads from the shape's node to the body; `faces` gives the triangles of a mesh.
# Returns {} where nothing can be made of it.
static func make(said: Dictionary, place: Transform3D, faces: Callable, moves: bool) -> Dictionary:
	var scale := place.basis.get_scale().abs()
	var is_sheared := _is_sheared(place.basis)
	var at := Transform3D(turned(place.basis), place.origin)
	match said.get("type", ""):
		"box":
			var size: Vector3 = said["size"] * scale
			if is_sheared:
				return _hull(_corners(said["size"]), place)
			var box := BoxShape3D.new()
			box.size = size
			return {"shape": box, "at": at, "volume": size.x * size.y * size.z}
		"sphere":
			var sphere := SphereShape3D.new()
			sphere.radius = said["radius"] * _even(scale)
			return {"shape": sphere, "at": at, "volume": 4.0 / 3.0 * PI * pow(sphere.radius, 3.0)}
		"capsule", "cylinder":
			return _make_round(said, scale, at, place)
		"plane":
			return _plane(said, scale, at, moves)
		"mesh":
			var points: PackedVector3Array = faces.call(said)
			if points.is_empty():
				return {}
			return _hull(points, place) if said["hull"] or moves else _trimesh(points, place)
	return {}


# The rotation nearest to a basis that may be scaled and sheared (its polar decomposition, by
# Newton's method); what mirrors has that of its opposite.
static func turned(basis: Basis) -> Basis:
	var size := basis.determinant()
	var lengths := basis.x.length() * basis.y.length() * basis.z.length()
	if absf(size) <= 1e-6 * lengths or size == 0.0:
		return Basis.IDENTITY if basis.x.length() * basis.y.length() == 0.0 else basis.orthonormalized()
	var even := pow(absf(size), -1.0 / 3.0) * signf(size)
	var found := Basis(basis.x * even, basis.y * even, basis.z * even)
	for _round in 40:
		var other := found.inverse().transposed()
		var next := Basis((found.x + other.x) / 2.0, (found.y + other.y) / 2.0, (found.z + other.z) / 2.0)
		var is_done := next.is_equal_approx(found)
		found = next
		if is_done:
			break
	return found.orthonormalized()


static func _is_sheared(basis: Basis) -> bool:
	var x := basis.x.normalized()
	var y := basis.y.normalized()
	var z := basis.z.normalized()
	return maxf(absf(x.dot(y)), maxf(absf(y.dot(z)), absf(z.dot(x)))) > 1e-3


# The even scale of the same volume.
static func _even(scale: Vector3) -> float:
	return pow(scale.x * scale.y * scale.z, 1.0 / 3.0)


static func _make_round(said: Dictionary, scale: Vector3, at: Transform3D, place: Transform3D) -> Dictionary:
	var is_capsule: bool = said["type"] == "capsule"
	var across := _even(scale)
	var along := across
	var is_round := absf(scale.x - scale.z) <= _EVEN * maxf(scale.x, scale.z)
	if is_round and (not is_capsule or absf(scale.x - scale.y) <= _EVEN * maxf(scale.x, scale.y)):
		across = scale.x
		along = scale.y
	var height: float = said["height"] * along
	var bottom: float = said["bottom"] * across
	var top: float = said["top"] * across
	if not is_equal_approx(bottom, top):
		var rings := _capsule_rings(height, bottom, top) if is_capsule else _cylinder_rings(height, bottom, top)
		if place.basis.determinant() < 0.0:  # Its rotation has the ends the other way round.
			at.basis = at.basis * Basis.from_scale(-Vector3.ONE)
		return _hull(_ring_points(rings), at)
	if is_capsule and height <= 1e-6:
		var ball := SphereShape3D.new()
		ball.radius = bottom
		return {"shape": ball, "at": at, "volume": 4.0 / 3.0 * PI * pow(bottom, 3.0)}
	if is_capsule:
		var capsule := CapsuleShape3D.new()
		capsule.height = height + 2.0 * bottom
		capsule.radius = bottom
		return {"shape": capsule, "at": at, "volume": PI * bottom * bottom * (height + 4.0 / 3.0 * bottom)}
	var cylinder := CylinderShape3D.new()
	cylinder.height = height
	cylinder.radius = bottom
	return {"shape": cylinder, "at": at, "volume": PI * bottom * bottom * height}


# Radii and heights of the rings of a hull, from the lowest up.
static func _cylinder_rings(height: float, bottom: float, top: float) -> PackedVector2Array:
	return PackedVector2Array([Vector2(bottom, -height / 2.0), Vector2(top, height / 2.0)])


static func _capsule_rings(height: float, bottom: float, top: float) -> PackedVector2Array:
	var rings := PackedVector2Array()
	var half := height / 2.0
	if absf(bottom - top) >= height:  # The larger sphere holds the other one.
		var radius := maxf(bottom, top)
		var middle := half if top > bottom else -half
		for ring in _arc(radius, 0.0):
			rings.append(Vector2(ring.x, middle - ring.y))
			rings.append(Vector2(ring.x, middle + ring.y))
		return rings
	var touch := asin((bottom - top) / height)  # Where a straight line touches both spheres.
	for ring in _arc(bottom, touch):
		rings.append(Vector2(ring.x, -half - ring.y))
	for ring in _arc(top, -touch):
		rings.append(Vector2(ring.x, half + ring.y))
	return rings


# Rings of the end of a capsule, from where its side begins at a latitude of -touch.
static func _arc(radius: float, touch: float) -> PackedVector2Array:
	if radius <= 0.0:
		return PackedVector2Array([Vector2.ZERO])
	var whole := PI / 2.0 + touch
	var count := maxi(1, ceili(whole / _STEP))
	var step := whole / count
	var rings := PackedVector2Array()
	for i in count:
		var latitude := i * step - touch
		rings.append(Vector2(radius * cos(latitude), radius * sin(latitude)))
	rings.append(Vector2(radius * tan(step / 2.0), radius))  # A small disc to stand on.
	return rings


static func _ring_points(rings: PackedVector2Array) -> PackedVector3Array:
	var points := PackedVector3Array()
	var wider := (1.0 + 1.0 / cos(PI / _AROUND)) / 2.0
	for ring in rings:
		if ring.x <= 0.0:
			points.append(Vector3(0.0, ring.y, 0.0))
			continue
		for i in _AROUND:
			var angle := TAU * i / _AROUND
			points.append(Vector3(ring.x * wider * cos(angle), ring.y, ring.x * wider * sin(angle)))
	return points


static func _plane(said: Dictionary, scale: Vector3, at: Transform3D, moves: bool) -> Dictionary:
	var x: float = said["x"] * scale.x
	var z: float = said["z"] * scale.z
	if not moves and not is_finite(x) and not is_finite(z):
		return {"shape": WorldBoundaryShape3D.new(), "at": at, "volume": 0.0}
	var size := Vector2(minf(x, 1000.0), minf(z, 1000.0)) / 2.0
	var corners := PackedVector3Array([
		Vector3(-size.x, 0.0, -size.y), Vector3(size.x, 0.0, -size.y),
		Vector3(size.x, 0.0, size.y), Vector3(-size.x, 0.0, size.y),
	])
	if moves:  # Godot's bodies that move have no open surfaces.
		var box := BoxShape3D.new()
		box.size = Vector3(2.0 * size.x, 0.1, 2.0 * size.y)
		return {"shape": box, "at": at * Transform3D(Basis.IDENTITY, Vector3(0.0, -0.05, 0.0)), "volume": 0.0}
	var mesh := ConcavePolygonShape3D.new()
	mesh.set_faces(PackedVector3Array([corners[0], corners[1], corners[2], corners[0], corners[2], corners[3]]))
	mesh.backface_collision = said["double"]
	return {"shape": mesh, "at": at, "volume": 0.0}


static func _trimesh(points: PackedVector3Array, place: Transform3D) -> Dictionary:
	var faces := place * points
	if place.basis.determinant() < 0.0:
		for i in range(0, faces.size() - 2, 3):
			var first := faces[i]
			faces[i] = faces[i + 1]
			faces[i + 1] = first
	var mesh := ConcavePolygonShape3D.new()
	mesh.set_faces(faces)
	mesh.backface_collision = true
	return {"shape": mesh, "at": Transform3D.IDENTITY, "volume": 0.0}


static func _hull(points: PackedVector3Array, place: Transform3D) -> Dictionary:
	var corners := _fewer(place * points)
	if corners.size() < 4:
		return {}
	var hull := ConvexPolygonShape3D.new()
	hull.points = corners
	return {"shape": hull, "at": Transform3D.IDENTITY, "volume": _hull_volume(corners)}


static func _corners(size: Vector3) -> PackedVector3Array:
	var found := PackedVector3Array()
	for i in 8:
		found.append(Vector3(i & 1, (i >> 1) & 1, (i >> 2) & 1) * size - size / 2.0)
	return found


# Each point once, and where these are too many, those that lie outmost in even directions.
static func _fewer(points: PackedVector3Array) -> PackedVector3Array:
	var seen := {}
	for point in points:
		seen[point.snapped(Vector3.ONE * 1e-6)] = point
	var once := PackedVector3Array(seen.values())
	if once.size() <= _MOST:
		return once
	var outmost := {}
	for i in _MOST:
		var y := 1.0 - (2.0 * i + 1.0) / _MOST
		var angle := i * PI * (3.0 - sqrt(5.0))
		var way := Vector3(cos(angle) * sqrt(1.0 - y * y), y, sin(angle) * sqrt(1.0 - y * y))
		var best := 0
		var farthest := -INF
		for k in once.size():
			var far := way.dot(once[k])
			if far > farthest:
				farthest = far
				best = k
		outmost[best] = once[best]
	return PackedVector3Array(outmost.values())


static func _hull_volume(points: PackedVector3Array) -> float:
	var corners := Geometry3D.tetrahedralize_delaunay(points)
	var volume := 0.0
	for i in range(0, corners.size() - 3, 4):
		var a := points[corners[i]]
		volume += absf((points[corners[i + 1]] - a).cross(points[corners[i + 2]] - a).dot(points[corners[i + 3]] - a)) / 6.0
	return volume
