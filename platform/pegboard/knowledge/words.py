"""Text -> the terms that are indexed and searched: one way for all indexes, English and Chinese alike.

English words lose their accents and their plural; a run of Chinese gives its pairs and, in an index, its
single
characters too, so that a question of one character finds something. A term holds no space and no ASCII
punctuation, so an index may split a line of them at spaces.
"""

import math
import unicodedata
from collections.abc import Iterable, Mapping

import re2

from pegboard.text import tokens

_HAN_RUN = re2.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}]{2,}")
_EMPTY_WORDS = """
    a about all also am an and any anything are as at be been best but by can cant could did do does
    dont find for from get give good great had has have help how i if im in into is isnt it its just let
    like looking make many may me might my need nice no not of off on one or our out please recommend shall
    she should show so some something such suggest tell than that the their them then there these they
    this those to too up us use using very want was we were what whats when where which who why will
    with would you your
"""
_VAGUE_WORDS = """
    article buy cheap cook course dinner dish eat food gift idea item kind list lunch make meal one option page present
    product recipe stuff supper thing today tonight type
"""
_IRREGULAR = {
    "halves": "half", "knives": "knife", "leaves": "leaf", "loaves": "loaf", "shelves": "shelf", "calves": "calf",
    "scarves": "scarf", "wolves": "wolf",
}  # fmt: skip
_EMPTY = frozenset(_EMPTY_WORDS.split())
_VAGUE = frozenset(_VAGUE_WORDS.split())
_EMPTY_HAN = re2.compile(
    "关于|有关|相关|方面|所有|全部|列出|看看|搜索|查找|浏览|请问|帮我|帮忙|给我|告诉我|推荐|介绍|一下|一些|一款|一个|一份|一道|几款|几个|几道|几种|几样|有没有|有什么|有哪些|有啥|哪些|哪个|哪款|哪种"
    "|哪里|什么|怎么样|怎么办|怎么|怎样|如何|多少|多久|为什么|可不可以|可以|能不能|能否|应该|需要|我想要|我想|我要|想要|想买"
    "|想做|想吃|我们|你们|用来|适合|比较|最好|好吃的|好用的|是不是|是否|吗|呢|吧|啊|呀|么|的|了|我|你|您|请|把|被|很|和|与|或"
)
_VAGUE_HAN = re2.compile(
    "晚饭|晚餐|午饭|午餐|正餐|饭菜|文章|页面|列表|帮助|内容|家常菜|菜谱|食谱|东西|商品|产品|礼物|礼品|送礼|菜品|食物|做法|菜|饭|吃|买|做|今天|今晚|送|礼|能|用|还|有"
)
_MEALS = re2.compile(r"(?i)\b(?:cook|eat|dinner|lunch|supper|meals?|dish(?:es)?)\b|菜|饭|餐|吃")
_LONE_HAN = frozenset("用有送做买吃能会要想给在是不也都还去来到对从等之其这那几个种款道份家里上下多少大小")
"""Characters that tell nothing when they stand alone, between words that were taken out."""
_QUESTION = re2.compile(
    r"(?i)^\s*(?:how|what|why|when|where|who|whose|can|could|do|does|did|is|are|should|will|would|may|am)\b"
    r"|怎么|如何|怎样|什么|为什么|多久|多少|吗|哪|能不能|可不可以|是否|是不是"
)


def terms(text: str) -> list[str]:
    """Return the terms of a text as an index holds them, repeated ones repeated."""
    flat = folded(text)
    singles = (character for run in _HAN_RUN.findall(flat) for character in run)
    return [*(singular(token) for token in tokens(flat)), *singles]


def asked(question: str) -> list[str]:
    """Return the terms of a question that carry its meaning, each once; none if nothing in it does."""
    flat = folded(question)
    telling = [term for token in tokens(_EMPTY_HAN.sub(" ", flat)) if (term := singular(token)) not in _EMPTY]
    return list(dict.fromkeys(term for term in telling if term not in _LONE_HAN))


def telling(question: str) -> list[str]:
    """Return those terms of `asked` that name a kind of thing: not `something`, `dish`, `商品`."""
    return [term for term in asked(_VAGUE_HAN.sub(" ", folded(question))) if term not in _VAGUE]


def is_of_meals(question: str) -> bool:
    """Tell whether a question speaks of something to cook or to eat."""
    return bool(_MEALS.search(question))


def is_vague(text: str) -> bool:
    """Tell whether `text` names no thing of its own: `something for dinner`, `礼物`, or nothing at all."""
    left = _VAGUE_HAN.sub(" ", _EMPTY_HAN.sub(" ", folded(text)))
    return all(term in _VAGUE or term in _EMPTY for term in map(singular, tokens(left)))


def is_question(text: str) -> bool:
    """Tell whether `text` asks how or what, rather than naming a thing to find."""
    return bool(_QUESTION.search(text))


def folded(text: str) -> str:
    """Return `text` in lower case without accents, full-width letters made plain."""
    if text.isascii():
        return text.lower()
    flat = unicodedata.normalize("NFKD", text.lower().replace("’", "'"))
    return unicodedata.normalize("NFC", "".join(c for c in flat if not 0x300 <= ord(c) <= 0x36F))


def weights(asked_terms: Iterable[str], frequencies: Mapping[str, int], passages: int) -> dict[str, float]:
    """Return how much each term tells (as in BM25): one that is in no passage tells the most."""
    counts = {term: frequencies.get(term, 0) for term in asked_terms}
    return {term: math.log1p((passages - count + 0.5) / (count + 0.5)) for term, count in counts.items()}


def singular(token: str) -> str:
    """Take the plural and the apostrophes off an English word (Harman's S-stemmer)."""
    token = token.removesuffix("'s").replace("'", "")
    if len(token) < 4 or not token.isascii() or not token.endswith("s") or token.endswith(("ss", "us", "is")):
        return token
    if token in _IRREGULAR:
        return _IRREGULAR[token]
    if token.endswith("ies") and len(token) > 4:
        return token[:-3] + "y"
    if token.endswith(("shes", "ches", "sses", "xes", "zzes")):
        return token[:-2]
    return token[:-1]
