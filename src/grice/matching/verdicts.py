"""What a matcher answers, and the verdict that it makes."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from grice.matching.calls.names import meant, name_text
from grice.matching.context import Context
from grice.matching.judge_standing import decided, is_calibrated
from grice.matching.judged_by import answered
from grice.matching.matcher import Matcher, Unsuitable
from grice.matching.redacted import without_secrets
from grice.matching.waiting import waited
from grice.records import (
    Conversation,
    Evidence,
    Exchange,
    Outcome,
    Selection,
    Turn,
    Verdict,
    clean_json,
    clean_text,
    errored,
    failed,
    negate,
    passed,
)
from grice.records.verdict import Mode
from grice.text import value_text


class AsyncVerdict:
    """What becomes a verdict: the answer of an async matcher. It is run once, or closed."""

    __slots__ = ("_answer", "_name", "_steps")

    def __init__(
        self, answer: Coroutine[Any, Any, object], *steps: Callable[[Verdict], Verdict], name: str = ""
    ) -> None:
        self._answer = answer
        self._steps = steps
        self._name = name

    def then(self, step: Callable[[Verdict], Verdict]) -> AsyncVerdict:
        """The same, and then what `step` makes of it."""
        return AsyncVerdict(self._answer, *self._steps, step, name=self._name)

    async def run(self) -> Verdict:
        """The verdict. Never raises."""
        try:
            verdict = _read(await self._answer)
        except Exception as error:  # the check is somebody's code, as in `_answer`
            verdict = _raised(error, self._name)
        for step in self._steps:
            verdict = step(verdict)
        return verdict

    def close(self) -> None:
        """Drop the check without running it."""
        self._answer.close()


def judge_whole(matcher: Matcher[Any], subject: object, context: Context) -> Verdict | AsyncVerdict:
    """The verdict on the subject as a whole, negation applied; an async matcher gives what becomes it."""
    claim = claim_of(matcher, context.noun)  # before: dirty-equals shows what it was compared with last
    answer = _answer(matcher, subject, context)
    if isinstance(answer, Verdict):
        return complete(matcher, _told(matcher, answer, subject), context, claim)
    return answer.then(lambda said: complete(matcher, _told(matcher, said, subject), context, claim))


def claim_of(matcher: Matcher[Any], noun: str) -> str:
    """The sentence that is checked: `the reply not to contain 'x'`."""
    return f"{noun} not to {matcher.words}" if matcher.negated else f"{noun} to {matcher.words}"


def _told(matcher: Matcher[Any], answer: Verdict, subject: object) -> Verdict:
    """The answer with a reason, and without secrets unless the check passes."""
    answer = with_value(answer, subject)
    outcome = negate(answer.outcome) if matcher.negated else answer.outcome
    if outcome is Outcome.PASS:
        return answer
    return without_secrets(answer, subject, matcher.args, matcher.kwargs)


def with_value(answer: Verdict, subject: object) -> Verdict:
    """The answer of a matcher that gave no reason, with the value that it judged as the reason."""
    if (answer is not _YES and answer is not _NO) or isinstance(subject, msgspec.Struct):
        return answer
    try:
        text = getattr(subject, "text", subject)
    except Exception:  # somebody's object
        text = subject
    return msgspec.structs.replace(answer, reason=f"it is {value_text(text)}")


def complete(
    matcher: Matcher[Any],
    answer: Verdict,
    context: Context,
    claim: str | None = None,
    selection: Selection | None = None,
) -> Verdict:
    """The whole verdict for an answer of the matcher, negation applied.

    `claim` is what was checked where it is more than the subject as a whole, `selection` the values of it.
    """
    negated = matcher.negated
    factory = matcher.factory
    mode: Mode = "soft" if answer.mode == "soft" else context.mode  # an advisory judge's
    claim = claim_of(matcher, context.noun) if claim is None else claim
    turn = answer.turn
    if turn is None and context.turn is not None:
        turn = context.turn.number
    outcome = negate(answer.outcome) if negated else answer.outcome
    judged = answer.judgement is not None or answer.parts != ()
    verdict = Verdict(
        outcome,
        answer.reason,
        answer.evidence,
        factory.name,
        claim,
        negated,
        mode,
        turn,
        answer.unresolved,
        answer.criterion,
        factory.layer if answer.layer is None else answer.layer,
        answer.score,
        answer.judgement,
        judged and mode == "hard" and answered(answer) and not is_calibrated(answer),
        tuple([_part(matcher, part, claim, mode, turn) for part in answer.parts]) if answer.parts else (),
        answer.visit,
        clean_json(answer.detail) if answer.detail else {},
        answer.trivially_true and outcome is Outcome.PASS,
        selection,
    )
    return decided(verdict) if verdict.uncalibrated else verdict


def _part(matcher: Matcher[Any], part: Verdict, claim: str, mode: Mode, turn: int | None) -> Verdict:
    """A part of an answer as a verdict of its own: with the mode, turn and polarity of the whole.

    A part by another matcher keeps that, its claim and its polarity; one that is soft stays so.
    """
    mode = part.mode if part.mode == "soft" else mode
    negated = matcher.negated and not part.matcher
    words = matcher.factory.python_name.replace("_", " ")
    made = msgspec.structs.replace(
        part,
        outcome=negate(part.outcome) if negated else part.outcome,
        matcher=part.matcher or matcher.factory.name,
        claim=part.claim or f"{claim.removesuffix(matcher.words)}{words} {part.criterion}".rstrip(),
        negated=part.negated if part.matcher else negated,
        mode=mode,
        turn=turn if part.turn is None else part.turn,
        uncalibrated=mode == "hard" and answered(part) and not is_calibrated(part),
    )
    return decided(made) if made.uncalibrated else made


def answer_of(matcher: Matcher[Any], subject: object, context: Context) -> Verdict:
    """What the matcher says of the subject before any negation; an async one is waited for.

    Unless the context is soft, that of a judge who needs a card and has none is an `error`.
    """
    answer = _answer(matcher, subject, context)
    said = answer if isinstance(answer, Verdict) else waited(answer.run, answer.close)
    return said if context.mode == "soft" or not answered(said) else decided(said)


def _answer(matcher: Matcher[Any], subject: object, context: Context) -> Verdict | AsyncVerdict:
    """What the matcher says of the subject, or what will become of it. Never raises."""
    if context.conversation is not None and not context.conversation.turns:
        return errored("the conversation has no turn yet: say something first")
    name = matcher.factory.python_name
    try:
        if context.negated is not matcher.negated:
            context = msgspec.structs.replace(context, negated=matcher.negated)
        answer: object = matcher.factory.function(subject, context, *matcher.args, **matcher.kwargs)
    except Exception as error:  # the check is somebody's code: whatever it raises is an outcome, not a crash
        return _raised(error, name)
    if isinstance(answer, Coroutine):
        return AsyncVerdict(answer, name=name)
    return _read(answer)


def _raised(error: Exception, name: str) -> Verdict:
    if isinstance(error, Unsuitable):
        return errored(f"{name} judges {error}")
    return errored(f"the check raised {error_text(error)}")


def _read(answer: object) -> Verdict:
    if isinstance(answer, Verdict):
        return _sound(answer)
    if answer is True or answer is False:
        return _YES if answer else _NO
    return errored(f"the check returned {value_text(answer)}, expected True, False or a Verdict")


_YES, _NO = passed(), failed("")


def verdict_of(name: str, function: Callable[..., object], *given: object) -> Verdict:
    """What a plain function of the user's says: True, False or a Verdict. What it raises is an `error`."""
    try:
        answer = function(*given)
    except Exception as error:  # somebody's code: whatever it raises is an outcome
        return errored(f"{name} raised {error_text(error)}")
    if isinstance(answer, Verdict):
        return answer
    if answer is True or answer is False:
        return passed("its function returned True") if answer else failed("its function returned False")
    if isinstance(answer, Coroutine):
        answer.close()
        return errored(f"{name} is async: expected a plain function")
    return errored(f"{name} returned {value_text(answer)}, expected True, False or a Verdict")


