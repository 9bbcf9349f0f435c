"""Gates are declared in `[tool.grice.gates]` and by options; every mistake is found, with its place."""

from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from grice.experiments.gates.declared import Declared, GateOptions, declared_gates
from grice.experiments.gates.gate_kinds import BUNDLES, SINGLE, TABLES
from grice.experiments.gates.gate_settings import gates_schema
from grice.experiments.gates.records import Gate, GateError
from grice.files.settings import Settings, load_settings


def settings_of(folder: Path, gates: str) -> Settings:
    folder.joinpath("pyproject.toml").write_text(f"[tool.grice.gates]\n{gates}\n", "utf-8")
    found = load_settings(folder)
    assert found is not None
    return found


def declared(folder: Path, text: str, **options: object) -> dict[str, Gate]:
    found = declared_gates(settings_of(folder, text), GateOptions(**options))  # type: ignore[arg-type]
    return {gate.name: gate for gate in found.gates}


def mistakes(folder: Path, text: str, **options: object) -> list[str]:
    with pytest.raises(GateError) as raised:
        declared(folder, text, **options)
    return [line.removeprefix(str(folder)) for line in str(raised.value).split("\n")]


def test_nothing_is_gated_unless_it_is_declared(tmp_path: Path) -> None:
    assert declared_gates(None) == Declared((), allow_unfinished=False)
    assert declared(tmp_path, "") == {}


@pytest.mark.parametrize(
    ("text", "gate"),
    [
        ("completion = 0.8", Gate("completion", 0.8, "at least")),
        ("completion = 1", Gate("completion", 1.0, "at least")),
        (
            'completion = {at_least = 0.8, rule = "shown"}',
            Gate("completion", 0.8, "at least", "shown"),
        ),
        ("evaluation = 0.85", Gate("evaluation", 0.85, "at least")),
        ("criteria = {friendly = 0.9}", Gate("criteria.friendly", 0.9, "at least")),
        ('criteria = {"says hi. And bye" = 0.9}', Gate("criteria.says hi. And bye", 0.9, "at least")),
        ('layers = {"1" = 0.95}', Gate("layers.rules", 0.95, "at least")),
        ("layers = {judges = 0.95}", Gate("layers.judges", 0.95, "at least")),
        ("matchers = {be_free_of = 1.0}", Gate("matchers.be_free_of", 1.0, "at least")),
        ("matchers = {to_be_free_of = 1.0}", Gate("matchers.be_free_of", 1.0, "at least")),
        ("matchers = {toBeFreeOf = 1.0}", Gate("matchers.be_free_of", 1.0, "at least")),
        ("judges = {naturalness = 3.7}", Gate("judges.naturalness", 3.7, "at least")),
        ("clarifier_efficiency = 2.0", Gate("clarifier_efficiency", 2.0, "at most")),
        ("flakiness = 0.05", Gate("flakiness", 0.05, "at most")),
        (
            'flakiness = {at_most = 0.05, rule = "ruled_out"}',
            Gate("flakiness", 0.05, "at most", "ruled_out"),
        ),
        ("latency_p95 = 5", Gate("latency_p95", 5.0, "below")),
        ("latency_p95 = {below = 5}", Gate("latency_p95", 5.0, "below")),
        ("tokens_p95 = {at_most = 3000}", Gate("tokens_p95", 3000.0, "at most")),
        ("uncalibrated = 0", Gate("uncalibrated", 0.0, "at most")),
        (
            'tokens_p95 = {max_rise = 0.2, baseline = "7 days ago"}',
            Gate("tokens_p95.max_rise", 0.2, "at most", baseline="7 days ago"),
        ),
        (
            'judges = {naturalness = {max_drop = 0.5, baseline = "main"}}',
            Gate("regression.judges.naturalness", 0.5, "at most", baseline="main"),
        ),
        (
            'regression = {judges = {naturalness = 0.5}, baseline = "main"}',
            Gate("regression.judges.naturalness", 0.5, "at most", baseline="main"),
        ),
        (
            'regression = {completion = 0.0, baseline = "main"}',
            Gate("regression.completion", 0.0, "at most", "point", "main"),
        ),
        (
            'regression = {criteria = {friendly = 0.05}, baseline = "main", rule = "ruled_out"}',
            Gate("regression.criteria.friendly", 0.05, "at most", "ruled_out", "main"),
        ),
        (
            'regression = {evaluation = {at_most = 0.02, rule = "point"}, baseline = "main"}',
            Gate("regression.evaluation", 0.02, "at most", "point", "main"),
        ),
    ],
)
def test_every_form_of_a_gate(tmp_path: Path, text: str, gate: Gate) -> None:
    (found,) = declared(tmp_path, text).values()
    assert found == Gate(gate.name, gate.limit, gate.bound, gate.rule, gate.baseline, "[tool.grice.gates]")


