"""The title of a report: the one that a request names, else what the parts of the request are about. Pure.

By rules, in English and Chinese. What a model calls its text is its own business.
"""

import re
from collections.abc import Iterable, Sequence

from pegboard.text import clipped, language

LONGEST = 80
"""Characters of a title that is made here."""
_LONGEST_REQUEST = 500
"""Characters of a request that are looked at; a longer one brings its material along."""

_KINDS = r"(?:reports?|documents?|notes?|summary|article|page|memo|file|overview|briefing)"
_QUOTED = r"[\"“'‘「『]([^\"”’」』\n]{1,150})[\"”'’」』]"
_NAMED = (
    re.compile(
        r"(?:报告|文档|文章|总结|摘要|笔记|写成|写一[份篇]|整理成|保存[为成到]?|存[为成]|题为|标题[为是]?|名为|命名为|叫做?)"
        r"\s*[：:]?\s*《([^《》\n]{1,150})》"
    ),
    re.compile(rf"(?:题为|标题[为是]?|名为|命名为|保存为|存为)\s*[：:]?\s*{_QUOTED}"),
    re.compile(rf"\b(?:titled|entitled|(?:under|with) the title(?: of)?)\s*:?\s*{_QUOTED}", re.IGNORECASE),
    re.compile(rf"\b{_KINDS}\s+(?:called|named|as)\s*:?\s*{_QUOTED}", re.IGNORECASE),
    re.compile(rf"\b(?:save|keep|store|file|archive)\s+(?:\w+\s+){{0,3}}as\s*:?\s*{_QUOTED}", re.IGNORECASE),
    re.compile(
        r"\b(?:titled|entitled|(?:under|with) the title(?: of)?)\s*:?\s*([^\"“,.;，。；\n]{2,100}?)"
        r"(?=\s+(?:and|then)\s+\w|\s*[,.;，。；\n]|\s*$)",
        re.IGNORECASE,
    ),
)
_LAST_ORDERS = re.compile(
    r"(?:(?:[，,;；、。]\s*|\s+(?=(?:and|then)\b))(?:并|再|然后|最后|and|then|\s)*(?:请|把它|将其|把结果)?"
    r"(?:写成|写一|整理成|生成|保存|存档|存成|存为|归档|汇总|总结|write|save|keep|store|archive|put|summari[sz]e)"
    r"(?:(?!\s(?:and|then)\b)[^，,;；、。])*)+[。.!！]?\s*$",
    re.IGNORECASE,
)
"""The last clauses of a request, which only say what shall be made of the rest. No clause holds what begins the next:
otherwise a long request of such clauses would be tried in every way that there is to part it."""
_BETWEEN = re.compile(
    r"[，。；;!！?？\n]+|,\s+|\.\s+|\s+(?:and then|then)\s+|"
    r"\s+and\s+(?=(?:suggest|recommend|compare|find|check|look|get|show|list|tell|search|calculate)\b)",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^(?:(?:and|then|also|first|finally|please|kindly|(?:can|could|would) you|i want to know|i'd like to know)\b[\s,]*"
    r"|(?:请|麻烦|帮我|帮忙|给我|替我|我想知道|我想|然后|接着|最后|并且|并|再|先|还有)\s*)+",
    re.IGNORECASE,
)
_VERBS = re.compile(
    r"^(?:(?:check|find out|find|search for|search|look up|look for|look at|read|get|show|list|suggest|recommend|"
    r"compare|tell|give|explain|describe|fetch|calculate|compute|gather)\b(?:\s+(?:me|us|about))*\s*"
    r"|(?:what(?:'s| is| are)|how(?:'s| is| are))\s+"
    r"|(?:查询|查找|查看|查查|查|搜索|搜|看看|看|推荐|找出|找找|找|比较|对比|介绍|列出|告诉我|说说|计算|算|收集|了解)(?:一下|下)?)",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"^(?:(?:write|save|keep|store|archive|put|draft|compose|summari[sz]e)\b(?:.*?\b(?:about|on)\s+)?"
    r"|(?:写成|写一[份篇]?|整理成?|生成|保存|存档|存成|存为|存起来|归档|汇总|总结)(?:.*?关于)?)",
    re.IGNORECASE,
)
"""What only says what shall be made, as far as what it is about, if it says that."""
_ENDING = re.compile(r"(?:怎么样|如何|怎样|是什么|是多少|吗|呢|吧)?[\s.,?!。，？！：:]*$")
_ARTICLE = re.compile(r"^(?:the|an?|some|any)\s+", re.IGNORECASE)
_COUNT = re.compile(
    r"^(?:(?:one|two|three|four|five|six|ten|\d{1,3}|a few|several)\s+(?=\S+\s+\S)|"
    r"[一二两三四五六七八九十几\d]{1,3}[道个款种份本家篇条](?=.{4}))",
    re.IGNORECASE,
)
"""How many there shall be, before a thing that is told by more than its kind."""
_OF_OTHERS = re.compile(
    r"^(?:them|it|that|this|those|these|both|they|first|second|last|top|results?|(?:two|three) of)\b"
    r"|^(?:前|它|这|那|其中|结果)",
    re.IGNORECASE,
)
"""What is about what another part is about."""


def title_for(request: str, parts: Sequence[str] = ()) -> str:
    """Return the title of a report that `request` asks for, made of what `parts` of it have found; empty: none is seen.

    Without `parts` those are its clauses but the last, which say what shall be made of them.
    """
    request = request[:_LONGEST_REQUEST]
    if name := named(request):
        return clipped(name, LONGEST)
    clauses = parts or _BETWEEN.split(_LAST_ORDERS.sub("", request.strip()))
    between = "；" if language(request) == "zh" else "; "
    about = between.join(_subjects(clauses))
    return clipped(about[:1].upper() + about[1:], LONGEST)


def named(request: str) -> str:
    """Return the title that a request names; empty: it names none."""
    found = (pattern.search(request) for pattern in _NAMED)
    return next((" ".join(match[1].split()) for match in found if match), "")


def _subjects(clauses: Iterable[str]) -> list[str]:
    """Return what clauses are about, each once; not those that go on about the same."""
    found = dict.fromkeys(map(_subject, clauses))
    return [subject for subject in found if subject and not _OF_OTHERS.match(subject)]


def _subject(clause: str) -> str:
    bare = _LEAD.sub("", clause.strip())
    if order := _ORDER.match(bare):
        bare = bare[order.end() :] if order[0].endswith(("关于", " ")) else ""
    bare = _VERBS.sub("", bare)
    bare = _ENDING.sub("", _ARTICLE.sub("", bare)).strip()
    return _COUNT.sub("", bare)
