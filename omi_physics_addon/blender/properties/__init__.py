"""The property groups that hold physics in a .blend file; values in Blender's axes, no logic."""
