"""The judge: it asks an LLM a question, several times if wanted, and records how it came to its answer."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import current_thread, main_thread
from typing import Annotated, Any, Generic, TypeVar

import msgspec

from grice.identity import canonical_json, redact_text
from grice.judging.answer_parsing import CUT_OFF, Malformed, read_answer
from grice.judging.calibration_cards import Card, CardShelf, shelf_of
from grice.judging.criterion import Criterion, CriterionLevel, collect_criteria
from grice.judging.prompt import load_prompt, prompt_versions
from grice.judging.question import Question
from grice.judging.voting import median
from grice.matching.protocols import BoundLLM, LLMError
from grice.matching.verdicts import error_text
from grice.records import Judgement, LLMMetadata, LLMRequest, LLMResponse, Sample, clean_text
from grice.text import shorten, value_text
from grice.wire.cassettes import NotRecorded

T = TypeVar("T")

MAX_SAMPLES = 99
SampleCount = Annotated[int, msgspec.Meta(ge=1, le=MAX_SAMPLES)]
MAX_QUOTED = 4_000
MAX_REASON = 2_000
MAX_SHOWN = 200
REFUSED = ("refusal", "content_filter", "safety")

NO_JUDGE = (
    'an LLM judges this and none is configured: set judge_llm = "provider:model" in grice.toml or '
    "[tool.grice] of pyproject.toml, or write a fixture named judge_llm"
)
"""What is said where a judge is needed and there is none."""


class JudgedQuestion(msgspec.Struct, Generic[T], frozen=True):
    """The result of a question: how it was judged, and each sample (None where it failed).

    `gaps` says what the judge was not shown because it is too long.
    """

    judgement: Judgement
    answers: tuple[T | None, ...]
    gaps: str = ""

    @property
    def error(self) -> str:
        """The reason why the first failed sample failed."""
        return next((sample.error for sample in self.judgement.samples if sample.error), "")


class _SampleAnswer(msgspec.Struct, Generic[T], frozen=True):
    """One sample, and its answer where it has one."""

    sample: Sample
    answer: T | None = None
    stale: bool = False


class Judge:
    """Asks an LLM. `criteria` are those that can be named; `llm` is None where none is configured.

    `samples` is how often each question is asked, `temperature` and `seed` are passed on (None leaves them to
    the provider; sample i has seed + i), `max_tokens` bounds an answer. `prompts` pins versions of prompts by
    name, so that what was recorded before an upgrade goes on to hold; others are the latest. `cards` are
    calibration cards, or the folder of them. With `require_card` a judge whose card is missing, stale or too
    weak decides nothing: its hard verdicts are errors. True wants a kappa above 0 with 95 % confidence, a
    number at least that kappa. `advisory` judges (True, or names of criteria and prompts) give soft verdicts.
    Raises ValueError for a number of samples that is none, LookupError for a prompt that is not there.
    """

    def __init__(
        self,
        llm: BoundLLM | None,
        *,
        criteria: CriterionLevel = (),
        samples: int = 1,
        temperature: float | None = None,
        seed: int | None = None,
        max_tokens: int = 4096,
        prompts: Mapping[str, int] | None = None,
        cards: Iterable[Card] | CardShelf | Path = (),
        require_card: bool | float = False,
        advisory: bool | Collection[str] = False,
    ) -> None:
        check_samples(samples)
        self.prompts = {name: load_prompt(name, version).version for name, version in (prompts or {}).items()}
        self.llm = llm
        self.criteria: Mapping[str, Criterion] = collect_criteria(criteria)
        self.samples = samples
        self.temperature = temperature
        self.seed = seed
        self.max_tokens = max_tokens
        self.cards = shelf_of(cards, require=require_card, advisory=advisory)

    async def ask(self, question: Question[T], *, samples: int | None = None) -> JudgedQuestion[T]:
        """Ask the question as often as there are samples, all at once. Never raises for a bad answer.

        An answer that is malformed is sent back once, with what is wrong with it. What then is no answer is
        an error in its sample. Where a cassette does not have the question but has it as an older version of
        its prompt put it, that is asked: an upgrade leaves recordings as they are.
        """
        count = self.samples if samples is None else samples
        pinned = self.prompts.get(question.prompt)
        versions = [pinned] if pinned else prompt_versions(question.prompt)
        asked, stale = await self._ask(question, versions[0], count)
        for version in versions[1:] if stale else ():
            with suppress(ValueError):  # what an older one wants may not be known any more
                earlier, missing = await self._ask(question, version, count)
                if not missing:
                    return earlier
        return asked

    async def _ask(self, question: Question[T], version: int, count: int) -> tuple[JudgedQuestion[T], bool]:
        """What came of one version of the question, and whether a cassette does not have all of it."""
        from asyncio import gather

        question = msgspec.structs.replace(question, version=version)
        request = question.request(max_tokens=self.max_tokens, temperature=self.temperature)
        numbered = (self._numbered(request, number) for number in range(count))
        taken = await gather(*(self._sample(question, one) for one in numbered))
        stale = any(one.stale for one in taken)  # what is recorded does not fit: votes that do decide nothing
        answers = tuple(None if stale else one.answer for one in taken)
        named = (self.llm.model or self.llm.name) if self.llm is not None else ""
        judgement = _judgement(question, [one.sample for one in taken], answers, named)
        standing = self.cards.standing(question.judge, judgement)
        judgement = msgspec.structs.replace(judgement, standing=standing)
        return JudgedQuestion(judgement, answers, question.gaps), stale

    def _numbered(self, request: LLMRequest, number: int) -> LLMRequest:
        seed = None if self.seed is None else self.seed + number
        return msgspec.structs.replace(request, sample=number, seed=seed)

    async def _sample(self, question: Question[T], request: LLMRequest) -> _SampleAnswer[T]:
        """One answer, repaired once where that is needed."""
        spent = LLMMetadata()
        for repaired in (False, True):
            try:
                response = await self._response(request)
            except LLMError as error:
                said = f"the judge gave no answer: {clean_text(str(error))}"
                failed = _failed(said, spent, repaired=repaired)
                return msgspec.structs.replace(failed, stale=isinstance(error, NotRecorded))
            spent = _added(spent, response.metadata)
            refusal = _refusal(response)
            if refusal:
                return _failed(refusal, spent, repaired=repaired)
            try:
                fields, answer = read_answer(response, question.answer, question.problem, question.quoted)
            except Malformed as error:
                problem = clean_text(str(error))
                request = _repair(request, response, problem)
            else:
                return _SampleAnswer(Sample(fields, repaired=repaired, metadata=spent), answer)
        found = value_text(shorten(_answer_text(response), MAX_SHOWN))
        said = f"the judge's answer is malformed, the repaired one too: {problem}; it was {found}"
        return _failed(said, spent, repaired=True)

    async def _response(self, request: LLMRequest) -> LLMResponse:
        if self.llm is None:
            raise LLMError(NO_JUDGE)
        try:
            return await self.llm.ask(request)
        except LLMError:
            raise
        except Exception as error:  # somebody's client: whatever it raises is no answer
            raise LLMError(redact_text(error_text(error))) from error
        except (KeyboardInterrupt, SystemExit) as error:  # they would end the loop, and all that runs on it
            if current_thread() is main_thread():
                raise
            raise LLMError(f"the LLM raised {error_text(error)}") from error


def check_samples(samples: object) -> None:
    """Raise ValueError unless the value is a number of samples."""
    if isinstance(samples, bool) or not isinstance(samples, int) or not 1 <= samples <= MAX_SAMPLES:
        raise ValueError(f"samples is a whole number from 1 to {MAX_SAMPLES}, found {value_text(samples)}")


def _failed(said: str, spent: LLMMetadata, *, repaired: bool) -> _SampleAnswer[Any]:
    return _SampleAnswer(Sample(error=shorten(said, MAX_REASON), repaired=repaired, metadata=spent))


def _refusal(response: LLMResponse) -> str:
    metadata = response.metadata
    if metadata.refusal:
        return f"the judge refused to answer: {clean_text(metadata.refusal)}"
    if metadata.stop_reason in REFUSED:
        said = f": {value_text(response.text)}" if response.text.strip() else ""
        return f"the judge refused to answer ({metadata.stop_reason}){said}"
    return ""


def _answer_text(response: LLMResponse) -> str:
    """What the judge answered, as a text."""
    if response.text.strip() or response.parsed is msgspec.UNSET:
        return clean_text(response.text)
    return canonical_json(response.parsed).decode()


def _repair(request: LLMRequest, response: LLMResponse, problem: str) -> LLMRequest:
    """The request that sends a malformed answer back."""
    text = _answer_text(response)
    shorter = " Be much briefer this time." if response.metadata.stop_reason in CUT_OFF else ""
    answer = {"role": "assistant", "content": shorten(clean_text(text), MAX_QUOTED).strip() or "(nothing)"}
    asked = {
        "role": "user",
        "content": f"This answer cannot be used. What is wrong with it: {problem}.{shorter} Judge the same "
        "material again and answer with exactly one JSON object that has the fields asked for, each of its "
        "type, and with nothing before or after it.",
    }
    return msgspec.structs.replace(request, messages=(*request.messages, answer, asked))


def _judgement(
    question: Question[Any], samples: Sequence[Sample], answers: Sequence[object], named: str
) -> Judgement:
    prompt = question.file
    known = [sample.metadata for sample in samples]
    scores = [score for one in answers if isinstance(score := getattr(one, "score", None), float)]
    return Judgement(
        prompt.name,
        prompt.version,
        prompt.hash,
        next((one.model for one in known if one.model), named),
        tuple(samples),
        median(scores) if scores else None,
        round(max(scores) - min(scores), 9) if scores else None,
        _total(one.input_tokens for one in known),
        _total(one.output_tokens for one in known),
        _total(one.latency_ms for one in known),
        all(one.replayed for one in known),
        question.fingerprint,
    )


def _added(first: LLMMetadata, second: LLMMetadata) -> LLMMetadata:
    """What two tries cost together; the rest is that of the second."""
    if first == LLMMetadata():
        return second
    return msgspec.structs.replace(
        second,
        input_tokens=_total((first.input_tokens, second.input_tokens)),
        output_tokens=_total((first.output_tokens, second.output_tokens)),
        latency_ms=_total((first.latency_ms, second.latency_ms)),
        retries=first.retries + second.retries,
        replayed=first.replayed and second.replayed,
    )


N = TypeVar("N", int, float)


def _total(counts: Iterable[N | None]) -> N | None:
    known = [count for count in counts if count is not None]
    return sum(known[1:], known[0]) if known else None
