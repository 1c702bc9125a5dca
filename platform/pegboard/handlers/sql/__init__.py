"""`sql`: a tool that is one statement on a database that a source declares; arguments are bound, never written into it.

What it may do is held by the database itself: it reads in a read-only transaction, and a statement has a time limit.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import replace

import anyio

from pegboard.catalog.contract import Context, Kept, Result, Status
from pegboard.catalog.kind import About, Effect, Kind, Misdeclared, Misfit, Schema
from pegboard.config.blocks.sql import SqlDeclaration
from pegboard.config.declaration import Declaration
from pegboard.errors import CallFailed, LimitReached, UpstreamFailed, UpstreamTimedOut
from pegboard.handlers.sql.database import Address, Database, Driver, address_of, opened
from pegboard.handlers.sql.pieces import Dialect
from pegboard.handlers.sql.rows import Caps, Rows
from pegboard.handlers.sql.running import Running, Stopped
from pegboard.handlers.sql.sqlite import SqliteDriver
from pegboard.handlers.sql.template import Bound, Template, misfits
from pegboard.handlers.sql.words import told
from pegboard.text import Json

_PROBES: Mapping[Dialect, str] = {
    "sqlite": "SELECT 'SQLite ' || sqlite_version() AS says",
    "postgresql": "SELECT 'PostgreSQL ' || current_setting('server_version') AS says",
}


class statement(Kind):  # noqa: N801 (declarations name it so)
    """Runs the declared statement, its arguments bound."""

    def __init__(self, block: Declaration, about: About) -> None:
        """Read the statement, and the source's address."""
        assert isinstance(block, SqlDeclaration)
        assert about.source is not None
        assert about.source.sql is not None
        self._name, self._block = about.name, block
        self._source = about.source.name
        self._address = address_of(about.source.sql, about)
        self._driver = _driver(self._address)
        self._template = Template.of(block, self._address.dialect)
        if found := misfits(self._template, block, about.parameters):
            raise Misdeclared(*found)
        self._parameters = about.parameters or self._template.parameters()
        self._untrusted: frozenset[Effect] = frozenset({"untrusted"} if about.source.untrusted else ())
        self._caps = Caps(1 if block.one else block.rows, block.size)

    @property
    def parameters(self) -> Schema:
        return self._parameters

    @property
    def output(self) -> Schema | None:
        if self._block.one:
            return {"type": ["object", "null"]}
        properties: dict[str, Json] = {
            "rows": {"type": "array", "items": {"type": "object"}},
            "count": {"type": "integer"},
            "truncated": {"type": "boolean"},
            "changed": {"type": "integer"},
        }
        return {"type": "object", "properties": properties, "required": ["rows", "count", "truncated"]}

    @property
    def is_read_only(self) -> bool:
        return not self._block.writes

    @property
    def effects(self) -> frozenset[Effect]:
        """What a statement changes is changed; what a database holds is ours, unless its source says otherwise."""
        return self._untrusted | {"destructive"} if self._block.writes else self._untrusted

    def preview(self, arguments: Mapping[str, Json]) -> Json:
        bound = self._template.bind(arguments)
        return {"source": self._source, "sql": bound.sql, "values": dict(bound.values), "writes": self._block.writes}

    async def call(self, context: Context, arguments: Mapping[str, Json]) -> Result:
        rows = await self._run(context, self._template.bind(arguments))
        return self._result(rows, context.language)

    async def reach(self, context: Context) -> str:
        rows = await self._run(context, Bound(_PROBES[self._address.dialect], {}))
        await self._prepare(context)
        return str(rows.rows[0]["says"]) if rows.rows else ""

    async def _prepare(self, context: Context) -> None:
        """Ask whether the database can run the statement, with each piece that may be chosen; nothing is run.

        Raises:
            CallFailed: it cannot: it lacks a table or a column.
        """
        for arguments in self._template.samples():
            try:
                await self._run(context, self._template.bind(arguments).explained())
            except (UpstreamFailed, UpstreamTimedOut):
                raise
            except CallFailed as error:
                message = f"The statement of the tool {self._name!r} does not fit it: {error.message}"
                raise CallFailed(message, hint=error.hint) from error

    async def _run(self, context: Context, bound: Bound) -> Rows:
        seconds = min(self._block.timeout, context.deadline - anyio.current_time())
        running = Running(max(0.0, seconds))
        try:
            async with self._database(context) as database:
                return await database.run(bound, self._caps, running)
        except Stopped:
            raise UpstreamTimedOut(
                f"The database {self._source!r} did not answer within {running.seconds:.3g} s.",
                hint="The block's `timeout` says how long a statement may take.",
            ) from None

    def _database(self, context: Context) -> Kept[Database]:
        address, driver, writes = self._address, self._driver, self._block.writes
        shown = address.url.render_as_string(hide_password=False)
        key = ("sql", hashlib.sha256(f"{shown}\n{address.file}".encode()).digest(), address.connections, writes)
        return context.using(key, lambda: opened(address, driver, writes=writes))

    def _result(self, rows: Rows, language: str) -> Result:
        status: Status = "ok" if rows.rows or rows.changed else "not_found"
        if self._block.one:
            if rows.is_truncated and not rows.rows:
                raise LimitReached("The row is larger than the block's `size` allows.")
            text = told(replace(rows, is_truncated=False), language)
            return Result(text, data=dict(rows.rows[0]) if rows.rows else None, status=status)
        data: dict[str, Json] = {
            "rows": [dict(row) for row in rows.rows],
            "count": len(rows.rows),
            "truncated": rows.is_truncated,
        }
        if rows.changed is not None:
            data["changed"] = rows.changed
        return Result(told(rows, language), data=data, status=status)


def _driver(address: Address) -> Driver:
    if address.dialect == "sqlite":
        return SqliteDriver()
    try:
        from pegboard.handlers.sql.postgres import PostgresDriver  # noqa: PLC0415 (it needs an extra)
    except ImportError:
        message = "reaches a PostgreSQL database, for which the extra `postgres` is not installed"
        raise Misdeclared(Misfit(("source",), message, "Install pegboard[postgres].")) from None
    return PostgresDriver()
