"""Matchers on the intent of a reply, and on the goal of a conversation."""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from typing import Any

from msgspec.structs import replace

from grice.judging.answer_schemas import GoalAnswer, IntentAnswer
from grice.judging.deciding import judge_of, vote_verdict
from grice.judging.delimiting import Piece, data_of
from grice.judging.judge import Judge
from grice.judging.material import Material, material_of
from grice.judging.question import Question
from grice.matching.argument_types import SpokenText
from grice.matching.context import Context
from grice.matching.matcher import Unsuitable, matcher
from grice.matching.subjects import Speech
from grice.records import Conversation, Outcome, Verdict, errored, inconclusive
from grice.text import shorten, value_text

MAX_WORDS = 200
MAX_GOAL = 10_000


@matcher("toHaveIntent", describe="have the intent {name!s}[ ({described_as!s})]", layer=3, judged=True)
def have_intent(
    subject: Speech, ctx: Context, name: SpokenText, *, described_as: str = ""
) -> Verdict | Coroutine[Any, Any, Verdict]:
    """The reply, by its words and tool calls, has the intent of that name.

    Without `described_as` the name says what it is, `_` read as a space. A reply without text and tool calls
    is `inconclusive`.
    """
    material = material_of(subject, ctx)
    if material.idle:
        return inconclusive("there is neither text nor a tool call to look at")
    judge = judge_of(ctx)
    if isinstance(judge, Verdict):
        return judge
    words = described_as.strip() or name.replace("_", " ")
    question = Question(
        "intent",
        "intent",
        IntentAnswer,
        {"material": material.pieces(), "name": [f'"{name}"'], "intent": [words]},
        name,
    )
    return _intent(judge, question, name)


async def _intent(judge: Judge, question: Question[IntentAnswer], name: str) -> Verdict:
    verdict = vote_verdict(
        await judge.ask(question),
        lambda answer: Outcome.PASS if answer.matches else Outcome.FAIL,
        lambda answer: f"its intent is {value_text(answer.observed_intent)}: {answer.reasoning}",
    )
    return replace(verdict, detail={"type": "intent", "intent": shorten(name, MAX_WORDS)})


@matcher("toHaveAchievedGoal", describe="have achieved [the goal {goal}|its goal]", layer=3, judged=True)
def have_achieved_goal(
    subject: Conversation, ctx: Context, goal: str = ""
) -> Verdict | Coroutine[Any, Any, Verdict]:
    """By the end of the conversation the user has got what they came for.

    Without a goal the conversation's own is meant: that of the user who was played last, else `goal` in its
    metadata; when it has none that is an `error`.
    """
    if not isinstance(subject, Conversation):  # as a file may have it
        raise Unsuitable(f"a Conversation, found {type(subject).__name__}")
    wanted = goal.strip() or _stated_goal(subject)
    if not wanted:
        return errored("the conversation states no goal: say which one, have_achieved_goal('...')")
    material = material_of(subject, ctx)
    if material.idle:
        return inconclusive("the agent neither said nor did anything")
    judge = judge_of(ctx)
    return judge if isinstance(judge, Verdict) else _goal(judge, material, wanted)


def _stated_goal(conversation: Conversation) -> str:
    played = next((one.goal for one in reversed(conversation.simulations) if one.goal.strip()), "")
    stated = played or conversation.metadata.get("goal")
    return stated.strip() if isinstance(stated, str) else ""


async def _goal(judge: Judge, material: Material, goal: str) -> Verdict:
    values: dict[str, Sequence[Piece]] = {
        "material": material.pieces(),
        "goal": data_of(goal, "goal", MAX_GOAL),
    }
    verdict = vote_verdict(
        await judge.ask(Question("goal", "goal", GoalAnswer, values, shorten(goal, MAX_WORDS))),
        lambda answer: Outcome.PASS if answer.achieved else Outcome.FAIL,
        lambda answer: answer.reasoning,
    )
    return replace(verdict, detail={"type": "goal", "goal": shorten(goal, MAX_GOAL)})
