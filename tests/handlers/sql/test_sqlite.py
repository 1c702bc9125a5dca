"""Statements on a SQLite file."""

import sqlite3
import sys
import threading
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import anyio.to_thread
import pytest

from pegboard.errors import CallFailed, CallRefused, LimitReached, UpstreamFailed, UpstreamTimedOut
from pegboard.text import Json
from tests.handlers.sql.shop import Shop, called, kept, rows_of
from tests.twins import context

pytestmark = pytest.mark.anyio

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) AS c FROM n WHERE i > :least"


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path).with_tables()


# Reading


async def test_an_argument_is_bound_and_rows_come_back_as_json(shop: Shop) -> None:
    result = await called(shop.tool("SELECT number, price, note FROM orders WHERE city = :city"), city="Paris")
    assert result.data == {
        "rows": [{"number": 1, "price": 12.5, "note": "AP8="}, {"number": 3, "price": 7.0, "note": None}],
        "count": 2,
        "truncated": False,
    }
    assert result.text == "2 rows:\nnumber: 1, price: 12.5, note: AP8=\nnumber: 3, price: 7.0, note: –"


@pytest.mark.parametrize("hostile", ["x' OR '1'='1", "x'; DROP TABLE orders; --", "%", "北京' --", "\x00"])
async def test_sql_in_an_argument_is_a_text_like_any_other(shop: Shop, hostile: str) -> None:
    tool = shop.tool("SELECT number FROM orders WHERE city = :city")
    assert await rows_of(tool, city=hostile) == []
    assert shop.rows("SELECT count(*) FROM orders") == [(3,)]


async def test_one_row_is_the_row_itself(shop: Shop) -> None:
    tool = shop.tool("SELECT city FROM orders WHERE number >= :number ORDER BY number", one=True)
    result = await called(tool, number=1)
    assert (result.data, result.text, result.status) == ({"city": "Paris"}, "city: Paris", "ok")


async def test_nothing_found_is_said(shop: Shop) -> None:
    one = await called(shop.tool("SELECT city FROM orders WHERE number = :number", one=True), number=9)
    assert (one.data, one.text, one.status) == (None, "Nothing was found.", "not_found")
    many = await called(shop.tool("SELECT city FROM orders WHERE number = :number"), number=9)
    assert (many.data, many.status) == ({"rows": [], "count": 0, "truncated": False}, "not_found")


@pytest.mark.parametrize("written", ["IN :cities", "IN (:cities)", "in ( :cities )", "IN/* all */:cities"])
@pytest.mark.parametrize(
    ("cities", "numbers"), [(["Paris"], [1, 3]), (["Paris", "北京"], [1, 2, 3]), ([], []), ("北京", [2]), (None, [])]
)
async def test_each_value_of_a_list_is_bound(shop: Shop, written: str, cities: Json, numbers: list[int]) -> None:
    tool = shop.tool(f"SELECT number FROM orders WHERE city {written} ORDER BY number")
    assert await rows_of(tool, cities=cities) == [{"number": number} for number in numbers]


async def test_a_list_elsewhere_is_bound_as_json(shop: Shop) -> None:
    tool = shop.tool("SELECT number FROM orders WHERE number IN (SELECT value FROM json_each(:numbers)) ORDER BY 1")
    assert await rows_of(tool, numbers=[1, 2]) == [{"number": 1}, {"number": 2}]


async def test_a_piece_of_the_statement_is_chosen_among_those_that_are_allowed(shop: Shop) -> None:
    order = [{"name": "order", "allowed": ["number ASC", "number DESC"]}]
    tool = shop.tool("SELECT number FROM orders ORDER BY {order} LIMIT 1", identifiers=order)
    assert tool.parameters["properties"] == {
        "order": {"type": "string", "enum": ["number ASC", "number DESC"], "default": "number ASC"}
    }
    assert await rows_of(tool) == [{"number": 1}]
    assert await rows_of(tool, order="number DESC") == [{"number": 3}]
    with pytest.raises(CallFailed, match="none of the values that the tool allows"):
        await called(tool, order="number; DROP TABLE orders")


async def test_columns_of_one_name_are_told_apart(shop: Shop) -> None:
    tool = shop.tool("SELECT number, city AS number, 1 AS number FROM orders WHERE number = 1")
    assert await rows_of(tool) == [{"number": 1, "number_2": "Paris", "number_3": 1}]


async def test_a_text_that_is_not_utf_8_is_read_with_marks(shop: Shop) -> None:
    assert await rows_of(shop.tool("SELECT CAST(x'61ff' AS TEXT) AS t, 9e999 AS i")) == [{"t": "a\ufffd", "i": None}]


# Caps


async def test_no_more_rows_are_read_than_declared(shop: Shop) -> None:
    tool = shop.tool(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n", rows=5, timeout="5s"
    )
    result = await called(tool)
    assert result.data == {"rows": [{"i": i} for i in range(1, 6)], "count": 5, "truncated": True}
    assert result.text.startswith("5 rows, and there are more:\n")


