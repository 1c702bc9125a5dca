"""`platform plan`: what would be done for a question, drawn; nothing of it is done."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from pegboard.edges.cli.opening import backend_of, settings_of
from pegboard.edges.cli.options import AsJson, Config, Data, NoServer, Site
from pegboard.edges.cli.ordering import Input, Only, PlanFile, Planning, Wanted, inputs_from, order_of
from pegboard.edges.cli.output import complain, inform, print_json
from pegboard.edges.cli.picture import Ascii, Shape, print_plan, print_steps
from pegboard.errors import UsageError
from pegboard.text import Json

EPILOG = """\b
Examples:
  platform plan "what is 2 + 3" --site kitchen
  platform plan "what is 2 + 3" --format mermaid
  platform plan "what is 2 + 3" --json > plan.json   to be changed by hand, and run: platform run --plan plan.json
  platform plan --plan plan.json                  check a plan, and draw it; exit code 2 where it cannot work
"""


def plan(
    context: typer.Context,
    question: Wanted = None,
    *,
    file: PlanFile = None,
    config: Config = None,
    data: Data = None,
    site: Site = None,
    tools: Only = None,
    inputs: Input = None,
    shape: Shape = None,
    explain: Annotated[bool, typer.Option("--explain", help="Print each step with its arguments in full too.")] = False,
    is_ascii: Ascii = False,
    as_json: AsJson = False,
    no_server: NoServer = False,
) -> None:
    """Show what would be done for a question, step by step, and do nothing of it."""
    form = "json" if as_json else shape or "text"
    order = order_of(question, file, site=site, tools=tools)
    if order.plan is not None:
        told = _checked(context, order.plan, site, config, inputs_from(inputs) if inputs else None, form)
    else:
        told = Planning(context, config, data, no_server=no_server).planned(order)
    if form == "json":
        print_json(told)
        return
    _draw(told["plan"], form, is_ascii=is_ascii)
    if explain:
        print_steps(told["plan"])
    say_how(told)


def say_how(told: Mapping[str, Json]) -> None:
    """Say who has planned, and what was not as it should be."""
    if by := told.get("by"):
        words = {"single": "as a single step", "rules": "by rules"}
        inform(f"planned {words.get(str(by), f'by {by}')}")
    mended = told.get("mended")
    for each in mended if isinstance(mended, list) else ():
        inform(f"mended: {each}")
    if degraded := told.get("degraded"):
        inform(f"note: {degraded}")


def _draw(plan: Json, form: str, *, is_ascii: bool) -> None:
    from pegboard.app import draw_plan

    if form == "text":
        print_plan(plan, is_ascii=is_ascii)
    else:
        sys.stdout.write(draw_plan(plan, "mermaid" if form == "mermaid" else "dot") + "\n")


def _checked(
    context: typer.Context,
    plan: Json,
    site: str | None,
    config: Path | None,
    inputs: Mapping[str, Json] | None,
    form: str,
) -> dict[str, Json]:
    """Return a plan that was written by hand, if nothing is wrong with it."""
    from pegboard.app import plan_faults

    catalog = backend_of(context).catalog_of(settings_of(context, config))
    name = site or catalog.default_site()
    if name is None:
        raise UsageError("There are several sites.", hint=f"Name one by --site: {', '.join(catalog.sites)}.")
    found = plan_faults(catalog.toolset(name), plan, inputs)
    if not found:
        return {"plan": plan}
    if form == "json":
        faults: list[Json] = [
            {"code": each.code, "nodes": list(each.nodes), "message": each.message, "hint": each.hint} for each in found
        ]
        print_json({"plan": plan, "faults": faults})
    for each in found:
        complain(str(each))
    raise typer.Exit(UsageError.exit_code)
