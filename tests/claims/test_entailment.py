"""The folder of an entailment model: what is wrong with one is told."""

import importlib.util
import json

import pytest

from grice.claims.entailment import EntailmentError, ModelEntailment

THREE = {"0": "contradiction", "1": "entailment", "2": "neutral"}


@pytest.fixture
def folder(tmp_path):
    """The files of a model, of which only the configuration is one."""
    (tmp_path / "config.json").write_text(json.dumps({"id2label": THREE}))
    (tmp_path / "tokenizer.json").write_text("{}")
    (tmp_path / "model.onnx").write_bytes(b"no model")
    return tmp_path


def problem_of(folder):
    with pytest.raises(EntailmentError) as caught:
        ModelEntailment(folder).compare([("It is safe.", "It is not safe.")])
    return str(caught.value)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "config.json"])
def test_a_file_that_is_missing_is_named_with_those_that_belong_there(folder, name):
    (folder / name).unlink()
    told = problem_of(folder)
    assert str(folder / name) in told
    assert "config.json, tokenizer.json, model.onnx" in told


@pytest.mark.parametrize(
    ("config", "found"),
    [
        ("{", "no JSON"),
        ("[]", "found None"),
        ("[" * 10_000, "no JSON"),
        ('{"id2label": {"0": "LABEL_0", "1": "LABEL_1"}}', "LABEL_0"),
        ('{"id2label": {"0": "contradiction"}}', "two or three labels"),
        ('{"id2label": {"0": "a", "1": "b", "2": "c", "3": "contradiction"}}', "two or three labels"),
        ('{"id2label": {"x": "contradiction", "y": "entailment"}}', "contradiction"),
        ('{"id2label": {"0": "contradicton", "1": "entailment"}}', "did you mean 'contradiction'"),
    ],
)
def test_labels_without_a_contradiction_are_told(folder, config, found):
    (folder / "config.json").write_text(config)
    told = problem_of(folder)
    assert str(folder / "config.json") in told
    assert found in told


def test_a_file_of_an_absurd_size_is_not_read(folder):
    (folder / "config.json").write_bytes(b" " * 1_000_001)
    assert "1,000,001 bytes, at most 1,000,000 are read" in problem_of(folder)


@pytest.mark.skipif(importlib.util.find_spec("onnxruntime") is not None, reason="the extra is installed")
def test_without_the_extra_it_says_how_to_install_it(folder):
    assert "pip install 'grice[semantic]'" in problem_of(folder)
