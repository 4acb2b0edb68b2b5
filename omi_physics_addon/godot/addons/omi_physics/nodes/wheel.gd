# A wheel on a suspension. Source: OMI_vehicle_wheel.
#
# The node is where the wheel is when its suspension is fully pressed; unloaded, it hangs the travel
# below. It steers by the square of the command, with its sign; one behind the body's origin the
# other way.
@tool
extends "part.gd"

const Grip := preload("grip.gd")

@export var radius := 0.25
@export var width := 0.125
@export var suspension_travel := 0.25
@export var suspension_stiffness := 20000.0
@export var suspension_damping_compression := 2000.0
@export var suspension_damping_rebound := 2000.0
@export var max_propulsion_force := 0.0
## In N; negative for that of the motor.
@export var braking_force := -1.0
@export_range(0.0, 180.0, 0.1, "radians_as_degrees") var max_steering_angle := 0.0
## In rad/s; negative for at once.
@export var steering_change_rate := 1.0
## In N/s; negative for at once.
@export var propulsion_force_change_rate := -1.0
@export var static_friction := 1.0
@export var dynamic_friction := 1.0
@export var target_steering_ratio := 0.0
@export var target_propulsion_force_ratio := 0.0

var angle := 0.0  # rad
var drive := 0.0  # N
var brake := 0.0  # N
var length := 0.0  # m, below the node.
var load := 0.0  # N
var roll := 0.0  # rad


## Takes the parameters of a file.
func read(said: Dictionary) -> void:
	radius = number(said, ["radius"], 0.25)
	width = number(said, ["width"], 0.125)
	suspension_travel = number(said, ["suspensionTravel"], 0.25)
	suspension_stiffness = number(said, ["suspensionStiffness"], 20000.0)
	suspension_damping_compression = number(said, ["suspensionDampingCompression"], 2000.0)
	suspension_damping_rebound = number(said, ["suspensionDampingRebound"], 2000.0)
	max_propulsion_force = number(said, ["maxPropulsionForce", "maxForce"], 0.0)
	braking_force = number(said, ["brakingForce"], -1.0)
	max_steering_angle = number(said, ["maxSteeringAngle"], 0.0)
	steering_change_rate = number(said, ["steeringChangeRate"], 1.0)
	propulsion_force_change_rate = number(said, ["propulsionForceChangeRate"], -1.0)
	target_steering_ratio = number(said, ["targetSteeringRatio", "currentSteeringRatio"], 0.0)
	target_propulsion_force_ratio = number(said, ["targetPropulsionForceRatio", "currentForceRatio"], 0.0)
	var material: Variant = said.get("material")
	if material is Dictionary:
		static_friction = number(material, ["staticFriction"], 0.6)
		dynamic_friction = number(material, ["dynamicFriction"], 0.6)


func _ready() -> void:
	super()
	angle = clampf(target_steering_ratio, -1.0, 1.0) * max_steering_angle
	drive = clampf(target_propulsion_force_ratio, -1.0, 1.0) * max_propulsion_force
	length = suspension_travel


func _physics_process(delta: float) -> void:  # On a body that is no vehicle.
	if body != null:
		Grip.act(body, [self], PhysicsServer3D.body_get_direct_state(body.get_rid()), delta)


## Steers, drives and brakes as the vehicle tells it.
func follow(delta: float) -> void:
	var ratio := target_steering_ratio
	var driving := target_propulsion_force_ratio
	brake = 0.0
	if vehicle != null:
		ratio = vehicle.steering * absf(vehicle.steering) * (-1.0 if rest.origin.z < 0.0 else 1.0)
		driving = 0.0 if vehicle.braking else vehicle.driving * cos(angle)
		if vehicle.braking:
			brake = max_propulsion_force if braking_force < 0.0 else braking_force
	angle = approach(angle, clampf(ratio, -1.0, 1.0) * max_steering_angle, steering_change_rate, delta)
	drive = approach(drive, clampf(driving, -1.0, 1.0) * max_propulsion_force, propulsion_force_change_rate, delta)


## Shows it steered, rolled and as far down as it hangs.
func show_wheel() -> void:
	var turned := Basis(Vector3.UP, angle) * Basis(Vector3.RIGHT, roll)
	show_moved(Transform3D(turned, Vector3.DOWN * length))
