"""Scenes about vehicles and gravity."""

from __future__ import annotations

from typing import Any

from .building import Scene, add, body, floor, scene_group, scenes_of

SCENES: list[Scene] = []
_vehicles = scenes_of("Vehicles", SCENES)
_gravity = scenes_of("Gravity", SCENES)
_SPRINGS = "springs of wheels swing a little otherwise before they rest"


def _car(mass: float, *, below: bool = False, turn: float = 0.0, **values: Any) -> Any:
    """A car above the place where its wheels touch a floor, which may be turned about X."""
    floor(80.0).rotation_euler.x = turn
    car = body("Car", (0.0, 0.0, 0.75), size={"size": (1.6, 3.0, 0.5)}, mass=mass)
    car.omi_physics.use_vehicle_body = True
    for i, (x, y) in enumerate(((-0.8, -1.2), (0.8, -1.2), (-0.8, 1.2), (0.8, 1.2))):
        owner = add(f"Axle {i}", below=car) if below else car
        wheel = add(f"Wheel {i}", (x, y, -0.1), below=owner)
        wheel.omi_physics.use_wheel = True
        group = wheel.omi_physics.wheel
        sizes = {"radius": 0.35, "suspension_travel": 0.25, "suspension_stiffness": 30000.0}
        sizes |= {"suspension_damping_compression": 3000.0, "suspension_damping_rebound": 3000.0}
        for key, value in {**sizes, **values}.items():
            setattr(group, key, value)
    return car


@_vehicles("car at rest, 900 kg", told={"BABYLON": "L15"}, rests=_SPRINGS)
def _() -> None:
    _car(900.0)


@_vehicles("car at rest, 450 kg", told={"BABYLON": "L15"}, rests=_SPRINGS)
def _() -> None:
    _car(450.0)


@_vehicles("car at rest, 1800 kg on stiffer springs", told={"BABYLON": "L15"}, rests=_SPRINGS)
def _() -> None:
    _car(
        1800.0,
        suspension_stiffness=80000.0,
        suspension_damping_compression=6000.0,
        suspension_damping_rebound=6000.0,
    )


@_vehicles("car of 4000 kg, which its wheels carry", told={"BABYLON": "L15"}, rests=_SPRINGS)
def _() -> None:
    _car(
        4000.0,
        suspension_stiffness=150000.0,
        suspension_damping_compression=9000.0,
        suspension_damping_rebound=9000.0,
    )


@_vehicles("car whose wheels hang on axles", told={"BABYLON": "L15"}, rests=_SPRINGS)
def _() -> None:
    _car(900.0, below=True)


def _pushed(speed: float, **values: Any) -> Any:
    car = _car(900.0, max_propulsion_force=1000.0, **values)
    car.omi_physics.motion.linear_velocity = (0.0, -speed, 0.0)
    return car


@_vehicles("car that brakes from 10 m/s", told={"GODOT_4": "X75", "BABYLON": "L15"})
def _() -> None:
    _pushed(10.0)


@_vehicles("car without brakes at 10 m/s", told={"BABYLON": "L15"})
def _() -> None:
    _pushed(10.0, braking_force=0.0)


@_vehicles("car that brakes on a slope", told={"GODOT_4": "X75", "BABYLON": "L15"})
def _() -> None:
    car = _car(900.0, turn=0.1, max_propulsion_force=1000.0)
    car.rotation_euler.x = 0.1


@_vehicles("car that is driven", told={"BABYLON": "L15"})
def _() -> None:
    car = _pushed(0.0)
    car.omi_physics.vehicle_body.linear_activation = (0.0, -0.5, 0.0)


@_vehicles("car with a largest speed", told={"GODOT_4": "X75", "BABYLON": "L15"})
def _() -> None:
    vehicle = _pushed(0.0).omi_physics.vehicle_body
    vehicle.linear_activation, vehicle.max_speed = (0.0, -0.5, 0.0), 3.0


@_vehicles("thrusters that are off")
def _() -> None:
    floor()
    ship = body("Ship", (0.0, 0.0, 0.8), mass=100.0)
    ship.omi_physics.use_vehicle_body = True
    jet = add("Jet", (0.0, 0.5, 0.0), below=ship)
    jet.omi_physics.use_thruster = True
    jet.omi_physics.thruster.max_force = 500.0


@_gravity("world gravity of the Moon", told={"GODOT_4": "X27", "BABYLON": "X54"})
def _() -> None:
    group = scene_group()
    group.use_world_gravity = True
    group.world_gravity.source = "VALUE"
    group.world_gravity.gravity = 1.62
    body("Body")


@_gravity("volume without gravity", told={"GODOT_4": "X27", "BABYLON": "L15"})
def _() -> None:
    zone = add("Zone")
    physics = zone.omi_physics
    physics.use_trigger = physics.use_gravity = True
    physics.trigger.shape.box.size = (20.0, 20.0, 20.0)
    physics.gravity.type, physics.gravity.gravity = "DIRECTIONAL", 0.0
    physics.gravity.replace = physics.gravity.stop = True
    body("Body", linear_velocity=(0.5, 0.0, 0.0))
