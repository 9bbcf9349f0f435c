"""Who is let in: tokens, cookies, roles, hosts, pages of other sites."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.routing import APIRoute
from live import Live, client_of

from grice.api.app import make_app
from grice.api.service import Needs


def test_every_route_names_the_role_that_it_needs(shared: Live) -> None:
    without = []
    for route in make_app(shared.service).routes:
        if isinstance(route, APIRoute):
            found = [one for one in route.dependencies if isinstance(one.dependency, Needs)]
            if len(found) != 1:
                without.append(route.path)
    assert without == []


@pytest.mark.parametrize("path", ["/", "/api/projects", "/api/openapi.json", "/api/nowhere", "/favicon.ico"])
def test_nobody_without_a_token_is_answered(shared: Live, path: str) -> None:
    with client_of(shared.server, "") as stranger:
        answer = stranger.get(path)
    assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, "Bearer")
    assert answer.json()["error"].startswith("the request has no token: send `Authorization: Bearer TOKEN`")


def test_the_project_is_given_with_its_settings_and_without_keys(shared: Live) -> None:
    (project,) = shared.get("/api/projects")
    found: dict[str, Any] = shared.get(f"/api/projects/{project['id']}")
    assert found["settings"]["agent"] == "bots:agent"
    assert "0123456789" not in str(found)
    assert shared.get("/api/projects/other", 404)["error"].startswith("there is no project 'other': ")
