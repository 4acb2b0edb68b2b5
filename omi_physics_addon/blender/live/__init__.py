"""Checks of what was just edited, which appear by themselves."""
