"""Check whether a simulated user keeps to its persona: rules on each of its messages, and a judge for the
rest.

These verdicts are soft and about the played user. They are no part of what is said of the agent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from grice.checks.topic_history import graph_topics
from grice.judging.answer_schemas import Quote, Requirement, Text
from grice.judging.deciding import vote_verdict
from grice.judging.delimiting import Piece, data_of, json_data, newest
from grice.judging.judge import Judge, JudgedQuestion
from grice.judging.material import MAX_ARGUMENTS, MAX_TOTAL, result_pieces
from grice.judging.question import Question
from grice.matching.patterns import search
from grice.records import (
    Conversation,
    Evidence,
    Outcome,
    Simulation,
    Spoiled,
    Termination,
    Turn,
    Verdict,
    errored,
    failed,
    inconclusive,
    passed,
)
from grice.text import shorten, value_text
from grice.users.character import UserRule
from grice.users.persona import Behaviour, BehaviourRule, Effect, Persona
from grice.users.protocol import UserPlan
from grice.users.settings import SimulatedUser

CONDUCT = "conduct"
"""The matcher that verdicts on a played user name."""
BY_CODE, BY_LLM = 1, 3
MAX_TEXT = 8_000
MAX_NAME = 80
MAX_GOAL = 10_000

GENERAL = {
    "acts_as_the_user": "The user never acts as an assistant, a model or a chatbot, and offers no help.",
    "leaves_the_work_to_the_agent": (
        "The user does not do the chatbot's work: it gives away nothing that the chatbot ought to find out "
        "by itself, and corrects it only with what such a user knows."
    ),
    "keeps_to_the_goal": (
        "The user goes on to want what it is to want, and contradicts neither that nor what it said before."
    ),
    "ends_in_time": (
        "The user says that the goal is reached only where the chatbot's words or tool results show it, and "
        "gives up only where a person like that would."
    ),
}
"""The rules that every simulated user is judged by, and what they are called."""


class RuleConduct(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the judge says of one rule."""  # these two are in the schema that is sent, and in recorded calls

    number: int
    reasoning: Text
    quote: Quote
    turn: Annotated[int, Meta(description="The number of the turn; 0 when the rule was kept to.")]
    broken: Annotated[bool, Meta(description="Whether the rule was broken.")]
    effect: Effect


class ConductAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the judge is asked for: an answer for each rule."""

    requirement: Requirement
    rules: tuple[RuleConduct, ...]


class _Rule(NamedTuple):
    """A rule in words for the judge."""

    name: str
    text: str


# -- by code


def judge_rules(
    plan: UserPlan, conversation: Conversation, simulation: Simulation | None = None
) -> tuple[Verdict, ...]:
    """Make a soft verdict for each behaviour of the persona that code can check; () for a user who is not
    simulated.

    Looked at are the user's messages in the conversation's simulations of this persona, or in the one that is
    given, each by the persona that held in its topic. No message at all is `inconclusive`.
    """
    if not isinstance(plan, SimulatedUser):
        return ()
    messages: dict[tuple[str, Behaviour], list[Turn]] = {
        (plan.persona_name, behaviour): [] for behaviour in _behaviours(plan)
    }
    for turn in _turns(plan, conversation, simulation):
        held = _in_force(plan, conversation, turn)
        for behaviour in _behaviours(held):
            messages.setdefault((held.persona_name, behaviour), []).append(turn)
    return tuple(_by_code(behaviour, turns) for (_, behaviour), turns in messages.items())


def _behaviours(user: SimulatedUser) -> list[Behaviour]:
    known = user.persona.behaviours if isinstance(user.persona, Persona) else ()
    return [one for one in known if not one.rule.judged]


def _turns(plan: SimulatedUser, conversation: Conversation, simulation: Simulation | None) -> list[Turn]:
    spans = (
        [simulation]
        if simulation is not None
        else [
            one
            for one in conversation.simulations
            if one.user == plan.kind and one.persona == plan.persona_name
        ]
    )
    numbers = {number for one in spans for number in range(one.first, one.first + one.turns)}
    return [turn for turn in conversation.turns if turn.number in numbers]


def _in_force(plan: SimulatedUser, conversation: Conversation, turn: Turn) -> SimulatedUser:
    """The settings in force when the turn's message was made: those of the topic before it."""
    earlier = [one.topic for one in conversation.turns if one.number < turn.number and one.topic]
    topics = graph_topics(conversation) or [""]
    return plan.for_topic(earlier[-1] if earlier else topics[0])


