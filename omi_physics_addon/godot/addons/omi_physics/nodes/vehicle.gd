# A vehicle: its gyroscopes, and its wheels and thrusters in each step.
@tool
extends "vehicle_base.gd"

const Grip := preload("grip.gd")
const Thruster := preload("thruster.gd")
const Wheel := preload("wheel.gd")


func _physics_process(delta: float) -> void:
	if Engine.is_editor_hint():
		return
	var state := PhysicsServer3D.body_get_direct_state(get_rid())
	if state == null:
		return
	var wheels: Array[Wheel] = []
	var thrust: Array[Vector3] = [Vector3.ZERO, Vector3.ZERO]
	has_hover = false
	for part in parts:
		if part is Wheel:
			wheels.append(part as Wheel)
			continue
		var thruster := part as Thruster
		if thruster.is_hover():
			has_hover = true
			continue
		var push := thruster.direction() * thruster.most
		thrust[0] += (-push).max(Vector3.ZERO)
		thrust[1] += push.max(Vector3.ZERO)
	has_wheels = not wheels.is_empty()
	command(state, thrust)
	pushed = Vector3.ZERO
	twisted = state.transform.basis.orthonormalized() * (angular * gyro_torque)
	if twisted != Vector3.ZERO:
		apply_torque(twisted)
	for part in parts:
		if part is Thruster:
			(part as Thruster).act(delta)
	Grip.act(self, wheels, state, delta, pushed, twisted)
