"""contain, equal and match: what they pass, fail and refuse to say."""

import math
from collections import OrderedDict
from enum import IntEnum

import pytest
from dirty_equals import Contains, IsInt, IsPartialDict, IsStr

from grice.matchers import contain, equal, match
from grice.matching.context import resolve_subject
from grice.matching.judge import judge
from grice.matching.matcher import ArgumentError
from grice.records import Conversation, Exchange, Message, Reply, Turn

PASS, FAIL, INCONCLUSIVE, ERROR = "pass", "fail", "inconclusive", "error"
SWAPPED = {PASS: FAIL, FAIL: PASS}


def verdict_on(subject, matcher):
    seen = resolve_subject(subject)
    return judge(matcher, seen.subject, seen.context)


def assert_outcome(subject, matcher, outcome):
    """The outcome under both polarities; the verdict is returned for its reason."""
    assert verdict_on(subject, ~matcher).outcome == SWAPPED.get(outcome, outcome)
    verdict = verdict_on(subject, matcher)
    assert verdict.outcome == outcome, verdict.reason
    return verdict


@pytest.mark.parametrize(
    ("text", "matcher", "outcome", "reason"),
    [
        ("Your room is booked.", contain("booked"), PASS, "found at character 13"),
        ("Your room is booked.", contain("Booked"), FAIL, "found in another case: 'booked'"),
        ("Your room is booked.", contain("Booked", ignore_case=True), PASS, "found at character 13"),
        ("Your room is booked.", contain("cancelled"), FAIL, "the text is 'Your room is booked.'"),
        ("I\u2019ve done it", contain("I've", ignore_case=True), PASS, "found at character 0"),
        (
            "Order placed",
            ~contain("order placed"),
            PASS,
            "found in another case: 'Order placed'; ignoreCase finds that too",
        ),
        ("I\u2019ve done it", contain("I've"), FAIL, "case, quotes or invisible characters differ"),
        ("Stra\u00dfe", contain("STRASSE", ignore_case=True), PASS, "found at character 0"),
        ("pass\u200bword", contain("password", ignore_case=True), PASS, "found at character 0"),
        ("rules --- be kind", contain("kind", after="---"), PASS, "found at character 13"),
        ("be kind --- rules", contain("kind", after="---"), FAIL, "occurs only before the separator"),
        ("be --- x --- kind", contain("x", after="---"), PASS, "found at character 7"),
        ("--- rules", contain("kind", after="---"), FAIL, "the text after the separator is ' rules'"),
        ("no separator", contain("no", after="---"), INCONCLUSIVE, "'---' does not occur"),
        ("", contain("x"), INCONCLUSIVE, "the text is empty"),
        ("", contain("x", after="---"), INCONCLUSIVE, "the text is empty"),
        (" \n\t", contain("x"), INCONCLUSIVE, "the text is white space only: there is nothing to look at"),
        ("a ---", contain("a", after="---"), INCONCLUSIVE, "the text after '---' is empty: there is nothing"),
        ("a --- \n", contain("a", after="---"), INCONCLUSIVE, "the text after '---' is white space only"),
        ("text", contain(""), ERROR, "expected is a text that is not empty, found ''"),
        ("text", contain(5), ERROR, "a text contains texts only, expected is 5"),
        ("text", contain("\u200b", ignore_case=True), FAIL, "the text is 'text'"),
        (5, contain("x"), ERROR, "contain judges a text, a Reply, a Turn or a list, found 5"),
        ("lone \ud800 surrogate", contain("\ud800"), PASS, "found at character 5"),
    ],
)
def test_contain(text, matcher, outcome, reason):
    assert reason in assert_outcome(text, matcher, outcome).reason


def test_contain_gives_the_span_as_evidence():
    (evidence,) = verdict_on("Your room is booked.", contain("BOOKED", ignore_case=True)).evidence
    assert (evidence.quote, evidence.start, evidence.end) == ("booked", 13, 19)


class Level(IntEnum):
    ONE = 1


