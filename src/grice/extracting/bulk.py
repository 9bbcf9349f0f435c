"""Many findings of a log: one fault for each cluster of alike ones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from grice.extracting.fault import Fault, faults_in
from grice.formats.lines import Unreadable
from grice.formats.mapping import LogMapping
from grice.scanning import Choice, Finding, ScanOptions, scan
from grice.scanning.one_conversation import conversation_at
from grice.scanning.report import reason_shape
from grice.scanning.workers import cores

_ALIKE = 0.25
"""The share of words in common from which two replies of a label are alike."""
_WORD = re.compile(r"\w+")


class Cluster(NamedTuple):
    """Findings of a label that are alike: the same kind of reason, said in much the same words."""

    first: Finding
    words: frozenset[str]
    places: list[str]


def clusters_in(
    path: Path, choice: Choice, mappings: Mapping[str, LogMapping] | None = None, project: str = ""
) -> list[Cluster]:
    """What the checks find in a log, alike findings together. Raises Unreadable.

    `mappings` say how logs of home-made shapes are read; `project` is the folder whose settings hold.
    """
    found: list[Finding] = []
    options = ScanOptions(cores=cores(), project=project)
    report = scan([path], choice, options, mappings=mappings or {}, on_finding=found.append)
    if report.unreadable:
        raise Unreadable(f"{path}: {report.unreadable[0].reason}")
    if not report.conversations:
        raise Unreadable(f"{path}: no conversation could be read; see grice scan {path}")
    return clustered(found)


def clustered(findings: Iterable[Finding]) -> list[Cluster]:
    """Findings together that are alike; the first of each stands for it."""
    clusters: dict[tuple[str, str], list[Cluster]] = {}
    for one in findings:
        words = frozenset(_WORD.findall(one.excerpt.casefold()))
        place = f"{Path(one.file).name}:{one.line}"
        group = clusters.setdefault((one.label, reason_shape(one.reason)), [])
        like = next((other for other in group if _share(words, other.words) >= _ALIKE), None)
        if like is None:
            group.append(Cluster(one, words, [place]))
        else:
            like.places.append(place)
    return [one for group in clusters.values() for one in group]


def _share(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one | other else 1.0


def fault_of(path: Path, cluster: Cluster, choice: Choice, mapping: LogMapping | None = None) -> Fault | None:
    """The fault of the finding that stands for a cluster; None where its check fails there no longer."""
    finding = cluster.first
    checks = [one for one in choice.checks if one.label == finding.label]
    place = f"{path.name}:{finding.line}"
    conversation = conversation_at(path, finding.line, mapping)
    return next(_nearest(faults_in(conversation, checks, place), finding.turn), None)


def _nearest(faults: Iterable[Fault], turn: int) -> Iterator[Fault]:
    """That of the turn; of a check of conversations the one where it first fails."""
    found = list(faults)
    yield from sorted(found, key=lambda one: abs(one.turn - turn))
