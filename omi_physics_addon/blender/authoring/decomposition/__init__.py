"""Cuts meshes into convex parts, by the library CoACD in processes of its own."""
