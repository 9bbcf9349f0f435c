"""Whether the same judges were asked the same on both sides: criterion by criterion, scenario by scenario."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from grice.experiments.asked import Judging
from grice.experiments.comparison.configuration import Configuration
from grice.experiments.comparison.counting import count_of
from grice.experiments.comparison.criteria import listed
from grice.experiments.comparison.judged import Judged, JudgedBy, judged_otherwise
from grice.experiments.comparison.pairing import Pair
from grice.experiments.comparison.records import Aspect, Grade

__all__ = ["judge_aspects"]

_JUDGE = "Judge LLM"


def judge_aspects(before: Configuration, after: Configuration, pairs: Sequence[Pair]) -> Iterator[Aspect]:
    """The grades of judges: their models, their prompts, and what is known of them."""
    asked = bool(before.judge_prompts), bool(after.judge_prompts)
    if not any(asked):
        yield Aspect(_JUDGE, "same", "no judge was asked")
        return
    decides = sorted(before.judged_hard | after.judged_hard)
    and_hard = f"; it decides hard checks: {listed(decides)}" if decides else ""
    models = judged_otherwise(pairs, _model_of(before), _model_of(after), by_nobody=True)
    if not all(asked):
        side = "baseline" if asked[0] else "current"
        grade: Grade = "weakens" if any(one.mostly_other for one in models.values()) else "flagged"
        yield Aspect(_JUDGE, grade, f"only the {side} asked one{and_hard}")
        return
    yield _models(before.judges, after.judges, models, and_hard)
    prompts = judged_otherwise(pairs, _prompt, _prompt)
    yield _prompts(before.judge_prompts, after.judge_prompts, prompts, and_hard)
    if before.uncalibrated or after.uncalibrated:
        yield Aspect(
            "Judge calibration",
            "flagged",
            "how often the judge agrees with people is not known of "
            f"{count_of(before.uncalibrated, 'hard verdict')}, now {after.uncalibrated}",
        )


def _model_of(side: Configuration) -> JudgedBy:
    """The model that answered; where no answer of the side says which, the one that was declared."""
    declared = next(iter(side.judges)) if side.judges_declared and len(side.judges) == 1 else ""
    return lambda how: how.model or declared


def _prompt(how: Judging) -> str:
    return f"{how.prompt} {how.version}"


def _models(
    before: frozenset[str], after: frozenset[str], found: Mapping[str, Judged], and_hard: str
) -> Aspect:
    if not before or not after:
        return Aspect(_JUDGE, "flagged", f"cannot be told: its model was not recorded{and_hard}")
    changed = f"{listed(before)}, now {listed(after)}" if before != after else ""
    if (changed and not found) or any(one.mostly_other for one in found.values()):
        told = changed or f"{_another(found)} judged {_where(found)}"
        return Aspect(_JUDGE, "weakens", f"{told}{and_hard}")
    if any(one.other for one in found.values()):
        return Aspect(_JUDGE, "flagged", f"{_another(found)} judged {_where(found)}{and_hard}")
    unknown = {name: (one.unknown, one.compared) for name, one in found.items() if one.unknown}
    if unknown:
        told = f"cannot be told: its model was not recorded of {_counted(unknown)}"
        return Aspect(_JUDGE, "flagged", f"{told}{and_hard}")
    return Aspect(
        _JUDGE, "same", "identical where both asked one" if changed else f"identical: {listed(after)}"
    )


def _another(found: Mapping[str, Judged]) -> str:
    return "another model, or none," if any(one.by_nobody for one in found.values()) else "another model"


def _prompts(
    before: frozenset[str], after: frozenset[str], found: Mapping[str, Judged], and_hard: str
) -> Aspect:
    name = "Judge prompts"
    changed = f"only one side has {listed(before ^ after)}" if before != after else ""
    if (changed and not found) or any(one.mostly_other for one in found.values()):
        told = changed or f"another version judged {_where(found)}"
        return Aspect(name, "weakens", f"{told}{and_hard}")
    if any(one.other for one in found.values()):
        return Aspect(name, "flagged", f"another version judged {_where(found)}{and_hard}")
    return Aspect(name, "same", "the same versions where both asked" if changed else "the same versions")


def _where(found: Mapping[str, Judged]) -> str:
    return _counted({name: (one.other, one.compared) for name, one in found.items() if one.other})


def _counted(found: Mapping[str, tuple[int, int]]) -> str:
    """`polite in 25 of 40 scenarios, short in 3 of 40`."""
    return listed(f"{name} in {count} of {count_of(of, 'scenario')}" for name, (count, of) in found.items())
