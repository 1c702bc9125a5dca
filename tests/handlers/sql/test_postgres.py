"""Statements on a PostgreSQL server, which `conftest` starts."""

from contextlib import AbstractContextManager
from pathlib import Path

import anyio
import anyio.lowlevel
import anyio.to_thread
import pytest
from sqlalchemy import Connection, create_engine
from sqlalchemy.pool import NullPool

from pegboard.errors import CallFailed, CallRefused, UpstreamFailed, UpstreamTimedOut
from pegboard.text import Json
from tests.handlers.sql.shop import Shop, called, kept, rows_of
from tests.twins import context

pytestmark = [pytest.mark.anyio, pytest.mark.postgres]

TABLES = """
    DROP TABLE IF EXISTS orders;
    CREATE TABLE orders (number integer PRIMARY KEY, city text NOT NULL, price numeric, made timestamptz, tags text[]);
    CREATE TABLE IF NOT EXISTS counters (n serial);
    INSERT INTO orders VALUES
        (1, 'Paris', 12.50, '2026-01-02 03:04:05+00', '{a,b}'), (2, '北京', NULL, NULL, NULL), (3, 'Paris', 7, NULL, '{}');
"""


@pytest.fixture
def shop(tmp_path: Path, postgres: str) -> Shop:
    with _server(postgres) as connection:
        connection.exec_driver_sql(TABLES)
    return Shop(tmp_path, url=postgres)


def _server(url: str) -> AbstractContextManager[Connection]:
    engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"), poolclass=NullPool)
    return engine.begin()


def _counted(shop: Shop, sql: str) -> int:
    with _server(shop.url) as connection:
        return int(connection.exec_driver_sql(sql).scalar_one())


async def test_an_argument_is_bound_and_rows_come_back_as_json(shop: Shop) -> None:
    tool = shop.tool("SELECT number, price, made, tags FROM orders WHERE city = :city ORDER BY number")
    assert await rows_of(tool, city="Paris") == [
        {"number": 1, "price": 12.5, "made": "2026-01-02T03:04:05+00:00", "tags": ["a", "b"]},
        {"number": 3, "price": 7, "made": None, "tags": []},
    ]


async def test_values_of_all_types_are_json(shop: Shop) -> None:
    sql = """SELECT 'NaN'::float8 AS nan, 12345678901234567890.123456789::numeric AS exact, '\\x00ff'::bytea AS bytes,
        '{"a": [1]}'::jsonb AS json, '6ba7b810-9dad-11d1-80b4-00c04fd430c8'::uuid AS uuid, date '2026-01-02' AS date,
        interval '90 minutes' AS span, '10.0.0.0/8'::inet AS net, true AS flag, int4range(1, 3) AS range"""
    assert await rows_of(shop.tool(sql)) == [
        {
            "nan": None,
            "exact": "12345678901234567890.123456789",
            "bytes": "AP8=",
            "json": {"a": [1]},
            "uuid": "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
            "date": "2026-01-02",
            "span": 5400.0,
            "net": "10.0.0.0/8",
            "flag": True,
            "range": "[1, 3)",
        }
    ]


@pytest.mark.parametrize("hostile", ["x' OR '1'='1", "x'; DROP TABLE orders; --", "%(city)s", "%s"])
async def test_sql_in_an_argument_is_a_text_like_any_other(shop: Shop, hostile: str) -> None:
    tool = shop.tool("SELECT number FROM orders WHERE city = :city AND '100%' LIKE '%0%%'")
    assert await rows_of(tool, city=hostile) == []
    assert _counted(shop, "SELECT count(*) FROM orders") == 3


@pytest.mark.parametrize("text", ["\ud800", "a\x00b"])
async def test_a_text_that_no_database_holds_is_told(shop: Shop, text: str) -> None:
    with pytest.raises(CallFailed, match="none that PostgreSQL can hold"):
        await called(shop.tool("SELECT :t AS t"), t=text)


