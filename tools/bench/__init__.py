"""Scripts that measure what the add-on costs."""
