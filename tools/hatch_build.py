"""Puts htmx into the wheel: the file that `django-htmx` ships, so that no copy of it is kept here."""

from __future__ import annotations

from importlib.metadata import distribution
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class HtmxHook(BuildHookInterface[Any]):
    """An editable install has no files of its own: it finds htmx in `django-htmx`, see `grice.web.assets`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        script = distribution("django-htmx").locate_file("django_htmx/static/django_htmx/htmx-2.min.js")
        build_data["force_include"][str(script)] = "grice/web/static/htmx.js"
