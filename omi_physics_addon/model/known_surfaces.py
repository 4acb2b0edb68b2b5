"""Surfaces and densities of known materials, each value with where it is from.

A friction belongs to two surfaces: each is that of the material on the one that is named, which is
what two colliders of it have together. No value stands here without a source.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from .bodies import PhysicsMaterial

COLLEGE: Final = "OpenStax, College Physics 2e, table 5.1"
SERWAY: Final = "Serway and Jewett, Physics for Scientists and Engineers, table 5.1"
DENSITIES: Final = "OpenStax, College Physics 2e, table 11.1"
NEWTON: Final = "Newton, Principia, scholium to the laws of motion"


class KnownSurface(NamedTuple):
    """A material.

    Attributes:
        name: of it, and of the entry that it becomes.
        on: the surface that the frictions were measured on.
        static, dynamic: frictions.
        friction_source: where both are from.
        restitution: None where no source is known; newer measures differ by speed and size.
        density: kg/m³; None where no source is known.
    """

    name: str
    on: str
    static: float
    dynamic: float
    friction_source: str
    restitution: float | None = None
    density: float | None = None

    def record(self) -> PhysicsMaterial:
        """The physics material with these values."""
        return PhysicsMaterial(
            static_friction=self.static,
            dynamic_friction=self.dynamic,
            restitution=self.restitution or 0.0,
            name=self.name,
        )


KNOWN: Final = (
    KnownSurface("Aluminum", "steel", 0.61, 0.47, SERWAY, density=2700.0),
    KnownSurface("Copper", "steel", 0.53, 0.36, SERWAY, density=8800.0),
    KnownSurface("Glass", "glass", 0.94, 0.4, SERWAY, 0.94, 2600.0),
    KnownSurface("Ice", "ice", 0.1, 0.03, COLLEGE, density=917.0),
    KnownSurface("Rubber", "dry concrete", 1.0, 0.7, COLLEGE),
    KnownSurface("Wet Rubber", "wet concrete", 0.7, 0.5, COLLEGE),
    KnownSurface("Ski", "wet snow", 0.14, 0.1, COLLEGE),
    KnownSurface("Steel", "steel", 0.6, 0.3, COLLEGE, 0.56, 7800.0),
    KnownSurface("Oiled Steel", "oiled steel", 0.05, 0.03, COLLEGE, 0.56, 7800.0),
    KnownSurface("Teflon", "steel", 0.04, 0.04, COLLEGE),
    KnownSurface("Wood", "wood", 0.5, 0.3, COLLEGE, density=600.0),
)
