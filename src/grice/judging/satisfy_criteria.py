"""The matcher `satisfy`: a reply or conversation meets criteria, judged by an LLM or by code."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, count
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeVar

import msgspec
from msgspec import Meta

from grice.judging.answer_schemas import CriterionAnswer, GradedAnswer
from grice.judging.criterion import Criterion, is_name
from grice.judging.deciding import judge_of, score_verdict, vote_verdict
from grice.judging.delimiting import Data, Piece
from grice.judging.judge import Judge, SampleCount
from grice.judging.material import Material, material_of
from grice.judging.question import Question
from grice.matching.context import Context
from grice.matching.matcher import ArgumentError, Matcher, MatcherFactory, matcher
from grice.matching.subjects import Speech
from grice.matching.verdicts import settled, verdict_of
from grice.records import (
    Conversation,
    Outcome,
    Turn,
    Verdict,
    clean_text,
    errored,
    fold_all,
    fold_any,
    inconclusive,
)
from grice.records.verdict import Mode
from grice.text import did_you_mean, shorten, value_text, visible

CriterionLike = Annotated[
    Criterion | str | Callable[[Any], bool | Verdict] | Sequence[Any],
    Meta(description="a criterion, its name, a text, a function or (name, function)"),
]
"""What `satisfy` takes: a criterion, a name, a text, a function, (name, function), or a list of these."""

T = TypeVar("T", CriterionAnswer, GradedAnswer)

BY_CODE, BY_LLM = 1, 3
MAX_NAME = 120
MAX_WORDS = 500
_DEFAULT_ANCHORS = (
    (5, "meets it fully."),
    (4, "meets it, with a small flaw."),
    (3, "meets it in part."),
    (2, "mostly fails it."),
    (1, "fails it entirely, or does the opposite."),
)


class _Code(NamedTuple):
    """A function given in the place of a criterion, and what it is called."""

    name: str
    function: Callable[[Any], object]


class _NamedPart(NamedTuple):
    """A criterion that is given by its name."""

    name: str


_Form = Criterion | _Code | _NamedPart
_Later = Callable[[], Coroutine[Any, Any, Verdict]]


# -- what is given


def _forms(given: object) -> Iterator[_Form]:
    """The criteria that are given, lists flattened. Raises ArgumentError."""
    if isinstance(given, Criterion):
        yield given
    elif isinstance(given, str):
        yield _of_text(given)
    elif isinstance(given, tuple) and len(given) == 2 and isinstance(given[0], str) and callable(given[1]):
        if not is_name(given[0]):
            raise ArgumentError(
                f"a function is named with letters, digits, _ and -, found {value_text(given[0])}"
            )
        yield _Code(given[0], given[1])
    elif isinstance(given, list | tuple):
        for one in given:
            yield from _forms(one)
    elif isinstance(given, Matcher | MatcherFactory):
        name = given.factory.python_name if isinstance(given, Matcher) else given.python_name
        raise ArgumentError(f"{name} is a matcher, no criterion: give it to .to(...)")
    elif callable(given) and not isinstance(given, type):
        yield _Code(_name_of(given), given)
    else:
        raise ArgumentError(
            "expected a criterion, its name, a text, a function or (name, function), "
            f"found {value_text(given)}"
        )


def _of_text(text: str) -> _Form:
    stripped = clean_text(text.strip())
    if is_name(stripped):
        return _NamedPart(stripped)
    if not stripped:
        raise ArgumentError("a criterion is said in words, found an empty text")
    if stripped.isascii() and not re.search(r"\s", stripped):
        raise ArgumentError(
            f"{value_text(text)} is neither the name of a criterion (letters, digits, _ and -) nor a sentence"
        )
    return Criterion(shorten(" ".join(stripped.split()), MAX_NAME), stripped)


def _name_of(function: Any) -> str:
    while hasattr(function, "func"):  # functools.partial
        function = function.func
    name = str(getattr(function, "__name__", type(function).__name__))
    if name != "<lambda>":
        return name
    code = function.__code__
    return f"lambda at {Path(code.co_filename).name}:{code.co_firstlineno}"


# -- words and arguments


def _describe(*criteria: CriterionLike, samples: int | None = None) -> str:
    names = [_form_text(form) for form in _forms(list(criteria))]
    return shorten(f"satisfy {', '.join(names)}", MAX_WORDS)


def _form_text(form: _Form) -> str:
    """A criterion as a message names it: a text of its own stands in quotes."""
    shown = shorten(visible(form.name, newlines=False), MAX_NAME)
    return f"'{shown}'" if isinstance(form, Criterion) and not is_name(form.name) else shown


def _check(*criteria: CriterionLike, **_: object) -> None:
    if not list(_forms(list(criteria))):
        raise ArgumentError("no criterion is given")


_SCHEMA: Mapping[str, Any] = {
    "anyOf": [
        {"type": "string", "minLength": 1},
        {"type": "array", "items": {"type": "string", "minLength": 1}, "minItems": 1},
    ]
}


# -- judging


@matcher("toSatisfy", describe=_describe, check=_check, schema=_SCHEMA, layer=3, judged=True)
def satisfy(
    subject: Speech | Conversation, ctx: Context, *criteria: CriterionLike, samples: SampleCount | None = None
) -> Verdict | Coroutine[Any, Any, Verdict]:
    """The reply, or the whole conversation, meets every one of the criteria.

    Given are criteria, names of criteria that the test knows, texts with white space in them, functions of
    what is judged (a Turn, Conversation or text), pairs (name, function), and lists of these; one that is
    given twice is judged once. All are evaluated: those of code in the caller's thread, the others by the
    judge at the same time, `samples` times each. The verdict has a part for each; the negation of several
    passes where none of them is met. A name that is not known
    and code that raises are an `error`; for the judge a reply without text and tool calls is `inconclusive`.
    """
    material = material_of(subject, ctx)
    known = ctx.judge.criteria if isinstance(ctx.judge, Judge) else None
    forms = [_resolved(form, known) for form in _forms(list(criteria))]
    parts: list[Verdict | _Later] = []
    for name, form in _distinct(forms):
        part = form if isinstance(form, Verdict) else _part(form, subject, material, ctx, samples)
        parts.append(_with_name(part, name) if isinstance(part, Verdict) else part)
    if all(isinstance(part, Verdict) for part in parts):
        return _folded([part for part in parts if isinstance(part, Verdict)], ctx)
    return _judged(parts, ctx)


def _with_name(part: Verdict, name: str, layer: int = BY_CODE) -> Verdict:
    """The verdict as that of a criterion, judged on that layer unless it says otherwise."""
    layer = layer if part.layer is None else part.layer
    return msgspec.structs.replace(part, criterion=name, layer=layer, reason=clean_text(part.reason))


async def _judged(parts: Sequence[Verdict | _Later], ctx: Context) -> Verdict:
    return _folded(await settled(parts), ctx)


def _resolved(form: _Form, known: Mapping[str, Criterion] | None) -> tuple[str, Criterion | _Code | Verdict]:
    if not isinstance(form, _NamedPart):
        return form.name, form
    if known is None:
        said = f"the criterion {form.name!r} is given by name, but no criteria are known here"
        return form.name, errored(f"{said}; text that is to be judged itself has more than one word")
    if form.name in known:
        return form.name, known[form.name]
    hint = did_you_mean(form.name, known)
    listed = f"known are {', '.join(sorted(known))}" if known else "no criteria are known here"
    return form.name, errored(f"unknown criterion {form.name!r}{hint}: {shorten(listed, MAX_WORDS)}")


def _distinct(
    forms: Sequence[tuple[str, Criterion | _Code | Verdict]],
) -> Iterator[tuple[str, Criterion | _Code | Verdict]]:
    """Each of them once. Functions of one name are numbered; criteria of one name are an error."""
    seen: dict[str, Criterion | _Code | Verdict] = {}
    for name, form in forms:
        if form in seen.values():
            continue
        known = name
        if isinstance(form, _Code):
            numbered = (f"{name} ({number})" for number in count(2))
            known = next(filter(lambda one: one not in seen, chain([name], numbered)))
        elif name in seen:
            form = errored(f"two different criteria are named {name!r}: rename one of them")
        seen[known] = form
        yield known, form


def _part(
    form: Criterion | _Code, subject: object, material: Material, ctx: Context, samples: int | None
) -> Verdict | _Later:
    if isinstance(form, _Code):
        return verdict_of(form.name, form.function, _record(subject, material))
    code: Callable[[Any], object] | None = form.check or form.check_messages
    if code is not None:
        record = material.record
        if record is None:
            return errored(f"the criterion {form.name!r} looks at a conversation, and a bare text has none")
        return verdict_of(form.name, code, record if form.check is not None else record.messages)
    if material.idle:
        return _with_name(inconclusive("there is neither text nor a tool call to look at"), form.name, BY_LLM)
    judge = judge_of(ctx)
    if isinstance(judge, Verdict):
        return _with_name(judge, form.name, BY_LLM)
    return partial(_by_judge, judge, form, material, samples)


def _record(subject: object, material: Material) -> str | Turn | Conversation:
    """What a function is given: the frozen record of what is judged."""
    if material.record is None:
        return material.bare
    if not isinstance(subject, Conversation):
        return material.turns[-1]
    if material.since > 1:
        return msgspec.structs.replace(subject, turns=material.judged)
    return subject


async def _by_judge(judge: Judge, criterion: Criterion, material: Material, samples: int | None) -> Verdict:
    if criterion.at_least is not None:
        graded = await judge.ask(criterion_question(criterion, material, GradedAnswer), samples=samples)
        verdict = score_verdict(
            graded,
            criterion.at_least,
            lambda answer: answer.score,
            lambda answer: answer.reasoning,
            lambda answer: (material.evidence(answer.quote),),
        )
    else:
        asked = await judge.ask(criterion_question(criterion, material, CriterionAnswer), samples=samples)
        verdict = vote_verdict(
            asked,
            lambda answer: Outcome.PASS if answer.satisfied else Outcome.FAIL,
            lambda answer: answer.reasoning,
            lambda answer: (material.evidence(answer.quote),),
        )
    return _with_name(verdict, criterion.name, BY_LLM)


def criterion_question(criterion: Criterion, material: Material, answer: type[T]) -> Question[T]:
    """The question whether, or how well, the material meets the criterion."""
    values: dict[str, Sequence[Piece]] = {
        "material": material.pieces(),
        "name": [f'"{criterion.name}"'],
        "criterion": [criterion.text],
        "examples": _examples(criterion),
    }
    if criterion.at_least is None:
        return Question(
            "criterion", "criterion", answer, values, criterion.name, fingerprint=criterion.fingerprint
        )
    anchors = criterion.anchors or _DEFAULT_ANCHORS
    values["anchors"] = [f"{score}: {words}" for score, words in sorted(anchors, reverse=True)]
    return Question(
        "criterion_graded", "criterion", answer, values, criterion.name, fingerprint=criterion.fingerprint
    )


def _examples(criterion: Criterion) -> list[Piece]:
    """The examples of a criterion, each reply as data and its verdict as the author's word."""
    if not criterion.examples:
        return []
    pieces: list[Piece] = ["Replies that its author judged already, as examples; they are not to be judged:"]
    for number, one in enumerate(criterion.examples, 1):
        verdict = "meets the criterion" if one.verdict else "does not meet the criterion"
        case = ", a borderline case" if one.kind == "edge" else ""
        pieces += [
            Data(visible(one.text), f'example="{number}"'),
            f"Example {number} {verdict}{case}: {one.explanation}",
        ]
    return pieces


def _folded(parts: Sequence[Verdict], ctx: Context) -> Verdict:
    """The verdict on all of them, where it is to be negated on any; a single one is the verdict itself.

    Those of advisory judges are soft, and change nothing unless there are no others.
    """
    if len(parts) == 1:
        return parts[0]
    hard = [part for part in parts if part.mode == "hard"]
    counted = hard or parts
    outcome = (fold_any if ctx.negated else fold_all)(part.outcome for part in counted)
    decisive = [part for part in counted if part.outcome is outcome]
    if outcome is Outcome.PASS and not ctx.negated:
        reason = "the criterion is met" if len(counted) == 1 else f"all {len(counted)} criteria are met"
    elif outcome is Outcome.FAIL and ctx.negated:
        reason = f"none of the {len(counted)} criteria is met"
    else:
        reason = "; ".join(f"{part.criterion}: {part.reason}" for part in decisive)
    evidence = tuple(one for part in decisive for one in part.evidence)
    layer = max(part.layer or BY_CODE for part in parts)
    mode: Mode = "hard" if hard else "soft"
    return Verdict(outcome, reason, evidence, mode=mode, layer=layer, parts=tuple(parts))
