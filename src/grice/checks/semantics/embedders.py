"""Which embedder compares: the given one, the one that the project configures, or the lexical one."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, Literal, cast, get_args

from grice.checks.semantics.lexical_embedder import LexicalEmbedder
from grice.checks.semantics.minilm_embedder import MiniLMEmbedder
from grice.matching.matcher import ArgumentError
from grice.matching.protocols import Embedder
from grice.matching.recording import find_embedder
from grice.text import did_you_mean, value_text

EmbedderName = Literal["lexical", "minilm"]
EMBEDDERS: tuple[EmbedderName, ...] = get_args(EmbedderName)


def check_embedder(given: object) -> None:
    """Raise ArgumentError for what is no embedder."""
    if given is None:
        return
    if isinstance(given, str):
        if given in EMBEDDERS:
            return
        raise ArgumentError(
            f"embedder is {' or '.join(EMBEDDERS)}, or an object with embed(texts), found {value_text(given)}"
            f"{did_you_mean(given, EMBEDDERS)}"
        )
    problem = _problem_of(given)
    if problem:
        raise ArgumentError(f"embedder: {problem}")


EmbedderChoice = Annotated[Embedder | EmbedderName, check_embedder]


def embedder_for(subject: object, given: Embedder | EmbedderName | None) -> Embedder:
    """The embedder for a check of that subject. Raises ArgumentError and SettingsError."""
    found: Any = find_embedder(subject) if given is None else given
    if found is None:
        found = "lexical"
    check_embedder(found)
    return embedder_named(found) if isinstance(found, str) else cast("Embedder", found)


@lru_cache(maxsize=len(EMBEDDERS))
def embedder_named(name: str) -> Embedder:
    """The embedder of that name, one for the process. Raises ArgumentError."""
    check_embedder(name)
    return LexicalEmbedder() if name == "lexical" else MiniLMEmbedder()


def off_topic_of(embedder: Embedder) -> float:
    """The cosine below which a reply is off the topic: between it and the threshold nobody can tell."""
    found: object = getattr(embedder, "off_topic", None)
    return min(float(cast("float", found)), embedder.threshold) if _is_cosine(found) else embedder.threshold


def _problem_of(given: object) -> str:
    """Why something is no embedder, "" where it is one."""
    if isinstance(given, type):
        return f"expected an object, found the class {given.__name__}: make one of it"
    if not callable(getattr(given, "embed", None)):
        return f"expected an object with embed(texts), found {value_text(given)}"
    if not isinstance(getattr(given, "name", None), str):
        return f"expected an object with a name, found {value_text(given)}"
    threshold = getattr(given, "threshold", None)
    if not _is_cosine(threshold):
        return f"expected an object with a threshold between -1 and 1, found {value_text(threshold)}"
    return ""


def _is_cosine(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and -1 <= value <= 1
