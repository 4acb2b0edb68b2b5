"""Limits and drives of joints as forces; README.md beside this file has the equations."""