def _by_code(behaviour: Behaviour, turns: Sequence[Turn]) -> Verdict:
    rule = behaviour.rule
    found = [(turn, _breach(rule, turn.user)) for turn in turns]
    broken = [(turn, why) for turn, why in found if why]
    if not turns:
        verdict = inconclusive("the user has said nothing")
    elif broken and (rule.on == "each" or len(broken) == len(turns)):
        evidence = tuple(_quoted(turn, why) for turn, why in broken)
        which = ", ".join(str(turn.number) for turn, _ in broken)
        where = f"turn{'' if len(broken) == 1 else 's'} {which}"
        verdict = failed(f"{where}: {broken[0][1]}", evidence=evidence)
    else:
        verdict = passed(f"kept to in {len(turns)} message{'' if len(turns) == 1 else 's'}")
    turn = broken[0][0].number if verdict.outcome is Outcome.FAIL else None
    effect = rule.effect if verdict.outcome is Outcome.FAIL else "none"
    return _conduct(verdict, behaviour.name, behaviour.instruction, BY_CODE, turn, effect)


def _quoted(turn: Turn, why: str) -> Evidence:
    return Evidence(turn.user, turn.number, 0, len(turn.user), note=why)


def _breach(rule: BehaviourRule, message: str) -> str:
    """How the message breaks the rule, "" where it does not."""
    value = rule.value
    if isinstance(value, int):
        what = "word" if rule.check.endswith("words") else "question"
        count = len(message.split()) if what == "word" else message.count("?")
        over = count > value if rule.check.startswith("max") else count < value
        bound = "most" if rule.check.startswith("max") else "least"
        return f"{count} {what}{'' if count == 1 else 's'}, wanted at {bound} {value}" if over else ""
    matches = search(value, rule.flags, message)
    if rule.check == "must_match":
        return "" if matches else f"nothing in it matches /{value}/{rule.flags}"
    return f"{value_text(message[slice(*matches)])} matches /{value}/{rule.flags}" if matches else ""


def _conduct(verdict: Verdict, name: str, text: str, layer: int, turn: int | None, effect: Effect) -> Verdict:
    return replace(
        verdict,
        matcher=CONDUCT,
        claim=f"the played user to keep to {name}: {text}",
        mode="soft",
        turn=turn,
        criterion=name,
        layer=layer,
        detail={"effect": effect},
    )


# -- by a judge


async def judge_conduct(
    judge: Judge, plan: UserPlan, conversation: Conversation, simulation: Simulation | None = None
) -> tuple[Verdict, ...]:
    """Ask the judge for a soft verdict on each rule in words; () for a user who is not simulated.

    Rules are GENERAL, `in_character` where a role or personality is given, the behaviours of the persona that
    code cannot check, and `should` and `should_not`; not those of functions. All are one question, so that
    the first verdict alone has the judgement. A judge without an answer is one `error`, and no message at all
    is one `inconclusive`.
    """
    if not isinstance(plan, SimulatedUser):
        return ()
    turns = _turns(plan, conversation, simulation)
    if not turns:
        return (_conduct(inconclusive("the user has said nothing"), CONDUCT, "all", BY_LLM, None, "none"),)
    rules = _rules(plan, conversation, turns)
    asked = await judge.ask(_question(plan, conversation, simulation, turns, rules))
    if not any(asked.answers):
        verdict = replace(errored(asked.error), judgement=asked.judgement)
        return (_conduct(verdict, CONDUCT, "all", BY_LLM, None, "none"),)
    verdicts = [_judged(asked, index, rule) for index, rule in enumerate(rules)]
    return (verdicts[0], *(replace(one, judgement=None) for one in verdicts[1:]))


def _rules(plan: SimulatedUser, conversation: Conversation, turns: Sequence[Turn]) -> list[_Rule]:
    held: dict[_Rule, list[int]] = {}
    for turn in turns:
        for rule in dict.fromkeys(_own_rules(_in_force(plan, conversation, turn))):
            held.setdefault(rule, []).append(turn.number)
    return [
        *(_Rule(name, text) for name, text in GENERAL.items()),
        *(_for_turns(rule, numbers, len(turns)) for rule, numbers in held.items()),
    ]


def _for_turns(rule: _Rule, numbers: Sequence[int], count: int) -> _Rule:
    """The rule, which says in which turns it holds where that is not in all of them."""
    if len(numbers) == count:
        return rule
    return rule._replace(text=f"{rule.text} (only in turn {', '.join(map(str, numbers))})")


