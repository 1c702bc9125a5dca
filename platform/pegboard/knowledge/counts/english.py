"""How many things an English question wants: a number before a plural that is no unit, `top 5`, `a couple of`."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pegboard.knowledge import foods
from pegboard.knowledge.quantities import number
from pegboard.knowledge.words import singular

_TOKEN = re.compile(r"[A-Za-z]+(?:['’][A-Za-z]+)?|\d+(?:[.,:/]\d+)*|[^\sA-Za-z\d]")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NUMBERS = _words(
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen twenty thirty"
)
_SETS = {("a", "couple"): 2, ("couple",): 2, ("half", "a", "dozen"): 6, ("a", "dozen"): 12, ("dozen",): 12}
_FIRST = _words("top best first")
_ALONE = _words("just only exactly")
"""Before `one`, which is no number of things without them."""
_SKIPPED_BEFORE = _words("the my our your just only exactly about around maybe another") | _FIRST
_SKIPPED_AFTER = _words("different more other of the your our really very")
_ASKING = _words("recommend suggest show give list name pick choose find want need me us")
_NOT_AFTER = _words("""
    for with in of on from within per over under than by into between without before after every each these those both
    serve serves serving feed feeds have has had having got own owns use uses using used add adding left replace swap
    contain contains containing page step part number version day week chapter level size grade model is are am are
    takes take
    """)
_UNLESS_AFTER = {
    "for": _words("look looking search searching hunt hunting ask asking"),
    "of": _words("list selection choice collection ranking comparison"),
    "have": _words("i we"),
}
"""What makes a request of such a word: `looking for two soups`, `can I have two soups`."""
_MARKS_BEFORE = frozenset("$€£¥#+-–.*/")
_MARKS_AFTER = frozenset("-–%°\"”″'*+/")
_ENDS = _words("""
    a an the and or but with without under over below above for from in on at to of by than within less more no not
    that which who whose i you we they he she it is are was were be can could do does did will would should have has
    please if when where while so as like good suitable ready perfect rated made cooked served containing using
    featuring costing taking available best around about between among into after before during today tonight
    tomorrow all each costs takes fit fits go goes
    """)
"""Words that end the thing that is counted, after its plural or before anything was named."""
_UNITS = _words("""
    second minute min hour hr day night week weekend month year decade century time person people adult child children
    kid guest friend man men woman women human mouth eater diner portion serving helping piece slice ingredient item
    step layer tier course pot pan tray cup glass bowl spoon spoonful teaspoon tablespoon tsp tbsp handful pinch clove
    stick sheet gram gramme g kg kilo kilogram pound lb ounce oz litre liter l ml cl pint quart gallon inch in cm mm
    metre meter m foot feet ft yard mile km degree calorie kcal cal kilocalorie carb percent dollar buck euro quid cent
    yuan yen star point review rating vote size watt w mah volt v amp hz gb tb mb megapixel port burner seat seater door
    drawer season speed way wheel pin band zone channel core third quarter half halve fold pack cheese bean spice grain
    factor stage part word sentence letter line page try attempt chance reason egg potato tomato onion carrot
    banana apple lemon lime orange avocado pepper mushroom leek shallot cucumber courgette zucchini aubergine eggplant
    order parcel account bedroom room click finger hand head
    """)
"""What is counted where no things of the site are; in the singular. The first or the last word after the number."""
_EITHER = frozenset({"or", "to", "-", "–"})
_MOST_WORDS = 7


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    start: int
    end: int


def counts_in_english(question: str) -> Iterator[tuple[int, int, int]]:
    """Yield where numbers of things begin and end, and how many each says."""
    tokens = [_Token(match[0].lower(), match.start(), match.end()) for match in _TOKEN.finditer(question)]
    at = 0
    while at < len(tokens):
        wanted, after = _number_at(tokens, at)
        if wanted and _is_of_things(tokens, at, after):
            first = _beginning(tokens, at)
            yield tokens[first].start, tokens[after - 1].end, wanted
        at = max(after, at + 1)


def _number_at(tokens: Sequence[_Token], at: int) -> tuple[int, int]:
    """Return the number that stands at `at` and the place after it; 0 where none does. Of `two or three`, three."""
    for words, value in _SETS.items():
        end = at + len(words)
        if tuple(token.text for token in tokens[at:end]) == words:
            return value, end + (_text(tokens, end) == "of")
    value = _value(tokens[at].text)
    if value and _text(tokens, at + 1) in _EITHER and (upper := _value(_text(tokens, at + 2))) > value:
        return upper, at + 3
    is_alone = value == 1 and at > 0 and tokens[at - 1].text in _ALONE
    return (value, at + 1) if value > 1 or is_alone else (0, at + 1)


def _value(text: str) -> int:
    if text == "one" or text in _NUMBERS or (text.isdigit() and text.isascii() and len(text) < 3):
        return int(number(text) or 0)
    return 0


def _text(tokens: Sequence[_Token], at: int) -> str:
    return tokens[at].text if 0 <= at < len(tokens) else ""


def _beginning(tokens: Sequence[_Token], at: int) -> int:
    """Return where what says the number begins: `top` and `first` belong to it."""
    before = at - 2 if _text(tokens, at - 1) == "-" else at - 1
    return before if _text(tokens, before) in {"top", "first"} else at


def _is_of_things(tokens: Sequence[_Token], at: int, after: int) -> bool:
    first = _beginning(tokens, at)
    is_top = first < at
    if (not is_top and _text(tokens, at - 1) in _MARKS_BEFORE) or _text(tokens, after) in _MARKS_AFTER:
        return False
    before = first - 1
    while _text(tokens, before) in _SKIPPED_BEFORE:
        before -= 1
    if not is_top and _is_barred(tokens, before):
        return False
    named = _named(tokens, after)
    if not named:  # `recommend three`, `top 5`
        return (is_top or _text(tokens, at - 1) in _ASKING | _FIRST) and not _joins(tokens, after)
    is_one = tokens[at].text in {"one", "1"}
    return (is_one or _is_plural(named[-1])) and not any(_is_unit(word) for word in (named[0], named[-1]))


def _is_barred(tokens: Sequence[_Token], before: int) -> bool:
    word = _text(tokens, before)
    return word in _NOT_AFTER and _text(tokens, before - 1) not in _UNLESS_AFTER.get(word, frozenset())


def _joins(tokens: Sequence[_Token], after: int) -> bool:
    """Tell whether what follows a number makes another thing of it: `2 in 1`, `2 for 1`, `two of us`."""
    following = _text(tokens, after + 1)
    return (_text(tokens, after) in {"in", "for", "by"} and following.isdigit()) or following in {"us", "you"}


def _named(tokens: Sequence[_Token], at: int) -> list[str]:
    """Return the words of what is counted: up to a plural that no noun follows."""
    while _text(tokens, at) in _SKIPPED_AFTER:
        at += 1
    named: list[str] = []
    for token in tokens[at : at + 2 * _MOST_WORDS]:
        text = token.text
        if text == "-" and named:
            continue
        is_closed = bool(named) and _is_plural(named[-1])
        is_end = text in _ENDS and not (text in {"good", "best", "rated"} and not is_closed)
        if not (text.isascii() and text[0].isalpha()) or is_end or (is_closed and text.endswith(("ing", "ed"))):
            break
        named.append(text)
    return named[:_MOST_WORDS]


def _is_plural(word: str) -> bool:
    return singular(word) != word and not word.endswith("'s")


def _is_unit(word: str) -> bool:
    return word in _UNITS or singular(word) in _UNITS or (_is_plural(word) and foods.family_called(word) is not None)
