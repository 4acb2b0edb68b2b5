"""Scenes of our own, one for each thing that an engine may do otherwise; see `acceptance`."""
