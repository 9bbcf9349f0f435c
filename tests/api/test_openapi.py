"""The OpenAPI document, the page that is made of it, its examples; what the server answers keeps to it."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from live import Live, serve

from grice.api.examples import EXAMPLES
from grice.api.run_requests import RunEnding, RunRequest, keep
from grice.store.database import locked
from grice.store.owners import add_project
from grice.store.prompts import make_prompt
from journals import write_run

ASKED = RunRequest("exp_3", "rooms/rooms.grice.yaml", ("rooms.grice.yaml",), "2026-01-16T14:30:00+00:00")


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """The project of the examples."""
    with project_of_examples(tmp_path_factory.mktemp("served") / "rooms") as served:
        yield served


@contextmanager
def project_of_examples(folder: Path) -> Iterator[Live]:
    """A server of the project in a new folder."""
    folder.mkdir()
    write_run(folder / ".grice" / "runs", "exp_1", "+++-s", day=1)
    write_run(folder / ".grice" / "runs", "exp_2", "-+?!+", day=2)
    for name, ids in (("rooms", ("blue", "red", "green")), ("old", ("blue",)), ("tea", ("black",))):
        cases = [f"  - {{id: {id_}, say: A room, expected_output: {id_}}}\n" for id_ in ids]
        (folder / f"{name}.grice.yaml").write_text("".join(["scenarios:\n", *cases]))
    keep(folder / ".grice" / "runs" / "exp_3", ASKED)
    keep(folder / ".grice" / "runs" / "exp_3", RunEnding(cancelled=True))
    (folder / "replies.jsonl").write_text('{"id": "size", "text": "Which size do you need?"}\n')
    monkeypatch = pytest.MonkeyPatch()
    with serve(folder) as live:
        with locked(live.service.engine) as connection:
            add_project(connection, "rooms")
            for id_ in ("0b6f4f0e6a1d", "2f1f3a6c7d10"):
                monkeypatch.setattr(uuid, "uuid4", lambda id_=id_: uuid.UUID(f"{id_}4c399d8e2f1f3a6c7d10"))
                make_prompt(connection, "rooms", id_, "Greet {{name}}.")
            monkeypatch.undo()
        yield live


def operations(document: dict[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    """The operations by method and path."""
    return {
        (method.upper(), path): operation
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    }


def test_the_document_says_what_every_route_answers(live: Live) -> None:
    document = live.get("/api/openapi.json")
    found = operations(document)
    assert ("GET", "/api/test-suite-runs/{run_id}") in found
    names = [one["operationId"] for one in found.values()]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch("[a-z_]+", name) for name in names)
    for place, operation in found.items():
        assert operation["description"], place
        assert {"400", "401", "403", "404", "413"} <= set(operation["responses"]), place
    assert "HTTPValidationError" not in str(document)


def test_every_route_has_an_example(live: Live) -> None:
    assert set(EXAMPLES) == set(operations(live.get("/api/openapi.json")))


@pytest.mark.parametrize("place", EXAMPLES, ids=" ".join)
def test_an_example_is_answered_as_the_document_says(live: Live, place: tuple[str, str]) -> None:
    document = live.get("/api/openapi.json")
    example = EXAMPLES[place]
    headers = {"If-Match": example.if_match} if example.if_match else {}
    answer = live.client.request(place[0], example.path, json=example.body, headers=headers)
    assert answer.status_code == example.status, answer.text
    content = operations(document)[place]["responses"][str(example.status)].get("content")
    if content is not None and "application/json" in content:
        schema = {**content["application/json"]["schema"], "components": document["components"]}
        Draft202012Validator(schema).validate(answer.json())


class Fetched(HTMLParser):
    """What a page makes a browser fetch or run."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [f"{tag} {value}" for name, value in attrs if name in ("src", "srcset", "style")]
        self.found += [f"{tag} {value}" for name, value in attrs if tag == "link" and name == "href"]
        self.found += [tag] * (tag in ("script", "iframe", "style", "object"))


def test_the_page_shows_every_route_and_fetches_nothing_from_elsewhere(live: Live) -> None:
    answer = live.client.get("/api/docs")
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'; style-src 'self';")
    for method, path in EXAMPLES:
        assert f"<code>{method} {path}</code>" in answer.text
    page = Fetched()
    page.feed(answer.text)
    assert page.found == ["link /api/docs.css"]
    style = live.client.get("/api/docs.css")
    assert style.headers["Content-Type"] == "text/css; charset=utf-8"
    assert "url(" not in style.text
    assert "@import" not in style.text


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
@pytest.mark.timeout(600)
def test_no_request_is_answered_against_the_document(tmp_path: Path) -> None:
    """Many requests made of the document, right and wrong ones: no 500, and no body against its schema.

    Every other one is of something that is there, until one of them deletes it.
    """
    with project_of_examples(tmp_path / "rooms") as live:
        ask_everything(live)


THERE = {
    "project_id": "rooms",
    "suite_id": "rooms/rooms.grice.yaml",
    "case_id": "rooms/example:71b72d1e6b37",
    "prompt_id": "prompt_0b6f4f0e6a1d",
    "version_id": "prompt_0b6f4f0e6a1d/v1",
    "run_id": "exp_2",
    "conversation_id": "exp_2/main/000000002",
}


PATIENCE = 120
"""Seconds for an answer. Schemathesis waits ten of its own, which a machine under load may need."""


def ask_everything(live: Live) -> None:
    schema = schemathesis.openapi.from_url(
        f"{live.server.url}/api/openapi.json", headers={"Authorization": f"Bearer {live.token}"}
    )
    cases = st.one_of(
        *(
            each.ok().as_strategy(generation_mode=mode)
            for each in schema.get_all_operations()
            for mode in (schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE)
        )
    )

    @settings(
        max_examples=600,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        database=None,
        derandomize=True,
    )
    @given(case=cases, is_there=st.booleans())
    def check(case: Any, is_there: bool) -> None:
        headers = {"Authorization": f"Bearer {live.token}"}
        if is_there:
            case.path_parameters = {
                name: THERE.get(name, value) for name, value in (case.path_parameters or {}).items()
            }
            headers["If-Match"] = "*"
        asked = f"{case.method} {case.formatted_path} {case.query} {case.body!r:.500}"
        try:
            answer = case.call(headers=headers, timeout=PATIENCE)
        except Exception as error:
            pytest.fail(f"{asked}: no answer: {error!r}")
        told = f"{asked}: {answer.status_code} {answer.text[:500]}"
        assert answer.status_code < 500, told
        try:
            case.validate_response(
                answer,
                checks=[
                    schemathesis.checks.not_a_server_error,
                    schemathesis.specs.openapi.checks.status_code_conformance,
                    schemathesis.specs.openapi.checks.content_type_conformance,
                    schemathesis.specs.openapi.checks.response_schema_conformance,
                ],
            )
        except (AssertionError, BaseExceptionGroup) as error:
            pytest.fail(f"{told}\n{error}\n{getattr(error, 'exceptions', '')}")

    check()
