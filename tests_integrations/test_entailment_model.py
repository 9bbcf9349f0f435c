"""The extra `semantic`: a folder with a cross-encoder, made here, run by onnxruntime."""

import json
import struct
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from grice import self_contradiction
from grice.claims.entailment import EntailmentError, ModelEntailment
from grice.files.settings import Settings
from grice.judging.calibration_cards import Card, shelf_of
from grice.matching.judge_standing import is_calibrated
from grice.records import Outcome, Verdict
from grice.running.entailments import entailment_of
from grice.stats.estimates import Estimate

WORDS = ["[UNK]", "[SEP]", "it", "is", "safe", "not", "."]
LABELS = {"0": "entailment", "1": "neutral", "2": "contradiction"}

# What a model of two steps needs of ONNX's protocol buffers: Gather a row for each token, and add them.
_VARINT, _BYTES = 0, 2
_FLOAT, _INT64 = 1, 7


def _number(value: int) -> bytes:
    found = b""
    while value > 0x7F:
        found, value = found + bytes([value & 0x7F | 0x80]), value >> 7
    return found + bytes([value])


def _field(number: int, value: int | str | bytes) -> bytes:
    if isinstance(value, int):
        return _number(number << 3 | _VARINT) + _number(value)
    data = value.encode() if isinstance(value, str) else value
    return _number(number << 3 | _BYTES) + _number(len(data)) + data


def _tensor(name: str, rows: Sequence[Sequence[float]]) -> bytes:
    values = [one for row in rows for one in row]
    sizes = _field(1, len(rows)) + _field(1, len(rows[0]))
    data = struct.pack(f"<{len(values)}f", *values)
    return sizes + _field(2, _FLOAT) + _field(8, name) + _field(9, data)


def _value(name: str, kind: int, *sizes: int | str) -> bytes:
    shape = b"".join(_field(1, _field(1 if isinstance(one, int) else 2, one)) for one in sizes)
    return _field(1, name) + _field(2, _field(1, _field(1, kind) + _field(2, shape)))


def _node(kind: str, inputs: Sequence[str], output: str, attributes: bytes = b"") -> bytes:
    named = b"".join(_field(1, one) for one in inputs)
    return named + _field(2, output) + _field(4, kind) + attributes


def _ints(name: str, *values: int) -> bytes:
    return _field(5, _field(1, name) + b"".join(_field(8, one) for one in values) + _field(20, 7))


def _int(name: str, value: int) -> bytes:
    return _field(5, _field(1, name) + _field(3, value) + _field(20, 2))


