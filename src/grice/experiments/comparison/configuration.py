"""How an experiment was configured, as far as its heads and its attempts tell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from grice.experiments.asked import IN_PARTS
from grice.experiments.attempts import Attempt
from grice.experiments.comparison.topic_graphs import FollowedGraphs, followed_graphs
from grice.experiments.results import ExperimentResults
from grice.running.journal.experiment import Experiment, ModelUsed

__all__ = ["Configuration", "Criteria", "configuration_of"]

_USER_PROMPTS = frozenset({"user", "user_template"})


@dataclass(frozen=True)
class Criteria:
    """The criteria of an experiment.

    `fingerprints` are those of each, more than one where modules have their own or it changed on the way, and
    `declared` those of them that heads have; `used` are the names that checks have, `deciding` those of which
    a check was hard, `own` those that somebody wrote. The others are rows of bundles and parts of other
    checks of Grice's own, known by the versions of Grice and its prompts.
    """

    fingerprints: Mapping[str, frozenset[str]]
    declared: Mapping[str, frozenset[str]]
    used: frozenset[str]
    deciding: frozenset[str]
    own: frozenset[str]

    @property
    def names(self) -> frozenset[str]:
        """All that are known of."""
        return self.used | self.fingerprints.keys()


@dataclass(frozen=True)
class Configuration:
    """What is known of one side. Sets are empty where nothing is known, and larger than one where it changed.

    `graphs` are those that heads declare, `followed` those of scenarios. `judges` and `users` are models,
    the judges those that heads declare where no answer says one (`judges_declared`). `judge_prompts` and
    `user_prompts` are like `criterion 2`. `judged_hard` names the criteria that a judge
    was asked in hard checks. `plays_elsewhere` says whether users are known to be played in scenarios that
    are not compared, and in none that are. `recorded` says that somebody's own
    runner recorded it. `opaque` has no criteria that nothing was judged by.
    """

    graphs: frozenset[str]
    followed: FollowedGraphs
    criteria: Criteria
    judges: frozenset[str]
    judges_declared: bool
    judge_prompts: frozenset[str]
    users: frozenset[str]
    user_hashes: frozenset[str]
    user_prompts: frozenset[str]
    configs: frozenset[str]
    agents: frozenset[str]
    commits: frozenset[str]
    versions: frozenset[str]
    dirty: bool
    opaque: frozenset[str]
    judged_hard: frozenset[str]
    uncalibrated: int
    plays_elsewhere: bool
    recorded: bool

    @property
    def several(self) -> tuple[str, ...]:
        """What there is more than one of, as in `2 agents`: the run was resumed after it had changed."""
        kinds = {
            "agents": self.agents,
            "commits": self.commits,
            "configurations": self.configs,
            "user LLMs": self.users,
            "Grice versions": self.versions,
        }
        return tuple(f"{len(values)} {name}" for name, values in kinds.items() if len(values) > 1)


def configuration_of(results: ExperimentResults, shared: frozenset[str] = frozenset()) -> Configuration:
    """What the heads and the attempts of an experiment tell of how it was configured.

    `shared` are the stable ids of the scenarios that are compared: where there are any, criteria and judges
    are those of their attempts.
    """
    heads = results.heads
    attempts = [one for one in results.attempts if not shared or one.id in shared]
    asked = {how.subject for one in attempts for how in one.judged if how.fingerprint}
    criteria = _criteria(heads, attempts)
    answered = _told(how.model for one in attempts for how in one.judged)
    return Configuration(
        graphs=_told(head.topic_graph_hash for head in heads),
        followed=followed_graphs(heads, results.attempts, shared),
        criteria=criteria,
        judges=answered or _declared_judges(heads, attempts),
        judges_declared=not answered,
        judge_prompts=_prompts(attempts),
        users=_models(heads, "user"),
        user_hashes=_told(head.user_hash for head in heads),
        user_prompts=_user_prompts(heads),
        configs=_told(head.config_hash for head in heads),
        agents=_told(head.agent for head in heads),
        commits=_told(head.git_commit or "" for head in heads),
        versions=_told(head.grice_version for head in heads),
        dirty=any(head.git_dirty for head in heads),
        opaque=frozenset(_opaque(heads, criteria.used)),
        judged_hard=criteria.deciding & asked,
        uncalibrated=sum(one.uncalibrated for one in attempts),
        plays_elsewhere=_plays(results.attempts) and not _plays(attempts),
        recorded=any(head.recorded for head in heads),
    )


def _told(values: Iterable[str]) -> frozenset[str]:
    return frozenset(value for value in values if value)


def _plays(attempts: Iterable[Attempt]) -> bool:
    """Whether a user is known to be played in one of them: its conduct was looked at."""
    return any(one.conduct for one in attempts)


def _criteria(heads: Iterable[Experiment], attempts: Iterable[Attempt]) -> Criteria:
    """Those of the heads; of criteria that these do not name, what judges were asked."""
    declared: dict[str, set[str]] = {}
    for head in heads:
        for name, marks in head.criteria.items():
            declared.setdefault(name, set()).update(marks)
    seen: dict[str, set[str]] = {}
    used: set[str] = set()
    deciding: set[str] = set()
    own: set[str] = set()
    for attempt in attempts:
        for how in attempt.judged:
            _collect(seen, {how.subject: how.fingerprint})
        for row in attempt.checks:
            if row.criterion:
                used.add(row.criterion)
                deciding.update({row.criterion} if row.mode == "hard" else ())
                own.update(() if row.bundle or row.matcher in IN_PARTS else {row.criterion})
    own |= seen.keys() | declared.keys()
    told = {name: frozenset(marks) for name, marks in declared.items()}
    known = {name: frozenset(marks) for name, marks in seen.items()} | told
    return Criteria(known, told, frozenset(used), frozenset(deciding), frozenset(own))


def _opaque(heads: Iterable[Experiment], used: frozenset[str]) -> Iterator[str]:
    """What is code; of criteria those that something was judged by."""
    for head in heads:
        unused = {f"criterion {name}" for name in head.criteria.keys() - used}
        yield from (name for name in head.opaque if name not in unused)


def _collect(into: dict[str, set[str]], fingerprints: Mapping[str, str]) -> None:
    for name, mark in fingerprints.items():
        if mark:
            into.setdefault(name, set()).add(mark)


def _declared_judges(heads: Iterable[Experiment], attempts: Sequence[Attempt]) -> frozenset[str]:
    """The models that heads declare, where judges were asked."""
    if not any(one.judged for one in attempts):
        return frozenset()
    return _told(head.models["judge"].model for head in heads if "judge" in head.models)


def _prompts(attempts: Iterable[Attempt]) -> frozenset[str]:
    return frozenset(f"{how.prompt} {how.version}" for one in attempts for how in one.judged)


def _user_prompts(heads: Iterable[Experiment]) -> frozenset[str]:
    every = {(name, version) for head in heads for name, version in head.prompts.items()}
    return frozenset(f"{name} {version}" for name, version in every if name in _USER_PROMPTS)


def _models(heads: Iterable[Experiment], role: str) -> frozenset[str]:
    return _told(_model(head.models[role]) for head in heads if role in head.models)


def _model(used: ModelUsed) -> str:
    return "/".join(part for part in (used.provider, used.model or used.name) if part)
