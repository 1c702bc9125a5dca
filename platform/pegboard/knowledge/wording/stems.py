"""The words of a text that carry its meaning, cut to stems: enough to see that two texts speak of the same.

Chinese gives pairs of characters, without those of question words and particles.
"""

import re
from collections.abc import Iterable, Iterator

from pegboard.text import tokens

_HAN = re.compile("[\u3400-\u9fff]")
_EMPTY_HAN = frozenset(
    "的了吗么呢吧啊我你您他她它们是在有没什怎请可以想要能个这那和与或跟把被就都也还很哪几些为多少会给让做用"
)
_EMPTY_WORDS = (
    "a about all also am an and any are as at be been by can could did do does for from get give go got "
    "had has have "
    "he her him his how i if in into is it its just let like make may me might much many must my need no "
    "not of off "
    "on one or our out over please shall she should show so some such tell than that the their them then "
    "there these "
    "they this those to too up us use very want was we were what when where which who why will with would "
    "you your "
    "long take there's what's it's i'm im don't doesn't can't"
)
_EMPTY = frozenset(_EMPTY_WORDS.split())
_SUFFIXES = ("ments", "ment", "ings", "ing", "ies", "ied", "ers", "ed", "er", "es", "s", "e", "y")
_SYNONYMS = (
    "battery 续航 电池 runtime playtime",
    "noise cancelling anc 降噪",
    "size dimensions 尺寸 大小 measurements big large",
    "capacity 容量 volume litres",
    "power 功率 wattage watts",
    "warranty guarantee 质保 保修",
    "waterproof rainproof water-resistant 防水 splash ipx4 ipx7",
    "screen display 屏幕 显示",
    "memory ram storage 内存 存储",
    "charge charging charger 充电",
    "connection bluetooth wireless 连接 蓝牙",
    "microphone mic 麦克风",
    "material fabric 材质 面料",
    "light lamp 光 灯光 照明",
    "noise loud quiet 噪音 噪声",
    "refund reimburse 退款 到账",
    "return send 退货",
    "pay payment card wallet 付款 支付",
    "damage broken faulty crack 破损 损坏",
    "late delay 延迟",
    "deliver delivery shipping ship 配送 发货 送货",
    "parcel package 包裹 快递",
    "invoice receipt 发票",
    "cancel 取消",
    "password sign-in login 密码 登录",
    "wine drink beer 酒 饮料 茶",
    "substitute replace instead swap alternative 代替 替代 替换",
    "freeze freezer frozen 冷冻",
    "store keep fridge 保存 冷藏",
    "film movie director 导演 电影",
    "resolution pixels 分辨率",
    "sleep temperature comfort 温标 温度",
    "blade steel 刀刃 钢材",
)


def stem(word: str) -> str:
    """Cut an English word to its stem; any other word stays as it is."""
    if not word.isascii() or len(word) < 4 or word[0].isdigit():
        return word
    for suffix in _SUFFIXES:
        least = 5 if suffix in {"er", "ers"} else 3
        if word.endswith(suffix) and len(word) - len(suffix) >= least:
            cut = word[: -len(suffix)]
            is_doubled = len(suffix) > 1 and len(cut) > 3 and cut[-1] == cut[-2] and cut[-1] not in "lsz"
            return (cut[:-1] if is_doubled else cut)[:7]
    return word[:7]


def stems(text: str) -> list[str]:
    """Return the stems of the words that carry meaning, in their order."""
    return list(_stems(text))


def _stems(text: str) -> Iterator[str]:
    for token in tokens(text.replace("’", "'")):
        if _HAN.match(token):
            if not _EMPTY_HAN.intersection(token):
                yield token
        elif token not in _EMPTY and len(token) > 1:
            yield stem(token.removesuffix("'s"))


def widened(found: Iterable[str]) -> set[str]:
    """Return stems together with those of their synonyms."""
    known = set(found)
    for group in _GROUPS:
        if known & group:
            known = known | group
    return known


_GROUPS = tuple(frozenset(stems(group)) for group in _SYNONYMS)
