"""Matchers, and assertions on outputs: for editors, and for programs that judge by the same rules."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from fastapi import APIRouter, Response
from msgspec.structs import replace
from pydantic import Field

from grice.api.bodies import Body
from grice.api.errors import ERRORS, ApiError, FieldProblem
from grice.api.run_requests import run_folder
from grice.api.service import READ, Served, Service
from grice.api.stored_replies import On
from grice.files.matcher_catalogue import Editor, matcher_catalogue
from grice.files.settings_files import SettingsError
from grice.files.suite_code import files_for_own_matchers
from grice.matching.assertions.assertion import FieldProblem as Problem
from grice.matching.assertions.assertion import LoadedAssertion, read_assertions
from grice.matching.assertions.evaluation import (
    Evaluation,
    OutputType,
    evaluate_assertions,
    legacy_assertion,
)
from grice.matching.assertions.many_outputs import evaluate_many
from grice.matching.assertions.preview import AssertionPreview, PreviewState, preview
from grice.matching.assertions.scaffold import propose_assertions
from grice.matching.assertions.suggestion import NoSuchValue, suggest_assertions
from grice.matching.limits import limits_in_force
from grice.matching.matcher import ArgumentError
from grice.matching.selector import Parse
from grice.records import Outcome, PathMatch
from grice.running.projects import Projects
from grice.typed import written
from grice.user_files import no_files

router = APIRouter(prefix="/api", tags=["assertions"], responses=ERRORS)

MOST_OUTPUTS = 10_000


# -- bodies

_LONGEST_POINTER = 200


class ExampleBody(Body):
    """An output to try a matcher on, and whether it passes."""

    actual: Any
    passed: bool
    path: str
    expected: Any = None


class MatcherBody(Body):
    """A matcher. `check` shows how a suite writes it; `editor` says how `expected` is best edited.

    With `valueOnly` it looks at nothing but the value: an output alone tells what comes of it in a run.
    `passing` and `failing` are outputs to evaluate it on. They are null for a matcher that judges a
    conversation, a request or tool calls, which no output is; that asks a judge; or that is the project's.
    """

    name: str
    python_name: str
    arity: str
    required: bool
    editor: Editor
    expected: dict[str, Any] | None
    options: dict[str, Any] | None
    documentation: str
    subjects: list[str]
    layer: int | None
    judged: bool
    own: bool
    value_only: bool
    check: dict[str, Any]
    passing: ExampleBody | None
    failing: ExampleBody | None


class AssertionsBody(Body):
    """Assertions, as suites have them: `{id?, path?, pathMatch?, matcher, expected?, options?, not?,
    description?}`. `parse` says how a text is read below `$`."""

    assertions: list[dict[str, Any]] = Field(min_length=1, max_length=1_000)
    parse: Parse = "auto"


class EvaluateBody(AssertionsBody):
    """An output, a text or any JSON value, and the assertions to judge it by."""

    actual: Any


class EvaluateManyBody(AssertionsBody):
    """Outputs, or a run whose stored replies are judged: their texts, or their data."""

    actuals: list[Any] | None = Field(default=None, min_length=1, max_length=MOST_OUTPUTS)
    run: str | None = None
    on: On = "reply"


class AssertionResultBody(Body):
    """The result of one assertion; `actualSamples` are the first of the `valueCount` values at the path."""

    assertion_id: str
    path: str
    matcher: str
    not_: bool = Field(alias="not")
    path_match: PathMatch
    passed: bool
    outcome: Outcome
    actual_samples: list[Any]
    message: str
    description: str
    value_count: int
    unresolved: bool
    truncated: bool
    sha256: str | None
    trivially_true: bool


class EvaluationBody(Body):
    """The results of all assertions on an output; `leftOut` counts results beyond the limit on details."""

    passed: bool
    outcome: Outcome
    results: list[AssertionResultBody]
    message: str
    left_out: int


class PreviewBody(Body):
    """The state of an assertion, as one word and as a sentence. NOTHING_FOUND: its path finds nothing.

    `problems` keep it from being asked, each with its field.
    """

    assertion_id: str
    state: PreviewState
    passed: bool
    words: str
    problems: list[FieldProblem]


class PreviewedBody(EvaluationBody):
    """The results of all assertions on an output, with the state of each assertion."""

    previews: list[PreviewBody]


class TallyBody(Body):
    """How many outputs have each outcome of an assertion; `unresolved` had nothing at its path."""

    assertion_id: str
    outcomes: dict[Outcome, int]
    unresolved: int


class NotPassedBody(Body):
    """An output that did not pass: its place, from 0, its name in a run, and why."""

    index: int
    name: str
    outcome: Outcome
    results: list[AssertionResultBody]


class ManyBody(Body):
    """The results on many outputs; `notShown` counts failures beyond the first in `failing`."""

    passed: bool
    total: int
    outcomes: dict[Outcome, int]
    assertions: list[TallyBody]
    failing: list[NotPassedBody]
    not_shown: int


class ExpectedOutputBody(Body):
    """The expected output of a case, as the case has it."""

    expected_output: Any
    output_type: OutputType = "string"


class ToEqualBody(Body):
    """The assertion that equals an expected output."""

    assertion: dict[str, Any]


class ScaffoldBody(Body):
    """An output to propose assertions for."""

    output: Any
    parse: Parse = "auto"


class ProposalBody(Body):
    """A proposed assertion, which passes on the output; whether it is ticked at first, and why."""

    assertion: dict[str, Any]
    selected: bool
    why: str


class ScaffoldedBody(Body):
    """The proposals in the order of the output; `leftOut` counts those beyond the limits."""

    proposals: list[ProposalBody]
    left_out: int


# -- routes


class SuggestBody(Body):
    """An output, and the keys and indices that lead to a value in it: those of the JSON that a text holds."""

    output: Any
    pointer: list[str | int] = Field(max_length=_LONGEST_POINTER)
    parse: Parse = "auto"


class SuggestedBody(Body):
    """A matcher that passes at `path`, which is `wildcardPath` where it asks about ALL of a list."""

    matcher: str
    path: str
    path_match: PathMatch
    expected: Any = None
    not_: bool = Field(alias="not")
    why: str


class SuggestionBody(Body):
    """The path of the value, the same over all items of the lists on its way, and at least three matchers."""

    path: str
    wildcard_path: str | None
    matchers: list[SuggestedBody]


@router.get("/registry", dependencies=[READ], response_model=list[MatcherBody])
def registry(service: Served) -> Response:
    """List the matchers: how each is written, how its argument is edited, and outputs to try it on.

    Those of the project are of the modules that its settings name.
    """
    _import_matchers(service)
    try:
        found = matcher_catalogue()
    except ArgumentError as error:
        raise ApiError(422, str(error)) from None
    return _json(found)


@router.post("/evaluate", dependencies=[READ], response_model=EvaluationBody)
def evaluate(body: EvaluateBody, service: Served) -> Response:
    """Judge an output by assertions. One 400 lists everything wrong with them, by field."""
    loaded = _loaded(body, service)
    with no_files():
        found = evaluate_assertions(body.actual, loaded, parse=body.parse)
    return _json(_evaluation(found))


@router.post("/evaluate/preview", dependencies=[READ], response_model=PreviewedBody)
def evaluate_preview(body: EvaluateBody, service: Served) -> Response:
    """Judge an output by assertions that are being written, and describe the state of each.

    An assertion that cannot be asked is no 400 here: its state is ERROR, and the others are judged.
    """
    _import_matchers(service)
    loaded = _read(body)
    with no_files():
        found = evaluate_assertions(body.actual, loaded, parse=body.parse)
        previews = preview(body.actual, loaded, found.results, body.parse)
    return _json({**_evaluation(found), "previews": [_previewed(one) for one in previews]})


@router.post("/evaluate/many", dependencies=[READ], response_model=ManyBody)
def evaluate_all(body: EvaluateManyBody, service: Served) -> Response:
    """Judge many outputs, or the stored replies of a run: how many would pass, and which do not."""
    loaded = _loaded(body, service)
    outputs = _outputs(body, service)
    with no_files():
        return _json(evaluate_many(outputs, loaded, parse=body.parse))


@router.post("/scaffold", dependencies=[READ], response_model=ScaffoldedBody)
def scaffold(body: ScaffoldBody) -> Response:
    """Propose assertions for an output: stable values are ticked, times and ids are matched by their form."""
    return _json(propose_assertions(body.output, parse=body.parse))


@router.post("/expected-output/assertion", dependencies=[READ], response_model=ToEqualBody)
def turn_into_assertion(body: ExpectedOutputBody) -> Response:
    """Convert an expected output into an assertion: `toEqual` at `$`. Nothing is saved."""
    found = legacy_assertion(body.expected_output, body.output_type)
    parse = {"parse": "json"} if body.output_type == "json" else {}
    said = {"path": "$", "matcher": found.matcher, **parse, "expected": found.expected}
    return _json({"assertion": said})


@router.post("/evaluate/suggest", dependencies=[READ], response_model=SuggestionBody)
def suggest(body: SuggestBody, service: Served) -> Response:
    """Name the path of a value in an output, and matchers that pass there, the best first."""
    _import_matchers(service)
    try:
        with no_files():
            return _json(suggest_assertions(body.output, body.pointer, parse=body.parse))
    except NoSuchValue as error:
        field = "pointer" if error.index is None else f"pointer[{error.index}]"
        raise ApiError(400, "the request is wrong", [(field, error.message)]) from None


# -- what they share


def _import_matchers(service: Service) -> None:
    try:
        _import_own_matchers(service.root)
    except SettingsError as error:
        raise ApiError(422, str(error)) from None


def _read(body: AssertionsBody) -> list[LoadedAssertion]:
    """The assertions. A file for a matcher of the project, which would read it, is a problem."""
    with no_files():
        loaded = read_assertions(body.assertions, limits_in_force())
    return [_without_files(one, said) for one, said in zip(loaded, body.assertions, strict=True)]


def _without_files(loaded: LoadedAssertion, said: dict[str, Any]) -> LoadedAssertion:
    fields = dict.fromkeys(files_for_own_matchers(said))
    told = tuple(Problem(field, "files are not read here: give the content itself") for field in fields)
    return replace(loaded, matcher=None, problems=loaded.problems + told) if told else loaded


def _loaded(body: AssertionsBody, service: Service) -> list[LoadedAssertion]:
    """The assertions, ready to be asked. Raises ApiError with everything that is wrong with any of them."""
    _import_matchers(service)
    loaded = _read(body)
    problems = [
        (written(("assertions", index, *filter(None, [one.field]))), one.message, one.position)
        for index, assertion in enumerate(loaded)
        for one in assertion.problems
    ]
    if problems:
        told = "1 thing is wrong" if len(problems) == 1 else f"{len(problems)} things are wrong"
        raise ApiError(400, f"{told} with the assertions", problems)
    return loaded


def _outputs(body: EvaluateManyBody, service: Service) -> list[tuple[str, object]]:
    """The outputs to judge, with their names. Raises ApiError and JournalError."""
    if (body.actuals is None) == (body.run is None):
        found = "neither" if body.run is None else "both"
        message = f"expected either actuals or a run, found {found}"
        raise ApiError(400, "the request is wrong", [("actuals", message), ("run", message)])
    if body.run is None:
        return [("", one) for one in body.actuals or ()]
    replies = service.replies.of_run(run_folder(service, body.run), body.on, most=MOST_OUTPUTS)
    if len(replies) > MOST_OUTPUTS:
        raise ApiError(400, "the request is wrong", [("run", f"it has more than {MOST_OUTPUTS:,} replies")])
    return replies


def _evaluation(found: Evaluation) -> dict[str, Any]:
    """The evaluation with the names that JSON has."""
    return {
        "passed": found.passed,
        "outcome": found.outcome,
        "results": found.results,
        "message": found.message,
        "leftOut": found.left_out,
    }


def _previewed(one: AssertionPreview) -> dict[str, Any]:
    """How an assertion stands, with the names that JSON has."""
    problems = [problem._asdict() for problem in one.problems]
    return {
        "assertionId": one.assertion_id,
        "state": one.state,
        "passed": one.passed,
        "words": one.words,
        "problems": problems,
    }


def _json(value: object) -> Response:
    """The answer, made by msgspec: its records need no model to be copied into."""
    return Response(msgspec.json.encode(value), media_type="application/json")


@lru_cache(maxsize=16)
def _import_own_matchers(root: Path) -> None:
    """Import the matcher modules that the project's settings name: they are trusted code.

    Raises SettingsError, each time until the settings are right.
    """
    Projects(root).import_matchers(root)
