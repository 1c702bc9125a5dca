"""Qualities that people ask not to have, such as `spicy`, by what a language calls them.

General words only: what a site's content has of its own is read from the content (`claims`).
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Quality:
    """One quality in two languages."""

    name: str
    """How a filter names it."""
    words: tuple[str, ...]
    """English words that say it, lower case."""
    characters: tuple[str, ...]
    """The same in Chinese: found in any text that claims something."""
    ingredients: str = ""
    """The family of `foods` that gives it away, where there is one."""


QUALITIES = (
    Quality("spicy", ("spicy", "fiery", "piquant", "extra hot"), ("辣",), "chilli"),
    Quality("sweet", ("sweet", "sugary"), ("香甜", "甜味", "偏甜", "很甜")),
    Quality("sour", ("sour", "tart"), ("酸味", "偏酸", "很酸", "酸辣", "糖醋")),
    Quality("salty", ("salty",), ("偏咸", "很咸", "咸味")),
    Quality("fried", ("fried", "deep-fried"), ("油炸", "炸")),
    Quality("greasy", ("greasy", "oily"), ("油腻", "重油")),
    Quality("wireless", ("wireless", "bluetooth"), ("无线", "蓝牙")),
    Quality("wired", ("wired", "corded"), ("有线",)),
    Quality("heavy", ("heavy",), ("笨重",)),
    Quality("noisy", ("noisy", "loud"), ("噪音大", "吵")),
)

QUALITY_BY_NAME = {quality.name: quality for quality in QUALITIES}

_ALSO_CALLED = {
    "hot": "spicy", "甜": "sweet", "酸": "sour", "咸": "salty", "油": "greasy", "油腻": "greasy", "腻": "greasy",
    "重": "heavy", "吵": "noisy", "麻辣": "spicy", "香辣": "spicy",
}  # fmt: skip
"""What questions call them besides: words that mean something else where content has them."""

CALLED = {
    called: quality.name for quality in QUALITIES for called in (*quality.words, *quality.characters)
} | _ALSO_CALLED
"""The names of qualities by what a question calls them, lower case."""
