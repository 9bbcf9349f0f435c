"""The commands of `grice validate`; their bodies are imported when they run."""

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["validate"]

validate = typer.Typer(help="Measure how often checks are right, on labelled examples.", no_args_is_help=True)


@validate.command("checks")
def validate_checks(
    name: Annotated[
        str,
        typer.Argument(
            metavar="[NAME]",
            help="A rule or a matcher (openers, toOpenDifferently, module:my_matcher); without, all rules.",
            show_default=False,
        ),
    ] = "",
    folder: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FOLDER]",
            help="A folder of your own examples, or a file (.jsonl, .json); without, those of Grice.",
            show_default=False,
        ),
    ] = None,
    profile: Annotated[str, typer.Option("--profile", metavar="seed|robust|both")] = "both",
    json: Annotated[Path | None, typer.Option("--json", help="Write the measurements to this file.")] = None,
    markdown: Annotated[
        Path | None, typer.Option("--markdown", help="Write the table to this file as Markdown.")
    ] = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show every wrong outcome with its trace.")
    ] = False,
) -> None:
    """Measure rules on labelled examples: precision, recall, and each outcome that is not as documented.

    Exit code 0: every outcome is as documented. 1: one is not. 2: wrong usage, something cannot be read or
    written, or nothing was examined.
    """
    from grice.cli.validate import show_checks

    raise typer.Exit(
        show_checks(name, folder, profile=profile, json=json, markdown=markdown, verbose=verbose)
    )


@validate.command("rules")
def validate_rules(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE", help="Files of rules: .yaml, .json or .toml.", show_default=False),
    ],
) -> None:
    """Try rules on wording that you wrote as data on their own good and bad examples.

    Exit code 0: every example comes out as it should. 1: one does not. 2: something cannot be read.
    """
    from grice.cli.validate_rules import show_rules

    raise typer.Exit(show_rules(files))


_JSON = Annotated[Path | None, typer.Option("--json", help="Write the measurements to this file.")]
_MARKDOWN = Annotated[
    Path | None, typer.Option("--markdown", help="Write the tables to this file as Markdown.")
]
_CRITERIA = Annotated[
    str,
    typer.Option(
        "--criteria",
        metavar="MODULE:NAME",
        show_default=False,
        help="The criteria: a list, a map or one of them (default: criteria in [tool.grice]).",
    ),
]
_LLM = Annotated[
    str,
    typer.Option(
        "--llm",
        metavar="PROVIDER:MODEL",
        show_default=False,
        help="The judge's LLM, or module:attribute (default: judge_llm in [tool.grice]).",
    ),
]
_SAMPLES = Annotated[
    int | None,
    typer.Option(
        "--samples",
        metavar="K",
        show_default=False,
        help="Ask so often about each; the majority counts (default: judge_samples in [tool.grice], 1).",
    ),
]


@validate.command("criteria")
def validate_criteria(
    name: Annotated[
        str, typer.Argument(metavar="[NAME]", help="A criterion; without, all.", show_default=False)
    ] = "",
    criteria: _CRITERIA = "",
    llm: _LLM = "",
    samples: _SAMPLES = None,
    json: _JSON = None,
    markdown: _MARKDOWN = None,
    card: Annotated[
        bool, typer.Option("--card", help="Write a calibration card for each, of its own examples: weak.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show every example, with the judge's reason.")
    ] = False,
) -> None:
    """Try criteria on their own good, bad and edge examples, which are their unit tests.

    Each example is judged by a judge that is shown only the other examples of the criterion. Criteria by code
    need no LLM.

    Exit code 0: every example is judged as its author did. 1: one is not. 2: nothing was examined, the judge
    gave no answer, or wrong usage. 130: interrupted.
    """
    from grice.cli.validate_judges import show_criteria

    raise typer.Exit(
        show_criteria(
            name,
            criteria=criteria,
            llm=llm,
            samples=samples,
            json=json,
            markdown=markdown,
            card=card,
            verbose=verbose,
        )
    )


