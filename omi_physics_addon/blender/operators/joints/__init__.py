"""Operators that make, change and connect joints."""
