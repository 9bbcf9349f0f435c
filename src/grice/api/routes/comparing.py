"""Two runs side by side."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from sqlalchemy import Connection

from grice.api.errors import ERRORS, ApiError, ErrorBody
from grice.api.routes.runs import run_row
from grice.api.service import READ, Served, Service
from grice.experiments.comparison.comparing import compare
from grice.experiments.results import ExperimentResults
from grice.reporting.comparison.as_json import comparison_json
from grice.store.queries import experiment_of

router = APIRouter(prefix="/api", tags=["runs"], responses=ERRORS)

_PRUNED: dict[int | str, dict[str, Any]] = {
    422: {"model": ErrorBody, "description": "The results of one of the two were pruned."}
}


@router.get("/compare", dependencies=[READ], responses=_PRUNED)
def compare_runs(
    service: Served,
    a: Annotated[str, Query(description="The id of the run that was before.")],
    b: Annotated[str, Query(description="The id of the run that is now.")],
) -> dict[str, Any]:
    """Compare two runs: the JSON of `grice compare A B --json -`, the answer first."""
    with service.reading() as connection:
        before, now = (_experiment(connection, service, one) for one in (a, b))
    return Response(comparison_json(compare(before, now)), media_type="application/json")  # type: ignore[return-value]


def _experiment(connection: Connection, service: Service, run_id: str) -> ExperimentResults:
    run_row(connection, service, run_id)
    found = experiment_of(connection, run_id)
    if found is None:
        raise ApiError(422, f"the results of the run {run_id!r} were pruned: only its sums are kept")
    return found
