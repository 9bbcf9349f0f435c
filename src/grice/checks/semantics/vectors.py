"""Vectors of texts as an embedder makes them: checked, kept for the next question, and compared."""

from __future__ import annotations

import hashlib
import inspect
import math
import operator
import threading
from array import array
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from grice.identity import redact_text
from grice.matching.protocols import Embedder
from grice.text import plural, shorten, value_text

T = TypeVar("T")
Vector = Sequence[float]

MAX_KEPT = 2_048
"""Vectors that are kept of one embedder: of 1,536 numbers each that is 25 MB."""

MAX_SHOWN = 500


class EmbeddingError(Exception):
    """An embedder gave no vectors, or none that can be compared."""

    __module__ = "grice"


def with_vectors(
    embedder: Embedder, texts: Sequence[str], then: Callable[[list[Vector]], T]
) -> T | Coroutine[Any, Any, T]:
    """Embed the texts and give what `then` makes of their vectors, in order; a coroutine with an asynchronous
    embedder.

    Vectors are kept for as long as the embedder lives, the last 2,048 of them. Raises EmbeddingError.
    """
    kept = _kept_of(embedder)
    keys = [hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest() for text in texts]
    known = kept.known(keys)
    missing = list({key: text for key, text in zip(keys, texts, strict=True) if key not in known}.items())
    if not missing:
        return then([known[key] for key in keys])

    def complete(answer: object) -> T:
        made = _checked(answer, len(missing), embedder)
        found = {**known, **{key: vector for (key, _), vector in zip(missing, made, strict=True)}}
        vectors = [found[key] for key in keys]
        if len({len(vector) for vector in vectors}) > 1:
            lengths = ", ".join(sorted({str(len(vector)) for vector in vectors}))
            raise EmbeddingError(
                f"the embedder {_name(embedder)} gave vectors of different lengths: {lengths}"
            )
        kept.keep({key: found[key] for key, _ in missing})
        return then(vectors)

    try:
        answer: object = embedder.embed([text for _, text in missing])
    except Exception as error:  # somebody's embedder
        raise _raised(error, embedder) from error
    if not inspect.isawaitable(answer):
        return complete(answer)
    return _later(answer, embedder, complete)


async def _later(answer: Awaitable[object], embedder: Embedder, complete: Callable[[object], T]) -> T:
    try:
        given = await answer
    except Exception as error:  # somebody's embedder
        raise _raised(error, embedder) from error
    return complete(given)


def likeness(one: Vector, other: Vector) -> float | None:
    """The cosine of the angle between two vectors of one length.

    None where one of them is all zeros, or their numbers are too large or too small to be multiplied.
    """
    lengths = math.hypot(*one) * math.hypot(*other)
    product: float = sum(map(operator.mul, one, other))
    if not lengths or not math.isfinite(lengths) or not math.isfinite(product):
        return None
    return max(-1.0, min(1.0, product / lengths))


# -- what an embedder gives


def _checked(answer: Any, count: int, embedder: Embedder) -> list[Vector]:
    """The vectors of an answer. Raises EmbeddingError."""
    name = _name(embedder)
    try:
        rows = list(answer)
    except TypeError:
        raise EmbeddingError(
            f"the embedder {name} gave {value_text(answer)}, expected a vector for each text"
        ) from None
    if len(rows) != count:
        raise EmbeddingError(
            f"the embedder {name} gave {plural(len(rows), 'vector')} for {plural(count, 'text')}"
        )
    return [_vector(row, name) for row in rows]


def _vector(row: Any, name: str) -> Vector:
    try:
        vector = array("d", row) if not isinstance(row, str | bytes) else None
    except (TypeError, ValueError, OverflowError):
        vector = None
    if vector is None:
        raise EmbeddingError(f"the embedder {name} gave {value_text(row)}, expected a list of numbers")
    if not vector:
        raise EmbeddingError(f"the embedder {name} gave a vector without numbers")
    wrong = next((number for number in vector if not math.isfinite(number)), None)
    if wrong is not None:
        raise EmbeddingError(f"the embedder {name} gave a vector with {wrong} in it")
    return vector


def _name(embedder: Embedder) -> str:
    name: object = getattr(embedder, "name", None)
    return value_text(name) if isinstance(name, str) and name else type(embedder).__name__


def _raised(error: Exception, embedder: Embedder) -> EmbeddingError:
    if isinstance(error, EmbeddingError):
        return error
    try:
        said = redact_text(str(error))
    except Exception:  # an exception whose text raises
        said = ""
    told = f"{type(error).__name__}: {said}" if said else type(error).__name__
    return EmbeddingError(f"the embedder {_name(embedder)} raised {shorten(told, MAX_SHOWN)}")


# -- what is kept


class _VectorCache:
    """The vectors of one embedder by the hashes of their texts, the last used ones."""

    def __init__(self) -> None:
        self._vectors: OrderedDict[bytes, Vector] = OrderedDict()
        self._lock = threading.Lock()

    def known(self, keys: Sequence[bytes]) -> dict[bytes, Vector]:
        with self._lock:
            found = {key: self._vectors[key] for key in keys if key in self._vectors}
            for key in found:
                self._vectors.move_to_end(key)
            return found

    def keep(self, vectors: dict[bytes, Vector]) -> None:
        with self._lock:
            self._vectors.update(vectors)
            while len(self._vectors) > MAX_KEPT:
                self._vectors.popitem(last=False)


_KEPT: WeakKeyDictionary[Any, _VectorCache] = WeakKeyDictionary()
_LOCK = threading.Lock()


def _kept_of(embedder: Embedder) -> _VectorCache:
    with suppress(TypeError), _LOCK:  # one without a hash is asked anew each time
        return _KEPT.setdefault(embedder, _VectorCache())
    return _VectorCache()