def model_of(rows: Sequence[Sequence[float]]) -> bytes:
    """A model whose logits are the sums of a row for each token."""
    graph = b"".join(
        [
            _field(1, _node("Gather", ["rows", "input_ids"], "found", _int("axis", 0))),
            _field(1, _node("ReduceSum", ["found"], "logits", _ints("axes", 1) + _int("keepdims", 0))),
            _field(2, "tiny"),
            _field(5, _tensor("rows", rows)),
            _field(11, _value("input_ids", _INT64, "batch", "tokens")),
            _field(12, _value("logits", _FLOAT, "batch", len(rows[0]))),
        ]
    )
    return _field(1, 7) + _field(7, graph) + _field(8, _field(1, "") + _field(2, 11))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A model that takes each "not" for a sign of contradiction."""
    where = tmp_path / "nli"
    where.mkdir()
    rows = [[0.0, 0.0, 8.0] if word == "not" else [0.1, 0.0, 0.0] for word in WORDS]
    (where / "model.onnx").write_bytes(model_of(rows))
    (where / "config.json").write_text(json.dumps({"id2label": LABELS, "model_type": "tiny"}))
    tokenizer = Tokenizer(models.WordLevel({word: place for place, word in enumerate(WORDS)}, "[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="$A [SEP]", pair="$A [SEP] $B:1 [SEP]:1", special_tokens=[("[SEP]", 1)]
    )
    tokenizer.save(str(where / "tokenizer.json"))
    return where


SAFE, UNSAFE = "it is safe .", "it is not safe ."
TALK = [
    {"role": "user", "content": "What is in the soup?"},
    {"role": "assistant", "content": "The soup contains only plants of ours."},
    {"role": "user", "content": "Go on"},
    {"role": "assistant", "content": "The soup contains fish, and not only from the harbour."},
]


def test_the_score_of_a_pair_is_the_probability_of_the_label(folder: Path) -> None:
    compared = ModelEntailment(folder).compare([(SAFE, SAFE), (SAFE, UNSAFE)])
    assert compared.scores[0] < 0.5 < 0.99 < compared.scores[1]
    assert list(compared.scores) == list(
        ModelEntailment(folder).compare([(SAFE, SAFE), (SAFE, UNSAFE)]).scores
    )
    assert compared.judgement.model == "nli"


def test_a_model_with_two_labels_tells_what_does_not_follow(folder: Path) -> None:
    (folder / "config.json").write_text('{"id2label": {"0": "entailment", "1": "not_entailment"}}')
    rows = [[0.0, 8.0] if word == "not" else [0.1, 0.0] for word in WORDS]
    (folder / "model.onnx").write_bytes(model_of(rows))
    same, other = ModelEntailment(folder).compare([(SAFE, SAFE), (SAFE, UNSAFE)]).scores
    assert same < 0.5 < other


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_file_that_is_broken_is_told(folder: Path, name: str) -> None:
    (folder / name).write_bytes(b"broken")
    with pytest.raises(EntailmentError, match="cannot be read"):
        ModelEntailment(folder).compare([(SAFE, SAFE)])


@pytest.mark.parametrize("labels", ["entailment", "entailment neutral other"])
def test_a_model_with_another_number_of_answers_than_labels_is_told(folder: Path, labels: str) -> None:
    named = dict(enumerate(["contradiction", *labels.split()][:3]))
    (folder / "config.json").write_text(json.dumps({"id2label": named}))
    (folder / "model.onnx").write_bytes(model_of([[0.0] * (5 - len(named))] * len(WORDS)))
    with pytest.raises(EntailmentError, match=f"config.json has {len(named)} labels"):
        ModelEntailment(folder).compare([(SAFE, SAFE)])


@pytest.mark.parametrize("text", ["", "\ud800", "\u597d" * 5_000, "safe " * 5_000])
def test_any_text_has_a_score(folder: Path, text: str) -> None:
    [score] = ModelEntailment(folder).compare([(text, text)]).scores
    assert 0 <= score <= 1


def test_the_cards_of_the_project_say_what_is_known_of_it(folder: Path) -> None:
    model = entailment_of(Settings(folder.parent, entailment="nli"))
    assert model is not None
    made = model.compare([(SAFE, UNSAFE)])
    assert not isinstance(made, Verdict)
    judgement = made.judgement  # type: ignore[union-attr]
    assert "there is no calibration card for the judge 'entailment'" in judgement.standing.problem
    card = Card(
        judge="entailment",
        model="nli",
        prompt="entailment",
        prompt_version=0,
        prompt_hash=judgement.prompt_hash,
        n=80,
        kappa=Estimate(0.6, 0.4, 0.8),
    )
    standing = shelf_of([card]).standing("entailment", judgement)
    assert (standing.problem, standing.kappa) == ("", 0.6)
    known = msgspec.structs.replace(judgement, standing=standing)
    assert is_calibrated(Verdict(Outcome.FAIL, "r", judgement=known))


def test_a_talk_that_no_rule_can_tell_is_told_by_the_model(folder: Path) -> None:
    found = self_contradiction(TALK, entailment=ModelEntailment(folder))
    assert (found.outcome, found.step) == ("contradiction", "entailment")
    assert found.score is not None
    assert found.score > 0.9
