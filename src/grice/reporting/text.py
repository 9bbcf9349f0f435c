"""Results as plain text: verdict lines, and a failed result as a bug report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from grice.experiments.check_rows import CheckRow
from grice.matching.failure import claim_line, headline, shown_reason
from grice.matching.judge_standing import is_advisory
from grice.matching.judged_by import ADVISORY, UNCALIBRATED, agreement_text, judges_of
from grice.matching.verdicts import TRIVIALLY_TRUE, only_case_differs
from grice.records import Outcome, Result, Verdict
from grice.reporting.layout import transcript_rows
from grice.text import shorten, visible

WIDTH = 100


def _verdict_line(verdict: Verdict, width: int, *, turns: bool) -> str:
    soft = _SOFT if verdict.mode == "soft" else ""
    return f"{f'{soft}{verdict.outcome}':<{width}}{turn_text(verdict) if turns else ''}{claim_text(verdict)}"


_SOFT = "soft "
_OUTCOME = len("inconclusive ")


def turn_text(verdict: Verdict) -> str:
    """`turn 2: `, to stand before the claim of a verdict on that turn; "" for others."""
    return f"turn {verdict.turn}: " if verdict.turn else ""


def claim_text(verdict: Verdict) -> str:
    """The claim on one line, with its score, how far the LLM that judged agrees with people, and
    whether it is trivially true."""
    score = "" if verdict.score is None else f" (score {verdict.score:g})"
    trivial = [TRIVIALLY_TRUE] if verdict.trivially_true else []
    marks = "".join(f" [{mark}]" for mark in (*trivial, *judge_marks(verdict)))
    return f"{claim_line(verdict)}{score}{marks}"


def judge_marks(verdict: Verdict) -> list[str]:
    """What stands beside a verdict of an LLM: that it only advises, and its agreement with people."""
    marks = [ADVISORY] if is_advisory(verdict) and verdict.mode == "soft" else []
    if verdict.uncalibrated:
        return [*marks, UNCALIBRATED]
    judgement = verdict.judgement
    agreement = agreement_text(judgement.standing) if judgement is not None else ""
    return [*marks, agreement] if agreement else marks


def verdict_lines(verdicts: Iterable[Verdict], *, turns: bool = False) -> list[str]:
    """Every verdict with its claim; its reason, and which LLM judged, under it when it did not pass.

    Soft ones are named; those that say the same are one, with their number. `turns` has each name its turn,
    for where no transcript stands above.
    """
    verdicts = tuple(verdicts)
    width = _OUTCOME + (len(_SOFT) if any(one.mode == "soft" for one in verdicts) else 0)
    alike = Counter(
        (_verdict_line(verdict, width, turns=turns), *(f"    {line}" for line in reason_lines(verdict)))
        for verdict in verdicts
    )
    return [line for found, count in alike.items() for line in (f"{found[0]}{times(count)}", *found[1:])]


def times(count: int) -> str:
    """What stands behind a finding that was made so often: ` (3 times)`, "" for one."""
    return f" ({count:,} times)" if count > 1 else ""


def reason_lines(verdict: Verdict) -> list[str]:
    """Why a verdict did not pass, cut when it is long, and which LLM judged; nothing for one that passed."""
    if verdict.outcome is Outcome.PASS:
        return []
    return [*(shown_reason(verdict.reason) if verdict.reason else ()), *judge_lines(verdict)]


def judge_lines(verdict: Verdict) -> list[str]:
    """A line for each LLM that judged, without `uncalibrated` where `judge_marks` say it of the verdict."""
    told = judges_of(verdict)
    return [one.removesuffix(f", {UNCALIBRATED}") for one in told] if verdict.uncalibrated else told


def result_text(result: Result) -> str:
    """A result as a bug report: the headline, the transcript with the turn marked, every verdict.

    Verdicts that did not pass stand before those that did, hard ones before soft ones.
    """
    parts = [failed_first(result)]
    if result.conversation.turns:
        rows = transcript_rows(result.conversation.turns, marked=marked_turn(result.verdicts), width=WIDTH)
        parts.append("\n".join(rows))
    if not result.verdicts:
        parts.append("  nothing was checked")
    parts.append("\n".join(f"  {line}" for line in verdict_lines(sorted(result.verdicts, key=told_first))))
    return "\n\n".join(parts)


def failed_first(result: Result) -> str:
    """What of a result failed first, on one line: the claim of the hard verdict that decided, and why."""
    notable = [verdict for verdict in result.verdicts if _stands_out(verdict)]
    decided = [verdict for verdict in notable if verdict.outcome is result.outcome]
    broken = next(iter(decided or notable), None)
    said = headline(broken) if broken is not None else ""
    if broken is None or (broken.outcome is not result.outcome):
        return f"{result.outcome}: {said}" if said else str(result.outcome)
    return said


def told_first(verdict: Verdict) -> int:
    """A key that sorts what did not pass before what did, and hard before soft."""
    return 2 if verdict.outcome in (Outcome.PASS, Outcome.SKIPPED) else int(verdict.mode == "soft")


def fixed_address_lines(addresses: Iterable[str]) -> list[str]:
    """What a summary says of conversations whose model had a fixed address, one address each."""
    return [
        f"the model's address {address} is fixed: {count} conversation{'' if count == 1 else 's'} driven one "
        "at a time"
        for address, count in sorted(Counter(addresses).items())
    ]


class Hollow(NamedTuple):
    """A verdict that says less than it seems to; `where` names its test, golden or scenario.

    It is trivially true, and `why` says so, rests on a path that resolved nothing, or did not find what
    stands there in another case, and `why` says what.
    """

    where: str
    mode: str
    outcome: str
    claim: str
    why: str
    kind: Literal["trivial", "unresolved", "case"]


def hollow_verdicts(where: str, verdicts: Iterable[Verdict]) -> Iterator[Hollow]:
    """Those that are trivially true, rest on a path that resolved nothing, or missed another case."""
    for one in verdicts:
        if one.trivially_true or one.unresolved:
            why = one.reason if one.trivially_true else ""
            kind: Literal["trivial", "unresolved"] = "trivial" if one.trivially_true else "unresolved"
            yield Hollow(where, one.mode, one.outcome.value, one.claim, why, kind)
        elif only_case_differs(one):
            yield Hollow(where, one.mode, one.outcome.value, one.claim, one.reason, "case")


def hollow_lines(found: Sequence[Hollow]) -> list[str]:
    """What a summary says of verdicts that say less than they seem to.

    Hard ones that passed are named before all others, up to 20: nobody sees those elsewhere.
    """
    return [
        line
        for kind, (one_does, several_do) in _KINDS.items()
        for line in _named(one_does, several_do, [one for one in found if one.kind == kind])
    ]


def _named(one_does: str, several_do: str, found: Sequence[Hollow]) -> list[str]:
    if not found:
        return []
    hard = [one for one in found if one.mode == "hard" and one.outcome == "pass"]
    others = [one for one in found if one not in hard]
    several = len(found) > 1
    line = f"{len(found)} verdicts {several_do}" if several else f"1 verdict {one_does}"
    if hard:
        which = f"{len(hard)} of them a hard pass" if several else "a hard pass"
        line = f"{line}, {which}"
    named = hard[:_NAMED_HARD] + others[: max(0, _NAMED - len(hard))]
    lines = [f"{line}:"]
    for one in named:
        said = f"{one.claim}: {one.why}" if one.why else one.claim
        claim = shorten(visible(said, newlines=False), _LONGEST_CLAIM)
        lines.append(f"  {visible(one.where, newlines=False)}: {one.mode} {one.outcome}: {claim}")
    rest = len(found) - len(named)
    return [*lines, f"  and {rest} more"] if rest else lines


_NAMED = 3
_NAMED_HARD = 20
_LONGEST_CLAIM = 200


def only_lines(scenarios: Iterable[tuple[str, str]]) -> list[str]:
    """What a summary says of files in which `run_mode: ONLY` was left in.

    Scenarios are given as file and why they were left out, "" for those that were run.
    """
    files: dict[str, list[str]] = {}
    for file, reason in scenarios:
        files.setdefault(file, []).append(reason)
    return [
        f"{visible(file, newlines=False)}: run_mode ONLY is set, {sum(map(bool, reasons))} of its "
        f"{len(reasons)} scenarios were left out"
        for file, reasons in files.items()
        if any(reason.endswith(_BY_ONLY) for reason in reasons)
    ]


_BY_ONLY = "has run_mode ONLY"  # as grice.running.suite.left_out ends it


def soft_only_lines(count: int) -> list[str]:
    """What a summary says of scenarios that passed and have soft verdicts only."""
    if not count:
        return []
    return [f"{count} scenario{' has' if count == 1 else 's have'} soft checks only: nothing there can fail"]


def unchecked_lines(names: Sequence[str]) -> list[str]:
    """What a summary says of tests that speak to the agent and check nothing; up to 20 are named."""
    if not names:
        return []
    one, several = "1 test speaks to the agent and makes", f"{len(names)} tests speak to the agent and make"
    whose = one if len(names) == 1 else several
    rest = len(names) - _NAMED_HARD
    return [
        f"{whose} no check that can be seen:",
        *(f"  {visible(name, newlines=False)}" for name in names[:_NAMED_HARD]),
        *([f"  and {rest} more"] if rest > 0 else []),
    ]


def broken_check_lines(rows: Iterable[CheckRow]) -> list[str]:
    """A line for each criterion, and each soft matcher, whose checks gave nothing but errors.

    Nothing was judged by those; hard checks without a criterion have failed their tests already.
    """
    outcomes: dict[str, set[str]] = {}
    for row in rows:
        if row.criterion:
            outcomes.setdefault(f"every check of the criterion {row.criterion!r}", set()).add(row.outcome)
        elif row.mode == "soft" and row.matcher:
            outcomes.setdefault(f"every soft check of {row.matcher}", set()).add(row.outcome)
    return [
        f"{visible(what, newlines=False)} ended in an error: nothing was judged by it"
        for what, found in outcomes.items()
        if found == {"error"}
    ]


def hollow_count_lines(trivially_true: int, unresolved: int) -> list[str]:
    """What a report says of so many of them."""
    counts = ((unresolved, *_UNRESOLVED), (trivially_true, *_TRIVIAL))
    return [
        f"1 verdict {one_does}" if count == 1 else f"{count:,} verdicts {several_do}"
        for count, one_does, several_do in counts
        if count
    ]


_UNRESOLVED = "rests on a path that resolved nothing", "rest on a path that resolved nothing"
_TRIVIAL = f"is {TRIVIALLY_TRUE}", f"are {TRIVIALLY_TRUE}"
_KINDS = {
    "unresolved": _UNRESOLVED,
    "trivial": _TRIVIAL,
    "case": ("passes only because case counts", "pass only because case counts"),
}


def softened_lines(count: int) -> list[str]:
    """What a summary says of so many checks that the first look of their rule makes soft."""
    if not count:
        return []
    what = "1 check of a bundle is" if count == 1 else f"{count:,} checks of bundles are"
    return [f"{what} soft: the rule was right in less than 9 of 10 at its first look, or had none"]


def uncalibrated_lines(count: int) -> list[str]:
    """What a summary says of so many of them."""
    if not count:
        return []
    what = "1 hard verdict is" if count == 1 else f"{count} hard verdicts are"
    return [f"{what} by an LLM that nobody has compared with people's judgement ({UNCALIBRATED})"]


def marked_turn(verdicts: Iterable[Verdict]) -> int | None:
    """The turn that a report marks: that of the first verdict that did not pass, hard before soft."""
    notable = [one for one in verdicts if one.outcome not in (Outcome.PASS, Outcome.SKIPPED) and one.turn]
    notable.sort(key=lambda verdict: verdict.mode == "soft")
    return notable[0].turn if notable else None


def _stands_out(verdict: Verdict) -> bool:
    return verdict.mode == "hard" and verdict.outcome not in (Outcome.PASS, Outcome.SKIPPED)


def reason_text(reason: str) -> str:
    """The reason on one line: its lines with a blank between them, anything that could act as an escape."""
    lines = (line.strip() for line in reason.split("\n"))
    return visible(" ".join(filter(None, lines)), newlines=False)
