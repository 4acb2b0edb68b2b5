"""The engines that files are written for: what each reads otherwise, repaired or told."""
