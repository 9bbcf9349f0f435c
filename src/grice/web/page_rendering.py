"""Render templates as pages."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastapi.responses import HTMLResponse

from grice._version import __version__
from grice.reporting.figures_text import percent
from grice.reporting.renderers.html.conversation import seconds
from grice.reporting.renderers.html.parts import PartsDrawing, parts_environment
from grice.reporting.renderers.html.verdicts import SIGNS
from grice.text import plural
from grice.web.assets import address_of

if TYPE_CHECKING:
    from fastapi import Request
    from jinja2 import Environment

    from grice.api.service import Service


NAVIGATION = (
    ("Runs", "/"),
    ("Trends", "/trends"),
    ("Compare", "/compare"),
    ("Findings", "/scans"),
    ("Labels", "/labels"),
    ("Suites", "/suites"),
    ("Prompts", "/prompts"),
)
"""The pages that the bar above leads to, with their addresses."""
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


def page(request: Request, template: str, *, title: str, status: int = 200, **values: Any) -> HTMLResponse:
    """Render a template with these values as a page."""
    service: Service = request.app.state.service
    shell = {"title": title, "navigation": NAVIGATION, "here": request.url.path, "project": service.project}
    return _answer(template, status, {**shell, **values})


def piece(template: str, *, status: int = 200, **values: Any) -> HTMLResponse:
    """Render a piece of a page, which its script or htmx puts in its place, or a page without a frame."""
    return _answer(template, status, values)


def _answer(template: str, status: int, values: dict[str, Any]) -> HTMLResponse:
    text = _environment().get_template(template).render(page=PartsDrawing(), **values)
    body = text.encode("utf-8", "replace")
    return HTMLResponse(body, status, {"Content-Security-Policy": _POLICY})


@cache
def load_templates() -> None:
    """Read and compile the templates, so that the first request does not wait for it."""
    environment = _environment()
    for name in environment.list_templates(extensions=("html",)):
        environment.get_template(name)


@cache
def _environment() -> Environment:
    environment = parts_environment(Path(__file__).parent / "templates")
    signs = {outcome.value: sign for outcome, sign in SIGNS.items()}
    environment.globals.update(
        address_of=address_of,
        percent=percent,
        plural=plural,
        seconds=seconds,
        signs=signs,
        version=__version__,
    )
    return environment
