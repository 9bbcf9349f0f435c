"""How the documentation is built: `make docs`."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

import grice

project = "Grice"
author = copyright = "The Grice maintainers"
release = version = grice.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "matcher_reference", "public_names"]
exclude_patterns = ["_build", "_measured"]
myst_heading_anchors = 3

html_theme = "furo"
html_title = f"Grice {release}"
html_copy_source = False

default_role = "literal"  # docstrings have `names` in single backquotes
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
