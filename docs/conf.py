"""How the documentation is built: `make docs`."""

from __future__ import annotations

import grice

project = "Grice"
author = copyright = "The Grice maintainers"
release = version = grice.__version__

extensions = ["myst_parser"]
exclude_patterns = ["_build", "_measured"]
myst_heading_anchors = 3

html_theme = "furo"
html_title = f"Grice {release}"
html_copy_source = False
