# ruff: noqa: E501 - tables, one case a line

"""have_in_system_prompt, offer_tool, offer_only_tools and have_parameters look at what the model was told."""

import math

import pytest
from dirty_equals import IsFloat, IsStr

from grice.checks.nearest import nearest_passage
from grice.matchers import have_in_system_prompt, have_parameters, offer_only_tools, offer_tool
from grice.matching.context import sight_of
from grice.matching.matcher import judge
from grice.records import Conversation, Exchange, Message, Reply, Turn

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
    seen = sight_of(subject)
    verdict = judge(matcher, seen.subject, seen.context, seen.noun)
    negated = judge(~matcher, seen.subject, seen.context, seen.noun)
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


@pytest.mark.parametrize("subject", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize(
    ("texts", "options", "outcome"),
    [
        (("Call the tool immediately",), {}, "pass"),
        (("without preamble", "WordPress version: 6.8"), {}, "pass"),
        (("WordPress version: 6.8", "without preamble"), {}, "pass"),
        (("without preamble", "WordPress version: 6.8"), {"ordered": True}, "pass"),
        (("WordPress version: 6.8", "without preamble"), {"ordered": True}, "fail"),
        (("call the tool immediately",), {}, "fail"),
        (("without preamble", "slug/slug.php"), {}, "fail"),
        (("Answer in French.",), {"after": "--- Custom ---"}, "pass"),
        (("WordPress", "French"), {"after": "--- Site ---", "ordered": True}, "pass"),
        (("WordPress",), {"after": "--- Custom ---"}, "fail"),
        (("WordPress",), {"after": "--- Other ---"}, "fail"),
    ],
    ids=str,
)
def test_the_prompt_is_read_in_every_shape(subject, texts, options, outcome):
    assert verdict_on(subject, have_in_system_prompt(*texts, **options)).outcome == outcome


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
    reason = verdict_on(PROMPT, have_in_system_prompt("zebra", "French", "yak")).reason
    assert [line.split(" ")[0] for line in reason.split("\n")] == ["'zebra'", "'yak'"]
    many = verdict_on(PROMPT, have_in_system_prompt(*(f"zebra {n}" for n in range(30)))).reason
    assert many.endswith("\n...")
    assert many.count("\n") == 10


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
        (("",), {}, "what is looked for is a text that is not empty, found ''"),
        (("x", 5), {}, "what is looked for is a text that is not empty, found 5"),
        (("x",), {"after": ""}, "after is a text that is not empty, found ''"),
        (("x",), {"after": 5}, "after is a text that is not empty, found 5"),
    ],
)
def test_what_is_looked_for_has_to_be_text(texts, options, reason):
    for subject in ("", PROMPT, Exchange({})):
        verdict = verdict_on(subject, have_in_system_prompt(*texts, **options))
        assert (verdict.outcome, verdict.reason) == ("error", reason)


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


def test_the_claim_is_a_sentence():
    matcher = have_in_system_prompt("a", "b", ordered=True, after="c")
    claim = "the text to have 'a' and 'b' in the system prompt, in this order, after 'c'"
    assert verdict_on("x", matcher).claim == claim


@pytest.mark.parametrize(
    "text",
    ["\ud800", "x" * 100_000, "y " * 50_000, "\u202e", "\u200b", "(?=x)", "\n", " ", "....", "\x00"],
    ids=lambda text: ascii(text[:8]),
)
@pytest.mark.parametrize("prompt", [PROMPT, "z " * 100_000, "\ud800x\u202e", "q" * 100_000, "."], ids=lambda text: ascii(text[:8]))  # fmt: skip
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


# -- tools


def offering(*names, shape="anthropic"):
    if shape == "openai_chat":
        tools = [{"type": "function", "function": {"name": name}} for name in names]
    elif shape == "openai_responses":
        tools = [{"type": "function", "name": name} for name in names]
    else:
        tools = [{"name": name} for name in names]
    return Exchange({"tools": tools}, dialect=shape)


@pytest.mark.parametrize("shape", ["anthropic", "openai_chat", "openai_responses"])
@pytest.mark.parametrize(
    ("matcher", "outcome", "reason"),
    [
        (offer_tool("book"), "pass", "book, list offered"),
        (offer_tool("bok"), "fail", "offered: book, list (did you mean 'book'?)"),
        (offer_tool("zebra"), "fail", "offered: book, list"),
        (offer_only_tools("list", "book"), "pass", "book, list offered"),
        (offer_only_tools("list", "list", "book"), "pass", "book, list offered"),
        (offer_only_tools("list"), "fail", "offered beside them: book"),
        (offer_only_tools("list", "book", "cancel"), "fail", "'cancel' is not offered"),
        (offer_only_tools("list", "bok"), "fail", "'bok' is not offered (did you mean 'book'?); offered beside them: book"),
        (offer_only_tools(), "fail", "offered: book, list"),
        (offer_tool(""), "error", "the name of a tool is a text that is not empty, found ''"),
        (offer_tool(None), "error", "the name of a tool is a text that is not empty, found None"),
        (offer_only_tools(["book"]), "error", "the name of a tool is a text that is not empty, found ['book']"),
    ],
    ids=repr,
)  # fmt: skip
def test_offered_tools(shape, matcher, outcome, reason):
    verdict = verdict_on(offering("book", "list", shape=shape), matcher)
    assert (verdict.outcome, verdict.reason) == (outcome, reason)