@validate.command("judge")
def validate_judge(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="A criterion, or naturalness, guidance or context_use.",
            show_default=False,
        ),
    ],
    labels: Annotated[
        list[Path],
        typer.Argument(
            metavar="LABELS",
            help="People's labels, .jsonl or .csv, as `grice label` writes them or with item and label.",
            show_default=False,
        ),
    ],
    items: Annotated[
        list[Path] | None,
        typer.Option(
            "--items",
            metavar="FILE",
            show_default=False,
            help="What was labelled, where it does not stand beside the labels. May be given several times.",
        ),
    ] = None,
    verdicts: Annotated[
        Path | None,
        typer.Option(
            "--verdicts",
            metavar="FILE",
            help="A log of the judge's answers: those there are not asked for again, new ones are appended. "
            "Without an LLM they are what is measured.",
        ),
    ] = None,
    criteria: _CRITERIA = "",
    llm: _LLM = "",
    model: Annotated[
        str,
        typer.Option("--model", help="Measure the recorded verdicts of this model only.", show_default=False),
    ] = "",
    samples: _SAMPLES = None,
    split: Annotated[
        str,
        typer.Option(
            "--split",
            metavar="KEY=SHARE",
            show_default=False,
            help="Which items are for tuning (dev), by a hash of KEY and cluster, and what share of them "
            "(default: grice=0.5).",
        ),
    ] = "",
    card: Annotated[
        bool, typer.Option("--card", help="Write the calibration card, which verdicts then carry.")
    ] = False,
    json: _JSON = None,
    markdown: _MARKDOWN = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show every item judged otherwise than by most people.")
    ] = False,
) -> None:
    """Measure how far a judge agrees with people's labels.

    What counts are the items held out: those for tuning are shown beside them. Kappa, the rates of right
    passes and fails, agreement among the people, self-consistency, bias by position and length, and cost.

    Exit code 0: it was measured. 2: it was not, or wrong usage. 130: interrupted; answers in --verdicts stay.
    """
    from grice.cli.validate_judges import show_judge

    raise typer.Exit(
        show_judge(
            name,
            labels,
            items=items or (),
            verdicts=verdicts,
            criteria=criteria,
            llm=llm,
            model=model,
            samples=samples,
            split=split,
            card=card,
            json=json,
            markdown=markdown,
            verbose=verbose,
        )
    )


@validate.command("drift")
def validate_drift(
    anchors: Annotated[
        Path,
        typer.Argument(
            metavar="ANCHORS",
            help="The frozen set: items with judge and scenario (.jsonl, .json, .csv).",
            show_default=False,
        ),
    ],
    judge: Annotated[
        str, typer.Option("--judge", help="The judge of anchors that name none.", show_default=False)
    ] = "",
    baseline: Annotated[
        Path | None,
        typer.Option("--baseline", help="What was accepted; without, ANCHORS with .baseline.json."),
    ] = None,
    accept: Annotated[
        bool, typer.Option("--accept", help="Compare, and then make these scores the baseline.")
    ] = False,
    issue: Annotated[
        Path | None,
        typer.Option("--issue", help="Where a drop is written as an issue; without, ANCHORS with .drift.md."),
    ] = None,
    samples: Annotated[
        int | None,
        typer.Option(
            "--samples", help="How often each anchor is judged; without, as often as in the baseline."
        ),
    ] = None,
    json: Annotated[Path | None, typer.Option("--json", help="Write the comparison to this file.")] = None,
    criteria: _CRITERIA = "",
    llm: _LLM = "",
) -> None:
    """Judge a frozen set of anchors anew, and compare with what was accepted.

    Exit code 0: no median dropped by 0.5 or more. 1: one did. 2: it cannot be told. 130: interrupted.
    """
    from grice.cli.validate_drift import show_drift

    raise typer.Exit(
        show_drift(
            anchors,
            judge=judge,
            baseline=baseline,
            accept=accept,
            issue=issue,
            samples=samples,
            json=json,
            llm=llm,
            criteria=criteria,
        )
    )
