"""What a matcher can judge, by the annotation of its function."""

from __future__ import annotations

import re
from functools import lru_cache
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from grice.matching.matcher import MatcherFactory

VALUES = frozenset(
    {"str", "float", "int", "bool", "list", "dict", "tuple", "Sequence", "Mapping", "NoneType"}
)
RECORDS = frozenset({"Reply", "Turn", "Exchange", "Conversation", "StateChange"})
ANYTHING = frozenset({"Any", "object"})


@lru_cache(maxsize=256)
def subject_types(factory: MatcherFactory[Any, Any]) -> frozenset[str]:
    """The names of the types that the annotation of the subject has; `Any` when there is none."""
    import inspect

    function = factory.function
    subject = next(iter(inspect.signature(function).parameters.values()))
    try:
        kind = get_type_hints(function).get(subject.name, Any)
        kinds = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
        return frozenset(getattr(one, "__name__", str(one)) for one in kinds)
    except Exception:  # somebody's annotation that cannot be resolved here
        return frozenset(re.findall(r"\w+", str(subject.annotation)))
