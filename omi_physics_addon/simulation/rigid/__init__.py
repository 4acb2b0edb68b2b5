"""Blender's own rigid bodies and constraints as plain values, and what a document says of them."""
