"""What the results of a run come to: completion, failure types, criteria, topics, repeats.

Rates are shares from 0 to 1, None where nothing was counted. Results that say nothing about the agent
(`counts` is false) and skipped ones are in no rate; they are counted apart.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import chain
from statistics import mean
from typing import TypeVar

import msgspec

from grice.experiments.aggregation.topic_counts import TopicTally
from grice.experiments.attempts import Attempt, CheckTally, attempt_of
from grice.experiments.check_rows import CheckRow
from grice.experiments.judge_tallies import JudgeTally
from grice.records import Outcome, Result, Standing
from grice.running.journal.experiment import Experiment
from grice.stats.correction import corrected_rate, why_uncorrectable
from grice.stats.estimates import Estimate
from grice.stats.rates import Share, share

UNCHECKED = "unchecked"

"""Among types of failure: what did not pass because nothing was checked."""


@lru_cache(maxsize=4096)
def _shared(passed: int, total: int) -> Share:
    """The one object for all that are equal: of thousands of scenarios most are 0 or 1 of 1."""
    return Share(passed, total)


@dataclass
class ScenarioShares:
    """The share of each scenario."""

    of: dict[str, Share] = field(default_factory=dict)
    """By stable id."""
    closed: Counter[Share] = field(default_factory=Counter)
    """How many others have which share: no more is known of those."""

    def __len__(self) -> int:
        return len(self.of) + self.closed.total()

    def __iter__(self) -> Iterator[Share]:
        return chain(self.of.values(), self.closed.elements())

    def close(self, id_: str) -> None:
        """Forget the id of a scenario of which nothing more comes."""
        one = self.of.pop(id_, None)
        if one is not None:
            self.closed[one] += 1


@dataclass
class CheckCount:
    """Outcomes of checks. `evaluated` are those that gave an answer: pass or fail."""

    outcomes: Counter[str] = field(default_factory=Counter)

    @property
    def passed(self) -> int:
        """How many hold."""
        return self.outcomes["pass"]

    @property
    def evaluated(self) -> int:
        """How many gave an answer."""
        return self.outcomes["pass"] + self.outcomes["fail"]

    @property
    def unanswered(self) -> int:
        """How many could not tell or broke."""
        return self.outcomes["inconclusive"] + self.outcomes["error"]

    @property
    def rate(self) -> float | None:
        """The share of answers that were pass."""
        return share(self.passed, self.evaluated)


@dataclass
class Efficiency:
    """What conversations cost, each that counts once; topics only of those that followed a graph."""

    turns: Counter[int] = field(default_factory=Counter)
    """How many conversations had so many turns."""
    topics: Counter[int] = field(default_factory=Counter)
    """How many had so many different topics."""
    returned: int = 0
    """Conversations that went back to a topic that they had left."""
    latencies: array[float] = field(default_factory=lambda: array("d"))
    """Seconds of each turn that was timed."""
    tokens: array[int] = field(default_factory=lambda: array("q"))
    """Tokens, in and out, of each turn that tells."""

    @property
    def all_turns(self) -> int:
        """The turns of all conversations."""
        return sum(self.turns.elements())

    @property
    def average_turns(self) -> float | None:
        """Turns a conversation."""
        return mean(self.turns.elements()) if self.turns else None

    @property
    def average_topics(self) -> float | None:
        """Different topics a conversation, of those that followed a graph."""
        return mean(self.topics.elements()) if self.topics else None

    @property
    def backtracking_rate(self) -> float | None:
        """The share of conversations with a graph that went back to a topic."""
        return share(self.returned, self.topics.total())

    def add(self, attempt: Attempt) -> None:
        """Count one more."""
        self.turns[attempt.turns] += 1
        self.latencies.extend(attempt.latencies)
        self.tokens.extend(attempt.tokens)
        if attempt.visits:
            self.topics[len(set(attempt.topics))] += 1
            self.returned += attempt.returned


@dataclass
class Summary:
    """The sums over the results that were added."""

    grouped: bool = False
    """Whether the results of a scenario come one after another.

    Then ids and keys stay only of scenarios that pass now and then or have claims: memory does not grow with
    the others.
    """
    last_id: str = ""
    """The stable id of the latest result, where they are grouped."""
    results: int = 0
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    """Of all results."""
    completion: Share = field(default_factory=Share)
    failures: Counter[str] = field(default_factory=Counter)
    """Of those that count, by type of failure; `passed` passed, and of `unchecked` nothing was checked."""
    unchecked: int = 0
    """Of those that count, how many have no hard check: nothing in them could fail."""
    by_word: int = 0
    """Of those that count, how many passed without any check recorded: their runner said so."""
    undecided: int = 0
    """Of those that count, in how many hard checks could not tell: they have not passed."""
    simulated: int = 0
    """Of those that count, in how many a user was played."""
    not_counted: list[tuple[str, str]] = field(default_factory=list)
    """Results that say nothing about the agent: key and why."""
    spoiled: Counter[str] = field(default_factory=Counter)
    soft: CheckCount = field(default_factory=CheckCount)
    hard: CheckCount = field(default_factory=CheckCount)
    criteria: dict[str, CheckCount] = field(default_factory=dict)
    """From both modes."""
    soft_of: ScenarioShares = field(default_factory=ScenarioShares)
    """Soft checks that gave an answer."""
    criteria_of: dict[str, ScenarioShares] = field(default_factory=dict)
    """The answers for each criterion."""
    layers: dict[int, CheckCount] = field(default_factory=dict)
    """By layer, from both modes; checks of no layer are in none."""
    judged: dict[str, JudgedCount] = field(default_factory=dict)
    """What judges gave for criteria, from both modes."""
    uncalibrated: int = 0
    """Hard verdicts of judges whose agreement with people is not known."""
    softened: int = 0
    """Checks of bundles that are soft because of the first look of their rule."""
    trivially_true: int = 0
    """Verdicts that pass whatever was said, hard and soft."""
    unresolved: int = 0
    """Verdicts that rest on a path that resolved nothing, hard and soft."""
    conduct: dict[str, CheckCount] = field(default_factory=dict)
    """Of simulated users, by rule; of all results."""
    checks: Counter[CheckRow] = field(default_factory=Counter)
    claims: dict[str, Share] = field(default_factory=dict)
    """Claims by type, and how many of them are grounded."""
    claims_of: dict[str, Share] = field(default_factory=dict)
    """The same by stable id, of scenarios that have any."""
    efficiency: Efficiency = field(default_factory=Efficiency)
    topic_tally: TopicTally = field(default_factory=TopicTally)
    """Of all results."""
    attempts: ScenarioShares = field(default_factory=ScenarioShares)
    """Completion over the repeats that count."""
    personas: dict[str, ScenarioShares] = field(default_factory=dict)
    """The same by the persona that was played."""
    repeats: dict[int, Share] = field(default_factory=dict)
    """Completion by repeat."""
    soft_repeats: dict[int, Share] = field(default_factory=dict)
    """Soft checks that gave an answer, by repeat."""
    keys: dict[str, str] = field(default_factory=dict)
    """The scenario's key by stable id."""
    set_name: str = ""
    """The scenario set of the first result, "" for none."""
    apart: dict[str, Summary] = field(default_factory=dict)
    """The same by scenario set, where there are several."""

    @property
    def sets(self) -> Mapping[str, Summary]:
        """The same by scenario set, "" for results of none; the only set has this summary."""
        return self.apart or ({self.set_name: self} if self.results else {})

    @property
    def counted(self) -> int:
        """How many results are in the rates."""
        return self.completion.total

    @property
    def never_checked(self) -> bool:
        """Whether completion says nothing: conversations count, and none of them has a hard check."""
        return self.unchecked == self.counted > 0

    @property
    def completion_rate(self) -> float | None:
        """The share of conversations that passed; None where none counts, and where none was checked."""
        return None if self.never_checked else self.completion.rate

    @property
    def by_chance(self) -> bool:
        """Whether another run may well give other rates: something was repeated, or a user was played.

        Only then a rate has an interval: of scripted tests run once it would say nothing.
        """
        return self.simulated > 0 or any(one.total > 1 for one in self.attempts)

    def add(self, attempt: Attempt) -> None:
        """Count one more, alone and in its set."""
        if self.grouped and attempt.id != self.last_id:
            self._close(self.last_id)
            self.last_id = attempt.id
        name = attempt.set_name
        if not self.results:
            self.set_name = name
        elif name != self.set_name and not self.apart:
            self.apart = {self.set_name: deepcopy(self)}
        self._count(attempt)
        if self.apart:
            _made(self.apart, name, partial(Summary, grouped=self.grouped)).add(attempt)

    def sort(self) -> None:
        """Sort what goes by name: conversations that are held at once finish in any order."""
        for name in _BY_NAME:
            setattr(self, name, dict(sorted(getattr(self, name).items())))
        for one in self.apart.values():
            one.sort()

    def _close(self, id_: str) -> None:
        """Keep no more of a scenario, of which no result comes any more, than is told of it by name."""
        for shares in (self.soft_of, *self.criteria_of.values(), *self.personas.values()):
            shares.close(id_)
        wavers = id_ in self.attempts.of and self.attempts.of[id_].wavers
        if not wavers:
            self.attempts.close(id_)
        if not wavers and id_ not in self.claims_of:
            self.keys.pop(id_, None)

    def _count(self, attempt: Attempt) -> None:
        self.results += 1
        self.outcomes[attempt.outcome] += 1
        self.keys.setdefault(attempt.id, attempt.key)
        self.topic_tally.add(attempt.visits)
        self.topic_tally.add_graph(attempt.followed)
        if attempt.spoiled:
            self.spoiled[attempt.spoiled] += 1
        for tally in attempt.conduct:
            _made(self.conduct, tally.criterion, CheckCount).outcomes[tally.outcome] += tally.times
        if attempt.counted:
            self._count_completion(attempt)
            self._count_checks(attempt)
        elif attempt.outcome is not Outcome.SKIPPED:
            self.not_counted.append((attempt.key, attempt.why))

    def _count_completion(self, attempt: Attempt) -> None:
        passed = int(attempt.passed)
        self.completion = Share(self.completion.passed + passed, self.completion.total + 1)
        self.failures["passed" if passed else _kind_of_failure(attempt)] += 1
        self.unchecked += attempt.unchecked
        self.simulated += attempt.simulated
        self.by_word += attempt.passed and not attempt.checks
        self.undecided += attempt.outcome is Outcome.INCONCLUSIVE and not attempt.unchecked
        _add(self.attempts.of, attempt.id, passed, 1)
        if attempt.persona:
            _add(_made(self.personas, attempt.persona, ScenarioShares).of, attempt.id, passed, 1)
        _add(self.repeats, attempt.repeat, passed, 1)
        self.efficiency.add(attempt)

    def _count_checks(self, attempt: Attempt) -> None:
        self.uncalibrated += attempt.uncalibrated
        self.softened += attempt.softened
        self.trivially_true += attempt.trivially_true
        self.unresolved += attempt.unresolved
        for given in attempt.by_judges:
            _made(self.judged, given.criterion, JudgedCount).add(given)
        for tally in attempt.checks:
            counted = self.soft if tally.mode == "soft" else self.hard
            counted.outcomes[tally.outcome] += tally.times
            self.checks[tally.row] += tally.times
            if tally.mode == "soft":
                _add_answers(self.soft_of.of, attempt.id, tally)
                _add_answers(self.soft_repeats, attempt.repeat, tally)
            if tally.criterion:
                _made(self.criteria, tally.criterion, CheckCount).outcomes[tally.outcome] += tally.times
                _add_answers(_made(self.criteria_of, tally.criterion, ScenarioShares).of, attempt.id, tally)
            if tally.layer is not None:
                _made(self.layers, tally.layer, CheckCount).outcomes[tally.outcome] += tally.times
        for kind, (grounded, total) in attempt.claims.items():
            _add(self.claims, kind, grounded, total)
            _add(self.claims_of, attempt.id, grounded, total)