async def test_no_more_is_read_than_the_size_allows(shop: Shop) -> None:
    sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT hex(zeroblob(500)) AS z FROM n"
    result = await called(shop.tool(sql, size="4KiB"))
    assert isinstance(result.data, dict)
    assert (result.data["count"], result.data["truncated"]) == (4, True)
    with pytest.raises(LimitReached, match="larger than the block's `size`"):
        await called(shop.tool(sql, size="100B", one=True))


async def test_a_value_that_no_memory_would_hold_is_refused(shop: Shop) -> None:
    with pytest.raises(CallFailed, match="larger than a statement may make"):
        await called(shop.tool("SELECT zeroblob(1000000000) AS z"))


# Writing


async def test_a_change_is_refused_by_the_database_itself(shop: Shop) -> None:
    tool = shop.tool("WITH x AS (SELECT 1) INSERT INTO orders SELECT 9, 'Rome', 1, NULL FROM x")
    assert tool.is_read_only
    with pytest.raises(CallRefused):
        await called(tool)
    assert shop.rows("SELECT count(*) FROM orders") == [(3,)]


async def test_a_tool_that_writes_changes_rows_and_is_not_read_only(shop: Shop) -> None:
    tool = shop.tool("UPDATE orders SET price = :price WHERE city = :city", writes=True)
    result = await called(tool, price=1, city="Paris")
    assert not tool.is_read_only
    assert result.data == {"rows": [], "count": 0, "truncated": False, "changed": 2}
    assert (result.text, result.status) == ("2 rows changed.", "ok")
    assert shop.rows("SELECT number FROM orders WHERE price = 1") == [(1,), (3,)]


async def test_what_is_returned_of_a_change_is_capped_and_the_change_is_whole(shop: Shop) -> None:
    tool = shop.tool("UPDATE orders SET price = 2 RETURNING number", writes=True, rows=1)
    result = await called(tool)
    assert result.data == {"rows": [{"number": 1}], "count": 1, "truncated": True, "changed": 3}
    assert shop.rows("SELECT count(*) FROM orders WHERE price = 2") == [(3,)]


async def test_a_broken_constraint_is_named_without_the_value(shop: Shop) -> None:
    tool = shop.tool("INSERT INTO orders (number, city) VALUES (:number, :city)", writes=True)
    with pytest.raises(CallFailed, match=r"UNIQUE constraint failed: orders\.number") as caught:
        await called(tool, number=1, city="secret-city")
    assert "secret-city" not in str(caught.value)


@pytest.mark.parametrize(
    "sql",
    [
        "WITH x AS (SELECT 1) SELECT load_extension('x')",
        "SELECT name FROM pragma_database_list",
        "SELECT writefile('x', 'y')",
        "SELECT fts3_tokenizer('simple')",
    ],
)
@pytest.mark.parametrize("writes", [False, True])
async def test_what_no_tool_needs_is_refused(shop: Shop, sql: str, writes: bool) -> None:
    with pytest.raises(CallFailed) as caught:
        await called(shop.tool(sql, writes=writes))
    assert isinstance(caught.value, CallRefused) or "no such" in caught.value.message


async def test_full_text_search_works_read_only(shop: Shop) -> None:
    shop.with_tables("CREATE VIRTUAL TABLE words USING fts5(t); INSERT INTO words VALUES ('a red house'), ('blue')")
    assert await rows_of(shop.tool("SELECT t FROM words WHERE words MATCH :w"), w="red") == [{"t": "a red house"}]


# Time


async def test_a_statement_ends_at_its_timeout(shop: Shop) -> None:
    with pytest.raises(UpstreamTimedOut, match=r"did not answer within 0\.1 s"):
        await called(shop.tool(ENDLESS, timeout="100ms"), least=0)


async def test_the_deadline_of_the_call_goes_before_a_longer_timeout(shop: Shop) -> None:
    tool = shop.tool(ENDLESS, timeout="1h")
    with anyio.fail_after(10), pytest.raises(UpstreamTimedOut):
        await tool.call(context(deadline=anyio.current_time() + 0.1), {"least": 0})


async def test_cancelling_ends_the_statement_and_its_thread(shop: Shop) -> None:
    tool = shop.tool(ENDLESS, timeout="1h")
    async with kept() as open_context:
        with anyio.fail_after(10):
            async with anyio.create_task_group() as group:
                group.start_soon(tool.call, open_context, {"least": 0})
                while not _is_running():
                    await anyio.lowlevel.checkpoint()
                group.cancel_scope.cancel()
            assert not _is_running()
            assert (await shop.tool("SELECT 1 AS one", one=True).call(open_context, {})).data == {"one": 1}


