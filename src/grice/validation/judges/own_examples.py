"""A criterion's own examples as its unit tests: each is judged by a judge that is shown only the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

import msgspec

from grice.judging.criterion import Criterion, Example
from grice.judging.judge import Judge
from grice.judging.voting import winner
from grice.matching.matcher import Matcher
from grice.matching.protocols import missing_reason
from grice.records import Outcome, Verdict
from grice.stats.agreement import cohen_kappa
from grice.stats.estimates import Estimate
from grice.stats.rates import Confusion
from grice.validation.examples import conversation_of
from grice.validation.judges.figures import confusion_of
from grice.validation.judges.items import Item, reply_key
from grice.validation.judges.judge_calls import ask_each, judged_named
from grice.validation.judges.recorded_answers import Identity, identity_of

Kind = Literal["good", "bad", "edge"]
KINDS: tuple[Kind, ...] = ("good", "bad", "edge")


class Trial(msgspec.Struct, frozen=True):
    """One example, number `number` (from 1) of its criterion, and what the judge says of it.

    `verdicts` are one a sample, `outcome` is what most of them say: inconclusive for a tie. `shown` is how
    many other examples the judge was shown.
    """

    number: int
    example: Example
    verdicts: tuple[Verdict, ...]
    outcome: Outcome
    shown: int = 0

    @property
    def right(self) -> bool:
        """Whether it is judged as its author did."""
        return self.outcome is (Outcome.PASS if self.example.verdict else Outcome.FAIL)

    @property
    def reason(self) -> str:
        """The reason of the first verdict that decided so."""
        same = [one.reason for one in self.verdicts if one.outcome is self.outcome and one.reason]
        if same:
            return same[0]
        votes = ", ".join(one.outcome.value for one in self.verdicts)
        return f"the votes are tied: {votes}" if len(self.verdicts) > 1 else ""


class CriterionMeasured(msgspec.Struct, frozen=True):
    """The results of a criterion on its own examples.

    An alarm is "does not meet the criterion". Examples that got no answer (`broken`), or neither yes nor no,
    are in none of the figures. `kappa_note` says why there is no kappa.
    """

    criterion: Criterion
    identity: Identity
    trials: tuple[Trial, ...]
    alarms: Confusion
    kappa: Estimate | None
    kappa_note: str = ""
    problems: tuple[str, ...] = ()

    @property
    def n(self) -> int:
        """How many examples there are."""
        return len(self.trials)

    @property
    def broken(self) -> list[Trial]:
        """The examples on which the judge broke."""
        return [one for one in self.trials if one.outcome is Outcome.ERROR]

    @property
    def wrong(self) -> list[Trial]:
        """The examples that are judged otherwise than by their author."""
        return [one for one in self.trials if not one.right and one.outcome is not Outcome.ERROR]

    @property
    def samples(self) -> int:
        """The number of answers for each example."""
        return max((len(one.verdicts) for one in self.trials), default=1)

    def of_kind(self, kind: Kind) -> tuple[int, int]:
        """How many examples of the kind are judged right, and how many there are."""
        own = [one for one in self.trials if one.example.kind == kind]
        return sum(one.right for one in own), len(own)


class CriteriaMeasured(msgspec.Struct, frozen=True):
    """All measured criteria, the names of those `without` examples, and what went wrong."""

    measured: tuple[CriterionMeasured, ...] = ()
    without: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether something was tried, and every example got an answer."""
        return bool(self.measured) and not self.problems and not any(one.broken for one in self.measured)

    @property
    def all_right(self) -> bool:
        """Whether every example is judged as its author did."""
        return all(not one.wrong and not one.broken for one in self.measured)


