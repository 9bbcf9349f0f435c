"""Putting the assistant together: for the command line, for the server, and for a test tool."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from .assistant import Assistant
from .model import AnthropicModel, Transport

BUGS_VARIABLE = "WORDPRESS_ASSISTANT_BUGS"
BUGS = {"A", "B"}

SITE_PROFILE: dict[str, Any] = {
    "name": "Demo Shop",
    "url": "https://shop.example",
    "wp_version": "6.8",
    "php_version": "8.3",
    "theme": {"name": "Twenty Twenty-Five", "version": "1.2"},
    "plugins": [{"name": "Ajax Search Lite", "version": "4.9.5"}, {"name": "Akismet", "version": "5.4"}],
}


def agent(context: Any) -> Assistant:
    """The assistant on the scripted model of `context`, or on the real one when there is none."""
    transport = getattr(context.model, "transport", None)
    return build_assistant(transport or AnthropicModel.from_env())


def build_assistant(transport: Transport, environ: Mapping[str, str] | None = None) -> Assistant:
    """The assistant of the demo shop, with the bugs that `WORDPRESS_ASSISTANT_BUGS` names: A, B or "A,B"."""
    bugs = (os.environ if environ is None else environ).get(BUGS_VARIABLE, "")
    named = {letter.strip().upper() for letter in bugs.split(",") if letter.strip()}
    if unknown := named - BUGS:
        raise ValueError(f"{BUGS_VARIABLE} names {', '.join(sorted(unknown))}; the bugs are A and B")
    return Assistant(transport, site_profile=SITE_PROFILE, narrates="A" in named, forgets_user="B" in named)
