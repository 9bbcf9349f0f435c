"""Choose the recorded answers of the judge that is measured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from grice.judging.judge import Judge
from grice.judging.prompt import load_prompt
from grice.text import did_you_mean, shorten, value_text
from grice.validation.judges.judge_calls import Judged
from grice.validation.judges.verdict_log import Answer

_MAX_LISTED = 300
_MODEL = "another model"

CODE = "code"
"""The model of a judge that is code."""


class SeveralJudges(ValueError):
    """The recorded answers are of several judges, and no option says which one is measured."""


class Identity(msgspec.Struct, frozen=True):
    """The judge that a card is bound to. "" and 0 stand for what is not known."""

    judge: str
    model: str = ""
    prompt: str = ""
    prompt_version: int = 0
    prompt_hash: str = ""
    fingerprint: str = ""
    gate: float | None = None


class Recorded(msgspec.Struct, frozen=True):
    """The answers that count, the judge that gave them, and what was left out, in words."""

    answers: tuple[Answer, ...]
    identity: Identity
    notes: tuple[str, ...] = ()


def identity_of(judged: Judged, judge: Judge) -> Identity:
    """The identity of the judge as it is now."""
    if judged.by_code:
        return Identity(judged.name, CODE, fingerprint=judged.fingerprint)
    prompt = load_prompt(judged.prompt, judge.prompts.get(judged.prompt))
    model = judge.llm.model or judge.llm.name if judge.llm is not None else ""
    return Identity(
        judged.name, model, prompt.name, prompt.version, prompt.hash, judged.fingerprint, judged.gate
    )


def recorded_answers(answers: Sequence[Answer], now: Identity, *, can_ask: bool, model: str = "") -> Recorded:
    """The answers of the judge that is measured.

    When it can be asked they are those of the very same model, prompt and criterion. Else they are those that
    name no other prompt or criterion, of one model: `model`, or the only one there is; and the card is bound
    to what they name. Raises SeveralJudges.
    """
    own = [one for one in answers if one.judge in ("", now.judge)]
    notes = _of_others(answers, own, now.judge)
    fitting: list[Answer] = []
    stale: dict[str, list[Answer]] = {}
    for one in own:
        why = _difference(one, now, exactly=can_ask, model=model)
        if why:
            stale.setdefault(why, []).append(one)
        elif one.value is not None:
            fitting.append(one)
    done = "asked again" if can_ask else "left out"
    notes += [
        f"{len(some):,} of {len(own):,} recorded verdicts {'is' if len(some) == 1 else 'are'} "
        f"of {why}{_models(some) if why == _MODEL else ''}: {done}"
        for why, some in stale.items()
    ]
    last = {(one.item, one.sample, one.swapped, one.model): one for one in fitting}
    if len(last) < len(fitting):
        notes.append(f"{len(fitting) - len(last):,} recorded verdicts stand there twice: the last counts")
    kept = tuple(last.values())
    if can_ask:
        return Recorded(kept, now, tuple(notes))
    return Recorded(kept, _named_by(kept, now), tuple(notes))


def _of_others(answers: Sequence[Answer], own: Sequence[Answer], name: str) -> list[str]:
    """What is to be said of answers of other judges."""
    if len(own) == len(answers):
        return []
    others = Counter(one.judge for one in answers if one.judge not in ("", name))
    told = ", ".join(f"{other} {count:,}" for other, count in others.items())
    hint = did_you_mean(name, others) if not own else ""
    told = shorten(told, _MAX_LISTED)
    return [f"{others.total():,} recorded verdicts are of other judges ({told}){hint}"]


def _difference(answer: Answer, now: Identity, *, exactly: bool, model: str) -> str:
    """What the answer is of that is not measured; "" where it is of the same judge."""
    asked = answer.asked or answer.model
    wanted = now.model if exactly else model
    named: Mapping[str, tuple[str, str]] = {
        "another prompt": (answer.prompt_hash, now.prompt_hash),
        "another version of the criterion": (answer.fingerprint, now.fingerprint),
    }
    if wanted and wanted not in (asked, answer.model):
        return _MODEL
    for what, (found, expected) in named.items():
        if found != expected and (exactly or (found and expected)):
            return what
    return ""


def _models(answers: Sequence[Answer]) -> str:
    names = Counter(one.model or "none named" for one in answers)
    return f" ({shorten(', '.join(names), _MAX_LISTED)})"


def _named_by(answers: Sequence[Answer], now: Identity) -> Identity:
    """Who gave the answers, by what they name. Raises SeveralJudges."""
    if not answers:
        return now
    models = Counter(one.model for one in answers)
    if len(models) > 1:
        told = ", ".join(f"{value_text(name)} ({count:,})" for name, count in models.most_common())
        raise SeveralJudges(
            f"the recorded verdicts are of {len(models)} models: {shorten(told, _MAX_LISTED)}; "
            "name the one to measure with --model"
        )
    prompts = {(one.prompt, one.prompt_version, one.prompt_hash, one.fingerprint) for one in answers}
    if len(prompts) > 1:
        raise SeveralJudges(
            f"the recorded verdicts are of {len(prompts)} prompts or versions of the criterion: keep "
            "those of one in a file of their own"
        )
    prompt, version, prompt_hash, fingerprint = next(iter(prompts))
    return msgspec.structs.replace(
        now,
        model=answers[0].model,
        prompt=prompt,
        prompt_version=version,
        prompt_hash=prompt_hash,
        fingerprint=fingerprint,
    )
