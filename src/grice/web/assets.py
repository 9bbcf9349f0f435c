"""The files that pages load: style, script, and htmx, which the wheel contains."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from grice.reporting.renderers.html.parts import TEMPLATES

_STATIC = Path(__file__).parent / "static"
_HTMX = "django_htmx/static/django_htmx/htmx-2.min.js"
_FILES = {
    "page.css": TEMPLATES / "page.css",
    "web.css": _STATIC / "web.css",
    "web.js": _STATIC / "web.js",
    "editor.css": _STATIC / "editor.css",
    "editor.js": _STATIC / "editor.js",
}
_TYPES = {".css": "text/css", ".js": "text/javascript"}


class NoHtmx(Exception):
    """The script of htmx is nowhere; the message says what to do."""


@cache
def asset(name: str) -> tuple[bytes, str] | None:
    """A file with its media type, None where there is none of that name. Raises NoHtmx."""
    path = _htmx() if name == "htmx.js" else _FILES.get(name)
    return None if path is None else (path.read_bytes(), _TYPES[Path(name).suffix])


@cache
def address_of(name: str) -> str:
    """The address of a file; it changes with the file's content. Raises NoHtmx."""
    found = asset(name)
    assert found is not None, name
    return f"/static/{name}?v={sha256(found[0]).hexdigest()[:12]}"


def _htmx() -> Path:
    """Where htmx is: beside this module in a wheel, in the package `django-htmx` with an editable install."""
    bundled = _STATIC / "htmx.js"
    if bundled.is_file():
        return bundled
    try:
        found = Path(str(distribution("django-htmx").locate_file(_HTMX)))
    except PackageNotFoundError:
        found = bundled
    if not found.is_file():
        raise NoHtmx(
            "this copy of Grice was installed without htmx, which its pages need: "
            "pip install --no-deps 'django-htmx>=1.29'"
        )
    return found