@pytest.mark.parametrize("level", ["LOW", "MEDIUM", "HIGH"])
def test_a_comparison_has_to_be_worth_so_much(tmp_path: Path, level: str) -> None:
    text = f'regression = {{validity = "{level}", baseline = "main"}}'
    limit = {"LOW": 1.0, "MEDIUM": 2.0, "HIGH": 3.0}[level]
    (found,) = declared(tmp_path, text).values()
    assert found == Gate("regression.validity", limit, "at least", "point", "main", "[tool.grice.gates]")
    given = declared(tmp_path, "", gates=[f"regression.validity={level}"], baseline="main")
    assert (given["regression.validity"].limit, given["regression.validity"].rule) == (limit, "point")
    assert declared(tmp_path, text, gates=["regression.validity=false"]) == {}


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ('"MEDUM"', "found 'MEDUM' (did you mean 'MEDIUM'?)"),
        ('"INVALID"', "found 'INVALID'"),
        ("2", "found the number 2"),
        ("true", "found true"),
        ('["LOW"]', "found a list"),
    ],
)
def test_a_level_that_there_is_not_is_a_mistake(tmp_path: Path, value: str, said: str) -> None:
    (found,) = mistakes(tmp_path, f'regression = {{validity = {value}, baseline = "main"}}')
    assert found.endswith(f"regression.validity: expected one of LOW, MEDIUM, HIGH, or false, {said}")


def test_what_belongs_to_another_gate_is_told_where(tmp_path: Path) -> None:
    found = mistakes(tmp_path, 'validity = "LOW"\nmax_rise = 0.2')
    assert [one.partition("gates: ")[2] for one in found] == [
        'validity belongs to another gate: regression = {validity = "MEDIUM"}',
        "max_rise belongs to another gate: tokens_p95 = {max_rise = 0.2}",
    ]


def test_an_option_says_the_same_as_the_settings(tmp_path: Path) -> None:
    given = [
        "completion=0.8",
        "criteria.says a=b. So=0.9",
        "regression.criteria.kind.er=0.02",
        "latency_p95=5",
    ]
    found = declared(tmp_path, "", gates=given, baseline="main")
    assert {name: gate.limit for name, gate in found.items()} == {
        "completion": 0.8,
        "criteria.says a=b. So": 0.9,
        "regression.criteria.kind.er": 0.02,
        "latency_p95": 5.0,
    }
    assert found["regression.criteria.kind.er"].baseline == "main"
    assert found["completion"].origin == "--gate completion=0.8"


def test_an_option_replaces_the_gate_of_its_name_and_false_takes_it_away(tmp_path: Path) -> None:
    settings = 'completion = {at_least = 0.8, rule = "shown"}\nevaluation = 0.7'
    found = declared(tmp_path, settings, gates=["completion=0.9", "evaluation=false"])
    assert [(gate.name, gate.limit, gate.rule) for gate in found.values()] == [("completion", 0.9, "shown")]


