"""The manual as a site, the reference that code writes, and the pages that F1 opens."""
