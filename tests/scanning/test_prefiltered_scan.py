"""A scan that counts at a first look says what judging every reply says."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from grice.matchers import matcher
from grice.records import Verdict, passed
from grice.scanning.batch import whole_finding
from grice.scanning.check_choice import choose_checks
from grice.scanning.log_scan import scan
from grice.scanning.report import CountedFinding, Finding

CHECKS = [
    {"id": "no todo", "matcher": "toMatch", "expected": "TODO", "not": True},
    {"id": "says room", "matcher": "toContain", "expected": "room"},
    {"id": "starts", "matcher": "toStartWith", "expected": "The"},
    {"id": "no dots", "matcher": "toEndWith", "expected": "...", "not": True},
    {"id": "empty pattern", "matcher": "toMatch", "expected": ""},
]
REPLIES = ["The room is free.", "TODO", "", "  ", "The end...", "\ud800 room", "x" * 100_001 + " room TODO"]


def write(folder: Path, checks: list[dict[str, object]]) -> tuple[Path, str]:
    log, chosen = folder / "log.jsonl", folder / "checks.json"
    lines = [
        {"id": str(n), "messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": one}]}
        for n, one in enumerate(REPLIES)
    ]
    log.write_text("".join(json.dumps(one) + "\n" for one in lines))
    chosen.write_text(json.dumps(checks))
    return log, str(chosen)


def test_the_counts_are_those_of_judging(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log, chosen = write(tmp_path, CHECKS)
    quick = scan([log], choose_checks(chosen))
    for module in ("batch", "narrow"):
        monkeypatch.setattr(f"grice.scanning.{module}.prefilter_of", lambda check: None)
    assert quick == scan([log], choose_checks(chosen))
    assert {one.label: one.passed for one in quick.checks}["no todo"] > 0


@matcher("toBreakAtFirst", prefilter=lambda: lambda text: bool(1 / 0))
def break_at_first(subject: str, ctx: object) -> Verdict:
    return passed()


@matcher("toHaveNoFirstLook", prefilter=lambda: 1 / 0)  # type: ignore[arg-type, return-value]
def have_no_first_look(subject: str, ctx: object) -> Verdict:
    return passed()


def test_a_first_look_that_breaks_leaves_the_reply_to_judging(tmp_path: Path) -> None:
    log, chosen = write(tmp_path, [{"matcher": "toBreakAtFirst"}, {"matcher": "toHaveNoFirstLook"}])
    report = scan([log], choose_checks(chosen))
    assert [one.passed for one in report.checks] == [len(REPLIES)] * 2


def test_patterns_find_the_same_in_all_replies_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beyond ASCII, beside each other, with line ends and zeros: each match is in one reply only."""
    drawn = random.Random(1)
    parts = ("a", "b", "ab", "é", "日", "\n", "\0", " ", "b a", "x")
    patterns = ("ab", "a[^x]*x", r"b\s+a", "é+", r"\bb\b", "[^a]日", r"x.?\n")
    checks: list[dict[str, object]] = [
        {"id": one, "matcher": "toMatch", "expected": one, "not": True} for one in patterns
    ]
    log, chosen = write(tmp_path, checks)
    with log.open("w") as lines:
        for number in range(300):
            said = ["".join(drawn.choices(parts, k=drawn.randrange(1, 5))) for _ in range(4)]
            messages = [
                {"role": role, "content": text}
                for text in said
                for role, text in (("user", "Hi"), ("assistant", text))
            ]
            lines.write(json.dumps({"id": str(number), "messages": messages}) + "\n")
    findings: list[list[Finding]] = [[], []]
    scan([log], choose_checks(chosen), on_finding=findings[0].append)
    for module in ("batch", "narrow"):
        monkeypatch.setattr(f"grice.scanning.{module}.prefilter_of", lambda check: None)
    scan([log], choose_checks(chosen), on_finding=findings[1].append)
    quick, slow = (sorted(some, key=lambda one: (one.line, one.turn, one.label)) for some in findings)
    assert quick == slow
    assert {one.label for one in quick} == set(patterns)


@pytest.mark.parametrize("held", [0, 300, 16_000_000])
def test_findings_that_nobody_takes_are_shown_like_all_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, held: int
) -> None:
    """Whether they are made from their lines at the end, or at once as no more lines can be kept."""
    monkeypatch.setattr("grice.scanning.report._MOST_HELD", held)
    at_path = {"id": "a", "path": "$.a", "matcher": "toEqual", "expected": "b", "not": True}
    log, chosen = write(tmp_path, [*CHECKS[:-1], at_path])
    call = {"id": "c", "type": "function", "function": {"name": "find", "arguments": "{}"}}
    messages = [
        {"role": "assistant", "content": "Welcome TODO sk-abcdefghijklmnop1234"},
        {"role": "user", "content": "Hi"},
        {"role": "user", "content": "Is sk-abcdefghijklmnop1234 my key?"},
        {"role": "assistant", "content": "Let me see", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": "1"},
        {"role": "assistant", "content": "TODO sk-abcdefghijklmnop1234"},
        {"role": "user", "content": "As JSON"},
        {"role": "assistant", "content": '{"a": "b"}'},
    ]
    with log.open("a") as lines:
        for name in ({"id": 7}, {}, {"id": "x"}):
            lines.write(json.dumps({**name, "messages": messages}) + "\n")
    found: list[Finding] = []
    report = scan([log], choose_checks(chosen), on_finding=found.append)
    assert scan([log], choose_checks(chosen)) == report
    shown = {one.label: [(each.finding.turn, each.times) for each in one.examples] for one in report.checks}
    assert shown["no todo"] == [(1, 3), (1, 1)]
    assert shown["a"] == [(4, 3)]
    assert "sk-abcdefghijklmnop1234" not in repr(report)


SAID = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "TODO"}]
JSON_SAID = [SAID[0], {"role": "assistant", "content": '{"a": "b"}'}]
LONG = [one for n in range(400) for one in (SAID[0], {"role": "assistant", "content": f"TODO {n}"})]
PLAIN = {"id": "plain", "messages": [SAID[0], {"role": "assistant", "content": "The room"}]}
DEEP = '{"a": "b", "x": '


