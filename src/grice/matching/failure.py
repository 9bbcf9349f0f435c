"""What a failed expectation says: the claim, the transcript with the turn marked, and why."""

from __future__ import annotations

import re

from grice.identity import redact_text
from grice.matching.context import Context
from grice.matching.judged_by import judges_of
from grice.matching.redacted import redaction_of
from grice.matching.transcript import transcript
from grice.records import Outcome, Verdict
from grice.text import shorten, visible
from grice.text.display import shown_lines

MAX_CLAIM = 1_000
MAX_REASON = 4_000
MAX_REASON_LINES = 100
MAX_FIRST = 200
"""Characters of a reason's first line that stand beside the claim; a longer one is shown whole below."""

_OPENINGS = {Outcome.INCONCLUSIVE: "inconclusive: ", Outcome.ERROR: "error: ", Outcome.SKIPPED: "skipped: "}
_SUBJECT = re.compile(r"the (?:reply|text|turn|value|conversation) (not )?to ")


class ExpectationFailed(AssertionError):
    """A hard expectation did not pass. `verdict` says why; the message reads like a bug report."""

    __module__ = "grice"  # where users find it

    def __init__(self, message: str, verdict: Verdict) -> None:
        super().__init__(message, verdict)  # all of them: an exception is pickled by its arguments
        self.message = message
        self.verdict = verdict

    def __str__(self) -> str:
        return self.message


def headline(verdict: Verdict) -> str:
    """What was wanted and why it is not so, on one line: `call refund(id='A1'): no tool was called`.

    What is no plain failure is named before it.
    """
    first, _ = _parted(verdict.reason)
    said = ": ".join(filter(None, (phrase_of(verdict), first)))
    return f"{_OPENINGS.get(verdict.outcome, '')}{said}"


def phrase_of(verdict: Verdict) -> str:
    """What was wanted, on one line: the claim without its subject, where that is the whole of something."""
    claim = claim_line(verdict)
    found = _SUBJECT.match(claim)
    return f"{found[1] or ''}{claim[found.end() :]}" if found else claim


def _parted(reason: str) -> tuple[str, list[str]]:
    """The first line of a reason, cut to stand beside the claim, and what is left to show below.

    One that leads what stands below it stays there.
    """
    if not reason:
        return "", []
    first, *rest = lines = shown_reason(redact_text(reason))
    if rest and first.endswith(":"):
        return "", lines
    return (first, rest) if len(first) <= MAX_FIRST else (shorten(first, MAX_FIRST), lines)


def claim_line(verdict: Verdict) -> str:
    """The claim on one line, cut when it is long."""
    return visible(shorten(redact_text(verdict.claim), MAX_CLAIM), newlines=False)


def shown_reason(reason: str) -> list[str]:
    """The lines of a reason as they are shown; a long one is cut. It is whole in the journal."""
    return shown_lines(reason, MAX_REASON, MAX_REASON_LINES)


def failure_text(verdict: Verdict, context: Context) -> str:
    """The whole message: headline, transcript, the rest of the reason; without what is secret in any of them.

    The transcript is there when the subject belongs to a conversation or is a turn.
    """
    parts = [headline(verdict)]
    turns = context.conversation.turns if context.conversation is not None else ()
    if not turns and context.turn is not None:
        turns = (context.turn,)
    if turns:
        parts.append(transcript(turns, marked=verdict.turn))
    _, rest = _parted(verdict.reason)
    parts.append("\n".join(f"  {line}".rstrip() for line in rest))
    judges = judges_of(verdict)
    if judges:
        parts.append("\n".join(f"  {line}" for line in judges))
    return redaction_of(*turns).text("\n\n".join(filter(None, parts)))
