"""The bodies of a preview in Blender's rigid-body world, their joints and forces."""
