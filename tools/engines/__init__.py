"""Scripts that compare the preview with engines that others wrote."""