def test_an_option_keeps_the_rule_and_the_baseline_that_were_declared_for_its_gate(tmp_path: Path) -> None:
    settings = """\
regression = {completion = 0.05, rule = "ruled_out", baseline = "main"}
tokens_p95 = {max_rise = 0.2, baseline = "7 days ago"}
"""
    given = ["regression.completion=0.02", "tokens_p95.max_rise=0.1"]
    found = declared(tmp_path, settings, gates=given)
    assert {name: (gate.limit, gate.rule, gate.baseline) for name, gate in found.items()} == {
        "regression.completion": (0.02, "ruled_out", "main"),
        "tokens_p95.max_rise": (0.1, "point", "7 days ago"),
    }
    other = declared(tmp_path, settings, gates=given, rule="shown", baseline="v1")
    assert [(gate.rule, gate.baseline) for gate in other.values()] == [("shown", "v1"), ("point", "v1")]
    new = declared(tmp_path, "", gates=["regression.completion=0.02"], baseline="main")
    assert new["regression.completion"].rule == "point"


@pytest.mark.parametrize("settings", ["", "completion = 0.8", 'latency_p95 = 5\nbundle = "chat"'])
def test_a_baseline_that_no_gate_uses_is_a_mistake(tmp_path: Path, settings: str) -> None:
    assert mistakes(tmp_path, settings, gates=["evaluation=0.5"], baseline="main") == [
        ("--baseline: no gate is held against one, as regression.completion and tokens_p95.max_rise are")
    ]
    other = 'regression = {completion = 0.02, baseline = "main"}'
    assert declared(tmp_path, other, baseline="v1")["regression.completion"].baseline == "v1"
    unused = declared(tmp_path, other, gates=["regression.completion=false", "completion=0.5"])
    assert list(unused) == ["completion"]
    # A wrong name is one mistake, and what it was meant for is not told as another.
    (said,) = mistakes(tmp_path, settings, gates=["regresion.completion=0"], baseline="main")
    assert "unknown gate 'regresion'" in said


def test_a_rule_for_gates_that_have_none_is_a_mistake(tmp_path: Path) -> None:
    assert mistakes(tmp_path, "completion = 0.8", gates=["latency_p95=5"], rule="shown") == [
        "--rule: none of these gates has a rule: rates, regressions and flakiness have one"
    ]


@pytest.mark.parametrize(
    "limit", ["0.9_5", "0_9", "\u0660.\u0669", "\u0661", "1e-1", "inf", "nan", "0x1", "+-1", "1.", "true", ""]
)
def test_a_limit_of_an_option_is_a_plain_decimal_number(tmp_path: Path, limit: str) -> None:
    (said,) = mistakes(tmp_path, "", gates=[f"completion={limit}"])
    assert "completion: expected a share from 0 to 1" in said
    for plain, number in (("0.95", 0.95), ("+.5", 0.5), ("1", 1.0), ("-0", 0.0)):
        assert declared(tmp_path, "", gates=[f"completion={plain}"])["completion"].limit == number


@pytest.mark.parametrize("table", ["criteria", "matchers", "layers", "judges", "chat"])
def test_a_table_that_gates_nothing_is_a_mistake(tmp_path: Path, table: str) -> None:
    settings = f'bundle = "chat"\ncompletion = 0.8\n{table} = {{}}'
    (said,) = mistakes(tmp_path, settings)
    assert said == (
        f"/pyproject.toml:4:1: [tool.grice] gates: {table}: expected a name and a limit, found {{}}: "
        "nothing would be gated"
    )


def test_parts_of_gates_that_gate_nothing_are_mistakes(tmp_path: Path) -> None:
    settings = 'bundle = []\nregression = {completion = 0.02, criteria = {}, baseline = "main"}'
    assert [one.partition("gates: ")[2] for one in mistakes(tmp_path, settings)] == [
        "bundle: expected one of chat, recommend, performance, or a list of them, found []",
        "regression.criteria: expected a name and a limit, found {}: nothing would be gated",
    ]


@pytest.mark.parametrize("gate", ["scenarios", "uncalibrated"])
def test_numbers_of_things_are_whole(tmp_path: Path, gate: str) -> None:
    assert mistakes(tmp_path, f"{gate} = 20.5") == [
        f"/pyproject.toml:2:1: [tool.grice] gates: {gate}: expected a whole number from 0 up, found 20.5"
    ]
    assert declared(tmp_path, f"{gate} = 20.0")[gate].limit == 20


def test_the_rule_of_the_options_is_for_rates(tmp_path: Path) -> None:
    found = declared(tmp_path, "", gates=["completion=0.9", "latency_p95=5"], rule="shown")
    assert (found["completion"].rule, found["latency_p95"].rule) == ("shown", "point")


