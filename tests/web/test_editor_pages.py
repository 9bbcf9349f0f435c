"""The editor of a case as a client gets it: its page, who may save, what it asks of the API."""

from __future__ import annotations

import html
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from editor_project import REPLIES, REPLY, RUN, write_editor_project
from live import Live, client_of, serve

import grice
from grice.matching.matcher import REGISTRY
from grice.store.result_rows import suite_id
from grice.store.suite_rows import case_id
from grice.web.routes.case import EXAMPLES, CaseExample
from grice.web.site import make_site

HOSTILE = """\
agent: bots:agent
prompt: greet.prompt.md
scenarios:
  - id: "<img src=x onerror=alert(1)>"
    inputs: {name: Ada, place: Rome}
    expect: [{matcher: toContain, expected: "</script><script>alert(1)</script>"}]
"""


@pytest.fixture(scope="module")
def edited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A server of a project with suites, which the tests do not change."""
    folder = tmp_path_factory.mktemp("edited")
    write_editor_project(folder)
    folder.joinpath("greet.prompt.md").write_text("Greet {{name}} in {{place}}.")
    folder.joinpath("hostile.grice.yaml").write_text(HOSTILE.replace("agent: bots:agent\n", ""))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sys, "path", list(sys.path))
        with serve(folder, make=make_site) as live:
            yield live
    REGISTRY.pop("toNameAPlugin", None)
    sys.modules.pop("plugin_matchers", None)


def address(live: Live, case: str = "commented", suite: str = "plugins") -> str:
    return f"/cases/{case_id(live.service.project, suite, case)}"


def post(live: Live, path: str, body: Any, status: int = 200) -> Any:
    answer = live.client.post(path, json=body)
    assert answer.status_code == status, answer.text
    return answer.json()


def test_a_case_is_read_without_a_script_too(edited: Live) -> None:
    page = html.unescape(edited.client.get(address(edited)).text)
    assert '$.items[*].status ALL toBeOneOf ["READY", "PENDING"]' in page
    assert "$.price toBeCloseTo 1</code> (soft)" in page
    assert "<code>plugins.grice.yaml</code>, line 6" in page


def test_what_a_file_says_is_text(edited: Live) -> None:
    page = edited.client.get(address(edited, "<img src=x onerror=alert(1)>", "hostile"))
    assert page.status_code == 200, page.text
    assert "<img" not in page.text
    assert "<script>" not in page.text
    assert "unsafe" not in page.headers["Content-Security-Policy"]


def test_the_placeholders_of_a_prompt_are_known(edited: Live) -> None:
    page = edited.client.get(address(edited, "<img src=x onerror=alert(1)>", "hostile")).text
    assert '["name", "place"]' in html.unescape(page)


def test_a_case_that_is_none_is_told(edited: Live) -> None:
    answer = edited.client.get("/cases/case_nowhere")
    assert (answer.status_code, "there is no such case" in answer.text) == (404, True)


@pytest.mark.parametrize("role", ["read", "run"])
def test_who_may_not_save_is_told_which_role_it_needs(edited: Live, role: str) -> None:
    with edited.client_with(role) as client:
        page = client.get(address(edited)).text
    assert f"has the role {role}, and saving needs the role edit" in page
    assert "saving needs" not in edited.client.get(address(edited)).text


def test_nobody_sees_it_without_a_token(edited: Live) -> None:
    with client_of(edited.server, "") as stranger:
        assert stranger.get(address(edited)).status_code == 401


def test_a_browser_whose_session_has_ended_is_told_to_open_the_link_again(edited: Live) -> None:
    with client_of(edited.server, "") as browser:
        browser.headers["Accept"] = "text/html,application/xhtml+xml"
        answer = browser.get(address(edited))
        assert answer.status_code == 401
        assert answer.headers["Content-Type"].startswith("text/html")
        assert "<h1>Open the link again</h1>" in answer.text
        assert edited.service.project not in answer.text
        late = browser.get("/login?token=old")
        assert (late.status_code, "the link has a wrong token" in late.text) == (401, True)


def test_scripts_and_styles_of_the_editor_are_small(edited: Live) -> None:
    names = ("page.css", "web.css", "editor.css", "htmx.js", "web.js", "editor.js")
    sizes = {one: len(edited.client.get(f"/static/{one}").content) for one in names}
    page = edited.client.get(address(edited)).text
    assert all(f"/static/{one}?" in page for one in names)
    assert sum(sizes.values()) <= 300_000, sizes


def test_the_script_makes_no_markup(edited: Live) -> None:
    script = edited.client.get("/static/editor.js").text
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "DOMParser", "eval("):
        assert word not in script, word


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda one: one.title)
def test_each_example_passes_on_its_output(example: CaseExample) -> None:
    assert grice.evaluate_assertions(example.output, example.assertions).passed


def test_a_preview_names_the_field_and_the_place_of_a_mistake(edited: Live) -> None:
    asked = [
        {"path": "$.items[", "matcher": "toBeNull"},
        {"matcher": "toMatch", "expected": "("},
        {"path": "$.user", "matcher": "toBeNull"},
    ]
    told = post(edited, "/api/evaluate/preview", {"actual": REPLY, "assertions": asked})["previews"]
    found = [[(one["field"], one["position"]) for one in each["problems"]] for each in told]
    assert found == [[("path", 7)], [("expected", None)], []]


def test_replies_without_data_have_no_null(edited: Live) -> None:
    asked = [{"matcher": "toBeNull"}, {"matcher": "toEqual", "expected": 1, "not": True}]
    told = post(edited, "/api/evaluate/many", {"run": RUN, "on": "reply.data", "assertions": asked})
    assert [one["unresolved"] for one in told["assertions"]] == [REPLIES, REPLIES]
    assert "the agent returned no data" in told["failing"][0]["results"][0]["message"]
    assert told["assertions"][0]["outcomes"] == {"fail": REPLIES}


@pytest.mark.parametrize(
    ("value", "kind", "assertion"),
    [
        ("Paris", "string", {"expected": "Paris"}),
        ('{"a": 1}', "json", {"parse": "json", "expected": {"a": 1}}),
        ({"a": 1.0}, "json", {"parse": "json", "expected": {"a": 1.0}}),
    ],
)
def test_an_expected_output_is_one_assertion(
    edited: Live, value: Any, kind: str, assertion: dict[str, Any]
) -> None:
    body = {"expectedOutput": value, "outputType": kind}
    told = post(edited, "/api/expected-output/assertion", body)
    assert told == {"assertion": {"path": "$", "matcher": "toEqual", **assertion}}


def test_only_cases_that_there_are_can_be_run(edited: Live) -> None:
    path = f"/api/test-suites/{suite_id(edited.service.project, 'plugins.grice.yaml')}/run"
    told = post(edited, path, {"only": ["legacy", "typng"]}, 400)
    assert told["details"] == [
        {"field": "only[1]", "message": "the suite has no case 'typng' (did you mean 'typing'?)"}
    ]
    told = post(edited, path, {"only": ["legacy"], "onlyFailedOf": "exp_1"}, 400)
    assert {one["field"] for one in told["details"]} == {"only", "onlyFailedOf"}
