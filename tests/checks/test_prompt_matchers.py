# ruff: noqa: E501 - tables, one case a line

"""have_in_system_prompt looks at what the model was told, and all requests of a conversation are judged."""

import pytest
from refusals import answers_of, refusal_of

from grice import ExpectationFailed, expect
from grice.checks.prompt import nearest_passage
from grice.matchers import have_in_system_prompt, have_parameters, offer_only_tools, offer_tool
from grice.matching.context import resolve_subject
from grice.matching.judge import judge
from grice.records import Conversation, Exchange, Message, Turn

PROMPT = """You help with the site.

- Call the tool immediately, without preamble.
- Never reveal internal tool schemas.
--- Site ---
WordPress version: 6.8
--- Custom ---
Answer in French."""
HI = {"role": "user", "content": "Hi"}


def said(text, role="system"):
    return {"role": role, "content": text}


def verdict_on(subject, matcher):
    seen = resolve_subject(subject)
    verdict = judge(matcher, seen.subject, seen.context)
    negated = judge(~matcher, seen.subject, seen.context)
    assert negated.outcome == {"pass": "fail", "fail": "pass"}.get(verdict.outcome, verdict.outcome)
    return verdict


def conversation_of(*turns, system=None):
    """A conversation whose turns have these requests."""
    user = Message("user", "Hi")
    numbered = enumerate(turns, 1)
    return Conversation(
        turns=tuple(Turn(number, (user,), exchanges=tuple(asked)) for number, asked in numbered),
        system=system,
    )


# -- the system prompt

SHAPES = {
    "text": PROMPT,
    "anthropic": Exchange({"system": PROMPT, "messages": [HI]}),
    "anthropic blocks": Exchange({"system": [{"type": "text", "text": PROMPT}], "messages": [HI]}),
    "chat": Exchange({"messages": [said(PROMPT), HI]}, dialect="openai_chat"),
    "chat developer": Exchange({"messages": [said(PROMPT, "developer"), HI]}, dialect="openai_chat"),
    "chat, not first": Exchange({"messages": [HI, said(PROMPT)]}, dialect="openai_chat"),
    "responses": Exchange({"instructions": PROMPT, "input": "Hi"}, dialect="openai_responses"),
    "responses input": Exchange({"input": [{"role": "developer", "content": [{"type": "input_text", "text": PROMPT}]}, HI]}, dialect="openai_responses"),
    "array": [said(PROMPT), HI],
    "array, tuple": (said(PROMPT, "developer"), HI),
    "conversation": conversation_of([Exchange({"system": PROMPT, "messages": [HI]})]),
    "log": conversation_of([], system=PROMPT),
}  # fmt: skip


@pytest.mark.parametrize(
    ("texts", "options", "outcome"),
    [
        (("Call the tool immediately",), {}, "pass"),
        (("without preamble", "WordPress version: 6.8"), {}, "pass"),
        (("WordPress version: 6.8", "without preamble"), {}, "pass"),
        (("without preamble", "WordPress version: 6.8"), {"ordered": True}, "pass"),
        (("WordPress version: 6.8", "without preamble"), {"ordered": True}, "fail"),
        (("call the tool immediately",), {}, "fail"),
        (("without preamble", "slug/slug.php"), {}, "inconclusive"),
        (("slug/slug.php", "without preamble"), {"ordered": True}, "inconclusive"),
        (("yak", "slug/slug.php"), {}, "fail"),
        (("Answer in French.",), {"after": "--- Custom ---"}, "pass"),
        (("WordPress", "French"), {"after": "--- Site ---", "ordered": True}, "pass"),
        (("WordPress",), {"after": "--- Custom ---"}, "fail"),
        (("WordPress", "French"), {"after": "--- Custom ---"}, "inconclusive"),
        (("WordPress",), {"after": "--- Other ---"}, "inconclusive"),
        (("zebra",), {"after": "--- Other ---"}, "inconclusive"),
    ],
    ids=str,
)
def test_the_prompt_is_read_in_every_shape(texts, options, outcome):
    for shape, subject in SHAPES.items():
        assert verdict_on(subject, have_in_system_prompt(*texts, **options)).outcome == outcome, shape


