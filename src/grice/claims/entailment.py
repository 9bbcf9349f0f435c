"""Models that tell whether one text contradicts another: the protocol, and the loader of a model's folder."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Awaitable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

import msgspec

from grice.records import Judgement, Sample
from grice.text import did_you_mean, value_text

INSTALL = "pip install 'grice[semantic]'"
FILES = ("config.json", "tokenizer.json", "model.onnx")
MAX_BYTES = {"config.json": 1_000_000, "tokenizer.json": 100_000_000, "model.onnx": 4_000_000_000}
MAX_TOKENS = 256
"""Tokens of a pair that are read: both texts are cut where they are longer."""

MAX_CHARACTERS = 2_000
"""Characters of each text that are read."""

THRESHOLD = 0.9
"""The probability of a contradiction from which one is told."""

_BLOCK = 1 << 20
_OPPOSES = ("contradiction", "contradictory", "contradicts", "not_entailment", "non_entailment")
"""Labels of models for "the second text is not true where the first is", the exact one first."""


class EntailmentError(Exception):
    """A model gave no answer: its folder cannot be used, or a judge did not answer."""

    __module__ = "grice"


class Compared(msgspec.Struct, frozen=True):
    """The answer on pairs of texts: for each the probability, 0 to 1, that the second contradicts the first.
    `judgement` is who said so, with what is known of its agreement with people.
    """

    scores: Sequence[float]
    judgement: Judgement


class Entailment(Protocol):
    """What tells whether one text contradicts another. `name` is for messages, `threshold` the probability
    from which a pair counts as a contradiction. `compare` may be awaitable, and raises EntailmentError where
    there is no answer: that is never a score.
    """

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def threshold(self) -> float: ...  # noqa: D102

    def compare(self, pairs: Sequence[tuple[str, str]]) -> Compared | Awaitable[Compared]: ...  # noqa: D102


class ModelEntailment:
    """A cross-encoder as it is usually exported: a folder with model.onnx, tokenizer.json and config.json.

    The labels are read from `id2label` in config.json: one of them is contradiction (or not_entailment, of
    models with two). It needs the extra `semantic`, no network, and is read at the first use, on one thread,
    so that the same pair has the same score. Source: the export of transformers' sequence classifiers.
    """

    def __init__(self, folder: Path, *, threshold: float = THRESHOLD) -> None:
        self.folder = folder
        self.name = folder.name
        self.threshold = threshold
        self._lock = threading.Lock()
        self._ready: _Model | None = None

    def compare(self, pairs: Sequence[tuple[str, str]]) -> Compared:
        """The probability of a contradiction for each pair. Raises EntailmentError."""
        with self._lock:
            if self._ready is None:
                self._ready = _loaded(self.folder)
            try:
                scores = [self._ready.score(_encodable(one), _encodable(other)) for one, other in pairs]
            except Exception as error:  # the libraries' own, which have no class in common
                raise EntailmentError(f"the entailment model {self.name} gave no answer: {error}") from error
        answer = {"contradiction": max(scores, default=0.0)}
        judgement = Judgement("entailment", 0, self._ready.hash, self.name, (Sample(answer),))
        return Compared(scores, judgement)


class _Model(msgspec.Struct, frozen=True):
    """A model that was read: the libraries' objects, which logit of how many is a contradiction's, and its
    hash.
    """

    numpy: Any
    session: Any
    tokenizer: Any
    label: int
    labels: int
    hash: str

    def score(self, first: str, second: str) -> float:
        """The probability that the second text contradicts the first."""
        encoded = self.tokenizer.encode(first, second)
        known = {
            "input_ids": encoded.ids,
            "attention_mask": encoded.attention_mask,
            "token_type_ids": encoded.type_ids,
        }
        numpy = self.numpy
        names = [one.name for one in self.session.get_inputs()]
        if others := [one for one in names if one not in known]:
            raise ValueError(f"it wants {', '.join(others)}, where {', '.join(known)} are known")
        wanted = {name: numpy.array([known[name]], numpy.int64) for name in names}
        logits = numpy.asarray(self.session.run(None, wanted)[0][0], numpy.float64)
        if logits.shape != (self.labels,):
            raise ValueError(f"config.json has {self.labels} labels, and its answer the shape {logits.shape}")
        odds = numpy.exp(logits - logits.max())
        found = float(odds[self.label] / odds.sum())
        if not 0 <= found <= 1:
            raise ValueError(f"its answer is no number: {logits.tolist()}")
        return found


def _loaded(folder: Path) -> _Model:
    for name in FILES:
        _check_file(folder / name)
    label, labels = _label(folder / "config.json")
    try:
        numpy, runtime, tokenizers = map(import_module, ("numpy", "onnxruntime", "tokenizers"))
    except ImportError as error:
        raise EntailmentError(f"an entailment model needs an extra ({error}): {INSTALL}") from error
    options = runtime.SessionOptions()
    options.intra_op_num_threads = 1
    try:
        session = runtime.InferenceSession(
            str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
        )
        tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
        tokenizer.no_padding()
        tokenizer.enable_truncation(MAX_TOKENS)
    except Exception as error:  # the libraries' own, which have no class in common
        raise EntailmentError(f"the entailment model in {folder} cannot be read: {error}") from error
    return _Model(numpy, session, tokenizer, label, labels, _hash(folder))


def _check_file(path: Path) -> None:
    try:
        size = path.stat().st_size
    except OSError as error:
        raise EntailmentError(
            f"an entailment model is a folder with {', '.join(FILES)}: {path}: {error.strerror}"
        ) from error
    if size > MAX_BYTES[path.name]:
        raise EntailmentError(f"{path} has {size:,} bytes, at most {MAX_BYTES[path.name]:,} are read")


def _label(config: Path) -> tuple[int, int]:
    """Which output is a contradiction's, and of how many, by `id2label`."""
    try:
        read = msgspec.json.decode(config.read_bytes())
    except (OSError, msgspec.DecodeError, RecursionError) as error:
        raise EntailmentError(f"{config} is no JSON: {error}") from error
    labels = read.get("id2label") if isinstance(read, Mapping) else None
    expected = "expected id2label with two or three labels, one of them contradiction"
    if not isinstance(labels, Mapping) or len(labels) not in (2, 3):
        raise EntailmentError(f"{config}: {expected}, found {value_text(labels)}")
    names = {
        str(name).strip().lower().replace("-", "_").replace(" ", "_"): key for key, name in labels.items()
    }
    found = next((names[one] for one in _OPPOSES if one in names), None)
    if found is None or not str(found).isdecimal() or int(found) >= len(labels):
        hint = next((did_you_mean(one, _OPPOSES) for one in names), "")
        raise EntailmentError(f"{config}: {expected}, found {value_text(list(labels.values()))}{hint}")
    return int(found), len(labels)


def _hash(folder: Path) -> str:
    """The SHA-256 of the model and its tokenizer: what a calibration card is bound to."""
    digest = hashlib.sha256()
    for name in FILES:
        with (folder / name).open("rb") as stream:
            while block := stream.read(_BLOCK):
                digest.update(block)
    return digest.hexdigest()


def _encodable(text: str) -> str:
    return text[:MAX_CHARACTERS].encode("utf-8", "replace").decode()
