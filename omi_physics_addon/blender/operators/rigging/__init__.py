"""Operators that rig whole things at once."""
