"""Where a Chinese question may be parted: at commas and words such as 再, 然后, 并, before an order of its own."""

import re
from collections.abc import Iterator

from pegboard.route.parting.cut import MOST_JOINTS, Cut, left_of, right_of

_LEAD = re.compile(
    "^(?:请你|请|麻烦你|麻烦|帮我|给我|替我|帮忙|能不能|能否|可不可以|可以|你能|你|我想让你|我要你|我想请你"
    "|先|首先|再|然后|接着|接下来|之后|随后"
    "|最后|并且|并|同时|顺便|另外|还有|此外|也|还|就|把它们|把它|把结果|把|将|根据|第[一二三四五]步|第[一二三四五]|其次"
    "|帮)[，,：: ]*"
)
_ORDERS = (
    "查询|查看|查找|查一下|查一查|查查|查|搜索|搜一下|搜|找出|找一下|找找|找|推荐|比较|对比|比一比|写成|写|整理|总结|汇总|归纳|概括|生成|制作|做成|做一份|做个|做一个"
    "|保存|存档|存成|存到|存|归档|发送|发给|发到|发|翻译|翻成|计算|算一下|算出|算算|算|换算|换成|告诉我|告诉|列出|列一下|列个|列|介绍|说明|说说|讲讲|看看|看一下|预订|预定|订|提醒"
    "|设置|设一个|设个|播放|放一首|打开|关闭|安排|规划|制定|拟定|拟|解释|分析|选出|选一|选|挑出|挑|建议|搭配|配上|配一|下载|上传|打印|起草|画|删除|添加|加入|创建|建立|新建|通知|给出|提供"
    "|评价|评估|排序|排个|统计|导出|记录|记下|来一份|来一首|调整|修改|更新|取消"
)
_ORDER = re.compile(f"^(?:{_ORDERS})(?P<rest>.*)", re.DOTALL)
_NO_ORDER = re.compile(
    "^(?:查不到|找不到|算了|算是|写的|做的|选的|发现|发生|发货|存款|列车|订单|订阅|查收|找回|找零|搜不到|画面|画质|配上了|放心|发票|写着|写真|存储|计算机|计算器|"
    "推荐的|推荐一下$|介绍一下$|说说$|讲讲$|看看$|看一下$|告诉我$|推荐$|介绍$|给出$|比较(?:好|大|小|贵|便宜|多|少|简单|快|慢|适合|健康|清淡|合适|高|低|喜欢|容易|难|辣|甜|近|远|常|新|热门|流行|受)|建议$|分析$|提醒$|通知$|安排$)"
)
_ASKS = re.compile(
    "怎么|怎样|如何|什么|多少|多久|多大|多长|多远|几[个点天道分公度位]|哪|吗|呢|是否|有没有|能不能|可不可以|会不会|要不要|好不好|谁|为什么"
)
_STATEMENT = re.compile(
    "^(?:我|我们|咱们|家里|今天|明天|今晚|周末|最近|如果|要是|因为|由于|既然|虽然|等|当|想|打算|准备|正在|刚)"
)
_MARK = "再|然后|接着|接下来|之后再|之后|随后|最后|并且|并|同时|顺便|另外|还有|此外|其次|完了再|完再|后再"
_JOINT = re.compile(f"(?:[，,；;。\\n！!？?]+\\s*(?:{_MARK})?|\\s+(?={_ORDERS})|(?:{_MARK}))[，, ]*")
_STRONG = re.compile(f"[；;。\\n]|(?:{_MARK})")
_WRITTEN = re.compile(
    "(?:写成|整理成|做成|生成|汇总成|总结成|写|做|写一份|做一份|整理)[^，。；]{0,12}?(?:报告|文档|文件|笔记|文章|总结|表格|清单|邮件|摘要|日报|周报|攻略|方案)"
    "(?P<joint>(?:[，,、 ]|并且|并|然后|再|后|之后)*)(?=保存|存档|归档|存起来|存下来|存到|存成|发给|发送|发到"
    "|打印|上传)"
)
_OBJECTLESS = re.compile("(?:保存|存档|归档|存起来|存下来|翻译|总结|汇总|打印)(?:一下|下来|起来)?[。！!]?$")
_BACK = re.compile(
    "它|这|那|其|该|上述|前面|刚才|结果|他们|她们|第[一二三四五](?!步)|前[两二三]|适合(?:今天|明天|当天|今晚|天气)|(?:根据|按照|依据|基于)(?!食材)|相应|对应|当地|那里|那边|两者|两个"
)
_AND = re.compile("以及|还有|和|与|及")
_BEFORE_NO_MARK = re.compile(
    "(?:不|别|没|合|吞|兼|一|相|能|会|要|不要|不用|可以|应该|等会儿|一会儿|过后|今|而|此|以|先)$"
)