NO_TOOLS = [Exchange({}), Exchange({"tools": []}), Exchange({"tools": None}), Exchange({"tools": "book"}), Exchange({"tools": [5, {}, {"name": 5}]})]  # fmt: skip


@pytest.mark.parametrize("request_", NO_TOOLS)
def test_a_request_without_tools_was_examined(request_):
    assert verdict_on(request_, offer_only_tools()).reason == "no tool offered"
    assert verdict_on(request_, offer_only_tools()).outcome == "pass"
    verdict = verdict_on(request_, offer_tool("book"))
    assert (verdict.outcome, verdict.reason) == ("fail", "offered: no tool")


@pytest.mark.parametrize(
    "matcher", [offer_tool("x"), offer_only_tools(), have_parameters(model="x")], ids=repr
)
def test_what_was_not_recorded_is_inconclusive_and_what_is_no_request_an_error(matcher):
    embedding = Exchange({"input": "x", "model": "x"}, dialect="openai_embeddings")
    for subject in (Turn(1), conversation_of([]), conversation_of([embedding])):
        verdict = verdict_on(subject, matcher)
        assert (verdict.outcome, verdict.reason) == ("inconclusive", "no request to the model is on record")
    for subject in ("text", None, [HI], 5):
        verdict = verdict_on(subject, matcher)
        assert verdict.outcome == "error"
        assert "judges an Exchange, a Reply, a Turn or a Conversation, found" in verdict.reason


def test_embeddings_have_parameters_but_no_tools():
    embedding = Exchange({"input": "x", "model": "e"}, dialect="openai_embeddings")
    assert verdict_on(embedding, have_parameters(model="e")).outcome == "pass"
    assert verdict_on(embedding, offer_tool("x")).outcome == "error"
    assert verdict_on(embedding, offer_only_tools()).outcome == "error"
    assert verdict_on(conversation_of([WITH, embedding]), offer_tool("book")).outcome == "pass"


def test_replies_and_turns_are_judged_by_their_own_requests():
    conversation = conversation_of([WITH], [WITHOUT])
    assert verdict_on(Reply(conversation, 1), offer_tool("book")).outcome == "pass"
    assert verdict_on(Reply(conversation, 2), offer_tool("book")).outcome == "fail"
    assert verdict_on(conversation.turns[1], offer_only_tools("list")).outcome == "pass"


@pytest.mark.parametrize(
    ("matcher", "words"),
    [
        (offer_tool("book"), "offer the tool 'book'"),
        (offer_only_tools("a", "b"), "offer only the tools 'a', 'b'"),
        (offer_only_tools(), "offer no tool"),
        (have_parameters(model="m", temperature=0), "have model='m', temperature=0"),
    ],
)
def test_the_words_of_a_claim(matcher, words):
    assert matcher.words == words


# -- parameters

REQUEST = Exchange({"model": "gpt-4o", "temperature": 0.7, "stream": False, "stop": None, "seed": 1, "response_format": {"type": "json_schema", "json_schema": {"name": "x"}}, "messages": [HI], "top": math.nan})  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "outcome", "reason"),
    [
        ({"model": "gpt-4o"}, "pass", "model 'gpt-4o'"),
        ({"model": "gpt-4o", "seed": 1.0}, "pass", "model 'gpt-4o', seed 1"),
        ({"temperature": IsFloat(gt=0), "model": IsStr(regex="gpt-.*")}, "pass", "temperature 0.7, model 'gpt-4o'"),
        ({"temperature": pytest.approx(0.7)}, "pass", "temperature 0.7"),
        ({"stop": None, "top": math.nan}, "pass", "stop None, top nan"),
        ({"messages": [{"role": "user", "content": IsStr()}]}, "pass", "messages [{'role': 'user', 'content': 'Hi'}]"),
        ({"model": "gpt-4", "temperature": 0}, "fail", "model: found 'gpt-4o', expected 'gpt-4'\ntemperature: found 0.7, expected 0"),
        ({"stream": 0}, "fail", "stream: found False, expected 0"),
        ({"seed": True}, "fail", "seed: found 1, expected True"),
        ({"temprature": 0.7}, "fail", "temprature: not in the request (did you mean 'temperature'?), expected 0.7"),
        ({"zebra": None}, "fail", "zebra: not in the request, expected None"),
        ({"response_format": {"type": "json_schema", "json_schema": {"name": "y"}}}, "fail", "response_format.json_schema.name: found 'x', expected 'y'"),
        ({"subject": 1, "ctx": 2, "self": 3}, "fail", "subject: not in the request, expected 1\nctx: not"),
        ({}, "error", "name at least one field of the request, such as model='...'"),
    ],
    ids=str,
)  # fmt: skip
def test_parameters(fields, outcome, reason):
    verdict = verdict_on(REQUEST, have_parameters(**fields))
    assert verdict.outcome == outcome
    assert verdict.reason.startswith(reason)


def test_a_value_that_cannot_be_compared_is_an_error():
    class Broken:
        def __eq__(self, other):
            raise ValueError("no")

        __hash__ = None

    verdict = verdict_on(REQUEST, have_parameters(model=Broken()))
    assert (verdict.outcome, verdict.reason) == ("error", "the check raised ValueError: no")
    deep = []
    for _ in range(300):
        deep = [deep]
    assert verdict_on(Exchange({"x": deep}), have_parameters(x=deep)).outcome == "error"