@pytest.mark.parametrize(
    ("actual", "expected", "same"),
    [
        (None, None, True),
        (None, False, False),
        (True, True, True),
        (True, 1, False),
        (1, True, False),
        (0, False, False),
        (1, 1.0, True),
        (1.0, 1, True),
        (0.0, -0.0, True),
        (2**70, 2**70, True),
        (10**400, 1e308, False),
        (math.nan, math.nan, True),
        (math.nan, 1.0, False),
        (math.inf, math.inf, True),
        ("1", 1, False),
        ("a", "a", True),
        ("\u00e9", "e\u0301", False),
        ([], [], True),
        ([], {}, False),
        ([], None, False),
        ([1, 2], (1, 2), True),
        ((1, 2), [1, 2], True),
        ([1, 2], [2, 1], False),
        ([1, 2], [1], False),
        ([True], [1], False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"a": 1}, {"a": 1, "b": None}, False),
        ({"a": 1, "b": None}, {"a": 1}, False),
        ({"a": [{"b": True}]}, {"a": [{"b": 1}]}, False),
        ({"a": True}, OrderedDict(a=1), False),
        ({"a": 1}, OrderedDict(a=1.0), True),
        (True, Level.ONE, False),
        (1, Level.ONE, True),
        (10, IsInt(ge=10), True),
        (9, IsInt(ge=10), False),
        (10, IsInt, True),
        ({"room": "Blue", "n": [1, "x"]}, {"room": IsStr, "n": [IsInt, IsStr(regex="x+")]}, True),
        ({"room": "Blue"}, {"room": IsStr(regex="R.*")}, False),
        ({"a": 1, "b": 2}, IsPartialDict(a=1), True),
        ([1, 2, 3], Contains(2), True),
        (0.1 + 0.2, pytest.approx(0.3), True),
        ({"x": [0.1 + 0.2]}, {"x": [pytest.approx(0.3)]}, True),
        ([0.1 + 0.2], pytest.approx([0.3]), True),
        ([0.4], pytest.approx([0.3]), False),
    ],
)
def test_equality_is_that_of_json_unless_the_expected_object_has_its_own(actual, expected, same):
    assert_outcome(actual, equal(expected), PASS if same else FAIL)


def test_equal_judges_the_text_of_a_reply_and_a_turn():
    turn = Turn(1, (Message("user", "Hi"), Message("assistant", "Hello")))
    for subject in (turn, Reply(Conversation(turns=(turn,)), 1)):
        assert_outcome(subject, equal("Hello"), PASS)


@pytest.mark.parametrize(
    ("actual", "expected", "reason"),
    [
        ("Hello", "Bye", "found 'Hello'"),
        ({"a": {"b": [1, 2]}}, {"a": {"b": [1, 3]}}, "at $.a.b[1]: found 2, expected 3"),
        ({"a": 1}, {"a": 1, "b c": 2}, "at $['b c']: found nothing, expected 2"),
        ({"a": 1, "b": 2}, {"a": 1}, "at $.b: found 2, expected nothing"),
        ([1, 2], [1], "at $[1]: found 2, expected nothing"),
        ([1], {"a": 1}, "found [1]"),
        ({"n": 9}, {"n": IsInt(ge=10)}, "at $.n: found 9, expected IsInt(ge=10)"),
        (
            "same " * 60 + "then this",
            "same " * 60 + "then that",
            "differs from character 307: found ...'me same same then this', expected ...",
        ),
    ],
)
def test_equal_says_where_values_differ(actual, expected, reason):
    assert reason in assert_outcome(actual, equal(expected), FAIL).reason


def _cycle():
    value = []
    value += [value, value]
    return value


def _nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


def test_values_too_deep_to_be_compared_are_an_error():
    assert "nested deeper than 200 levels" in assert_outcome(_nested(999), equal(_nested(999)), ERROR).reason


def test_values_inside_themselves_are_equal_when_they_look_the_same():
    assert_outcome(_cycle(), equal(_cycle()), PASS)
    assert_outcome([*_cycle(), 1], equal([*_cycle(), 2]), FAIL)


def test_shared_parts_do_not_take_exponential_time():
    assert_outcome(_doubled(60, 1), equal(_doubled(60, 1)), PASS)
    assert_outcome(_doubled(60, 1), equal(_doubled(60, 2)), FAIL)


def _doubled(times, value):
    for _ in range(times):
        value = [value, value]
    return value


def test_an_expected_object_that_raises_is_an_error():
    class Refuses:
        def __eq__(self, other):
            raise RuntimeError("cannot compare")

        def __repr__(self):
            raise RuntimeError("cannot print")

        __hash__ = None

    verdict = assert_outcome(1, equal(Refuses()), ERROR)
    assert verdict.reason == "the check raised RuntimeError: cannot compare"
    assert verdict.claim == "the value to equal <Refuses>"