def summed(attempts: Iterable[Attempt], *, grouped: bool = False) -> Summary:
    """What the attempts come to; `grouped` says that those of a scenario come one after another."""
    summary = Summary(grouped=grouped)
    for attempt in attempts:
        summary.add(attempt)
    summary.sort()
    return summary


def summed_by(summary: Summary, results: Iterable[Result]) -> Iterator[Result]:
    """Give each result on, its attempt added to the summary, which is whole and sorted after the last.

    So a report of any size shows results and sums them in one go, and keeps neither them nor attempts.
    """
    for result in results:
        summary.add(attempt_of(result))
        yield result
    summary.sort()


def worst_grounded(summary: Summary, most: int = 5) -> list[tuple[str, Share]]:
    """The keys of the scenarios with the highest rates of claims without a source, at most so many.

    Those with every claim grounded are not among them.
    """
    found = [(id_, one) for id_, one in summary.claims_of.items() if one.passed < one.total]
    found.sort(key=lambda pair: (pair[1].rate, -pair[1].total, pair[0]))
    return [(summary.keys[id_], one) for id_, one in found[:most]]


def _kind_of_failure(attempt: Attempt) -> str:
    """The type of its failure, where it has none its outcome, or that nothing was checked."""
    if attempt.failure != "none":
        return attempt.failure
    return UNCHECKED if attempt.unchecked else attempt.outcome.value