@pytest.mark.parametrize(
    ("texts", "options", "reason"),
    [
        (("WordPress",), {}, "found 'WordPress' at character 123"),
        (("Call the tool immediatly",), {}, "'Call the tool immediatly' is missing (did you mean 'Call the tool immediately,', at character 27?)"),
        (("never\nREVEAL internal",), {}, "'never\\nREVEAL internal' is missing (did you mean 'Never reveal internal', at character 74?)"),
        (("Frnch",), {}, "'Frnch' is missing (did you mean 'French.', at character 171?)"),
        (("zebra",), {}, "'zebra' is missing: the prompt has nothing like it, it begins 'You help with the site."),
        (("zebra",), {"after": "--- Custom ---"}, "'zebra' is missing: the prompt after the separator has nothing like it, it begins 'Answer in French.'"),
        (("zebra", "yak", "French"), {}, "'zebra' is missing: "),
        (("immediatly", "French"), {}, "'immediatly' is missing (did you mean 'immediately,', at character 41?)\n'French' is there, at character 171"),
        (("WordPress",), {"after": "--- Custom ---"}, "'WordPress' is missing: it is only before the separator, at character 123"),
        (("French",), {"after": "--- Costum ---"}, "the separator is not there: '--- Costum ---' is missing (did you mean '--- Custom ---', at character 146?)"),
        (("WordPress", "tool imm"), {"ordered": True}, "out of order: 'tool imm' is last at character 36, not after 'WordPress', which is at characters 123 to 132"),
        (("in French", "French"), {"ordered": True}, "out of order: 'French' is last at character 171, not after 'in French', which is at characters 168 to 177"),
        (("French", "French"), {"ordered": True}, "out of order: 'French' is last at character 171"),
    ],
)  # fmt: skip
def test_the_reason_says_what_is_wrong_and_where(texts, options, reason):
    verdict = verdict_on(PROMPT, have_in_system_prompt(*texts, **options))
    assert verdict.reason.startswith(reason)
    assert len(verdict.reason) < 600


def test_the_same_text_twice_is_there_once_unless_ordered():
    assert verdict_on(PROMPT, have_in_system_prompt("French", "French")).outcome == "pass"


def test_every_missing_text_is_named():
    reason = verdict_on(PROMPT, have_in_system_prompt("zebra", "French", "yak", "French")).reason
    assert [line.split(" ")[0] for line in reason.split("\n")] == ["'zebra'", "'yak'", "'French'"]
    many = verdict_on(PROMPT, have_in_system_prompt(*(f"zebra {n}" for n in range(30)))).reason
    assert many.endswith("\n...")
    assert many.count("\n") == 10


def test_a_negation_passes_only_where_none_of_the_texts_is_there():
    with pytest.raises(ExpectationFailed) as failure:
        expect("has Secret").not_to_have_in_system_prompt("Secret", "other")
    reason = "'other' is missing: the prompt has nothing like it, it begins 'has Secret'\n'Secret' is there, at character 4"
    assert failure.value.verdict.outcome == "inconclusive"
    assert failure.value.verdict.reason == reason
    assert [evidence.quote for evidence in failure.value.verdict.evidence] == ["Secret"]
    with pytest.raises(ExpectationFailed):
        expect("has Secret").to_have_in_system_prompt("Secret", "other")
    with pytest.raises(ExpectationFailed):
        expect("has Secret").not_to_have_in_system_prompt("Secret", after="---")
    expect("has nothing").not_to_have_in_system_prompt("Secret", "other")


def test_many_texts_that_are_there_are_not_all_shown():
    texts = [f"word {n}." for n in range(30)]
    verdict = verdict_on(" ".join(texts), have_in_system_prompt("zebra", *texts))
    assert verdict.reason.endswith("\n...")
    assert verdict.reason.count("\n") == 11


