"""A small shop in a database, and tools on it."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio

from pegboard.catalog.contract import Result
from pegboard.catalog.kind import About, Schema
from pegboard.config.blocks.source import SourceDeclaration
from pegboard.config.blocks.sql import SqlDeclaration
from pegboard.config.server.settings import Settings
from pegboard.handlers.sql import statement
from pegboard.run.context import CallContext
from pegboard.run.keeping import Keeper
from pegboard.text import Json
from tests.twins import a_toolset, context

TABLES = """
    CREATE TABLE orders (number INTEGER PRIMARY KEY, city TEXT NOT NULL, price REAL, note BLOB);
    INSERT INTO orders VALUES (1, 'Paris', 12.5, x'00ff'), (2, '北京', NULL, NULL), (3, 'Paris', 7, NULL);
"""


@dataclass
class Shop:
    """A folder with a database, and what declares tools on it."""

    folder: Path
    url: str = "sqlite:///shop.db"
    source: dict[str, Any] = field(default_factory=dict)

    def with_tables(self, script: str = TABLES) -> "Shop":
        connection = sqlite3.connect(self.folder / "shop.db")
        connection.executescript(script)
        connection.close()
        return self

    def tool(self, sql: str, *, parameters: Schema | None = None, **block: Any) -> statement:
        """Return a tool that runs `sql`."""
        declared = SqlDeclaration.model_validate({"source": "shop", "statement": sql, **block})
        return statement(declared, self.about(parameters))

    def about(self, parameters: Schema | None = None) -> About:
        source = SourceDeclaration.model_validate({"name": "shop", "sql": {"url": self.url, **self.source}})
        settings = Settings(self.folder, self.folder, self.folder / ".pegboard")
        return About("orders", "", settings, self.folder, parameters, source, self.folder)

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Return what the database itself says."""
        connection = sqlite3.connect(self.folder / "shop.db")
        try:
            return connection.execute(sql).fetchall()
        finally:
            connection.close()


@asynccontextmanager
async def kept() -> AsyncIterator[CallContext]:
    """Give a context that keeps connections open until the end."""
    async with anyio.create_task_group() as group:
        yield CallContext(
            question="",
            toolset=a_toolset(),
            language="en",
            search=context().search,
            model=None,
            emit=context().emit,
            deadline=anyio.current_time() + 20,
            keeper=Keeper(group),
        )
        group.cancel_scope.cancel()


async def called(tool: statement, **arguments: Json) -> Result:
    """Call `tool` once."""
    with anyio.fail_after(20):
        result = await tool.call(context(), arguments)
    assert isinstance(result, Result)
    return result


async def rows_of(tool: statement, **arguments: Json) -> Json:
    """Call `tool` once, and return its rows."""
    data = (await called(tool, **arguments)).data
    assert isinstance(data, dict)
    return data["rows"]
