"""Scripts that make and play the examples in `examples`."""
