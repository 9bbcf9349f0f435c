"""Rules on wording that users write: what is found, where rules apply, what is wrong with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from turns_judged import conversation_of, turn_of, verdict_on

from grice.checks.phrase_rules.following import follow_rules
from grice.checks.phrase_rules.rule import PhraseRule, RuleExample, RuleWhen
from grice.checks.phrase_rules.rule_book import self_tests
from grice.matching.matcher import ArgumentError
from grice.records import Message, Outcome, Reply, ToolCall

PASS, FAIL, SKIPPED, INCONCLUSIVE = Outcome.PASS, Outcome.FAIL, Outcome.SKIPPED, Outcome.INCONCLUSIVE


def rule(*any_of: str, bad: str | None = None, good: str = "All is well.", **fields: Any) -> PhraseRule:
    """A rule whose bad example is its first phrase."""
    return PhraseRule(id="r", any_of=any_of, good=(good,), bad=(bad or f"So {any_of[0]} it is",), **fields)


def odd(**fields: Any) -> PhraseRule:
    """A rule with a field that no type checker would let through."""
    return PhraseRule(**{"id": "a", "any_of": ("x",), "good": ("y",), "bad": ("x",), **fields})


def outcome(text: str, one: PhraseRule) -> Outcome:
    return verdict_on(text, follow_rules(one)).outcome


@pytest.mark.parametrize(
    ("phrase", "text", "found"),
    [
        ("job id", "Your job id is 5", "job id"),
        ("job id", "Your JOB  ID is 5", "JOB  ID"),
        ("job id", "Your **job** id is 5", "job** id"),
        ("job id", "Your `job_id` is 5", "job_id"),
        ("job id", "Your job\u00a0id is 5", "job\u00a0id"),
        ("job id", "Your jo\u200bb id is 5", "jo\u200bb id"),
        ("job id", 'The reply:\n```json\n{"job id": 5}\n```', "job id"),
        ("job id", "You lost your job. Id is needed.", None),
        ("job id", "Your jobs id", None),
        ("slug", "A sluggish site", None),
        ("don't know", "I don\u2019t know", "don\u2019t know"),
        ("C++", "We use C++ here", "C++"),
        ("C++", "We use C here", None),
        ("$5", "It is $5 a month", "5"),
        ("$5", "It is 5 a month", None),
        ("Please wait...", "please wait a moment", "please wait"),
        ("👎", "Bad 👎 idea", "👎"),
        ("请稍候", "好的，请稍候片刻。", "请稍候"),
    ],
)
def test_texts_are_found_as_words(phrase: str, text: str, found: str | None) -> None:
    verdict = verdict_on(text, follow_rules(rule(phrase)))
    assert verdict.outcome is (PASS if found is None else FAIL)
    if found is not None:
        [evidence] = verdict.evidence
        assert evidence.quote == found
        assert text[evidence.start : evidence.end] == found
        assert evidence.note == "r"


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        (r"/\bjob[- ]id\b/i", "Your Job-ID is 5", True),
        (r"/\bjob[- ]id\b/", "Your Job-ID is 5", False),
        (r"/^Sorry/m", "Well.\nSorry!", True),
        (r"/(a+)+$/", "a" * 5_000 + "!", False),
    ],
)
def test_patterns_are_found_on_the_text_as_it_stands(pattern: str, text: str, found: bool) -> None:
    bad = {r"/\bjob[- ]id\b/": "a job-id", r"/\bjob[- ]id\b/i": "a job-id"}.get(pattern, "Sorry aaa")
    one = rule(pattern, bad=bad)
    assert outcome(text, one) is (FAIL if found else PASS)


def test_all_of_wants_every_one_and_any_of_one() -> None:
    both = PhraseRule(
        id="r",
        all_of=("refund", "today"),
        any_of=("sure", "promise"),
        good=("A refund",),
        bad=("I promise a refund today",),
    )
    assert outcome("Sure, a refund. It comes today.", both) is FAIL
    assert outcome("Sure, a refund comes.", both) is PASS
    assert outcome("A refund comes today.", both) is PASS


def test_what_stands_in_one_sentence_with_none_of_is_excused() -> None:
    one = rule("slug", none_of=("banana",), bad="a slug", good="A banana slug.")
    assert outcome("A banana slug is yellow.", one) is PASS
    assert outcome("I like a banana. The slug is akismet.", one) is FAIL
    assert outcome("A banana slug is yellow. The slug is akismet.", one) is FAIL
    pattern = rule("/slug/", none_of=("banana",), bad="a slug", good="A banana slug.")
    assert outcome("A banana slug is yellow. The slug is akismet.", pattern) is FAIL


def test_what_is_denied_can_be_ignored() -> None:
    one = rule("guarantee", negated="ignore", good="We do not guarantee it.")
    assert outcome("We can't guarantee delivery.", one) is PASS
    assert outcome("We guarantee delivery.", one) is FAIL
    assert outcome("We can't guarantee delivery.", rule("guarantee")) is FAIL
    verdict = verdict_on("我们 guarantee 明天送到您家里，请放心。", follow_rules(one))
    assert verdict.outcome is INCONCLUSIVE
    assert "no language pack" in verdict.reason


def test_a_rule_of_a_language_leaves_others_alone() -> None:
    one = rule("gift", language="en")
    assert outcome("Das Gift ist in der Flasche und das ist gefährlich.", one) is SKIPPED
    assert outcome("The gift is in the bottle.", one) is FAIL


@pytest.mark.parametrize(
    ("when", "calls", "expected"),
    [
        ({"tool_status": "success"}, [ToolCall("update", result={"ok": True})], FAIL),
        ({"tool_status": "success"}, [ToolCall("update", error="no")], SKIPPED),
        ({"tool_status": ["error", "pending"]}, [ToolCall("update", error="no")], FAIL),
        ({"called": "update"}, [ToolCall("update", result=1)], FAIL),
        ({"called": "update"}, [ToolCall("list", result=1)], SKIPPED),
        ({"not_called": ["update"]}, [ToolCall("list", result=1)], FAIL),
        ({"not_called": ["update"]}, [ToolCall("update", result=1)], SKIPPED),
    ],
)
def test_a_rule_applies_where_its_when_holds(when: Any, calls: list[ToolCall], expected: Outcome) -> None:
    one = rule("slug", when=RuleWhen(**when))
    made = turn_of(*calls)
    spoken = type(made)(1, (*made.messages, Message("assistant", "The slug is x.")), made.tool_calls)
    assert verdict_on(Reply(conversation_of(spoken), 1), follow_rules(one)).outcome is expected


def test_a_bare_text_has_no_calls_and_the_status_that_is_given() -> None:
    assert outcome("a slug", rule("slug", when=RuleWhen(not_called=("x",)))) is SKIPPED
    one = rule("slug", when=RuleWhen(tool_status=("success",)))
    assert outcome("a slug", one) is SKIPPED
    assert verdict_on("a slug", follow_rules(one, tool_status="success")).outcome is FAIL


def test_a_failure_names_rule_reason_and_words() -> None:
    verdict = verdict_on("The slug is x.", follow_rules(rule("slug", why="users must not see our internals")))
    assert verdict.reason == "rule 'r' is broken by 'slug' (users must not see our internals)"
    assert verdict_on("Fine.", follow_rules(rule("slug"))).reason == "1 of 1 rules apply, none is broken"


@pytest.mark.parametrize("text", ["", " \n", "\u200b"])
def test_nothing_said_is_inconclusive(text: str) -> None:
    assert outcome(text, rule("slug")) is INCONCLUSIVE


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ((), "no rules are given"),
        ((5,), "rules is a PhraseRule, a text, a PathLike or an object, found 5"),
        (
            (PhraseRule(id="", any_of=("x",), good=("y",), bad=("x",)),),
            "id: expected a text that is not empty, found ''",
        ),
        ((PhraseRule(id="a", good=("y",), bad=("x",)),), "rule 'a': there is nothing to look for"),
        (
            (odd(good=()),),
            "rule 'a': good: expected a text that does not break the rule, or a list of them, found []",
        ),
        ((odd(bad=()),), "rule 'a': bad: expected a text that breaks the rule, or a list of them, found []"),
        (
            (PhraseRule(id="a", any_of=("x",), good=("y",), bad=("y",)),),
            "'y' is a good example and a bad one",
        ),
        (
            (PhraseRule(id="a", any_of=("x",), good=("an x",), bad=("x",)),),
            "its good example 'an x' breaks it: found 'x'",
        ),
        (
            (PhraseRule(id="a", any_of=("x",), good=("y",), bad=("z",)),),
            "its bad example 'z' does not break it",
        ),
        (
            (PhraseRule(id="a", any_of=("/(/",), good=("y",), bad=("z",)),),
            "rule 'a': any_of[0]: the pattern '(' is not a pattern",
        ),
        (
            (PhraseRule(id="a", any_of=(" ",), good=("y",), bad=("z",)),),
            "any_of[0]: expected a text or a pattern, found ' '",
        ),
        (
            (odd(negated="no"),),
            "negated: expected one of count, ignore, found 'no'",
        ),
        ((odd(language=5),), "language: expected a code such as 'en', found the number 5"),
        (
            (odd(any_of=5),),
            "any_of: expected a list or a string, found the number 5",
        ),
        (
            ({"id": "a", "anyof": ["x"], "good": ["y"], "bad": ["x"]},),
            "unknown field 'anyof' (did you mean 'any_of'?)",
        ),
        (
            ({"id": "a", "any_of": ["x"], "good": ["y"], "bad": [{"txt": "x"}]},),
            "unknown field 'txt' (did you mean 'text'?)",
        ),
        (
            ({"id": "a", "any_of": ["x"], "good": ["y"], "bad": ["x"], "when": {"tool_status": "sucess"}},),
            "did you mean 'success'?",
        ),
        ((rule("x"), rule("y")), "the id 'r' is that of two rules"),
        (("no/such/rules.yaml",), "there is no such file"),
    ],
)
def test_a_rule_that_cannot_be_used_is_refused(given: tuple[Any, ...], problem: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        follow_rules(*given)
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    "expected",
    [
        {"id": "r", "any_of": ["slug"], "good": ["Fine."], "bad": ["a slug"]},
        [{"id": "r", "any_of": "slug", "good": "Fine.", "bad": [{"text": "a slug"}]}],
        {
            "rules": [{"id": "r", "any_of": ["slug"], "good": ["Fine."], "bad": ["a slug"]}],
            "toolStatus": "success",
        },
    ],
)
def test_rules_can_stand_in_a_data_file(expected: Any) -> None:
    assert follow_rules.read is not None
    args, named = follow_rules.read(expected)
    assert verdict_on("The slug is x.", follow_rules(*args, **named)).outcome is FAIL


def test_a_file_that_changed_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "house.yaml"
    text = "- {{id: a, any_of: [{0}], good: [fine], bad: [a {0} b]}}\n"
    file.write_text(text.format("slug"))
    matcher = follow_rules(str(file))
    assert verdict_on("a slug", matcher).outcome is FAIL
    file.write_text(text.format("snails"))
    assert verdict_on("a slug", matcher).outcome is PASS
    file.unlink()
    verdict = verdict_on("a slug", matcher)
    assert verdict.outcome is Outcome.ERROR
    assert "there is no such file" in verdict.reason


def test_self_tests_tell_what_was_found() -> None:
    tests = self_tests(
        [PhraseRule(id="a", any_of=("x",), good=("an x", "y"), bad=(RuleExample(text="x"), "z"))]
    )
    assert [(one.kind, one.place, one.broken, one.right, one.found) for one in tests] == [
        ("good", 0, True, False, ("x",)),
        ("good", 1, False, True, ()),
        ("bad", 0, True, True, ("x",)),
        ("bad", 1, False, False, ()),
    ]


def test_an_example_says_in_which_turn_it_stands() -> None:
    one = PhraseRule(
        id="a",
        any_of=("done",),
        when=RuleWhen(tool_status=("error",)),
        good=(RuleExample(text="done", tool_status="success"),),
        bad=("done",),
    )
    assert all(test.right for test in self_tests([one]))


def test_many_rules_are_looked_for_in_one_pass() -> None:
    rules = [
        PhraseRule(
            id=f"r{n}",
            any_of=(f"word{n} thing", f"/patt{n}[a-z]/"),
            good=("hello",),
            bad=(f"a word{n} thing",),
        )
        for n in range(300)
    ]
    verdict = verdict_on("Here is patt77a and word5 thing.", follow_rules(*rules))
    assert [one.note for one in verdict.evidence] == ["r5", "r77"]


@given(st.text(max_size=80))
def test_any_text_can_be_judged(text: str) -> None:
    one = rule("slug", "/a.b/", none_of=("banana",), negated="ignore")
    verdict = verdict_on(f"{text} slug {text}", follow_rules(one))
    assert verdict.outcome in (PASS, FAIL, INCONCLUSIVE, SKIPPED)