async def settled(made: Sequence[Verdict | Callable[[], Coroutine[Any, Any, Verdict]]]) -> list[Verdict]:
    """All verdicts in their order, those that are still to be made at the same time."""
    from asyncio import gather

    asked = iter(await gather(*(one() for one in made if not isinstance(one, Verdict))))
    return [one if isinstance(one, Verdict) else next(asked) for one in made]


def error_text(error: BaseException) -> str:
    """An exception in words: its type, and its text where it has one. Never raises."""
    try:
        text = clean_text(str(error))
    except Exception:  # an exception whose text raises
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _sound(verdict: Verdict) -> Verdict:
    """The verdict with texts that can be written down; an error when it is not of the right types."""
    try:
        outcome: Any = verdict.outcome
        reason, evidence = clean_text(verdict.reason), verdict.evidence
        if type(outcome) is not Outcome:
            outcome = Outcome(outcome)
        for one in evidence:
            if not (one.quote.isascii() and one.note.isascii()):
                evidence = tuple([_sound_evidence(each) for each in evidence])
                break
    except (AttributeError, TypeError, ValueError):
        return errored(f"the check returned a malformed {value_text(verdict)}")
    if reason is verdict.reason and evidence is verdict.evidence and outcome is verdict.outcome:
        return verdict
    return msgspec.structs.replace(verdict, outcome=outcome, reason=reason, evidence=evidence)


