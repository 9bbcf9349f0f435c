"""What a run may be called: what would mean something else when it is asked for is refused."""

from __future__ import annotations

import re

from grice.running.journal.folders import LATEST

_BACK = re.compile(r"(.+)~\d{1,9}", re.DOTALL)


def name_problem(text: str) -> str:
    """What is wrong with the name or tag of a run, "" where nothing is.

    Refused are texts that mean a run by themselves wherever one is named: nothing, `latest`, `REF~N`.
    """
    if not text.strip():
        return f"expected a name, found {text!r}"
    if text == LATEST:
        return f"expected another name than {LATEST!r}, which always means the run that began last"
    back = _BACK.fullmatch(text)
    if back is not None:
        return f"expected a name without ~ and a number, found {text!r}: it means a run before {back[1]!r}"
    return ""