@pytest.mark.parametrize(
    "odd",
    [
        {"messages": SAID, "error": None, "session_id": "s"},
        {"messages": SAID, "response": None, "session_id": "s"},
        {"messages": SAID, "request": "r", "meta": {"chat_id": "s"}},
        {"messages": SAID, "epoch": 1, "id": 1},
        [{**one, "chat_id": "s"} for one in SAID],
        {"messages": [SAID[0], {"role": "assistant", "content": '{"a": "[1]"}'}]},
        {"messages": [*JSON_SAID, SAID[0], {"role": "assistant", "content": '{"a": "b", "c": "TODO"}'}]},
        {"messages": [SAID[0], {"role": "assistant", "content": DEEP + "1" * 5000 + "}"}]},
    ],
    ids=lambda odd: json.dumps(odd)[:80],
)
def test_an_odd_line_among_plain_ones_is_read_as_it_is_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, odd: object
) -> None:
    paths: list[dict[str, object]] = [
        {"id": "not b", "path": "$.a", "matcher": "toEqual", "expected": "b", "not": True},
        {"id": "b", "path": "$.a", "matcher": "toEqual", "expected": "b"},
        {"id": "list", "path": "$.a", "parse": "json", "matcher": "toEqual", "expected": "[1]"},
    ]
    log, chosen = write(tmp_path, [*CHECKS[:-1], *paths])
    log.write_text("".join(json.dumps(one) + "\n" for one in (PLAIN, PLAIN, odd, odd)))
    found: list[list[Finding]] = [[], []]
    counted = scan([log], choose_checks(chosen))
    quick = scan([log], choose_checks(chosen), on_finding=found[0].append)
    for module in ("batch", "narrow"):
        monkeypatch.setattr(f"grice.scanning.{module}.prefilter_of", lambda check: None)
    slow = scan([log], choose_checks(chosen), on_finding=found[1].append)
    assert counted == quick == slow
    assert found[0] == found[1]


def test_a_value_beside_deep_nesting_stops_no_scan(tmp_path: Path) -> None:
    """How deep JSON is read depends on the depth of the program, which differs from one look to the next."""
    check = {"id": "not b", "path": "$.a", "matcher": "toEqual", "expected": "b", "not": True}
    log, chosen = write(tmp_path, [check])
    with log.open("w") as lines:
        for n in range(800, 1000):
            reply = {"role": "assistant", "content": DEEP + "[" * n + "]" * n + "}"}
            lines.write(json.dumps({"messages": [SAID[0], reply]}) + "\n")
    (told,) = scan([log], choose_checks(chosen)).checks
    assert told.passed > 0
    assert told.passed + told.failed == 200


@matcher("toPassOnce", prefilter=lambda: lambda text: False)
def pass_once(subject: str, ctx: object) -> bool:
    SEEN.append(subject)
    return len(SEEN) > len(REPLIES)


SEEN: list[str] = []


def test_each_reply_is_judged_once(tmp_path: Path) -> None:
    SEEN.clear()  # tests of all matchers that are registered may have asked it
    log, chosen = write(tmp_path, [{"id": "once", "matcher": "toPassOnce"}])
    report = scan([log], choose_checks(chosen))
    assert report.checks[0].failed == len(SEEN) == len(REPLIES)
    assert len(report.checks[0].examples) == 3


def test_many_findings_of_one_conversation_are_made_of_one_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only of findings that are shown the words are made, and one line is kept once."""
    made: list[CountedFinding] = []
    monkeypatch.setattr(
        "grice.scanning.log_scan.whole_finding",
        lambda one, checks: made.append(one) or whole_finding(one, checks),
    )
    log, chosen = write(tmp_path, CHECKS[:1])
    log.write_text("".join(json.dumps(one) + "\n" for one in (PLAIN, {"id": "long", "messages": LONG})))
    monkeypatch.setattr("grice.scanning.report._MOST_HELD", 2 * log.stat().st_size)
    report = scan([log], choose_checks(chosen))
    assert report.checks[0].failed == 400
    assert [(one.line, one.turn) for one in made] == [(2, 1)]
