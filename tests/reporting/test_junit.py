"""JUnit XML: a test case for each conversation, and nothing green that is not known to be."""

from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace
from run_results import ALL, BOOKING, HEAD, JUDGE_DOWN, LOST, MISLED, called, soft

from grice.records import Conversation, Outcome, Result, Verdict
from grice.reporting.experiment.junit import junit_xml


def suite(*results: Result, **more: object) -> ET.Element:
    found = ET.fromstring(junit_xml((HEAD,), results, **more)).find("testsuite")  # type: ignore[arg-type]
    assert found is not None
    return found


def case(result: Result) -> ET.Element:
    found = suite(result).find("testcase")
    assert found is not None
    return found


def kinds(found: ET.Element) -> list[str]:
    return [one.tag for one in found if one.tag not in ("properties", "system-out")]


def test_there_is_a_case_for_each_result_and_every_one_is_counted() -> None:
    found = suite(*ALL, replace(LOST, outcome=Outcome.SKIPPED, failure="none", counts=False))
    assert [(one.get("classname"), one.get("name")) for one in found.findall("testcase")] == [
        ("venues", "booking_with_modification"),
        ("venues", "lost"),
        ("venues", "judge_down"),
        ("venues", "misled"),
        ("venues", "lost"),
    ]
    assert {name: found.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
        "tests": "5",
        "failures": "1",
        "errors": "2",
        "skipped": "1",
    }
    root = ET.fromstring(junit_xml((HEAD,), ALL))
    assert (root.tag, root.get("tests"), root.get("failures")) == ("testsuites", "4", "1")


def test_the_suite_says_what_the_run_was() -> None:
    found = suite(BOOKING)
    assert (found.get("name"), found.get("timestamp")) == ("Prompt v2.3", "2025-01-16T14:30:00.000")
    properties = {one.get("name"): one.get("value") for one in found.findall("properties/property")}
    assert properties == {
        "experiment": "exp_def456",
        "name": "Prompt v2.3",
        "git_commit": "abc123def456",
        "git_branch": "feature/grounding",
        "git_dirty": "false",
    }


def test_a_failure_has_its_type_and_the_reasons() -> None:
    found = case(LOST)
    failure = found.find("failure")
    assert failure is not None
    assert failure.get("type") == "max_turns"
    assert failure.get("message") == "call search: it was never called"
    assert failure.text == "fail         the reply to call search\n    it was never called"


def test_soft_evaluations_are_told_and_fail_nothing() -> None:
    found = case(BOOKING)
    assert kinds(found) == []
    out = found.findtext("system-out")
    assert out is not None
    assert "the reply to satisfy 'acknowledges_change'" in out
    assert "Response was curt" in out
    assert "friendly" not in out


@pytest.mark.parametrize(
    ("result", "kind", "message"),
    [
        (replace(BOOKING, verdicts=()), None, ""),
        (JUDGE_DOWN, "error", "does not count: a check broke: HTTP 503"),
        (MISLED, "error", "does not count: the simulated user broke its rules and kept it from passing"),
        (
            replace(BOOKING, counts=False, spoiled="helped"),
            "skipped",
            "passed, and does not count: the simulated user broke its rules and helped it to pass",
        ),
        (
            replace(
                LOST,
                outcome=Outcome.INCONCLUSIVE,
                failure="assertion",
                verdicts=(called(Outcome.INCONCLUSIVE, 1, "search", reason="the text is empty"),),
            ),
            "error",
            "inconclusive, it could not be told: call search: the text is empty",
        ),
        (
            replace(BOOKING, verdicts=tuple(one for one in BOOKING.verdicts if one.mode == "soft")),
            "skipped",
            "no hard check: nothing in it could fail",
        ),
        (
            Result(
                "example:9",
                "left",
                Outcome.SKIPPED,
                Conversation(),
                (Verdict(Outcome.SKIPPED, "on another day"),),
                counts=False,
            ),
            "skipped",
            "on another day",
        ),
    ],
)
def test_each_outcome_is_its_own_kind(result: Result, kind: str | None, message: str) -> None:
    found = case(result)
    assert kinds(found) == ([kind] if kind else [])
    assert [one.get("message") for one in found if one.tag == kind] == ([message] if kind else [])


