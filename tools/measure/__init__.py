"""Makes the measure that loaders are held to, and holds ours and those of others to it."""
