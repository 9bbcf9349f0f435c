"""Who is let in: tokens, cookies, roles, hosts, pages of other sites."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.routing import APIRoute
from live import Live, client_of
from sqlalchemy.exc import OperationalError

from grice.api.app import ROUTERS
from grice.api.pages import cursor_of
from grice.api.security_headers import SECURITY_HEADERS
from grice.api.service import Needs
from grice.api.sessions import LIFE, Sessions
from grice.store.database import locked
from grice.store.errors import StoreError
from grice.store.tokens import Role, add_change, add_token, hash_of, revoke_token, token_rows
from journals import write_run


def test_every_route_names_the_role_that_it_needs() -> None:
    routes = [one for router in ROUTERS for one in router.routes if isinstance(one, APIRoute)]
    needs = {
        one.path: [each for each in one.dependencies if isinstance(each.dependency, Needs)] for one in routes
    }
    assert "/api/compare" in needs
    assert [path for path, found in needs.items() if len(found) != 1] == []


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


# -- roles

HELD = "exp_1/main/000000002"
TASK = {"items": "replies.jsonl", "question": "Is it good?"}
LABEL = {**TASK, "item": HELD, "label": True, "note": "key sk-0123456789abcdef0123456789"}


def write_items(served: Live) -> None:
    (served.folder / "replies.jsonl").write_text(f'{{"id": "{HELD}", "text": "It is 90."}}\n')


def test_a_token_does_what_its_role_allows(served: Live) -> None:
    write_items(served)
    for role, status in (("read", 403), ("run", 403), ("edit", 201)):
        with served.client_with(role) as client:
            assert client.get("/api/projects").status_code == 200
            answer = client.post("/api/labelling", json=LABEL)
            assert answer.status_code == status
            if status == 403:
                assert answer.json()["error"] == (
                    f"the token 'a {role}er' has the role {role}, and this needs the role edit"
                )


def test_who_changed_what_is_kept(served: Live) -> None:
    write_run(served.runs, "exp_1", "+")
    write_items(served)
    with served.client_with("edit") as client:
        client.post("/api/labelling", json=LABEL)
    told = (served.folder / "labels.jsonl").read_text()
    assert '"rater":"a editer"' in told
    assert "0123456789" not in told
    (label,) = served.get("/api/labels", conversationId=HELD)["labels"]
    assert (label["label"], label["labelledBy"]) == ("pass", "a editer")
    with served.client_with("run") as client:
        assert client.post("/api/labelling/undo", json=TASK).status_code == 403
    assert (
        served.client.post("/api/labelling/undo", json={**TASK, "rater": "a editer"}).json()["item"] == HELD
    )
    assert served.get("/api/labels")["labels"] == []
    served.client.post("/api/models/refresh")
    pages = [served.get("/api/changes", limit=2)]
    pages.append(served.get("/api/changes", limit=2, cursor=pages[0]["nextCursor"]))
    told = [(one["who"], one["what"]) for page in pages for one in page["changes"]]
    assert told == [
        ("owner", "refreshed the models"),
        ("owner", f"took a label of {HELD} back"),
        ("a editer", f"labelled {HELD}"),
    ]


def test_tokens_and_changes_are_those_of_the_project(served: Live) -> None:
    with locked(served.service.engine) as connection:
        token = add_token(connection, "another", "ci", Role.EDIT)
        add_change(connection, "another", "ci", "made a suite")
    with client_of(served.server, token) as client:
        assert client.get("/api/projects").status_code == 401
    assert served.get("/api/changes")["changes"] == []


def test_a_revoked_token_is_refused_at_once(served: Live) -> None:
    with served.client_with("read") as client:
        assert client.get("/api/projects").status_code == 200
        with locked(served.service.engine) as connection:
            assert [(one.name, one.role) for one in token_rows(connection, served.service.project)] == [
                ("a reader", "read")
            ]
            revoke_token(connection, served.service.project, "a reader")
        assert client.get("/api/projects").status_code == 401


def test_only_hashes_of_tokens_are_kept(served: Live) -> None:
    with locked(served.service.engine) as connection:
        token = add_token(connection, served.service.project, "ci", Role.RUN)
    assert token.encode() not in b"".join(
        one.read_bytes() for one in (served.folder / ".grice").glob("grice.db*")
    )
    with client_of(served.server, token) as client:
        assert client.get("/api/projects").status_code == 200


@pytest.mark.parametrize("name", ["", " ci", "a/b", "x" * 101, "line\nbreak", "ci", "owner"])
def test_a_bad_name_of_a_token_is_refused(served: Live, name: str) -> None:
    with locked(served.service.engine) as connection:
        add_token(connection, served.service.project, "ci", Role.RUN)
    with (
        locked(served.service.engine) as connection,
        pytest.raises(StoreError, match=r"name|there is a token|is the token with which"),
    ):
        add_token(connection, served.service.project, name, Role.READ)


# -- the link, and the cookie that it sets


def test_the_link_sets_a_cookie_and_leads_on(shared: Live) -> None:
    with client_of(shared.server, "") as browser:
        answer = browser.get(shared.server.link(shared.token))
        assert (answer.status_code, answer.headers["Location"]) == (303, "/api/docs")
        assert {"HttpOnly", "SameSite=strict", "Path=/"} <= set(answer.headers["Set-Cookie"].split("; "))
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert browser.get("/api/docs").status_code == 200


def test_the_cookie_is_no_token_and_ends_with_the_server_and_the_token(served: Live) -> None:
    with locked(served.service.engine) as connection:
        token = add_token(connection, served.service.project, "ann", Role.READ)
    with client_of(served.server, "") as browser:
        browser.get(served.server.link(token))
        (value,) = browser.cookies.values()
        assert token not in value
        assert browser.get("/api/projects").status_code == 200
        with client_of(served.server, value) as program:
            assert program.get("/api/projects").status_code == 401
        with locked(served.service.engine) as connection:
            revoke_token(connection, served.service.project, "ann")
        answer = browser.get("/api/projects")
        assert (answer.status_code, "a session that has ended" in answer.json()["error"]) == (401, True)
        browser.get(served.server.link(served.token))
        assert browser.get("/api/projects").status_code == 200
        served.service.sessions = Sessions()  # those of another server
        assert browser.get("/api/projects").status_code == 401


def test_a_session_ends_after_hours_however_it_is_used() -> None:
    now = 0.0
    sessions = Sessions(lambda: now)
    value = sessions.begin("a token")
    now = LIFE - 1
    assert sessions.token_hash(value) == hash_of("a token")
    now = LIFE
    assert sessions.token_hash(value) is None
    assert sessions.token_hash("") is None


def test_many_sessions_push_out_the_oldest() -> None:
    sessions = Sessions()
    values = [sessions.begin("a token") for _ in range(1_001)]
    assert [sessions.token_hash(one) is None for one in (values[0], values[1], values[-1])] == [
        True,
        False,
        False,
    ]


@pytest.mark.parametrize("token", ["", "wrong", "%00", "x" * 500])
def test_a_link_with_a_wrong_token_sets_nothing(shared: Live, token: str) -> None:
    with client_of(shared.server, "") as browser:
        answer = browser.get(f"/login?token={token}")
    assert (answer.status_code, "Set-Cookie" in answer.headers) == (401, False)
    assert "wrong token" in answer.json()["error"]


def test_a_page_of_another_site_cannot_use_the_cookie(shared: Live) -> None:
    with client_of(shared.server, "") as browser:
        browser.get(shared.server.link(shared.token))
        refresh = "/api/models/refresh"
        assert browser.post(refresh).status_code == 403  # a form of an old browser says no Origin
        for origin in ("https://evil.example", "http://127.0.0.1:3000", "null"):
            assert browser.post(refresh, headers={"Origin": origin}).status_code == 403
        assert browser.post(refresh, headers={"Origin": shared.server.url}).status_code == 200


@pytest.mark.parametrize(
    "cookie", ["", "grice_1=x", ";;;==", "grice_PORT=wrong", 'grice_PORT="', "\x7f=\x7f"]
)
def test_another_cookie_is_no_token(shared: Live, cookie: str) -> None:
    with client_of(shared.server, "") as browser:
        headers = {"Cookie": cookie.replace("PORT", str(shared.server.port))}
        assert browser.get("/api/projects", headers=headers).status_code == 401


def test_no_address_is_logged(served: Live, capfd: pytest.CaptureFixture[str]) -> None:
    with client_of(served.server, "") as browser:
        browser.get(served.server.link(served.token))
        browser.get("/login?token=wrong-and-secret")
    written = capfd.readouterr()
    assert (written.out, written.err) == ("", "")


@pytest.mark.parametrize(
    ("error", "status"),
    [(RuntimeError("a secret"), 500), (OperationalError("select", {}, Exception("it is locked")), 503)],
)
def test_every_answer_has_the_headers_of_safety(
    served: Live, monkeypatch: pytest.MonkeyPatch, error: Exception, status: int
) -> None:
    def fail(*_: object) -> None:
        raise error

    broken: list[tuple[object, str]] = [(served.service, "caller_of"), (served.service.queue, "listed")]
    for owner, name in broken:  # before every route, and in one
        with monkeypatch.context() as patched:
            patched.setattr(owner, name, fail)
            answer = served.client.get("/api/run-queue")
        assert (answer.status_code, "a secret" in answer.text) == (status, False)
        assert {name: answer.headers.get(name) for name in SECURITY_HEADERS} == dict(SECURITY_HEADERS)


def test_a_number_that_no_column_holds_is_no_cursor(shared: Live) -> None:
    told = shared.get("/api/changes", 400, cursor=cursor_of((2**63,)))
    assert [one["field"] for one in told["details"]] == ["cursor"]
