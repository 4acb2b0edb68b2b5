"""Scripts that picture panels and viewports in a Blender with a window."""
