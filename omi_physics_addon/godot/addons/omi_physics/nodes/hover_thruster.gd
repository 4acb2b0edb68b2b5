# A thruster whose force is its energy over the distance to the ground below its nozzle.
# Source: OMI_vehicle_hover_thruster.
@tool
extends "thruster.gd"

const _REACH := 1000.0  # m
const _LEAST := 0.1  # m, distance that counts.


func read(said: Dictionary) -> void:
	most = number(said, ["maxHoverEnergy"], 0.0)
	change_rate = number(said, ["hoverEnergyChangeRate"], -1.0)
	_read_shared(said, 0.5)
	target_ratio = number(said, ["targetHoverRatio", "currentHoverRatio", "currentForceRatio"], 0.0)


func is_hover() -> bool:
	return true


func _per_power(at: Vector3, way: Vector3) -> float:
	var query := PhysicsRayQueryParameters3D.create(at, at - way * _REACH, body.collision_mask, [body.get_rid()])
	var hit := body.get_world_3d().direct_space_state.intersect_ray(query)
	return 0.0 if hit.is_empty() else 1.0 / maxf(at.distance_to(hit["position"]), _LEAST)
