"""Rigs whole things at once: vehicles from their chassis, ragdolls from armatures."""