def test_a_baseline_of_the_options_wins_and_that_of_regressions_is_the_usual_one(tmp_path: Path) -> None:
    text = 'latency_p95 = {max_rise = 0.1}\nregression = {completion = 0, baseline = "main"}'
    assert {gate.baseline for gate in declared(tmp_path, text).values()} == {"main"}
    assert {gate.baseline for gate in declared(tmp_path, text, baseline="v1").values()} == {"v1"}


def test_a_gate_that_needs_a_baseline_says_so(tmp_path: Path) -> None:
    assert mistakes(tmp_path, "completion = 1\nregression = {completion = 0}") == [
        (
            "/pyproject.toml:3:1: [tool.grice] gates: regression.completion: needs a baseline = "
            '"main" to be held against, or the option --baseline'
        )
    ]
    (said,) = mistakes(tmp_path, "", gates=["tokens_p95.max_rise=0.2"])
    assert said.startswith("--gate tokens_p95.max_rise=0.2: tokens_p95.max_rise: needs a baseline")


def test_a_bundle_stands_for_its_gates(tmp_path: Path) -> None:
    found = declared(tmp_path, 'bundle = ["chat", "recommend", "performance"]')
    assert {name: gate.limit for name, gate in found.items()} == {
        "chat.naturalness": 3.7,
        "chat.iq": 3.7,
        "chat.tools": 1.0,
        "chat.repeats": 1.0,
        "chat.structure": 1.0,
        "recommend.naturalness": 3.7,
        "recommend.guidance": 4.0,
        "recommend.context_use": 3.7,
        "recommend.iq": 3.9,
        "recommend.products": 1.0,
        "recommend.coverage": 1.0,
        "recommend.tools": 1.0,
        "latency_p95": 5.0,
        "tokens_p95.max_rise": 0.2,
    }
    assert (found["latency_p95"].bound, found["tokens_p95.max_rise"].baseline) == ("below", "7 days ago")
    assert declared(tmp_path, "", bundles=["chat"]).keys() == declared(tmp_path, 'bundle = "chat"').keys()


def test_a_gate_of_a_bundle_is_replaced_or_taken_away(tmp_path: Path) -> None:
    found = declared(tmp_path, 'bundle = "chat"\nchat = {tools = 0.9, structure = false}')
    assert (found["chat.tools"].limit, "chat.structure" in found) == (0.9, False)


def test_every_mistake_is_told_at_once_with_its_line(tmp_path: Path) -> None:
    text = """\
completion = 80
evaluation = {at_most = 0.9}
flakyness = 0.05
latency_p95 = "fast"
tokens_p95 = {baseline = 7}
layers = {rule = 0.5}
judges = {naturalness = 6}
criteria = 0.5
uncalibrated = nan
chat = {tools = 1.0}
bundle = "recomend"
allow_unfinished = "yes"
scenarios = {at_least = 1, rule = "shown"}
clarifier_efficiency = {}

[tool.grice.gates.regression]
completion = 2
quality = 1
rule = "sure"
baseline = "main"
"""
    found = [one.removeprefix("/pyproject.toml:") for one in mistakes(tmp_path, text)]
    told = [(one.partition(": ")[0], one.split("[tool.grice] gates: ")[1]) for one in found]
    assert told == [
        ("2:1", "completion: expected a share from 0 to 1 (0.8 is 80 %), found 80"),
        ("3:1", "evaluation: missing field 'at_least', expected a share from 0 to 1 (0.8 is 80 %)"),
        ("3:15", "evaluation: unknown field 'at_most'"),
        ("4:1", "unknown gate 'flakyness' (did you mean 'flakiness'?)"),
        ("5:1", "latency_p95: expected a number of seconds above 0, found the string 'fast'"),
        (
            "6:15",
            (
                'tokens_p95.baseline: expected the name of a baseline or experiment, such as "main" or '
                '"7 days ago", found the number 7'
            ),
        ),
        (
            "7:11",
            (
                "layers: expected one of 0 to 4, telemetry, rules, evidence, judges, meaning, found 'rule' "
                "(did you mean 'rules'?)"
            ),
        ),
        ("8:11", "judges.naturalness: expected points from 1 to 5, found 6"),
        ("9:1", "criteria: expected a table of names and limits, found the number 0.5"),
        ("10:1", "uncalibrated: expected a whole number from 0 up, found nan"),
        ("11:1", 'chat is a bundle: declare it with bundle = "chat"'),
        (
            "12:1",
            (
                "bundle: expected one of chat, recommend, performance, or a list of them, found 'recomend' "
                "(did you mean 'recommend'?)"
            ),
        ),
        ("13:1", "allow_unfinished: expected true or false, found the string 'yes'"),
        ("14:28", "scenarios: unknown field 'rule'"),
        ("15:1", "clarifier_efficiency: missing field 'at_most', expected a number of turns above 0"),
        ("18:1", "regression.completion: expected a drop from 0 to 1 (0.02 is 2 points), found 2"),
        (
            "19:1",
            (
                "regression: unknown field 'quality': expected one of completion, evaluation, criteria, "
                "judges, validity, baseline, rule"
            ),
        ),
        ("20:1", "regression.rule: expected one of point, ruled_out, shown, found 'sure'"),
    ]


