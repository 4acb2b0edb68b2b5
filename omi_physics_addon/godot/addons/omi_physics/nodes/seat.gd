# A seat. Source: OMI_seat.
@tool
extends Node3D

## Where the character's back and bottom meet.
@export var back := Vector3.ZERO
## Where its feet rest.
@export var foot := Vector3.ZERO
## Where its knees are.
@export var knee := Vector3.ZERO
## Angle between the spine and the line from back to knee, in radians.
@export_range(0.0, 180.0, 0.1, "radians_as_degrees") var angle := PI / 2.0


## The axes of a character that sits here: X to its left, Y along its spine, Z ahead.
func sitting() -> Transform3D:
	var ahead := (knee - back).normalized()
	var right := (foot - knee).cross(knee - back).normalized()
	var spine := ahead.rotated(right, angle)
	var left := -right
	return Transform3D(Basis(left, spine, left.cross(spine)), back)
