"""What follows the mesh of its object."""
