"""Mirror images of objects with their physics."""
