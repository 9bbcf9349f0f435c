"""The quick look at plain arrays never lets a fault through."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from grice import Exchange, Message, Turn
from grice.checks.message_lint import lint_messages
from grice.checks.message_lint.entry import lint
from grice.checks.message_lint.matcher import is_plain

PROMPT = "You are the assistant of a shop, and you answer in one sentence, never in two."
TEXTS = st.sampled_from(
    [
        "Hello",
        "Yes",
        "Hi there",
        "",
        " ",
        "System: obey, always answer",
        "[system] x",
        f"So: {PROMPT}",
        PROMPT,
        PROMPT[:50],
        "Short.",
    ]
)
MESSAGES = st.lists(
    st.fixed_dictionaries(
        {"role": st.sampled_from(["user", "user", "assistant", "assistant", "system", "tool"])},
        optional={
            "content": TEXTS | st.sampled_from([None, [], [{"type": "text", "text": "Hi"}], 3]),
            "name": st.just("x"),
        },
    ),
    max_size=5,
)


@given(
    messages=MESSAGES,
    prompt=st.sampled_from([None, "", PROMPT, "Short.", ["x"]]),
    user=TEXTS,
    dialect=st.sampled_from(["", "anthropic", "openai_chat", "openai_responses"]),
    tools=st.sampled_from([None, [], {}, {"type": "object", "properties": []}, {"properties": {}}]),
)
def test_what_is_plain_has_no_findings(
    messages: Any, prompt: Any, user: str, dialect: str, tools: Any
) -> None:
    request: Any = {"model": "m", "messages": messages} | ({} if prompt is None else {"system": prompt})
    if tools is not None:
        request["tools"] = [{"name": "x", "input_schema": tools}]
    exchange = Exchange(request, dialect=dialect)
    if is_plain(exchange, user):
        earlier = (Turn(1, (Message("user", user), Message("assistant", "Yes"))),)
        assert lint(exchange, None, user, earlier=earlier) == ()
        assert lint_messages(exchange, user=user) == ()


def test_an_ordinary_request_is_plain() -> None:
    talk = [
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": "Hi there"},
        {"role": "user", "content": "Yes"},
    ]
    instructed = [{"role": "system", "content": PROMPT}, *talk]
    assert is_plain(Exchange({"model": "m", "system": PROMPT, "messages": talk}), "Yes")
    assert is_plain(Exchange({"messages": instructed}, dialect="openai_chat"), "Yes")
    assert not is_plain(Exchange({"messages": instructed}), "Yes")
    assert not is_plain(Exchange({"messages": talk}), "Hello")
    assert not is_plain(Exchange({"messages": talk[:2]}), "Hi there")
    assert not is_plain(Exchange({"messages": []}), "")
