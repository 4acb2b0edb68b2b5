"""From a Blender scene to a physics document and back, and checks of a scene."""
