"""The parameters of a callable, as far as calling an agent or an LLM needs them."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any, NamedTuple

_TAKES_ANY_NUMBER = 0x04  # inspect.CO_VARARGS: the function has *args
_TAKES_ANY_NAME = 0x08  # inspect.CO_VARKEYWORDS: it has **kwargs


class Signature(NamedTuple):
    """The names of the parameters, and the first one's annotation (None without one).

    `positional` says whether an argument can be given by position, `open` whether any name is taken.
    """

    names: tuple[str, ...]
    annotation: object
    positional: bool
    open: bool

    @property
    def first(self) -> str:
        """The name of the first parameter, "" without one."""
        return self.names[0] if self.names else ""


def signature_of(function: Callable[..., Any], *, skip: int = 0) -> Signature | None:
    """The signature without its first `skip` parameters and without `self`; None when it cannot be read."""
    plain: Any = function
    if isinstance(plain, MethodType):
        plain, skip = plain.__func__, skip + 1
    if not isinstance(plain, FunctionType) or hasattr(plain, "__wrapped__"):
        return _inspected(function, skip - (plain is not function))
    code = plain.__code__
    names = code.co_varnames[skip : code.co_argcount + code.co_kwonlyargcount]
    positional = code.co_argcount > skip or bool(code.co_flags & _TAKES_ANY_NUMBER)
    annotation = plain.__annotations__.get(names[0]) if names else None
    return Signature(names, annotation, positional, bool(code.co_flags & _TAKES_ANY_NAME))


def _inspected(function: Callable[..., Any], skip: int) -> Signature | None:
    import inspect  # slow to import, and only for what is not a plain function

    try:
        parameters = list(inspect.signature(function).parameters.values())[skip:]
    except (TypeError, ValueError):
        return None
    annotation = parameters[0].annotation if parameters else inspect.Parameter.empty
    return Signature(
        tuple(parameter.name for parameter in parameters),
        None if annotation is inspect.Parameter.empty else annotation,
        any(
            parameter.kind not in (parameter.KEYWORD_ONLY, parameter.VAR_KEYWORD) for parameter in parameters
        ),
        any(parameter.kind == parameter.VAR_KEYWORD for parameter in parameters),
    )
