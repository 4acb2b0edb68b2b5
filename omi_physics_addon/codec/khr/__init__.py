"""The KHR family: rigid bodies and shapes, and their older forms."""