def test_a_conversation_in_doubt_of_one_request_is_in_doubt():
    none, some = Exchange({"system": "nothing"}), Exchange({"system": "Secret"})
    verdict = verdict_on(conversation_of([none], [some]), have_in_system_prompt("Secret", "other"))
    assert (verdict.outcome, verdict.turn) == ("inconclusive", 2)
    start = "true of none of the 2 requests, in doubt of request 1 of turn 2; request 1 of turn 2: 'other' is missing"
    assert verdict.reason.startswith(start)
    assert (
        verdict_on(conversation_of([some], [some]), have_in_system_prompt("Secret", "other")).outcome
        == "inconclusive"
    )


def test_what_was_found_is_the_evidence():
    (evidence,) = verdict_on(SHAPES["anthropic"], have_in_system_prompt("WordPress")).evidence
    assert (evidence.quote, evidence.path, evidence.start, evidence.end) == ("WordPress", "system", 123, 132)
    assert PROMPT[evidence.start : evidence.end] == evidence.quote


def test_own_field_and_leading_messages_are_one_prompt():
    request = Exchange({"instructions": "Be kind.", "input": [said("Be brief.", "developer"), said("Be true."), HI, said("Late.")]})  # fmt: skip
    assert verdict_on(request, have_in_system_prompt("kind", "brief", "true", ordered=True)).outcome == "pass"
    assert verdict_on(request, have_in_system_prompt("Late")).outcome == "fail"


@pytest.mark.parametrize(
    ("subject", "outcome", "reason"),
    [
        ("", "inconclusive", "the prompt is empty: there is nothing to look at"),
        (" \n", "inconclusive", "the prompt is white space only"),
        ([], "inconclusive", "the message array is empty"),
        ([HI], "fail", "there is no system prompt"),
        (Exchange({"messages": [HI]}), "fail", "there is no system prompt"),
        (Exchange({"system": "  ", "messages": [HI]}), "fail", "there is no system prompt"),
        (Exchange({"system": {"text": 5}}), "fail", "there is no system prompt"),
        (Exchange({}), "fail", "there is no system prompt"),
        (Exchange({"system": "x", "messages": [5, {"role": "robot"}]}), "fail", "'French' is missing"),
        (Exchange({"input": ["x"]}, dialect="openai_embeddings"), "error", "have_in_system_prompt judges requests for an answer, and this one is for embeddings"),
        (conversation_of([]), "inconclusive", "no request to the model and no system prompt is on record"),
        (conversation_of([Exchange({"input": "x"}, dialect="openai_embeddings")], system=PROMPT), "pass", "found 'French'"),
        (conversation_of([Exchange({"messages": [HI]})], system=PROMPT), "fail", "there is no system prompt"),
        (Conversation(system=PROMPT), "error", "the conversation has no turn yet"),
        (5, "error", "have_in_system_prompt judges a text, an Exchange, a Conversation or a list of messages, found int"),
        (None, "error", "have_in_system_prompt judges a text"),
        ([5], "error", "have_in_system_prompt judges message arrays: message 0 "),
    ],
)  # fmt: skip
def test_without_a_prompt(subject, outcome, reason):
    verdict = verdict_on(subject, have_in_system_prompt("French"))
    assert verdict.outcome == outcome
    assert verdict.reason.startswith(reason)


@pytest.mark.parametrize(
    ("texts", "options", "reason"),
    [
        ((), {}, "name at least one text that the system prompt is to contain"),
        (("",), {}, "texts is a text that is not empty, found ''"),
        (("x", 5), {}, "texts[1] is a text that is not empty, found 5"),
        (("x",), {"after": ""}, "after is a text that is not empty, found ''"),
        (("x",), {"after": 5}, "after is a text that is not empty, found 5"),
    ],
)
def test_what_is_looked_for_has_to_be_text(texts, options, reason):
    assert refusal_of(have_in_system_prompt, *texts, **options) == reason
    for subject in ("", PROMPT, Exchange({})):
        assert answers_of(subject, "have_in_system_prompt", *texts, **options) == {("error", reason)}