@pytest.mark.parametrize(
    ("sql", "arguments", "found"),
    [
        ("SELECT number FROM orders WHERE city IN :cities ORDER BY 1", {"cities": ["Paris", "北京"]}, [1, 2, 3]),
        ("SELECT number FROM orders WHERE number IN (:numbers) ORDER BY 1", {"numbers": [1, 3]}, [1, 3]),
        ("SELECT number FROM orders WHERE number = ANY(:numbers::int[])", {"numbers": [2]}, [2]),
        ("SELECT number FROM orders WHERE number = :n::int", {"n": "2"}, [2]),
        ("SELECT number FROM orders WHERE number = :n", {"n": 2}, [2]),
        ("SELECT :n::int AS number -- it's :not an argument\n /* nor /* :this */ one */", {"n": 5}, [5]),
        ("SELECT 1 AS number WHERE $$a:b$$ = E'a\\:b' AND ':x' = $t$:x$t$", {}, [1]),
        ("SELECT number FROM orders WHERE (:city::text IS NULL OR city = :city) ORDER BY 1", {}, [1, 2, 3]),
    ],
)
async def test_what_is_bound_is_what_is_written_as_an_argument(
    shop: Shop, sql: str, arguments: dict[str, Json], found: list[int]
) -> None:
    assert await rows_of(shop.tool(sql), **arguments) == [{"number": number} for number in found]


async def test_an_empty_list_is_told_and_not_sent(shop: Shop) -> None:
    with pytest.raises(CallFailed, match="has no value to look for"):
        await called(shop.tool("SELECT 1 FROM orders WHERE number IN :n"), n=[])


@pytest.mark.parametrize(
    "sql",
    [
        "WITH x AS (DELETE FROM orders RETURNING number) SELECT * FROM x",
        "SELECT set_config('transaction_read_only', 'off', false)",
        "SELECT nextval('counters_n_seq')",
    ],
)
async def test_a_change_is_refused_by_the_database_itself(shop: Shop, sql: str) -> None:
    with pytest.raises(CallFailed):
        await called(shop.tool(sql))
    assert _counted(shop, "SELECT count(*) FROM orders") == 3


async def test_a_refused_change_is_called_so(shop: Shop) -> None:
    with pytest.raises(CallRefused, match="does not say that it writes"):
        await called(shop.tool("SELECT setval(pg_get_serial_sequence('counters', 'n'), 5)"))


async def test_a_tool_that_writes_changes_rows(shop: Shop) -> None:
    tool = shop.tool("UPDATE orders SET price = :price WHERE city = :city RETURNING number", writes=True)
    result = await called(tool, price=1, city="Paris")
    assert result.data == {"rows": [{"number": 1}, {"number": 3}], "count": 2, "truncated": False, "changed": 2}
    assert _counted(shop, "SELECT count(*) FROM orders WHERE price = 1") == 2


async def test_no_more_rows_are_read_than_declared(shop: Shop) -> None:
    result = await called(shop.tool("SELECT generate_series(1, 100000000) AS i", rows=3))
    assert result.data == {"rows": [{"i": 1}, {"i": 2}, {"i": 3}], "count": 3, "truncated": True}


async def test_no_more_is_read_than_the_size_allows(shop: Shop) -> None:
    result = await called(shop.tool("SELECT repeat('x', 1000) AS x, generate_series(1, 100000000) AS i", size="5KiB"))
    assert isinstance(result.data, dict)
    assert (result.data["count"], result.data["truncated"]) == (5, True)


async def test_a_statement_ends_at_its_timeout_and_the_connection_serves_on(shop: Shop) -> None:
    async with kept() as open_context:
        with anyio.fail_after(10):
            with pytest.raises(UpstreamTimedOut, match=r"within 0\.1 s"):
                await shop.tool("SELECT pg_sleep(60)", timeout="100ms").call(open_context, {})
            assert (await shop.tool("SELECT 1 AS one", one=True).call(open_context, {})).data == {"one": 1}


