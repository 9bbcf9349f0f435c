"""Ask a judge about many items."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, Any

import msgspec

from grice.judging.criterion import Criterion
from grice.judging.judge import Judge
from grice.matching.context import resolve_subject
from grice.matching.judge import judge_later
from grice.matching.matcher import Matcher
from grice.matching.protocols import BoundLLM, missing_reason
from grice.matching.verdicts import AsyncVerdict
from grice.records import LLMRequest, LLMResponse, Verdict, errored
from grice.text import did_you_mean, shorten, value_text

if TYPE_CHECKING:
    from grice.validation.judges.items import Item


QUALITIES = ("naturalness", "guidance", "context_use")

"""The judges that need no criterion: those of the quality of a reply, by the names of their prompts."""

LONGEST = 600.0

"""Seconds after which one answer is given up; LLMs have time-outs of their own, far shorter ones."""

_MAX_LISTED = 300

Tell = Callable[["Item", int, Verdict], None]


class UnknownJudge(LookupError):
    """There is no criterion or judge of that name."""


class Judged(msgspec.Struct, frozen=True):
    """The judge that is measured: a matcher, and the name of its calibration card.

    `name` is the criterion's, or the prompt's (`naturalness`). `fingerprint` is the criterion's, "" without
    one. `gate` is the score wanted, None for yes/no.
    """

    name: str
    matcher: Matcher[Any]
    criterion: Criterion | None = None
    gate: float | None = None

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the criterion; "" without one."""
        return "" if self.criterion is None else self.criterion.fingerprint

    @property
    def by_code(self) -> bool:
        """Whether code judges, and no LLM."""
        return self.criterion is not None and self.criterion.by_code

    @property
    def prompt(self) -> str:
        """The name of the prompt that asks; "" where code judges."""
        if self.criterion is None:
            return self.name
        if self.criterion.by_code:
            return ""
        return "criterion" if self.gate is None else "criterion_graded"


def judged_named(name: str, criteria: Mapping[str, Criterion], *, also: Iterable[str] = ()) -> Judged:
    """The criterion of that name, or the judge of quality: naturalness, guidance, context_use.

    Raises UnknownJudge, a LookupError, with the nearest right name; `also` are names that it then tells too.
    """
    if name in criteria:
        from grice.judging.satisfy_criteria import satisfy

        one = criteria[name]
        return Judged(name, satisfy(one), one, one.at_least)
    if name in QUALITIES:
        from grice.judging import quality

        matcher, gate = {
            "naturalness": (quality.sound_natural(), quality.GATE),
            "guidance": (quality.guide_user(), quality.GUIDANCE_GATES["chat"]),
            "context_use": (quality.use_context(), quality.GATE),
        }[name]
        return Judged(name, matcher, gate=gate)
    known = list(dict.fromkeys([*criteria, *QUALITIES, *also]))
    there = shorten(", ".join(known), _MAX_LISTED)
    raise UnknownJudge(f"unknown judge {value_text(name)}{did_you_mean(name, known)}: known are {there}")


def ask_about(
    judge: Judge,
    judged: Judged,
    items: Sequence[Item],
    *,
    samples: int = 1,
    concurrency: int = 20,
    tell: Tell | None = None,
) -> list[tuple[Verdict, ...]]:
    """The verdicts on every item, one for each sample, in order. `tell` is called with each as it comes.

    Every sample is a question of its own, numbered from 0, and `judge.samples` does not count. Code is asked
    once. A judge that gives no answer is a verdict `error`; nothing is raised for one. `tell` may be called
    in another thread, one call at a time; what it raises ends the asking, as Ctrl-C does. Raises
    LoopIsRunning inside a running event loop.
    """
    count = 1 if judged.by_code else samples
    asked = [(judged.matcher, item, number) for item in items for number in range(count)]
    verdicts = iter(ask_each(judge, asked, concurrency=concurrency, tell=tell))
    return [tuple(next(verdicts) for _ in range(count)) for _ in items]


