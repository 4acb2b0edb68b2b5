"""Operators that play, drive, record and bake the preview."""
