"""From a fault to the text of a test: shrunk, made safe to commit, written, proved."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

from msgspec.structs import replace

from grice.checks.log_facts import keep_secrets
from grice.extracting.fault import Fault, judge_last
from grice.extracting.proving import Asking, Proof, prove
from grice.extracting.pseudonyms import Pseudonyms
from grice.extracting.shrinking import MAX_CHECKS, Shrunk, shrink
from grice.extracting.written_test import (
    Draft,
    Form,
    NotWritable,
    commented,
    counted,
    draft_test,
    usual_forms,
)
from grice.identity import redact_text
from grice.records import Conversation
from grice.text import shorten

NotExtractable = NotWritable
_MARK = "# grice extract "
_LONGEST = 160


class Extracted(NamedTuple):
    """A test, ready to be written to the file of that name."""

    file: str
    text: str
    proof: Proof
    shrunk: Shrunk


def extract_finding(
    fault: Fault,
    form: Form | None = None,
    *,
    agent: str = "",
    pseudonyms: Pseudonyms | None = None,
    most: int = MAX_CHECKS,
    asking: Asking | None = None,
    alike: Sequence[str] = (),
) -> Extracted:
    """The test that keeps the fault from coming back.

    Without a `form` it is the first of `usual_forms` that is proved, or the last. `agent` is named in it
    where the project's settings name none. `pseudonyms` stand for what should not be committed, None
    leaves everything as it is. `most` is how often the check is made to shrink it; with `asking` the
    agent is asked at each step, if it fails the whole test at all. `alike` is where findings are for
    which it stands too. Raises NotWritable for a fault that the form cannot say.
    """
    safe = fault
    if pseudonyms is not None:
        conversation = pseudonyms.conversation(fault.conversation)
        if fault.check.matcher.factory is keep_secrets:  # played in the proof, written nowhere
            conversation = _with_last_reply(conversation, fault.conversation)
        safe = fault._replace(conversation=conversation, verdict=judge_last(fault.check, conversation))
    forms = (form,) if form else usual_forms(safe)

    def is_in_agent(smaller: Fault) -> bool:
        return asking is not None and asking.has(draft_test(smaller, forms[-1], agent), smaller)

    asked = asking is not None and is_in_agent(safe)
    shrunk = shrink(safe, most, is_in_agent if asked else None)
    small = shrunk.fault
    tried: list[tuple[Draft, Proof]] = []
    for one in forms:
        try:
            written = draft_test(small, one, agent)
        except NotWritable:
            if one == forms[-1] and not tried:
                raise
            continue
        tried.append((written, prove(written, small)))
        if tried[-1][1].whole:
            break
    draft, proof = tried[-1]
    said = _head(fault, small, draft, shrunk, proof, pseudonyms is not None, alike)
    if asking is not None:
        said.append(_told_of(asking, asking.failures(draft, small), asked=asked))
    return Extracted(draft.file, sealed(said, draft.body), proof, shrunk)


def sealed(said: Sequence[str], body: str) -> str:
    """The text of a test, whose first line has a hash of the rest."""
    text = commented(said) + body
    return f"{_MARK}{_digest(text)}\n{text}"


def _with_last_reply(conversation: Conversation, recorded: Conversation) -> Conversation:
    """The conversation with what the agent said last in the record."""
    last, said = conversation.turns[-1], recorded.turns[-1].messages[-1]
    last = replace(last, messages=(*last.messages[:-1], said))
    return replace(conversation, turns=(*conversation.turns[:-1], last))


def _head(
    fault: Fault,
    small: Fault,
    draft: Draft,
    shrunk: Shrunk,
    proof: Proof,
    is_safe: bool,
    alike: Sequence[str],
) -> list[str]:
    """What stands in the first lines: the finding, how far it is proved, and what was changed."""
    lines = found_lines(fault, small, alike)
    if proof.whole:
        lines.append("Proved: it fails on the recorded replies for this finding, and passes on mended ones.")
    elif proof.fails:
        lines.append(f"It fails on the recorded replies. NOT PROVED that it passes: {_line(proof.why)}.")
    else:
        lines.append(f"NOT PROVED: {_line(proof.why)}.")
    turns = len(small.conversation.turns)
    checks = f"{shrunk.checks} {'check' if shrunk.checks == 1 else 'checks'}"
    if shrunk.dropped:
        shorter = (
            f"Shrunk from {fault.turn} to {turns} {'turn' if turns == 1 else 'turns'} in {checks}; dropped"
        )
        lines.append(
            f"{shorter if turns < fault.turn else f'Dropped in {checks}'}: {counted(shrunk.dropped)}."
        )
    elif shrunk.checks:
        lines.append(f"Nothing can be dropped: {checks}.")
    if not shrunk.minimal:
        lines.append("The checks ran out: more may be dropped.")
    if is_safe:
        lines.append("Secrets, names, addresses and ids are replaced; equal ones by equal ones.")
    if draft.form == "pytest" and turns > 1:
        lines.append("Your agent answers the earlier turns anew, so that they may differ from the log.")
    return lines


def _told_of(asking: Asking, failures: int, *, asked: bool) -> str:
    """What the agent did when it was asked."""
    times = "once" if asking.times == 1 else f"{asking.times} times"
    told = f"Asked {times}, the agent fails it {failures} of them"
    if asked:
        return f"{told}. At each step it had to fail {asking.needed} of {asking.times}."
    return f"{told}, fewer than {asking.needed} at first: it was shrunk on the recorded replies."


def found_lines(fault: Fault, small: Fault, alike: Sequence[str]) -> list[str]:
    """What was found and where: the first lines of every test."""
    lines = [
        f"{fault.label}: {shorten(redact_text(small.verdict.reason), _LONGEST)}",
        f"Found in {fault.place}, turn {fault.turn}.",
    ]
    if alike:
        shown = ", ".join(alike[:3]) + (f" and {len(alike) - 3} more" if len(alike) > 3 else "")
        lines.append(f"{len(alike)} findings are alike: {shown}.")
    return lines


def _line(text: str) -> str:
    return shorten(" ".join(redact_text(text).split()), _LONGEST).rstrip(".")


def _digest(body: str) -> str:
    return sha256(body.encode()).hexdigest()[:16]


def is_as_written(text: str) -> bool:
    """Whether a file says what an extraction wrote, and nobody edited it."""
    first, _, body = text.partition("\n")
    return first.startswith(_MARK) and first.removeprefix(_MARK).strip() == _digest(body)


def is_extracted(text: str) -> bool:
    """Whether an extraction wrote the file, edited or not."""
    return text.startswith(_MARK)
