"""Keyframes on properties of physics, and the numbers of files that follow them."""
