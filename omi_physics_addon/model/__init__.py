"""What one glTF says about physics, without Blender and without JSON."""
