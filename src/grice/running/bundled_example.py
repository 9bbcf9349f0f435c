"""The example that Grice brings along: a small assistant and its goldens."""

from __future__ import annotations

from pathlib import Path

import grice

EXAMPLE_AGENT = "wordpress_assistant.app:agent"
"""The assistant, as it is named in the folder of the example."""


def example_folder() -> Path:
    """The folder of the example: inside the installed package, or in the checkout it is edited in."""
    package = Path(grice.__file__).parent
    bundled = package / "_demo"
    return bundled if bundled.is_dir() else package.parent.parent / "examples" / "wordpress_assistant"
