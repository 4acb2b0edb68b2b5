"""The OMI family: one module for each of its extensions, and its older forms."""
