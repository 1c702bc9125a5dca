"""How many things a Chinese question wants: a number with a counter that no unit follows, or `前五`."""

import re
from collections.abc import Iterator

from pegboard.knowledge.quantities import number

_DIGITS = "一二两三四五六七八九"
_NUMBER = rf"(?:\d{{1,2}}|[{_DIGITS}十]{{1,3}})"
_COUNTED = re.compile(
    rf"(?<![第每这那各\d.．零几十百千万点半{_DIGITS}])({_NUMBER})(?:\s?(?:到|至|或|[-~～—–、])\s?({_NUMBER}))?\s?"
    r"(道|个|款|种|份|样|篇|件|台|副|套|部|本|张|条|只|双|把|支|家|盘)"
)
_FIRST = re.compile(
    rf"(?<![提之以从跟目])前\s?({_NUMBER})(?![\d.{_DIGITS}十百千万几])\s?(名|位|强|个|道|款|种|样|篇|台|家|盘)?"
)
_OF_TIME = re.compile(r"\s?(?:天|日|年|月|周|星期|礼拜|小时|钟头|分|秒|次|步|排|面|代|后|季|期|章|页|半)")
_NO_THINGS = re.compile(
    r"\s?(?:人|小时|半|钟|月|星期|礼拜|季|步|工序|程序|食材|配料|原料|材料|调料|佐料|成分|孩子|小孩|宝宝|大人|朋友|客人|同事|家人|老人"
    r"|颜色|尺寸|口味|味道|语言|接口|插孔|插座|端口|档|以上|以下|以内|之内|以外|多|世纪|字|部分|阶段|问题|方面|订单|账号|包裹|菜的|菜.?[一两三]"
    r"|量|儿童|男|女|学生|单|地址|优惠券)"
)
_RAW = re.compile(
    r"(?:新鲜的?|大|小|生|熟)?(?:鸡蛋|鸭蛋|蛋(?![糕挞饺饼卷])|土豆|番茄|西红柿|洋葱|胡萝卜|萝卜|茄子|青椒|辣椒|黄瓜|苹果|香蕉|柠檬|橙子|橘子|梨|桃|南瓜|冬瓜|玉米|红薯"
    r"|山药|莲藕|蘑菇|香菇|鸡|鸭|鹅|鱼|虾|蟹|螃蟹|鲫鱼|鲈鱼|排骨|猪蹄|牛排|葱|蒜)"
)
_DISH = re.compile(r"[^，。,；;？?！!能可怎做会要够还和跟]{0,5}?(?:菜|汤|羹|粥|面|饭|食谱|菜谱|做法|的)")
_ONLY = re.compile("(?:只|就|仅)(?:要|需要?|想要|推荐|给我|来|选|看)?$")
"""Before 一, which is no number of things without it."""
_RAW_COUNTERS = frozenset("个只条张把支")


def counts_in_chinese(question: str) -> Iterator[tuple[int, int, int]]:
    """Yield where numbers of things begin and end, and how many each says."""
    for match in _FIRST.finditer(question):
        wanted = _value(match[1])
        if wanted and not _OF_TIME.match(question, match.end()):
            yield match.start(), match.end(), wanted
    for match in _COUNTED.finditer(question):
        wanted = _value(match[2] or match[1])
        before = question[max(0, match.start() - 4) : match.start()]
        is_alone = wanted == 1 and _ONLY.search(before) is not None
        is_first = before.rstrip().endswith("前")
        if (wanted > 1 or is_alone) and not is_first and not _is_of_others(question, match.end(), match[3]):
            yield match.start(), match.end(), wanted


def _is_of_others(question: str, at: int, counter: str) -> bool:
    """Tell whether what follows the counter is no thing of the site: people, time, an ingredient in the kitchen."""
    if _NO_THINGS.match(question, at):
        return True
    raw = _RAW.match(question, at) if counter in _RAW_COUNTERS else None
    return raw is not None and _DISH.match(question, raw.end()) is None


def _value(said: str) -> int:
    """Return what a number comes to; `两三` is the greater of the two, as is `三五`."""
    if len(said) > 1 and not said.isascii() and "十" not in said:
        said = said[-1]
    return int(number(said) or 0)
