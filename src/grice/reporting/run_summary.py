"""What the results of a run come to: completion, failure types, criteria, topics, repeats.

Rates are shares from 0 to 1, None where nothing was counted. Results that say nothing about the agent
(`counts` is false) and skipped ones are in no rate; they are counted apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from grice.records import Outcome, Result
from grice.reporting.judged_rates import JudgedCount, count_judged
from grice.reporting.text import CheckRow, check_rows, count_uncalibrated
from grice.reporting.topic_counts import TopicTally
from grice.running.journal.experiment import Experiment

__all__ = ["CheckCount", "RunSummary", "Share", "share", "was_resumed", "why_not_counted"]


@dataclass
class Share:
    """How many of how many."""

    passed: int = 0
    total: int = 0

    def add(self, passed: bool) -> None:
        """Count one more."""
        self.passed += passed
        self.total += 1

    @property
    def rate(self) -> float | None:
        """The share, None of nothing."""
        return share(self.passed, self.total)


def share(part: int, whole: int) -> float | None:
    """The part as a share of the whole, None of nothing."""
    return part / whole if whole else None


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
class RunSummary:
    """The sums over the results that were added."""

    results: int = 0
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    """Of all results."""
    completion: Share = field(default_factory=Share)
    failures: Counter[str] = field(default_factory=Counter)
    """Of those that count, by type of failure; `passed` are those without one."""
    sets: dict[str, Share] = field(default_factory=dict)
    """Completion by scenario set."""
    not_counted: list[tuple[str, str]] = field(default_factory=list)
    """Results that say nothing about the agent: key and why."""
    spoiled: Counter[str] = field(default_factory=Counter)
    soft: CheckCount = field(default_factory=CheckCount)
    hard: CheckCount = field(default_factory=CheckCount)
    criteria: dict[str, CheckCount] = field(default_factory=dict)
    """From both modes."""
    judged: dict[str, JudgedCount] = field(default_factory=dict)
    """What judges gave for criteria, from both modes."""
    uncalibrated: int = 0
    """Hard verdicts of judges whose agreement with people is not known."""
    conduct: dict[str, CheckCount] = field(default_factory=dict)
    """Of simulated users, by rule; of all results."""
    checks: Counter[CheckRow] = field(default_factory=Counter)
    turns: int = 0
    topics: int = 0
    topic_tally: TopicTally = field(default_factory=TopicTally)
    """Of all results."""
    attempts: dict[str, Share] = field(default_factory=dict)
    """By stable id, over the repeats that count."""
    keys: dict[str, str] = field(default_factory=dict)
    """The scenario's key by stable id."""

    @property
    def counted(self) -> int:
        """How many results are in the rates."""
        return self.completion.total

    @property
    def average_turns(self) -> float | None:
        """Turns a conversation, of those that count."""
        return share(self.turns, self.counted)

    @property
    def average_topics(self) -> float | None:
        """Different topics a conversation, of those that count."""
        return share(self.topics, self.counted)

    def add_all(self, results: Iterable[Result]) -> Iterator[Result]:
        """Add each result and give it back; afterwards what goes by name is sorted by it.

        Conversations that are held at once finish in any order.
        """
        for result in results:
            self.add(result)
            yield result
        self.sets = dict(sorted(self.sets.items()))
        self.criteria = dict(sorted(self.criteria.items()))
        self.judged = dict(sorted(self.judged.items()))
        self.conduct = dict(sorted(self.conduct.items()))

    def add(self, result: Result) -> None:
        """Count one more result."""
        self.results += 1
        self.outcomes[result.outcome] += 1
        self.topic_tally.add(result.conversation)
        if result.spoiled:
            self.spoiled[result.spoiled] += 1
        for verdict in result.conduct:
            rule = verdict.criterion or verdict.claim or verdict.matcher
            self.conduct.setdefault(rule, CheckCount()).outcomes[verdict.outcome.value] += 1
        if result.outcome is Outcome.SKIPPED:
            return
        if not result.counts:
            self.not_counted.append((result.key, why_not_counted(result)))
            return
        passed = result.outcome is Outcome.PASS
        self.completion.add(passed)
        self.failures["passed" if passed else result.failure] += 1
        self.sets.setdefault(result.set_name, Share()).add(passed)
        self.attempts.setdefault(result.id, Share()).add(passed)
        self.keys[result.id] = result.key
        self.turns += len(result.conversation.turns)
        self.topics += len({turn.topic for turn in result.conversation.turns} - {""})
        self._add_checks(result)

    def _add_checks(self, result: Result) -> None:
        for verdict in result.verdicts:
            counted = self.soft if verdict.mode == "soft" else self.hard
            counted.outcomes[verdict.outcome.value] += 1
        count_judged(self.judged, result.verdicts)
        self.uncalibrated += count_uncalibrated(result.verdicts)
        for row in check_rows(result.verdicts):
            self.checks[row] += 1
            if row.criterion:
                self.criteria.setdefault(row.criterion, CheckCount()).outcomes[row.outcome] += 1


def was_resumed(heads: Sequence[Experiment]) -> bool:
    """Whether the run was gone on with later; the heads of workers have the time of the run."""
    return any(head.timestamp != heads[0].timestamp for head in heads)


def why_not_counted(result: Result) -> str:
    """Why a result says nothing about the agent, in words."""
    for one in result.conversation.simulations:
        if one.termination in ("simulator_error", "budget"):
            return f"{one.termination}: {one.reason}" if one.reason else one.termination
    hard = [one for one in result.verdicts if one.mode == "hard"]
    broken = next((one for one in hard if one.outcome is Outcome.ERROR), None)
    if result.outcome is Outcome.ERROR and broken is not None:
        return f"{'a check broke' if broken.matcher else 'error'}: {broken.reason or broken.claim}"
    if result.spoiled:
        broke = {"helped": "helped it to pass", "hindered": "kept it from passing"}[result.spoiled]
        return f"the simulated user broke its rules and {broke}"
    return result.conversation.termination or result.failure
