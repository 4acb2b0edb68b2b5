"""Presets of what artists set again and again."""