def own(text: str) -> str:
    """Say what `text` begins with: `order`, `question`, or neither."""
    rest = bare(text)
    if _NO_ORDER.match(rest):
        return ""
    match = _ORDER.match(rest)
    if match is not None and (match["rest"].strip(" 。！!？?一下了吧呢") or _OBJECTLESS.match(rest)):
        return "order"
    first = re.split("[，,。；;？?]", rest, maxsplit=1)[0]
    return "question" if _ASKS.search(first) and len(first) > 2 else ""


def refers_back(text: str) -> bool:
    """Tell whether `text` speaks of what came before it, or leaves out what it is about."""
    return bool(_BACK.search(text) or _OBJECTLESS.match(bare(text)) or _shares(text))


def tells(text: str) -> bool:
    """Tell whether `text` only asks to be told what is found: `告诉我哪个更好`."""
    return bool(re.match("(?:告诉我|说说|看看)(?:哪|为什么|怎么|多少|结果|$)", text))


def looks_for(text: str) -> bool:
    """Tell whether `text` orders something to be found."""
    return bool(re.match("(?:推荐|找|查|搜|列出|介绍)", text))


def bare(text: str) -> str:
    """Return a clause without what is only polite or puts it in a row."""
    before, text = "", text.strip(" \t\n，,；;。：:、！!")
    while text != before:
        before, text = text, _LEAD.sub("", text)
    return text


def cuts(text: str) -> Iterator[Cut]:
    """Yield the places at which `text` may be parted, from left to right."""
    written = {match.start("joint"): match.end("joint") for match in _WRITTEN.finditer(text)}
    joints = {joint.start(): joint.end() for joint in _JOINT.finditer(text)}
    taken = {start for begin, end in written.items() for start in joints if begin <= start < end}
    places = {**{start: end for start, end in joints.items() if start not in taken}, **written}
    places |= {match.start(): match.end() for match in _AND.finditer(text) if match.start() not in places}
    begun = 0
    for start, end in sorted(places.items())[:MOST_JOINTS]:
        left, joint, right = left_of(text, begun, start), text[start:end], right_of(text, end)
        verdict = True if start in written and left.strip() else _judged(left, joint, right)
        if verdict is not None and start >= begun:
            yield Cut(start, end, verdict)
            begun = end if verdict else begun


def _judged(left: str, joint: str, right: str) -> bool | None:
    """Return whether a cut is sure; None: it is none."""
    first = re.split("[，,。；;！!？?\\n]", right, maxsplit=1)[0]
    if not left.strip() or not first.strip() or (joint[0] not in "，,；;。！!？?\n " and _BEFORE_NO_MARK.search(left)):
        return None
    if _AND.fullmatch(joint):
        return False if min(len(left), len(first)) > 3 else None
    begins, before = own(first), own(left)
    if not begins or not before:
        return None
    is_strong = bool(_STRONG.search(joint))
    if begins == "order":
        return _order(left, before, is_strong)
    if before == "order" and not _BACK.search(first):
        return is_strong
    return is_strong and not _BACK.search(first) and not _shares(first)


def _order(left: str, before: str, is_strong: bool) -> bool | None:
    """Tell whether an order is its own: it follows an order, or a question that is whole."""
    if before == "order":
        return True
    if _STATEMENT.match(bare(left)) and not _ASKS.search(left):
        return None
    return is_strong or bool(re.search("[？?吗呢]$", left.strip()))


def _shares(first: str) -> bool:
    """Tell whether a question has nothing to ask about but what the one before names: `需要多久`."""
    return bool(re.match("(?:需要|要|得|大概|一般|用|有|能|可以|会|是|多|几|怎么|怎样|如何|什么|哪)", bare(first)))
