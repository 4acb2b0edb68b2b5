"""Conversion of documents between the families, and reports of what gets lost."""