def test_a_baseline_alone_gates_nothing(tmp_path: Path) -> None:
    said = "/pyproject.toml:2:15: [tool.grice] gates: tokens_p95.baseline: baseline goes with max_rise"
    assert mistakes(tmp_path, 'tokens_p95 = {baseline = "main"}')[0].startswith(said)
    assert mistakes(tmp_path, "tokens_p95 = {}")[0].endswith("tokens_p95: there is no limit in it")
    (said,) = mistakes(tmp_path, 'completion = 0.8\nregression = {baseline = "main"}')
    assert "toml:3:1: [tool.grice] gates: regression: no gate is held against the baseline: " in said


def test_a_name_that_is_no_gate_names_those_that_there_are(tmp_path: Path) -> None:
    (said,) = mistakes(tmp_path, "speed = 3")
    assert "unknown gate 'speed': there are completion, evaluation, scenarios, " in said


def test_every_mistake_within_a_gate_is_told_in_the_order_of_the_lines(tmp_path: Path) -> None:
    text = """\
[tool.grice.gates.regression]
rule = "sure"
baseline = 3
criteria = { kind = 2, brief = { at_most = 3, rule = "shon" } }
quality = 1

[tool.grice.gates.layers]
"1" = 0.5
rules = 0.9
"""
    text = f'completion = {{ at_lest = 0.8, rule = "shon" }}\nbundle = "caht"\n\n{text}'
    told = [one.split("[tool.grice] gates: ")[1] for one in mistakes(tmp_path, text)]
    assert [one.partition(": expected")[0] for one in told] == [
        "completion: unknown field 'at_lest' (did you mean 'at_least'?)",
        "completion.rule",
        "bundle",
        "regression.rule",
        "regression.baseline",
        "regression.criteria.kind",
        "regression.criteria.brief.at_most",
        "regression.criteria.brief.rule",
        "regression: unknown field 'quality'",
        "layers: rules is given twice",
    ]


def test_one_matcher_is_gated_once_however_it_is_written(tmp_path: Path) -> None:
    (said,) = mistakes(tmp_path, "matchers = {toCallTool = 1.0, call_tool = 0.5}")
    assert said.endswith("matchers: call_tool is given twice")
    (replaced,) = declared(
        tmp_path, "matchers = {toCallTool = 1.0}", gates=["matchers.to_call_tool=0.5"]
    ).values()
    assert replaced.limit == 0.5


