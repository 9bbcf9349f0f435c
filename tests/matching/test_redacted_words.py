"""What verdicts and failures say holds no secret of what was looked at."""

import subprocess
import sys

import pytest

from grice import ExpectationFailed, Reply, evaluate_assertions, expect
from grice.matching.redacted import redaction_of, without_secrets
from grice.matching.transcript import transcript
from grice.records import Conversation, Evidence, Message, Outcome, ToolCall, Turn, Verdict

SECRET = "hunter2-horse"
LOGIN = ToolCall(name="log_in", arguments={"user": "bob", "password": SECRET}, result={"pin_token": 90817263})


def held(said: str = f"Logged in with {SECRET}") -> Conversation:
    user = Message(role="user", content=f"Log me in with {SECRET}")
    return Conversation(
        id="c", turns=(Turn(1, (user, Message(role="assistant", content=said, tool_calls=(LOGIN,)))),)
    )


@pytest.mark.parametrize(
    ("check", "reason"),
    [
        (
            lambda: expect({"password": SECRET}).to_equal({"password": "x-guess1"}),
            "at $.password: found '[redacted: password]', expected '[redacted: another password]'",
        ),
        (
            lambda: expect({"a": {"password": "swordfish"}}).to_equal({"a": {"password": "x"}}),
            "at $.a.password: found '[redacted: password]', expected '[redacted: another password]'",
        ),
        (
            lambda: expect({"password": SECRET}).to_equal({"password": None}),
            "at $.password: found '[redacted: password]', expected None",
        ),
        (
            lambda: expect({"password": SECRET, "n": 1}).not_to_match_object({"n": 1}),
            "found {'password': '[redacted: password]', 'n': 1}",
        ),
        (
            lambda: expect({"password": "swordfish"}).to_have_property("password", "x"),
            "the property is there, and it is '[redacted: password]'",
        ),
        (
            lambda: expect([{"api_key": "k1"}]).to_contain_equal({"api_key": "k2"}),
            "its only element does not equal it: [{'api_key': '[redacted: api key]'}]",
        ),
        (
            lambda: expect({"login": {"token": "swordfish"}}, path="login.token").to_equal("x"),
            "found '[redacted: token]'",
        ),
        (
            lambda: expect({"pass_word": "swordfish"}, path="pass_word").to_equal("x"),
            "found '[redacted: password]'",
        ),
        (
            lambda: expect({"headers": [["x-api-key", "abc"]]}).to_equal({"headers": []}),
            "at $.headers[0]: found ['x-api-key', '[redacted: api key]'], expected nothing",
        ),
        (
            lambda: expect(Reply(held(), 1)).not_to_contain(SECRET),
            "found at character 15: 'Logged in with [redacted: password]'",
        ),
    ],
)
def test_a_reason_repeats_no_secret_of_what_was_judged(check, reason):
    with pytest.raises(ExpectationFailed) as raised:
        check()

    assert raised.value.verdict.reason == reason


@pytest.mark.parametrize("name", ["pass_word", "pass-word", "to_ken"])
def test_a_name_whose_words_are_separated_hides_samples_too(name):
    """The sample and the message of a value at such a path."""
    asked = {"path": f"$['{name}']", "matcher": "toEqual", "expected": "x"}
    (result,) = evaluate_assertions({name: "swordfish"}, [asked]).results

    assert "swordfish" not in repr(result)


@pytest.mark.parametrize("path", ["$.password[*]", "$.password[0]", "$.all['pass word'].of.bob"])
def test_a_name_anywhere_on_the_path_hides_what_stands_below_it(path):
    held = {"password": ["swordfish", "x"], "all": {"pass word": {"of": {"bob": "swordfish"}}}}
    fails = {"path": path, "matcher": "toEqual", "expected": "x"}
    passes = {"path": path, "matcher": "toContain", "expected": "sword"}
    for result in evaluate_assertions(held, [fails, passes]).results:
        assert "swordfish" not in repr(result)
    assert "swordfish" not in repr(expect(held, path=path).to_contain("sword"))

    with pytest.raises(ExpectationFailed) as raised:
        expect(held, path=path).to_equal("y")
    assert "swordfish" not in repr(raised.value.verdict)


def test_the_message_of_an_assertion_repeats_none():
    (result,) = evaluate_assertions(
        {"login": {"password": "swordfish"}},
        [{"path": "$.login.password", "matcher": "toEqual", "expected": "x"}],
    ).results
    assert result.message == (
        '$.login.password toEqual "[redacted: password]" expected an equal value, got "[redacted: password]"'
    )


def test_the_evidence_and_the_parts_of_an_answer_lose_it_too():
    part = Verdict(Outcome.FAIL, f"it is {SECRET}")
    answer = Verdict(Outcome.FAIL, "no", (Evidence(f"said {SECRET}", note=f"as {SECRET}"),), parts=(part,))

    clean = without_secrets(answer, LOGIN)

    assert clean.evidence == (Evidence("said [redacted: password]", note="as [redacted: password]"),)
    assert clean.parts[0].reason == "it is [redacted: password]"


def test_an_answer_without_secrets_stays_the_same_object():
    answer = Verdict(Outcome.FAIL, "it is 'blue'", (Evidence("blue"),))
    assert without_secrets(answer, {"colour": "blue"}, LOGIN) is answer


def test_a_passing_check_pays_nothing(monkeypatch):
    monkeypatch.setattr("grice.matching.verdicts.without_secrets", lambda *_: pytest.fail("it was asked"))
    expect({"password": SECRET}).to_equal({"password": SECRET})


class Broken(dict):
    def items(self):
        raise RuntimeError("broken")


def test_no_value_breaks_it():
    itself: list[object] = []
    itself.append(itself)
    shared: list[object] = [SECRET]
    for _ in range(60):
        shared = [shared, shared]
    redaction = redaction_of(Broken(a=1), itself, object(), shared, {1: {"password": SECRET}})
    assert redaction.text(f"it is {SECRET}") == "it is [redacted: password]"


def test_a_failure_shows_no_secret_in_claim_transcript_or_reason():
    with pytest.raises(ExpectationFailed) as raised:
        expect(Reply(held(), 1)).not_to_contain(SECRET)

    assert str(raised.value) == "\n".join(
        [
            (
                "not contain '[redacted: password]': found at character 15: "
                "'Logged in with [redacted: password]'"
            ),
            "",
            "  1  user       Log me in with [redacted: password]",
            ">    assistant  -> log_in(user='bob', password='[redacted: password]')",
            ">                  result: {'pin_token': '[redacted: token]'}",
            ">               Logged in with [redacted: password]",
        ]
    )


def test_a_transcript_shows_none_that_a_long_message_would_cut_off():
    key = "\n".join(["-----BEGIN PRIVATE KEY-----", *["Ab3d" * 16] * 60, "-----END PRIVATE KEY-----"])
    shown = transcript(held(f"Here it is:\n{key}\nGood luck.").turns)
    assert "Ab3d" not in shown
    assert "[redacted: private key]\n                Good luck." in shown


@pytest.mark.slow
def test_the_warning_of_a_verdict_that_nobody_records_shows_none():
    code = "from grice import evaluate; evaluate({'password': 'abc'}).to_equal({'password': 'x-guess1'})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "UnrecordedVerdict" in done.stderr
    assert "equal {'password': '[redacted: password]'}: " in done.stderr
    assert "x-guess1" not in done.stderr.replace(code, "")