def _own_rules(user: SimulatedUser) -> Iterator[_Rule]:
    persona = user.persona if isinstance(user.persona, Persona) else Persona("")
    notes = (user.personality,) if isinstance(user.personality, str) else user.personality
    character = " ".join(filter(None, [user.role, *notes, persona.description]))
    if character:
        yield _Rule("in_character", f"The user is and behaves like this: {character}")
    for one in persona.behaviours:
        if one.rule.judged:
            yield _Rule(one.name, f"{one.instruction} That is: {one.rule.value}")
    for rule in user.rules:
        if isinstance(rule, UserRule):
            words = "should" if rule.kind == "should" else "should not"
            yield _Rule(shorten(f"{words}: {rule.text}", MAX_NAME), f"The user {words}: {rule.text}")


def _question(
    plan: SimulatedUser,
    conversation: Conversation,
    simulation: Simulation | None,
    turns: Sequence[Turn],
    rules: Sequence[_Rule],
) -> Question[ConductAnswer]:
    numbers = {turn.number for turn in turns}

    def problem(answer: ConductAnswer) -> str:
        said = [one.number for one in answer.rules]
        if said != list(range(1, len(rules) + 1)):
            return f"rules: expected answers for the rules 1 to {len(rules)} in order, found {said}"
        wrong = next((one for one in answer.rules if one.broken and one.turn not in numbers), None)
        if wrong is None:
            return ""
        return f"rules: {wrong.number} is broken in turn {wrong.turn}, which is none of the judged ones"

    shown = [list(_turn_pieces(turn, judged=turn.number in numbers)) for turn in conversation.turns]
    last = simulation or next((one for one in reversed(conversation.simulations) if one.turns), None)
    ended = ""
    if last is not None:
        why = f", and the one who played said why: {value_text(last.reason)}" if last.reason else ""
        ended = f"It ended with {last.termination}{why}."
    values: dict[str, Sequence[Piece]] = {
        "material": newest(shown, MAX_TOTAL, "turn"),
        "ended": [ended] if ended else [],
        "goal": data_of(plan.goal or "(nothing was said of it)", "goal", MAX_GOAL),
        "rules": [f"{number}. {rule.text}" for number, rule in enumerate(rules, 1)],
    }
    return Question(CONDUCT, "conduct", ConductAnswer, values, plan.persona_name, problem=problem)


def _turn_pieces(turn: Turn, *, judged: bool) -> Iterator[Piece]:
    yield f"Turn {turn.number}"
    if turn.user:
        yield from data_of(turn.user, 'from="user" judged="yes"' if judged else 'from="user"', MAX_TEXT)
    for number, call in enumerate(turn.tool_calls, 1):
        asked = {"name": call.name, "arguments": call.arguments}
        yield from json_data(asked, f'tool-call="{turn.number}.{number}"', MAX_ARGUMENTS)
        yield from result_pieces(call, number)
    if turn.full_text:
        yield from data_of(turn.full_text, 'from="chatbot"', MAX_TEXT)


def _judged(asked: JudgedQuestion[ConductAnswer], index: int, rule: _Rule) -> Verdict:
    def outcome(answer: ConductAnswer) -> Outcome:
        return Outcome.FAIL if answer.rules[index].broken else Outcome.PASS

    def quoted(answer: ConductAnswer) -> list[Evidence]:
        one = answer.rules[index]
        return [Evidence(one.quote, one.turn)] if one.broken and one.quote else []

    verdict = vote_verdict(asked, outcome, lambda answer: answer.rules[index].reasoning, quoted)
    votes = (answer.rules[index] for answer in asked.answers if answer is not None)
    broken = next((one for one in votes if one.broken), None)
    if verdict.outcome is not Outcome.FAIL or broken is None:
        return _conduct(verdict, rule.name, rule.text, BY_LLM, None, "none")
    return _conduct(verdict, rule.name, rule.text, BY_LLM, broken.turn, broken.effect)


# -- what it did


def spoiled(
    verdicts: Iterable[Verdict], termination: Termination | None = None, *, outcome: Outcome | None = None
) -> Spoiled:
    """Say how the broken rules of a simulated user changed the agent's chances; "" where no effect is known.

    `hindered` for a simulation that ended with simulator_error. Else by the effects of the rules that were
    broken, as the judge or the persona says. With effects of both kinds it is the one that could explain the
    `outcome`: `helped` where the result passed, `hindered` otherwise.
    """
    if termination == "simulator_error":
        return "hindered"
    effects = {
        one.detail.get("effect") for one in verdicts if one.matcher == CONDUCT and one.outcome is Outcome.FAIL
    }
    if "helped" in effects and ("hindered" not in effects or outcome is Outcome.PASS):
        return "helped"
    return "hindered" if "hindered" in effects else ""
