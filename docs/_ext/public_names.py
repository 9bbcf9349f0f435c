"""Warns of public names of Grice that no page documents."""

from __future__ import annotations

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

import grice

LOGGER = logging.getLogger(__name__)


def check(_: Sphinx, env: BuildEnvironment) -> None:
    """Warn of each name in `grice.__all__` that is not in the API reference."""
    known = env.domains["py"].objects
    for name in grice.__all__:
        if f"grice.{name}" not in known and not name.startswith("__"):
            LOGGER.warning("grice.%s is public, but no page documents it", name)


def setup(app: Sphinx) -> dict[str, bool]:
    """Check when all pages are read."""
    app.connect("env-check-consistency", check)
    return {"parallel_read_safe": True}
