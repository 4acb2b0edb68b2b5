"""Wheels, thrusters and the pilot of vehicles, as forces on their bodies."""