_BY_NAME = (
    "criteria",
    "layers",
    "judged",
    "conduct",
    "claims",
    "personas",
    "repeats",
    "soft_repeats",
    "apart",
)

K = TypeVar("K")

V = TypeVar("V")


def _made(found: dict[K, V], key: K, make: Callable[[], V]) -> V:
    """What stands there, made where nothing does: nothing is made in vain, of thousands of attempts."""
    there = found.get(key)
    if there is None:
        there = found[key] = make()
    return there


def _add(shares: dict[K, Share], key: K, passed: int, total: int) -> None:
    """Count so many of so many more."""
    before = shares.get(key)
    shares[key] = (
        _shared(passed, total) if before is None else _shared(before.passed + passed, before.total + total)
    )


def _add_answers(shares: dict[K, Share], key: K, tally: CheckTally) -> None:
    """Add the checks where they gave an answer."""
    if tally.outcome in ("pass", "fail"):
        _add(shares, key, tally.times if tally.outcome == "pass" else 0, tally.times)


def was_resumed(heads: Sequence[Experiment]) -> bool:
    """Whether the run was gone on with later; the heads of workers have the time of the run."""
    return any(head.timestamp != heads[0].timestamp for head in heads)


class CorrectedRate(msgspec.Struct, frozen=True):
    """The pass rate that people would have given, as far as the card of the judge tells.

    `passed` of `n` is what the judge gave. `estimate` is None where that cannot be corrected, and `problem`
    says why. The judged conversations count as independent of each other.
    """

    passed: int
    n: int
    card: str
    estimate: Estimate | None = None
    problem: str = ""


