# A thruster that pushes along its +Z, with a gimbal. Source: OMI_vehicle_thruster.
#
# On a vehicle it does as that tells it, whatever the file says of its targets.
@tool
extends "part.gd"

const _STEADYING := 0.5  # How much of an angular command goes into lifting harder.

## The most that it pushes, in N; of a hover thruster its energy, in J.
@export var most := 0.0
## In N/s (or J/s); negative for at once.
@export var change_rate := -1.0
@export_range(0.0, 180.0, 0.1, "radians_as_degrees") var max_gimbal := 0.0
## In rad/s; negative for at once.
@export var gimbal_change_rate := 1.0
## Share of the gimbal that linear commands use.
@export var linear_gimbal_adjust_ratio := 0.0
@export var target_ratio := 0.0
@export var target_gimbal_ratio := Vector2.ZERO

var gimbal := Vector2.ZERO  # rad
var power := 0.0


## Takes the parameters of a file.
func read(said: Dictionary) -> void:
	most = number(said, ["maxForce"], 0.0)
	change_rate = number(said, ["forceChangeRate"], -1.0)
	_read_shared(said, 0.0)
	target_ratio = number(said, ["targetForceRatio", "currentForceRatio"], 0.0)


func _read_shared(said: Dictionary, adjust: float) -> void:
	max_gimbal = number(said, ["maxGimbal"], 0.0)
	gimbal_change_rate = number(said, ["gimbalChangeRate"], 1.0)
	linear_gimbal_adjust_ratio = number(said, ["linearGimbalAdjustRatio"], adjust)
	target_gimbal_ratio = pair(said, ["targetGimbalRatio", "currentGimbalRatio"])


func is_hover() -> bool:
	return false


func _ready() -> void:
	super()
	gimbal = target_gimbal_ratio.limit_length(1.0) * max_gimbal
	power = clampf(target_ratio, 0.0, 1.0) * most


func _physics_process(delta: float) -> void:  # On a body that is no vehicle.
	act(delta)


## Where it pushes now, in the axes of its body.
func direction() -> Vector3:
	return rest.basis * turned(gimbal).z


## The rotation by a gimbal, in rad about X and Y.
static func turned(angles: Vector2) -> Basis:
	var size := angles.length()
	return Basis(Vector3(angles.x, angles.y, 0.0) / size, size) if size > 1e-9 else Basis.IDENTITY


## Follows what it is told as fast as its rates allow, and pushes.
func act(delta: float) -> void:
	if body == null:
		return
	var wanted := target_gimbal_ratio.limit_length(1.0)
	var ratio := target_ratio
	if vehicle != null:
		wanted = _gimbal_told()
	gimbal = _approached(wanted * max_gimbal, delta)
	var way := direction()
	if vehicle != null:
		ratio = maxf(vehicle.linear.dot(way), 0.0)
		if is_hover():
			ratio += maxf(_STEADYING * vehicle.angular.dot(_arm().cross(way)), 0.0)
	power = approach(power, clampf(ratio, 0.0, 1.0) * most, change_rate, delta)
	show_moved(Transform3D(turned(gimbal), Vector3.ZERO))
	if power <= 0.0:
		return
	var turn := body.global_basis.orthonormalized()
	var at := turn * rest.origin
	var force := turn * way * (power * _per_power(body.global_position + at, turn * way))
	if vehicle != null:
		vehicle.push(force, at)
	else:
		body.apply_force(force, at)


func _approached(target: Vector2, delta: float) -> Vector2:
	return target if gimbal_change_rate < 0.0 else gimbal.move_toward(target, gimbal_change_rate * delta)


func _arm() -> Vector3:
	return rest.origin - body.center_of_mass


# The share of the gimbal that answers commands; it depends on whether it pushes from behind.
func _gimbal_told() -> Vector2:
	var side := -1.0 if _arm().dot(rest.basis.z) < 0.0 else 1.0
	var local := rest.basis.transposed() * vehicle.angular
	var turning := (Vector2(local.x, local.y) * side).limit_length(1.0)
	var along := turned(gimbal).transposed() * (rest.basis.transposed() * vehicle.linear)
	var aside := Vector2(-along.y, along.x).limit_length(1.0)
	return (turning + aside * linear_gimbal_adjust_ratio).limit_length(1.0)


# Newtons for a power of one.
func _per_power(_at: Vector3, _way: Vector3) -> float:
	return 1.0
