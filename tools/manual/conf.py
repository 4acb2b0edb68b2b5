"""Settings of Sphinx for the manual as a site; build_site.py starts it."""

project = "OMI Physics"
copyright = "OMI Physics contributors"
html_title = "OMI Physics for Blender"
extensions = ["myst_parser"]
root_doc = "README"
myst_heading_anchors = 6
# Pictures with a width in pixels are written as HTML.
myst_enable_extensions = ["html_image"]
html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
smartquotes = False
