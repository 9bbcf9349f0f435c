"""The sums of a run as JSON. Rates are shares from 0 to 1, null of nothing; intervals are those of 95 %."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import mean, median

import msgspec

from grice.experiments.aggregation.matcher_use import matcher_use, python_matcher
from grice.experiments.aggregation.repeats import RunRates, repeat_rows, run_rates, wavering
from grice.experiments.aggregation.summary import CheckCount, Efficiency, Summary
from grice.records import JsonValue, Outcome
from grice.running.journal.experiment import Experiment
from grice.stats.agreement import rate_of_clusters
from grice.stats.estimates import Estimate
from grice.stats.percentiles import percentile
from grice.stats.rates import Share, share

_OUTCOMES = ("pass", "fail", "inconclusive", "error", "skipped")


def summary_json(summary: Summary, head: Experiment) -> dict[str, JsonValue]:
    """Everything that a run comes to; `head` is its latest one."""
    return {
        "summary": _totals(summary, head.planned),
        "criteria_results": criteria_json(summary),
        "corrected_results": {
            name: msgspec.to_builtins(rate)
            for name, count in summary.judged.items()
            if (rate := count.corrected) is not None
        },
        "uncalibrated_verdicts": summary.uncalibrated,
        "softened_verdicts": summary.softened,
        "trivially_true_verdicts": summary.trivially_true,
        "unresolved_verdicts": summary.unresolved,
        "persona_results": _personas(summary),
        "layer_results": counts_json({str(layer): count for layer, count in summary.layers.items()}),
        "conduct_results": counts_json(summary.conduct),
        "grounding_results": grounding_json(summary),
        "efficiency_results": efficiency_json(summary.efficiency),
        "topic_results": _topics(summary, head),
        "matcher_results": matchers_json(summary),
        "set_results": sets_json(summary),
        "run_results": runs_json(summary),
        "repeat_results": repeats_json(summary),
    }


def _totals(summary: Summary, planned: int | None) -> dict[str, JsonValue]:
    """`total_scenarios` are those that count: `passed` and `failed` together.

    `unchecked` of them have no hard check; where that is all of them the completion rate is null.
    """
    completion = summary.completion
    return {
        "total_scenarios": completion.total,
        "passed": completion.passed,
        "failed": completion.total - completion.passed,
        "completion_rate": summary.completion_rate,
        "completion_interval": completion_interval_json(summary),
        "evaluation_rate": summary.soft.rate,
        "evaluation_interval": interval_json(rate_of_clusters(list(summary.soft_of))),
        "evaluations_passed": summary.soft.passed,
        "evaluations": summary.soft.evaluated,
        "evaluations_unanswered": summary.soft.unanswered,
        "avg_turns": summary.efficiency.average_turns,
        "avg_topics": summary.efficiency.average_topics,
        "failure_types": dict(summary.failures),
        "outcomes": {outcome.value: count for outcome, count in summary.outcomes.items()},
        "unchecked": summary.unchecked,
        "not_counted": len(summary.not_counted),
        "skipped": summary.outcomes[Outcome.SKIPPED],
        "spoiled": dict(summary.spoiled),
        "finished": summary.results,
        "planned": planned,
    }


def _topics(summary: Summary, head: Experiment) -> dict[str, JsonValue]:
    tally = summary.topic_tally
    return {
        "visits": {name: tally.visits[name] for name in tally.names(head.topic_graph)},
        "transitions": [
            {"from": one.start, "to": one.end, "count": one.times, "legal": one.legal}
            for one in tally.moves(head.topic_graph)
        ],
    }


def interval_json(found: Estimate | None) -> JsonValue:
    """The interval as `{"low": 0.65, "high": 0.88}`."""
    return None if found is None else {"low": found.low, "high": found.high}


def completion_interval_json(summary: Summary) -> JsonValue:
    """The interval of completion; null where nothing counts or was checked."""
    return None if summary.never_checked else interval_json(rate_of_clusters(list(summary.attempts)))


def counts_json(counts: Mapping[str, CheckCount]) -> dict[str, JsonValue]:
    """The rate of each with its denominator, which are the checks that gave an answer."""
    return {name: _count(count) for name, count in counts.items()}


def _count(count: CheckCount) -> dict[str, JsonValue]:
    return {
        "evaluated": count.evaluated,
        "passed": count.passed,
        "rate": count.rate,
        "inconclusive": count.outcomes["inconclusive"],
        "error": count.outcomes["error"],
    }


def criteria_json(summary: Summary) -> dict[str, JsonValue]:
    """The rate of each criterion with its interval, in which scenarios are clusters."""
    return {
        name: {
            **_count(count),
            "interval": interval_json(rate_of_clusters(list(summary.criteria_of.get(name, ())))),
        }
        for name, count in summary.criteria.items()
    }


def _personas(summary: Summary) -> dict[str, JsonValue]:
    """How many conversations passed with each persona, with an interval in which scenarios are clusters."""
    return {
        name: {
            "total": sum(one.total for one in of),
            "passed": sum(one.passed for one in of),
            "interval": interval_json(rate_of_clusters(list(of))),
        }
        for name, of in summary.personas.items()
    }


def grounding_json(summary: Summary) -> dict[str, JsonValue]:
    """Claims and how many of them have a source, by type and by scenario."""
    by_scenario: dict[str, JsonValue] = {
        id_: {"id": summary.keys[id_], **_grounded(one)} for id_, one in sorted(summary.claims_of.items())
    }
    return {
        "by_claim_type": {kind: _grounded(one) for kind, one in summary.claims.items()},
        "by_scenario": by_scenario,
    }


def _grounded(one: Share) -> dict[str, JsonValue]:
    return {"evaluated": one.total, "grounded": one.passed, "rate": one.rate}


def efficiency_json(found: Efficiency) -> dict[str, JsonValue]:
    """Turns and topics of the conversations that count, the share that went back, and what turns took.

    Percentiles are by nearest rank, over the `n` of all `turns` that tell their seconds or tokens.
    """
    return {
        "turns": _spread(found.turns),
        "topics": _spread(found.topics),
        "backtracked": found.returned,
        "backtracking_rate": found.backtracking_rate,
        "seconds_a_turn": _a_turn(found.latencies, found.all_turns),
        "tokens_a_turn": _a_turn(found.tokens, found.all_turns),
    }


def _a_turn(values: Sequence[float], turns: int) -> JsonValue:
    if not values:
        return None
    return {"n": len(values), "turns": turns, "p50": percentile(values, 50), "p95": percentile(values, 95)}


def _spread(values: Counter[int]) -> JsonValue:
    if not values:
        return None
    return {
        "n": values.total(),
        "mean": mean(values.elements()),
        "median": median(values.elements()),
        "min": min(values),
        "max": max(values),
    }


def matchers_json(summary: Summary) -> list[JsonValue]:
    """How often each matcher was used in each mode, and what came of it."""
    return [
        {
            "matcher": one.matcher,
            "type": python_matcher(one.matcher) or None,
            "mode": one.mode,
            "used": one.times,
            **{outcome: one.outcomes[outcome] for outcome in _OUTCOMES},
        }
        for one in matcher_use(summary.checks)
    ]


def sets_json(summary: Summary) -> dict[str, JsonValue]:
    """The combined view of each scenario set, under "" for conversations of none."""
    return {name: _set(one) for name, one in summary.sets.items()}


def _set(one: Summary) -> dict[str, JsonValue]:
    return {
        "scenarios": len(one.attempts),
        "total": one.completion.total,
        "passed": one.completion.passed,
        "completion_rate": one.completion_rate,
        "completion_interval": completion_interval_json(one),
        "unchecked": one.unchecked,
        "evaluations": one.soft.evaluated,
        "evaluations_passed": one.soft.passed,
        "evaluation_rate": one.soft.rate,
        "criteria_results": criteria_json(one),
        "avg_turns": one.efficiency.average_turns,
        "avg_topics": one.efficiency.average_topics,
        "backtracking_rate": one.efficiency.backtracking_rate,
        "not_counted": len(one.not_counted),
    }


def runs_json(summary: Summary) -> dict[str, JsonValue]:
    """Both rates over the runs, of which each is one repeat of all scenarios; null of fewer than two."""
    return {
        "completion_rate": None if summary.never_checked else _runs(run_rates(summary.repeats)),
        "evaluation_rate": _runs(run_rates(summary.soft_repeats)),
    }


def _runs(rates: RunRates | None) -> JsonValue:
    if rates is None:
        return None
    return {
        "runs": [
            {"run": number, "passed": one.passed, "total": one.total, "rate": one.rate}
            for number, one in rates.runs.items()
        ],
        "mean": rates.mean,
        "standard_deviation": rates.deviation,
    }


def repeats_json(summary: Summary) -> dict[str, JsonValue]:
    """pass@k and pass^k, and the scenarios that pass now and then; no rows where nothing was checked."""
    rows = [] if summary.never_checked else repeat_rows(list(summary.attempts))
    repeated = sum(one.total > 1 for one in summary.attempts)
    found = wavering(summary.attempts.of)
    return {
        "pass_k": [
            {
                "k": row.k,
                "scenarios": row.scenarios,
                "pass_at_k": row.at_least_one.value,
                "pass_at_k_interval": interval_json(row.at_least_one),
                "pass_hat_k": row.all.value,
                "pass_hat_k_interval": interval_json(row.all),
            }
            for row in rows
        ],
        "repeated_scenarios": repeated,
        "flaky_rate": share(len(found), repeated),
        "flaky_scenarios": [
            {"id": summary.keys[id_], "stable_id": id_, "passed": one.passed, "total": one.total}
            for id_, one in found.items()
        ],
    }
