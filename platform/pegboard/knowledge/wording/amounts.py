"""Durations, money, energy and counts: written as people read them."""

from collections.abc import Iterable
from dataclasses import dataclass

_SIGNS = {"USD": "$", "CNY": "¥", "EUR": "€", "GBP": "£", "JPY": "¥"}


@dataclass(frozen=True, slots=True)
class Money:
    """A price."""

    amount: float
    currency: str
    """ISO 4217, such as `USD`; empty where the content names none."""

    def __str__(self) -> str:
        digits = f"{self.amount:,.2f}".removesuffix(".00")
        sign = _SIGNS.get(self.currency)
        return f"{sign}{digits}" if sign else f"{digits} {self.currency}".strip()


def spoken_minutes(amount: float, language: str) -> str:
    """Write minutes: `3 h 50 min`, `3 小时 50 分钟`."""
    day, hour, minute = ("天", "小时", "分钟") if language == "zh" else ("d", "h", "min")
    whole = round(amount)
    days, rest = divmod(whole, 1440) if whole >= 2880 else (0, whole)
    hours, left = divmod(rest, 60) if rest >= 60 else (0, rest)
    parts = [(days, day), (hours, hour), (left, minute)]
    return " ".join(f"{count} {unit}" for count, unit in parts if count) or f"0 {minute}"


def plain(value: float) -> str:
    """Write a number without needless zeros: `4.6`, `254`, `1,264`."""
    return f"{value:,.2f}".rstrip("0").rstrip(".")


def listed(parts: Iterable[str], language: str, *, last: str = "") -> str:
    """Join words: `a, b and c`, `a、b和c`; `last` is another word before the last one, such as `or`."""
    words = list(parts)
    if language == "zh":
        return f"{'、'.join(words[:-1])}{last or '和'}{words[-1]}" if len(words) > 1 else "".join(words)
    return f"{', '.join(words[:-1])} {last or 'and'} {words[-1]}" if len(words) > 1 else "".join(words)