def _sound_evidence(evidence: Evidence) -> Evidence:
    return msgspec.structs.replace(evidence, quote=clean_text(evidence.quote), note=clean_text(evidence.note))


OTHER_CASE = "found in another case:"
"""How the reason begins where only the case of a text kept it from being found."""
TRIVIALLY_TRUE = "trivially true"


def only_case_differs(verdict: Verdict) -> bool:
    """Whether it passes as the text that must not be there is there in another case."""
    return verdict.negated and verdict.outcome is Outcome.PASS and verdict.reason.startswith(OTHER_CASE)


def says_little(verdict: Verdict) -> bool:
    """Whether it says less than it seems to, so that a summary names it though it passed."""
    return verdict.trivially_true or verdict.unresolved or only_case_differs(verdict)


def strictly(verdict: Verdict) -> Verdict:
    """The verdict under `strict`: a hard one that is trivially true fails, and says why."""
    if not verdict.trivially_true or verdict.mode == "soft" or verdict.outcome is not Outcome.PASS:
        return verdict
    reason = f"{TRIVIALLY_TRUE}, which strict refuses: {verdict.reason}"
    return replace(verdict, outcome=Outcome.FAIL, reason=reason, trivially_true=False)


def tool_unheard_of(name: str, turns: Sequence[Turn], conversation: Conversation | None) -> str:
    """Why it says nothing that the tool was not called: no request offers it, and no call has the name.

    "" where one does, and where nobody can tell: no request with tools is known, or one offers tools that it
    does not name, such as those of an MCP server.
    """
    everywhere = conversation.turns if conversation is not None else turns
    exchanges = [one for turn in everywhere for one in turn.exchanges]
    offered = {tool for one in exchanges for tool in one.offered_tools}
    called = {call.name for turn in everywhere for call in turn.tool_calls}
    if not offered or name in offered or name in called or any(map(_offers_unnamed, exchanges)):
        return ""
    return f"no request offers {name_text(name)}{meant(name, sorted(offered | called))}"


def _offers_unnamed(exchange: Exchange) -> bool:
    """Whether a request offers tools without their names: those of a server, or what the provider runs."""
    tools = exchange.request.get("tools")
    listed = [one for one in tools if isinstance(one, dict)] if isinstance(tools, list) else []
    return bool(exchange.request.get("mcp_servers")) or any(
        not {"name", "function", "custom"}.intersection(one) for one in listed
    )
