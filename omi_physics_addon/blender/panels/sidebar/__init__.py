"""The sections of the tab OMI Physics in the sidebar of 3D Viewports."""