@dataclass
class JudgedCount:
    """What one judge gave for one criterion; `standings` are the different ones that it had."""

    passed: int = 0
    n: int = 0
    others: int = 0
    """Answers for the criterion that no judge with a card gave."""
    standing: Standing | None = None
    is_mixed: bool = False

    def add(self, tally: JudgeTally) -> None:
        """Count the answers of one more attempt."""
        if tally.standing is None:
            self.others += tally.n
            return
        self.is_mixed = self.is_mixed or (self.standing is not None and tally.standing != self.standing)
        self.standing = tally.standing
        self.n += tally.n
        self.passed += tally.passed

    @property
    def corrected(self) -> CorrectedRate | None:
        """The corrected rate; None where no judge with a card answered, or more than one."""
        one = self.standing
        if one is None or self.is_mixed or self.others:
            return None
        sensitivity = one.passed_right, one.passed_right + one.passed_wrong
        specificity = one.failed_right, one.failed_right + one.failed_wrong
        errors = {"sensitivity": sensitivity, "specificity": specificity}
        estimate = corrected_rate(self.passed, self.n, **errors)
        problem = "" if estimate is not None else why_uncorrectable(self.passed, self.n, **errors) or ""
        return CorrectedRate(self.passed, self.n, one.card, estimate, problem)
