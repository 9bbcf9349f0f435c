"""What a run that goes on has other than it began with: one run has one configuration."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from grice.running.journal.experiment import Experiment
from grice.running.journal.form import JournalError

_TOLD = {
    "agent": "another agent",
    "seed": "another seed",
    "grice_version": "another version of Grice",
    "git_commit": "another commit",
}
_BY_NAME = {
    "graphs": "another topic graph of",
    "users": "other settings of the played user of",
    "criteria": "another criterion",
}


def refuse_changes(before: Experiment, now: Experiment, place: object, option: str = "--mix") -> None:
    """Raise JournalError with everything that differs, and the option to go on all the same."""
    found = list(changes_since(before, now))
    if found:
        listed = "\n".join(f"  {one}" for one in found)
        raise JournalError(
            f"{place}: the run cannot go on as it began:\n{listed}\n"
            f"begin a new run, or add {option}: its report then says that it is of several configurations"
        )


def changes_since(before: Experiment, now: Experiment) -> Iterator[str]:
    """What makes the results of the run that goes on hard to compare with its earlier ones."""
    for name, words in _TOLD.items():
        was, is_now = getattr(before, name), getattr(now, name)
        if was != is_now:
            yield f"{words}: {_shown(was)} before, {_shown(is_now)} now"
    if before.code_hash != now.code_hash:
        yield "other files: what git tracks has changed, or Python files beside it"
    for field, words in _BY_NAME.items():
        was, is_now = getattr(before, field), getattr(now, field)
        for name in sorted(was.keys() & is_now.keys()):
            was_of, now_of = set(was[name]), set(is_now[name])
            if not (was_of <= now_of or now_of <= was_of):  # another choice of tests has fewer of one name
                yield f"{words} {name}"
    for name in sorted(before.prompt_files.keys() & now.prompt_files.keys()):
        if before.prompt_files[name] != now.prompt_files[name]:
            yield f"another text of the prompt {name}"
    yield from _other_entries("model", _models(before), _models(now))
    yield from _other_entries("prompt", before.prompts, now.prompts)


def changes_in(heads: Sequence[Experiment]) -> list[str]:
    """What is other in later heads of a run than in its first, each once."""
    return list(dict.fromkeys(one for head in heads[1:] for one in changes_since(heads[0], head)))


def _models(run: Experiment) -> dict[str, str]:
    used = run.models.items()
    return {role: "/".join(filter(None, (one.provider, one.model or one.name))) for role, one in used}


def _other_entries(what: str, before: Mapping[str, object], now: Mapping[str, object]) -> Iterator[str]:
    """The entries that differ; one that only one side has says nothing: not everything may be run again."""
    for name in sorted(before.keys() & now.keys()):
        if before[name] != now[name]:
            yield f"another {what} of {name}: {_shown(before[name])} before, {_shown(now[name])} now"


def _shown(value: object) -> str:
    return "none" if value in (None, "") else repr(value)
