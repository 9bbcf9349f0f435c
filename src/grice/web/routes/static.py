"""Style and script."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import Response

from grice.api.errors import ApiError
from grice.api.service import READ
from grice.web.assets import asset

router = APIRouter(include_in_schema=False)


@router.get("/static/{name}", dependencies=[READ])
def static(name: str) -> Response:
    """Give a file; its address changes with its content, so browsers may keep it."""
    found = asset(name)
    if found is None:
        raise ApiError(404, f"there is no file {name[:100]!r}")
    content, media = found
    kept = {"Cache-Control": "private, max-age=31536000, immutable"}
    return Response(content, media_type=media, headers=kept)
