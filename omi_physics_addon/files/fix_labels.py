"""What buttons and sentences call the fixes that scenes and files both have."""

from __future__ import annotations

from typing import Final

INERTIA: Final = "Take Inertia from Shapes"
VELOCITY: Final = "Clear Velocity"
KINEMATIC: Final = "Make Kinematic"
BODY: Final = "Make a Dynamic Body"
DYNAMIC: Final = "Make Dynamic"
CONVEX: Final = "Make Convex"
SCALE: Final = "Bake Scale into Shape"
STATIC: Final = "Make a Static Body"
ACTIVATION: Final = "Clear Activation"
SPEED: Final = "Allow Any Speed"
TRIGGER: Final = "Add Trigger"
PRIORITY: Final = "Set Priority to 0"
STOP: Final = "Stop Other Gravity"