@pytest.mark.parametrize("second", ["1", "false"])
def test_an_option_that_is_given_twice_is_a_mistake(tmp_path: Path, second: str) -> None:
    (said,) = mistakes(tmp_path, "", gates=["latency_p95=5", f"latency_p95={second}"])
    assert said == f"--gate latency_p95={second}: latency_p95: is given twice"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"gates": ["completion"]}, "--gate completion: expected NAME=LIMIT, such as completion=0.8"),
        ({"gates": ["=0.8"]}, "--gate =0.8: expected NAME=LIMIT, such as completion=0.8"),
        ({"gates": ["criteria=1"]}, "--gate criteria=1: expected NAME=LIMIT, such as criteria.friendly=0.9"),
        (
            {"gates": ["completion=much"]},
            (
                "--gate completion=much: completion: expected a share from 0 to 1 (0.8 is 80 %), "
                "found the string 'much'"
            ),
        ),
        (
            {"gates": ["compltion=1"]},
            "--gate compltion=1: unknown gate 'compltion' (did you mean 'completion'?)",
        ),
        (
            {"gates": ["bundle=chat"]},
            (
                "--gate bundle=chat: expected NAME=LIMIT, such as completion=0.8; a bundle is declared with "
                "--bundle"
            ),
        ),
        ({"rule": "shown"}, "--rule: goes with --gate: in the settings a gate has its own"),
        (
            {"rule": "show", "gates": ["completion=1"]},
            "--rule: expected one of point, ruled_out, shown, found 'show' (did you mean 'shown'?)",
        ),
        (
            {"bundles": ["caht"]},
            ("--bundle: expected one of chat, performance, recommend, found 'caht' (did you mean 'chat'?)"),
        ),
    ],
)
def test_a_wrong_option_is_named(tmp_path: Path, options: dict[str, object], said: str) -> None:
    assert mistakes(tmp_path, "", **options) == [said]


def test_a_run_that_is_not_finished_may_be_allowed(tmp_path: Path) -> None:
    settings = settings_of(tmp_path, "allow_unfinished = true")
    assert declared_gates(settings).allow_unfinished
    assert declared_gates(None, GateOptions(allow_unfinished=True)).allow_unfinished


@pytest.mark.parametrize("digits", [400, 5_000])
def test_a_number_of_hundreds_of_digits_is_no_limit(tmp_path: Path, digits: int) -> None:
    (found,) = mistakes(tmp_path, "", gates=[f"latency_p95={'9' * digits}"])
    assert "latency_p95: expected a number of seconds above 0, found the string '999" in found


def test_of_a_grice_toml_the_table_and_its_places_are_named_as_they_stand_there(tmp_path: Path) -> None:
    file = tmp_path / "grice.toml"
    file.write_text("[gates]\ncompletion = 0.8\n", "utf-8")
    (gate,) = declared_gates(load_settings(tmp_path)).gates
    assert gate.origin == "[gates]"
    file.write_text("[gates]\ncompletoin = 0.8\n", "utf-8")
    with pytest.raises(GateError, match=r"grice\.toml:2:1: gates: unknown gate 'completoin'"):
        declared_gates(load_settings(tmp_path))


# -- what may be missing


def most(folder: Path, text: str, **options: object) -> dict[str, float]:
    return {name: gate.max_missing for name, gate in declared(folder, text, **options).items()}


def test_nothing_may_be_missing_unless_a_gate_or_all_of_them_say_so(tmp_path: Path) -> None:
    assert most(tmp_path, "completion = 0.8") == {"completion": 0}
    own = "completion = {at_least = 0.8, max_missing = 3}\nevaluation = 0.5"
    assert most(tmp_path, own) == {"completion": 3, "evaluation": 0}
    assert most(tmp_path, f"max_missing = 0.02\n{own}") == {"completion": 3, "evaluation": 0.02}


def test_an_option_says_what_may_be_missing_of_gates_that_do_not(tmp_path: Path) -> None:
    text = "max_missing = 0.02\ncompletion = {at_least = 0.8, max_missing = 3}\nevaluation = 0.5"
    assert most(tmp_path, text, max_missing="0.1") == {"completion": 3, "evaluation": 0.1}
    given = most(tmp_path, text, gates=["completion=0.7", "criteria.kind=1"], bundles=["chat"])
    assert (given["completion"], given["criteria.kind"], given["chat.tools"]) == (3, 0.02, 0.02)


