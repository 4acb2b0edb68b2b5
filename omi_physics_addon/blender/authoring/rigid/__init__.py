"""Between Blender's own rigid bodies and ours: what operators take over and give back."""