async def test_cancelling_ends_the_statement_on_the_server(shop: Shop) -> None:
    tool = shop.tool("SELECT pg_sleep(60)", timeout="1h")
    async with kept() as open_context:
        with anyio.fail_after(20):
            async with anyio.create_task_group() as group:
                group.start_soon(tool.call, open_context, {})
                while not await _sleeping(shop):
                    await anyio.lowlevel.checkpoint()
                group.cancel_scope.cancel()
            while await _sleeping(shop):
                await anyio.lowlevel.checkpoint()
            assert (await shop.tool("SELECT 1 AS one", one=True).call(open_context, {})).data == {"one": 1}


async def _sleeping(shop: Shop) -> int:
    sql = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
    return await anyio.to_thread.run_sync(_counted, shop, sql)


async def test_a_connection_that_the_server_closed_is_opened_anew(shop: Shop) -> None:
    one = shop.tool("SELECT 1 AS one", one=True)
    async with kept() as open_context:
        with anyio.fail_after(10):
            await one.call(open_context, {})
            ended = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'pegboard'"
            assert await anyio.to_thread.run_sync(_counted, shop, ended) >= 1
            assert (await one.call(open_context, {})).data == {"one": 1}


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("SELECT 1 FROM nowhere", 'relation "nowhere" does not exist'),
        ("SELECT number FROM orders WHERE number = :n::int", "invalid text representation, 22P02"),
        ("SELECT FROM FROM 'secret'", "syntax error, 42601"),
    ],
)
async def test_an_error_names_the_thing_and_no_value(shop: Shop, sql: str, message: str) -> None:
    with pytest.raises(CallFailed, match=message) as caught:
        await called(shop.tool(sql), n="secret")
    assert "secret" not in str(caught.value)
    assert "host=" not in str(caught.value)


async def test_a_broken_constraint_is_named_without_the_value(shop: Shop) -> None:
    tool = shop.tool("INSERT INTO orders (number, city) VALUES (:number, :city)", writes=True)
    with pytest.raises(CallFailed, match="orders_pkey") as caught:
        await called(tool, number=1, city="secret")
    assert "secret" not in str(caught.value)


async def test_a_server_that_is_not_there_is_said_without_its_address(tmp_path: Path, postgres: str) -> None:
    shop = Shop(tmp_path, url=f"postgresql://owner:hunter2@/postgres?host={tmp_path}")
    with pytest.raises(UpstreamFailed, match="The database does not answer") as caught:
        await called(shop.tool("SELECT 1"))
    assert caught.value.is_retryable
    assert "hunter2" not in str(caught.value)
    assert str(tmp_path) not in str(caught.value)


async def test_a_source_says_what_it_is(shop: Shop) -> None:
    assert (await shop.tool("SELECT 1").reach(context())).startswith("PostgreSQL ")


@pytest.mark.parametrize(
    ("sql", "writes", "message"),
    [
        ("SELECT colour FROM orders WHERE city = :city", False, 'column "colour" does not exist'),
        ("SELECT 1 FROM nowhere WHERE n IN (:n)", False, 'relation "nowhere" does not exist'),
        ("UPDATE orders SET colour = :c", True, 'column "colour" .*does not exist'),
    ],
)
async def test_a_statement_that_the_database_cannot_run_is_said_without_a_call(
    shop: Shop, sql: str, writes: bool, message: str
) -> None:
    with pytest.raises(CallFailed, match=rf"The statement of the tool 'orders' does not fit it: .*{message}"):
        await shop.tool(sql, writes=writes).reach(context())


@pytest.mark.parametrize(
    ("sql", "writes"),
    [
        ("SELECT number FROM orders WHERE city IN (:cities) AND made > :since LIMIT :n", False),
        ("SELECT jsonb_build_object('a', :x), :n::int, :a + :b AS sum", False),
        ("DELETE FROM orders WHERE number > :n", True),
        ("SELECT number FROM orders WHERE city LIKE '%a%'", False),
    ],
)
async def test_a_statement_that_fits_is_prepared_and_not_run(shop: Shop, sql: str, writes: bool) -> None:
    assert (await shop.tool(sql, writes=writes).reach(context())).startswith("PostgreSQL ")
    assert _counted(shop, "SELECT count(*) FROM orders") == 3
