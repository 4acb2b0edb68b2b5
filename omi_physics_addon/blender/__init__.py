"""The only package that knows Blender and its glTF add-on."""
