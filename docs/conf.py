"""How the documentation is built: `make docs`."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

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


def _copy_pictures(app: Any, problem: Exception | None) -> None:
    """Pages show pictures for light and dark, as only HTML can, which Sphinx does not read."""
    if problem is None:
        shutil.copytree(Path(__file__).parent / "pictures", Path(app.outdir) / "pictures", dirs_exist_ok=True)


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("build-finished", _copy_pictures)