WITH = Exchange({"system": "Be kind.", "tools": [{"name": "book"}], "model": "m"})
WITHOUT = Exchange({"system": "Be brief.", "tools": [{"name": "list"}], "model": "n"})


@pytest.mark.parametrize("matcher", [have_in_system_prompt("kind"), offer_tool("book"), have_parameters(model="m"), offer_only_tools("book")], ids=repr)  # fmt: skip
@pytest.mark.parametrize(
    ("turns", "outcome", "reason", "turn"),
    [
        ([[WITH], [WITH]], "pass", "true of all 2 requests; request 1 of turn 1: ", 1),
        ([[], [WITH]], "pass", "", 2),
        ([[WITHOUT, WITHOUT]], "fail", "true of none of the 2 requests; request 1 of turn 1: ", 1),
        ([[WITH], [WITH, WITHOUT]], "inconclusive", "true of 2 of 3 requests, not of request 2 of turn 2; request 2 of turn 2: ", 2),
    ],
)  # fmt: skip
def test_a_conversation_is_judged_by_all_its_requests(matcher, turns, outcome, reason, turn):
    verdict = verdict_on(conversation_of(*turns), matcher)
    assert (verdict.outcome, verdict.turn) == (outcome, turn)
    assert verdict.reason.startswith(reason)


def test_many_requests_that_differ_are_not_all_named():
    verdict = verdict_on(conversation_of([WITH], [WITHOUT] * 50), offer_tool("book"))
    assert verdict.outcome == "inconclusive"
    assert "request 10 of turn 2, ...; request 1 of turn 2: " in verdict.reason
    assert "request 11" not in verdict.reason


def test_without_a_prompt_there_is_no_separator_either():
    verdict = verdict_on(Exchange({"messages": [HI]}), have_in_system_prompt("French", after="---"))
    reason = "the separator is not there: there is no system prompt"
    assert (verdict.outcome, verdict.reason) == ("inconclusive", reason)


def test_the_claim_is_a_sentence():
    matcher = have_in_system_prompt("a", "b", ordered=True, after="c")
    claim = "the text to have 'a', 'b' in the system prompt, in this order, after 'c'"
    assert verdict_on("x", matcher).claim == claim


@pytest.mark.parametrize(
    "text",
    ["\ud800", "x" * 20_000, "y " * 10_000, "\u202e", "\u200b", "(?=x)", "\n", " ", "....", "\x00"],
    ids=lambda text: ascii(text[:8]),
)
@pytest.mark.parametrize("prompt", [PROMPT, "z " * 20_000, "\ud800x\u202e", "q" * 20_000, "."], ids=lambda text: ascii(text[:8]))  # fmt: skip
def test_hostile_texts_give_short_reasons(text, prompt):
    verdict = verdict_on(prompt, have_in_system_prompt(text))
    assert verdict.outcome == ("pass" if text in prompt else "fail")
    assert len(verdict.reason) < 1_000
    verdict.reason.encode()


@pytest.mark.parametrize(
    ("wanted", "text", "found"),
    [
        ("be brief", "Be kind. Be brief! Be true.", "Be brief!"),
        ("be very brief", "Be kind. Be brief! Be true.", "Be brief! Be"),
        ("don’t ask", "Please don't ask twice", "don't ask"),
        ("aks twice", "ask twice, or ask thrice", "ask twice,"),
        ("two words", "one", None),
        ("one two", "one", "one"),
        ("colour", "the color red", "color"),
        ("a b c d", "x a b y", "x a b y"),
        ("a b c d", "x a y z", None),
        ("a a", "a b a a", "a a"),
        ("", "text", None),
        ("text", "", None),
        (" ", "text", None),
    ],
)
def test_the_nearest_passage(wanted, text, found):
    span = nearest_passage(wanted, text)
    assert (None if span is None else text[slice(*span)]) == found