def _is_running() -> bool:
    """Tell whether some thread is inside a statement."""
    frames = sys._current_frames()
    return any("_rows" in _names(frames[thread.ident]) for thread in threading.enumerate() if thread.ident in frames)


def _names(frame: Any) -> set[str]:
    names = set()
    while frame is not None:
        names.add(frame.f_code.co_name)
        frame = frame.f_back
    return names


async def test_a_database_that_another_locks_is_waited_for_and_no_longer_than_declared(shop: Shop) -> None:
    other = sqlite3.connect(shop.folder / "shop.db", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(UpstreamTimedOut):
        await called(shop.tool("SELECT 1 AS one FROM orders", timeout="200ms"))
    async with anyio.create_task_group() as group:
        tool = shop.tool("SELECT count(*) AS c FROM orders", timeout="10s")
        group.start_soon(anyio.to_thread.run_sync, lambda: other.execute("COMMIT"))
        assert await rows_of(tool) == [{"c": 3}]
    other.close()


# Addresses and errors


async def test_a_file_that_is_not_there_is_said_and_not_made(tmp_path: Path) -> None:
    for writes in (False, True):
        with pytest.raises(UpstreamFailed, match="The database is not there") as caught:
            await called(Shop(tmp_path).tool("SELECT 1", writes=writes))
        assert str(tmp_path) not in str(caught.value)
    assert not (tmp_path / "shop.db").exists()


async def test_a_file_that_is_no_database_is_said(tmp_path: Path) -> None:
    (tmp_path / "shop.db").write_bytes(b"not a database, but long enough to look like something" * 30)
    with pytest.raises(UpstreamFailed, match="none of SQLite's"):
        await called(Shop(tmp_path).tool("SELECT 1 FROM orders"))


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("SELECT 1 FROM nowhere", "no such table: nowhere"),
        ("SELECT colour FROM orders", "no such column: colour"),
        ("SELECT FROM 'secret'", r"\(SQLITE_ERROR\)"),
        ("SELECT 1 FROM orders LIMIT :n", "does not fit"),
    ],
)
async def test_an_error_names_the_thing_and_no_value(shop: Shop, sql: str, message: str) -> None:
    with pytest.raises(CallFailed, match=message) as caught:
        await called(shop.tool(sql), n="secret")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("value", [1 << 70, "\ud800"])
async def test_what_no_database_holds_is_told(shop: Shop, value: Json) -> None:
    with pytest.raises(CallFailed, match="none that SQLite can hold"):
        await called(shop.tool("SELECT :n AS n"), n=value)


async def test_a_source_says_what_it_is(shop: Shop) -> None:
    assert await shop.tool("SELECT 1").reach(context()) == f"SQLite {sqlite3.sqlite_version}"


@pytest.mark.parametrize(
    ("sql", "block", "message"),
    [
        ("SELECT colour FROM orders WHERE city = :city", {}, "no such column: colour"),
        ("SELECT 1 FROM nowhere WHERE n IN (:n)", {}, "no such table: nowhere"),
        ("UPDATE orders SET colour = :c", {"writes": True}, "no such column: colour"),
        (
            "SELECT number FROM orders ORDER BY {by}",
            {"identifiers": [{"name": "by", "allowed": ["number", "colour"]}]},
            "no such column: colour",
        ),
    ],
)
async def test_a_statement_that_the_database_cannot_run_is_said_without_a_call(
    shop: Shop, sql: str, block: dict[str, Any], message: str
) -> None:
    with pytest.raises(CallFailed, match=rf"The statement of the tool 'orders' does not fit it: .*{message}"):
        await shop.tool(sql, **block).reach(context())


@pytest.mark.parametrize(
    ("sql", "block"),
    [
        ("SELECT number FROM orders WHERE city IN (:cities) LIMIT :n", {"one": True}),
        ("DELETE FROM orders WHERE number > :n", {"writes": True}),
        ("INSERT INTO orders (number, city) VALUES (:number, 'x') RETURNING number", {"writes": True, "rows": 1}),
    ],
)
async def test_a_statement_that_fits_is_prepared_and_not_run(shop: Shop, sql: str, block: dict[str, Any]) -> None:
    before = shop.rows("SELECT * FROM orders")
    assert await shop.tool(sql, **block).reach(context()) == f"SQLite {sqlite3.sqlite_version}"
    assert shop.rows("SELECT * FROM orders") == before


async def test_fifty_calls_share_the_connections_and_leave_none_open(shop: Shop) -> None:
    tool = shop.tool("SELECT number FROM orders WHERE number = :n")
    before = _open_files()
    async with kept() as open_context:
        with anyio.fail_after(20):
            async with anyio.create_task_group() as group:
                for _ in range(50):
                    group.start_soon(tool.call, open_context, {"n": 1})
        assert open_context.keeper is not None
        assert len(open_context.keeper) == 1
    assert _open_files() <= before


def _open_files() -> int:
    return sum(1 for _ in Path("/dev/fd").iterdir())
