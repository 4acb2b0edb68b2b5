"""The sections of the tab glTF Physics in the sidebar of 3D Viewports."""
