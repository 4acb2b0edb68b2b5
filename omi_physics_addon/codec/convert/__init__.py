"""The way of a document from one family to the other, and what gets lost on it."""