def ask_each(
    judge: Judge,
    asked: Sequence[tuple[Matcher[Any], Item, int]],
    *,
    concurrency: int = 20,
    tell: Tell | None = None,
) -> list[Verdict]:
    """The verdict of each matcher on its item, in order; the number is that of the sample, from 0."""
    from grice.loops.background_loop import LoopIsRunning, loop_is_running

    if loop_is_running():
        raise LoopIsRunning("judges are asked synchronously, and an event loop runs here: ask from a thread")
    judges: dict[int, Judge] = {}
    found: list[Verdict | None] = [None] * len(asked)
    later: dict[int, AsyncVerdict] = {}

    def keep(place: int, verdict: Verdict) -> None:
        found[place] = verdict
        if tell is not None:
            _, item, number = asked[place]
            tell(item, number, verdict)

    try:
        for place, (matcher, item, number) in enumerate(asked):
            answer = _judge_item(judges.setdefault(number, _numbered(judge, number)), matcher, item)
            if isinstance(answer, AsyncVerdict):
                later[place] = answer
            else:
                keep(place, answer)
        if later:
            _run_all(iter(sorted(later)), later, keep, min(concurrency, len(later)))
    finally:
        for left in later.values():  # after Ctrl-C those that never began
            left.close()
    return [errored("nobody was asked") if one is None else one for one in found]


def _judge_item(judge: Judge, matcher: Matcher[Any], item: Item) -> Verdict | AsyncVerdict:
    """What the matcher says of the item, or what will become of it. Code of users runs here, on no loop."""
    seen = resolve_subject(item.subject, mode="soft")
    context = msgspec.structs.replace(seen.context, judge=judge)
    return judge_later(matcher, seen.subject, context)


def _run_all(
    places: Iterator[int],
    later: dict[int, AsyncVerdict],
    keep: Callable[[int, Verdict], None],
    concurrency: int,
) -> None:
    """Ask on Grice's loop, so many at once; the wait polls, so that Ctrl-C gets through."""
    from contextlib import suppress

    from grice.loops.background_loop import result_of, start

    wrong: list[BaseException] = []

    async def worker() -> None:
        import asyncio

        for place in places:
            try:
                async with asyncio.timeout(LONGEST):
                    verdict = await later.pop(place).run()
            except TimeoutError:
                verdict = errored(f"the judge gave no answer within {LONGEST:g} s")
            try:
                keep(place, verdict)
            except BaseException as error:  # handed over: some would end the loop
                wrong.append(error)
                raise _Stopped from None

    async def all_of_them() -> None:
        import asyncio

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(max(1, concurrency)):
                    group.create_task(worker())
        except* _Stopped:
            pass

    future = start(all_of_them())
    try:
        result_of(future, inf)
    except BaseException:
        future.cancel()
        with suppress(BaseException):
            future.result(timeout=1)
        raise
    if wrong:
        raise wrong[0]


class _Stopped(Exception):
    """Ends the other workers."""


def _numbered(judge: Judge, number: int) -> Judge:
    """The judge that asks once, as the sample of that number."""
    return Judge(
        None if judge.llm is None else _NumberedLLM(judge.llm, number),
        criteria=judge.criteria,
        temperature=judge.temperature,
        seed=judge.seed,
        max_tokens=judge.max_tokens,
        prompts=judge.prompts,
    )


class _NumberedLLM:
    """An LLM whose questions are the samples of one number."""

    def __init__(self, llm: BoundLLM, number: int) -> None:
        self._llm = llm
        self._number = number
        self.name, self.provider, self.model = llm.name, llm.provider, llm.model
        self.missing = missing_reason(llm)

    async def ask(self, request: LLMRequest) -> LLMResponse:
        """The LLM's answer."""
        seed = None if request.seed is None else request.seed + self._number
        return await self._llm.ask(msgspec.structs.replace(request, sample=self._number, seed=seed))