def test_what_was_not_finished_is_an_error_and_never_left_out() -> None:
    found = suite(BOOKING, unfinished=("lost (repeat 2)",), never_begun=3)
    cases = [(one.get("name"), [child.get("message") for child in one]) for one in found.findall("testcase")]
    assert cases[1:] == [
        ("lost (repeat 2)", ["begun and not finished"]),
        ("planned conversations", ["3 planned and never begun"]),
    ]
    assert (found.get("tests"), found.get("errors")) == ("3", "2")
    assert suite(BOOKING, damaged=2).get("errors") == "1"
    assert (suite().get("tests"), suite().get("errors")) == ("1", "1")


def test_a_line_that_cannot_be_read_is_one_error_with_the_conversation_it_was_of() -> None:
    def errors(**more: object) -> list[tuple[str | None, str | None]]:
        cases = suite(BOOKING, **more).findall("testcase")[1:]
        return [(one.get("name"), child.get("message")) for one in cases for child in one]

    unreadable = "finished in a line of the journal that cannot be read"
    assert errors(unfinished=("lost",), damaged=1) == [("lost", f"begun and not finished, or {unreadable}")]
    assert errors(never_begun=1, damaged=1) == [
        ("planned conversations", f"1 planned and never begun, or {unreadable}")
    ]
    assert errors(damaged=1) == [("journal", "a line of it cannot be read")]
    assert [name for name, _ in errors(unfinished=("lost",), damaged=2)] == ["lost", "journal"]


def test_what_was_not_finished_stands_with_the_others_of_its_set() -> None:
    found = suite(BOOKING, unfinished=("lost", "left"), unfinished_in=("venues", ""))
    assert [one.get("classname") for one in found.findall("testcase")] == ["venues", "venues", "grice"]


def test_notes_stand_beside_the_cases() -> None:
    found = suite(BOOKING, notes=("main.jsonl:7: left out", "2 results found\x1b twice"))
    assert found.findtext("system-out") == "main.jsonl:7: left out\n2 results found\\x1b twice"
    assert found.get("errors") == "0"
    assert suite(BOOKING).find("system-out") is None


def test_a_reason_of_several_lines_is_a_message_of_one() -> None:
    verdicts = (called(Outcome.FAIL, 1, "search", reason="it was called\n    with 3\n\nnot 4"),)
    failure = case(replace(LOST, verdicts=verdicts)).find("failure")
    assert failure is not None
    assert failure.get("message") == "call search: it was called with 3 not 4"


def test_repeats_are_cases_of_their_own_with_their_seconds() -> None:
    found = case(replace(BOOKING, repeat=3, duration=1.25, set_name="", file="tests/test_rooms.py"))
    assert (found.get("classname"), found.get("name"), found.get("time")) == (
        "test_rooms",
        "booking_with_modification (repeat 3)",
        "1.250",
    )
    assert [one.get("value") for one in found.findall("properties/property")] == ["example:1"]


def test_text_of_agents_is_text_in_xml() -> None:
    hostile = "</testsuite><script>&\"'\x1b[2J\x00\ufffe\uffff\ud800\u202e]]>"
    verdicts = (
        Verdict(Outcome.FAIL, hostile, (), "toContain", hostile, turn=1),
        soft(Outcome.FAIL, 1, hostile, hostile),
    )
    result = replace(LOST, key=hostile, id=hostile, set_name=hostile, verdicts=verdicts)
    head = replace(HEAD, name=hostile, tags=(hostile,), git_branch=hostile)
    text = junit_xml((head,), [result])
    root = ET.fromstring(text)
    assert root.find("testsuite/script") is None
    found = root.find("testsuite/testcase")
    assert found is not None
    name = found.get("name")
    assert name is not None
    assert name.startswith("</testsuite><script>&\"'\\x1b[2J\\x00??")
    assert all(sign not in text.decode() for sign in "\x1b\x00\u202e\ufffe")


def test_half_a_character_is_an_escape_and_a_long_reason_is_cut() -> None:
    odd = Verdict(Outcome.FAIL, "it says \ud800 " + "x\n" * 100_000, claim="the text to be whole")
    found = case(Result("example:1", "odd \udc00", Outcome.FAIL, Conversation(), (odd,), failure="assertion"))
    failure = found.find("failure")
    assert failure is not None
    assert found.get("name") == r"odd \udc00"
    assert failure.get("message", "").startswith(r"be whole: it says \ud800 x")
    assert r"it says \ud800 x" in (failure.text or "")
    assert len(ET.tostring(found)) < 20_000
