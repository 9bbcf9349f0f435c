"""Judges that answer by a rule, and files that they are measured with."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from grice import LLMError
from grice.judging.criterion import Criterion, criterion
from grice.judging.judge import Judge
from grice.llm import ScriptedLLM
from grice.records import LLMMetadata, LLMRequest, LLMResponse
from grice.validation.judges.measurement_input import read_material
from grice.validation.judges.measuring import JudgeMeasured, measure_judge

KIND = criterion("kind", "Be kind.")
GRADED = criterion("kind", "Be kind.", at_least=3.5)


def judged_text(request: LLMRequest) -> str:
    """The reply that a request asks about."""
    content = str(request.messages[1]["content"])
    return content.split('judged="yes">', 1)[1].split("</data", 1)[0].strip()


def judge_by(rule: Callable[[str, LLMRequest], Any], *, model: str = "m-1") -> tuple[Judge, ScriptedLLM]:
    """A judge whose LLM answers what the rule says of a reply: a bool, a score, or an LLMError."""

    def answer(request: LLMRequest) -> LLMResponse:
        said = rule(judged_text(request), request)
        if isinstance(said, LLMError):
            raise said
        key = "satisfied" if isinstance(said, bool) else "score"
        fields = {"requirement": "be kind", "reasoning": f"it is {said}", "quote": "", key: said}
        metadata = LLMMetadata(model=model, input_tokens=90, output_tokens=10, latency_ms=5.0)
        return LLMResponse(json.dumps(fields), metadata=metadata)

    llm = ScriptedLLM({"criterion": answer}, name=model)
    return Judge(llm), llm


def write(path: Path, rows: Iterable[Mapping[str, Any]]) -> Path:
    """A JSONL file."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def items_file(folder: Path, texts: Mapping[str, str], **more: Any) -> Path:
    """Items, each a reply; `more` are fields of all of them."""
    return write(folder / "items.jsonl", [{"id": one, "text": text, **more} for one, text in texts.items()])


def labels_file(folder: Path, labels: Mapping[str, Any], name: str = "labels.jsonl") -> Path:
    """The labels of one rater, or of several as a dict by item."""
    rows = [
        {"item": item, **({"labels": value} if isinstance(value, dict) else {"label": value, "rater": "a"})}
        for item, value in labels.items()
    ]
    return write(folder / name, rows)


def measured(
    folder: Path,
    judge: Judge,
    labels: Path,
    items: Path | None = None,
    *,
    name: str = "kind",
    criteria: Mapping[str, Criterion] = {"kind": KIND},
    verdicts: Path | None = None,
    **options: Any,
) -> JudgeMeasured:
    """What comes of measuring, answers kept in `verdicts`."""
    material = read_material(name, [labels], [items] if items else [], verdicts)
    return measure_judge(name, material, judge, criteria, log=verdicts, **options)
