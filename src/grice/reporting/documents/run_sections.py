"""Sections of the report of a run: completion, soft checks, sources of claims, repeats, topics, matchers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from statistics import mean, median

from grice.experiments.aggregation.matcher_use import matcher_use, python_matcher
from grice.experiments.aggregation.repeats import RunRates, repeat_rows, run_rates, wavering
from grice.experiments.aggregation.summary import (
    UNCHECKED,
    CheckCount,
    Efficiency,
    Summary,
    worst_grounded,
)
from grice.records import Outcome
from grice.reporting.document import Align, Figure, Graph, Line, Note, Part, Section, Table, lines
from grice.reporting.figures_text import counted_rate, percent, range_text
from grice.reporting.graph_drawing import drawn_graph
from grice.reporting.text import hollow_count_lines, reason_text, softened_lines, uncalibrated_lines
from grice.running.journal.experiment import Experiment
from grice.stats.agreement import rate_of_clusters
from grice.stats.percentiles import percentile
from grice.stats.rates import Share, share
from grice.text import plural, shorten

_SHOWN = 20
_RUNS, _MATCHERS, _NAMED = 10, 10, 5
_LONGEST_NAME = 120
_LONGEST_REASON = 400
_OUTCOMES = {
    "pass": "Passed",
    "fail": "Failed",
    "inconclusive": "Inconclusive",
    "error": "Error",
    "skipped": "Skipped",
}


def run_sections(heads: Sequence[Experiment], summary: Summary, *, verbose: bool) -> Iterator[Section]:
    """A section for each question that a run answers; those that there is nothing for are empty."""
    yield Section("Completion (hard expectations)", tuple(_completion(summary)), folded=False)
    count = f"Not counted, as they say nothing about the agent: {len(summary.not_counted):,}"
    yield Section(count, tuple(_not_counted(summary)))
    yield Section("Quality (soft evaluations)", tuple(_quality(summary)), folded=False)
    yield _criteria(summary)
    yield Section("Personas", tuple(_personas(summary)), folded=False)
    of = plural(len(summary.claims_of), "scenario")
    yield Section(f"Grounding Analysis (n={of} with claims)", tuple(_grounding(summary)))
    size = _size(summary, unit=True)
    yield Section(f"Efficiency Metrics ({size})", tuple(_efficiency(summary.efficiency)))
    yield from _sets(summary, verbose=verbose)
    yield from _variance(summary, heads[0].id, verbose=verbose)
    yield Section("Repeats", tuple(_repeats(summary, verbose=verbose)))
    conduct = "Conduct of the simulated users (no part of completion)"
    yield Section(conduct, tuple(_conduct(summary)))
    yield Section("Topics", tuple(_topics(heads[-1], summary)))
    yield Section("Matchers", tuple(_matchers(summary)))


def named(names: Sequence[str], most: int | None) -> str:
    """The first names, and how many more there are: `a, b and 3 more`."""
    shown = ", ".join(names[:most])
    return f"{shown} and {len(names) - most:,} more" if most is not None and len(names) > most else shown


def _figure(name: str, share: Share, summary: Summary, scenarios: Iterable[Share], word: str = "") -> Figure:
    """A rate, with its interval where another run may give another one."""
    sure = rate_of_clusters(list(scenarios)) if summary.by_chance else None
    low, high = (None, None) if sure is None else (sure.low, sure.high)
    return Figure(name, share.passed, share.total, low, high, word)


def _completed(name: str, summary: Summary, word: str = "") -> Figure:
    share = Share() if summary.never_checked else summary.completion
    return _figure(name, share, summary, summary.attempts, word)


def _completion(summary: Summary) -> Iterator[Part]:
    """How many conversations passed, how sure that rate is, and why the others did not."""
    total, names = summary.completion.total, [name for name in summary.sets if name]
    if len(names) == 1 == len(summary.sets):
        yield Line(f"Scenario Set: {_name(names[0])} ({_size(summary)})")
    elif total:
        yield Line(_totals(summary))
    yield _completed("Completion Rate", summary)
    if total:
        yield from map(Note, _caveats(summary))
    else:
        yield Note("no conversation counts: see below", "bad")
    hollow = hollow_count_lines(summary.trivially_true, summary.unresolved)
    yield from map(
        Note, (*uncalibrated_lines(summary.uncalibrated), *softened_lines(summary.softened), *hollow)
    )
    if summary.completion.passed < total and not summary.never_checked:
        kinds = sorted(summary.failures.items(), key=lambda one: (one[0] != "passed", -one[1]))
        said = [f"{_name(kind)}: {count:,} ({percent(count / total)})" for kind, count in kinds]
        yield Line("By failure type:", under=lines(said, bullet=True))
    yield from _averages(summary)
    if skipped := summary.outcomes[Outcome.SKIPPED]:
        yield Line(f"Skipped: {skipped:,}")


def _totals(summary: Summary) -> str:
    scenarios, total, passed = len(summary.attempts), summary.completion.total, summary.completion.passed
    what = f"Scenarios: {total:,} total"
    if scenarios != total:
        what = f"Conversations: {total:,} total ({scenarios:,} scenarios)"
    if summary.never_checked:
        return what
    unsaid = summary.failures[UNCHECKED]
    failed = f"{total - passed - unsaid:,} failed"
    return f"{what}, {passed:,} passed, {failed}{f', {unsaid:,} unchecked' if unsaid else ''}"


def _caveats(summary: Summary) -> Iterator[str]:
    """What a reader of the rate has to know: what could not fail, or was not seen; what could not be told."""
    if summary.never_checked:
        yield "completion was never checked: no conversation has a hard check (expect)"
        return
    for number, said in (
        (summary.unchecked, "{} without a hard check: nothing there can fail"),
        (summary.by_word, "{} passed by the word of their runner: no check was recorded"),
        (summary.undecided, "in {} hard checks could not tell, which counts as not passed"),
    ):
        if number:
            yield said.format(f"{number:,} of {plural(summary.counted, 'conversation')}")


def _averages(summary: Summary) -> Iterator[Line]:
    found = summary.efficiency
    for name, average in (("turns", found.average_turns), ("topics", found.average_topics)):
        if average is not None:
            yield Line(f"Avg {name}: {average:.1f}")


def _size(summary: Summary, *, unit: bool = False) -> str:
    """`n=47`, or `n=47 scenarios` with `unit`; with repeats `n=47 scenarios, 141 conversations`."""
    scenarios, conversations = len(summary.attempts), summary.completion.total
    if scenarios != conversations:
        return f"n={plural(scenarios, 'scenario')}, {plural(conversations, 'conversation')}"
    return f"n={plural(scenarios, 'scenario')}" if unit else f"n={scenarios:,}"


def _not_counted(summary: Summary) -> Iterator[Part]:
    """What says nothing about the agent, with the reasons."""
    reasons: dict[str, list[str]] = {}
    for key, why in summary.not_counted:
        reasons.setdefault(shorten(reason_text(why), _LONGEST_REASON), []).append(_name(key))
    for why, keys in list(reasons.items())[:_SHOWN]:
        names = Line(named(list(dict.fromkeys(keys)), _NAMED), "faint")
        yield Line(f"{plural(len(keys), 'conversation')}: {why}", under=(names,))
    if len(reasons) > _SHOWN:
        yield Line(f"and {len(reasons) - _SHOWN} more reasons")


def _quality(summary: Summary) -> Iterator[Part]:
    """How many soft evaluations passed, of those that gave an answer."""
    soft = summary.soft
    if soft.evaluated or soft.unanswered:
        yield Line(f"Total Evaluations: {soft.evaluated + soft.unanswered:,}")
        rate = Share(soft.passed, soft.evaluated)
        yield _figure("Evaluation Rate", rate, summary, summary.soft_of)
    if soft.unanswered:
        yield Line(f"without an answer: {_unanswered(soft)}", "warn")


def _unanswered(count: CheckCount) -> str:
    kinds = ("inconclusive", "error")
    return ", ".join(f"{count.outcomes[kind]:,} {kind}" for kind in kinds if count.outcomes[kind])


def _criteria(summary: Summary) -> Section:
    """The rate of each criterion with its denominator, and corrected where it can be."""
    answers = sum(count.evaluated for count in summary.criteria.values())
    title = f"Criteria Performance ({_size(summary, unit=True)}, {plural(answers, 'evaluation')})"
    if not summary.criteria:
        return Section(title, ())
    intervals = None
    if summary.by_chance:
        found = (summary.criteria_of.get(name, ()) for name in summary.criteria)
        intervals = [range_text(rate_of_clusters(list(shares))) for shares in found]
    note = "Note: Criteria evaluated varies by scenario structure; hard expectations count too"
    corrected = Section(
        "Corrected by the error of the judge (95 % interval):",
        lines(list(_corrected(summary)), bullet=True),
        quiet=True,
    )
    table = _counts("Criterion", summary.criteria, intervals)
    return Section(title, (table, Line(note, "faint"), corrected), folded=False)


def _personas(summary: Summary) -> Iterator[Part]:
    """How many conversations passed with each persona that was played, the worst first."""
    if not summary.personas or summary.never_checked:
        return
    totals = {name: _total(of) for name, of in summary.personas.items()}
    rows = tuple(
        (
            _name(name),
            f"{one.total:,}",
            f"{one.passed:,}",
            percent(one.rate),
            *([range_text(rate_of_clusters(list(summary.personas[name])))] if summary.by_chance else []),
        )
        for name, one in sorted(totals.items(), key=lambda pair: (pair[1].rate, -pair[1].total, pair[0]))
    )
    headers = (
        "Persona",
        "Conversations",
        "Passed",
        "Rate",
        *(["95 % interval"] if summary.by_chance else []),
    )
    align: tuple[Align, ...] = ("left", "right", "right", "right")
    yield Table(headers, rows, align, spare=(4,) if summary.by_chance else (), first=_SHOWN)
    named_ones, every = _total(totals.values()), summary.completion
    if named_ones.total < every.total:
        rest = Share(every.passed - named_ones.passed, every.total - named_ones.total)
        yield Line(f"Without a persona: {counted_rate(rest)}", "faint")


def _total(shares: Iterable[Share]) -> Share:
    found = list(shares)
    return Share(sum(one.passed for one in found), sum(one.total for one in found))


def _counts(title: str, rows: Mapping[str, CheckCount], intervals: Sequence[str] | None = None) -> Table:
    unanswered = any(count.unanswered or not count.evaluated for count in rows.values())
    more = [["No answer"] if unanswered else [], ["95 % interval"] if intervals else []]
    return Table(
        (title, "Evaluated", "Passed", "Rate", *more[0], *more[1]),
        tuple(
            (
                _name(name),
                f"{count.evaluated:,}",
                f"{count.passed:,}",
                percent(count.rate),
                *([_no_answer(count)] if unanswered else []),
                *([intervals[place]] if intervals else []),
            )
            for place, (name, count) in enumerate(rows.items())
        ),
        ("left", "right", "right", "right"),
        spare=(4 + len(more[0]),) if intervals else (),
    )


def _no_answer(count: CheckCount) -> str:
    """Which checks gave none; those that were skipped where there is nothing else."""
    return _unanswered(count) or ("-" if count.evaluated else f"{count.outcomes['skipped']:,} skipped")


def _corrected(summary: Summary) -> Iterator[str]:
    """A line a criterion: the rate that the judge gave, and the one that people would have given."""
    for name, count in summary.judged.items():
        one = count.corrected
        if one is None:
            continue
        said = f"not corrected: {one.problem}"
        if one.estimate is not None:
            said = f"{percent(one.estimate.value)} corrected ({range_text(one.estimate)})"
        yield f"{_name(name)}: {percent(one.passed / one.n)} judged, {said}, {one.card}"


def _grounding(summary: Summary) -> Iterator[Part]:
    """How many claims have a source, by type, and where the fewest have one."""
    if not summary.claims:
        return
    yield Table(
        ("Claim Type", "Evaluated", "Grounded", "Rate"),
        tuple(
            (_name(kind), f"{one.total:,}", f"{one.passed:,}", percent(one.rate))
            for kind, one in summary.claims.items()
        ),
        ("left", "right", "right", "right"),
    )
    worst = [
        f"{_name(key)}: {percent(share(one.total - one.passed, one.total))} ungrounded "
        f"({one.total - one.passed:,}/{one.total:,})"
        for key, one in worst_grounded(summary)
    ]
    if worst:
        yield Line("Scenarios with highest ungrounded claim rates:", under=lines(worst, bullet=True))


def _efficiency(found: Efficiency) -> Iterator[Part]:
    """How long the conversations were, and what their turns took.

    Where all are as long and none followed a graph the average stands under completion already.
    """
    if len(found.turns) > 1 or found.topics:
        yield _spread("Turns to Completion:", found.turns)
    if found.topics:
        yield _spread("Topics Visited:", found.topics)
        yield Line(f"Backtracking Rate: {counted_rate(Share(found.returned, found.topics.total()))}")
    yield from lines(list(_a_turn(found)))


def _spread(title: str, values: Counter[int]) -> Line:
    figures = (
        f"Mean: {mean(values.elements()):.1f}",
        f"Median: {median(values.elements()):g}",
        f"Range: {min(values)}-{max(values)}",
    )
    return Line(title, under=lines(figures))


def _a_turn(found: Efficiency) -> Iterator[str]:
    """The 50th and 95th percentile, by nearest rank, of seconds and tokens a turn, where turns tell them."""
    told: tuple[tuple[str, Sequence[float], Callable[[float], str]], ...] = (
        ("Seconds", found.latencies, _seconds),
        ("Tokens", found.tokens, lambda value: f"{value:,.0f}"),
    )
    turns = found.all_turns
    for name, values, text in told:
        if values:
            p50, p95 = (text(percentile(values, rank)) for rank in (50, 95))
            part = f"{len(values):,} of " if len(values) < turns else ""
            yield f"{name} a turn: p50 {p50}, p95 {p95} ({part}{plural(turns, 'turn')})"


def _seconds(value: float) -> str:
    return "under 0.01" if value < 0.01 else f"{value:,.2f}" if value < 10 else f"{value:,.1f}"


def _sets(summary: Summary, *, verbose: bool) -> Iterator[Section]:
    """The combined view of each scenario set, where there are several."""
    if len(summary.sets) < 2:
        return
    sets = list(summary.sets.items())
    for name, one in sets if verbose else sets[:_SHOWN]:
        completion: tuple[Part, ...] = (_completed("Rate", one, "passed"), *map(Note, _caveats(one)))
        averages: tuple[Part, ...] = tuple(_averages(one)) if one.efficiency.turns else ()
        parts = (
            Section("COMPLETION (hard expectations)", completion, quiet=True),
            Section("QUALITY (soft evaluations)", tuple(_set_quality(one)), quiet=True),
            Section("EFFICIENCY", averages, quiet=True),
        )
        title = _name(name) if name else "(no set)"
        yield Section(f"Scenario Set Summary: {title} ({_size(one)})", parts)
    if len(sets) > _SHOWN and not verbose:
        yield Section("", (Line(f"and {len(sets) - _SHOWN} more sets; --verbose shows all"),), folded=False)


def _set_quality(summary: Summary) -> Iterator[Part]:
    soft = Share(summary.soft.passed, summary.soft.evaluated)
    if soft.total:
        yield Line(f"Overall: {counted_rate(soft, 'evaluations passed')}")
    if summary.criteria:
        rows = tuple(
            (_name(name), counted_rate(Share(one.passed, one.evaluated)))
            for name, one in summary.criteria.items()
        )
        yield Section("By criterion:", (Table((), rows),), quiet=True)


def _variance(summary: Summary, id_: str, *, verbose: bool) -> Iterator[Section]:
    """The rate of each run of the experiment, their mean and standard deviation."""
    completion = None if summary.never_checked else run_rates(summary.repeats)
    of = f" of {id_}"
    for title, rates in (
        ("Completion Rate", completion),
        ("Evaluation Rate", run_rates(summary.soft_repeats)),
    ):
        if rates is None:
            continue
        parts: list[Part] = list(_runs(rates, verbose=verbose))
        if rates is completion and len({one.total for one in rates.runs.values()}) > 1:
            note = "Note: not every scenario counts in every run, which sets them apart too"
            parts.append(Line(note, "faint"))
        yield Section(f"{title} ({len(rates.runs)} runs{of})", tuple(parts))
        of = ""


def _runs(rates: RunRates, *, verbose: bool) -> Iterator[Part]:
    runs = list(rates.runs.items())
    for number, one in runs if verbose else runs[:_RUNS]:
        yield Line(f"Run {number}: {counted_rate(one)}")
    if len(runs) > _RUNS and not verbose:
        yield Line(f"and {len(runs) - _RUNS} more runs; --verbose shows all")
    yield Line(f"Mean: {percent(rates.mean)}")
    yield Line(f"StdDev: {rates.deviation * 100:.1f}pp")


def _repeats(summary: Summary, *, verbose: bool) -> Iterator[Part]:
    """pass@k and pass^k, and the scenarios that pass now and then."""
    rows = repeat_rows(list(summary.attempts))
    if not rows or summary.never_checked:
        return
    yield Table(
        ("k", "Scenarios", "pass@k", "95 % interval", "pass^k", "95 % interval"),
        tuple(
            (
                str(row.k),
                f"{row.scenarios:,}",
                percent(row.at_least_one.value),
                range_text(row.at_least_one),
                percent(row.all.value),
                range_text(row.all),
            )
            for row in rows
        ),
        ("right",) * 6,
    )
    yield Line("pass@k: at least one of k attempts passes. pass^k: all k do.", "faint")
    found = wavering(summary.attempts.of)
    repeated = sum(one.total > 1 for one in summary.attempts)
    names = [f"{_name(summary.keys[id_])} {one.passed}/{one.total}" for id_, one in found.items()]
    under = lines([named(names, None if verbose else _SHOWN)]) if names else ()
    yield Line(f"Pass now and then: {len(found):,} of {plural(repeated, 'scenario')}", under=under)


def _conduct(summary: Summary) -> Iterator[Part]:
    """Which of their rules the simulated users kept, and how many conversations they spoiled."""
    if summary.conduct:
        yield _counts("Rule", summary.conduct)
    for what in ("helped", "hindered"):
        if number := summary.spoiled[what]:
            yield Line(f"{plural(number, 'conversation')}: the user {what} the agent")


def _topics(head: Experiment, summary: Summary) -> Iterator[Part]:
    """The topics with their visits, and the moves that stand out; nothing where no graph was followed."""
    graph = drawn_graph(head.topic_graph, summary.topic_tally)
    if not graph.topics:
        return
    yield Graph(graph)
    untaken = [f"{_name(one.start)} > {_name(one.end)}" for one in graph.edges if one.legal and not one.times]
    if untaken:
        yield Line(f"never taken: {', '.join(untaken)}", "warn")
    for one in graph.edges:
        if not one.legal:
            move = f"{_name(one.start)} > {_name(one.end)}"
            yield Line(f"not in the graph: {move}, {plural(one.times, 'time')}", "bad")


def _matchers(summary: Summary) -> Iterator[Table]:
    """How often each matcher was used, hard and soft, and what came of it."""
    rows = matcher_use(summary.checks)
    kinds = [kind for kind in _OUTCOMES if any(row.outcomes[kind] for row in rows)]
    if rows:
        yield Table(
            ("Matcher", "Mode", "Used", *(_OUTCOMES[kind] for kind in kinds)),
            tuple(
                (
                    _name(python_matcher(row.matcher)) or "(no matcher)",
                    row.mode,
                    f"{row.times:,}",
                    *(f"{row.outcomes[kind]:,}" for kind in kinds),
                )
                for row in rows
            ),
            ("left", "left", *("right",) * (len(kinds) + 1)),  # type: ignore[arg-type]
            first=_MATCHERS,
        )


def _name(text: str) -> str:
    return shorten(text, _LONGEST_NAME)