def test_every_gate_that_something_may_be_missing_of_takes_it(tmp_path: Path) -> None:
    text = """\
bundle = "chat"
max_missing = 0.5
criteria = {friendly = {at_least = 0.9, max_missing = 1}}
judges = {naturalness = {at_least = 3.7, max_drop = 0.5, baseline = "main", max_missing = 2}}
tokens_p95 = {at_most = 3000, max_rise = {at_most = 0.2, max_missing = 4}, baseline = "main", max_missing = 3}
regression = {completion = {at_most = 0.02, max_missing = 5}, baseline = "main"}
chat = {tools = {at_least = 1, max_missing = 6}}
scenarios = 3
uncalibrated = 0
"""
    found = most(tmp_path, text)
    assert {name: one for name, one in found.items() if one != 0.5} == {
        "chat.tools": 6,
        "criteria.friendly": 1,
        "judges.naturalness": 2,
        "regression.judges.naturalness": 2,
        "tokens_p95": 3,
        "tokens_p95.max_rise": 4,
        "regression.completion": 5,
        "scenarios": 0,
        "uncalibrated": 0,
    }


@pytest.mark.parametrize("name", ["regression", "regression.criteria", *TABLES, *BUNDLES])
def test_what_is_no_gate_by_itself_says_what_to_write(name: str) -> None:
    """What it says is a gate."""
    with pytest.raises(GateError) as refused:
        declared_gates(None, GateOptions([f"{name}=0.1"]))
    such = str(refused.value).partition(", such as ")[2].partition("; ")[0]
    for one in such.split(" or "):
        assert declared_gates(None, GateOptions([one], baseline="main" if "regression" in one else "")).gates


def test_a_number_for_regressions_in_the_settings_says_what_to_write(tmp_path: Path) -> None:
    (told,) = mistakes(tmp_path, "regression = 0.0")
    assert told.endswith(
        "regression: expected a table of what may fall, such as {completion = 0.02}, found the number 0.0"
    )


def test_the_schema_of_the_table_is_closed_and_names_every_gate() -> None:
    shape, definitions = gates_schema()
    table = definitions[shape["$ref"].rpartition("/")[2]]
    assert table["additionalProperties"] is False
    assert table["properties"].keys() == {
        *SINGLE, *TABLES, *BUNDLES, "regression", "bundle", "max_missing", "allow_unfinished"
    }  # fmt: skip
    check = Draft202012Validator({**shape, "$defs": definitions}).is_valid
    assert check({"completion": 0.8, "criteria": {"kind": {"at_least": 0.9, "rule": "shown"}}})
    assert not check({"completoin": 0.8})
    assert not check({"completion": {"at_most": 0.8}})
    assert not check({"regression": 0.0})


@pytest.mark.parametrize("value", ["-1", "1.5", "nan", "-0.1"])
def test_what_may_be_missing_is_a_share_or_a_number(tmp_path: Path, value: str) -> None:
    said = f"expected a share below 1 (0.02 is 2 %), or a number of things (3), found {value}"
    assert [one.partition("gates: ")[2] for one in mistakes(tmp_path, f"max_missing = {value}")] == [
        f"max_missing: {said}"
    ]
    if value != "nan":
        assert mistakes(tmp_path, "", max_missing=value) == [f"--max-missing: {said}"]


def test_of_what_nothing_can_be_missing_it_is_no_field(tmp_path: Path) -> None:
    (said,) = mistakes(tmp_path, "scenarios = {at_least = 3, max_missing = 1}")
    assert said.endswith("scenarios: unknown field 'max_missing'")
    (said,) = mistakes(tmp_path, "", gates=["max_missing=0.1"])
    assert said.endswith("expected NAME=LIMIT, such as completion=0.8; that is --max-missing")


def test_a_fall_of_a_judge_is_declared_in_one_place(tmp_path: Path) -> None:
    text = """\
judges = {naturalness = {max_drop = 0.5}}
regression = {judges = {naturalness = 0.4}, baseline = "main"}
"""
    (said,) = mistakes(tmp_path, text)
    assert said.endswith("regression.judges.naturalness is given twice")
    for option in ("regression.judges.a.b=0.5", "judges.a.b.max_drop=0.5"):
        found = declared(tmp_path, "", gates=[option], baseline="main")
        assert found["regression.judges.a.b"].limit == 0.5
