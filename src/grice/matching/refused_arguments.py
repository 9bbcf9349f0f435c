"""What is wrong with arguments that do not fit the parameters of a matcher."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import Parameter, Signature
from typing import Any

from grice.text import did_you_mean, value_text


def explain_refused(
    called: str, signature: Signature, args: tuple[Any, ...], named: Mapping[str, Any], error: TypeError
) -> str:
    """The message of a TypeError that `bind` raised for the arguments of what is called `called`.

    A dict in the place of keywords is answered with the keywords, a misspelt one with the right one.
    """
    form = _with_keywords(called, signature, args, named)
    if form:
        return f"{called} takes these arguments by name: write {form}"
    shown = str(signature.replace(return_annotation=Signature.empty)).replace("(/, ", "(")
    own = [one.name for one in signature.parameters.values() if one.kind is not Parameter.VAR_POSITIONAL]
    wrong = next((name for name in named if name not in own), "")
    return f"{called}{shown}: {error}{did_you_mean(wrong, own) if wrong else ''}"


def _with_keywords(called: str, signature: Signature, args: tuple[Any, ...], named: Mapping[str, Any]) -> str:
    """The call with its last positional argument, a dict, as keywords; "" unless that fits."""
    if not args or not isinstance(args[-1], Mapping) or not all(isinstance(key, str) for key in args[-1]):
        return ""
    before, last = args[:-1], dict[str, Any](args[-1])
    free = any(one.kind is Parameter.VAR_KEYWORD for one in signature.parameters.values())
    own = {} if free else {_bare(name): name for name in signature.parameters}
    keywords = {own.get(_bare(key), key): value for key, value in last.items()}
    try:
        signature.bind(*before, **keywords, **named)
    except TypeError:
        return ""
    shown = [value_text(one) for one in before]
    shown += [f"{key}={value_text(one)}" for key, one in {**keywords, **named}.items() if key.isidentifier()]
    others = {key: one for key, one in keywords.items() if not key.isidentifier()}
    shown += [f"**{value_text(others)}"] if others else []
    return f"{called}({', '.join(shown)})"


def _bare(name: str) -> str:
    """A name as in Python and as in files are the same one: `ignore_case` and `ignoreCase`."""
    return name.replace("_", "").lower()
