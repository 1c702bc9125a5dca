"""What a statement gave, in words: for people, and for a model."""

from collections.abc import Mapping

from pegboard.handlers.sql.rows import Rows
from pegboard.text import Json, to_json

_MOST_LINES = 50


def told(rows: Rows, language: str) -> str:
    """Return the rows in words: `name: value` for one, a line each for several."""
    is_chinese = language == "zh"
    if rows.changed is not None and not rows.rows:
        return f"已更改 {rows.changed} 行。" if is_chinese else f"{_counted(rows.changed)} changed."
    if not rows.rows and rows.is_truncated:
        return "结果太大，无法显示。" if is_chinese else "The first row is larger than may be read."
    if not rows.rows:
        return "没有找到任何结果。" if is_chinese else "Nothing was found."
    lines = [_line(row, is_chinese) for row in rows.rows[:_MOST_LINES]]
    if len(rows.rows) == 1 and not rows.is_truncated:
        return lines[0]
    return "\n".join([_heading(rows, is_chinese), *lines])


def _heading(rows: Rows, is_chinese: bool) -> str:
    count = len(rows.rows)
    if is_chinese:
        more = "，还有更多" if rows.is_truncated else ""
        shown = f"，显示前 {_MOST_LINES} 行" if count > _MOST_LINES else ""
        return f"共 {count} 行{more}{shown}："
    more = ", and there are more" if rows.is_truncated else ""
    shown = f"; the first {_MOST_LINES}" if count > _MOST_LINES else ""
    return f"{_counted(count)}{more}{shown}:"


def _counted(count: int) -> str:
    return "1 row" if count == 1 else f"{count:,} rows"


def _line(row: Mapping[str, Json], is_chinese: bool) -> str:
    colon, comma = ("：", "，") if is_chinese else (": ", ", ")
    return comma.join(f"{name}{colon}{_value(value)}" for name, value in row.items())


def _value(value: Json) -> str:
    return "–" if value is None else value if isinstance(value, str) else to_json(value)
