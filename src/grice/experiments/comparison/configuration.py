"""How an experiment was configured, as far as its heads and its attempts tell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from grice.experiments.attempts import Attempt
from grice.experiments.comparison.pairing import Pair
from grice.experiments.comparison.side_texts import OTHER_NUMBERS
from grice.experiments.judge_requests import Judging
from grice.experiments.results import ExperimentResults
from grice.records import FollowedGraph
from grice.running.journal.experiment import Experiment, ModelUsed

NO_GRAPH = frozenset({""})

_USER_PROMPTS = frozenset({"user", "user_template"})

JudgedBy = Callable[[Judging], str]

"""What is looked at: the model, the prompt or the fingerprint; "" where it was not recorded."""


@dataclass(frozen=True)
class Graphs:
    """The topic graphs that one side follows.

    `known` has their fingerprints by the stable id of the scenario, "" for none; a scenario without a turn
    that tells no graph is left out. `unknown` counts the attempts that visited topics whose graph nothing
    tells. `shapes` are the graphs by fingerprint, as far as attempts have them.
    """

    known: Mapping[str, frozenset[str]]
    unknown: int
    shapes: Mapping[str, FollowedGraph]

    @property
    def following(self) -> frozenset[str]:
        """The ids of the scenarios that follow one."""
        return frozenset(id_ for id_, graphs in self.known.items() if graphs != NO_GRAPH)


@dataclass(frozen=True)
class Criteria:
    """The criteria of an experiment.

    `fingerprints` are those of each, more than one where modules have their own or it changed on the way, and
    `declared` those of them that heads have; `used` are the names that checks have, `hard` those of which a
    check was hard. Parts of Grice's own checks have names only.
    """

    fingerprints: Mapping[str, frozenset[str]]
    declared: Mapping[str, frozenset[str]]
    used: frozenset[str]
    hard: frozenset[str]


@dataclass(frozen=True)
class Configuration:
    """What is known of one side. Sets are empty where nothing is known, and larger than one where it changed.

    `judges` and `users` are models, `judge_model` reads that of an answer, the declared one where no answer
    says it. `judge_prompts` and `user_prompts` are like `criterion 2`. Of users nothing is told where they
    play in no scenario that is compared. `prompt_files` has the fingerprints of each prompt that was tested,
    `prompt_models` who answered them. `opaque` has no criteria that nothing was judged by.
    """

    graphs: Graphs
    criteria: Criteria
    judges: frozenset[str]
    judge_model: JudgedBy
    judge_prompts: frozenset[str]
    judged_hard: frozenset[str]
    uncalibrated: int
    users: frozenset[str]
    user_hashes: frozenset[str]
    user_prompts: frozenset[str]
    configs: frozenset[str]
    agents: frozenset[str]
    prompt_files: Mapping[str, frozenset[str]]
    prompt_models: frozenset[str]
    commits: frozenset[str]
    versions: frozenset[str]
    dirty: bool
    opaque: frozenset[str]

    @property
    def several(self) -> tuple[str, ...]:
        """What there is more than one of, as in `2 agents`: the run was resumed after it had changed."""
        kinds = {
            "agents": self.agents,
            "texts of a prompt": max(self.prompt_files.values(), key=len, default=frozenset()),
            "LLMs that answer prompts": self.prompt_models,
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
    judged = {how for one in attempts for how in one.judged}
    criteria = _criteria(heads, attempts)
    answered = _told(how.model for how in judged)
    declared = _told(head.models["judge"].model for head in heads if "judge" in head.models)
    unsaid = next(iter(declared)) if not answered and len(declared) == 1 else ""
    playing = [] if _plays(results.attempts) and not _plays(attempts) else heads
    return Configuration(
        graphs=_graphs(heads, results.attempts, shared),
        criteria=criteria,
        judges=answered or (declared if judged else frozenset()),
        judge_model=lambda how: how.model or unsaid,
        judge_prompts=frozenset(f"{how.prompt} {how.version}" for how in judged),
        judged_hard=criteria.hard & {how.subject for how in judged if how.fingerprint},
        uncalibrated=sum(one.uncalibrated for one in attempts),
        users=_told(_model(head.models["user"]) for head in playing if "user" in head.models),
        user_hashes=_told(head.user_hash for head in playing),
        user_prompts=frozenset(
            f"{name} {version}"
            for head in playing
            for name, version in head.prompts.items()
            if name in _USER_PROMPTS
        ),
        configs=_told(head.config_hash for head in heads),
        agents=_told(head.agent for head in heads),
        prompt_files=_prompt_files(heads),
        prompt_models=_told(_model(head.models["prompt"]) for head in heads if "prompt" in head.models),
        commits=_told(head.git_commit or "" for head in heads),
        versions=_told(head.grice_version for head in heads),
        dirty=any(head.git_dirty for head in heads),
        opaque=frozenset(_opaque(heads, criteria.used)),
    )


def judged_by(attempts: Iterable[Attempt], read: JudgedBy) -> Mapping[str, set[frozenset[str]]]:
    """In which ways attempts were judged, by what was judged: a criterion, else a matcher."""
    found: dict[str, set[frozenset[str]]] = {}
    for one in attempts:
        ways: dict[str, set[str]] = {}
        for how in one.judged:
            ways.setdefault(how.subject, set()).add(read(how))
        for subject, way in ways.items():
            found.setdefault(subject, set()).add(frozenset(way))
    return found


def _told(values: Iterable[str]) -> frozenset[str]:
    return frozenset(value for value in values if value)


def _plays(attempts: Iterable[Attempt]) -> bool:
    """Whether a user is known to be played in one of them: its conduct was looked at."""
    return any(one.simulated or one.conduct for one in attempts)


def _model(used: ModelUsed) -> str:
    return "/".join(part for part in (used.provider, used.model or used.name) if part)


def _prompt_files(heads: Iterable[Experiment]) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for head in heads:
        for name, text in head.prompt_files.items():
            found[name] = found.get(name, frozenset()) | {text}
    return found


def _criteria(heads: Iterable[Experiment], attempts: Iterable[Attempt]) -> Criteria:
    """Those of the heads; of criteria that these do not name, what judges were asked."""
    declared: dict[str, set[str]] = {}
    for head in heads:
        for name, marks in head.criteria.items():
            declared.setdefault(name, set()).update(marks)
    seen: dict[str, set[str]] = {}
    used: set[str] = set()
    hard: set[str] = set()
    for attempt in attempts:
        for how in attempt.judged:
            if how.fingerprint:
                seen.setdefault(how.subject, set()).add(how.fingerprint)
        for row in attempt.checks:
            if row.criterion:
                used.add(row.criterion)
                hard.update({row.criterion} if row.mode == "hard" else ())
    told = {name: frozenset(marks) for name, marks in declared.items()}
    known = {name: frozenset(marks) for name, marks in seen.items()} | told
    return Criteria(known, told, frozenset(used), frozenset(hard))


def _opaque(heads: Iterable[Experiment], used: frozenset[str]) -> Iterator[str]:
    """What is code; of criteria those that something was judged by."""
    for head in heads:
        unused = {f"criterion {name}" for name in head.criteria.keys() - used}
        yield from (name for name in head.opaque if name not in unused)


def _graphs(heads: Iterable[Experiment], attempts: Sequence[Attempt], shared: frozenset[str]) -> Graphs:
    """What all attempts of an experiment tell, and the heads where these tell nothing.

    Graphs are those of the `shared` scenarios; where there are none, all are taken together.
    """
    declared = frozenset(head.topic_graph_hash for head in heads if head.topic_graph_hash)
    told = any(one.graph or one.visits for one in attempts)
    known: dict[str, frozenset[str]] = {}
    shapes: dict[str, FollowedGraph] = {}
    unknown = 0
    for one in attempts:
        if not shared or one.id in shared:
            own = frozenset({one.graph}) if one.graph else _untold(one, declared, told)
            unknown += own is None
            if own:
                scenario = one.id if shared else ""
                known[scenario] = known.get(scenario, frozenset()) | own
            if one.followed is not None:
                shapes[one.followed.hash] = one.followed
    return Graphs(known, unknown, shapes)


def _untold(one: Attempt, declared: frozenset[str], told: bool) -> frozenset[str] | None:
    """What an attempt follows that does not say which graph: nothing known is empty, None not recorded.

    What heads declare holds for those that visited topics, and for all where no attempt tells anything.
    """
    if one.visits:
        return declared or None
    if declared and not told:
        return declared
    return NO_GRAPH if one.turns else frozenset()


@dataclass
class Judged:
    """In how many scenarios both sides were judged, in how many otherwise, in how many nobody can tell."""

    compared: int = 0
    other: int = 0
    unknown: int = 0

    @property
    def mostly_other(self) -> bool:
        """Whether more scenarios were judged otherwise than may be told only."""
        return self.other > OTHER_NUMBERS * self.compared


def judged_otherwise(pairs: Iterable[Pair], before: JudgedBy, after: JudgedBy) -> dict[str, Judged]:
    """By what was judged: a criterion, else a matcher. Only what both sides of a scenario have counts."""
    found: dict[str, Judged] = {}
    for pair in pairs:
        old, new = judged_by(pair.baseline, before), judged_by(pair.current, after)
        for subject in sorted(old.keys() & new.keys()):
            told = found.setdefault(subject, Judged())
            told.compared += 1
            if any("" in way for way in old[subject] | new[subject]):
                told.unknown += 1
            else:
                told.other += old[subject] != new[subject]
    return found


@dataclass(frozen=True)
class CriteriaChanges:
    """Names of criteria that checks of either side used, each list sorted.

    `changed` are those with another fingerprint, `unknown` those of which one side alone tells it. `mixed`
    are those of which judges were asked another text in a few scenarios.
    """

    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[str, ...]
    unknown: tuple[str, ...]
    mixed: dict[str, Judged]

    @property
    def left_out(self) -> frozenset[str]:
        """Those that cannot be compared."""
        return frozenset({*self.added, *self.removed, *self.changed})


def criteria_changes(before: Configuration, after: Configuration, pairs: Sequence[Pair]) -> CriteriaChanges:
    """What became of the criteria that were used.

    A criterion may have several texts in one experiment, the same on both sides. So what judges were asked is
    compared scenario by scenario.
    """
    old, new = before.criteria, after.criteria
    used = sorted(old.used | new.used)
    added = tuple(name for name in used if name not in old.used | old.fingerprints.keys())
    removed = tuple(name for name in used if name not in new.used | new.fingerprints.keys())
    both = [name for name in used if name not in added and name not in removed]
    told = [name for name in both if name in old.fingerprints and name in new.fingerprints]
    asked = judged_otherwise(pairs, lambda how: how.fingerprint, lambda how: how.fingerprint)
    changed = tuple(name for name in told if _differs(name, old, new, asked.get(name)))
    return CriteriaChanges(
        added,
        removed,
        changed,
        tuple(name for name in both if (name in old.fingerprints) is not (name in new.fingerprints)),
        {name: asked[name] for name in told if name in asked and asked[name].other and name not in changed},
    )


def _differs(name: str, old: Criteria, new: Criteria, asked: Judged | None) -> bool:
    """Whether it is another criterion.

    Where each side declares one text, these say so; else what judges were asked in the scenarios of both.
    Without that it is the same where one side has all texts of the other, and some modules more.
    """
    declared = old.declared.get(name, frozenset()), new.declared.get(name, frozenset())
    if len(declared[0]) == len(declared[1]) == 1 and declared[0] != declared[1]:
        return True
    if asked is not None:
        return asked.mostly_other
    before, after = old.fingerprints[name], new.fingerprints[name]
    return not (before <= after or after <= before)
