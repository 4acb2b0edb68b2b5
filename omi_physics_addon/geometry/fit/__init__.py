"""The shape around points that wastes least: boxes, balls, capsules, cylinders, hulls."""