@pytest.mark.parametrize(
    ("text", "matcher", "outcome", "reason"),
    [
        ("free at 2 pm", match(r"2(:00)?\s*pm|14:00"), PASS, "found '2 pm' at character 8"),
        ("free at 2 PM", match(r"\d\s*pm"), FAIL, "the text is 'free at 2 PM'"),
        ("free at 2 PM", match(r"\d\s*pm", flags="i"), PASS, "found '2 PM'"),
        ("a\nb", match("^b$"), FAIL, ""),
        ("a\nb", match("^b$", flags="m"), PASS, ""),
        ("a\nb", match("a.b"), FAIL, ""),
        ("a\nb", match("a.b", flags="s"), PASS, ""),
        ("\u00e9t\u00e9!", match("!"), PASS, "at character 3"),
        ("\U0001f600 ok", match(r"\ud83d\ude00"), PASS, "at character 0"),
        ("\U0001f600 ok", match(r"\u{1F600}", flags="u"), PASS, ""),
        ("caf\u00e9", match(r"caf\u00e9"), PASS, ""),
        (r"a\u0041", match(r"a\\u0041"), PASS, ""),
        ("say (?=", match(r"[(?=]{3}"), PASS, "found '(?='"),
        ("what(=", match(r"what\(?="), PASS, "found 'what(='"),
        ("a\ud800b", match("a.b"), PASS, ""),
        ("", match("x"), INCONCLUSIVE, "the text is empty"),
        (" \n", match(r"^\s"), INCONCLUSIVE, "the text is white space only"),
        ("x", match(""), PASS, ""),
        (["x"], match("x"), ERROR, "match judges a text, a Reply or a Turn, found ['x']"),
    ],
)
def test_match(text, matcher, outcome, reason):
    assert reason in assert_outcome(text, matcher, outcome).reason


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: match("("), "'(' is not a pattern"),
        (lambda: match("x", flags="ig"), "'g'"),
        (lambda: match("(?=x)"), "look-around"),
        (lambda: match("(?<!x)y"), "look-around"),
        (lambda: match(r"(x)\1"), "back-reference"),
        (lambda: match("(?i)x"), "inline flags"),
        (lambda: match(r"x\Z"), r"\Z"),
        (lambda: match("x{2000}"), "x{2000}"),
        (lambda: match("x" * 1_025), "the pattern has 1,025 characters, at most 1,024"),
        (lambda: match(5), "pattern is a text, found 5"),
        (lambda: match("x", flags=1), "flags is a text, found 1"),
        (lambda: contain("x", after=""), "after is a text that is not empty, found ''"),
        (lambda: contain("x", after=3), "after is a text that is not empty, found 3"),
        (lambda: contain([1], ignore_case=True), "after and ignore_case are for texts, expected is [1]"),
    ],
)
def test_a_matcher_that_could_answer_nothing_cannot_be_made(make, why):
    with pytest.raises(ArgumentError) as refused:
        make()
    assert why in str(refused.value)


@pytest.mark.parametrize(
    ("pattern", "text", "outcome", "reason"),
    [
        (
            "needle",
            "needle" + "x" * 100_000,
            PASS,
            "found 'needle' at character 0 of the first 100,000 of 100,006",
        ),
        (
            "needle",
            "x" * 100_000 + "needle",
            INCONCLUSIVE,
            "no match in the first 100,000 of 100,006 characters",
        ),
        ("x$", "x" * 100_000 + "y", INCONCLUSIVE, "at the end of the first 100,000"),
        ("^x+", "x" * 100_000 + "y", PASS, ""),
    ],
)
def test_match_tests_the_first_100_000_characters_and_says_so(pattern, text, outcome, reason):
    assert reason in assert_outcome(text, match(pattern), outcome).reason


def test_a_pattern_that_would_hang_a_backtracking_engine_is_settled():
    assert_outcome("a" * 50_000 + "!", match("^(a+)+$"), FAIL)  # 2 ** 50,000 steps elsewhere


@pytest.mark.slow
@pytest.mark.parametrize(
    "matcher", [contain("needle"), contain("n\u00e9edle", ignore_case=True), equal("x"), match("needle")]
)
def test_ten_megabytes_are_judged_and_shown_cut(matcher):
    text = "H\u00e9llo <b>world</b>\n" * 600_000
    verdict = verdict_on(text, matcher)
    assert len(verdict.reason) < 500


def test_a_text_matcher_has_nothing_to_judge_in_a_request():
    assert_outcome(Exchange({}), contain("x"), ERROR)
