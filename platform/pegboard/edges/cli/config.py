"""`platform config`: the server's settings, each with the place that its value came from."""

import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from pegboard.edges.cli.opening import assignments, backend_of
from pegboard.edges.cli.options import AsJson, Assigned, Config, Data
from pegboard.edges.cli.output import padded, print_json, print_line, print_table, styled, width
from pegboard.edges.cli.report import report_problems
from pegboard.errors import InvalidDeclarations, UsageError
from pegboard.text import Json, did_you_mean, to_json

if TYPE_CHECKING:
    from pegboard.app import Setting

EPILOG = """\b
Examples:
  platform config                  every setting, and where its value comes from
  platform config port             one of them, with what it overrides
  platform config --set port=9000  what would be if this were given to serve
The command line goes before $PEGBOARD_..., that before pegboard.toml. Settings:
  host, port, data, handler_prefixes, nlweb_handlers, content_dirs, commands, env_allow,
  secrets_dir, admin_token, model_key, allowed_hosts, allowed_origins, allow_networks,
  query_characters, request_timeout, file_size, total_size, index, runs_durability,
  runs_parallel, runs_calls, runs_tokens, runs_kept, runs_age, store_url, document_size,
  documents_kept, documents_size, runs_engine, temporal_address, temporal_namespace,
  temporal_task_queue, temporal_tls, temporal_api_key, scoring, mcp_commands
"""


def config(
    context: typer.Context,
    key: Annotated[str | None, typer.Argument(metavar="KEY", help="One setting; all otherwise.")] = None,
    config: Config = None,
    data: Data = None,
    assigned: Assigned = None,
    as_json: AsJson = False,
) -> None:
    """Show the server's settings and where each comes from."""
    report = backend_of(context).settings_report(
        config=config, data=data, environ=os.environ, assigned=assignments(assigned)
    )
    chosen = {setting.key: setting for setting in report.settings}
    if key is not None and key not in chosen:
        raise UsageError(f"There is no setting {key!r}.", hint=did_you_mean(key, chosen, noun="settings"))
    if as_json:
        print_json(report.to_json() if key is None else chosen[key].to_json())
    elif key is not None:
        _show(chosen[key])
    else:
        print_table(["SETTING", "VALUE", "FROM", "MEANING"], [_row(setting) for setting in chosen.values()])
    if not as_json:
        report_problems(report.problems, to=sys.stderr)
    if not report.ok:
        raise typer.Exit(InvalidDeclarations.exit_code)


def _row(setting: "Setting") -> list[str]:
    first, *others = setting.origins
    over = ", ".join(other.place for other in others if other.by != "default")
    return [setting.key, spelled(first.value), f"{first.place} (over {over})" if over else first.place, setting.meaning]


def _show(setting: "Setting") -> None:
    print_line(f"{styled(setting.key, 'bold', to=sys.stdout)}: {setting.meaning}")
    labels = ["value", *["overrides"] * (len(setting.origins) - 1)]
    values = [spelled(origin.value) for origin in setting.origins]
    columns = max(width(value) for value in values)
    for label, value, origin in zip(labels, values, setting.origins, strict=True):
        place = f"default: {setting.default}" if origin.by == "default" else origin.place
        print_line(f"  {label:<9}  {padded(value, columns)}  {styled(place, 'dim', to=sys.stdout)}")


def spelled(value: Json) -> str:
    """Write a setting's value in a line; a dash for none."""
    if value is None:
        return "-"
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return value if isinstance(value, str) else to_json(value)
