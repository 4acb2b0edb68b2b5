"""Handles in the 3D Viewport: what can be pulled, and what a pull changes."""
