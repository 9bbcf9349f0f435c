"""Scanning logs with checks: what is judged, what is counted, what is kept."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.checks.rule_names import UnknownCheck
from grice.files.document import FileErrors
from grice.matching.context import Context
from grice.matching.matcher import matcher
from grice.matching.subjects import text_of
from grice.records import Verdict, inconclusive
from grice.scanning import kept
from grice.scanning.check_choice import Choice, choose_checks, weight
from grice.scanning.log_scan import scan
from grice.scanning.report import CheckCount, Finding, ScanReport

KEY = "sk-ant-api03-" + "a1B2" * 12


def user(text: str = "Hi", **more: Any) -> dict[str, Any]:
    return {"role": "user", "content": text, **more}


def bot(text: str, **more: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": text, **more}


def whole_log(tmp_path: Path, *conversations: list[Any]) -> Path:
    path = tmp_path / "log.jsonl"
    lines = [{"id": f"c{number}", "messages": one} for number, one in enumerate(conversations, 1)]
    path.write_text("".join(json.dumps(one) + "\n" for one in lines), "utf-8")
    return path


def message_log(tmp_path: Path, *messages: tuple[str, dict[str, Any]]) -> Path:
    path = tmp_path / "log.jsonl"
    lines = [{"conversation_id": name, **message} for name, message in messages]
    path.write_text("".join(json.dumps(one) + "\n" for one in lines), "utf-8")
    return path


def checks_of(tmp_path: Path, *entries: Any) -> Choice:
    path = tmp_path / "checks.json"
    path.write_text(json.dumps(list(entries)))
    return choose_checks(str(path))


def scanned(tmp_path: Path, path: Path, *entries: Any) -> ScanReport:
    return scan([path], checks_of(tmp_path, *entries))


def examples_of(count: CheckCount) -> list[Finding]:
    return [one.finding for one in count.examples]


def outcomes(count: CheckCount) -> tuple[int, int, int, int, int]:
    return count.passed, count.failed, count.inconclusive, count.skipped, count.error


@matcher("toBreakDown")
def break_down(subject: str, ctx: Context) -> bool:
    raise RuntimeError("out of order")


@matcher("toTellNothing")
def tell_nothing(subject: str, ctx: Context) -> Verdict:
    return inconclusive(f"it says {text_of(subject)!r}, which is nothing")


SHORT = {"matcher": "sentences", "expected": 1}
NO_AI = {"matcher": "toContain", "expected": "AI", "not": True}


def test_a_check_judges_the_reply_of_every_turn(tmp_path: Path) -> None:
    path = whole_log(tmp_path, [user(), bot("One."), user(), bot("One. Two.")], [user(), bot("")], [user()])
    report = scanned(tmp_path, path, SHORT)
    assert (report.conversations, report.turns, report.turns_examined) == (3, 4, 3)
    (count,) = report.checks
    assert outcomes(count) == (1, 1, 1, 0, 0)
    assert count.rate == 0.5
    assert [(one.turn, one.line, one.conversation) for one in examples_of(count)] == [(2, 1, "c1")]
    assert [(one.outcome, one.times) for one in count.reasons] == [("inconclusive", 1)]


def test_it_judges_the_last_answer_and_not_what_was_said_beside_tool_calls(tmp_path: Path) -> None:
    call = {"id": "t1", "type": "function", "function": {"name": "book", "arguments": "{}"}}
    messages = [
        user(),
        bot("AI at work", tool_calls=[call]),
        {"role": "tool", "tool_call_id": "t1", "content": "ok"},
        bot("Done."),
    ]
    report = scanned(
        tmp_path, whole_log(tmp_path, messages), NO_AI, {"matcher": "toCallTool", "expected": "book"}
    )
    assert [outcomes(one)[:2] for one in report.checks] == [(1, 0), (1, 0)]


def test_marks_stand_where_the_evidence_is_also_when_a_secret_before_it_is_replaced(tmp_path: Path) -> None:
    report = scanned(tmp_path, whole_log(tmp_path, [user(), bot(f"Key {KEY}, said the AI today.")]), NO_AI)
    (finding,) = examples_of(report.checks[0])
    assert KEY not in finding.excerpt
    assert [finding.excerpt[start:end] for start, end in finding.marks] == ["AI"]
    assert len(finding.spans) == 1


def test_the_reply_repeats_no_secret_of_the_calls_before_it(tmp_path: Path) -> None:
    call = {"name": "log_in", "arguments": '{"password": "hunter2-horse"}'}
    messages = [
        user(),
        bot("", tool_calls=[{"id": "t1", "type": "function", "function": call}]),
        {"role": "tool", "tool_call_id": "t1", "content": "ok"},
        bot("I am the AI that knows hunter2-horse."),
    ]
    (count,) = scanned(tmp_path, whole_log(tmp_path, messages), NO_AI).checks
    assert examples_of(count)[0].excerpt == "I am the AI that knows [redacted: password]."
    assert examples_of(count)[0].reason.endswith("'I am the AI that knows [redacted: password]'")


def test_a_check_of_conversations_judges_each_once(tmp_path: Path) -> None:
    path = whole_log(tmp_path, [user(), bot("a"), user(), bot("b")], [user(), bot("c")])
    report = scanned(tmp_path, path, {"matcher": "toHaveTurnCount", "expected": 2})
    (count,) = report.checks
    assert (count.on, count.examined, outcomes(count)[:2]) == ("conversation", 2, (1, 1))
    assert examples_of(count)[0].line == 2


def test_data_beside_a_reply_is_judged_as_its_data(tmp_path: Path) -> None:
    check = {"on": "reply.data", "path": "$.mode", "matcher": "toEqual", "expected": "chat"}
    path = whole_log(
        tmp_path, [user(), bot("a", data={"mode": "chat"}), user(), bot("b", data={"mode": "x"})]
    )
    assert outcomes(scanned(tmp_path, path, check).checks[0])[:2] == (1, 1)
    path = message_log(tmp_path, ("m", user()), ("m", bot("a", data={"mode": "chat"})))
    assert outcomes(scanned(tmp_path, path, check).checks[0])[:2] == (1, 0)


def test_messages_of_several_conversations_may_be_mixed(tmp_path: Path) -> None:
    path = message_log(
        tmp_path,
        ("a", user()),
        ("b", user()),
        ("a", bot("One. Two.")),
        ("b", bot("One.")),
        ("a", user()),
        ("a", bot("One.")),
    )
    report = scanned(tmp_path, path, SHORT, {"matcher": "toHaveTurnCount", "expected": 2})
    assert (report.conversations, report.turns_examined) == (2, 3)
    assert [outcomes(one)[:2] for one in report.checks] == [(2, 1), (1, 1)]
    assert [(one.conversation, one.line, one.turn) for one in examples_of(report.checks[0])] == [("a", 3, 1)]


def test_of_a_long_conversation_the_last_turns_are_kept_and_the_whole_is_not_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "MAX_KEPT", 3_000)
    messages = [("a", one) for _ in range(20) for one in (user(), bot("Yes. " * 20))]
    report = scanned(
        tmp_path, message_log(tmp_path, *messages), SHORT, {"matcher": "toHaveTurnCount", "expected": 20}
    )
    by_reply, of_whole = report.checks
    assert by_reply.failed == 20
    assert outcomes(of_whole) == (0, 0, 1, 0, 0)
    assert report.not_whole == 1


def test_a_long_conversation_keeps_its_turn_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "MAX_KEPT", 3_000)
    messages = [
        ("a", one) for n in range(20) for one in (user(), bot("x" * 300 + (" AI" if n == 15 else "")))
    ]
    report = scanned(tmp_path, message_log(tmp_path, *messages), NO_AI)
    assert [one.turn for one in examples_of(report.checks[0])] == [16]


def test_quiet_conversations_are_ended_when_too_much_is_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "MAX_HELD", 2_000)
    messages = [(f"c{n}", one) for n in range(10) for one in (user(), bot("x" * 400))]
    report = scanned(tmp_path, message_log(tmp_path, *messages), SHORT)
    assert report.ended_early > 0
    assert (report.conversations, report.checks[0].passed) == (10, 10)


def test_data_beside_replies_counts_as_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "MAX_HELD", 5_000)
    messages = [(f"c{n}", bot("Hi.", data={"products": ["x" * 1_000]})) for n in range(10)]
    assert scanned(tmp_path, message_log(tmp_path, *messages), SHORT).ended_early > 0
    monkeypatch.setattr(kept, "MAX_KEPT", 3_000)
    messages = [("a", one) for _ in range(20) for one in (user(), bot("Hi.", data=["x" * 1_000]))]
    report = scanned(tmp_path, message_log(tmp_path, *messages), SHORT)
    assert (report.not_whole, report.checks[0].passed) == (1, 20)


@pytest.mark.parametrize("one_line", [True, False])
def test_a_conversation_without_end_is_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, one_line: bool
) -> None:
    monkeypatch.setattr(kept, "MAX_TURNS", 4)
    messages = [one for _ in range(10) for one in (user(), bot("Yes."))]
    path = (
        whole_log(tmp_path, messages)
        if one_line
        else message_log(tmp_path, *(("a", one) for one in messages))
    )
    report = scanned(tmp_path, path, SHORT)
    assert (report.turns_examined, report.checks[0].passed, report.ended_early) == (10, 10, 2)


def test_malformed_lines_and_messages_are_counted_and_the_rest_is_judged(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(
        '{"id": "a", "messages": [{"role": "user", "content": "Hi"}, 7, '
        '{"role": "assistant", "content": "One."}]}\n'
        "not JSON\n"
        '{"id": "b", "messages": [7]}\n'
        '{"id": "c", "messages": [{"role": "user", "content": "Hi"}], "completion": "Hello"}\n'
    )
    report = scanned(tmp_path, path, SHORT)
    assert (report.malformed, report.malformed_messages) == (3, 1)
    assert [one.line for one in report.malformed_lines] == [1, 2, 3, 4]
    assert report.checks[0].passed == 1


def test_reasons_are_grouped_without_what_changes_in_them(tmp_path: Path) -> None:
    path = whole_log(tmp_path, *([user(), bot(str(number))] for number in range(300)))
    report = scanned(tmp_path, path, "toTellNothing")
    (count,) = report.checks
    assert [(one.reason, one.times) for one in count.reasons] == [("it says …, which is nothing", 300)]


def test_what_was_done_comes_before_what_was_said_and_that_before_how() -> None:
    named = {one.label: one.rule for one in choose_checks("similarity,tool-flow,repeated-calls").checks}
    ordered = sorted(named, key=lambda one: weight(*named[one]))
    assert ordered == ["repeated-calls", "tool-flow", "similarity"]


def test_a_check_that_breaks_makes_the_scan_incomplete(tmp_path: Path) -> None:
    report = scanned(tmp_path, whole_log(tmp_path, [user(), bot("One.")]), SHORT, "toBreakDown")
    assert [one.error for one in report.checks] == [0, 1]
    assert not report.complete
    assert [one.label for one in report.broken] == ["toBreakDown"]


def test_every_finding_is_handed_out(tmp_path: Path) -> None:
    path = whole_log(tmp_path, *([user(), bot("One. Two.")] for _ in range(9)))
    found: list[Any] = []
    report = scan([path], checks_of(tmp_path, SHORT), on_finding=found.append)
    assert len(found) == report.checks[0].failed == 9
    assert [one.times for one in report.checks[0].examples] == [9]
    assert found[0].label == "sentences"
    assert "found 2" in found[0].reason


@pytest.mark.parametrize(
    ("entries", "problems"),
    [
        ([{"matcher": "sentense", "expected": 1}], ["unknown rule 'sentense' (did you mean 'sentences'?)"]),
        ([{"matcher": "toSatisfy", "expected": "x"}], ["asks a judge"]),
        ([{**NO_AI, "profile": "seed"}], ["toContain has no profiles"]),
        ([{**SHORT, "profile": "sed"}], ["expected seed or robust, found 'sed' (did you mean 'seed'?)"]),
        ([{**SHORT, "on": "prompt"}], ["a log has no requests to the model"]),
        ([{**SHORT, "expectd": 1}], ["unknown field 'expectd'"]),
        ([{"matcher": "sentences"}], ["expected is missing"]),
        ([{"matcher": "sentences", "expected": 0}, 7], ["limit is a whole number", "found 7"]),
        ([], ["expected a list of checks"]),
    ],
)
def test_a_file_of_checks_that_is_wrong_is_told_whole(
    tmp_path: Path, entries: list[Any], problems: list[str]
) -> None:
    with pytest.raises(FileErrors) as wrong:
        checks_of(tmp_path, *entries)
    found = [str(one) for one in wrong.value.errors]
    assert len(found) == len(problems)
    for problem, said in zip(problems, found, strict=True):
        assert problem in said
        assert said.startswith(str(tmp_path / "checks.json:1:"))


def test_a_check_may_be_a_name_alone_and_labels_differ(tmp_path: Path) -> None:
    entries = [
        "toBeFreeOf",
        SHORT,
        {**SHORT, "expected": 2},
        {**SHORT, "profile": "seed"},
        {**SHORT, "id": "mine"},
    ]
    labels = [one.label for one in checks_of(tmp_path, *entries).checks]
    assert labels == ["toBeFreeOf", "sentences", "sentences (2)", "sentences, seed", "mine"]


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ("opener", "did you mean 'openers'?"),
        ("ton", "did you mean 'tone'?"),
        ("sentences", "sentences needs arguments (limit)"),
        ("toContain", "toContain needs arguments (expected)"),
        ("toContainn", "did you mean 'toContain'?"),
        (" , ", "no checks are named"),
    ],
)
def test_names_that_cannot_be_applied_are_refused(given: str, problem: str) -> None:
    with pytest.raises(UnknownCheck) as refused:
        choose_checks(given)
    assert problem in str(refused.value)


def test_a_profile_that_is_none_is_refused() -> None:
    with pytest.raises(UnknownCheck, match="did you mean 'robust'"):
        choose_checks("toBeFreeOf", "robst")


def test_names_may_be_several(tmp_path: Path) -> None:
    choice = choose_checks("toBeFreeOf, toBeTruthy")
    assert [one.label for one in choice.checks] == ["toBeFreeOf", "toBeTruthy"]
    said = "Updating it now! Would you like me to update it?"
    report = scan([whole_log(tmp_path, [user(), bot(said)])], choice)
    assert [one.failed for one in report.checks] == [1, 0]


REPLIES = st.sampled_from(
    ["", "Sure! One.", "Sure! Two.", "One. Two.", "You'll get it.", "Sure! One. Really!"]
)
TALKS = st.lists(st.lists(REPLIES, min_size=1, max_size=8), min_size=1, max_size=4)


@pytest.mark.slow
@given(TALKS, st.randoms(use_true_random=False))
def test_one_message_a_line_gives_what_whole_conversations_give(
    tmp_path_factory: pytest.TempPathFactory, talks: list[list[str]], random: Random
) -> None:
    folder = tmp_path_factory.mktemp("logs")
    conversations = [[one for text in talk for one in (user(), bot(text))] for talk in talks]
    waiting = [[(f"c{number}", one) for one in talk] for number, talk in enumerate(conversations, 1)]
    mixed = []
    while waiting:
        talk = random.choice(waiting)
        mixed.append(talk.pop(0))
        waiting = [one for one in waiting if one]
    choice = choose_checks("openers,similarity,toBeFreeOf")
    whole = scan([whole_log(folder, *conversations)], choice)
    parts = scan([message_log(folder, *mixed)], choice)
    assert [outcomes(one) for one in whole.checks] == [outcomes(one) for one in parts.checks]
    assert (whole.conversations, whole.turns_examined) == (parts.conversations, parts.turns_examined)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
ODD = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "tool", "system", "x"])},
    optional={
        "content": JSON,
        "data": JSON,
        "tool_calls": JSON,
        "type": st.sampled_from(["message", "function_call", "x"]),
        "conversation_id": st.sampled_from(["a", "b"]),
    },
)


@given(st.lists(st.one_of(ODD, st.fixed_dictionaries({"messages": st.lists(ODD | JSON, max_size=5)}), JSON)))
def test_no_log_raises_and_every_line_is_counted(
    tmp_path_factory: pytest.TempPathFactory, lines: list[Any]
) -> None:
    path = tmp_path_factory.mktemp("logs") / "log.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in lines))
    report = scan([path], choose_checks("openers,exclamations,envelope,clarifier-efficiency"))
    if len(lines) != 1:  # one line may be a document that holds several
        assert report.lines == len(lines)
    by_reply = [one for one in report.checks if one.on != "conversation"]
    assert all(one.examined == report.turns_examined for one in by_reply)
    assert not report.broken
