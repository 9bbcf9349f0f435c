"""How a played user can be set up wrongly."""

from __future__ import annotations

__all__ = ["UserConfigError"]


class UserConfigError(ValueError):
    """What was given cannot play a user: the text names the setting, what was found and what was expected."""

    __module__ = "grice"
