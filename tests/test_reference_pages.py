"""The pages of reference are what the code says now: run `make generate` when one is out of date."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from grice._catalogue import METHODS

ROOT = Path(__file__).parent.parent
PAGES = ["generate_matchers", "generate_api", "generate_conformance"]


def generator(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / f"tools/{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_what_the_code_says(name: str) -> None:
    page = generator(name)
    is_current = page.generate() == page.TARGET.read_text("utf-8")
    assert is_current, f"docs/{page.TARGET.name} is out of date: run `make generate`"


def test_every_built_in_matcher_has_an_entry() -> None:
    headings = generator("generate_matchers").TARGET.read_text("utf-8").splitlines()
    assert sorted(line[4:] for line in headings if line.startswith("### ")) == sorted(METHODS)


def test_a_public_name_without_a_topic_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    page = generator("generate_api")
    monkeypatch.setattr(page.grice, "__all__", [*page.grice.__all__, "brand_new"])
    with pytest.raises(ValueError, match=r"api_page.md has no line for brand_new"):
        page.generate()


def test_a_module_of_matchers_without_a_group_is_refused() -> None:
    with pytest.raises(LookupError, match=r"grice\.checks\.brand_new is in no group"):
        generator("generate_matchers").group_of("grice.checks.brand_new")
