"""The question to people about each item, and the keys that answer it."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from grice.judging.criterion import Criterion
from grice.judging.prompt import load_prompt
from grice.text import did_you_mean, value_text
from grice.validation.judges.items import LabelValue
from grice.validation.judges.judge_calls import QUALITIES
from grice.validation.judges.labels import HIGHEST, LOWEST, LabelKind

QUESTION = "Is this a good reply?"
COMMANDS = ("u", "s", "m", "t", "h", "q")
"""The keys that are no answer."""

_MOST_CHOICES = 9
_LONGEST_CHOICE = 60
_UNTOLD = ("?", "unsure")


class WrongQuestion(ValueError):
    """The question to people is unknown, or cannot be asked."""


class LabellingQuestion(msgspec.Struct, frozen=True):
    """The question about every item.

    `criterion` is its name and `fingerprint` its wording, "" without one; `question` is what is asked then.
    `text` is what is shown, `anchors` what scores mean, `examples` what the author thought it through with.
    """

    criterion: str = ""
    fingerprint: str = ""
    question: str = ""
    text: str = ""
    kind: LabelKind = "yes_no"
    choices: tuple[str, ...] = ()
    anchors: tuple[tuple[int, str], ...] = ()
    examples: tuple[tuple[str, str, str], ...] = ()

    @property
    def key(self) -> tuple[str, str, str]:
        """What labels share that answer the same question."""
        return self.criterion, self.fingerprint, self.question

    @property
    def keys(self) -> dict[str, LabelValue]:
        """The keys that answer, each with its answer."""
        if self.kind == "score":
            return {str(score): float(score) for score in range(LOWEST, HIGHEST + 1)}
        if self.kind == "choice" and all(len(choice) == 1 for choice in self.choices):
            return {choice.lower(): choice for choice in self.choices}
        if self.kind == "choice":
            return {str(place): choice for place, choice in enumerate(self.choices, 1)}
        return {"y": True, "n": False}


def asked_of(criterion: Criterion) -> LabellingQuestion:
    """The question for a criterion: whether it is met, or for a graded one its score."""
    return LabellingQuestion(
        criterion=criterion.name,
        fingerprint=criterion.wording,
        text=criterion.text or f"the rule {criterion.name}",
        kind="yes_no" if criterion.at_least is None else "score",
        anchors=criterion.anchors,
        examples=tuple(
            (f"{'meets it' if one.verdict else 'does not meet it'}", one.text, one.explanation)
            for one in criterion.examples
        ),
    )


def quality_asked(name: str) -> LabellingQuestion:
    """The question for naturalness, guidance or context_use: that of the judge, with its scores."""
    user = load_prompt(name).user
    asked = re.search(r"^How .*\?$", user, re.MULTILINE)
    anchors = re.findall(r"^([1-5]): (.+)$", user, re.MULTILINE)
    return LabellingQuestion(
        criterion=name,
        text=(asked[0] if asked else name).replace("judged part", "reply"),
        kind="score",
        anchors=tuple(sorted((int(score), words) for score, words in anchors)),
    )


def question_asked(text: str) -> LabellingQuestion:
    """A question without a criterion. Raises WrongQuestion for an empty one."""
    bare = " ".join(text.split())
    if not bare:
        raise WrongQuestion("--question: expected words, found none")
    return LabellingQuestion(question=bare, text=bare)


def chosen_from(asked: LabellingQuestion, choices: str) -> LabellingQuestion:
    """A question that is answered by one of the choices, given with commas between. Raises WrongQuestion."""
    given = tuple(one.strip() for one in choices.split(","))
    problem = _wrong_choices(given)
    if problem:
        raise WrongQuestion(f"--choices: {problem}")
    return msgspec.structs.replace(asked, kind="choice", choices=given, anchors=())


def _wrong_choices(given: Sequence[str]) -> str:
    if not 2 <= len(given) <= _MOST_CHOICES or "" in given:
        return f"expected 2 to {_MOST_CHOICES} choices with commas between, as in first,second,tie"
    for one in given:
        if len(one) > _LONGEST_CHOICE:
            return f"a choice has at most {_LONGEST_CHOICE} characters, found {value_text(one)}"
        if one.lower() in COMMANDS:
            return f"{value_text(one)} is a key that does something else: {', '.join(COMMANDS)}"
        if one.lower() in _UNTOLD:
            return f"{value_text(one)} is no choice: ? says that somebody could not tell"
    if len({one.lower() for one in given}) < len(given):
        return f"a choice is there twice: {value_text(','.join(given))}"
    return ""


def unknown_name(name: str, known: Sequence[str]) -> WrongQuestion:
    """The error for a name that no criterion and no judge has."""
    names = [*known, *QUALITIES]
    there = (
        f"known are {', '.join(names)}"
        if known
        else f"the project has no criteria; judges are {', '.join(QUALITIES)}"
    )
    return WrongQuestion(f"unknown criterion {value_text(name)}{did_you_mean(name, names)}; {there}")
