"""The generated file is what its generator gives now: run `make generate` when this fails."""

import importlib.util
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def _generator():
    spec = importlib.util.spec_from_file_location(
        "generate_expectations", ROOT / "tools/generate_expectations.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _formatted(text, path):
    for arguments in (["check", "-q", "--fix", "--exit-zero", "--select", "I,RUF022"], ["format", "-q"]):
        command = [sys.executable, "-m", "ruff", *arguments, "--stdin-filename", str(path), "-"]
        text = subprocess.run(
            command, cwd=ROOT, input=text, capture_output=True, text=True, check=True
        ).stdout
    return text


def test_the_generated_file_is_not_stale():
    generator = _generator()
    assert _formatted(generator.generate(), generator.TARGET) == generator.TARGET.read_text("utf-8")


def test_every_builtin_matcher_has_methods_on_some_subject():
    import grice._expectations as generated
    import grice.matchers as matchers
    from grice.matching.matcher import MatcherFactory

    classes = [value for name, value in vars(generated).items() if name.endswith("Expectation")]
    for name in matchers.__all__:
        if isinstance(getattr(matchers, name), MatcherFactory):
            assert any(hasattr(one, f"to_{name}") and hasattr(one, f"not_to_{name}") for one in classes), name
