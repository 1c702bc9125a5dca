"""Which facts of an item a question asks for."""

import re
from collections.abc import Sequence
from difflib import get_close_matches

from pegboard.knowledge.wording.facts import Fact
from pegboard.knowledge.wording.stems import stems, widened

_ASKED = {
    "time": r"how long|how (?:quick|fast)|how much time|(?<!same )(?<!at a )\btime\b|\bminutes?\b|\bhours?\b|quick"
    r"|duration|"
    "多久|多长时间|时间|几分钟|几小时|快手|更快|省时",
    "servings": r"how many (?:people|persons|portions|servings|guests)|\bserv(?:es|ings?)\b|\byield|"
    r"\bfeeds?\b|"
    "几人份|多少人|几个人|份量|几人吃",
    "calories": r"calori|\bkcal\b|\benergy\b|热量|卡路里|大卡|千卡|多少卡",
    "nutrition": r"nutri|protein|\bcarbs?\b|carbohydrate|\bfat\b|fib(?:re|er)|sodium|\bsalt content|营养|"
    r"蛋白质|脂肪|碳水|纤维|钠",
    "ingredients": r"ingredient|what(?:'s| is| goes) in(?:to|side)?\b|made (?:of|with|from)|\bcontains?\b|"
    r"\bhave any\b|shopping list|what do i need|配料|食材|材料|原料|用料|成分|里面有|需要什么|要准备|"
    r"放了?什么",
    "steps": r"how (?:do|can|should|would|to)\b.{0,12}\b(?:make|cook|bake|prepare|fry|steam)|instruction|"
    r"\bsteps?\b|"
    r"\bmethod\b|directions|做法|怎么做|如何做|怎样做|步骤|怎么煮|怎么炒|怎么蒸|怎么烤|怎么炖",
    "price": r"\bpric|\bcosts?\b|how much (?:is|are|for)|expensive|cheap|价格|多少钱|价钱|几钱|售价|贵|"
    r"便宜|价位",
    "availability": r"in stock|availab|sold out|有货|库存|现货|缺货",
    "rating": r"\brat(?:ing|ed|ings)\b|\bstars?\b|评分|几分|几星|得分",
    "reviews": r"\breviews?\b|opinion|(?:people|customers?|buyers|owners) (?:say|think|like)|complain|"
    "评价|评论|口碑|怎么样|好用吗|好不好",
    "weight": r"\bweigh|\bheav|\blight(?:er|est|weight)|重量|多重|几公斤|几斤|多少克|更轻|轻不轻",
    "color": r"\bcolou?r|颜色|色号",
    "brand": r"\bbrand|manufactur|who makes|品牌|牌子",
    "diet": r"\bvegan|vegetarian|gluten|dairy.free|lactose|nut.free|\bhalal|\bkosher|allerg|素食|吃素|纯素|"
    r"麸质|过敏|乳糖|清真",
    "tips": r"\btips?\b|freez|reheat|left ?over|make.ahead|in advance|\bkeep\b|\bstore\b|\bswap|"
    "保存|冷冻|隔夜|提前|贴士|窍门|技巧|加热|复热",
    "temperature": r"temperature|\bdegrees?\b|how hot|温度|多少度|几度",
    "category": r"what kind of|categor|\bcuisine\b|类别|菜系|哪一类",
    "author": r"\bwho (?:wrote|made|created)|\bauthor\b|作者",
    "director": r"direct(?:or|ed)|导演",
    "actor": r"\bactors?\b|\bcast\b|starring|who (?:is|plays) in|演员|主演",
}
_PATTERNS = {aspect: re.compile(pattern, re.IGNORECASE) for aspect, pattern in _ASKED.items()}


def asked(question: str) -> list[str]:
    """Return the aspects that the words of `question` name, in the order of their first mention."""
    found = [(match.start(), aspect) for aspect, p in _PATTERNS.items() if (match := p.search(question))]
    return [aspect for _, aspect in sorted(found)]


def without_asked(question: str) -> str:
    """Return `question` without the words that name aspects."""
    for pattern in _PATTERNS.values():
        question = pattern.sub(" ", question)
    return question


def without_name(question: str, *names: str) -> str:
    """Return `question` without the words of names: a *Ten-Minute Miso Salmon* asks for no minutes."""
    named = {stem for name in names for stem in stems(name)}
    for name in sorted(names, key=len, reverse=True):
        question = re.sub(re.escape(name), " ", question, flags=re.IGNORECASE) if name else question
    words = re.findall(r"[\w'’-]+|[^\w\s]", question)
    return " ".join(word for word in words if not word.isascii() or not named & set(stems(word)))


def relevant(question: str, facts: Sequence[Fact]) -> list[Fact]:
    """Return the facts that `question` (without the item's name) asks for, in the order of the question.

    Specifications are found by the words of their labels, in either language.
    """
    aspects = asked(question)
    named = [fact for aspect in aspects for fact in facts if fact.aspect == aspect]
    words = widened(_corrected(stems(question), facts))
    labelled = [fact for fact in facts if fact.aspect == "property" and _shares(words, fact.label)]
    return list(dict.fromkeys([*labelled, *named] if labelled and not named else [*named, *labelled]))


def _corrected(words: Sequence[str], facts: Sequence[Fact]) -> list[str]:
    """Return the words of a question and, of misspelt ones, the words of labels that were meant."""
    known = {stem for fact in facts if fact.aspect == "property" for stem in stems(fact.label) if len(stem) > 4}
    meant = [get_close_matches(word, known, n=1, cutoff=0.8) for word in words if len(word) > 4]
    return [*words, *(match for matches in meant for match in matches)]


def _shares(words: set[str], label: str) -> bool:
    return bool(words & set(stems(label)))
