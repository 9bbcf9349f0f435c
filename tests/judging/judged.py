"""Verdicts of judges that answer from a script, and what they are given to judge."""

from __future__ import annotations

from typing import Any

import msgspec

from grice.judging.judge import Judge
from grice.llm import ScriptedLLM
from grice.matching.context import resolve_subject
from grice.matching.judge import judge
from grice.matching.matcher import Matcher
from grice.records import Conversation, LLMRequest, Message, Reply, ToolCall, Turn, Verdict

YES = {"requirement": "be kind", "reasoning": "it is kind", "quote": "", "satisfied": True}
NO = {"requirement": "be kind", "reasoning": "it is curt", "quote": "", "satisfied": False}

LOOKUP = ToolCall("lookup", {"room": "Blue"}, id="c1", result={"capacity": 12, "price": 80})


def booking(*more: Turn, **fields: Any) -> Conversation:
    """Two turns about a room, the second with a tool call."""
    return Conversation(
        turns=(
            turn(1, "Hi, I need a room", "Happy to help! Which day?"),
            turn(2, "The Blue one, tomorrow", "The Blue Room seats 12 and costs 80 euros.", LOOKUP),
            *more,
        ),
        **fields,
    )


def turn(number: int, user: str, agent: str, *calls: ToolCall) -> Turn:
    """A turn in which the agent calls these tools and then answers."""
    asked = (Message("assistant", tool_calls=calls),) if calls else ()
    return Turn(number, (Message("user", user), *asked, Message("assistant", agent)), calls)


def reply(conversation: Conversation | None = None, number: int | None = None) -> Reply:
    """The last reply of the conversation, or another one."""
    conversation = conversation or booking()
    return Reply(conversation, number or len(conversation.turns))


def scripted(**answers: Any) -> ScriptedLLM:
    """An LLM that answers from a script by purpose."""
    return ScriptedLLM(answers)


def verdict_on(
    subject: object, matcher: Matcher[Any], llm: Any = None, /, *, judged: bool = True, **options: Any
) -> Verdict:
    """The verdict when this LLM is the judge's; `judged=False` is a test without any judge."""
    seen = resolve_subject(subject)
    context = seen.context
    if judged:
        context = msgspec.structs.replace(context, judge=Judge(llm, **options))
    return judge(matcher, seen.subject, context)


def question_of(request: LLMRequest) -> str:
    """What the user message of a request says."""
    content = request.messages[1]["content"]
    assert isinstance(content, str)
    return content