def measure_criteria(
    criteria: Iterable[Criterion],
    judge: Judge,
    *,
    samples: int = 1,
    concurrency: int = 20,
    progress: Callable[[int, int], None] | None = None,
) -> CriteriaMeasured:
    """Judge the examples of every criterion, all at the same time; code is asked once.

    The judge is shown the other examples of the criterion, less those with the very same reply: one that is
    shown the answer proves nothing. Without an LLM only criteria by code are tried.
    """
    given = list(criteria)
    tried = [one for one in given if one.examples]
    missing = missing_reason(judge.llm)
    unasked = [one.name for one in tried if not one.by_code] if missing else []
    tried = [one for one in tried if one.name not in unasked]
    asked: list[tuple[Matcher[Any], Item, int]] = []
    for one in tried:
        for place, example in enumerate(one.examples):
            matcher = judged_named(one.name, {one.name: _without(one, example)}).matcher
            item = Item(f"{one.name}:{place + 1}", conversation_of({"text": example.text}), text=example.text)
            asked += [(matcher, item, number) for number in range(1 if one.by_code else samples)]
    done = 0

    def tell(*_: object) -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(done, len(asked))

    verdicts = iter(ask_each(judge, asked, concurrency=concurrency, tell=tell))
    measured = []
    for one in tried:
        count = 1 if one.by_code else samples
        trials = [
            _trial(one, number, example, tuple(next(verdicts) for _ in range(count)))
            for number, example in enumerate(one.examples, 1)
        ]
        measured.append(_measured(one, judge, trials))
    problems = [_nobody(unasked, missing)] if unasked else []
    without = tuple(one.name for one in given if not one.examples)
    return CriteriaMeasured(tuple(measured), without, tuple(problems))


def _nobody(names: Sequence[str], missing: str) -> str:
    from grice.judging.judge import NO_JUDGE

    why = NO_JUDGE if missing == "no LLM is configured" else missing
    return f"{', '.join(names)}: {why}"


def _without(criterion: Criterion, example: Example) -> Criterion:
    """The criterion without that example, and without others of the same reply."""
    reply = reply_key(example.text)
    others = tuple(one for one in criterion.examples if reply_key(one.text) != reply)
    return msgspec.structs.replace(criterion, examples=others)


def _trial(criterion: Criterion, number: int, example: Example, verdicts: tuple[Verdict, ...]) -> Trial:
    shown = 0 if criterion.by_code else len(_without(criterion, example).examples)
    return Trial(number, example, verdicts, _outcome(verdicts), shown)


def _outcome(verdicts: Sequence[Verdict]) -> Outcome:
    """What most verdicts say; with errors among them only what these could not have changed."""
    votes = [None if one.outcome is Outcome.ERROR else one.outcome for one in verdicts]
    most = winner(votes)
    if most is not None:
        return most
    return Outcome.ERROR if None in votes else Outcome.INCONCLUSIVE


def _measured(criterion: Criterion, judge: Judge, trials: Sequence[Trial]) -> CriterionMeasured:
    decided = [one for one in trials if one.outcome in (Outcome.PASS, Outcome.FAIL)]
    judged = [one.outcome is Outcome.PASS for one in decided]
    right = [one.example.verdict for one in decided]
    replies = [reply_key(one.example.text) for one in decided]
    kappa = cohen_kappa(list(zip(judged, right, strict=True)), clusters=replies)
    if len(set(right)) < 2:
        kappa = None
    identity = identity_of(judged_named(criterion.name, {criterion.name: criterion}), judge)
    models = [one.judgement.model for trial in trials for one in trial.verdicts if one.judgement is not None]
    if models and not criterion.by_code:
        identity = msgspec.structs.replace(identity, model=max(models, key=models.count))
    return CriterionMeasured(
        criterion,
        identity,
        tuple(trials),
        confusion_of(judged, right),
        kappa,
        _kappa_note(right) if kappa is None else "",
        tuple(_twice(criterion.examples)),
    )


def _kappa_note(right: Sequence[bool]) -> str:
    if not right:
        return "kappa undefined: no example got an answer"
    word = "meet" if right[0] else "do not meet"
    return f"kappa undefined: all examples that got an answer are of one class (they {word} the criterion)"


def _twice(examples: Sequence[Example]) -> list[str]:
    """What is wrong with examples of the same reply."""
    first: dict[str, tuple[int, Example]] = {}
    found = []
    for number, one in enumerate(examples, 1):
        other, same = first.setdefault(reply_key(one.text), (number, one))
        if same is not one:
            both = "the same reply" if same.verdict == one.verdict else "the same reply with both verdicts"
            found.append(f"examples {other} and {number} are {both}")
    return found
